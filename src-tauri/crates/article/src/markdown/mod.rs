//! Markdown turned into blocks from its syntax tree.
//!
//! What holds raw HTML takes the way through an HTML tree, so that unclosed or crossed tags cannot
//! reach a block.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "comrak's tree grows with its extensions; what is not named here takes the way through HTML"
)]

mod boxes;
mod fence;
mod inline;
mod lists;
mod lowered;
mod marks;
mod mask;
mod mdx;
mod notes;
mod paragraph;
mod scan;
mod source;
mod table;
mod template;
mod text;
mod title;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options};

use crate::block::Block;
use crate::bounds::{self, MAX_NODES};
use crate::context::Context;
use crate::elements::{heading_block, quote_block, separator_block};
use crate::html::{self, Converter, Setting, TooComplex};
use crate::options::Obsidian;
use crate::phrasing::Phrasing;
use source::Source;

pub(crate) use notes::Notes;

/// Deeper trees are no articles; walking them would use up the stack.
const MAX_DEPTH: usize = 120;

pub(crate) type Node<'a> = &'a AstNode<'a>;

/// A Markdown text as blocks.
#[derive(Debug)]
pub(crate) struct Markdown {
    pub(crate) blocks: Vec<Block>,
    /// The footnotes, where there are any.
    pub(crate) notes: Option<Notes>,
    /// The first main heading, taken out of the text because it is the title.
    pub(crate) heading: Option<String>,
}

struct Reader<'c, 'o, 't> {
    context: &'c mut Context,
    options: &'o Options<'o>,
    source: &'t Source<'t>,
    lines: Vec<&'t str>,
    first_line: u32,
    /// Whether the text can hold HTML at all.
    may_hold_html: bool,
    /// Whether the marks of Obsidian hold.
    is_obsidian: bool,
    notes: notes::Found,
}

/// Reads a text that starts at `first_line` of its file. A heading that repeats `title` is left out.
pub(crate) fn read(
    text: &str,
    first_line: u32,
    title: Option<&str>,
    context: &mut Context,
) -> Result<Markdown, TooComplex> {
    let is_obsidian = match context.marks.obsidian {
        Obsidian::InVaults => context.images.places().is_in_vault(),
        Obsidian::Always => true,
        Obsidian::Never => false,
    };
    let source = Source::read(text, first_line, is_obsidian, context.is_mdx, &mut context.findings);
    let text: &str = &source.text;
    let options = options(is_obsidian, context.marks.line_breaks);
    bounds::markdown(text)?;
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, text, &options);
    check_size(root)?;
    restore(root, &source);
    let heading = title::take(root, title, &source);
    let mut reader = Reader {
        context,
        options: &options,
        source: &source,
        lines: text.lines().collect(),
        first_line,
        may_hold_html: text.contains('<'),
        is_obsidian,
        notes: notes::Found::default(),
    };
    let definitions = reader.take_notes(root);
    let blocks = reader.blocks(root)?;
    let notes = reader.notes(&definitions)?;
    Ok(Markdown { blocks, notes, heading })
}

/// The HTML that the parser's own writer makes of a text.
#[cfg(test)]
pub(crate) fn plain(text: &str, is_obsidian: bool) -> Option<String> {
    let options = options(is_obsidian, false);
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, text, &options);
    check_size(root).ok()?;
    let mut html = String::new();
    comrak::format_html(root, &options, &mut html).ok()?;
    Some(html)
}

fn options(is_obsidian: bool, line_breaks: bool) -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.strikethrough = true;
    extension.table = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.footnotes = true;
    extension.inline_footnotes = true;
    extension.cjk_friendly_emphasis = true;
    extension.ofm_callouts = true;
    extension.block_directive = true;
    extension.math_dollars = true;
    extension.math_code = true;
    extension.wikilinks_title_after_pipe = is_obsidian;
    extension.ofm_comments = is_obsidian;
    extension.highlight = is_obsidian;
    // Definitions to which nothing refers are told instead of being dropped.
    options.parse.leave_footnote_definitions = true;
    // Raw HTML is parsed again and written from its tree.
    options.render.r#unsafe = true;
    options.render.hardbreaks = line_breaks;
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

