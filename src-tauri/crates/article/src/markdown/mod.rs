//! Markdown turned into blocks from its syntax tree.
//!
//! What holds raw HTML takes the way through an HTML tree, so that unclosed or crossed tags cannot
//! reach a block.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "comrak's tree grows with its extensions; what is not named here takes the way through HTML"
)]

mod inline;
mod lists;

use comrak::nodes::{AstNode, NodeValue, TableAlignment};
use comrak::{Arena, Options};

use crate::block::Block;
use crate::code;
use crate::context::Context;
use crate::elements::{heading_block, paragraph_block, quote_block, separator_block};
use crate::html::{self, Converter, Setting, TooComplex};
use crate::phrasing::Phrasing;
use crate::picture;
use crate::table::{Align, TableBlock};

/// Deeper trees are no articles; walking them would use up the stack.
const MAX_DEPTH: usize = 120;
const MAX_NODES: usize = 400_000;

pub(crate) type Node<'a> = &'a AstNode<'a>;

/// A Markdown text as blocks.
#[derive(Debug)]
pub(crate) struct Markdown {
    pub(crate) blocks: Vec<Block>,
    /// The first main heading, taken out of the text because it is the title.
    pub(crate) heading: Option<String>,
}

struct Reader<'c, 'o> {
    context: &'c mut Context,
    options: &'o Options<'o>,
    first_line: u32,
    /// Whether the text can hold HTML at all.
    may_hold_html: bool,
}

/// Reads a text that starts at `first_line` of its file. A heading that repeats `title` is left out.
pub(crate) fn read(
    text: &str,
    first_line: u32,
    title: Option<&str>,
    context: &mut Context,
) -> Result<Markdown, TooComplex> {
    let options = options();
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, text, &options);
    check_size(root)?;
    let heading = take_title(root, title);
    let mut reader = Reader { context, options: &options, first_line, may_hold_html: text.contains('<') };
    let blocks = reader.blocks(root)?;
    Ok(Markdown { blocks, heading })
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.cjk_friendly_emphasis = true;
    // Raw HTML is parsed again and written from its tree.
    options.render.r#unsafe = true;
    options
}

fn check_size(root: Node<'_>) -> Result<(), TooComplex> {
    let mut waiting = vec![(root, 0_usize)];
    let mut count = 0_usize;
    while let Some((node, depth)) = waiting.pop() {
        count += 1;
        if depth > MAX_DEPTH {
            return Err(TooComplex::Depth);
        }
        if count > MAX_NODES {
            return Err(TooComplex::Nodes);
        }
        waiting.extend(node.children().map(|child| (child, depth + 1)));
    }
    Ok(())
}

fn take_title(root: Node<'_>, title: Option<&str>) -> Option<String> {
    let is_main_heading =
        |node: &Node<'_>| matches!(&node.data().value, NodeValue::Heading(heading) if heading.level == 1);
    match title {
        None => {
            let heading = root.children().find(is_main_heading)?;
            let text = heading.collect_text().trim().to_owned();
            if text.is_empty() {
                return None;
            }
            heading.detach();
            Some(text)
        }
        Some(title) => {
            if let Some(first) = root.first_child().filter(is_main_heading)
                && first.collect_text().trim() == title
            {
                first.detach();
            }
            None
        }
    }
}

