//! One article, read and checked.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ichido_core::slug::Slug;
use sha2::{Digest, Sha256};

use crate::anchors;
use crate::block::{Block, Writer};
use crate::compose::{ComposeError, PlacedImage};
use crate::context::Context;
use crate::discover::Location;
use crate::finding::{Finding, FindingCode, Findings};
use crate::folder::{Folder, ReadError, reason};
use crate::front_matter;
use crate::gates;
use crate::html::{self, Converter, Setting, TooComplex};
use crate::images::{ArticleImage, Described, Images, Source};
use crate::markdown;
use crate::meta::{self, At, Meta};
use crate::options::{DescriptionIs, Options};
use crate::places::Places;
use crate::text::{self, NotText};

/// What came of reading one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Where it lies.
    pub location: Location,
    /// The article; nothing if a finding is an error.
    pub article: Option<Article>,
    /// How the article calls itself, where that could be read although something else is wrong.
    pub named: Option<Named>,
    /// What was found, in the order of reading.
    pub findings: Vec<Finding>,
}

/// How an article calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The title, one line.
    pub title: String,
    /// The slug as WordPress stores it.
    pub slug: Slug,
}

/// An article that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// The title, one line.
    pub title: String,
    /// The slug as WordPress stores it.
    pub slug: Slug,
    /// The excerpt, empty if none.
    pub excerpt: String,
    /// The names of the tags.
    pub tags: Vec<String>,
    /// The names, slugs or paths of the categories, as written.
    pub categories: Vec<String>,
    /// The custom fields of the post, each with its value.
    pub custom_fields: Vec<(String, String)>,
    /// The index of the featured image in `images`.
    pub featured: Option<usize>,
    /// The local images that the text and the featured image use, each once.
    pub images: Vec<ArticleImage>,
    /// SHA-256 over everything that is sent but the slug: whether the article has changed here.
    pub source_digest: [u8; 32],
    blocks: Vec<Block>,
    /// A guess at the length of the composed content.
    length: usize,
}

impl Loaded {
    /// Whether the article says itself that it is not to be published.
    #[must_use]
    pub fn is_ignored(&self) -> bool {
        self.findings.iter().any(|found| found.code == FindingCode::ArticleIgnored)
    }
}

impl Article {
    /// Composes the content with the site's images, given in the order of [`Article::images`].
    ///
    /// The marker becomes an attribute of the first block that is neither *more* nor a page break.
    ///
    /// # Errors
    /// When the places do not fit the images, or no block can carry the marker.
    pub fn compose(&self, images: &[PlacedImage], marker: Option<&str>) -> Result<String, ComposeError> {
        if images.len() != self.images.len() {
            return Err(ComposeError::WrongNumberOfImages { needed: self.images.len(), given: images.len() });
        }
        Writer::new(images, self.length).document(&self.blocks, marker)
    }

    /// Composes the content for the classic editor: the same markup without block delimiters, so
    /// without a marker.
    ///
    /// # Errors
    /// When the places do not fit the images.
    pub fn compose_classic(&self, images: &[PlacedImage]) -> Result<String, ComposeError> {
        if images.len() != self.images.len() {
            return Err(ComposeError::WrongNumberOfImages { needed: self.images.len(), given: images.len() });
        }
        Writer::new(images, self.length).classic(&self.blocks)
    }
}