/// Puts back what is held wherever it is no text of its own.
fn restore(root: Node<'_>, source: &Source<'_>) {
    if !source.holds_any() {
        return;
    }
    for node in root.descendants() {
        let in_picture =
            |node: Node<'_>| node.ancestors().any(|above| matches!(above.data().value, NodeValue::Image(_)));
        if matches!(node.data().value, NodeValue::Text(_)) && !in_picture(node) {
            continue;
        }
        let restored = |text: &mut String| *text = source.restored(text);
        match &mut node.data_mut().value {
            NodeValue::Text(text) => *text = source.restored(text).into(),
            NodeValue::Code(code) => restored(&mut code.literal),
            NodeValue::CodeBlock(code) => {
                restored(&mut code.literal);
                restored(&mut code.info);
            }
            NodeValue::HtmlBlock(html) => restored(&mut html.literal),
            NodeValue::HtmlInline(html) => restored(html),
            NodeValue::Link(link) | NodeValue::Image(link) => {
                restored(&mut link.url);
                restored(&mut link.title);
            }
            NodeValue::Math(math) => restored(&mut math.literal),
            NodeValue::WikiLink(link) => restored(&mut link.url),
            NodeValue::CommentInline(comment) => restored(&mut comment.literal),
            NodeValue::MultilineComment(comment) => restored(&mut comment.literal),
            NodeValue::BlockDirective(directive) => restored(&mut directive.info),
            _ => {}
        }
    }
}

impl<'a> Reader<'_, '_, '_> {
    fn line(&self, node: Node<'a>) -> u32 {
        self.source.line(node.data().sourcepos.start.line, self.first_line)
    }

    /// The source from where a node starts to the end of its line.
    fn written(&self, node: Node<'a>) -> &str {
        let start = node.data().sourcepos.start;
        let line = self.lines.get(start.line.saturating_sub(1)).copied().unwrap_or_default();
        line.get(start.column.saturating_sub(1)..).unwrap_or_default()
    }

    fn blocks(&mut self, parent: Node<'a>) -> Result<Vec<Block>, TooComplex> {
        let nodes: Vec<Node<'a>> = parent.children().collect();
        self.blocks_of(&nodes)
    }

    fn blocks_of(&mut self, nodes: &[Node<'a>]) -> Result<Vec<Block>, TooComplex> {
        let mut out = Vec::new();
        let groups = if self.may_hold_html { groups(nodes) } else { Vec::new() };
        let mut groups = groups.into_iter().peekable();
        let mut skip_to = 0;
        for (at, &node) in nodes.iter().enumerate() {
            if at < skip_to {
                continue;
            }
            if let Some(group) = groups.next_if(|group| *group.start() == at) {
                skip_to = *group.end() + 1;
                let spanned = &nodes[group];
                match self.details(spanned)? {
                    Some(details) => out.push(details),
                    None => out.extend(self.made(spanned.iter().copied())?),
                }
            } else {
                self.block(node, &mut out)?;
            }
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
                let anchor = self.take_anchor(node);
                let mut text = Phrasing::new();
                self.inlines(node.children(), &mut text);
                out.extend(heading_block(heading.level, text.finish(), anchor.as_deref(), None));
            }
            NodeValue::List(_) if self.is_simple_list(node) && self.holds_html(node) => {
                out.extend(self.made([node])?)
            }
            NodeValue::List(_) if self.is_simple_list(node) => out.push(self.list(node)),
            NodeValue::List(_) => out.push(self.list_as_html(node)?),
            NodeValue::BlockQuote => {
                let inner = self.blocks(node)?;
                out.extend(quote_block(inner, None, None));
            }
            NodeValue::Callout(callout) => self.callout(node, callout, out)?,
            NodeValue::BlockDirective(directive) => self.directive(node, &directive.info, out)?,
            NodeValue::MultilineComment(comment) => self.comment(node, &comment.literal),
            NodeValue::CodeBlock(code) => self.fence(node, &code.info, &code.literal, out),
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
            self.lower(node);
            // Writing into a String cannot fail.
            let _: std::fmt::Result = comrak::format_html(node, self.options, &mut rendered);
        }
        let dom = html::fragment(&rendered)?;
        let setting = Setting::Made { line: line.unwrap_or(self.first_line) };
        Ok(Converter::new(&dom, self.context, setting).blocks_in(html::Dom::root()))
    }
}

fn groups(nodes: &[Node<'_>]) -> Vec<std::ops::RangeInclusive<usize>> {
    let html: Vec<Option<String>> = nodes
        .iter()
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
