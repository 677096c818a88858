//! No text vanishes: what readers of the source see is in the blocks, or is named in a finding.
//!
//! The sources are the corpus, changed at random; what they show is told by the parsers alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use html5ever::{LocalName, local_name};
use proptest::prelude::*;
use proptest::sample::Index;

use super::property::PIECES;
use super::support::placed;
use super::{content, reparse};
use crate::block::{Block, Piece};
use crate::html::{Dom, fragment};
use crate::{Editor, FindingCode, Loaded, Options, discover, html, load};

/// One text of the corpus with the folder of its files.
struct Text {
    folder: PathBuf,
    file: PathBuf,
    text: String,
}

static CORPUS: LazyLock<Vec<Text>> = LazyLock::new(|| {
    let mut texts = Vec::new();
    for case in content::cases() {
        let folder = content::fixtures().join("articles").join(case);
        for location in discover(std::slice::from_ref(&folder)).unwrap().articles {
            let file = location.folder.join(&location.file);
            let file = file.strip_prefix(fs::canonicalize(&folder).unwrap()).unwrap().to_owned();
            if let Ok(text) = fs::read_to_string(folder.join(&file)) {
                texts.push(Text { folder: folder.clone(), file, text });
            }
        }
    }
    texts
});

/// A change of a text.
#[derive(Debug, Clone)]
enum Change {
    Cut(Index, usize),
    Repeat(Index, usize, Index),
    Put(&'static str, Index),
    Graft(Index, Index, usize, Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), 1_usize..40).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<Index>(), 1_usize..80, any::<Index>())
            .prop_map(|(at, length, to)| Change::Repeat(at, length, to)),
        (prop::sample::select(PIECES), any::<Index>()).prop_map(|(piece, at)| Change::Put(piece, at)),
        (any::<Index>(), any::<Index>(), 1_usize..200, any::<Index>())
            .prop_map(|(text, at, length, to)| Change::Graft(text, at, length, to)),
    ]
}

