//! The walk through a text that takes out what Markdown would break.

use super::marks::{
    Found, bounded, codeblock_info, embedded, highlight_info, is_marker, is_value, longest_run, paired, sized,
};
use super::mask::{Mask, code_end};
use super::mdx;
use super::source::{CLOSE, Held, OPEN};
use crate::finding::{FindingCode, Findings};

/// A formula that does not end within so many lines is none.
const MOST_LINES: usize = 200;
/// After so many marks that do not end no more are looked for.
const MOST_UNENDED: u32 = 1000;
/// Containers nested deeper are text: the parser would go through all that are open for each line.
pub(super) const DEEPEST: usize = 20;
/// After so many tags without an end tag none is looked for.
const MOST_UNPAIRED: u32 = 20;
/// More would be no article.
const MOST_HELD: usize = 5000;

/// A text on its way through.
pub(super) struct Scan<'t, 'f> {
    text: &'t str,
    lines: Vec<&'t str>,
    first_line: u32,
    is_obsidian: bool,
    is_mdx: bool,
    findings: &'f mut Findings,
    pub(super) out: String,
    pub(super) held: Vec<Held>,
    /// The line of the article for each line of the output.
    pub(super) map: Vec<u32>,
    /// The number under which single tildes are held.
    tilde: Option<usize>,
    /// How many containers are open.
    depth: usize,
    /// How many marks did not end: a text of nothing else is not searched for ever.
    unended: u32,
    /// How many tags had no end tag.
    unpaired: u32,
}

impl<'t, 'f> Scan<'t, 'f> {
    pub(super) fn new(
        text: &'t str,
        first_line: u32,
        is_obsidian: bool,
        is_mdx: bool,
        findings: &'f mut Findings,
    ) -> Self {
        Self {
            text,
            lines: text.lines().collect(),
            first_line,
            is_obsidian,
            is_mdx,
            findings,
            out: String::with_capacity(text.len()),
            held: Vec::new(),
            map: Vec::new(),
            tilde: None,
            depth: 0,
            unended: 0,
            unpaired: 0,
        }
    }

    pub(super) fn run(&mut self) {
        let mut mask = Mask::default();
        let mut at = 0;
        let mut after_blank = true;
        while let Some(&line) = self.lines.get(at) {
            if mask.covers(line) {
                self.push(at, line);
                at += 1;
                after_blank = false;
                continue;
            }
            let was_blank = std::mem::replace(&mut after_blank, line.trim().is_empty());
            if self.is_mdx && was_blank && mdx::is_code(line) {
                at = self.leave_out_code(at);
                continue;
            }
            if self.is_too_deep(line) {
                let (before, colons) = line.split_at(line.find(':').unwrap_or_default());
                self.push(at, &format!("{before}\\{colons}"));
                at += 1;
                continue;
            }
            at = match self.formula(at) {
                Some(next) => next,
                None => self.text(at),
            };
        }
    }

    /// Follows the lines of colons, and answers whether one opens more than can be read.
    fn is_too_deep(&mut self, line: &str) -> bool {
        let Some(info) = line.trim_start_matches(['>', ' ', '\t', '-', '*', '+']).strip_prefix(":::") else {
            return false;
        };
        if info.trim_matches([':', ' ', '\t']).is_empty() && self.depth > 0 {
            self.depth -= 1;
        } else if self.depth >= DEEPEST {
            return true;
        } else {
            self.depth += 1;
        }
        false
    }

