//! What is no part of HTML is written before a text takes the way through HTML.

use comrak::nodes::{NodeLink, NodeValue};

use super::inline::is_picture;
use super::{Node, Reader};
use crate::phrasing::Phrasing;

impl<'a> Reader<'_, '_, '_> {
    /// Puts markup in the place of all that the writer of HTML does not know, or would write otherwise.
    pub(super) fn lower(&mut self, top: Node<'a>) {
        let nodes: Vec<Node<'a>> = top.descendants().collect();
        for node in nodes {
            let written = match &node.data().value {
                NodeValue::Text(text) if !self.is_special_text(text) => continue,
                NodeValue::Text(_)
                | NodeValue::Math(_)
                | NodeValue::CommentInline(_)
                | NodeValue::FootnoteReference(_) => None,
                NodeValue::WikiLink(link) if link.embed && is_picture(&link.url) => Some(link.url.clone()),
                NodeValue::WikiLink(_) => None,
                _ => continue,
            };
            if matches!(node.data().value, NodeValue::FootnoteReference(_)) {
                self.notes.forget_marks();
            }
            let value = match written {
                None => {
                    let mut text = Phrasing::new();
                    self.inline(node, &mut text);
                    NodeValue::Raw(text.finish().into_html())
                }
                Some(name) => {
                    let (url, alt) = self.embedded(node, &name);
                    node.data_mut().value =
                        NodeValue::Image(Box::new(NodeLink { url, title: String::new() }));
                    let children: Vec<Node<'a>> = node.children().collect();
                    for child in &children {
                        child.detach();
                    }
                    if let (Some(child), false) = (children.first(), alt.is_empty()) {
                        child.data_mut().value = NodeValue::Text(alt.into());
                        node.append(child);
                    }
                    continue;
                }
            };
            for child in node.children().collect::<Vec<_>>() {
                child.detach();
            }
            node.data_mut().value = value;
        }
    }
}
