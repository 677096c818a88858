//! What front matter says about an article.

use crate::finding::{FindingCode, Findings};
use crate::front_matter::{Entry, Value};
use crate::keys::{self, Meaning};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) line: Option<u32>,
}

/// The fields of an article, as far as the front matter gives them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) title: Option<String>,
    pub(crate) slug: Option<At<String>>,
    pub(crate) excerpt: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) featured: Option<At<String>>,
    pub(crate) featured_alt: Option<String>,
    pub(crate) featured_caption: Option<String>,
}

/// A key whose value could be read, in the form in which values are compared.
struct Candidate<'e, T> {
    rank: usize,
    entry: &'e Entry,
    value: T,
}

pub(crate) fn read(entries: &[Entry], findings: &mut Findings) -> Meta {
    for entry in entries {
        if keys::meaning(&entry.key).is_none() {
            let key = entry.key.as_str();
            match keys::similar(key) {
                Some(similar) => {
                    findings.add(FindingCode::KeyUnknown, entry.line, &[("key", key), ("similar", similar)]);
                }
                None => findings.add(FindingCode::KeyUnknown, entry.line, &[("key", key)]),
            }
        }
    }
    let featured = pick(entries, Meaning::Featured, findings, featured);
    Meta {
        title: pick(entries, Meaning::Title, findings, |_, value| one_line(value)).map(|at| at.value),
        slug: pick(entries, Meaning::Slug, findings, slug),
        excerpt: pick(entries, Meaning::Excerpt, findings, |_, value| text(value)).map(|at| at.value),
        tags: pick(entries, Meaning::Tags, findings, |_, value| names(value, true))
            .map(|at| at.value)
            .unwrap_or_default(),
        categories: pick(entries, Meaning::Categories, findings, |_, value| names(value, false))
            .map(|at| at.value)
            .unwrap_or_default(),
        featured_alt: pick(entries, Meaning::FeaturedAlt, findings, |_, value| one_line(value))
            .map(|at| at.value)
            .or_else(|| beside_featured(entries, "alt")),
        featured_caption: pick(entries, Meaning::FeaturedCaption, findings, |_, value| one_line(value))
            .map(|at| at.value)
            .or_else(|| beside_featured(entries, "caption")),
        featured,
    }
}

/// What a reader makes of a value.
enum Read<T> {
    Value(T),
    /// Nothing is said: the next name may say something.
    Nothing,
    Unusable,
}

/// Takes the value of the first name of a meaning; a different value under another name is an error.
fn pick<T: PartialEq + Clone>(
    entries: &[Entry],
    wanted: Meaning,
    findings: &mut Findings,
    read: impl Fn(&str, &Value) -> Read<T>,
) -> Option<At<T>> {
    let mut candidates = Vec::new();
    for entry in entries {
        let Some((meaning, rank)) = keys::meaning(&entry.key) else { continue };
        if meaning != wanted {
            continue;
        }
        match read(&entry.key, &entry.value) {
            Read::Value(value) => candidates.push(Candidate { rank, entry, value }),
            Read::Nothing => {}
            Read::Unusable => findings.add(FindingCode::ValueUnusable, entry.line, &[("key", &entry.key)]),
        }
    }
    let first = candidates.iter().min_by_key(|candidate| candidate.rank)?;
    if let Some(other) = candidates.iter().find(|candidate| candidate.value != first.value) {
        let params = [("key", first.entry.key.as_str()), ("other", other.entry.key.as_str())];
        findings.add(FindingCode::KeyConflict, other.entry.line, &params);
    }
    Some(At { value: first.value.clone(), line: first.entry.line })
}

fn text(value: &Value) -> Read<String> {
    match value {
        Value::Null => Read::Nothing,
        Value::Text(text) => match text.trim() {
            "" => Read::Nothing,
            text => Read::Value(text.to_owned()),
        },
        Value::List(_) | Value::Map(_) => Read::Unusable,
    }
}

fn one_line(value: &Value) -> Read<String> {
    match text(value) {
        Read::Value(text) => {
            let parts = text.split(['\n', '\t']).map(str::trim).filter(|part| !part.is_empty());
            Read::Value(parts.collect::<Vec<_>>().join(" "))
        }
        other @ (Read::Nothing | Read::Unusable) => other,
    }
}

/// A slug, or the last part of an address; patterns of site generators say nothing.
fn slug(key: &str, value: &Value) -> Read<String> {
    let written = match one_line(value) {
        Read::Value(written) => written,
        other @ (Read::Nothing | Read::Unusable) => return other,
    };
    if !matches!(keys::plain(key).as_str(), "permalink" | "url") {
        return Read::Value(written);
    }
    let path = written.split(['?', '#']).next().unwrap_or_default();
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let last = last.strip_suffix(".html").or(last.strip_suffix(".htm")).unwrap_or(last);
    if last.is_empty() || last.contains(':') { Read::Nothing } else { Read::Value(last.to_owned()) }
}

/// Names as a list or as text with commas between.
fn names(value: &Value, are_tags: bool) -> Read<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        let name = name.trim();
        let name = if are_tags { name.trim_start_matches('#') } else { name };
        if !name.is_empty() && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    };
    match value {
        Value::Null => return Read::Nothing,
        Value::Text(text) => text.split([',', '、', '，']).for_each(&mut add),
        Value::List(values) => {
            for value in values {
                match value {
                    Value::Text(name) => add(name),
                    Value::Null => {}
                    Value::List(_) | Value::Map(_) => return Read::Unusable,
                }
            }
        }
        Value::Map(_) => return Read::Unusable,
    }
    if found.is_empty() { Read::Nothing } else { Read::Value(found) }
}

/// A picture as text, as the first of a list, or inside a map of a theme.
fn featured(key: &str, value: &Value) -> Read<String> {
    const INSIDE: [&str; 7] = ["image", "src", "url", "path", "teaser", "file", "feature"];
    match value {
        Value::Null => Read::Nothing,
        Value::Text(_) if keys::plain(key) == "header" => Read::Nothing,
        // `featured: true` marks an article, it names no picture.
        Value::Text(text) if matches!(text.as_str(), "true" | "false") => Read::Nothing,
        Value::Text(_) => text(value),
        Value::List(values) => values.first().map_or(Read::Nothing, |first| featured(key, first)),
        Value::Map(_) => match INSIDE.iter().find_map(|name| value.under(name)) {
            Some(inside) => text(inside),
            None => Read::Nothing,
        },
    }
}

fn beside_featured(entries: &[Entry], name: &str) -> Option<String> {
    entries
        .iter()
        .filter(|entry| keys::meaning(&entry.key).is_some_and(|(meaning, _)| meaning == Meaning::Featured))
        .find_map(|entry| match one_line(entry.value.under(name)?) {
            Read::Value(text) => Some(text),
            Read::Nothing | Read::Unusable => None,
        })
}
