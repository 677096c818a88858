//! Inline Markdown.

use comrak::nodes::{NodeMath, NodeValue};

use super::{Node, Reader, template};
use crate::finding::FindingCode;
use crate::images::Described;
use crate::link;
use crate::markup::Markup;
use crate::phrasing::Phrasing;
use crate::picture::{self, Picture};
use crate::places;

impl<'a> Reader<'_, '_, '_> {
    pub(super) fn inlines(&mut self, nodes: impl Iterator<Item = Node<'a>>, out: &mut Phrasing) {
        for node in nodes {
            self.inline(node, out);
        }
    }

    pub(super) fn inline(&mut self, node: Node<'a>, out: &mut Phrasing) {
        let element = match &node.data().value {
            NodeValue::Text(text) => return self.text(node, text, out),
            NodeValue::SoftBreak if self.context.marks.line_breaks => return out.line_break(),
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
            NodeValue::Math(math) => {
                let mut formula = Markup::new();
                self.math(node, &as_written(math), &mut formula);
                return out.formula(formula);
            }
            NodeValue::WikiLink(link) => return self.wikilink(node, &link.url, link.embed, out),
            NodeValue::CommentInline(comment) => {
                out.gap();
                return self.comment(node, &comment.literal);
            }
            NodeValue::FootnoteReference(reference) => return self.note_reference(reference, out),
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
            NodeValue::Highlight => Some("mark"),
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
        if let Some(file) = template::linked_file(&link.url) {
            self.context.findings.add(FindingCode::LinkToFile, Some(line), &[("link", &file)]);
            return None;
        }
        let url = places::without_template(&link.url);
        link::checked(url, Some(line), self.context).map(|url| url.replace(' ', "%20"))
    }

    /// The picture that an image or an embedded file shows.
    pub(super) fn picture(&mut self, node: Node<'a>) -> Picture {
        let line = self.line(node);
        let (url, title, alt) = match &node.data().value {
            NodeValue::Image(image) => (image.url.clone(), image.title.clone(), self.text_of(node)),
            NodeValue::WikiLink(link) => {
                let (url, alt) = self.embedded(node, &link.url);
                (url, String::new(), alt)
            }
            _ => (String::new(), String::new(), String::new()),
        };
        let context = &mut *self.context;
        let described = Described { alt: &alt, title: &title, caption: "" };
        let source = context.images.resolve(&url, described, Some(line), &mut context.findings);
        Picture { source, title, alt }
    }

    /// The reference of an embedded picture and the text that stands for it; a size is none.
    pub(super) fn embedded(&mut self, node: Node<'a>, name: &str) -> (String, String) {
        // The name of a file, in which nothing is escaped.
        let url = name.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
        let label = self.text_of(node);
        if label == name {
            return (url, String::new());
        }
        let is_size = !label.is_empty() && label.chars().all(|c| c.is_ascii_digit() || c == 'x');
        if is_size {
            let line = self.line(node);
            self.context.findings.add(FindingCode::AttributesUnused, Some(line), &[("text", &label)]);
            return (url, String::new());
        }
        (url, label)
    }

    /// A link between notes. Where the other note will be read is not known: the text stays.
    fn wikilink(&mut self, node: Node<'a>, target: &str, is_embedded: bool, out: &mut Phrasing) {
        if is_embedded && is_picture(target) {
            let picture = self.picture(node);
            return picture::write(out.object(), &picture, false);
        }
        let line = self.line(node);
        let label = self.text_of(node);
        if crate::images::is_remote(target) {
            if let Some(href) = link::checked(target, Some(line), self.context) {
                out.open("a").attribute("href", href).end();
                out.plain(&label);
                out.close();
                return;
            }
        } else if let Some(heading) = target.strip_prefix('#').filter(|heading| !heading.starts_with('^')) {
            // Headings get the names by which links call them.
            let href = format!("#{}", heading.split_whitespace().collect::<Vec<_>>().join("-"));
            if let Some(href) = link::checked(&href, Some(line), self.context) {
                out.open("a").attribute("href", href).end();
                out.plain(if label == target { heading } else { &label });
                out.close();
                return;
            }
        } else if is_embedded {
            self.context.findings.add(FindingCode::NoteEmbedded, Some(line), &[("reference", target)]);
        } else {
            self.context.findings.add(FindingCode::WikilinkUnlinked, Some(line), &[("link", target)]);
        }
        if label != target {
            return out.plain(&label);
        }
        let shown = target.split("#^").next().unwrap_or_default();
        out.plain(&shown.trim_start_matches('#').replace('#', " > "));
    }
}

/// Whether a name is that of a picture.
pub(super) fn is_picture(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let known = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "heic", "tif", "tiff"];
    extension.is_some_and(|extension| known.contains(&&*extension))
}

fn as_written(math: &NodeMath) -> String {
    match (math.dollar_math, math.display_math) {
        (true, true) => format!("$${}$$", math.literal),
        (true, false) => format!("${}$", math.literal),
        (false, _) => format!("$`{}`$", math.literal),
    }
}
