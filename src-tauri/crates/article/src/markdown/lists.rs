//! Lists and footnotes.

use comrak::nodes::{ListType, NodeValue};

use super::{Node, Reader};
use crate::block::Block;
use crate::elements::ListBlock;
use crate::phrasing::Phrasing;

impl<'a> Reader<'_, '_> {
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
                        NodeValue::Paragraph if !after_list && !self.holds_html(part) => {}
                        _ => return false,
                    }
                }
            }
        }
        true
    }

    pub(super) fn list(&mut self, node: Node<'a>) -> Block {
        let (ordered, start) = match &node.data().value {
            NodeValue::List(list) => (list.list_type == ListType::Ordered, list.start),
            _ => (false, 1),
        };
        let start = Some(start as u64).filter(|&start| start != 1);
        let mut list = ListBlock::new(ordered, start, false, None);
        for item in node.children() {
            let mut text = Phrasing::new();
            if let NodeValue::TaskItem(task) = &item.data().value {
                text.plain(if task.symbol.is_some() { "☑ " } else { "☐ " });
            }
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

    /// The notes of a text as a list in the order of their numbers.
    pub(super) fn footnotes(&mut self, notes: &[Node<'a>]) -> Block {
        let mut list = ListBlock::new(true, None, false, None);
        for note in notes {
            let mut text = Phrasing::new();
            let mut paragraphs = 0;
            for part in note.children() {
                if matches!(part.data().value, NodeValue::Paragraph) {
                    self.joined(part, &mut paragraphs, &mut text);
                } else {
                    text.collapsed(&part.collect_text());
                }
            }
            list.item(text.finish(), Vec::new());
        }
        list.finish()
    }

    /// Adds a paragraph to text that can hold no paragraphs.
    fn joined(&mut self, paragraph: Node<'a>, count: &mut usize, text: &mut Phrasing) {
        if *count > 0 {
            text.line_break();
            text.line_break();
        }
        *count += 1;
        self.inlines(paragraph.children(), text);
    }
}
