//! What stands in plain text without being part of Markdown itself: readings, signs of notes that are not
//! there, and pictures that are none.

use super::{Node, Reader};
use crate::finding::FindingCode;
use crate::phrasing::Phrasing;

impl<'a> Reader<'_, '_, '_> {
    pub(super) fn text(&mut self, node: Node<'a>, text: &str, out: &mut Phrasing) {
        self.tell_lost_images(node, text);
        self.tell_missing_notes(node, text);
        if node.previous_sibling().is_none() && node.next_sibling().is_none() && is_table_of_contents(text) {
            let line = self.line(node);
            self.context.findings.add(FindingCode::TemplateKept, Some(line), &[("text", text.trim())]);
        }
        let text = if self.is_obsidian { self.without_block_id(node, text) } else { text };
        let source = self.source;
        let mut rest = text;
        while let Some((before, held, after)) = source.next(rest) {
            readings(before, out);
            self.held(node, held, out);
            rest = after;
        }
        readings(rest, out);
    }

    /// All text below a node, as it was written.
    pub(super) fn text_of(&self, node: Node<'a>) -> String {
        self.source.restored(&node.collect_text())
    }

    /// Whether a text has to be written here when the rest takes the way through HTML.
    pub(super) fn is_special_text(&self, text: &str) -> bool {
        text.contains(['{', '[', '\u{FDD0}']) || (self.is_obsidian && text.contains('^'))
    }

    /// A picture whose path holds a space is no picture to Markdown: it would reach readers as text.
    fn tell_lost_images(&mut self, node: Node<'a>, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find("![") {
            rest = &rest[at..];
            let target = rest.find("](").filter(|to| !rest[..*to].contains('\n'));
            let end = target.and_then(|to| rest[to..].find(')').map(|end| to + end + 1));
            let Some(end) = end else { return };
            let line = self.line(node);
            let text = self.source.restored(&rest[..end]);
            self.context.findings.add(FindingCode::ImageNotRead, Some(line), &[("text", &text)]);
            rest = &rest[end..];
        }
    }

    /// A sign of a note that is not there stays in the text.
    fn tell_missing_notes(&mut self, node: Node<'a>, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find("[^") {
            rest = &rest[at + 2..];
            let Some(end) = rest.find(']') else { return };
            let name = &rest[..end];
            if !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '[') {
                let line = self.line(node);
                let name = self.source.restored(name);
                self.context.findings.add(FindingCode::FootnoteMissing, Some(line), &[("name", &name)]);
            }
            rest = &rest[end..];
        }
    }

    /// Takes off the name at the end of a paragraph by which other notes refer to it.
    fn without_block_id<'s>(&mut self, node: Node<'a>, text: &'s str) -> &'s str {
        if node.next_sibling().is_some() {
            return text;
        }
        let trimmed = text.trim_end();
        let Some((before, id)) = trimmed.rsplit_once('^') else { return text };
        let is_apart = before.is_empty() && node.previous_sibling().is_none_or(super::is_line_end)
            || before.ends_with([' ', '\t']);
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_apart || !is_id {
            return text;
        }
        let line = self.line(node);
        self.context.findings.add(FindingCode::AttributesUnused, Some(line), &[("text", &format!("^{id}"))]);
        before.trim_end()
    }
}

/// A mark in whose place other tools put a table of contents.
fn is_table_of_contents(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "[toc]" | "[[toc]]" | "[[_toc_]]")
}

/// Writes a text with its readings.
fn readings(text: &str, out: &mut Phrasing) {
    let mut rest = text;
    while let Some((before, ruby, after)) = next_ruby(rest) {
        out.plain(before);
        ruby.write(out);
        rest = after;
    }
    out.plain(rest);
}

/// A text with its reading.
struct Ruby<'t> {
    base: &'t str,
    readings: Vec<&'t str>,
}

impl Ruby<'_> {
    fn write(&self, out: &mut Phrasing) {
        out.open("ruby").end();
        let mut reading = |base: &str, reading: &str| {
            out.plain(base);
            out.open("rt").end();
            out.plain(reading);
            out.close();
        };
        if self.readings.len() == self.base.chars().count() {
            for (base, of_it) in self.base.chars().zip(&self.readings) {
                reading(base.encode_utf8(&mut [0; 4]), of_it);
            }
        } else {
            reading(self.base, &self.readings.concat());
        }
        out.close();
    }
}

/// Finds `{漢字|かんじ}`: only Chinese characters with a reading in kana are sure to be meant so.
fn next_ruby(text: &str) -> Option<(&str, Ruby<'_>, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find('{')?;
        let inside = &text[open + 1..];
        let end = inside.find(['{', '}'])?;
        if inside[end..].starts_with('}')
            && let Some((base, readings)) = inside[..end].split_once('|')
            && !base.is_empty()
            && base.chars().all(is_han)
        {
            let readings: Vec<&str> = readings.split('|').collect();
            if readings.iter().all(|reading| !reading.is_empty() && reading.chars().all(is_kana)) {
                return Some((&text[..open], Ruby { base, readings }, &inside[end + 1..]));
            }
        }
        from = open + 1;
    }
}

fn is_han(character: char) -> bool {
    matches!(
        character,
        '々' | '〆' | 'ヶ' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

fn is_kana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FC}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_readings_are_readings() {
        let found = |text| next_ruby(text).map(|(_, ruby, _)| (ruby.base, ruby.readings));
        assert_eq!(found("a {漢字|かんじ} b"), Some(("漢字", vec!["かんじ"])));
        assert_eq!(found("{{x}} {東京|とう|きょう}"), Some(("東京", vec!["とう", "きょう"])));
        for text in
            ["{start|stop}", "{漢字|kanji}", "{かな|かな}", "{|かな}", "{漢字|}", "{漢字}", "{漢字|かんじ"]
        {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
