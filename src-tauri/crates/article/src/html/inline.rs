//! Inline elements.

use html5ever::{LocalName, local_name};

use super::convert::Converter;
use super::dom::{Data, Id};
use crate::link;
use crate::phrasing::Phrasing;
use crate::picture;

/// Elements that may stand in a paragraph's text.
fn is_phrasing_name(name: &LocalName) -> bool {
    matches!(
        &**name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "br"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "mark"
            | "picture"
            | "q"
            | "rb"
            | "rp"
            | "rt"
            | "rtc"
            | "ruby"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

impl Converter<'_> {
    /// Whether the node and all below it can stand in a paragraph's text.
    pub(super) fn is_phrasing(&self, id: Id) -> bool {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            match &self.dom.node(id).data {
                Data::Text(_) => {}
                Data::Comment(text) => {
                    if crate::elements::page_break(text).is_some() {
                        return false;
                    }
                }
                Data::Root => return false,
                Data::Element { .. } => {
                    let Some(name) = self.dom.name(id) else { return false };
                    if !is_phrasing_name(name) && !self.is_task_box(id) {
                        return false;
                    }
                    // Its sources are other forms of the one picture.
                    if *name == local_name!("picture") {
                        if self.lone_picture(id).is_none() {
                            return false;
                        }
                        continue;
                    }
                    waiting.extend(self.dom.children(id));
                }
            }
        }
        true
    }

    /// Whether inline content shows anything, or is the target of a link.
    pub(super) fn shows(&self, id: Id) -> bool {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let shows = match self.dom.name(id) {
                None => !self.dom.is_blank(id),
                Some(&local_name!("img") | &local_name!("input")) => true,
                Some(_) => ["id", "name"].iter().any(|name| self.dom.attribute(id, name).is_some()),
            };
            if shows {
                return true;
            }
            waiting.extend(self.dom.children(id));
        }
        false
    }

    /// Whether a picture stands in the node.
    pub(super) fn holds_picture(&self, id: Id) -> bool {
        self.dom.find(id, &local_name!("img")).is_some()
    }

    /// A check box that only shows a state, as Markdown's task lists make it.
    pub(super) fn is_task_box(&self, id: Id) -> bool {
        self.dom.is(id, &local_name!("input"))
            && self.dom.attribute(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"))
            && self.dom.attribute(id, "disabled").is_some()
    }

    /// Writes nodes for which [`Self::is_phrasing`] holds.
    pub(super) fn phrasing(&mut self, ids: &[Id], out: &mut Phrasing) {
        for &id in ids {
            let dom = self.dom;
            match &dom.node(id).data {
                Data::Text(text) if self.keeps_space => out.plain(text),
                Data::Text(text) => out.collapsed(text),
                Data::Comment(_) | Data::Root => {}
                Data::Element { name, .. } => self.phrasing_element(id, &name.local, out),
            }
        }
    }

    fn phrasing_element(&mut self, id: Id, name: &LocalName, out: &mut Phrasing) {
        let dom = self.dom;
        match *name {
            local_name!("br") => out.line_break(),
            local_name!("wbr") => {
                out.object().void("wbr").end();
            }
            local_name!("img") | local_name!("picture") => {
                let Some((image, _)) = self.lone_picture(id) else { return };
                let picture = self.picture(image);
                picture::write(out.object(), &picture, false);
            }
            // Markdown's note numbers would link to a list that has no such places.
            local_name!("sup") if dom.attribute(id, "class") == Some("footnote-ref") => {
                out.open("sup").end();
                out.plain(&format!("[{}]", dom.all_text(id)));
                out.close();
            }
            local_name!("input") => {
                let sign = if dom.attribute(id, "checked").is_some() { "☑" } else { "☐" };
                out.plain(sign);
            }
            _ => {
                self.tell_filtered(id, name);
                let line = self.line(id);
                let mut removed = false;
                // Looked at before the tag is opened: the tag borrows the output.
                let href = dom.attribute(id, "href");
                if *name == local_name!("a")
                    && let Some(href) = href
                {
                    removed = link::checked(href, line, self.context).is_none();
                }
                let mut tag = out.open(name.to_string());
                for attribute in dom.attributes(id) {
                    let attribute_name = &*attribute.name.local;
                    if !super::verbatim::is_plain_name(attribute_name)
                        || (removed && attribute_name == "href")
                    {
                        continue;
                    }
                    tag = tag.attribute(attribute_name, &attribute.value);
                }
                tag.end();
                self.phrasing(dom.children(id), out);
                out.close();
            }
        }
    }
}
