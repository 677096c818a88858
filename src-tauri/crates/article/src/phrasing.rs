//! Text and inline elements with white space as a reader sees it.

use std::borrow::Cow;

use crate::markup::{Markup, Tag};

/// Inline content under way. White space is written when it is known to stand between two things.
#[derive(Debug, Default)]
pub(crate) struct Phrasing {
    markup: Markup,
    waiting: Space,
    last: Option<char>,
    /// Whether something was left out after a space: one at the start of what follows would be a second.
    after_gap: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Space {
    #[default]
    None,
    Blank,
    /// A line end of the source: no space between characters that are written without spaces.
    LineEnd,
}

impl Phrasing {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds text in which white space runs count as one space.
    pub(crate) fn collapsed(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
            if word > 0 {
                self.plain(&rest[..word]);
            }
            let blank = rest[word..].find(|c: char| !c.is_ascii_whitespace()).unwrap_or(rest.len() - word);
            if blank > 0 {
                if rest[word..word + blank].contains('\n') { self.line_end() } else { self.blank() }
            }
            rest = &rest[word + blank..];
        }
    }

    /// Adds text as it stands.
    pub(crate) fn plain(&mut self, text: &str) {
        let after_gap = !text.is_empty() && std::mem::take(&mut self.after_gap);
        let text = if after_gap { text.trim_start_matches(' ') } else { text };
        let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else { return };
        self.settle(Some(first));
        self.markup.text(text);
        self.last = Some(last);
    }

    /// Adds content that reads like a word.
    pub(crate) fn formula(&mut self, markup: Markup) {
        self.settle(Some('$'));
        self.markup.append(markup);
        self.last = Some('$');
    }

    /// Notes that something is left out here.
    pub(crate) fn gap(&mut self) {
        self.after_gap = self.last.is_none_or(|last| last == ' ');
    }

    /// Adds a line end of the source.
    pub(crate) fn line_end(&mut self) {
        self.waiting = Space::LineEnd;
    }

    /// Adds a line break that readers see.
    pub(crate) fn line_break(&mut self) {
        self.waiting = Space::None;
        self.markup.void("br").end();
        self.last = None;
    }

    pub(crate) fn open(&mut self, name: impl Into<Cow<'static, str>>) -> Tag<'_> {
        // Between wide characters the space may vanish: that is decided inside the element.
        if !(self.waiting == Space::LineEnd && self.last.is_some_and(is_wide)) {
            self.settle(None);
        }
        self.markup.open(name)
    }

    pub(crate) fn close(&mut self) {
        self.markup.close();
    }

    /// Writes something that is neither text nor an element with content.
    pub(crate) fn object(&mut self) -> &mut Markup {
        self.settle(None);
        self.last = Some('\u{fffc}');
        &mut self.markup
    }

    /// The finished content, without white space at its end.
    pub(crate) fn finish(self) -> Markup {
        self.markup
    }

    fn blank(&mut self) {
        if self.waiting == Space::None {
            self.waiting = Space::Blank;
        }
    }

    fn settle(&mut self, next: Option<char>) {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(last) = self.last else { return };
        let wanted = match waiting {
            Space::None => false,
            Space::Blank => true,
            Space::LineEnd => !(is_wide(last) && next.is_some_and(is_wide)),
        };
        if wanted {
            self.markup.verbatim(" ");
        }
    }
}

/// Whether a script is written without spaces between words: Japanese and Chinese, with their punctuation.
pub(crate) fn is_wide(character: char) -> bool {
    matches!(
        character,
        '\u{2E80}'..='\u{312F}'
            | '\u{3190}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FE30}'..='\u{FE4F}'
            | '\u{FF00}'..='\u{FF9F}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}
