//! Fenced and indented code.

use super::{Node, Reader};
use crate::block::Block;
use crate::code;
use crate::elements::paragraph_block;
use crate::finding::FindingCode;
use crate::markup::Markup;

/// What stands after the fence.
#[derive(Debug, PartialEq, Eq, Default)]
struct Info<'i> {
    language: &'i str,
    title: &'i str,
    /// What means something to another tool only.
    rest: String,
}

impl<'a> Reader<'_, '_, '_> {
    pub(super) fn fence(&mut self, node: Node<'a>, info: &str, code: &str, out: &mut Vec<Block>) {
        if info.trim() == "math" {
            let mut text = Markup::new();
            self.math(node, &format!("$${code}$$"), &mut text);
            out.push(paragraph_block(text, None));
            return;
        }
        let info = read(info);
        if !info.rest.is_empty() {
            let line = self.line(node);
            self.context.findings.add(FindingCode::AttributesUnused, Some(line), &[("text", &info.rest)]);
        }
        if !info.title.is_empty() {
            let mut text = Markup::new();
            text.open("code").end().text(info.title);
            text.close();
            out.push(paragraph_block(text, Some("code-title".to_owned())));
        }
        out.push(code::block(code, Some(info.language).filter(|language| !language.is_empty())));
    }

    /// Writes a formula as it stands, for the site's plugin. Its lines are joined: no line end means anything to
    /// TeX but the one that ends a comment.
    pub(super) fn math(&mut self, node: Node<'a>, formula: &str, out: &mut Markup) {
        let mut joined = String::with_capacity(formula.len());
        let is_long = formula.contains('\n');
        for line in formula.lines() {
            let kept = if is_long { without_comment(line) } else { line };
            if kept.len() < line.len() {
                self.comment(node, &line[kept.len()..]);
            }
            let kept = kept.trim();
            if !joined.is_empty() && !kept.is_empty() {
                joined.push(' ');
            }
            joined.push_str(kept);
        }
        out.text(&joined);
    }
}

/// A line of TeX without its comment.
fn without_comment(line: &str) -> &str {
    let mut is_escaped = false;
    for (at, character) in line.char_indices() {
        match character {
            '%' if !is_escaped => return &line[..at],
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    line
}

/// Reads `js:app.js`, `diff js:app.js`, `js title="app.js" {1,3}` and `{.js #id}`.
fn read(info: &str) -> Info<'_> {
    let info = info.trim();
    let head_end = info.find(['{', '"', '=']).unwrap_or(info.len());
    if let Some(colon) = info[..head_end].find(':') {
        let words: Vec<&str> = info[..colon].split_whitespace().collect();
        if words.len() <= 2 {
            let title = info[colon + 1..].trim();
            let rest = words.get(1).copied().unwrap_or_default().to_owned();
            return Info { language: words.first().copied().unwrap_or_default(), title, rest };
        }
    }
    let mut found = Info::default();
    let mut rest = info;
    if !rest.starts_with('{') {
        let end = rest.find([' ', '\t', '{']).unwrap_or(rest.len());
        (found.language, rest) = rest.split_at(end);
        if found.language.contains('=') {
            (found.language, rest) = ("", info);
        }
    } else if let Some(class) = rest.strip_prefix("{.").or_else(|| rest.strip_prefix('{'))
        && !class.contains('=')
    {
        let end = class.find([' ', '}', ',']).unwrap_or(class.len());
        let (language, more) = class.split_at(end);
        if !language.is_empty() && !language.starts_with(|c: char| c.is_ascii_digit()) {
            found.language = language;
            rest = more.trim().trim_end_matches('}');
        }
    }
    for key in ["title=", "filename=", "name=", "caption="] {
        let Some(at) = rest.find(key).filter(|at| found.title.is_empty() && is_start(rest, *at)) else {
            continue;
        };
        let value = &rest[at + key.len()..];
        let end = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].find(quote).map(|end| end + 2),
            _ => Some(value.find([' ', ',', '}']).unwrap_or(value.len())),
        };
        let Some(end) = end else { continue };
        found.title = value[..end].trim_matches(['"', '\'']).trim();
        found.rest = join(&rest[..at], &value[end..]);
        return found;
    }
    found.rest = join(rest, "");
    found
}

fn is_start(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || matches!(before, '{' | ','))
}

fn join(before: &str, after: &str) -> String {
    let text = format!("{} {}", before.trim(), after.trim());
    let text = text.trim();
    if text.chars().all(|c| matches!(c, '{' | '}' | ',' | ' ')) { String::new() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_title_and_the_rest() {
        for (info, language, title, rest) in [
            ("", "", "", ""),
            ("rust", "rust", "", ""),
            ("js:app.js", "js", "app.js", ""),
            ("js: src/app main.js", "js", "src/app main.js", ""),
            (":app.js", "", "app.js", ""),
            ("diff js:app.js", "diff", "app.js", "js"),
            ("diff js", "diff", "", "js"),
            ("js title=\"app main.js\"", "js", "app main.js", ""),
            ("js {1,3} title='a.js' showLineNumbers", "js", "a.js", "{1,3} showLineNumbers"),
            ("go {linenos=table,hl_lines=[8]}", "go", "", "{linenos=table,hl_lines=[8]}"),
            ("go{filename=\"main.go\"}", "go", "main.go", ""),
            ("{.python}", "python", "", ""),
            ("title=x", "", "x", ""),
            ("rust,ignore", "rust,ignore", "", ""),
            ("mermaid", "mermaid", "", ""),
            ("js \"title", "js", "", "\"title"),
        ] {
            assert_eq!(read(info), Info { language, title, rest: rest.to_owned() }, "{info}");
        }
    }

    #[test]
    fn comments_of_tex_end_with_their_line() {
        assert_eq!(without_comment("a % b"), "a ");
        assert_eq!(without_comment("10\\% of a"), "10\\% of a");
        assert_eq!(without_comment("a \\\\% b"), "a \\\\");
    }
}