/// Reads, checks and parses one article. Bad content gives findings, never a panic.
#[must_use]
pub fn load(location: &Location, options: &Options) -> Loaded {
    let mut findings = Findings::of(location.shown());
    // The parsers are not ours; one that gives up on a hostile text must not take the batch along.
    let article = catch_unwind(AssertUnwindSafe(|| read(location, options)));
    let article = match article {
        Ok((article, found)) => {
            findings = found;
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
    Loaded { location: location.clone(), article, named, findings: findings.into_vec() }
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

fn read(location: &Location, options: &Options) -> (Option<Article>, Findings) {
    let mut findings = Findings::of(location.shown());
    let folder = match Folder::open(location.root.path()) {
        Ok(folder) => folder,
        Err(error) => {
            findings.add(FindingCode::TextUnreadable, None, &[("reason", reason(&error))]);
            return (None, findings);
        }
    };
    let file = location.below_root().join(&location.file);
    let bytes = match folder.read(&file, options.limits.text_bytes) {
        Ok(bytes) => bytes,
        Err(error) => {
            report(&error, options.limits.text_bytes, &mut findings);
            return (None, findings);
        }
    };
    let text = match text::decode(&bytes) {
        Ok(text) => text,
        Err(NotText::Binary) => {
            findings.add(FindingCode::TextBinary, None, &[]);
            return (None, findings);
        }
        Err(NotText::Encoding(encoding)) => {
            findings.add(FindingCode::TextNotUtf8, None, &[("encoding", encoding)]);
            return (None, findings);
        }
    };
    let places = Places::new(folder, Arc::clone(&location.root), location.below_root());
    let mut context = Context {
        images: Images::of(places, options),
        findings,
        gates: options.gates.clone(),
        links_to_headings: Vec::new(),
    };
    let article = parse(location, &text, options, &mut context);
    let Context { images, mut findings, .. } = context;
    images.tell_missing_texts(&mut findings);
    let images = images.into_list();
    let article = article.map(|draft| draft.finish(images));
    if let Some(article) = &article {
        gates::length(article, options, &mut findings);
    }
    (article, findings)
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

/// An article before its images are known for good.
struct Draft<'t> {
    title: String,
    slug: Slug,
    meta: Meta,
    featured: Option<usize>,
    blocks: Vec<Block>,
    body: Cow<'t, str>,
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
        html_content(split.body, split.body_line, &mut meta, options, location, context)
    } else {
        markdown_content(split.body, split.body_line, &mut meta, location, context)
    };
    let (blocks, featured) = match content {
        Ok(content) => content,
        Err(problem) => {
            context.findings.add(FindingCode::TextTooComplex, None, &[("what", problem.as_str())]);
            return None;
        }
    };
    anchors::check(&blocks, context);
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
    Some(Draft { title: title?.value, slug: slug?, meta, featured, blocks, body: Cow::Borrowed(split.body) })
}

type Content = Result<(Vec<Block>, Option<usize>), TooComplex>;

fn markdown_content(
    body: &str,
    line: u32,
    meta: &mut Meta,
    location: &Location,
    context: &mut Context,
) -> Content {
    let featured = featured(meta, location, context);
    let title = meta.title.as_ref().map(|title| title.value.as_str());
    let markdown = markdown::read(body, line, title, context)?;
    meta.title = meta.title.take().or(markdown.heading.map(|value| At { value, line: None }));
    Ok((markdown.blocks, featured))
}

fn html_content(
    body: &str,
    line: u32,
    meta: &mut Meta,
    options: &Options,
    location: &Location,
    context: &mut Context,
) -> Content {
    let mut page = html::read_page(body)?;
    if meta.title.is_none() {
        let title = page.take_heading().or_else(|| page.title.take());
        meta.title = title.map(|value| At { value, line: None });
    } else {
        page.take_heading_if(meta.title.as_ref().map(|title| title.value.as_str()));
    }
    if options.description_is == DescriptionIs::Excerpt {
        meta.excerpt = meta.excerpt.take().or_else(|| page.description.take());
    }
    if meta.tags.is_empty()
        && let Some(keywords) = &page.keywords
    {
        meta.tags = keywords
            .split([',', '、', '，'])
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect();
    }
    if meta.featured.is_none()
        && let Some((reference, at)) = page.image.take()
        // The picture of a page is usually named by its full address: that says nothing about files here.
        && !crate::images::is_remote(&reference)
    {
        meta.featured = Some(At { value: reference, line: Some(line + at.saturating_sub(1)) });
    }
    let featured = featured(meta, location, context);
    let blocks =
        Converter::new(&page.dom, context, Setting::Page { first_line: line }).blocks_in(page.content);
    Ok((blocks, featured))
}

/// Finds the featured image: as the text names it, else by its name in the article's own folder.
fn featured(meta: &mut Meta, location: &Location, context: &mut Context) -> Option<usize> {
    if meta.featured.is_none() {
        meta.featured =
            location.featured.as_ref().map(|name| At { value: name.replace('%', "%25"), line: None });
    }
    if let Some(At { value: name, .. }) = &mut meta.featured
        // Exports from WordPress name the picture alone and put it into a folder.
        && !name.contains('/')
        && !context.images.holds(name)
        && let in_folder = format!("images/{name}")
        && context.images.holds(&in_folder)
    {
        *name = in_folder;
    }
    let At { value: reference, line } = meta.featured.as_ref()?;
    let described = Described {
        alt: meta.featured_alt.as_deref().unwrap_or_default(),
        title: "",
        caption: meta.featured_caption.as_deref().unwrap_or_default(),
    };
    match context.images.resolve(reference, described, *line, &mut context.findings) {
        Source::Local(index) => Some(index),
        Source::Remote(_) => {
            context.findings.add(FindingCode::FeaturedRemote, *line, &[("reference", reference)]);
            None
        }
        Source::Broken => None,
    }
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

impl Draft<'_> {
    fn finish(self, images: Vec<ArticleImage>) -> Article {
        let excerpt = self.meta.excerpt.unwrap_or_default();
        let mut digest = Fields::new();
        digest.field(self.title.as_bytes());
        digest.field(excerpt.as_bytes());
        digest.list(&self.meta.tags);
        digest.list(&self.meta.categories);
        // Nothing is added where there are none: what was sent before there were any has not changed.
        for (field, value) in &self.meta.custom_fields {
            digest.field(field.as_bytes());
            digest.field(value.as_bytes());
        }
        digest.field(&self.featured.map_or([0; 8], |index| (index as u64 + 1).to_be_bytes()));
        digest.field(self.body.as_bytes());
        for image in &images {
            digest.field(&image.digest);
            digest.field(image.alt.as_bytes());
            digest.field(image.title.as_bytes());
            digest.field(image.caption.as_bytes());
        }
        Article {
            title: self.title,
            slug: self.slug,
            excerpt,
            tags: self.meta.tags,
            categories: self.meta.categories,
            custom_fields: self.meta.custom_fields,
            featured: self.featured,
            images,
            source_digest: digest.finish(),
            length: self.body.len() + self.blocks.len() * 64,
            blocks: self.blocks,
        }
    }
}

/// A digest over fields that cannot run into each other.
struct Fields(Sha256);

impl Fields {
    fn new() -> Self {
        Self(Sha256::new_with_prefix(b"ichido-source-1"))
    }

    fn field(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    fn list(&mut self, names: &[String]) {
        self.0.update((names.len() as u64).to_be_bytes());
        names.iter().for_each(|name| self.field(name.as_bytes()));
    }

    fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
