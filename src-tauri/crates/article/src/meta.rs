//! What front matter says about an article.

use unicode_normalization::UnicodeNormalization;

use crate::fields::{self, FieldValue};
use crate::finding::{FindingCode, Findings};
use crate::front_matter::{Entry, Value};
use crate::keys::{self, Meaning};
use crate::options::{DescriptionIs, Options};

/// What stands between names in one text.
const COMMAS: [char; 3] = [',', '、', '，'];

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) line: Option<u32>,
}

/// The fields of an article, as far as the front matter gives them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) title: Option<At<String>>,
    pub(crate) slug: Option<At<String>>,
    pub(crate) excerpt: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) featured: Option<At<String>>,
    pub(crate) featured_alt: Option<String>,
    pub(crate) featured_caption: Option<String>,
    /// Where references that begin with `/` lead.
    pub(crate) root_url: Option<String>,
    /// The values of custom fields, by the names of the fields.
    pub(crate) custom_fields: Vec<(String, FieldValue)>,
    /// The key that says that the article is not to be published.
    pub(crate) ignored_by: Option<At<String>>,
}

/// A key whose value could be read, in the form in which values are compared.
struct Candidate<'e, T> {
    rank: usize,
    entry: &'e Entry,
    value: T,
}

pub(crate) fn read(entries: &[Entry], options: &Options, findings: &mut Findings) -> Meta {
    tell_unused(entries, options, findings);
    let featured = pick(entries, Meaning::Featured, findings, featured);
    let ignored_by = ignored_by(entries, findings);
    let mut meta = Meta {
        title: pick(entries, Meaning::Title, findings, |_, value| one_line(value)),
        slug: pick(entries, Meaning::Slug, findings, slug),
        excerpt: excerpt(entries, options.description_is, findings),
        tags: all_names(entries, Meaning::Tags, findings),
        categories: all_names(entries, Meaning::Categories, findings),
        featured_alt: pick(entries, Meaning::FeaturedAlt, findings, |_, value| one_line(value))
            .map(|at| at.value)
            .or_else(|| beside_featured(entries, "alt")),
        featured_caption: pick(entries, Meaning::FeaturedCaption, findings, |_, value| one_line(value))
            .map(|at| at.value)
            .or_else(|| beside_featured(entries, "caption")),
        featured,
        root_url: pick(entries, Meaning::RootUrl, findings, |_, value| one_line(value)).map(|at| at.value),
        custom_fields: fields::read(entries, options, findings),
        ignored_by,
    };
    if meta.categories.is_empty() {
        meta.categories.clone_from(&options.default_categories);
    }
    meta
}

/// Says which keys are not known, and which are known and not used.
fn tell_unused(entries: &[Entry], options: &Options, findings: &mut Findings) {
    let mut unused: Vec<&Entry> = Vec::new();
    for entry in entries {
        let key = entry.key.as_str();
        if options.custom_fields.iter().any(|(known, _)| keys::plain(known) == keys::plain(key)) {
            continue;
        }
        match keys::meaning(key) {
            Some((Meaning::Unused, _)) => unused.push(entry),
            // Some tools have a text or a list there, which is something else.
            Some((Meaning::Fields, _)) if !fields::is_map(entry) => unused.push(entry),
            Some((Meaning::Description, _)) if options.description_is == DescriptionIs::Ignored => {
                unused.push(entry);
            }
            Some(_) => {}
            None => match keys::similar(key) {
                Some(similar) => {
                    findings.add(FindingCode::KeyUnknown, entry.line, &[("key", key), ("similar", similar)]);
                }
                None => findings.add(FindingCode::KeyUnknown, entry.line, &[("key", key)]),
            },
        }
    }
    if let Some(first) = unused.first() {
        let keys = unused.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>().join(", ");
        findings.add(FindingCode::KeysUnused, first.line, &[("keys", &keys)]);
    }
}

/// The excerpt. A description beside it is usually meant for search engines and differs with reason.
fn excerpt(entries: &[Entry], description_is: DescriptionIs, findings: &mut Findings) -> Option<String> {
    let excerpt = pick(entries, Meaning::Excerpt, findings, |_, value| text(value)).map(|at| at.value);
    let description = match description_is {
        DescriptionIs::Ignored => return excerpt,
        DescriptionIs::Excerpt | DescriptionIs::Seo => {
            pick(entries, Meaning::Description, findings, |_, value| text(value))
        }
    };
    let Some(description) = description else { return excerpt };
    if excerpt.is_none() && description_is == DescriptionIs::Excerpt {
        return Some(description.value);
    }
    if excerpt.as_ref() != Some(&description.value) {
        let key = entries
            .iter()
            .find(|entry| entry.line == description.line)
            .map_or("description", |entry| &entry.key);
        findings.add(FindingCode::DescriptionUnused, description.line, &[("key", key)]);
    }
    excerpt
}

fn all_names(entries: &[Entry], wanted: Meaning, findings: &mut Findings) -> Vec<String> {
    for entry in
        entries.iter().filter(|entry| keys::meaning(&entry.key).is_some_and(|(meaning, _)| meaning == wanted))
    {
        if let Value::Text(written) = &entry.value
            && let written = written.trim()
            && keys::plain(&entry.key).ends_with('s')
            && written.contains(' ')
            && !written.contains(COMMAS)
            && !are_marked(written)
        {
            let params = [("key", entry.key.as_str()), ("value", written)];
            findings.add(FindingCode::ValueAmbiguous, entry.line, &params);
        }
    }
    pick(entries, wanted, findings, |_, value| names(value, wanted == Meaning::Tags))
        .map(|at| at.value)
        .unwrap_or_default()
}

/// The key that keeps the article from being published; anything but yes and no is no answer.
fn ignored_by(entries: &[Entry], findings: &mut Findings) -> Option<At<String>> {
    for entry in entries {
        let wanted = match keys::meaning(&entry.key) {
            Some((Meaning::Ignore, _)) => true,
            Some((Meaning::Publish, _)) => false,
            Some(_) | None => continue,
        };
        let said = match &entry.value {
            Value::Null => continue,
            Value::Text(text) => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" | "" => Some(false),
                _ => None,
            },
            Value::List(_) | Value::Map(_) => None,
        };
        match said {
            Some(said) if said == wanted => return Some(At { value: entry.key.clone(), line: entry.line }),
            Some(_) => {}
            None => findings.add(FindingCode::ValueUnusable, entry.line, &[("key", &entry.key)]),
        }
    }
    None
}

/// What a reader makes of a value.
pub(crate) enum Read<T> {
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

pub(crate) fn text(value: &Value) -> Read<String> {
    match value {
        Value::Null => Read::Nothing,
        Value::Text(text) => match text.trim() {
            "" => Read::Nothing,
            text => Read::Value(composed(text)),
        },
        Value::List(_) | Value::Map(_) => Read::Unusable,
    }
}

/// What was copied out of a file name may be written in parts; the site stores it as it is sent.
fn composed(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { text.nfc().collect() }
}

/// Whether every word is marked as a tag, as in `#a #b`.
fn are_marked(text: &str) -> bool {
    text.split_whitespace().all(|word| word.len() > 1 && word.starts_with('#'))
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
    if !matches!(&*keys::plain(key), "permalink" | "url") {
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
        let name = composed(name);
        if !name.is_empty() && !found.contains(&name) {
            found.push(name);
        }
    };
    match value {
        Value::Null => return Read::Nothing,
        Value::Text(text) if are_tags && are_marked(text.trim()) => {
            text.split_whitespace().for_each(&mut add)
        }
        Value::Text(text) => text.split(COMMAS).for_each(&mut add),
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
