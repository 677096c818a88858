//! Blocks as a tree, and the one place where they become text.

use crate::compose::{ComposeError, Editor, PlacedImage};
use crate::kept::Kept;
use crate::table::Align;

/// One block of the block editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The name without the namespace of the core blocks.
    pub(crate) name: &'static str,
    pub(crate) attributes: Vec<(&'static str, Value)>,
    pub(crate) pieces: Vec<Piece>,
    /// The delimiter as the author wrote it, in place of name and attributes.
    pub(crate) kept: Option<Kept>,
}

/// The value of a block attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(u64),
    Flag(bool),
    /// The layout that groups have by default.
    Constrained,
    /// The alignment of text, in a style.
    TextAlign(Align),
    /// The site's id of the image with this index.
    ImageId(usize),
    /// The name of the size that the URL of this image shows.
    ImageSize(usize),
}

/// A part of a block's inner content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Markup(String),
    Block(Block),
    /// A block as it stands in an HTML block: its markup alone.
    Plain(Block),
    /// The mark of a reference to the note with this id, where notes are a block of their own.
    NoteMark(String),
    /// The URL of the image with this index, as an attribute's value.
    ImageUrl(usize),
    /// The id of the image with this index.
    ImageId(usize),
    /// The name of the size that the URL of this image shows.
    ImageSize(usize),
}

impl Block {
    pub(crate) fn new(name: &'static str, pieces: Vec<Piece>) -> Self {
        Self { name, attributes: Vec::new(), pieces, kept: None }
    }

    pub(crate) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.attributes.push((name, value));
        self
    }

    /// The block's own markup, without that of inner blocks and without what depends on the site.
    pub(crate) fn html(&self) -> String {
        let own = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Markup(markup) => Some(markup.as_str()),
            Piece::Block(_)
            | Piece::Plain(_)
            | Piece::NoteMark(_)
            | Piece::ImageUrl(_)
            | Piece::ImageId(_)
            | Piece::ImageSize(_) => None,
        });
        own.collect()
    }

    /// Whether this is a block of the name, or holds one.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.name == name
            || self.pieces.iter().any(|piece| match piece {
                Piece::Block(inner) => inner.holds(name),
                Piece::Plain(_)
                | Piece::Markup(_)
                | Piece::NoteMark(_)
                | Piece::ImageUrl(_)
                | Piece::ImageId(_)
                | Piece::ImageSize(_) => false,
            })
    }

    /// Whether a marker may stand in this block's delimiter, and whether it counts as content.
    pub(crate) fn is_break(&self) -> bool {
        let name = self.kept.as_ref().map_or(self.name, |kept| kept.name.as_str());
        matches!(name, "more" | "nextpage" | "core/more" | "core/nextpage")
    }
}

