//! Front matter: found at the start of a text, and read into values that keep what was written.

mod json;
mod slips;
mod toml;
mod value;
mod yaml;

pub(crate) use value::{Entry, Value};

use crate::finding::FindingCode;
use crate::keys;

/// Larger front matter is no front matter.
const MAX_BYTES: usize = 64 << 10;
/// More values than any article has; aliases in YAML multiply.
pub(super) const MAX_VALUES: usize = 10_000;
pub(super) const MAX_DEPTH: usize = 16;

/// A text apart from its front matter.
#[derive(Debug)]
pub(crate) struct Split<'t> {
    pub(crate) entries: Vec<Entry>,
    pub(crate) body: &'t str,
    /// The line on which the body starts.
    pub(crate) body_line: u32,
}

/// Why front matter cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) code: FindingCode,
    pub(crate) line: Option<u32>,
    pub(crate) params: Vec<(&'static str, String)>,
}

impl Problem {
    fn new(code: FindingCode, line: Option<u32>) -> Self {
        Self { code, line, params: Vec::new() }
    }

    fn syntax(format: &'static str, line: Option<u32>, detail: &str) -> Self {
        Self {
            code: FindingCode::FrontMatterSyntax,
            line,
            params: vec![("format", format.to_owned()), ("detail", detail.to_owned())],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Yaml,
    Toml,
}

/// Takes the front matter off a text whose line ends are `\n`.
pub(crate) fn split(text: &str) -> Result<Split<'_>, Problem> {
    let start = text.len() - text.trim_start_matches(['\n', ' ', '\t']).len();
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let first_line = line_of(text, line_start);
    let rest = &text[line_start..];
    let without = |entries| Split { entries, body: text, body_line: 1 };

    if let Some(comment) = rest.trim_start().strip_prefix("<!--") {
        return Ok(in_comment(text, comment)?.unwrap_or_else(|| without(Vec::new())));
    }
    if rest.starts_with('{') && rest[1..].trim_start().starts_with(['"', '}']) {
        let (entries, end) = json::read(bounded(rest), first_line)?;
        let body = &rest[end..];
        return Ok(Split { entries, body, body_line: first_line + newlines(&rest[..end]) });
    }
    let Some((format, fence)) = fence(rest) else { return Ok(without(Vec::new())) };
    let after_fence = rest.find('\n').map_or(rest.len(), |at| at + 1);
    let inner = &rest[after_fence..];
    let Some((matter, after)) = close(inner, fence) else {
        // A rule at the top of a text looks the same; only keys tell that front matter was meant.
        return if starts_with_key(inner) {
            let mut problem = Problem::new(FindingCode::FrontMatterUnclosed, Some(first_line));
            problem.params.push(("fence", fence.to_owned()));
            Err(problem)
        } else {
            Ok(without(Vec::new()))
        };
    };
    let is_prose =
        !matter.trim().is_empty() && !matter.lines().any(|line| is_key_line(line) || line.starts_with('{'));
    if is_prose && format == Format::Yaml {
        return Ok(without(Vec::new()));
    }
    let entries = read(format, matter, first_line + 1)?;
    let body = &inner[after..];
    Ok(Split { entries, body, body_line: first_line + 1 + newlines(&inner[..after]) })
}

/// Front matter inside an HTML comment at the top, with fences or without.
fn in_comment<'t>(text: &'t str, comment: &'t str) -> Result<Option<Split<'t>>, Problem> {
    let Some(end) = comment.find("-->") else { return Ok(None) };
    let comment_at = text.len() - comment.len();
    let inner = &comment[..end];
    let start = inner.len() - inner.trim_start().len();
    let matter_at = comment_at + start;
    let matter = inner.trim();
    let line = line_of(text, matter_at);
    let entries = if let Some((format, fence)) = fence(matter) {
        let skipped = matter.find('\n').map_or(matter.len(), |at| at + 1);
        let matter = &matter[skipped..];
        let matter = close(matter, fence).map_or(matter, |(matter, _)| matter);
        read(format, matter, line + 1)?
    } else if matter.starts_with('{') && matter[1..].trim_start().starts_with('"') {
        json::read(bounded(matter), line)?.0
    } else if matter.lines().next().is_some_and(is_known_key_line) {
        read(Format::Yaml, matter, line)?
    } else {
        return Ok(None);
    };
    let body_at = comment_at + end + "-->".len();
    Ok(Some(Split { entries, body: &text[body_at..], body_line: line_of(text, body_at) }))
}

fn read(format: Format, matter: &str, first_line: u32) -> Result<Vec<Entry>, Problem> {
    if matter.len() > MAX_BYTES {
        return Err(Problem::new(FindingCode::FrontMatterTooLarge, Some(first_line)));
    }
    let entries = match format {
        Format::Yaml => yaml::read(matter, first_line)
            .map_err(|problem| slips::behind(matter, first_line, &problem).unwrap_or(problem))
            .and_then(|entries| {
                slips::comment_for_value(matter, first_line, &entries).map_or(Ok(entries), Err)
            }),
        Format::Toml => toml::read(matter, first_line),
    }?;
    no_duplicates(&entries)?;
    Ok(entries)
}

fn no_duplicates(entries: &[Entry]) -> Result<(), Problem> {
    let mut seen = std::collections::HashMap::with_capacity(entries.len());
    for entry in entries {
        if let Some(first_line) = seen.insert(entry.key.as_str(), entry.line) {
            let mut problem = Problem::new(FindingCode::FrontMatterDuplicateKey, entry.line);
            problem.params.push(("key", entry.key.clone()));
            if let Some(first_line) = first_line {
                problem.params.push(("first_line", first_line.to_string()));
            }
            return Err(problem);
        }
    }
    Ok(())
}

fn fence(text: &str) -> Option<(Format, &'static str)> {
    match text.lines().next()?.trim_end() {
        "---" => Some((Format::Yaml, "---")),
        "+++" => Some((Format::Toml, "+++")),
        _ => None,
    }
}

/// The text before the closing fence, and where the text after it starts.
fn close<'t>(text: &'t str, fence: &str) -> Option<(&'t str, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if bare == fence || (fence == "---" && bare == "...") {
            return Some((&text[..at], at + line.len()));
        }
        at += line.len();
    }
    None
}

fn starts_with_key(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(is_key_line)
}

fn is_key_line(line: &str) -> bool {
    line.split_once([':', '：', '=']).is_some_and(|(key, after)| is_key(key) && !after.starts_with("//"))
}

fn is_known_key_line(line: &str) -> bool {
    line.split_once([':', '：']).is_some_and(|(key, _)| keys::meaning(key.trim()).is_some())
}

fn is_key(text: &str) -> bool {
    let key = text.trim_end().trim_matches(['"', '\'']);
    !key.is_empty()
        && key.len() <= 60
        && !text.starts_with([' ', '\t', '-', '#', '>'])
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | 'ー'))
        && key.split(' ').count() <= 3
}

fn bounded(text: &str) -> &str {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn line_of(text: &str, at: usize) -> u32 {
    1 + newlines(&text[..at])
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|&byte| byte == b'\n').count()).unwrap_or(u32::MAX)
}
