//! `explain`: the page of a reason, or of what stopped an article.

use std::path::Path;

use ichido_engine::{ActError, Engine};
use serde_json::json;

use crate::failure::Failure;
use crate::find;
use crate::out::Out;
use crate::page::{self, Page};

pub(crate) fn run(out: &Out, engine: &Engine, about: Option<&str>) -> Result<u8, Failure> {
    let Some(about) = about else {
        list(out);
        return Ok(0);
    };
    // A reason comes first: an article that is called like one is named by its path.
    let found = match page::page(about, out.texts.language()) {
        Some(page) => page,
        None => of_article(out, engine, about)?,
    };
    show(out, &found);
    Ok(0)
}

fn of_article(out: &Out, engine: &Engine, article: &str) -> Result<Page, Failure> {
    let journal = engine.journal()?;
    let state = match find::record(&journal, None, Path::new(article), None) {
        Ok((_, operation)) => Some(operation.standing.state),
        Err(Failure::Act(ActError::NoSuchArticle { .. })) => None,
        Err(failure) => return Err(failure),
    };
    let found = state.and_then(page::of_state).and_then(|code| page::page(code, out.texts.language()));
    found.ok_or_else(|| Failure::NothingToExplain { article: article.to_owned() })
}

fn show(out: &Out, page: &Page) {
    out.object(&json!({ "event": "page", "reason": page.code, "title": page.title, "text": page.text }));
    out.line(&format!("{} ({})\n\n{}", page.title, page.code, page.text));
}

fn list(out: &Out) {
    for code in page::codes() {
        let Some(page) = page::page(code, out.texts.language()) else { continue };
        out.object(&json!({ "event": "page", "reason": page.code, "title": page.title }));
        out.line(&format!("{} {}", crate::out::column(page.code, 18), page.title));
    }
}
