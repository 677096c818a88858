//! Markup that is balanced because only elements can be opened and closed.

use std::borrow::Cow;

use crate::block::{Block, Piece, push_attribute_value, push_text};

/// Builds the inner content of a block. Elements that are open at the end are closed.
#[derive(Debug, Default, Clone)]
pub(crate) struct Markup {
    pieces: Vec<Piece>,
    buffer: String,
    open: Vec<Cow<'static, str>>,
}

/// The start of a tag whose attributes are being written.
pub(crate) struct Tag<'a> {
    markup: &'a mut Markup,
}

impl Markup {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Opens an element; its attributes follow on the answer.
    pub(crate) fn open(&mut self, name: impl Into<Cow<'static, str>>) -> Tag<'_> {
        let name = name.into();
        self.buffer.push('<');
        self.buffer.push_str(&name);
        self.open.push(name);
        Tag { markup: self }
    }

    /// Writes an element that has no content and no end tag.
    pub(crate) fn void(&mut self, name: &str) -> Tag<'_> {
        self.buffer.push('<');
        self.buffer.push_str(name);
        Tag { markup: self }
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.buffer.push_str("</");
            self.buffer.push_str(&name);
            self.buffer.push('>');
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        push_text(&mut self.buffer, text);
    }

    /// Writes what was escaped before, or needs none.
    pub(crate) fn verbatim(&mut self, markup: &str) {
        self.buffer.push_str(markup);
    }

    pub(crate) fn block(&mut self, block: Block) {
        self.flush();
        self.pieces.push(Piece::Block(block));
    }

    pub(crate) fn slot(&mut self, slot: Piece) {
        self.flush();
        self.pieces.push(slot);
    }

    /// Appends the pieces of another balanced markup.
    pub(crate) fn append(&mut self, mut other: Self) {
        other.close_all();
        if other.pieces.is_empty() {
            self.buffer.push_str(&other.buffer);
        } else {
            self.flush();
            self.pieces.append(&mut other.pieces);
            self.buffer = other.buffer;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.buffer.is_empty()
    }

    /// The markup as a text of HTML, where no part of it depends on the site.
    pub(crate) fn into_html(self) -> String {
        let pieces = self.finish();
        pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Markup(markup) => markup,
                Piece::Block(_)
                | Piece::Plain(_)
                | Piece::NoteMark(_)
                | Piece::ImageUrl(_)
                | Piece::ImageId(_)
                | Piece::ImageSize(_) => String::new(),
            })
            .collect()
    }

    /// Takes white space off the end.
    pub(crate) fn trim_end(&mut self) {
        self.buffer.truncate(self.buffer.trim_end_matches([' ', '\n', '\t']).len());
    }

    pub(crate) fn finish(mut self) -> Vec<Piece> {
        self.close_all();
        self.flush();
        self.pieces
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn flush(&mut self) {
        if !self.buffer.is_empty() {
            self.pieces.push(Piece::Markup(std::mem::take(&mut self.buffer)));
        }
    }
}

impl<'a> Tag<'a> {
    pub(crate) fn attribute(self, name: &str, value: &str) -> Self {
        let buffer = &mut self.markup.buffer;
        buffer.push(' ');
        buffer.push_str(name);
        buffer.push_str("=\"");
        push_attribute_value(buffer, value);
        buffer.push('"');
        self
    }

    /// Writes an attribute that says something by being there.
    pub(crate) fn flag(self, name: &str) -> Self {
        self.markup.buffer.push(' ');
        self.markup.buffer.push_str(name);
        self
    }

    /// Writes the mark of a reference to a note.
    pub(crate) fn note_mark(self, id: &str) -> Self {
        self.markup.slot(Piece::NoteMark(id.to_owned()));
        self
    }

    /// Writes an attribute whose value is made of fixed text and slots.
    pub(crate) fn attribute_of(self, name: &str, value: impl IntoIterator<Item = Piece>) -> Self {
        self.markup.buffer.push(' ');
        self.markup.buffer.push_str(name);
        self.markup.buffer.push_str("=\"");
        for piece in value {
            match piece {
                Piece::Markup(text) => push_attribute_value(&mut self.markup.buffer, &text),
                slot @ (Piece::ImageUrl(_) | Piece::ImageId(_) | Piece::ImageSize(_)) => {
                    self.markup.slot(slot)
                }
                Piece::Block(_) | Piece::Plain(_) | Piece::NoteMark(_) => {}
            }
        }
        self.markup.buffer.push('"');
        self
    }

    pub(crate) fn end(self) -> &'a mut Markup {
        self.markup.buffer.push('>');
        self.markup
    }

    /// Ends the tag in the self-closing form that blocks use for images and lines.
    pub(crate) fn end_void(self) -> &'a mut Markup {
        self.markup.buffer.push_str("/>");
        self.markup
    }
}
