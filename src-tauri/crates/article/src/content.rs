//! The blocks of a text, and the picture that stands for it.

use crate::block::Block;
use crate::context::Context;
use crate::discover::Location;
use crate::finding::FindingCode;
use crate::html::{self, Converter, Setting, TooComplex};
use crate::images::{self, Described, Source};
use crate::markdown::{self, Notes};
use crate::meta::{At, Meta};
use crate::options::{DescriptionIs, Options};

/// The text of an article.
pub(crate) struct Content {
    pub(crate) blocks: Vec<Block>,
    pub(crate) notes: Option<Notes>,
    /// The index of the featured image.
    pub(crate) featured: Option<usize>,
}

pub(crate) fn of_markdown(
    body: &str,
    line: u32,
    meta: &mut Meta,
    location: &Location,
    context: &mut Context,
) -> Result<Content, TooComplex> {
    let featured = featured(meta, location, context);
    let title = meta.title.as_ref().map(|title| title.value.as_str());
    let markdown = markdown::read(body, line, title, context)?;
    meta.title = meta.title.take().or(markdown.heading.map(|value| At { value, line: None }));
    Ok(Content { blocks: markdown.blocks, notes: markdown.notes, featured })
}

pub(crate) fn of_html(
    body: &str,
    line: u32,
    meta: &mut Meta,
    options: &Options,
    location: &Location,
    context: &mut Context,
) -> Result<Content, TooComplex> {
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
        && !images::is_remote(&reference)
    {
        meta.featured = Some(At { value: reference, line: Some(line + at.saturating_sub(1)) });
    }
    let featured = featured(meta, location, context);
    let blocks =
        Converter::new(&page.dom, context, Setting::Page { first_line: line }).blocks_in(page.content);
    Ok(Content { blocks, notes: None, featured })
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
