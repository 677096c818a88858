//! `check`: preflight, no network.

use ichido_article::{Loaded, Severity};
use ichido_core::tally::{Ending, Tally};
use ichido_engine::{Engine, Event, is_sendable, name_of};
use serde_json::{Value, json};

use crate::args::Check;
use crate::failure::{Failure, NEEDS_WORK};
use crate::json::{counts, event, finding};
use crate::out::Out;
use crate::text::clean;
use crate::wording::{findings, found, title};

pub(crate) fn run(out: &Out, engine: &Engine, check: &Check) -> Result<u8, Failure> {
    let settings = engine.settings(check.site.as_deref())?;
    let (articles, notes) = ichido_engine::check(&check.paths, settings)?;
    for note in &notes {
        out.object(&json!({ "event": "passed_over", "findings": [finding(out.texts, note)] }));
        out.line(&found(out.texts, note));
    }
    let mut tally = Tally::default();
    for article in &articles {
        tell(out, article);
        if !is_sendable(article) {
            tally.count_as(Ending::NeedsWork);
        }
    }
    out.object(&summary(&tally, articles.len()));
    let (all, broken) = (articles.len().to_string(), tally.needs_work.to_string());
    out.line("");
    let key = if tally.needs_work == 0 { "check.all_ready" } else { "check.some_broken" };
    out.say(key, &[("articles", &all), ("broken", &broken)]);
    Ok(if tally.needs_work == 0 { 0 } else { NEEDS_WORK })
}

fn tell(out: &Out, article: &Loaded) {
    if out.is_json() {
        let checked = Event::Checked { article: name_of(article), findings: article.findings.clone() };
        out.object(&event(out.texts, &checked));
        return;
    }
    let name = name_of(article);
    let slug = name.slug.as_deref().map(|slug| format!("  ({})", clean(slug))).unwrap_or_default();
    let word = out.texts.get(if is_sendable(article) { "check.ready" } else { "ending.needs_work" });
    let sign = if is_sendable(article) { '+' } else { '!' };
    out.line(&format!("{sign} {} {}{slug}", crate::out::column(word, 16), title(&name)));
    for line in findings(out.texts, &article.findings) {
        out.line(&format!("    {line}"));
    }
    debug_assert!(
        is_sendable(article) || article.findings.iter().any(|finding| finding.severity == Severity::Error)
    );
}

/// The summary of a check has the counts of every summary, and how many articles are ready beside.
fn summary(tally: &Tally, articles: usize) -> Value {
    let mut summary = json!({ "event": "summary" });
    for (name, count) in counts(tally) {
        summary[name] = json!(count);
    }
    summary["ready"] = json!(articles - tally.needs_work);
    summary["needs_attention"] = json!([]);
    summary
}
