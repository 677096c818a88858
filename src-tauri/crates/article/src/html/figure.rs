//! Figures: pictures, galleries, tables, quotes, players and embeds with their captions.

use html5ever::local_name;

use super::convert::Converter;
use super::dom::Id;
use crate::block::Block;
use crate::elements::{details_block, quote_block};
use crate::markup::Markup;
use crate::picture;

impl Converter<'_> {
    /// Makes blocks of a figure, or answers that an HTML block has to hold it.
    pub(super) fn figure(&mut self, id: Id, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        if !self.has_only(id, &["class"]) {
            return false;
        }
        let mut shown: Vec<Id> =
            dom.children(id).iter().copied().filter(|&child| !dom.is_blank(child)).collect();
        let is_caption = |&child: &Id| dom.is(child, &local_name!("figcaption"));
        let caption = match shown.iter().position(&is_caption) {
            Some(at) if at == 0 || at + 1 == shown.len() => Some(shown.remove(at)),
            Some(_) => return false,
            None => None,
        };
        if shown.iter().any(&is_caption)
            || !caption.is_none_or(|caption| self.all_phrasing(dom.children(caption)))
        {
            return false;
        }
        if let [content] = *shown {
            return self.figure_of_one(id, self.unwrapped(content), caption, out);
        }
        match self.gallery_pictures(&shown) {
            Some(pictures) => {
                let caption = self.caption(caption);
                out.extend(self.gallery(&pictures, caption));
                true
            }
            None => false,
        }
    }

    fn figure_of_one(&mut self, id: Id, content: Id, caption: Option<Id>, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        if let Some((picture, link)) = self.lone_picture(content) {
            let caption = self.caption(caption);
            let link = self.link_of(link);
            let picture = self.picture(picture);
            out.extend(picture::block(&picture, link.as_deref(), caption, self.class_name(id)));
            return true;
        }
        match dom.name(content) {
            Some(&local_name!("table")) if self.is_simple_table(content) => {
                let caption = self.caption(caption);
                let table = self.table(content, caption);
                out.push(table);
                true
            }
            Some(&local_name!("blockquote")) if self.has_only(content, &["class", "cite"]) => {
                let source = self.caption(caption);
                let inner = self.blocks(dom.children(content));
                out.extend(quote_block(inner, source, self.class_name(content)));
                true
            }
            Some(&local_name!("audio") | &local_name!("video")) => self.player(content, caption, out),
            Some(&local_name!("iframe")) => self.frame(content, caption, out),
            Some(&local_name!("pre")) if caption.is_none() => {
                let inner = self.blocks(&[content]);
                out.extend(inner);
                true
            }
            Some(_) | None => false,
        }
    }

    /// What stands in a figure, without a box that tools put around it.
    fn unwrapped(&self, content: Id) -> Id {
        let dom = self.dom;
        let is_box = dom.is(content, &local_name!("p"))
            || (dom.is(content, &local_name!("div")) && self.is_mere_box(content));
        if !is_box {
            return content;
        }
        let mut inner = dom.children(content).iter().copied().filter(|&child| !dom.is_blank(child));
        match (inner.next(), inner.next()) {
            (Some(only), None) if dom.name(only).is_some() => only,
            _ => content,
        }
    }

    /// Makes a part that readers fold out, or answers that an HTML block has to hold it.
    pub(super) fn details(&mut self, id: Id, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        if !self.has_only(id, &["class", "open"]) {
            return false;
        }
        let mut children = dom.children(id);
        while let Some((first, rest)) = children.split_first().filter(|(first, _)| dom.is_blank(**first)) {
            let _: &Id = first;
            children = rest;
        }
        let Some((&summary, inner)) = children.split_first() else { return false };
        if !dom.is(summary, &local_name!("summary")) || !self.all_phrasing(dom.children(summary)) {
            return false;
        }
        let text = self.text_of(dom.children(summary));
        let inner = self.blocks(inner);
        let is_open = dom.attribute(id, "open").is_some();
        out.push(details_block(text, inner, is_open, self.class_name(id)));
        true
    }

    pub(super) fn caption(&mut self, caption: Option<Id>) -> Option<Markup> {
        let dom = self.dom;
        caption.map(|caption| self.text_of(dom.children(caption)))
    }

    /// Makes a gallery of a box that says it is one, where it holds nothing but pictures.
    pub(super) fn gallery_box(&mut self, id: Id, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let named = |class: &str| {
            class.split_ascii_whitespace().any(|class| {
                class == "gallery" || class.starts_with("gallery-") || class.ends_with("-gallery")
            })
        };
        if !dom.attribute(id, "class").is_some_and(named) {
            return false;
        }
        let shown: Vec<Id> = dom.children(id).iter().copied().filter(|&child| !dom.is_blank(child)).collect();
        let Some(pictures) = self.gallery_pictures(&shown).filter(|pictures| pictures.len() > 1) else {
            return false;
        };
        out.extend(self.gallery(&pictures, None));
        true
    }

    /// The pictures of a gallery, each with what stands around it and its caption; nothing where there is more.
    fn gallery_pictures(&self, shown: &[Id]) -> Option<Vec<Shown>> {
        let dom = self.dom;
        let found: Option<Vec<Shown>> = shown
            .iter()
            .map(|&id| {
                if let Some((image, link)) = self.lone_picture(self.unwrapped(id)) {
                    return Some(Shown { image, link, caption: None });
                }
                if !dom.is(id, &local_name!("figure")) || !self.has_only(id, &["class"]) {
                    return None;
                }
                let parts: Vec<Id> =
                    dom.children(id).iter().copied().filter(|&child| !dom.is_blank(child)).collect();
                let (content, caption) = match *parts {
                    [content] => (content, None),
                    [content, caption]
                        if dom.is(caption, &local_name!("figcaption"))
                            && self.all_phrasing(dom.children(caption)) =>
                    {
                        (content, Some(caption))
                    }
                    _ => return None,
                };
                let (image, link) = self.lone_picture(self.unwrapped(content))?;
                Some(Shown { image, link, caption })
            })
            .collect();
        found.filter(|found| !found.is_empty())
    }

    fn gallery(&mut self, pictures: &[Shown], caption: Option<Markup>) -> Option<Block> {
        let mut images = Vec::with_capacity(pictures.len());
        for shown in pictures {
            let caption = self.caption(shown.caption);
            let link = self.link_of(shown.link);
            let picture = self.picture(shown.image);
            images.extend(picture::block(&picture, link.as_deref(), caption, None));
        }
        picture::gallery(images, caption)
    }
}

/// A picture of a gallery.
struct Shown {
    image: Id,
    link: Option<Id>,
    caption: Option<Id>,
}