/// Writes blocks with the site's values in the slots.
pub(crate) struct Writer<'a> {
    images: &'a [PlacedImage],
    editor: Editor,
    pub(crate) out: String,
    /// Whether delimiters are written; the classic editor does without.
    delimited: bool,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(images: &'a [PlacedImage], editor: Editor, capacity: usize) -> Self {
        Self { images, editor, out: String::with_capacity(capacity), delimited: true }
    }

    /// Writes content that is no block.
    pub(crate) fn markup(mut self, pieces: &[Piece]) -> Result<String, ComposeError> {
        self.delimited = false;
        self.pieces(pieces)?;
        Ok(self.out)
    }

    /// Writes top-level blocks without delimiters, for the classic editor; there is no place for a marker.
    pub(crate) fn classic<'b>(
        mut self,
        blocks: impl IntoIterator<Item = &'b Block>,
    ) -> Result<String, ComposeError> {
        self.delimited = false;
        for (at, block) in blocks.into_iter().enumerate() {
            if at > 0 {
                self.out.push_str("\n\n");
            }
            self.pieces(&block.pieces)?;
        }
        Ok(self.out)
    }

    /// Writes top-level blocks; the marker goes into the first that is no break.
    pub(crate) fn document<'b>(
        mut self,
        blocks: impl IntoIterator<Item = &'b Block>,
        marker: Option<&str>,
    ) -> Result<String, ComposeError> {
        let mut marker = marker;
        for (at, block) in blocks.into_iter().enumerate() {
            if at > 0 {
                self.out.push_str("\n\n");
            }
            let own = if block.is_break() { None } else { marker.take() };
            self.block(block, own)?;
        }
        if marker.is_some() { Err(ComposeError::NoPlaceForMarker) } else { Ok(self.out) }
    }

    pub(crate) fn block(&mut self, block: &Block, marker: Option<&str>) -> Result<(), ComposeError> {
        if !self.delimited {
            return self.pieces(&block.pieces);
        }
        if let Some(kept) = &block.kept {
            return self.kept(kept, &block.pieces, marker);
        }
        // Sites before WordPress 6.3 have no such block; browsers know the elements all the same.
        let is_known = self.editor.details || block.name != "details";
        let (name, attributes) = if is_known { (block.name, &*block.attributes) } else { ("html", &[][..]) };
        self.out.push_str("<!-- wp:");
        self.out.push_str(name);
        if !attributes.is_empty() || marker.is_some() {
            self.out.push_str(" {");
            let mut first = true;
            for (name, value) in attributes {
                self.attribute_name(&mut first, name);
                match value {
                    Value::Text(text) => push_json_string(&mut self.out, text),
                    Value::Number(number) => self.out.push_str(&number.to_string()),
                    Value::Flag(flag) => self.out.push_str(if *flag { "true" } else { "false" }),
                    Value::Constrained => self.out.push_str("{\"type\":\"constrained\"}"),
                    Value::TextAlign(align) => {
                        let name = align.as_class_and_name().map_or("left", |(_, name)| name);
                        self.out.push_str("{\"typography\":{\"textAlign\":");
                        push_json_string(&mut self.out, name);
                        self.out.push_str("}}");
                    }
                    Value::ImageId(index) => {
                        let id = self.image(*index)?.id.to_string();
                        self.out.push_str(&id);
                    }
                    Value::ImageSize(index) => {
                        let size = self.image(*index)?.size_slug();
                        push_json_string(&mut self.out, size);
                    }
                }
            }
            if let Some(marker) = marker {
                self.attribute_name(&mut first, "ichido");
                push_json_string(&mut self.out, marker);
            }
            self.out.push('}');
        }
        if block.pieces.is_empty() {
            self.out.push_str(" /-->");
            return Ok(());
        }
        self.out.push_str(" -->\n");
        self.delimited = is_known;
        self.pieces(&block.pieces)?;
        self.delimited = true;
        self.out.push_str("\n<!-- /wp:");
        self.out.push_str(name);
        self.out.push_str(" -->");
        Ok(())
    }

    pub(crate) fn pieces(&mut self, pieces: &[Piece]) -> Result<(), ComposeError> {
        let mut after_block = false;
        for piece in pieces {
            let is_block = matches!(piece, Piece::Block(_) | Piece::Plain(_));
            if is_block && after_block {
                self.out.push_str("\n\n");
            }
            after_block = is_block;
            match piece {
                Piece::Markup(markup) => self.out.push_str(markup),
                Piece::Block(inner) => self.block(inner, None)?,
                Piece::Plain(inner) => {
                    let delimited = std::mem::replace(&mut self.delimited, false);
                    self.pieces(&inner.pieces)?;
                    self.delimited = delimited;
                }
                Piece::NoteMark(id) => {
                    if self.editor.footnotes {
                        self.out.push_str(" data-fn=\"");
                        push_attribute_value(&mut self.out, id);
                        self.out.push('"');
                    }
                }
                Piece::ImageUrl(index) => {
                    let url = &self.image(*index)?.url;
                    push_attribute_value(&mut self.out, url);
                }
                Piece::ImageId(index) => {
                    let id = self.image(*index)?.id.to_string();
                    self.out.push_str(&id);
                }
                Piece::ImageSize(index) => {
                    let size = self.image(*index)?.size_slug();
                    push_attribute_value(&mut self.out, size);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn attribute_name(&mut self, first: &mut bool, name: &str) {
        if !std::mem::take(first) {
            self.out.push(',');
        }
        push_json_string(&mut self.out, name);
        self.out.push(':');
    }

    pub(crate) fn image(&self, index: usize) -> Result<&'a PlacedImage, ComposeError> {
        self.images.get(index).ok_or(ComposeError::ImageNotPlaced { index })
    }
}

/// Writes a JSON string in the form that WordPress itself gives to block attributes.
pub(crate) fn push_json_string(out: &mut String, text: &str) {
    out.push('"');
    push_json_characters(out, text);
    out.push('"');
}

pub(crate) fn push_json_characters(out: &mut String, text: &str) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\u0022"),
            '\\' => out.push_str("\\u005c"),
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '-' if characters.next_if_eq(&'-').is_some() => out.push_str("\\u002d\\u002d"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{0}'..='\u{1f}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
}

/// Escapes text between tags, as browsers write it back. Quotation marks stay: the editor would turn them back.
pub(crate) fn push_text(out: &mut String, text: &str) {
    push_escaped(out, text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\u{a0}' => Some("&nbsp;"),
        _ => None,
    });
}

/// Escapes the value of an attribute that stands in double quotation marks.
pub(crate) fn push_attribute_value(out: &mut String, text: &str) {
    push_escaped(out, text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    });
}

