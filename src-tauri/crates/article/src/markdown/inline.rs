//! Inline Markdown.

use comrak::nodes::NodeValue;

use super::{Node, Reader};
use crate::finding::FindingCode;
use crate::images::Described;
use crate::link;
use crate::phrasing::Phrasing;
use crate::picture::{self, Picture};

impl<'a> Reader<'_, '_> {
    pub(super) fn inlines(&mut self, nodes: impl Iterator<Item = Node<'a>>, out: &mut Phrasing) {
        for node in nodes {
            self.inline(node, out);
        }
    }

    fn inline(&mut self, node: Node<'a>, out: &mut Phrasing) {
        let element = match &node.data().value {
            NodeValue::Text(text) => {
                self.tell_lost_images(node, text);
                return out.plain(text);
            }
            NodeValue::SoftBreak => return out.line_end(),
            NodeValue::LineBreak => return out.line_break(),
            NodeValue::Code(code) => {
                out.open("code").end();
                out.plain(&code.literal);
                return out.close();
            }
            NodeValue::Image(_) => {
                let picture = self.picture(node);
                return picture::write(out.object(), &picture, false);
            }
            NodeValue::FootnoteReference(reference) => {
                out.open("sup").end();
                out.plain(&format!("[{}]", reference.ix));
                return out.close();
            }
            NodeValue::Link(link) => {
                let href = self.checked_link(node);
                let Some(href) = href else {
                    return self.inlines(node.children(), out);
                };
                let mut tag = out.open("a").attribute("href", &href);
                if !link.title.is_empty() {
                    tag = tag.attribute("title", &link.title);
                }
                tag.end();
                self.inlines(node.children(), out);
                return out.close();
            }
            NodeValue::Emph => Some("em"),
            NodeValue::Strong => Some("strong"),
            NodeValue::Strikethrough => Some("s"),
            _ => None,
        };
        if let Some(element) = element {
            out.open(element).end();
        }
        self.inlines(node.children(), out);
        if element.is_some() {
            out.close();
        }
    }

    /// The target of a link, as it may be written.
    pub(super) fn checked_link(&mut self, node: Node<'a>) -> Option<String> {
        let line = self.line(node);
        let data = node.data();
        let NodeValue::Link(link) = &data.value else { return None };
        link::checked(&link.url, Some(line), self.context).map(|url| url.replace(' ', "%20"))
    }

    /// A picture whose path holds a space, or a size as Zenn writes it, is no picture to Markdown: it
    /// would reach readers as text.
    fn tell_lost_images(&mut self, node: Node<'a>, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find("![") {
            rest = &rest[at..];
            let target = rest.find("](").filter(|to| !rest[..*to].contains('\n'));
            let end = target.and_then(|to| rest[to..].find(')').map(|end| to + end + 1));
            let Some(end) = end else { return };
            let line = self.line(node);
            self.context.findings.add(FindingCode::ImageNotRead, Some(line), &[("text", &rest[..end])]);
            rest = &rest[end..];
        }
    }

    /// The picture that an image node shows.
    pub(super) fn picture(&mut self, node: Node<'a>) -> Picture {
        let line = self.line(node);
        let alt = node.collect_text();
        let data = node.data();
        let (url, title) = match &data.value {
            NodeValue::Image(image) => (image.url.as_str(), image.title.as_str()),
            _ => ("", ""),
        };
        let context = &mut *self.context;
        let described = Described { alt: &alt, title, caption: "" };
        let source = context.images.resolve(url, described, Some(line), &mut context.findings);
        Picture { source, title: title.to_owned(), alt }
    }
}
