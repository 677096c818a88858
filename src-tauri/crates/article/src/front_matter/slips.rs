//! Slips of people who write YAML by hand, told in their own words rather than the parser's.

use super::{Entry, Problem, Value, is_key};
use crate::finding::FindingCode;
use crate::keys;

/// Finds the slip behind text that is no YAML.
pub(super) fn behind(matter: &str, first_line: u32, problem: &Problem) -> Option<Problem> {
    if problem.code != FindingCode::FrontMatterSyntax {
        return None;
    }
    full_width(matter, first_line)
        .or_else(|| tab(matter, first_line))
        .or_else(|| unquoted(matter, first_line, problem.line))
}

/// Finds a known key whose value YAML takes for a comment, such as `tags: #a`.
pub(super) fn comment_for_value(matter: &str, first_line: u32, entries: &[Entry]) -> Option<Problem> {
    let lost =
        entries.iter().filter(|entry| entry.value == Value::Null && keys::meaning(&entry.key).is_some());
    lost.filter_map(|entry| {
        let line = entry.line?;
        let written = matter.lines().nth(usize::try_from(line.checked_sub(first_line)?).ok()?)?;
        let (_, value) = written.split_once(':')?;
        let value = value.trim();
        let is_meant =
            value.strip_prefix('#').is_some_and(|rest| !rest.is_empty() && !rest.starts_with([' ', '#']));
        is_meant.then(|| slip(FindingCode::FrontMatterQuotes, line, &entry.key, value))
    })
    .next()
}

/// The line whose key is followed by a colon or a space of the wrong width.
fn full_width(matter: &str, first_line: u32) -> Option<Problem> {
    numbered(matter, first_line).find_map(|(number, line)| {
        let (key, after) = line.split_at(line.find([':', '：'])?);
        let is_slip = is_key(key) && (after.starts_with('：') || after.starts_with(":\u{3000}"));
        is_slip.then(|| Problem::new(FindingCode::FrontMatterFullWidth, Some(number)))
    })
}

fn tab(matter: &str, first_line: u32) -> Option<Problem> {
    let (number, _) = numbered(matter, first_line).find(|(_, line)| {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[..indent].contains('\t') && !line.trim().is_empty()
    })?;
    Some(Problem::new(FindingCode::FrontMatterTab, Some(number)))
}

/// The value that wants quotes: on the line where the parser stumbled or before it.
fn unquoted(matter: &str, first_line: u32, stumbled: Option<u32>) -> Option<Problem> {
    let until = stumbled.unwrap_or(u32::MAX);
    let slips = numbered(matter, first_line).take_while(|(number, _)| *number <= until).filter_map(
        |(number, line)| {
            let (key, value) = line.split_once(':')?;
            let (key, value) = (key.trim_start_matches([' ', '-']), value.trim());
            if !is_key(key) {
                return None;
            }
            let code = match value.chars().next()? {
                '"' if value.matches('"').count() == 2 && !value.ends_with('"') => {
                    FindingCode::FrontMatterQuotes
                }
                '"' | '\'' | '|' | '>' | '{' => return None,
                '[' if is_closed_list(value) => return None,
                '*' | '&' | '!' if is_meant_for_yaml(value) => return None,
                '[' | '@' | '`' | '%' | '*' | '&' | '!' | ']' | '}' | ',' => FindingCode::FrontMatterQuotes,
                _ if value.contains(": ") || value.ends_with(':') => FindingCode::FrontMatterColon,
                _ => return None,
            };
            Some(slip(code, number, key, value))
        },
    );
    slips.last()
}

/// Whether a value may begin with an anchor, an alias or a tag: a sign and a word in ASCII.
fn is_meant_for_yaml(value: &str) -> bool {
    let word = value[1..].split(' ').next().unwrap_or_default();
    !word.is_empty()
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "!_-".contains(character))
}

/// Whether brackets stand around the whole value, as around a list.
fn is_closed_list(value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or(value).trim_end();
    value.ends_with(']') || !value.contains(']')
}

fn slip(code: FindingCode, line: u32, key: &str, value: &str) -> Problem {
    let mut problem = Problem::new(code, Some(line));
    problem.params = vec![("key", key.trim().to_owned()), ("value", value.replace('"', "\\\""))];
    problem
}

fn numbered(matter: &str, first_line: u32) -> impl Iterator<Item = (u32, &str)> {
    (first_line..).zip(matter.lines())
}
