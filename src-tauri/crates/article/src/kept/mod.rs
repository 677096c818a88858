//! Block markup that an article holds already: kept as it stands, but for what leads to local files.

mod grammar;
mod references;
mod writer;

use crate::block::{Block, Piece};
use crate::context::Context;
use crate::finding::FindingCode;
use crate::html;
use grammar::{Delimited, Found, Part};

/// The delimiter of a block as its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: String,
    /// The JSON object of the attributes in pieces, none if there is no object.
    pub(crate) attributes: Vec<Attributes>,
    /// Whether one delimiter is all of it.
    pub(crate) is_void: bool,
}

/// A piece of the attributes of a kept block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Attributes {
    Json(String),
    /// The site's id of the image with this index.
    ImageId(usize),
    /// The URL of the image with this index, within a string.
    ImageUrl(usize),
}

/// A part of a text that holds block markup.
#[derive(Debug)]
pub(crate) enum Stretch<'t> {
    Block(Block),
    /// HTML between blocks, with its line in the text, from 0.
    Html(&'t str, u32),
}

/// Reads the block markup of a text that starts at `first_line` of its file; nothing where it holds none that fits
/// together.
pub(crate) fn read<'t>(text: &'t str, first_line: u32, context: &mut Context) -> Option<Vec<Stretch<'t>>> {
    let line_of = |at: usize| u32::try_from(text[..at].matches('\n').count()).unwrap_or(u32::MAX);
    let parts = match grammar::read(text) {
        Found::None => return None,
        Found::Unpaired { name, at } => {
            let line = first_line.saturating_add(line_of(at));
            context.findings.add(FindingCode::BlockUnpaired, Some(line), &[("block", name)]);
            return None;
        }
        Found::Blocks(parts) => parts,
    };
    let mut reader = Reader { text, first_line, context };
    Some(
        parts
            .into_iter()
            .map(|part| match part {
                Part::Html(html) => Stretch::Html(html, reader.lines_before(html)),
                Part::Block(delimited) => Stretch::Block(reader.block(delimited)),
            })
            .collect(),
    )
}

struct Reader<'t, 'c> {
    text: &'t str,
    first_line: u32,
    context: &'c mut Context,
}

impl Reader<'_, '_> {
    /// The line ends before a part of the text.
    fn lines_before(&self, part: &str) -> u32 {
        let at = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..at).unwrap_or_default();
        u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX)
    }

    fn block(&mut self, delimited: Delimited<'_>) -> Block {
        let Delimited { name, attributes, is_void, parts } = delimited;
        let mut pieces = Vec::with_capacity(parts.len());
        let mut image = None;
        for part in parts {
            match part {
                Part::Html(html) => {
                    let line = self.first_line.saturating_add(self.lines_before(html));
                    let local = references::pieces(html, line, self.context, &mut pieces);
                    image = image.or(local);
                }
                Part::Block(inner) => pieces.push(Piece::Block(self.block(inner))),
            }
        }
        let line = self.first_line.saturating_add(self.lines_before(name));
        let attributes = references::attributes(attributes, image, line, self.context);
        Block { kept: Some(Kept { name: name.to_owned(), attributes, is_void }), ..Block::new("", pieces) }
    }
}

impl Block {
    /// The text of a kept block that is a main heading.
    pub(crate) fn heading_text(&self) -> Option<String> {
        let kept =
            self.kept.as_ref().filter(|kept| matches!(kept.name.as_str(), "heading" | "core/heading"))?;
        let json = kept.attributes.iter().map(|piece| match piece {
            Attributes::Json(json) => json.as_str(),
            Attributes::ImageId(_) | Attributes::ImageUrl(_) => "0",
        });
        let json: serde_json::Value = serde_json::from_str(&json.collect::<String>()).ok()?;
        if json.get("level").and_then(serde_json::Value::as_u64) != Some(1) {
            return None;
        }
        let markup = self.pieces.iter().map(|piece| match piece {
            Piece::Markup(markup) => markup.as_str(),
            Piece::Block(_)
            | Piece::Plain(_)
            | Piece::NoteMark(_)
            | Piece::ImageUrl(_)
            | Piece::ImageId(_)
            | Piece::ImageSize(_) => "",
        });
        let dom = html::fragment(&markup.collect::<String>()).ok()?;
        html::one_line(&dom.all_text(html::Dom::root()))
    }
}
