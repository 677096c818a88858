//! The tree of an HTML text turned into blocks; what is not recognised becomes an HTML block.

use html5ever::{LocalName, local_name};

use super::dom::{Data, Dom, Id};
use crate::block::Block;
use crate::code;
use crate::context::Context;
use crate::elements::{ListBlock, break_block, page_break, quote_block, separator_block};
use crate::finding::FindingCode;
use crate::phrasing::Phrasing;

/// Where the HTML comes from, which decides how its lines are counted and how its boxes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// A whole page: boxes only lay out, their content counts. Lines are counted from `first_line`.
    Page { first_line: u32 },
    /// HTML written by hand inside Markdown: a box with attributes is meant as it stands.
    Raw { first_line: u32 },
    /// HTML made from Markdown that stands at `line`.
    Made { line: u32 },
}

/// Turns a tree into blocks.
pub(crate) struct Converter<'a> {
    pub(super) dom: &'a Dom,
    pub(super) context: &'a mut Context,
    setting: Setting,
    /// Whether white space counts where text is read.
    pub(super) keeps_space: bool,
}

impl<'a> Converter<'a> {
    pub(crate) fn new(dom: &'a Dom, context: &'a mut Context, setting: Setting) -> Self {
        Self { dom, context, setting, keeps_space: false }
    }

    pub(super) fn line(&self, id: Id) -> Option<u32> {
        Some(match self.setting {
            Setting::Page { first_line } | Setting::Raw { first_line } => {
                first_line.saturating_add(self.dom.node(id).line.saturating_sub(1))
            }
            Setting::Made { line } => line,
        })
    }

    /// The blocks of what stands in an element.
    pub(crate) fn blocks_in(&mut self, parent: Id) -> Vec<Block> {
        let dom = self.dom;
        self.blocks(dom.children(parent))
    }

    pub(super) fn blocks(&mut self, ids: &[Id]) -> Vec<Block> {
        let mut out = Vec::new();
        let mut run_start = 0;
        for (at, &id) in ids.iter().enumerate() {
            if self.is_phrasing(id) {
                continue;
            }
            self.paragraph(&ids[run_start..at], None, &mut out);
            run_start = at + 1;
            self.block(id, &mut out);
        }
        self.paragraph(&ids[run_start..], None, &mut out);
        out
    }

    fn block(&mut self, id: Id, out: &mut Vec<Block>) {
        let dom = self.dom;
        match &dom.node(id).data {
            Data::Comment(comment) => {
                if let Some(found) = page_break(comment) {
                    out.push(break_block(&found));
                }
            }
            Data::Text(_) => {}
            Data::Root => {
                let inner = self.blocks_in(id);
                out.extend(inner);
            }
            Data::Element { .. } => {
                let recognised = dom.name(id).is_some_and(|name| self.recognised(id, name, out));
                if !recognised {
                    out.extend(self.html_block(&[id]));
                }
            }
        }
    }

    /// Makes blocks of an element, or answers that an HTML block has to hold it.
    fn recognised(&mut self, id: Id, name: &LocalName, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let children = dom.children(id);
        match *name {
            local_name!("p") => return self.paragraph_of(id, out),
            local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6") => return self.heading_of(id, name, out),
            local_name!("ul") | local_name!("div") | local_name!("section") if self.gallery_box(id, out) => {}
            local_name!("ul") | local_name!("ol") if self.is_simple_list(id) => {
                if dom.children(id).iter().any(|&item| dom.is(item, &local_name!("li"))) {
                    let list = self.list(id);
                    out.push(list);
                }
            }
            local_name!("blockquote") if self.has_only(id, &["class", "cite"]) => {
                let quote = self.quote(id);
                out.extend(quote);
            }
            local_name!("pre") if self.has_only(id, &["class", "lang"]) => match self.code(id) {
                Some(code) => out.push(code),
                None => return self.preformatted(id, out),
            },
            local_name!("table") if self.is_simple_table(id) => {
                let table = self.table(id, None);
                out.push(table);
            }
            local_name!("details") => return self.details(id, out),
            local_name!("figure") => return self.figure(id, out),
            local_name!("img") | local_name!("picture") if self.lone_picture(id).is_some() => {
                self.paragraph(&[id], None, out);
            }
            local_name!("audio") | local_name!("video") => return self.player(id, None, out),
            local_name!("iframe") => return self.frame(id, None, out),
            local_name!("hr") if self.has_only(id, &["class"]) => out.push(separator_block()),
            local_name!("main")
            | local_name!("article")
            | local_name!("section")
            | local_name!("header")
            | local_name!("footer")
            | local_name!("div")
            | local_name!("body")
            | local_name!("hgroup")
            | local_name!("noscript")
                if self.is_mere_box(id) =>
            {
                let inner = self.blocks(children);
                out.extend(inner);
            }
            _ if self.leaves_out(name) => self.leave_out(id, name),
            // What a head says shows nothing in a text, and its files lie here.
            local_name!("meta") | local_name!("link") | local_name!("title") | local_name!("base") => {}
            _ => return false,
        }
        true
    }

    /// Whether an element only lays out what stands in it.
    pub(super) fn is_mere_box(&self, id: Id) -> bool {
        let is_page = self.is_page();
        self.dom.attributes(id).iter().all(|attribute| {
            is_page
                && match &*attribute.name.local {
                    "class" | "id" | "lang" | "dir" | "align" => true,
                    "style" => !hides(&attribute.value),
                    name => says_nothing(name),
                }
        })
    }

    fn is_page(&self) -> bool {
        match self.setting {
            Setting::Page { .. } => true,
            Setting::Raw { .. } | Setting::Made { .. } => false,
        }
    }

