//! Block markup of whole articles: what each writing tool's marks become, as a person approved it and as the
//! editor's own validator judged it.
//!
//! A case is a folder in `tests/fixtures/articles`, with its blocks in `tests/fixtures/blocks`: `NAME.html`, or
//! `NAME.new.html` and `NAME.old.html` where an editor of before WordPress 6.3 is sent something else. What is said
//! about the text stands in `tests/fixtures/findings/NAME.txt`. With `ICHIDO_BLESS=1` all are written anew, to be looked
//! at and to be judged by `scripts/block-oracle` before they are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::reparse;
use super::support::{placed, telling};
use crate::images::hex;
use crate::{Article, BareUrls, Editor, Loaded, Marks, Obsidian, Options, discover, load};

const NEW: Editor = Editor { details: true, footnotes: true };

pub(super) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures")
}

/// The names of the cases: folders that are no case of another test.
pub(super) fn cases() -> BTreeSet<String> {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(fixtures().join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    &names("articles") - &names("meta")
}

/// Reads a case with the settings that stand beside it.
fn read(name: &str) -> Loaded {
    let folder = fixtures().join("articles").join(name);
    let mut marks = Marks::default();
    if let Ok(text) = fs::read_to_string(folder.join("options.json")) {
        let options: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
        for (key, value) in &options {
            match (key.as_str(), value.as_str()) {
                ("bare_urls", "line") => marks.bare_urls = BareUrls::Line,
                ("bare_urls", "link") => marks.bare_urls = BareUrls::Link,
                ("obsidian", "always") => marks.obsidian = Obsidian::Always,
                ("obsidian", "never") => marks.obsidian = Obsidian::Never,
                ("line_breaks", "on") => marks.line_breaks = true,
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    let found = discover(&[folder]).unwrap();
    assert_eq!(found.articles.len(), 1, "{name}");
    load(&found.articles[0], &Options { marks, ..Options::default() })
}

fn blocks(article: &Article, editor: Editor) -> String {
    article.compose_for(editor, &placed(article.images.len()), None).unwrap() + "\n"
}

fn findings(loaded: &Loaded) -> String {
    let wanted = telling(loaded);
    let said = loaded.findings.iter().filter(|found| wanted.contains(&(found.code, found.line)));
    said.map(|found| super::layouts::said(found) + "\n").collect()
}

#[test]
fn articles_become_the_blocks_that_were_approved() {
    let bless = std::env::var_os("ICHIDO_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut written = BTreeMap::new();
    let cases = cases();
    for name in &cases {
        let loaded = read(name);
        if let Some(article) = &loaded.article {
            let (new, old) = (blocks(article, NEW), blocks(article, Editor::default()));
            reparse::check(new.trim_end());
            reparse::check(old.trim_end());
            if new == old {
                written.insert(format!("blocks/{name}.html"), new);
            } else {
                written.insert(format!("blocks/{name}.new.html"), new);
                written.insert(format!("blocks/{name}.old.html"), old);
            }
        }
        let said = findings(&loaded);
        if !said.is_empty() {
            written.insert(format!("findings/{name}.txt"), said);
        }
    }
    let mut approved = BTreeMap::new();
    for folder in ["blocks", "findings"] {
        fs::create_dir_all(fixtures().join(folder)).unwrap();
        for entry in fs::read_dir(fixtures().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            approved.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    if bless {
        for (name, text) in &written {
            fs::write(fixtures().join(name), text).unwrap();
        }
        for name in approved.keys().filter(|name| !written.contains_key(*name)) {
            fs::remove_file(fixtures().join(name)).unwrap();
        }
        return;
    }
    for name in written.keys().chain(approved.keys()).collect::<BTreeSet<_>>() {
        if written.get(name) != approved.get(name) {
            wrong.push(format!("{name}, now:\n{}", written.get(name).map_or("nothing", |text| text)));
        }
    }
    assert!(cases.len() >= 100, "{}", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_editor_itself_found_every_block_valid() {
    let text = fs::read_to_string(fixtures().join("blocks.json")).unwrap();
    let judged: Value = serde_json::from_str(&text).unwrap();
    let judged = judged["files"].as_object().unwrap();
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(fixtures().join("blocks")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let found = judged.get(&name).unwrap_or_else(|| panic!("{name}: run scripts/block-oracle"));
        let digest = hex(&Sha256::digest(fs::read(&path).unwrap()));
        assert_eq!(found["sha256"], digest, "{name} has changed: run scripts/block-oracle");
        for release in ["new", "old"] {
            let is_sent = match name.trim_end_matches(".html").rsplit_once('.') {
                Some((_, only @ ("new" | "old"))) => only == release,
                _ => true,
            };
            assert_eq!(found[release]["valid"] == Value::Bool(true), is_sent, "{name} {release}");
            assert!(
                !is_sent || release == "old" || found[release]["unchanged"] == Value::Bool(true),
                "{name}"
            );
        }
        files.insert(name);
    }
    assert_eq!(judged.keys().cloned().collect::<BTreeSet<_>>(), files);
}