/// The place of a character.
fn place(text: &str, at: &Index) -> usize {
    let at = at.index(text.len() + 1);
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn stretch(text: &str, at: &Index, length: usize) -> (usize, usize) {
    let start = place(text, at);
    let end = (start + length).min(text.len());
    (start, (start..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(start))
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change {
            Change::Cut(at, length) => {
                let (start, end) = stretch(&text, at, *length);
                text.replace_range(start..end, "");
            }
            Change::Repeat(at, length, to) => {
                let (start, end) = stretch(&text, at, *length);
                let copy = text[start..end].to_owned();
                let to = place(&text, to);
                text.insert_str(to, &copy);
            }
            Change::Put(piece, at) => {
                let at = place(&text, at);
                text.insert_str(at, piece);
            }
            Change::Graft(from, at, length, to) => {
                let other = &CORPUS[from.index(CORPUS.len())].text;
                let (start, end) = stretch(other, at, *length);
                let to = place(&text, to);
                text.insert_str(to, &other[start..end]);
            }
        }
    }
    text
}

/// Reads a text in the place of one of the corpus, with its files beside it.
fn read(original: &Text, text: &str) -> Loaded {
    let place = tempfile::TempDir::new().unwrap();
    copy(&original.folder, place.path());
    fs::write(place.path().join(&original.file), text).unwrap();
    let found = discover(&[place.path().join(&original.file)]).unwrap();
    load(&found.articles[0], &Options::default())
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn bare(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The words that a browser shows of a tree.
fn shown(dom: &Dom) -> Vec<String> {
    shown_without(dom, &local_name!("script"))
}

fn shown_without(dom: &Dom, left_out: &LocalName) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![Dom::root()];
    while let Some(id) = waiting.pop() {
        let is_hidden = matches!(
            dom.name(id),
            Some(
                &local_name!("script")
                    | &local_name!("style")
                    | &local_name!("head")
                    | &local_name!("title")
                    // Shown where the film cannot be played.
                    | &local_name!("audio")
                    | &local_name!("video")
                    | &local_name!("iframe")
                    | &local_name!("object")
                    | &local_name!("noembed")
                    | &local_name!("noframes")
            )
        );
        // The way back from a note, with its number, is the writer's own.
        let is_back = dom.attribute(id, "class") == Some("footnote-backref");
        if is_hidden || is_back || dom.is(id, left_out) {
            continue;
        }
        found.extend(dom.text(id).into_iter().flat_map(str::split_whitespace).map(str::to_owned));
        waiting.extend(dom.children(id).iter().rev());
    }
    found
}

/// What is sent or said of an article, without white space.
fn told(loaded: &Loaded, blocks: &str) -> String {
    let dom = fragment(blocks).unwrap();
    let mut told = shown(&dom).concat();
    // Readings stand between the characters of a word.
    told.push_str(&shown_without(&dom, &local_name!("rt")).concat());
    if let Some(article) = &loaded.article {
        told.push_str(&bare(&article.title));
        // The name of a picture is text to tools that do not know the mark around it.
        article.images.iter().for_each(|image| told.push_str(&bare(&image.reference)));
    }
    for finding in &loaded.findings {
        for value in finding.params.values() {
            told.push('\n');
            told.push_str(&bare(value));
        }
    }
    told
}

/// The names of blocks with those in them.
#[derive(Debug, PartialEq)]
struct Shape(String, Vec<Shape>);

fn shapes(blocks: &[Block]) -> Vec<Shape> {
    blocks
        .iter()
        .map(|block| {
            let inner = block.pieces.iter().filter_map(|piece| match piece {
                Piece::Block(inner) => Some(inner.clone()),
                Piece::Markup(_)
                | Piece::Plain(_)
                | Piece::NoteMark(_)
                | Piece::ImageUrl(_)
                | Piece::ImageId(_)
                | Piece::ImageSize(_) => None,
            });
            let name = block.kept.as_ref().map_or(block.name, |kept| kept.name.as_str());
            Shape(name.to_owned(), shapes(&inner.collect::<Vec<_>>()))
        })
        .collect()
}

fn read_shapes(blocks: &[reparse::Read]) -> Vec<Shape> {
    blocks.iter().map(|block| Shape(block.name.clone(), read_shapes(&block.inner))).collect()
}

const NEW: Editor = Editor { details: true, footnotes: false };

/// Checks one text; answers whether it became an article.
fn holds(original: &Text, text: &str) -> Result<bool, TestCaseError> {
    let loaded = read(original, text);
    prop_assert!(loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed));
    let Some(article) = &loaded.article else { return Ok(false) };
    let blocks = article.compose_for(NEW, &placed(article.images.len()), None).unwrap();
    match reparse::read(&blocks) {
        Ok(tree) => {
            let mut written = shapes(&article.blocks);
            // The list of notes is a block that depends on the site.
            written.truncate(tree.len());
            prop_assert_eq!(&read_shapes(&tree)[..written.len()], &written[..], "{}", blocks);
        }
        // Comments that only begin like delimiters are kept with what an author wrote.
        Err(error) => {
            prop_assert!(article.blocks.iter().any(|block| block.kept.is_some()), "{error}\n{blocks}");
        }
    }
    let is_clipped =
        loaded.findings.iter().any(|found| found.params.values().any(|value| value.ends_with('…')));
    if !is_clipped {
        let told = told(&loaded, &blocks);
        for word in visible(original, text) {
            // Marks of Markdown become attributes.
            let is_there = told.contains(&word) || blocks.contains(&word);
            prop_assert!(is_there, "{word:?} of {text}\nvanished from {blocks}\n{:?}", loaded.findings);
        }
    }
    Ok(true)
}

/// What a reader sees of the source.
fn visible(original: &Text, text: &str) -> Vec<String> {
    let Ok(text) = crate::text::decode(text.as_bytes()) else { return Vec::new() };
    let Ok(split) = crate::front_matter::split(&text) else { return Vec::new() };
    let is_html = original.file.extension().is_some_and(|end| end == "html");
    if is_html {
        let page = html::read_page(split.body).unwrap();
        return shown(&page.dom);
    }
    let is_vault = original.folder.join(".obsidian").exists();
    let body = without_templates(split.body);
    // What follows an element that shows its content as it is written is markup and comments to one, and words to another.
    let shows_markup = [
        "<textarea",
        "<title",
        "<xmp",
        "<plaintext",
        "<noembed",
        "<noframes",
        "<iframe",
        "<style",
        "<script",
    ];
    let lower = body.to_lowercase();
    let end = shows_markup.iter().filter_map(|element| lower.find(element)).min();
    let body =
        end.filter(|end| body.is_char_boundary(*end)).map_or(body.as_str(), |end| &body[..end]).to_owned();
    let made = crate::markdown::plain(&body, is_vault).unwrap_or_default();
    let lower = split.body.to_lowercase();
    let is_mark =
        |word: &String| ["{#", "@["].iter().any(|mark| split.body.contains(&format!("{mark}{word}")));
    // A box without a title gets its kind for one, which the author did not write.
    let is_kind = |word: &String| lower.contains(&format!("[!{}", word.to_lowercase()));
    let words = shown(&fragment(&made).unwrap());
    let parts = words.iter().flat_map(|word| word.split(|c: char| !c.is_alphanumeric())).map(str::to_owned);
    parts.filter(|word| !word.is_empty() && !is_kind(word) && !is_mark(word)).collect()
}

/// A text without the tags of templates, which are no words to anybody.
fn without_templates(text: &str) -> String {
    let mut text = text.to_owned();
    for (open, close) in [("{%", "%}"), ("{{", "}}")] {
        while let Some(start) = text.find(open) {
            let end = text[start..].find(close).map_or(start + open.len(), |end| start + end + close.len());
            text.replace_range(start..end, " ");
        }
    }
    text
}

fn cases(is_html: bool) -> Vec<&'static Text> {
    let ending = if is_html { "html" } else { "md" };
    let wanted = |text: &&Text| text.file.extension().is_some_and(|end| end == ending);
    CORPUS.iter().filter(wanted).collect()
}

#[test]
fn nothing_of_the_corpus_vanishes() {
    for is_html in [false, true] {
        let cases = cases(is_html);
        assert!(cases.len() >= 40, "{}", cases.len());
        let became = cases.iter().filter(|text| {
            holds(text, &text.text).unwrap_or_else(|error| panic!("{}: {error}", text.folder.display()))
        });
        assert!(became.count() * 10 >= cases.len() * 9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_changed_html_vanishes(at in any::<Index>(), changes in prop::collection::vec(change(), 1..6)) {
        let cases = cases(true);
        let original = cases[at.index(cases.len())];
        holds(original, &changed(&original.text, &changes))?;
    }

    #[test]
    fn nothing_of_changed_markdown_vanishes(at in any::<Index>(), changes in prop::collection::vec(change(), 1..6)) {
        let cases = cases(false);
        let original = cases[at.index(cases.len())];
        holds(original, &changed(&original.text, &changes))?;
    }

    #[test]
    fn blocks_that_were_written_are_kept_when_they_are_read(at in any::<Index>()) {
        let original = &CORPUS[at.index(CORPUS.len())];
        let loaded = read(original, &original.text);
        if let Some(article) = &loaded.article {
            let blocks = article.compose_for(NEW, &placed(article.images.len()), None).unwrap();
            let again = super::support::html(&blocks);
            prop_assert_eq!(again, blocks);
        }
    }
}
