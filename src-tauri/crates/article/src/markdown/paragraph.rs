//! Paragraphs: text, and lines that are more than text: pictures, addresses, and what services embed.

use comrak::nodes::NodeValue;

use super::inline::is_picture;
use super::source::Held;
use super::{Node, Reader, is_line_end};
use crate::block::Block;
use crate::elements::paragraph_block;
use crate::embed;
use crate::finding::FindingCode;
use crate::images::{Source, is_remote};
use crate::link;
use crate::markup::Markup;
use crate::options::BareUrls;
use crate::phrasing::Phrasing;
use crate::picture;

/// What a line of a paragraph is.
enum Line<'a> {
    Text,
    /// Pictures, each with its link.
    Pictures(Vec<(Node<'a>, Option<Node<'a>>)>),
    /// An address and nothing else.
    Address(String),
    /// `@[service](target)`.
    Service(String, String),
    /// A formula or a tag of a template.
    Held(Held),
}

impl<'a> Reader<'_, '_, '_> {
    pub(super) fn paragraph(&mut self, node: Node<'a>, out: &mut Vec<Block>) {
        let children: Vec<Node<'a>> = node.children().collect();
        let lines: Vec<&[Node<'a>]> = children.split_inclusive(|node| is_line_end(node)).collect();
        let mut text: Vec<Node<'a>> = Vec::new();
        let mut lines = lines.into_iter().peekable();
        while let Some(line) = lines.next() {
            let shown = without_end(line);
            match self.line_kind(shown) {
                Line::Text => text.extend_from_slice(line),
                Line::Pictures(pictures) => {
                    self.text_paragraph(&mut text, out);
                    let caption = lines.next_if(|next| lone_emphasis(without_end(next)).is_some());
                    let caption = caption.and_then(|line| lone_emphasis(without_end(line)));
                    self.pictures(shown, &pictures, caption, out);
                }
                Line::Address(url) => {
                    self.text_paragraph(&mut text, out);
                    self.address(shown[0], &url, out);
                }
                Line::Held(held) => {
                    self.text_paragraph(&mut text, out);
                    self.held_block(shown[0], &held, out);
                }
                Line::Service(service, target) => {
                    self.text_paragraph(&mut text, out);
                    self.service(shown[0], &service, &target, out);
                }
            }
        }
        self.text_paragraph(&mut text, out);
    }

    fn text_paragraph(&mut self, nodes: &mut Vec<Node<'a>>, out: &mut Vec<Block>) {
        while nodes.pop_if(|node| is_line_end(node)).is_some() {}
        if nodes.is_empty() {
            return;
        }
        let mut text = Phrasing::new();
        self.inlines(nodes.drain(..), &mut text);
        let text = text.finish();
        if !text.is_empty() {
            out.push(paragraph_block(text, None));
        }
    }

    fn line_kind(&self, line: &[Node<'a>]) -> Line<'a> {
        if let Some(pictures) = lone_pictures(line) {
            return Line::Pictures(pictures);
        }
        match line {
            [only] => match &only.data().value {
                NodeValue::Link(link)
                    if is_remote(&link.url)
                        && link.title.is_empty()
                        && self.text_of(only) == link.url
                        // An address in brackets of any kind was made a link on purpose.
                        && !self.written(only).starts_with(['<', '[']) =>
                {
                    Line::Address(link.url.clone())
                }
                NodeValue::Text(text) => match self.source.only(text) {
                    Some(held) => Line::Held(held.clone()),
                    None => Line::Text,
                },
                _ => Line::Text,
            },
            [at, target] => match (&at.data().value, &target.data().value) {
                (NodeValue::Text(text), NodeValue::Link(link)) if text.trim() == "@" => {
                    Line::Service(self.text_of(target), link.url.clone())
                }
                _ => Line::Text,
            },
            _ => Line::Text,
        }
    }

    fn pictures(
        &mut self,
        line: &[Node<'a>],
        pictures: &[(Node<'a>, Option<Node<'a>>)],
        caption: Option<Node<'a>>,
        out: &mut Vec<Block>,
    ) {
        let caption = caption.map(|emphasis| {
            let mut text = Phrasing::new();
            self.inlines(emphasis.children(), &mut text);
            text.finish()
        });
        let mut found: Vec<_> = pictures
            .iter()
            .map(|&(image, link)| {
                let link = link.and_then(|link| self.checked_link(link));
                (self.picture(image), link)
            })
            .collect();
        let is_remote = found.iter().any(|(picture, _)| matches!(picture.source, Source::Remote(_)));
        if found.len() > 1 && is_remote {
            // Badges and the like: they stand in a row.
            let mut text = Phrasing::new();
            self.inlines(line.iter().copied(), &mut text);
            out.push(paragraph_block(text.finish(), None));
            out.extend(caption.map(|caption| paragraph_block(caption, None)));
            return;
        }
        let is_gallery = found.len() > 1;
        let (mut own, caption) = if is_gallery { (None, caption) } else { (caption, None) };
        let mut blocks: Vec<Block> = Vec::new();
        for (picture, link) in &mut found {
            let title = std::mem::take(&mut picture.title);
            let caption = own.take().or_else(|| {
                let mut text = Markup::new();
                text.text(&title);
                Some(text)
            });
            blocks.extend(picture::block(picture, link.as_deref(), caption, None));
        }
        if is_gallery {
            out.extend(picture::gallery(blocks, caption));
        } else {
            out.append(&mut blocks);
        }
    }

    /// An address on a line of its own.
    fn address(&mut self, node: Node<'a>, url: &str, out: &mut Vec<Block>) {
        let line = self.line(node);
        let Some(url) = link::checked(url, Some(line), self.context).map(str::to_owned) else { return };
        let mut text = Markup::new();
        match self.context.marks.bare_urls {
            BareUrls::Embed => {
                if let Some(embed) = embed::block(&url) {
                    out.push(embed);
                    return;
                }
                text.text(&url);
            }
            BareUrls::Line => text.text(&url),
            BareUrls::Link => {
                text.open("a").attribute("href", &url).end().text(&url);
                text.close();
            }
        }
        out.push(paragraph_block(text, None));
    }

    /// What Zenn embeds by the name of a service.
    fn service(&mut self, node: Node<'a>, service: &str, target: &str, out: &mut Vec<Block>) {
        let is_id = !target.is_empty()
            && target.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        let url = match service {
            "youtube" if is_id => format!("https://www.youtube.com/watch?v={target}"),
            "vimeo" if is_id => format!("https://vimeo.com/{target}"),
            _ => target.to_owned(),
        };
        if service == "card" && is_remote(&url) {
            return self.address(node, &url, out);
        }
        if let Some(embed) = embed::block(&url) {
            out.push(embed);
            return;
        }
        let line = self.line(node);
        let params = [("service", service), ("target", target)];
        self.context.findings.add(FindingCode::EmbedUnknown, Some(line), &params);
        let mut text = Markup::new();
        if is_remote(&url) {
            text.open("a").attribute("href", &url).end().text(&url);
            text.close();
        } else {
            text.text(&format!("@[{service}]({target})"));
        }
        out.push(paragraph_block(text, None));
    }
}

fn without_end<'l, 'a>(line: &'l [Node<'a>]) -> &'l [Node<'a>] {
    match line.split_last() {
        Some((last, before)) if is_line_end(last) => before,
        _ => line,
    }
}

/// The emphasis of a line that holds nothing else.
fn lone_emphasis<'a>(line: &[Node<'a>]) -> Option<Node<'a>> {
    let mut shown = line.iter().copied().filter(|node| !is_blank(node));
    let only = shown.next().filter(|_| shown.next().is_none())?;
    matches!(only.data().value, NodeValue::Emph).then_some(only)
}

fn is_blank(node: Node<'_>) -> bool {
    matches!(&node.data().value, NodeValue::Text(text) if text.trim().is_empty())
}

/// The pictures of a line, each with its link, where the line holds nothing else.
fn lone_pictures<'a>(line: &[Node<'a>]) -> Option<Vec<(Node<'a>, Option<Node<'a>>)>> {
    let mut found = Vec::new();
    for &node in line {
        match &node.data().value {
            NodeValue::Image(_) => found.push((node, None)),
            NodeValue::WikiLink(link) if link.embed && is_picture(&link.url) => found.push((node, None)),
            NodeValue::Link(_) => {
                let only = node.first_child().filter(|first| first.next_sibling().is_none())?;
                if !matches!(only.data().value, NodeValue::Image(_)) {
                    return None;
                }
                found.push((only, Some(node)));
            }
            NodeValue::Text(text) if text.trim().is_empty() => {}
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}
