//! From a location to an article: the text is read, checked and parsed.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use ichido_core::slug::Slug;

use crate::anchors;
use crate::article::{Article, Loaded, Named};
use crate::block::Block;
use crate::compose::Editor;
use crate::content::{self, Content};
use crate::context::Context;
use crate::discover::Location;
use crate::draft::Draft;
use crate::finding::{FindingCode, Findings};
use crate::folder::{Folder, ReadError, reason};
use crate::front_matter;
use crate::gates;
use crate::images::Images;
use crate::meta::{self, At};
use crate::options::Options;
use crate::places::Places;
use crate::text::{self, NotText};

/// Reads, checks and parses one article. Bad content gives findings, never a panic.
#[must_use]
pub fn load(location: &Location, options: &Options) -> Loaded {
    let mut findings = Findings::of(location.shown());
    let mut files = vec![location.folder.join(&location.file)];
    // The parsers are not ours; one that gives up on a hostile text must not take the batch along.
    let article = catch_unwind(AssertUnwindSafe(|| read(location, options)));
    let article = match article {
        Ok((article, found, read)) => {
            findings = found;
            files.extend(read);
            article
        }
        Err(_) => {
            findings.add(FindingCode::TextReaderFailed, None, &[]);
            None
        }
    };
    let named = article
        .as_ref()
        .map(|Article { title, slug, .. }| Named { title: title.clone(), slug: slug.clone() });
    let article = article.filter(|_| !findings.has_error());
    Loaded { location: location.clone(), article, named, findings: findings.into_vec(), files }
}

/// Reads articles on all processors; the answer is in the order of the locations.
#[must_use]
pub fn load_all(locations: &[Location], options: &Options) -> Vec<Loaded> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(locations.len().max(1));
    let share = locations.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let shares: Vec<_> = locations
            .chunks(share)
            .map(|share| {
                scope.spawn(move || share.iter().map(|location| load(location, options)).collect::<Vec<_>>())
            })
            .collect();
        shares.into_iter().filter_map(|share| share.join().ok()).flatten().collect()
    })
}

/// Returns the article, what was found, and the files that were read besides the text.
fn read(location: &Location, options: &Options) -> (Option<Article>, Findings, Vec<PathBuf>) {
    let mut findings = Findings::of(location.shown());
    let folder = match Folder::open(location.root.path()) {
        Ok(folder) => folder,
        Err(error) => {
            findings.add(FindingCode::TextUnreadable, None, &[("reason", reason(&error))]);
            return (None, findings, Vec::new());
        }
    };
    let file = location.below_root().join(&location.file);
    let bytes = match folder.read(&file, options.limits.text_bytes) {
        Ok(bytes) => bytes,
        Err(error) => {
            report(&error, options.limits.text_bytes, &mut findings);
            return (None, findings, Vec::new());
        }
    };
    let text = match text::decode(&bytes) {
        Ok(text) => text,
        Err(NotText::Binary) => {
            findings.add(FindingCode::TextBinary, None, &[]);
            return (None, findings, Vec::new());
        }
        Err(NotText::Encoding(encoding)) => {
            findings.add(FindingCode::TextNotUtf8, None, &[("encoding", encoding)]);
            return (None, findings, Vec::new());
        }
    };
    let places = Places::new(folder, Arc::clone(&location.root), location.below_root());
    let mut context = Context {
        images: Images::of(places, options),
        findings,
        gates: options.gates.clone(),
        marks: options.marks,
        name: location.name(),
        is_mdx: location.is_mdx(),
        links_to_headings: Vec::new(),
    };
    let article = parse(location, &text, options, &mut context);
    let Context { images, mut findings, .. } = context;
    images.tell_missing_texts(&mut findings);
    let files = images.files();
    let images = images.into_list();
    let first = (options.first_image_is_featured && !images.is_empty()).then_some(0);
    let article = article.map(|draft| {
        let featured = draft.featured.or(first);
        Draft { featured, ..draft }.finish(images)
    });
    if let Some(article) = &article {
        gates::length(article, options, &mut findings);
    }
    (article, findings, files)
}

