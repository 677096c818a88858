//! Where results go: lines for people, or JSON Lines, on stdout; progress on stderr.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal as _, Write as _};

use serde_json::Value;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::text::{Texts, clean};

/// Where results go. A reader that has gone away is no reason to stop: what was begun is finished.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) texts: Texts,
    json: bool,
    progress: bool,
    shown: RefCell<bool>,
    gone: Cell<bool>,
}

/// The widest progress line, in columns.
const PROGRESS_WIDTH: usize = 78;

impl Out {
    pub(crate) fn new(texts: Texts, json: bool) -> Self {
        let progress = !json && std::io::stderr().is_terminal();
        Self { texts, json, progress, shown: RefCell::new(false), gone: Cell::new(false) }
    }

    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Tells whether the reader of stdout has gone away, so that long lists may end.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.get()
    }

    /// Writes one line for people.
    pub(crate) fn line(&self, line: &str) {
        if !self.json {
            self.raw(line);
        }
    }

    /// Writes a text for people.
    pub(crate) fn say(&self, key: &str, particulars: &[(&str, &str)]) {
        self.line(&self.texts.say(key, particulars));
    }

    /// Names the command that explains a reason.
    pub(crate) fn explain(&self, code: &str) {
        self.say("attention.explain", &[("code", code)]);
    }

    /// Writes one object for programs.
    pub(crate) fn object(&self, object: &Value) {
        if self.json {
            self.raw(&object.to_string());
        }
    }

    /// Writes a line whoever reads.
    pub(crate) fn raw(&self, line: &str) {
        self.clear_progress();
        let mut stdout = std::io::stdout().lock();
        if writeln!(stdout, "{line}").and_then(|()| stdout.flush()).is_err() {
            self.gone.set(true);
        }
    }

    /// Writes a line for people to stderr: a problem, or a hint that is no result.
    pub(crate) fn aside(&self, line: &str) {
        if !self.json {
            self.clear_progress();
            drop(writeln!(std::io::stderr().lock(), "{line}"));
        }
    }

    /// Shows what is being done, where stderr is a terminal.
    pub(crate) fn progress(&self, text: &str) {
        if !self.progress {
            return;
        }
        drop(write!(std::io::stderr().lock(), "\r\u{1b}[2K{}", narrow(&clean(text), PROGRESS_WIDTH)));
        *self.shown.borrow_mut() = true;
    }

    pub(crate) fn clear_progress(&self) {
        if self.shown.replace(false) {
            let mut stderr = std::io::stderr().lock();
            drop(write!(stderr, "\r\u{1b}[2K").and_then(|()| stderr.flush()));
        }
    }
}

/// Cuts a text to a width in columns, Japanese characters taking two.
pub(crate) fn narrow(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        let width = character.width().unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// Lengthens or cuts a text to exactly so many columns.
pub(crate) fn column(text: &str, columns: usize) -> String {
    let mut cell = narrow(text, columns);
    cell.extend(std::iter::repeat_n(' ', columns.saturating_sub(cell.width())));
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_columns() {
        assert_eq!(narrow("秋の京都", 8), "秋の京都");
        assert_eq!(narrow("秋の京都", 7), "秋の京…");
        assert_eq!(narrow("秋の京都", 6), "秋の…");
        assert_eq!(column("秋", 4), "秋  ");
        assert_eq!(column("abcd", 4), "abcd");
        assert_eq!(column("abcde", 4), "abc…");
    }
}
