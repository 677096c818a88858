//! What is taken out of a text before it is read as Markdown, because Markdown would break it: formulas in blocks,
//! the tags of templates, and the code of MDX. A sign stands in its place, and is found again in the tree.

use std::borrow::Cow;

use super::scan::{DEEPEST, Scan};
use crate::finding::Findings;

/// The characters around the number of something held. They are no characters of any text; one that holds them
/// all the same is read as it stands.
pub(super) const OPEN: char = '\u{FDD0}';
pub(super) const CLOSE: char = '\u{FDD1}';
/// Something held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// A formula with its dollars.
    Formula(String),
    /// A tag as it is written.
    Tag(String),
    /// What a tag says is to stand in the text as it is.
    Literal(String),
    /// What is left out.
    Nothing,
}

impl Held {
    pub(super) fn as_written(&self) -> &str {
        match self {
            Self::Formula(text) | Self::Tag(text) | Self::Literal(text) => text,
            Self::Nothing => "",
        }
    }
}

/// A text that Markdown can read.
#[derive(Debug)]
pub(super) struct Source<'t> {
    pub(super) text: Cow<'t, str>,
    held: Vec<Held>,
    /// The line of the article for each line of the text; as it is where nothing was taken out.
    lines: Vec<u32>,
}

impl<'t> Source<'t> {
    pub(super) fn read(
        text: &'t str,
        first_line: u32,
        is_obsidian: bool,
        is_mdx: bool,
        findings: &mut Findings,
    ) -> Self {
        let may_hold = ["$$", "{{", "{%", " ="].iter().any(|sign| text.contains(sign))
            || text.contains('~')
            || text.matches(":::").nth(DEEPEST).is_some();
        if !(may_hold || is_mdx || (is_obsidian && text.contains("![["))) || text.contains([OPEN, CLOSE]) {
            return Self { text: Cow::Borrowed(text), held: Vec::new(), lines: Vec::new() };
        }
        let mut scan = Scan::new(text, first_line, is_obsidian, is_mdx, findings);
        scan.run();
        Self { text: Cow::Owned(scan.out), held: scan.held, lines: scan.map }
    }

    /// The line of the article in which a line of the text stands.
    pub(super) fn line(&self, line: usize, first_line: u32) -> u32 {
        let counted = || first_line.saturating_add(u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX));
        self.lines.get(line.saturating_sub(1)).copied().unwrap_or_else(counted)
    }

    pub(super) fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }

    /// Splits a text at the first thing held.
    pub(super) fn next<'s>(&self, text: &'s str) -> Option<(&'s str, &Held, &'s str)> {
        let open = text.find(OPEN)?;
        let rest = &text[open + OPEN.len_utf8()..];
        let (number, after) = rest.split_once(CLOSE)?;
        let held = self.held.get(number.parse::<usize>().ok()?)?;
        Some((&text[..open], held, after))
    }

    /// What is held, where a text is nothing else.
    pub(super) fn only(&self, text: &str) -> Option<&Held> {
        self.next(text.trim())
            .filter(|(before, _, after)| before.is_empty() && after.is_empty())
            .map(|(_, held, _)| held)
    }

    /// The text as it was written.
    pub(super) fn restored(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, held, after)) = self.next(rest) {
            out.push_str(before);
            out.push_str(held.as_written());
            rest = after;
        }
        out.push_str(rest);
        out
    }
}