fn report(error: &ReadError, limit: u64, findings: &mut Findings) {
    match error {
        ReadError::NotFound { .. } => {
            findings.add(FindingCode::TextUnreadable, None, &[("reason", "not_found")])
        }
        ReadError::Outside => findings.add(FindingCode::TextOutside, None, &[]),
        ReadError::NotAFile => findings.add(FindingCode::TextUnreadable, None, &[("reason", "not_a_file")]),
        ReadError::TooLarge { bytes } => {
            let params = [("bytes", bytes.to_string()), ("limit", limit.to_string())];
            let params: Vec<_> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            findings.add(FindingCode::TextTooLarge, None, &params);
        }
        ReadError::Io(error) => findings.add(FindingCode::TextUnreadable, None, &[("reason", reason(error))]),
    }
}

fn parse<'t>(
    location: &Location,
    text: &'t str,
    options: &Options,
    context: &mut Context,
) -> Option<Draft<'t>> {
    let split = match front_matter::split(text) {
        Ok(split) => split,
        Err(problem) => {
            let params: Vec<_> = problem.params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            context.findings.add(problem.code, problem.line, &params);
            return None;
        }
    };
    let mut meta = meta::read(&split.entries, options, &mut context.findings);
    if let Some(At { value: key, line }) = &meta.ignored_by {
        context.findings.add(FindingCode::ArticleIgnored, *line, &[("key", key)]);
        return None;
    }
    if let Some(root_url) = &meta.root_url {
        context.images.set_root_url(root_url);
    }
    let content = if location.is_html() {
        content::of_html(split.body, split.body_line, &mut meta, options, location, context)
    } else {
        content::of_markdown(split.body, split.body_line, &mut meta, location, context)
    };
    let Content { mut blocks, notes, featured } = match content {
        Ok(content) => content,
        Err(problem) => {
            context.findings.add(FindingCode::TextTooComplex, None, &[("what", problem.as_str())]);
            return None;
        }
    };
    anchors::name_headings(&mut blocks, context);
    let notes_listed = notes.iter().flat_map(|notes| notes.blocks(Editor::default()));
    anchors::check(blocks.iter().chain(notes_listed), context);
    // Where something else is wrong, what is left says nothing about the text.
    let may_be_empty = !context.findings.has_error();
    let slug = slug(location, meta.slug.as_ref(), &mut context.findings);
    let title = meta.title.take();
    match &title {
        Some(title) => gates::title(title, options, &mut context.findings),
        None => context.findings.add(FindingCode::TitleMissing, None, &[]),
    }
    gates::names(&meta, &mut context.findings);
    let (title_text, excerpt) = (title.as_ref().map(|title| title.value.as_str()), meta.excerpt.as_deref());
    gates::words(title_text, excerpt, (split.body, split.body_line), options, &mut context.findings);
    if may_be_empty && blocks.iter().all(Block::is_break) {
        context.findings.add(FindingCode::ContentEmpty, None, &[]);
    }
    if meta.excerpt.is_none() {
        context.findings.add(FindingCode::ExcerptMissing, None, &[]);
    }
    if meta.tags.is_empty() {
        context.findings.add(FindingCode::TagsMissing, None, &[]);
    }
    if meta.categories.is_empty() {
        context.findings.add(FindingCode::CategoriesMissing, None, &[]);
    }
    let (title, slug) = (title?.value, slug?);
    Some(Draft { title, slug, meta, featured, blocks, notes, body: Cow::Borrowed(split.body) })
}

pub(crate) fn slug(
    location: &Location,
    written: Option<&At<String>>,
    findings: &mut Findings,
) -> Option<Slug> {
    let (text, line) = match written {
        Some(written) => (Cow::Borrowed(written.value.as_str()), written.line),
        None => (Cow::Owned(location.name()), None),
    };
    let Ok(slug) = Slug::sanitise(&text) else {
        findings.add(FindingCode::SlugEmpty, line, &[("written", &text)]);
        return None;
    };
    if written.is_some() && slug.as_str() != text && slug.encoded() != text.to_ascii_lowercase() {
        findings.add(FindingCode::SlugAdjusted, line, &[("written", &text), ("slug", slug.as_str())]);
    }
    Some(slug)
}
