//! Tables whose cells hold text only.

use html5ever::local_name;

use super::convert::Converter;
use super::dom::Id;
use crate::block::Block;
use crate::markup::Markup;
use crate::phrasing::Phrasing;
use crate::table::{Align, TableBlock};

impl Converter<'_> {
    pub(super) fn is_simple_table(&self, id: Id) -> bool {
        let mut bodies = 0;
        self.has_only(id, &["class", "border", "cellpadding", "cellspacing"])
            && self.dom.children(id).iter().all(|&part| {
                if self.dom.is_blank(part) {
                    return true;
                }
                match self.dom.name(part) {
                    Some(&local_name!("caption")) => self.all_phrasing(self.dom.children(part)),
                    Some(&local_name!("colgroup")) => true,
                    Some(&local_name!("tbody")) => {
                        bodies += 1;
                        bodies == 1 && self.is_simple_section(part)
                    }
                    Some(&local_name!("thead") | &local_name!("tfoot")) => self.is_simple_section(part),
                    _ => false,
                }
            })
    }

    fn is_simple_section(&self, id: Id) -> bool {
        self.has_only(id, &["class"])
            && self.shown(id).all(|row| {
                self.dom.is(row, &local_name!("tr"))
                    && self.has_only(row, &["class"])
                    && self.shown(row).all(|cell| {
                        (self.dom.is(cell, &local_name!("td")) || self.dom.is(cell, &local_name!("th")))
                            && self.has_only(cell, &["class", "align", "scope", "style"])
                            && self.alignment(cell).is_some()
                            && self.all_phrasing(self.dom.children(cell))
                    })
            })
    }

    fn shown(&self, id: Id) -> impl Iterator<Item = Id> {
        self.dom.children(id).iter().copied().filter(|&child| !self.dom.is_blank(child))
    }

    /// The alignment of a cell; nothing if it carries another style.
    pub(super) fn alignment(&self, cell: Id) -> Option<Align> {
        if let Some(style) = self.dom.attribute(cell, "style") {
            let (property, value) = style.trim().trim_end_matches(';').split_once(':')?;
            if !property.trim().eq_ignore_ascii_case("text-align") {
                return None;
            }
            return Align::named(value.trim());
        }
        self.dom.attribute(cell, "align").map_or(Some(Align::None), |align| Align::named(align.trim()))
    }

    pub(super) fn table(&mut self, id: Id, caption: Option<Markup>) -> Block {
        let dom = self.dom;
        let mut table = TableBlock::new(self.class_name(id));
        let mut caption = caption;
        for &part in dom.children(id) {
            let section = match dom.name(part) {
                Some(&local_name!("thead")) => "thead",
                Some(&local_name!("tbody")) => "tbody",
                Some(&local_name!("tfoot")) => "tfoot",
                Some(&local_name!("caption")) => {
                    let mut text = Phrasing::new();
                    self.phrasing(dom.children(part), &mut text);
                    caption.get_or_insert(text.finish());
                    continue;
                }
                _ => continue,
            };
            let rows: Vec<Id> = self.shown(part).collect();
            if rows.is_empty() {
                continue;
            }
            table.open_section(section);
            for row in rows {
                table.open_row();
                let cells: Vec<Id> = self.shown(row).collect();
                for cell in cells {
                    let mut text = Phrasing::new();
                    self.phrasing(dom.children(cell), &mut text);
                    let align = self.alignment(cell).unwrap_or(Align::None);
                    table.cell(dom.is(cell, &local_name!("th")), align, text.finish());
                }
                table.close_row();
            }
            table.close_section();
        }
        table.finish(caption)
    }
}