fn push_escaped(out: &mut String, text: &str, escape: impl Fn(char) -> Option<&'static str>) {
    let mut from = 0;
    for (at, character) in text.char_indices() {
        if let Some(escaped) = escape(character) {
            out.push_str(&text[from..at]);
            out.push_str(escaped);
            from = at + character.len_utf8();
        }
    }
    out.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let mut out = String::new();
        push_json_string(&mut out, text);
        out
    }

    #[test]
    fn attributes_are_escaped_as_wordpress_escapes_them() {
        assert_eq!(json("a--b---c"), r#""a\u002d\u002db\u002d\u002d-c""#);
        assert_eq!(json("<a href=\"x\">&\\"), r#""\u003ca href=\u0022x\u0022\u003e\u0026\u005c""#);
        assert_eq!(json("続き\n\u{1}"), "\"続き\\n\\u0001\"");
        assert_eq!(serde_json::from_str::<String>(&json("--><!-- \"\\ 日本")).unwrap(), "--><!-- \"\\ 日本");
    }

    #[test]
    fn text_is_escaped_as_browsers_write_it_back() {
        let mut out = String::new();
        push_text(&mut out, "70\u{a0}°C & \"so\" <on>");
        assert_eq!(out, "70&nbsp;°C &amp; \"so\" &lt;on&gt;");
    }

    #[test]
    fn marker_goes_into_the_first_block_that_is_no_break() {
        let blocks = [
            Block::new("more", vec![Piece::Markup("<!--more-->".into())]),
            Block::new("paragraph", vec![Piece::Markup("<p>a</p>".into())]),
            Block::new("paragraph", vec![Piece::Markup("<p>b</p>".into())]),
        ];
        let text = Writer::new(&[], Editor::default(), 0).document(&blocks, Some("id-1")).unwrap();
        assert_eq!(
            text,
            "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n\
             <!-- wp:paragraph {\"ichido\":\"id-1\"} -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n\
             <!-- wp:paragraph -->\n<p>b</p>\n<!-- /wp:paragraph -->"
        );
        assert_eq!(
            Writer::new(&[], Editor::default(), 0).document(&blocks[..1], Some("id-1")),
            Err(ComposeError::NoPlaceForMarker)
        );
    }

    #[test]
    fn the_classic_editor_gets_the_markup_alone() {
        let item = Block::new("list-item", vec![Piece::Markup("<li>a</li>".into())]);
        let list = vec![Piece::Markup("<ul>".into()), Piece::Block(item), Piece::Markup("</ul>".into())];
        let blocks =
            [Block::new("list", list), Block::new("more", vec![Piece::Markup("<!--more-->".into())])];
        let text = Writer::new(&[], Editor::default(), 0).classic(&blocks).unwrap();
        assert_eq!(text, "<ul><li>a</li></ul>\n\n<!--more-->");
    }

    #[test]
    fn an_image_that_was_not_placed_is_an_error() {
        let blocks = [Block::new("html", vec![Piece::ImageUrl(0)])];
        assert_eq!(
            Writer::new(&[], Editor::default(), 0).document(&blocks, None),
            Err(ComposeError::ImageNotPlaced { index: 0 })
        );
    }
}
