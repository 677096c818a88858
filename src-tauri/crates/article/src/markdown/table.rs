//! Tables.

use comrak::nodes::{NodeValue, TableAlignment};

use super::{Node, Reader};
use crate::block::Block;
use crate::phrasing::Phrasing;
use crate::table::{Align, TableBlock};

impl<'a> Reader<'_, '_, '_> {
    pub(super) fn table(&mut self, node: Node<'a>, alignments: &[TableAlignment]) -> Block {
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
