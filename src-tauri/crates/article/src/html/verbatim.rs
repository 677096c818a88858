//! HTML that becomes an HTML block: written from the tree, with the site's images in place.

use html5ever::{Attribute, LocalName, local_name, ns};

use super::convert::Converter;
use super::dom::{Data, Id};
use super::filtered::is_kept_for_all;
use crate::block::{Block, Piece};
use crate::finding::FindingCode;
use crate::images::{Source, is_remote};
use crate::link;
use crate::markup::Markup;

impl Converter<'_> {
    /// Makes an HTML block of nodes; nothing if they show nothing at all.
    pub(super) fn html_block(&mut self, ids: &[Id]) -> Option<Block> {
        let mut markup = Markup::new();
        for &id in ids {
            self.verbatim(id, &mut markup);
        }
        markup.trim_end();
        if markup.is_empty() { None } else { Some(Block::new("html", markup.finish())) }
    }

    fn verbatim(&mut self, id: Id, markup: &mut Markup) {
        let dom = self.dom;
        match &dom.node(id).data {
            Data::Text(text) => markup.text(text),
            // Comments are notes to oneself; none can then be taken for a block's delimiter either.
            Data::Comment(_) => {}
            Data::Root => {
                for &child in dom.children(id) {
                    self.verbatim(child, markup);
                }
            }
            Data::Element { name, template, .. } => {
                let is_html = name.ns == ns!(html);
                if is_html && name.local == local_name!("img") {
                    self.verbatim_image(id, markup);
                    return;
                }
                if !is_plain_name(&name.local) {
                    // No tag that could be read back; what stands in it stays.
                    for &child in dom.children(id) {
                        self.verbatim(child, markup);
                    }
                    return;
                }
                if is_html && self.leaves_out(&name.local) {
                    self.leave_out(id, &name.local);
                    return;
                }
                self.tell_filtered(id, &name.local);
                let attributes = self.kept_attributes(id);
                let is_void = is_html && is_void(&name.local);
                let mut tag =
                    if is_void { markup.void(&name.local) } else { markup.open(name.local.to_string()) };
                for (name, value) in attributes {
                    tag = tag.attribute_of(&name, value);
                }
                tag.end();
                if is_void {
                    return;
                }
                if is_html && is_raw_text(&name.local) {
                    markup.verbatim(&without_delimiters(&dom.all_text(id)));
                } else {
                    let starts_with_line = dom
                        .children(id)
                        .first()
                        .and_then(|&first| dom.text(first))
                        .is_some_and(|text| text.starts_with('\n'));
                    if is_html && starts_with_line && matches!(&*name.local, "pre" | "textarea" | "listing") {
                        // A parser drops the first line end.
                        markup.verbatim("\n");
                    }
                    for &child in dom.children(id) {
                        self.verbatim(child, markup);
                    }
                    if let Some(template) = template {
                        self.verbatim(*template, markup);
                    }
                }
                markup.close();
            }
        }
    }

    fn verbatim_image(&mut self, id: Id, markup: &mut Markup) {
        let dom = self.dom;
        let picture = self.picture(id);
        let mut tag = markup.void("img");
        match &picture.source {
            Source::Local(index) => {
                tag = tag.attribute_of("src", [Piece::ImageUrl(*index)]);
                let class = dom.attribute(id, "class").map(|class| format!("{class} wp-image-"));
                let class = class.unwrap_or_else(|| "wp-image-".to_owned());
                tag = tag.attribute_of("class", [Piece::Markup(class), Piece::ImageId(*index)]);
            }
            Source::Remote(url) => {
                tag = tag.attribute("src", url);
                if let Some(class) = dom.attribute(id, "class") {
                    tag = tag.attribute("class", class);
                }
            }
            Source::Broken => {}
        }
        tag = tag.attribute("alt", &picture.alt);
        for attribute in dom.attributes(id) {
            let name = &*attribute.name.local;
            // WordPress makes `srcset` itself, from the sizes it has.
            if !matches!(name, "src" | "alt" | "class" | "srcset" | "sizes") && is_plain_name(name) {
                tag = tag.attribute(name, &attribute.value);
            }
        }
        tag.end();
    }

    /// The attributes of an element other than an image, with the site's addresses of local files.
    fn kept_attributes(&mut self, id: Id) -> Vec<(String, Vec<Piece>)> {
        let line = self.line(id);
        let mut kept = Vec::new();
        for attribute in self.dom.attributes(id) {
            let local = &*attribute.name.local;
            if !is_plain_name(local) {
                continue;
            }
            let value = &*attribute.value;
            let written = vec![Piece::Markup(value.to_owned())];
            let value = if loads(attribute) || (local == "href" && self.is_drawn_image(id)) {
                match local {
                    "srcset" | "imagesrcset" => self.candidates(id, value),
                    _ => self.loaded(id, local, value.trim()),
                }
            } else if local == "href" {
                self.target(value, line).map(|target| vec![target])
            } else {
                Some(written)
            };
            let name = match &attribute.name.prefix {
                Some(prefix) => format!("{prefix}:{local}"),
                None => local.to_owned(),
            };
            kept.extend(value.map(|value| (name, value)));
        }
        kept
    }

    /// The address that an attribute loads.
    fn loaded(&mut self, id: Id, attribute: &str, reference: &str) -> Option<Vec<Piece>> {
        if is_remote(reference) || reference.is_empty() || reference.starts_with('#') {
            return Some(vec![Piece::Markup(reference.to_owned())]);
        }
        let is_picture = attribute == "poster"
            || attribute == "background"
            || self.is_drawn_image(id)
            || (attribute == "src" && self.dom.is(id, &local_name!("input")));
        let line = self.line(id);
        let source =
            if is_picture { self.source(id, reference, "", "") } else { self.media(reference, line) };
        match source {
            Source::Local(index) => Some(vec![Piece::ImageUrl(index)]),
            Source::Remote(url) => Some(vec![Piece::Markup(url)]),
            Source::Broken => None,
        }
    }

    /// Pictures to choose from, each with what it is chosen by.
    fn candidates(&mut self, id: Id, value: &str) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for candidate in value.split(", ").flat_map(|part| part.split(",\n")).map(str::trim) {
            let (reference, rest) = candidate.split_once(char::is_whitespace).unwrap_or((candidate, ""));
            let url = match self.source(id, reference.trim_end_matches(','), "", "") {
                Source::Local(index) => Piece::ImageUrl(index),
                Source::Remote(url) => Piece::Markup(url),
                Source::Broken => continue,
            };
            if !pieces.is_empty() {
                pieces.push(Piece::Markup(", ".to_owned()));
            }
            pieces.push(url);
            if !rest.is_empty() {
                pieces.push(Piece::Markup(format!(" {}", rest.trim())));
            }
        }
        (!pieces.is_empty()).then_some(pieces)
    }

    /// Where a link leads, as it is written.
    pub(super) fn target(&mut self, href: &str, line: Option<u32>) -> Option<Piece> {
        link::checked(href, line, self.context).map(|target| Piece::Markup(target.to_owned()))
    }

    /// Tells of an element that WordPress takes out unless the user may write any HTML.
    pub(super) fn tell_filtered(&mut self, id: Id, name: &LocalName) {
        // What stands in a drawing goes with it.
        let is_part = matches!(&self.dom.node(id).data, Data::Element { name, .. } if name.ns == ns!(svg))
            && name != "svg";
        if !is_part && !is_kept_for_all(name) {
            let line = self.line(id);
            self.context.findings.add_once(FindingCode::HtmlForUnfiltered, line, ("element", name));
        }
    }

    /// An image inside an SVG drawing.
    fn is_drawn_image(&self, id: Id) -> bool {
        matches!(&self.dom.node(id).data, Data::Element { name, .. }
            if name.ns == ns!(svg) && matches!(&*name.local, "image" | "feImage"))
    }
}

/// Whether a browser loads what the attribute names.
fn loads(attribute: &Attribute) -> bool {
    matches!(&*attribute.name.local, "src" | "srcset" | "imagesrcset" | "poster" | "data" | "background")
        || (attribute.name.ns == ns!(xlink) && &*attribute.name.local == "href")
}

/// Names that a parser reads back as the same name.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.') || byte >= 0x80
        })
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_raw_text(name: &LocalName) -> bool {
    matches!(&**name, "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext")
}

/// Raw text cannot be escaped: what WordPress would take for a delimiter is broken up.
fn without_delimiters(text: &str) -> String {
    if text.contains("<!--") { text.replace("<!--", "<!- -") } else { text.to_owned() }
}
