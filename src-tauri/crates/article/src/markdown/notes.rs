//! Footnotes: as the editor's own block where the site has it, else as a list at the end.

use std::collections::HashMap;

use comrak::nodes::{NodeFootnoteReference, NodeValue};
use sha2::{Digest, Sha256};

use super::{Node, Reader};
use crate::block::{Block, Piece};
use crate::compose::Editor;
use crate::elements::{ListBlock, separator_block};
use crate::finding::FindingCode;
use crate::html::TooComplex;
use crate::images::hex;
use crate::markup::Markup;
use crate::phrasing::Phrasing;

/// The notes of an article in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notes {
    block: Block,
    /// The id and the content of each; none where only a list can hold them.
    native: Vec<(String, Vec<Piece>)>,
    listed: Vec<Block>,
}

impl Notes {
    /// What stands at the end of the text.
    pub(crate) fn blocks(&self, editor: Editor) -> &[Block] {
        if editor.footnotes { std::slice::from_ref(&self.block) } else { &self.listed }
    }

    pub(crate) fn native(&self) -> &[(String, Vec<Piece>)] {
        &self.native
    }
}

/// What is known of the notes while the text is read.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The id and the number of references, by name.
    by_name: HashMap<String, (String, u32)>,
    only_listed: bool,
}

impl Found {
    /// A reference was written without the mark that the editor's block needs.
    pub(super) fn forget_marks(&mut self) {
        self.only_listed = true;
    }
}

impl<'a> Reader<'_, '_, '_> {
    /// Takes the definitions out of the text, in the order of their references.
    pub(super) fn take_notes(&mut self, root: Node<'a>) -> Vec<(String, Node<'a>)> {
        let mut order: Vec<String> = Vec::new();
        let mut written = Vec::new();
        for node in root.descendants() {
            match &node.data().value {
                NodeValue::FootnoteReference(reference) => {
                    let known = self.notes.by_name.entry(reference.name.clone());
                    let known = known.or_insert_with(|| {
                        order.push(reference.name.clone());
                        (id(&self.context.name, &self.source.restored(&reference.name)), 0)
                    });
                    known.1 += 1;
                }
                NodeValue::FootnoteDefinition(definition) => written.push((definition.name.clone(), node)),
                _ => {}
            }
        }
        let mut definitions = HashMap::new();
        for (name, node) in written {
            // The first of a name is what the references mean.
            if !self.notes.by_name.contains_key(&name) || definitions.contains_key(&name) {
                let (line, text) = (self.line(node), self.source.restored(&whole_text(node)));
                let name = self.source.restored(&name);
                let params = [("name", name.as_str()), ("text", text.trim())];
                self.context.findings.add(FindingCode::FootnoteUnused, Some(line), &params);
            } else {
                definitions.insert(name, node);
            }
            node.detach();
        }
        order.into_iter().filter_map(|name| definitions.remove(&name).map(|node| (name, node))).collect()
    }

    pub(super) fn note_reference(&mut self, reference: &NodeFootnoteReference, out: &mut Phrasing) {
        let Some((id, _)) = self.notes.by_name.get(&reference.name) else { return };
        let link = link_id(id, reference.ref_num);
        out.open("sup").note_mark(id).attribute("class", "fn").end();
        out.open("a").attribute("href", &format!("#{id}")).attribute("id", &link).end();
        out.plain(&reference.ix.to_string());
        out.close();
        out.close();
    }

    /// Makes what stands at the end of the text.
    pub(super) fn notes(&mut self, definitions: &[(String, Node<'a>)]) -> Result<Option<Notes>, TooComplex> {
        if definitions.is_empty() {
            return Ok(None);
        }
        let are_simple = definitions.iter().all(|(_, node)| {
            !self.holds_html(node)
                && node.children().all(|part| matches!(part.data().value, NodeValue::Paragraph))
        });
        let mut native = Vec::new();
        let list = if are_simple {
            let mut list = ListBlock::new(true, None, false, None);
            for (name, node) in definitions {
                let mut text = Phrasing::new();
                let mut paragraphs = 0;
                node.children().for_each(|part| self.joined(part, &mut paragraphs, &mut text));
                let Some((id, references)) = self.notes.by_name.get(name) else { continue };
                let text = text.finish();
                let mut item = Markup::new();
                item.open("span").attribute("id", id).end().append(text.clone());
                item.close();
                back_links(id, *references, &mut item);
                list.item(item, Vec::new());
                // The editor's own notes have one reference each.
                self.notes.only_listed |= *references > 1;
                native.push((id.clone(), text.finish()));
            }
            list.finish()
        } else {
            self.notes.only_listed = true;
            self.notes_as_html(definitions)?
        };
        if self.notes.only_listed {
            native.clear();
        }
        let block = Block::new("footnotes", Vec::new());
        Ok(Some(Notes { block, native, listed: vec![separator_block(), list] }))
    }

    fn notes_as_html(&mut self, definitions: &[(String, Node<'a>)]) -> Result<Block, TooComplex> {
        let mut list = Markup::new();
        list.open("ol").end();
        for (name, node) in definitions {
            let blocks = self.blocks(node)?;
            let Some((id, references)) = self.notes.by_name.get(name) else { continue };
            list.verbatim("\n");
            list.open("li").attribute("id", id).end();
            blocks.into_iter().for_each(|block| list.slot(Piece::Plain(block)));
            back_links(id, *references, &mut list);
            list.close();
        }
        list.verbatim("\n");
        Ok(Block::new("html", list.finish()))
    }
}

/// All that stands in a note, code as well, in one line.
fn whole_text(note: Node<'_>) -> String {
    let mut text = String::new();
    for node in note.descendants() {
        match &node.data().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::CodeBlock(code) => text.extend([" ", code.literal.trim()]),
            NodeValue::HtmlBlock(html) => {
                text.push(' ');
                without_tags(&html.literal, &mut text);
            }
            value if value.block() => text.push(' '),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_tags(html: &str, out: &mut String) {
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
}

/// Links from a note back to where it is referred to.
fn back_links(id: &str, references: u32, out: &mut Markup) {
    for number in 1..=references.min(50) {
        out.verbatim(" ");
        out.open("a").attribute("href", &format!("#{}", link_id(id, number))).end().text("↩\u{fe0e}");
        out.close();
    }
}

fn link_id(id: &str, number: u32) -> String {
    if number > 1 { format!("{id}-link-{number}") } else { format!("{id}-link") }
}

/// An id that is always the same for the same note of the same article. The editor's are random.
fn id(article: &str, label: &str) -> String {
    let mut digest = Sha256::new_with_prefix(b"ichido-footnote-1");
    digest.update((article.len() as u64).to_be_bytes());
    digest.update(article);
    digest.update(label);
    let digest: [u8; 32] = digest.finalize().into();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    // Version 8 of UUIDs: made in a way of our own.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex(&bytes);
    format!("fn-{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