    fn number(&self, at: usize) -> u32 {
        self.first_line.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn push(&mut self, at: usize, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
        self.map.push(self.number(at));
    }

    fn hold(&mut self, held: Held) -> String {
        if self.held.len() >= MOST_HELD {
            return held.as_written().to_owned();
        }
        self.held.push(held);
        format!("{OPEN}{}{CLOSE}", self.held.len() - 1)
    }

    /// What stands for every single tilde.
    fn tilde(&mut self) -> String {
        match self.tilde {
            Some(number) => format!("{OPEN}{number}{CLOSE}"),
            None if self.held.len() >= MOST_HELD => "~".to_owned(),
            None => {
                self.tilde = Some(self.held.len());
                self.hold(Held::Literal("~".to_owned()))
            }
        }
    }

    fn tell(&mut self, code: FindingCode, at: usize, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.findings.add(code, Some(self.number(at)), &[("text", &text)]);
    }

    /// Lines of code up to the next blank one.
    fn leave_out_code(&mut self, from: usize) -> usize {
        let end = (from..self.lines.len()).find(|&at| self.lines[at].trim().is_empty());
        let end = end.unwrap_or(self.lines.len());
        self.tell(FindingCode::CodeLeftOut, from, &self.lines[from..end].join(" "));
        end
    }

    /// A formula that begins with dollars on a line of their own.
    fn formula(&mut self, from: usize) -> Option<usize> {
        let line = self.lines[from];
        let start = line.find("$$")?;
        let (before, first) = line.split_at(start);
        let is_start = before.chars().all(|c| matches!(c, ' ' | '\t' | '>')) || is_marker(before);
        if !is_start || first[2..].contains("$$") {
            return None;
        }
        let quoted = before.trim_start().starts_with('>');
        let mut formula = first.to_owned();
        for at in from + 1..self.lines.len().min(from + MOST_LINES) {
            let mut line = self.lines[at];
            if quoted {
                line = line.trim_start().strip_prefix('>')?;
            }
            if line.trim().is_empty() {
                return None;
            }
            formula.push('\n');
            match line.find("$$") {
                Some(end) if line[end + 2..].trim().is_empty() => {
                    formula.push_str(&line[..end + 2]);
                    let sign = self.hold(Held::Formula(formula));
                    self.push(from, &format!("{before}{sign}"));
                    return Some(at + 1);
                }
                Some(_) => return None,
                None => formula.push_str(line),
            }
        }
        None
    }

    /// A line of text, and those that a tag in it spans.
    fn text(&mut self, from: usize) -> usize {
        let text = self.text;
        let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
        let mut next = from + 1;
        let mut at = offset(self.lines[from]);
        let mut end = at + self.lines[from].len();
        let mut out = String::new();
        while let Some((start, found)) = self.next_mark(&text[at..end]) {
            out.push_str(&text[at..at + start]);
            at += start;
            let length = match found {
                Found::Tilde => {
                    let sign = self.tilde();
                    out.push_str(&sign);
                    1
                }
                Found::Code(length) | Found::Tildes(length) => {
                    out.push_str(&text[at..at + length]);
                    length
                }
                Found::Size { picture, size } => {
                    self.tell(FindingCode::AttributesUnused, from, size.trim_matches([' ', '|']));
                    out.push_str(picture);
                    picture.len() + size.len()
                }
                Found::Tag(close) => match bounded(&text[at..]).find(close) {
                    Some(length) => self.tag(&text[at..], length + close.len(), from, &mut out),
                    None => self.unended(&text[at..], &mut out),
                },
                Found::Mdx(mark) => match mdx::end(bounded(&text[at..]), mark) {
                    Some(length) => self.mdx(&text[at..at + length], mark, from, &mut out),
                    None => self.unended(&text[at..], &mut out),
                },
            };
            at += length;
            while end < at {
                let Some(line) = self.lines.get(next) else { break };
                end = offset(line) + line.len();
                next += 1;
            }
        }
        out.push_str(text.get(at..end).unwrap_or_default());
        if out.is_empty() {
            self.push(from, "");
        }
        for line in out.lines() {
            self.push(from, line);
        }
        next
    }

    /// A mark that does not end is text.
    fn unended(&mut self, text: &str, out: &mut String) -> usize {
        self.unended += 1;
        out.push_str(&text[..1]);
        1
    }

    fn next_mark<'s>(&self, text: &'s str) -> Option<(usize, Found<'s>)> {
        if self.unended > MOST_UNENDED {
            return None;
        }
        let mut is_escaped = false;
        for (at, character) in text.char_indices() {
            if std::mem::take(&mut is_escaped) {
                continue;
            }
            let rest = &text[at..];
            let found = match character {
                '\\' => {
                    is_escaped = true;
                    None
                }
                '`' => Some(Found::Code(code_end(bounded(rest)))),
                '{' if rest.starts_with("{{<") => Some(Found::Tag(">}}")),
                '{' if rest.starts_with("{{%") => Some(Found::Tag("%}}")),
                '{' if rest.starts_with("{{") && !self.is_mdx && is_value(&rest[2..]) => {
                    Some(Found::Tag("}}"))
                }
                '{' if rest.starts_with("{%") => Some(Found::Tag("%}")),
                '~' => match rest.bytes().take_while(|&byte| byte == b'~').count() {
                    1 => Some(Found::Tilde),
                    run => Some(Found::Tildes(run)),
                },
                '!' if self.is_obsidian && rest.starts_with("![[") => embedded(bounded(rest)),
                '!' if rest.starts_with("![") => sized(bounded(rest)),
                '<' | '{' if self.is_mdx => mdx::Mark::at(rest).map(Found::Mdx),
                _ => None,
            };
            if let Some(found) = found {
                return Some((at, found));
            }
        }
        None
    }

    fn mdx(&mut self, text: &str, mark: mdx::Mark, from: usize, out: &mut String) -> usize {
        if let Some(code) = mark.told(text) {
            self.tell(code, from, text);
        }
        if mark == mdx::Mark::Expression {
            out.push_str(&self.hold(Held::Literal(text.to_owned())));
        } else {
            out.push_str(&self.hold(Held::Nothing));
        }
        text.len()
    }

    /// Puts what stands for a tag into the text, and answers how much of the text that was.
    fn tag(&mut self, text: &str, length: usize, from: usize, out: &mut String) -> usize {
        let tag = &text[..length];
        if tag.starts_with("{{</*") || tag.starts_with("{{%/*") {
            let plain = tag.replacen("/*", "", 1).replacen("*/", "", 1);
            out.push_str(&self.hold(Held::Literal(plain)));
            return length;
        }
        let words = tag.trim_matches(['{', '}', '%', '<', '>', '-', ' ', '\n']);
        let name = words.split_whitespace().next().unwrap_or_default();
        let closing = match (tag.starts_with("{%"), name) {
            (true, "highlight" | "raw" | "comment" | "codeblock") => format!("end{name}"),
            (false, "highlight") => "/highlight".to_owned(),
            _ => String::new(),
        };
        let pair = if self.unpaired > MOST_UNPAIRED { None } else { paired(text, length, &closing) };
        let Some((inside, whole)) = pair else {
            self.unpaired += u32::from(!closing.is_empty());
            out.push_str(&self.hold(Held::Tag(tag.to_owned())));
            return length;
        };
        match name {
            "comment" => {
                self.tell(FindingCode::CommentRemoved, from, inside);
                out.push_str(&self.hold(Held::Nothing));
            }
            "raw" => out.push_str(&self.hold(Held::Literal(inside.to_owned()))),
            _ => {
                let info = words[name.len()..].trim();
                let info = if name == "codeblock" { codeblock_info(info) } else { highlight_info(info) };
                let code = inside.trim_start_matches(['\n', '\r']).trim_end();
                let fence = "`".repeat(3.max(longest_run(code) + 1));
                out.push_str(&format!("\n{fence}{info}\n{code}\n{fence}\n"));
            }
        }
        whole
    }
}
