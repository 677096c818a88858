//! Pictures in blocks: the one place that writes the id of an image into markup and attributes.

use crate::block::{Block, Piece, Value};
use crate::images::Source;
use crate::markup::Markup;

/// A picture as the text uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) source: Source,
    pub(crate) alt: String,
    pub(crate) title: String,
}

/// Writes the `img` element. Width, height and the like are left to WordPress: blocks with them are invalid.
pub(crate) fn write(markup: &mut Markup, picture: &Picture, in_block: bool) {
    let tag = match &picture.source {
        Source::Local(index) => markup
            .void("img")
            .attribute_of("src", [Piece::ImageUrl(*index)])
            .attribute("alt", &picture.alt)
            .attribute_of("class", [Piece::Markup("wp-image-".to_owned()), Piece::ImageId(*index)]),
        Source::Remote(url) => markup.void("img").attribute("src", url).attribute("alt", &picture.alt),
        Source::Broken => return,
    };
    let tag = if picture.title.is_empty() { tag } else { tag.attribute("title", &picture.title) };
    if in_block {
        tag.end_void()
    } else {
        tag.end()
    };
}

/// Makes an image block, linked and with a caption where given.
pub(crate) fn block(
    picture: &Picture,
    link: Option<&str>,
    caption: Option<Markup>,
    class_name: Option<String>,
) -> Option<Block> {
    let mut block = Block::new("image", Vec::new());
    let mut class = vec![Piece::Markup("wp-block-image".to_owned())];
    match &picture.source {
        Source::Local(index) => {
            block = block.with("id", Value::ImageId(*index)).with("sizeSlug", Value::ImageSize(*index));
            class.push(Piece::Markup(" size-".to_owned()));
            class.push(Piece::ImageSize(*index));
        }
        Source::Remote(_) => {}
        Source::Broken => return None,
    }
    let destination = if link.is_some() { Some("custom") } else { block.attributes.first().map(|_| "none") };
    if let Some(destination) = destination {
        block = block.with("linkDestination", Value::Text(destination.to_owned()));
    }
    if let Some(class_name) = class_name {
        class.push(Piece::Markup(format!(" {class_name}")));
        block = block.with("className", Value::Text(class_name));
    }
    let mut markup = Markup::new();
    markup.open("figure").attribute_of("class", class).end();
    if let Some(link) = link {
        markup.open("a").attribute("href", link).end();
    }
    write(&mut markup, picture, true);
    if link.is_some() {
        markup.close();
    }
    if let Some(caption) = caption.filter(|caption| !caption.is_empty()) {
        markup.open("figcaption").attribute("class", "wp-element-caption").end();
        markup.append(caption);
        markup.close();
    }
    block.pieces = markup.finish();
    Some(block)
}

/// Makes a gallery of image blocks; nothing of none.
pub(crate) fn gallery(images: Vec<Block>, caption: Option<Markup>) -> Option<Block> {
    if images.is_empty() {
        return None;
    }
    let mut markup = Markup::new();
    let class = "wp-block-gallery has-nested-images columns-default is-cropped";
    markup.open("figure").attribute("class", class).end();
    images.into_iter().for_each(|image| markup.block(image));
    if let Some(caption) = caption.filter(|caption| !caption.is_empty()) {
        let class = "blocks-gallery-caption wp-element-caption";
        markup.open("figcaption").attribute("class", class).end();
        markup.append(caption);
        markup.close();
    }
    let block = Block::new("gallery", markup.finish());
    Some(block.with("linkTo", Value::Text("none".to_owned())))
}
