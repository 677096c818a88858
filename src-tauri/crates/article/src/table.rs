//! Table blocks.

use crate::block::{Block, Value};
use crate::markup::Markup;

/// How a cell's text is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    None,
    Left,
    Center,
    Right,
}

impl Align {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "" | "start" => Some(Self::None),
            "left" => Some(Self::Left),
            "center" => Some(Self::Center),
            "right" => Some(Self::Right),
            _ => None,
        }
    }

    pub(crate) fn as_class_and_name(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::None => None,
            Self::Left => Some(("has-text-align-left", "left")),
            Self::Center => Some(("has-text-align-center", "center")),
            Self::Right => Some(("has-text-align-right", "right")),
        }
    }
}

/// A table block under way.
pub(crate) struct TableBlock {
    block: Block,
    markup: Markup,
}

impl TableBlock {
    pub(crate) fn new(class_name: Option<String>) -> Self {
        // Written always: the default differs between WordPress versions.
        let mut block = Block::new("table", Vec::new()).with("hasFixedLayout", Value::Flag(false));
        let mut markup = Markup::new();
        let class = class_name.as_ref().map(|class_name| format!("wp-block-table {class_name}"));
        markup.open("figure").attribute("class", class.as_deref().unwrap_or("wp-block-table")).end();
        markup.open("table").end();
        if let Some(class_name) = class_name {
            block = block.with("className", Value::Text(class_name));
        }
        Self { block, markup }
    }

    pub(crate) fn open_section(&mut self, name: &'static str) {
        self.markup.open(name).end();
    }

    pub(crate) fn close_section(&mut self) {
        self.markup.close();
    }

    pub(crate) fn open_row(&mut self) {
        self.markup.open("tr").end();
    }

    pub(crate) fn close_row(&mut self) {
        self.markup.close();
    }

    pub(crate) fn cell(&mut self, is_heading: bool, align: Align, text: Markup) {
        let tag = self.markup.open(if is_heading { "th" } else { "td" });
        match align.as_class_and_name() {
            Some((class, name)) => tag.attribute("class", class).attribute("data-align", name).end(),
            None => tag.end(),
        };
        self.markup.append(text);
        self.markup.close();
    }

    pub(crate) fn finish(mut self, caption: Option<Markup>) -> Block {
        self.markup.close();
        if let Some(caption) = caption.filter(|caption| !caption.is_empty()) {
            self.markup.open("figcaption").attribute("class", "wp-element-caption").end();
            self.markup.append(caption);
            self.markup.close();
        }
        self.block.pieces = self.markup.finish();
        self.block
    }
}
