//! Paragraphs, headings, buttons and text whose lines stay as they are.

use html5ever::{LocalName, local_name};

use super::convert::Converter;
use super::dom::Id;
use crate::block::{Block, Value};
use crate::elements::{heading_block, paragraph_block};
use crate::link;
use crate::markup::Markup;
use crate::phrasing::Phrasing;
use crate::picture;
use crate::table::Align;

/// What the attributes of a text's element give its block.
struct Carried {
    class_name: Option<String>,
    anchor: Option<String>,
    align: Align,
}

impl Converter<'_> {
    /// What a block of text carries on; nothing where it cannot carry all.
    fn carried(&self, id: Id) -> Option<Carried> {
        if !self.has_only(id, &["class", "id", "style", "align"]) {
            return None;
        }
        let anchor = self.dom.attribute(id, "id").filter(|anchor| !anchor.is_empty());
        Some(Carried {
            class_name: self.class_name(id),
            anchor: anchor.map(str::to_owned),
            align: self.alignment(id)?,
        })
    }

    /// Makes a paragraph of an element, or answers that it cannot be one.
    pub(super) fn paragraph_of(&mut self, id: Id, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let children = dom.children(id);
        let Some(carried) = self.carried(id).filter(|_| self.all_phrasing(children)) else { return false };
        if carried.anchor.is_none() && carried.align == Align::None {
            self.paragraph(children, carried.class_name, out);
        } else if children.iter().any(|&child| self.shows(child)) {
            let text = self.text_of(children);
            out.push(text_block("paragraph", "p", Vec::new(), None, &carried, text));
        }
        true
    }

    /// Makes a heading of an element, or answers that it cannot be one.
    pub(super) fn heading_of(&mut self, id: Id, name: &LocalName, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let children = dom.children(id);
        let Some(carried) = self.carried(id).filter(|_| self.all_phrasing(children)) else { return false };
        let level = name.bytes().nth(1).map_or(2, |digit| digit - b'0');
        let text = self.text_of(children);
        if carried.align == Align::None || text.is_empty() {
            out.extend(heading_block(level, text, carried.anchor.as_deref(), carried.class_name));
            return true;
        }
        let level_is = if level == 2 { Vec::new() } else { vec![("level", Value::Number(u64::from(level)))] };
        out.push(text_block("heading", name, level_is, Some("wp-block-heading"), &carried, text));
        true
    }

    pub(super) fn text_of(&mut self, ids: &[Id]) -> Markup {
        let mut text = Phrasing::new();
        self.phrasing(ids, &mut text);
        text.finish()
    }

    /// Makes a paragraph of inline nodes, or blocks of their own where there is nothing but pictures or buttons.
    pub(super) fn paragraph(&mut self, ids: &[Id], class_name: Option<String>, out: &mut Vec<Block>) {
        if !ids.iter().any(|&id| self.shows(id)) {
            return;
        }
        if let Some(pictures) = self.lone_pictures(ids) {
            for (id, link) in pictures {
                let link = self.link_of(link);
                let picture = self.picture(id);
                out.extend(picture::block(&picture, link.as_deref(), None, None));
            }
            return;
        }
        if let Some(buttons) = self.lone_buttons(ids) {
            out.push(self.buttons(&buttons));
            return;
        }
        let text = self.text_of(ids);
        if !text.is_empty() {
            out.push(paragraph_block(text, class_name));
        }
    }

    /// The links, where the nodes are links that look like buttons and nothing else.
    fn lone_buttons(&self, ids: &[Id]) -> Option<Vec<Id>> {
        let shown = ids.iter().copied().filter(|&id| !self.dom.is_blank(id));
        let buttons: Option<Vec<Id>> = shown.map(|id| self.is_button(id).then_some(id)).collect();
        buttons.filter(|buttons| !buttons.is_empty())
    }

    fn is_button(&self, id: Id) -> bool {
        let looks = |class: &str| {
            class.split_ascii_whitespace().any(|class| {
                matches!(class, "button" | "btn" | "wp-block-button__link" | "wp-element-button")
            })
        };
        self.dom.is(id, &local_name!("a"))
            && self.has_only(id, &["class", "href", "target", "rel", "role"])
            && self.dom.attribute(id, "class").is_some_and(looks)
            && self.dom.attribute(id, "href").is_some_and(|href| !href.is_empty())
            && self.dom.children(id).iter().any(|&child| self.shows(child))
            && !self.dom.children(id).iter().any(|&child| self.holds_picture(child))
    }

    fn buttons(&mut self, ids: &[Id]) -> Block {
        let dom = self.dom;
        let mut markup = Markup::new();
        markup.open("div").attribute("class", "wp-block-buttons").end();
        for &id in ids {
            let line = self.line(id);
            let href = dom.attribute(id, "href").unwrap_or_default();
            let href = link::checked(href, line, self.context).map(str::to_owned);
            let text = self.text_of(dom.children(id));
            let mut button = Markup::new();
            button.open("div").attribute("class", "wp-block-button").end();
            let mut tag = button.open("a").attribute("class", "wp-block-button__link wp-element-button");
            if let Some(href) = &href {
                tag = tag.attribute("href", href);
                for name in ["target", "rel"] {
                    if let Some(value) = dom.attribute(id, name) {
                        tag = tag.attribute(name, value);
                    }
                }
            }
            tag.end();
            button.append(text);
            markup.block(Block::new("button", button.finish()));
        }
        Block::new("buttons", markup.finish())
    }

    /// Makes a block of text whose white space counts, or answers that it cannot be one.
    pub(super) fn preformatted(&mut self, id: Id, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let children = dom.children(id);
        if !self.all_phrasing(children) || children.iter().any(|&child| self.holds_picture(child)) {
            return false;
        }
        if !children.iter().any(|&child| self.shows(child)) {
            return true;
        }
        self.keeps_space = true;
        let text = self.text_of(children);
        self.keeps_space = false;
        let class_name = self.class_name(id);
        let class = class_name.as_ref().map(|own| format!("wp-block-preformatted {own}"));
        let mut markup = Markup::new();
        markup.open("pre").attribute("class", class.as_deref().unwrap_or("wp-block-preformatted")).end();
        markup.append(text);
        let block = Block::new("preformatted", markup.finish());
        out.push(match class_name {
            Some(class_name) => block.with("className", Value::Text(class_name)),
            None => block,
        });
        true
    }
}

