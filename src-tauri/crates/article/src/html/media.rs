//! Pictures and other files that HTML refers to.

use html5ever::local_name;

use super::convert::Converter;
use super::dom::Id;
use crate::finding::FindingCode;
use crate::images::{Described, Source, is_remote};
use crate::link;
use crate::picture::Picture;

impl Converter<'_> {
    /// The picture that an `img` element shows.
    pub(super) fn picture(&mut self, id: Id) -> Picture {
        let dom = self.dom;
        let alt = dom.attribute(id, "alt").unwrap_or_default();
        let title = dom.attribute(id, "title").unwrap_or_default();
        let reference = dom.attribute(id, "src").unwrap_or_default();
        let source = self.source(id, reference, alt, title);
        Picture { source, alt: alt.to_owned(), title: title.to_owned() }
    }

    pub(super) fn source(&mut self, id: Id, reference: &str, alt: &str, title: &str) -> Source {
        let line = self.line(id);
        let described = Described { alt, title, caption: "" };
        let context = &mut *self.context;
        context.images.resolve(reference, described, line, &mut context.findings)
    }

    /// A file other than a picture that the text plays or shows.
    pub(super) fn media(&mut self, reference: &str, line: Option<u32>) -> Source {
        if is_remote(reference) {
            return Source::Remote(reference.to_owned());
        }
        self.context.findings.add(FindingCode::MediaUnsupported, line, &[("reference", reference)]);
        Source::Broken
    }

    /// The picture and its link, where the node is a picture and nothing else.
    pub(super) fn lone_picture(&self, id: Id) -> Option<(Id, Option<Id>)> {
        if self.dom.is(id, &local_name!("img")) {
            return Some((id, None));
        }
        if self.dom.is(id, &local_name!("picture")) {
            let of_sources =
                |&child: &Id| self.dom.is_blank(child) || self.dom.is(child, &local_name!("source"));
            let mut shown = self.dom.children(id).iter().copied().filter(|child| !of_sources(child));
            return match (shown.next(), shown.next()) {
                (Some(only), None) if self.dom.is(only, &local_name!("img")) => Some((only, None)),
                _ => None,
            };
        }
        if !self.dom.is(id, &local_name!("a")) {
            return None;
        }
        let mut shown = self.dom.children(id).iter().copied().filter(|&child| !self.dom.is_blank(child));
        match (shown.next(), shown.next()) {
            (Some(only), None) if !self.dom.is(only, &local_name!("a")) => {
                self.lone_picture(only).map(|(image, _)| (image, Some(id)))
            }
            _ => None,
        }
    }

    /// The pictures, where the nodes are pictures and white space only.
    pub(super) fn lone_pictures(&self, ids: &[Id]) -> Option<Vec<(Id, Option<Id>)>> {
        let pictures: Option<Vec<_>> = ids
            .iter()
            .copied()
            .filter(|&id| !self.dom.is_blank(id) && !self.dom.is(id, &local_name!("br")))
            .map(|id| self.lone_picture(id))
            .collect();
        pictures.filter(|pictures| !pictures.is_empty())
    }

    /// The target of the link around a picture, if it has one that may stand.
    pub(super) fn link_of(&mut self, link: Option<Id>) -> Option<String> {
        let id = link?;
        let line = self.line(id);
        let href = self.dom.attribute(id, "href")?;
        link::checked(href, line, self.context).map(str::to_owned)
    }
}
