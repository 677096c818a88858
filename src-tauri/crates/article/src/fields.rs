//! Custom fields, as the front matter gives them.

use std::borrow::Cow;

use crate::finding::{FindingCode, Findings};
use crate::front_matter::{Entry, Value};
use crate::keys::{self, Meaning};
use crate::meta::{Read, text};
use crate::options::Options;

/// The value of a custom field, as it was written: what kind it is, the site says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// One value.
    Text(String),
    /// Several.
    List(Vec<String>),
}

impl FieldValue {
    /// What tells it from another value.
    pub(crate) fn digested(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::List(values) => Cow::Owned(values.iter().map(|value| format!("\u{0}{value}")).collect()),
        }
    }
}

/// The field in which the notes of a text are kept; nobody writes it by hand.
const FOOTNOTES: &str = "footnotes";

/// Whether an entry is a map, as custom fields are.
pub(crate) fn is_map(entry: &Entry) -> bool {
    matches!(entry.value, Value::Map(_))
}

/// Reads the fields that the settings name by a key of the front matter, and those in maps of their own.
pub(crate) fn read(
    entries: &[Entry],
    options: &Options,
    findings: &mut Findings,
) -> Vec<(String, FieldValue)> {
    let mut fields = Fields { found: Vec::new(), findings };
    for (key, field) in &options.custom_fields {
        if let Some(entry) = entries.iter().find(|entry| keys::plain(&entry.key) == keys::plain(key)) {
            fields.add(field, entry);
        }
    }
    for entry in entries {
        if let (Some((Meaning::Fields, _)), Value::Map(inner)) = (keys::meaning(&entry.key), &entry.value) {
            for field in inner {
                fields.add(&field.key, field);
            }
        }
    }
    fields.found
}

struct Fields<'a> {
    found: Vec<(String, FieldValue)>,
    findings: &'a mut Findings,
}

impl Fields<'_> {
    fn add(&mut self, field: &str, entry: &Entry) {
        let read = if field == FOOTNOTES { Read::Unusable } else { value(&entry.value) };
        let value = match read {
            Read::Value(value) => value,
            Read::Nothing => return,
            Read::Unusable => {
                self.findings.add(FindingCode::ValueUnusable, entry.line, &[("key", &entry.key)]);
                return;
            }
        };
        match self.found.iter().find(|(known, _)| known == field) {
            Some((_, known)) if *known == value => {}
            Some(_) => {
                let params = [("key", field), ("other", entry.key.as_str())];
                self.findings.add(FindingCode::KeyConflict, entry.line, &params);
            }
            None => self.found.push((field.to_owned(), value)),
        }
    }
}

fn value(value: &Value) -> Read<FieldValue> {
    let Value::List(values) = value else {
        return match text(value) {
            Read::Value(text) => Read::Value(FieldValue::Text(text)),
            Read::Nothing => Read::Nothing,
            Read::Unusable => Read::Unusable,
        };
    };
    let mut texts = Vec::with_capacity(values.len());
    for value in values {
        match text(value) {
            Read::Value(text) => texts.push(text),
            Read::Nothing => {}
            Read::Unusable => return Read::Unusable,
        }
    }
    if texts.is_empty() { Read::Nothing } else { Read::Value(FieldValue::List(texts)) }
}
