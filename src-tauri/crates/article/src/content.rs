//! The blocks of a text, and the picture that stands for it.

use crate::block::Block;
use crate::context::Context;
use crate::discover::Location;
use crate::finding::FindingCode;
use crate::html::{self, Converter, Dom, Setting, TooComplex};
use crate::images::{self, Described, Source};
use crate::kept::{self, Stretch};
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
    let heading = match &meta.title {
        None => page.take_heading(),
        Some(title) => html::take_heading_if(&mut page.dom, page.content, &title.value),
    };
    if meta.title.is_none() {
        let title = heading.clone().or_else(|| page.title.take());
        meta.title = title.map(|value| At { value, line: None });
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
    // Block markup is read as text: what is its article must be the same there.
    let (part, lines) =
        html::main_part(body).filter(|_| page.beside_is_outside_of_main_part(body)).unwrap_or((body, 0));
    let kept = kept_blocks(part, line.saturating_add(lines), heading.as_deref(), context)?;
    if kept.is_none() || part.len() < body.len() {
        for (text, at) in &page.beside {
            let line = line.saturating_add(at.saturating_sub(1));
            context.findings.add(FindingCode::PagePartUnused, Some(line), &[("text", text)]);
        }
    }
    let blocks = match kept {
        Some(blocks) => blocks,
        None => {
            Converter::new(&page.dom, context, Setting::Page { first_line: line }).blocks_in(page.content)
        }
    };
    Ok(Content { blocks, notes: None, featured })
}

/// The blocks of a text that holds block markup, without the heading that became the title.
fn kept_blocks(
    text: &str,
    line: u32,
    mut heading: Option<&str>,
    context: &mut Context,
) -> Result<Option<Vec<Block>>, TooComplex> {
    let Some(stretches) = kept::read(text, line, context) else { return Ok(None) };
    let mut blocks = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        match stretch {
            Stretch::Block(block) => {
                if heading.is_some() && block.heading_text() == heading.map(str::to_owned) {
                    heading = None;
                } else {
                    blocks.push(block);
                }
            }
            Stretch::Html(html, lines) => {
                let mut dom = html::fragment(html)?;
                if html::take_heading_if(&mut dom, Dom::root(), heading.unwrap_or_default()).is_some() {
                    heading = None;
                }
                let setting = Setting::Page { first_line: line.saturating_add(lines) };
                blocks.extend(Converter::new(&dom, context, setting).blocks_in(Dom::root()));
            }
        }
    }
    Ok(Some(blocks))
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
