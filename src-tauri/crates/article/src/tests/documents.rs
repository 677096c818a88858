//! The examples in the documents, read out of them and taken through the reader: what a document says that an article
//! becomes is what it becomes. `ICHIDO_BLESS=1` writes what it becomes into the document.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::support::Place;
use crate::image::samples::png;
use crate::{Article, Editor, FieldValue, FindingCode, Loaded, Options, PlacedImage, discover, load};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(name)
}

/// An example: a file, what lies beside it, and what the document says that becomes of it.
struct Example {
    /// Where it lies, as the document names it.
    path: String,
    beside: Vec<String>,
    text: String,
    becomes: String,
    /// Where `becomes` stands in the document.
    span: std::ops::Range<usize>,
}

const OPENS: &str = "<!-- example: ";

/// Reads the examples of a document; a fence that belongs to none must be of a command line.
fn examples(name: &str, text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut rest = 0;
    let mut fences = 0;
    while let Some(at) = text[rest..].find(OPENS).map(|at| at + rest) {
        fences += checked_between(name, &text[rest..at]);
        let head = text[at + OPENS.len()..].lines().next().unwrap_or_default();
        let head = head.strip_suffix("-->").unwrap_or_else(|| panic!("{name}: {head}")).trim();
        let (path, beside) = head.split_once(" with ").unwrap_or((head, ""));
        let (source, after) = fence(text, at).unwrap_or_else(|| panic!("{name}: {path} has no text"));
        let (becomes, end) = fence(text, after).unwrap_or_else(|| panic!("{name}: {path} becomes nothing"));
        examples.push(Example {
            path: path.to_owned(),
            beside: beside.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            text: text[source].to_owned(),
            becomes: text[becomes.clone()].to_owned(),
            span: becomes,
        });
        rest = end;
    }
    fences += checked_between(name, &text[rest..]);
    println!("{name}: {} examples, {fences} other fences", examples.len());
    examples
}

/// What stands between examples has no example that nobody checks.
fn checked_between(name: &str, text: &str) -> usize {
    let opening = text.lines().filter(|line| line.starts_with("```")).step_by(2);
    opening
        .map(|line| {
            assert!(matches!(line, "```sh" | "```json"), "{name}: a fence that nobody checks: {line}")
        })
        .count()
}

/// The inside of the next fence, and where it ends. A fence is as long as it opens.
fn fence(text: &str, from: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let opens = from + text[from..].find("\n```")? + 1;
    let marks = text[opens..].bytes().take_while(|byte| *byte == b'`').count();
    let start = opens + text[opens..].find('\n')? + 1;
    let closing = format!("\n{}\n", "`".repeat(marks));
    let end = start - 1 + text[start - 1..].find(&closing)? + 1;
    Some((start..end, end + marks))
}

fn read(example: &Example) -> Loaded {
    let place = Place::new();
    place.put(&example.path, example.text.as_bytes());
    for (name, size) in example.beside.iter().zip(2..) {
        if name.ends_with(".png") {
            place.put(name, &png(size, 2))
        } else {
            place.put(name, b"{}")
        };
    }
    let found = discover(&[place.path().to_owned()]).unwrap();
    let [location] = found.articles.as_slice() else { panic!("{}: {found:?}", example.path) };
    load(location, &Options::default())
}

/// Writes what became of an example as the documents show it.
fn shown(loaded: &Loaded) -> String {
    let mut lines = Vec::new();
    if let Some(article) = &loaded.article {
        lines.extend(fields(article));
    }
    let missing = [FindingCode::ExcerptMissing, FindingCode::TagsMissing, FindingCode::CategoriesMissing];
    for finding in loaded.findings.iter().filter(|finding| !missing.contains(&finding.code)) {
        let line = finding.line.map(|line| format!(" line {line}")).unwrap_or_default();
        let params: Vec<String> =
            finding.params.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        lines.push(format!(
            "{}{line}: {}{}",
            finding.severity.as_str(),
            finding.code.as_str(),
            params.concat()
        ));
    }
    if let Some(article) = &loaded.article {
        let placed = placed(article);
        let editor = Editor { details: true, footnotes: true };
        lines.push(String::new());
        lines.push(article.compose_for(editor, &placed, None).unwrap());
        for note in article.footnotes(&placed).unwrap() {
            lines.push(format!("{}: {}", note.id, note.content));
        }
    }
    lines.join("\n") + "\n"
}

fn placed(article: &Article) -> Vec<PlacedImage> {
    let url = |image: &crate::ArticleImage| {
        let name = image.path();
        format!("https://blog.example/{}", name.file_name().unwrap().to_string_lossy())
    };
    (7..).zip(&article.images).map(|(id, image)| PlacedImage { id, url: url(image), size: None }).collect()
}

fn fields(article: &Article) -> Vec<String> {
    let mut lines = vec![format!("title: {}", article.title), format!("slug: {}", article.slug.as_str())];
    let featured = article.featured.and_then(|index| article.images.get(index));
    let featured = featured.map(|image| image.path().file_name().unwrap().to_string_lossy().into_owned());
    for (name, value) in [
        ("excerpt", article.excerpt.clone()),
        ("tags", article.tags.join(", ")),
        ("categories", article.categories.join(", ")),
        ("featured image", featured.unwrap_or_default()),
    ] {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    }
    for (name, value) in &article.custom_fields {
        let value = match value {
            FieldValue::Text(text) => text.clone(),
            FieldValue::List(values) => values.join(" | "),
        };
        lines.push(format!("custom field {name}: {value}"));
    }
    lines
}

fn check(name: &str, at_least: usize) {
    let path = document(name);
    let mut text = fs::read_to_string(&path).unwrap();
    let examples = examples(name, &text);
    assert!(examples.len() >= at_least, "{name} has {} examples", examples.len());
    let mut wrong = Vec::new();
    for example in examples.iter().rev() {
        let becomes = shown(&read(example));
        if becomes != example.becomes {
            wrong.push(format!("{}:\n{becomes}", example.path));
            text.replace_range(example.span.clone(), &becomes);
        }
    }
    if env::var_os("ICHIDO_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    } else {
        assert!(wrong.is_empty(), "{name} says something else of {}", wrong.join("\n"));
    }
}

#[test]
fn articles_become_what_the_english_document_says() {
    check("articles.md", 15);
}

#[test]
fn articles_become_what_the_japanese_document_says() {
    check("articles.ja.md", 15);
}

#[test]
fn an_agents_articles_become_what_its_document_says() {
    check("for-agents.md", 1);
}