/// A block of text that carries an anchor or an alignment.
fn text_block(
    name: &'static str,
    element: &str,
    attributes: Vec<(&'static str, Value)>,
    own_class: Option<&str>,
    carried: &Carried,
    text: Markup,
) -> Block {
    let mut block = Block::new(name, Vec::new());
    block.attributes = attributes;
    let mut markup = Markup::new();
    let mut tag = markup.open(element.to_owned());
    // The editor writes the anchor of a heading that is aligned behind its classes.
    let is_behind = own_class.is_some();
    if let Some(anchor) = &carried.anchor {
        if !is_behind {
            tag = tag.attribute("id", anchor);
        }
        block = block.with("anchor", Value::Text(anchor.clone()));
    }
    let aligned = carried.align.as_class_and_name();
    let classes: Vec<&str> = own_class
        .into_iter()
        .chain(carried.class_name.as_deref())
        .chain(aligned.map(|(class, _)| class))
        .collect();
    if !classes.is_empty() {
        tag = tag.attribute("class", &classes.join(" "));
    }
    if let Some(anchor) = carried.anchor.as_ref().filter(|_| is_behind) {
        tag = tag.attribute("id", anchor);
    }
    tag.end();
    markup.append(text);
    if let Some(class_name) = &carried.class_name {
        block = block.with("className", Value::Text(class_name.clone()));
    }
    if carried.align != Align::None {
        block = block.with("style", Value::TextAlign(carried.align));
    }
    block.pieces = markup.finish();
    block
}
