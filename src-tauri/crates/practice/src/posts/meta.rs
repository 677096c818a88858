//! Custom fields: those that are registered are stored, any other is dropped without a word.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::asked::{Params, not_one_of};
use crate::kses;
use crate::options::Release;
use crate::site::Site;

/// The field of the editor's own footnotes.
const FOOTNOTES: &str = "footnotes";

/// The fields of posts with their schemas: the registered ones, and footnotes in releases that have them.
fn registered(site: &Site) -> BTreeMap<String, Value> {
    let mut fields: BTreeMap<String, Value> = site.fields.iter().cloned().collect();
    if site.release >= Release::V7_1 {
        fields.insert(
            FOOTNOTES.to_owned(),
            json!({ "type": "string", "title": "", "description": "", "default": "" }),
        );
    }
    fields
}

/// The description of the field `meta`, as `OPTIONS` tells it. PHP writes an empty object as a list.
pub(crate) fn schema(site: &Site) -> Value {
    let fields: Map<String, Value> = registered(site).into_iter().collect();
    let properties = if fields.is_empty() { json!([]) } else { Value::Object(fields) };
    json!({ "description": "", "type": "object", "context": ["view", "edit"], "properties": properties })
}

/// The fields of a post, as answers show them.
pub(crate) fn shown(site: &Site, stored: &BTreeMap<String, Value>) -> Value {
    let fields: Map<String, Value> = registered(site)
        .into_iter()
        .map(|(name, schema)| {
            let value = stored.get(&name).cloned().unwrap_or_else(|| unset(&schema));
            (name, value)
        })
        .collect();
    if fields.is_empty() { json!([]) } else { Value::Object(fields) }
}

fn unset(schema: &Value) -> Value {
    if let Some(default) = schema.get("default") {
        return default.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => json!(0),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some(_) | None => json!(""),
    }
}

/// The fields that a request sets, or what is wrong with one.
pub(crate) type Wishes = Result<BTreeMap<String, Value>, Refusal>;

/// Reads the fields that a request wants to set, or what the site says to a value of another kind: not before the post
/// itself is stored.
pub(crate) fn read(params: &Params, site: &Site, filters: bool) -> Result<Wishes, Refusal> {
    let sent = match params.value("meta") {
        None => return Ok(Ok(BTreeMap::new())),
        Some(Value::Object(sent)) => sent,
        Some(Value::Array(sent)) if sent.is_empty() => return Ok(Ok(BTreeMap::new())),
        Some(_) => return Err(not_one_of("meta", &["object"])),
    };
    let mut fields = BTreeMap::new();
    for (name, schema) in registered(site) {
        let Some(value) = sent.get(&name) else { continue };
        if !fits(&schema, value) {
            return Ok(Err(Refusal::new(400, "rest_invalid_type")));
        }
        let value = if filters && name == FOOTNOTES { filtered(value) } else { value.clone() };
        fields.insert(name, value);
    }
    Ok(Ok(fields))
}

fn fits(schema: &Value, value: &Value) -> bool {
    match (schema.get("type").and_then(Value::as_str), value) {
        (Some("string"), Value::String(_)) | (Some("boolean"), Value::Bool(_)) => true,
        (Some("integer"), Value::Number(number)) => number.is_i64() || number.is_u64(),
        (Some("number"), Value::Number(_)) => true,
        (Some("array"), Value::Array(values)) => {
            schema.get("items").is_none_or(|items| values.iter().all(|value| fits(items, value)))
        }
        (Some("object"), Value::Object(_)) | (None, _) => true,
        (Some(_), _) => false,
    }
}

/// What is in each note is filtered as a text is.
fn filtered(value: &Value) -> Value {
    let Some(text) = value.as_str() else { return value.clone() };
    let Ok(mut notes) = serde_json::from_str::<Vec<Map<String, Value>>>(text) else { return json!("") };
    for note in &mut notes {
        for text in note.values_mut() {
            if let Value::String(text) = text {
                *text = kses::content(text);
            }
        }
    }
    json!(json!(notes).to_string())
}
