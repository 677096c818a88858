//! The blocks of text: paragraphs, headings, lists, quotes, rules and breaks.

use crate::block::{Block, Value};
use crate::markup::Markup;

/// The block that an HTML comment stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PageBreak<'a> {
    More(&'a str),
    NextPage,
}

pub(crate) fn page_break(comment: &str) -> Option<PageBreak<'_>> {
    let comment = comment.trim();
    if comment == "nextpage" {
        return Some(PageBreak::NextPage);
    }
    let custom = comment.strip_prefix("more")?;
    (custom.is_empty() || custom.starts_with(char::is_whitespace)).then(|| PageBreak::More(custom.trim()))
}

pub(crate) fn paragraph_block(text: Markup, class_name: Option<String>) -> Block {
    let mut markup = Markup::new();
    let tag = markup.open("p");
    match &class_name {
        Some(class_name) => tag.attribute("class", class_name).end(),
        None => tag.end(),
    };
    markup.append(text);
    let block = Block::new("paragraph", markup.finish());
    match class_name {
        Some(class_name) => block.with("className", Value::Text(class_name)),
        None => block,
    }
}

pub(crate) fn heading_block(
    level: u8,
    text: Markup,
    anchor: Option<&str>,
    class_name: Option<String>,
) -> Option<Block> {
    const NAMES: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
    if text.is_empty() {
        return None;
    }
    let name = NAMES[usize::from(level.clamp(1, 6)) - 1];
    let mut block = Block::new("heading", Vec::new());
    if level != 2 {
        block = block.with("level", Value::Number(u64::from(level)));
    }
    let mut markup = Markup::new();
    let mut tag = markup.open(name);
    if let Some(anchor) = anchor {
        block = block.with("anchor", Value::Text(anchor.to_owned()));
        tag = tag.attribute("id", anchor);
    }
    match class_name {
        Some(class_name) => {
            tag.attribute("class", &format!("wp-block-heading {class_name}")).end();
            block = block.with("className", Value::Text(class_name));
        }
        None => {
            tag.attribute("class", "wp-block-heading").end();
        }
    }
    markup.append(text);
    block.pieces = markup.finish();
    Some(block)
}

pub(crate) fn quote_block(
    inner: Vec<Block>,
    cite: Option<Markup>,
    class_name: Option<String>,
) -> Option<Block> {
    let cite = cite.filter(|cite| !cite.is_empty());
    if inner.is_empty() && cite.is_none() {
        return None;
    }
    let mut markup = Markup::new();
    let class = class_name.as_ref().map(|class_name| format!("wp-block-quote {class_name}"));
    markup.open("blockquote").attribute("class", class.as_deref().unwrap_or("wp-block-quote")).end();
    for block in inner {
        markup.block(block);
    }
    if let Some(cite) = cite {
        markup.open("cite").end();
        markup.append(cite);
        markup.close();
    }
    let block = Block::new("quote", markup.finish());
    Some(match class_name {
        Some(class_name) => block.with("className", Value::Text(class_name)),
        None => block,
    })
}

/// Makes a group; nothing of what holds nothing.
pub(crate) fn group_block(inner: Vec<Block>, class_name: String) -> Option<Block> {
    if inner.is_empty() {
        return None;
    }
    let mut markup = Markup::new();
    markup.open("div").attribute("class", &format!("wp-block-group {class_name}")).end();
    inner.into_iter().for_each(|block| markup.block(block));
    let block = Block::new("group", markup.finish());
    Some(block.with("className", Value::Text(class_name)).with("layout", Value::Constrained))
}

/// Makes a part that readers fold out. The editor writes a summary of its own into an empty one.
pub(crate) fn details_block(
    summary: Markup,
    inner: Vec<Block>,
    is_open: bool,
    class_name: Option<String>,
) -> Block {
    let mut block = Block::new("details", Vec::new());
    let mut markup = Markup::new();
    let class = class_name.as_ref().map(|class_name| format!("wp-block-details {class_name}"));
    let tag = markup.open("details").attribute("class", class.as_deref().unwrap_or("wp-block-details"));
    if is_open {
        block = block.with("showContent", Value::Flag(true));
        tag.flag("open").end();
    } else {
        tag.end();
    }
    markup.open("summary").end();
    if summary.is_empty() {
        markup.verbatim("Details");
    } else {
        markup.append(summary);
    }
    markup.close();
    inner.into_iter().for_each(|block| markup.block(block));
    if let Some(class_name) = class_name {
        block = block.with("className", Value::Text(class_name));
    }
    block.pieces = markup.finish();
    block
}

pub(crate) fn separator_block() -> Block {
    let mut markup = Markup::new();
    markup.void("hr").attribute("class", "wp-block-separator has-alpha-channel-opacity").end_void();
    Block::new("separator", markup.finish())
}

pub(crate) fn break_block(found: &PageBreak<'_>) -> Block {
    let mut markup = Markup::new();
    match found {
        PageBreak::NextPage => {
            markup.verbatim("<!--nextpage-->");
            Block::new("nextpage", markup.finish())
        }
        PageBreak::More(custom) => {
            // Inside a comment nothing can be escaped: what could end it is left out.
            let custom = custom.replace("--", "").replace(['<', '>'], "");
            if custom.is_empty() {
                markup.verbatim("<!--more-->");
                return Block::new("more", markup.finish());
            }
            markup.verbatim("<!--more ");
            markup.verbatim(&custom);
            markup.verbatim("-->");
            Block::new("more", markup.finish()).with("customText", Value::Text(custom))
        }
    }
}

/// A list block under way.
pub(crate) struct ListBlock {
    block: Block,
    markup: Markup,
}

impl ListBlock {
    pub(crate) fn new(ordered: bool, start: Option<u64>, reversed: bool, class_name: Option<String>) -> Self {
        let mut block = Block::new("list", Vec::new());
        let mut markup = Markup::new();
        let mut tag = markup.open(if ordered { "ol" } else { "ul" });
        if ordered {
            block = block.with("ordered", Value::Flag(true));
            if let Some(start) = start {
                block = block.with("start", Value::Number(start));
                tag = tag.attribute("start", &start.to_string());
            }
            if reversed {
                block = block.with("reversed", Value::Flag(true));
                tag = tag.flag("reversed");
            }
        }
        match class_name {
            Some(class_name) => {
                tag.attribute("class", &format!("wp-block-list {class_name}")).end();
                block = block.with("className", Value::Text(class_name));
            }
            None => {
                tag.attribute("class", "wp-block-list").end();
            }
        }
        Self { block, markup }
    }

    pub(crate) fn item(&mut self, text: Markup, inner: Vec<Block>) {
        let mut markup = Markup::new();
        markup.open("li").end();
        markup.append(text);
        for block in inner {
            markup.block(block);
        }
        self.markup.block(Block::new("list-item", markup.finish()));
    }

    pub(crate) fn finish(mut self) -> Block {
        self.block.pieces = self.markup.finish();
        self.block
    }
}
