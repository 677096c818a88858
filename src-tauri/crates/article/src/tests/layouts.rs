//! Layouts and front matter: what is read of each writing tool's files and of each trap, as a person approved it.
//!
//! A case is a folder in `tests/fixtures/articles` with a file of its name in `tests/fixtures/meta`. With
//! `ICHIDO_BLESS=1` the files are written anew, to be looked at before they are kept.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{Finding, Loaded, Options, clashes, discover, load};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures")
}

#[test]
fn what_is_read_is_what_was_approved() {
    let bless = std::env::var_os("ICHIDO_BLESS").is_some();
    let mut cases: Vec<PathBuf> =
        fs::read_dir(fixtures().join("meta")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let mut wrong = Vec::new();
    for approved in &cases {
        let name = approved.file_stem().unwrap().to_str().unwrap();
        let found =
            serde_json::to_string_pretty(&read(&fixtures().join("articles").join(name))).unwrap() + "\n";
        if bless {
            fs::write(approved, found).unwrap();
        } else if fs::read_to_string(approved).unwrap() != found {
            wrong.push(format!("{name}: {found}"));
        }
    }
    assert!(cases.len() >= 58, "{}", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn read(folder: &Path) -> Value {
    let found = discover(&[folder.to_owned()]).unwrap();
    let mut loaded: Vec<Loaded> =
        found.articles.iter().map(|location| load(location, &Options::default())).collect();
    for (at, finding) in clashes(&loaded) {
        loaded[at].findings.push(finding);
    }
    json!({
        "articles": loaded.iter().map(article).collect::<Vec<_>>(),
        "passed_over": found.notes.iter().map(said).collect::<Vec<_>>(),
    })
}

fn article(loaded: &Loaded) -> Value {
    let file = loaded.location.below_root().join(&loaded.location.file);
    let findings: Vec<String> = loaded.findings.iter().map(said).collect();
    let Some(article) = &loaded.article else { return json!({ "file": file, "findings": findings }) };
    let images: Vec<Value> = article
        .images
        .iter()
        .map(|image| json!({ "file": image.relative, "alt": image.alt, "title": image.title, "caption": image.caption }))
        .collect();
    json!({
        "file": file,
        "title": article.title,
        "slug": article.slug,
        "excerpt": article.excerpt,
        "tags": article.tags,
        "categories": article.categories,
        "featured": article.featured,
        "images": images,
        "findings": findings,
    })
}

pub(super) fn said(finding: &Finding) -> String {
    let line = finding.line.map_or_else(|| "-".to_owned(), |line| line.to_string());
    let params: String = finding.params.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
    format!("{line} {} {}{params}", finding.severity.as_str(), finding.code.as_str())
}