    /// Scripts and styles of a page are those of another site; written into Markdown they are meant.
    pub(super) fn leaves_out(&self, name: &LocalName) -> bool {
        self.is_page() && matches!(*name, local_name!("script") | local_name!("style"))
    }

    pub(super) fn leave_out(&mut self, id: Id, name: &LocalName) {
        let line = self.line(id);
        self.context.findings.add(FindingCode::CodeElementLeftOut, line, &[("element", name)]);
    }

    /// Whether all attributes are allowed ones, or say nothing to a block.
    pub(super) fn has_only(&self, id: Id, allowed: &[&str]) -> bool {
        let is_page = self.is_page();
        self.dom.attributes(id).iter().all(|attribute| {
            let name = &*attribute.name.local;
            allowed.contains(&name) || (is_page && says_nothing(name))
        })
    }

    pub(super) fn all_phrasing(&self, ids: &[Id]) -> bool {
        ids.iter().all(|&id| self.is_phrasing(id))
    }

    /// The author's own classes; those that blocks write themselves would stand twice.
    pub(super) fn class_name(&self, id: Id) -> Option<String> {
        let own = self.dom.attribute(id, "class")?.split_ascii_whitespace().filter(|class| {
            !class.starts_with("wp-")
                && !class.starts_with("has-")
                && !class.starts_with("size-")
                && *class != "contains-task-list"
        });
        let own = own.collect::<Vec<_>>().join(" ");
        (!own.is_empty()).then_some(own)
    }

    /// Whether a list can be list blocks: items of text, each perhaps followed by further such lists.
    fn is_simple_list(&self, id: Id) -> bool {
        let mut waiting = vec![id];
        while let Some(list) = waiting.pop() {
            let allowed: &[&str] = if self.dom.is(list, &local_name!("ol")) {
                &["class", "start", "reversed"]
            } else {
                &["class"]
            };
            if !self.has_only(list, allowed) {
                return false;
            }
            for &item in self.dom.children(list) {
                if self.dom.is_blank(item) {
                    continue;
                }
                if !self.dom.is(item, &local_name!("li")) || !self.has_only(item, &["class"]) {
                    return false;
                }
                let mut after_list = false;
                for &part in self.dom.children(item) {
                    if self.dom.is_blank(part) {
                    } else if self.is_list(part) {
                        waiting.push(part);
                        after_list = true;
                    } else if after_list || !(self.is_phrasing(part) || self.is_plain_paragraph(part)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn is_list(&self, id: Id) -> bool {
        self.dom.is(id, &local_name!("ul")) || self.dom.is(id, &local_name!("ol"))
    }

    fn is_plain_paragraph(&self, id: Id) -> bool {
        self.dom.is(id, &local_name!("p"))
            && self.has_only(id, &[])
            && self.all_phrasing(self.dom.children(id))
    }

    fn list(&mut self, id: Id) -> Block {
        let dom = self.dom;
        let ordered = dom.is(id, &local_name!("ol"));
        let start = dom
            .attribute(id, "start")
            .and_then(|start| start.trim().parse().ok())
            .filter(|&start| start != 1);
        let mut list = ListBlock::new(
            ordered,
            start,
            ordered && dom.attribute(id, "reversed").is_some(),
            self.class_name(id),
        );
        for &item in dom.children(id) {
            if !dom.is(item, &local_name!("li")) {
                continue;
            }
            let mut text = Phrasing::new();
            let mut inner = Vec::new();
            let mut paragraphs = 0;
            for &part in dom.children(item) {
                if self.is_list(part) {
                    inner.push(self.list(part));
                } else if self.is_plain_paragraph(part) {
                    if paragraphs > 0 {
                        text.line_break();
                        text.line_break();
                    }
                    paragraphs += 1;
                    self.phrasing(dom.children(part), &mut text);
                } else if inner.is_empty() {
                    self.phrasing(&[part], &mut text);
                }
            }
            list.item(text.finish(), inner);
        }
        list.finish()
    }

    fn quote(&mut self, id: Id) -> Option<Block> {
        let dom = self.dom;
        let mut children: &[Id] = dom.children(id);
        let mut cite = None;
        if let Some(at) = children.iter().rposition(|&child| !dom.is_blank(child))
            && (dom.is(children[at], &local_name!("cite")) || dom.is(children[at], &local_name!("footer")))
            && self.all_phrasing(dom.children(children[at]))
        {
            let mut text = Phrasing::new();
            self.phrasing(dom.children(children[at]), &mut text);
            cite = Some(text.finish());
            children = &children[..at];
        }
        let inner = self.blocks(children);
        quote_block(inner, cite, self.class_name(id))
    }

    /// A code block; nothing where the text is not plain.
    fn code(&self, id: Id) -> Option<Block> {
        let dom = self.dom;
        let mut shown = dom.children(id).iter().copied().filter(|&child| !dom.is_blank(child));
        let only = shown.next().filter(|_| shown.next().is_none())?;
        if !dom.is(only, &local_name!("code")) || !self.all_phrasing(dom.children(only)) {
            return None;
        }
        let language = [only, id].into_iter().find_map(|id| {
            let class = dom.attribute(id, "class").unwrap_or_default();
            class
                .split_ascii_whitespace()
                .find_map(|class| class.strip_prefix("language-").or(class.strip_prefix("lang-")))
        });
        let language = language.or_else(|| dom.attribute(id, "lang"));
        Some(code::block(&dom.all_text(only), language))
    }
}

/// Attributes for scripts and machines, which are not there on the site.
fn says_nothing(name: &str) -> bool {
    matches!(name, "role" | "itemscope" | "itemtype" | "itemprop" | "itemid" | "tabindex")
        || name.starts_with("data-")
        || name.starts_with("aria-")
}

/// Whether a style hides what it is on.
fn hides(style: &str) -> bool {
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}