impl<'a> Reader<'_, '_> {
    fn line(&self, node: Node<'a>) -> u32 {
        let line = u32::try_from(node.data().sourcepos.start.line).unwrap_or(u32::MAX);
        self.first_line.saturating_add(line.saturating_sub(1))
    }

    fn blocks(&mut self, parent: Node<'a>) -> Result<Vec<Block>, TooComplex> {
        let mut out = Vec::new();
        let groups = if self.may_hold_html { groups(parent) } else { Vec::new() };
        let mut groups = groups.into_iter().peekable();
        let mut skip_to = 0;
        let mut notes = Vec::new();
        for (at, node) in parent.children().enumerate() {
            if at < skip_to {
                continue;
            }
            if let Some(group) = groups.next_if(|group| *group.start() == at) {
                skip_to = *group.end() + 1;
                let nodes = std::iter::successors(Some(node), |node| node.next_sibling()).take(skip_to - at);
                out.extend(self.made(nodes)?);
                continue;
            }
            if matches!(node.data().value, NodeValue::FootnoteDefinition(_)) {
                notes.push(node);
            } else {
                self.block(node, &mut out)?;
            }
        }
        if !notes.is_empty() {
            out.push(separator_block());
            out.push(self.footnotes(&notes));
        }
        Ok(out)
    }

    fn block(&mut self, node: Node<'a>, out: &mut Vec<Block>) -> Result<(), TooComplex> {
        if let NodeValue::HtmlBlock(html) = &node.data().value {
            let dom = html::fragment(&html.literal)?;
            let setting = Setting::Raw { first_line: self.line(node) };
            out.extend(Converter::new(&dom, self.context, setting).blocks_in(html::Dom::root()));
            return Ok(());
        }
        match &node.data().value {
            NodeValue::Paragraph if !self.holds_html(node) => self.paragraph(node, out),
            NodeValue::Heading(heading) if !self.holds_html(node) => {
                let mut text = Phrasing::new();
                self.inlines(node.children(), &mut text);
                out.extend(heading_block(heading.level, text.finish(), None, None));
            }
            NodeValue::List(_) if self.is_simple_list(node) => out.push(self.list(node)),
            NodeValue::BlockQuote => {
                let inner = self.blocks(node)?;
                out.extend(quote_block(inner, None, None));
            }
            NodeValue::CodeBlock(block) => {
                let language = Some(block.info.as_str()).filter(|info| !info.is_empty());
                out.push(code::block(&block.literal, language));
            }
            NodeValue::ThematicBreak => out.push(separator_block()),
            NodeValue::Table(table) if !self.holds_html(node) => {
                out.push(self.table(node, &table.alignments))
            }
            _ => out.extend(self.made([node])?),
        }
        Ok(())
    }

    /// Whether raw HTML stands anywhere below the node.
    fn holds_html(&self, node: Node<'a>) -> bool {
        self.may_hold_html
            && node
                .descendants()
                .any(|below| matches!(below.data().value, NodeValue::HtmlInline(_) | NodeValue::HtmlBlock(_)))
    }

    /// Takes the way through HTML.
    fn made(&mut self, nodes: impl IntoIterator<Item = Node<'a>>) -> Result<Vec<Block>, TooComplex> {
        let mut rendered = String::new();
        let mut line = None;
        for node in nodes {
            line.get_or_insert_with(|| self.line(node));
            // Writing into a String cannot fail.
            let _: std::fmt::Result = comrak::format_html(node, self.options, &mut rendered);
        }
        let dom = html::fragment(&rendered)?;
        let setting = Setting::Made { line: line.unwrap_or(self.first_line) };
        Ok(Converter::new(&dom, self.context, setting).blocks_in(html::Dom::root()))
    }

    /// Makes paragraphs; pictures that stand alone on their lines become blocks of their own.
    fn paragraph(&mut self, node: Node<'a>, out: &mut Vec<Block>) {
        let mut text: Vec<Node<'a>> = Vec::new();
        let children: Vec<Node<'a>> = node.children().collect();
        for line in children.split_inclusive(|node| is_line_end(node)) {
            let shown = match line.split_last() {
                Some((last, before)) if is_line_end(last) => before,
                _ => line,
            };
            if let Some(pictures) = lone_pictures(shown) {
                self.text_paragraph(&mut text, out);
                for (image, link) in pictures {
                    let link = link.and_then(|link| self.checked_link(link));
                    let picture = self.picture(image);
                    out.extend(picture::block(&picture, link.as_deref(), None, None));
                }
            } else {
                text.extend_from_slice(line);
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

    fn table(&mut self, node: Node<'a>, alignments: &[TableAlignment]) -> Block {
        let mut table = TableBlock::new(None);
        let mut in_body = false;
        for row in node.children() {
            let is_head = matches!(row.data().value, NodeValue::TableRow(true));
            if is_head {
                table.open_section("thead");
            } else if !in_body {
                table.open_section("tbody");
                in_body = true;
            }
            table.open_row();
            for (cell, alignment) in row.children().zip(alignments) {
                let mut text = Phrasing::new();
                self.inlines(cell.children(), &mut text);
                let align = match alignment {
                    TableAlignment::None => Align::None,
                    TableAlignment::Left => Align::Left,
                    TableAlignment::Center => Align::Center,
                    TableAlignment::Right => Align::Right,
                };
                table.cell(is_head, align, text.finish());
            }
            table.close_row();
            if is_head {
                table.close_section();
            }
        }
        if in_body {
            table.close_section();
        }
        table.finish(None)
    }
}

fn groups(parent: Node<'_>) -> Vec<std::ops::RangeInclusive<usize>> {
    let html: Vec<Option<String>> = parent
        .children()
        .map(|node| match &node.data().value {
            NodeValue::HtmlBlock(html) => Some(html.literal.clone()),
            _ => None,
        })
        .collect();
    if html.iter().flatten().count() < 2 {
        return Vec::new();
    }
    html::groups(html.iter().map(Option::as_deref))
}

fn is_line_end(node: Node<'_>) -> bool {
    matches!(node.data().value, NodeValue::SoftBreak | NodeValue::LineBreak)
}

/// The pictures of a line, each with its link, where the line holds nothing else.
fn lone_pictures<'a>(line: &[Node<'a>]) -> Option<Vec<(Node<'a>, Option<Node<'a>>)>> {
    let mut found = Vec::new();
    for &node in line {
        match &node.data().value {
            NodeValue::Image(_) => found.push((node, None)),
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
