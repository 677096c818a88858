//! Lists.

use comrak::nodes::{ListType, NodeValue};

use super::{Node, Reader};
use crate::block::{Block, Piece};
use crate::elements::ListBlock;
use crate::html::TooComplex;
use crate::markup::Markup;
use crate::phrasing::Phrasing;

impl<'a> Reader<'_, '_, '_> {
    /// Whether a list can be list blocks: items of text, each perhaps followed by further such lists.
    pub(super) fn is_simple_list(&self, list: Node<'a>) -> bool {
        let mut waiting = vec![list];
        while let Some(list) = waiting.pop() {
            for item in list.children() {
                let mut after_list = false;
                for part in item.children() {
                    match &part.data().value {
                        NodeValue::List(_) => {
                            waiting.push(part);
                            after_list = true;
                        }
                        NodeValue::Paragraph if !after_list => {}
                        _ => return false,
                    }
                }
            }
        }
        true
    }

    pub(super) fn list(&mut self, node: Node<'a>) -> Block {
        let (ordered, start) = kind(node);
        let mut list = ListBlock::new(ordered, start, false, None);
        for item in node.children() {
            let mut text = Phrasing::new();
            text.plain(task(item));
            text.gap();
            let mut inner = Vec::new();
            let mut paragraphs = 0;
            for part in item.children() {
                if matches!(part.data().value, NodeValue::List(_)) {
                    inner.push(self.list(part));
                } else {
                    self.joined(part, &mut paragraphs, &mut text);
                }
            }
            list.item(text.finish(), inner);
        }
        list.finish()
    }

    /// Adds a paragraph to text that can hold no paragraphs.
    pub(super) fn joined(&mut self, paragraph: Node<'a>, count: &mut usize, text: &mut Phrasing) {
        if *count > 0 {
            text.line_break();
            text.line_break();
        }
        *count += 1;
        self.inlines(paragraph.children(), text);
    }

    /// A list that holds more than list blocks can: as an HTML block, with the markup that blocks have.
    pub(super) fn list_as_html(&mut self, node: Node<'a>) -> Result<Block, TooComplex> {
        let mut markup = Markup::new();
        self.write_list(node, &mut markup)?;
        Ok(Block::new("html", markup.finish()))
    }

    fn write_list(&mut self, node: Node<'a>, markup: &mut Markup) -> Result<(), TooComplex> {
        let (ordered, start) = kind(node);
        let is_tight = matches!(&node.data().value, NodeValue::List(list) if list.tight);
        let tag = markup.open(if ordered { "ol" } else { "ul" });
        match start {
            Some(start) => tag.attribute("start", &start.to_string()).end(),
            None => tag.end(),
        };
        for item in node.children() {
            markup.verbatim("\n");
            markup.open("li").end();
            self.write_item(item, is_tight, markup)?;
            markup.close();
        }
        markup.verbatim("\n");
        markup.close();
        Ok(())
    }

    fn write_item(&mut self, item: Node<'a>, is_tight: bool, markup: &mut Markup) -> Result<(), TooComplex> {
        let task = task(item);
        // HTML may begin in one part and end in another.
        if item.children().any(|part| matches!(part.data().value, NodeValue::HtmlBlock(_))) {
            markup.text(task);
            for block in self.blocks(item)? {
                markup.slot(Piece::Plain(block));
            }
            return Ok(());
        }
        let mut task = task;
        for (at, part) in item.children().enumerate() {
            if at > 0 {
                markup.verbatim("\n");
            }
            match &part.data().value {
                NodeValue::List(_) => self.write_list(part, markup)?,
                NodeValue::Paragraph if (is_tight || !task.is_empty()) && !self.holds_html(part) => {
                    let mut text = Phrasing::new();
                    text.plain(std::mem::take(&mut task));
                    text.gap();
                    self.inlines(part.children(), &mut text);
                    markup.append(text.finish());
                }
                _ => {
                    markup.text(std::mem::take(&mut task));
                    let mut blocks = Vec::new();
                    self.block(part, &mut blocks)?;
                    blocks.into_iter().for_each(|block| markup.slot(Piece::Plain(block)));
                }
            }
        }
        Ok(())
    }
}

/// Whether a list is numbered, and where the numbers start if not at one.
fn kind(list: Node<'_>) -> (bool, Option<u64>) {
    match &list.data().value {
        NodeValue::List(list) => {
            let ordered = list.list_type == ListType::Ordered;
            (ordered, Some(list.start as u64).filter(|&start| ordered && start != 1))
        }
        _ => (false, None),
    }
}

/// The sign of a task.
fn task(item: Node<'_>) -> &'static str {
    match &item.data().value {
        NodeValue::TaskItem(task) if task.symbol.is_some() => "☑ ",
        NodeValue::TaskItem(_) => "☐ ",
        _ => "",
    }
}
