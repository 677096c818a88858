//! A request once it has been read whole.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, Method};
use bytes::Bytes;
use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::route::Route;

/// A file out of a multipart body.
#[derive(Debug, Clone)]
pub(crate) struct SentFile {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

/// A request once it has been read whole.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Fields of a form body, URL-encoded or multipart.
    pub(crate) form: Vec<(String, String)>,
    pub(crate) file: Option<SentFile>,
    pub(crate) route: Route,
    /// The id of the user that the credentials belong to; none for strangers.
    pub(crate) user: Option<u64>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
    }

    /// The operation id in `Idempotency-Key`, without its quotation marks.
    pub(crate) fn operation(&self) -> Option<String> {
        let sent = self.header("idempotency-key")?.trim();
        Some(sent.trim_matches('"').chars().take(200).collect())
    }

    /// Merges the parameters as WordPress does: JSON before form before query string.
    pub(crate) fn params(&self) -> Result<Params, Refusal> {
        let mut merged = Map::new();
        merge(&mut merged, url::form_urlencoded::parse(self.query.as_bytes()));
        merge(&mut merged, self.form.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let json = self
            .header("content-type")
            .is_some_and(|kind| kind.to_ascii_lowercase().starts_with("application/json"));
        if json && !self.body.is_empty() {
            match serde_json::from_slice(&self.body) {
                Ok(Value::Object(map)) => merged.extend(map),
                Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {}
                Err(_) => {
                    let said = Refusal::new(400, "rest_invalid_json").with("json_error_code", 4.into());
                    return Err(said.with("json_error_message", "Syntax error".into()));
                }
            }
        }
        Ok(Params(merged))
    }
}

/// Reads `a=1`, `a[]=1&a[]=2`, `a[0]=1` and `a[raw]=x` as PHP does, one level deep.
fn merge<N: AsRef<str>, V: AsRef<str>>(into: &mut Map<String, Value>, pairs: impl Iterator<Item = (N, V)>) {
    let mut grouped: BTreeMap<String, Value> = BTreeMap::new();
    for (name, value) in pairs {
        let value = Value::String(value.as_ref().to_owned());
        match name.as_ref().split_once('[') {
            None => {
                grouped.insert(name.as_ref().to_owned(), value);
            }
            Some((base, rest)) => {
                let key = rest.trim_end_matches(']');
                let listed = key.is_empty() || key.bytes().all(|byte| byte.is_ascii_digit());
                let slot = grouped.entry(base.to_owned()).or_insert(Value::Null);
                if listed {
                    if let Value::Array(list) = slot {
                        list.push(value);
                    } else {
                        *slot = Value::Array(vec![value]);
                    }
                } else if let Value::Object(map) = slot {
                    map.insert(key.to_owned(), value);
                } else {
                    *slot = Value::Object(Map::from_iter([(key.to_owned(), value)]));
                }
            }
        }
    }
    into.extend(grouped);
}

/// The parameters of a request. Each reader refuses what WordPress's schema would refuse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params(Map<String, Value>);

fn wrong(name: &str, wanted: &str) -> Refusal {
    Refusal::parameter(
        name,
        "rest_invalid_type",
        format!("{name} is not of type {wanted}."),
        serde_json::json!({ "param": name }),
    )
}

impl Params {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Err(wrong(name, "string"))
            }
        }
    }

    /// A text that may come as a string or as an object with `raw`; anything else counts as not sent.
    pub(crate) fn raw(&self, name: &str) -> Option<String> {
        match self.0.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Object(map)) => map.get("raw").and_then(Value::as_str).map(str::to_owned),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => None,
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Result<Option<u64>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => number(value).map(Some).ok_or_else(|| wrong(name, "integer")),
        }
    }

    /// Integers as a list, or as one string with commas.
    pub(crate) fn ids(&self, name: &str) -> Result<Option<Vec<u64>>, Refusal> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let parts: Vec<Value> = match value {
            Value::Array(list) => list.clone(),
            Value::String(text) => words(text).map(|word| Value::String(word.to_owned())).collect(),
            Value::Number(_) => vec![value.clone()],
            Value::Null | Value::Bool(_) | Value::Object(_) => return Err(wrong(name, "array")),
        };
        let mut ids = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let Some(id) = number(part) else {
                let said = format!("{name}[{place}] is not of type integer.");
                let inner = serde_json::json!({ "param": format!("{name}[{place}]") });
                return Err(Refusal::parameter(name, "rest_invalid_type", said, inner));
            };
            ids.push(id);
        }
        Ok(Some(ids))
    }

    /// Words as a list, or as one string with commas or spaces.
    pub(crate) fn list(&self, name: &str) -> Result<Option<Vec<String>>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(words(text).map(str::to_owned).collect())),
            Some(Value::Array(list)) => {
                Ok(Some(list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()))
            }
            Some(Value::Number(one)) => Ok(Some(vec![one.to_string()])),
            Some(Value::Null | Value::Bool(_) | Value::Object(_)) => Err(wrong(name, "array")),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" || text == "1" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" || text == "0" => Ok(Some(false)),
            Some(Value::Number(one)) => Ok(Some(one.as_u64() == Some(1))),
            Some(Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_)) => {
                Err(wrong(name, "boolean"))
            }
        }
    }

    /// One of the given words, or none where the parameter is missing.
    pub(crate) fn choice(&self, name: &str, allowed: &[&str]) -> Result<Option<String>, Refusal> {
        let Some(word) = self.text(name)? else { return Ok(None) };
        if allowed.contains(&word.as_str()) {
            return Ok(Some(word));
        }
        Err(not_one_of(name, allowed))
    }

    /// Whether the answer is wanted for editing. Other words than WordPress's are refused.
    pub(crate) fn edits(&self) -> Result<bool, Refusal> {
        Ok(self.choice("context", &["view", "embed", "edit"])?.as_deref() == Some("edit"))
    }
}

/// The refusal of a word that is not in an enumeration.
pub(crate) fn not_one_of(name: &str, allowed: &[&str]) -> Refusal {
    let said = match allowed {
        [only] => format!("{name} is not {only}."),
        _ => format!("{name} is not one of {}.", listed(allowed)),
    };
    Refusal::parameter(name, "rest_not_in_enum", said, Value::Null)
}

/// `a`, `a and b`, `a, b, and c`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter == ',' || letter.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
