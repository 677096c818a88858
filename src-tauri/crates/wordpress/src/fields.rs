//! The fields of posts that a site registers: custom fields, footnotes, and who the author is.

use std::collections::BTreeMap;

use ichido_core::id::RemoteId;
use ichido_core::operation::Kind;
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::Class;
use crate::address::Query;
use crate::answer::Expected;
use crate::client::Client;
use crate::create::Letter;
use crate::errors::{AskError, Malformed};
use crate::read::{Answered, Patience};
use crate::rows::{self, Row};
use crate::text;

/// The name of the field that holds the footnotes of the editor's own block.
pub const FOOTNOTES: &str = "footnotes";

const MOST_FIELDS: usize = 500;
const LONGEST_NAME: usize = 200;

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// Several of one kind.
    List(Box<Self>),
    /// Anything else.
    Other,
}

/// A custom field that posts of a site have.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What it holds.
    pub kind: FieldKind,
    /// What it shows where nothing was written.
    pub unset: Value,
}

/// The fields of one post, as the site shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct PostFields {
    /// The post.
    pub row: Row,
    /// Its custom fields, each with its value.
    pub values: BTreeMap<String, Value>,
}

/// Fields to be written to a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldsRequest {
    /// The draft.
    pub post: RemoteId,
    /// Custom fields, each with its value.
    pub values: BTreeMap<String, Value>,
}

impl Client {
    /// Asks which custom fields posts have, by the site's own description of them. What it does not name, it would
    /// drop without a word.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn post_fields(&self) -> Result<BTreeMap<String, Field>, AskError> {
        let route = Class::Posts.path();
        let got =
            self.ask::<Value>(Method::OPTIONS, route, &Query::default(), Patience::Patient).await?.value;
        // PHP writes an empty object as a list.
        let fields = match got.pointer("/schema/properties/meta/properties") {
            Some(Value::Object(fields)) => fields.clone(),
            Some(_) | None => Map::new(),
        };
        Ok(fields
            .iter()
            .take(MOST_FIELDS)
            .filter(|(name, _)| name.len() <= LONGEST_NAME && text::shortened(name, LONGEST_NAME) == **name)
            .filter(|(_, schema)| schema.get("readonly") != Some(&Value::Bool(true)))
            .map(|(name, schema)| (name.clone(), field(schema)))
            .collect())
    }

    /// Reads a post with its custom fields. `None` where there is none, or it is not ours to edit.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn fields_of(&self, post: RemoteId) -> Result<Option<Answered<PostFields>>, AskError> {
        let wanted = format!("{},meta", rows::fields(Class::Posts));
        let query = Query::default().with("context", "edit").with("_fields", &wanted);
        match self.get::<Value>(&format!("{}/{post}", Class::Posts.path()), &query).await {
            Ok(got) => {
                let row = rows::row(Class::Posts, &got.value).filter(|row| row.id == post);
                let row = row.ok_or(AskError::Unreadable(Malformed { line: 0, column: 0 }))?;
                let values = match got.value.get("meta") {
                    Some(Value::Object(values)) => values.clone().into_iter().collect(),
                    Some(_) | None => BTreeMap::new(),
                };
                Ok(Some(Answered { value: PostFields { row, values }, site_time: got.site_time }))
            }
            Err(AskError::Status { status: 403 | 404, code: Some(code) }) if code.starts_with("rest_") => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes fields of a draft and nothing else of it. May be repeated. Refusals as of [`Client::attach`].
    pub async fn write_fields(&self, permit: SendPermit, request: &FieldsRequest) -> Sent {
        let mut letter = Letter::change(
            format!("{}/{}", Class::Posts.path(), request.post),
            &json!({ "meta": request.values }),
        );
        letter.fields = rows::fields(Class::Posts);
        self.send(permit, Kind::Fields, Expected::PostChange(request.post), Some(letter)).await
    }
}

fn field(schema: &Value) -> Field {
    let kind = kind(schema);
    let unset = schema.get("default").cloned().unwrap_or(Value::Null);
    Field { kind, unset }
}

fn kind(schema: &Value) -> FieldKind {
    let name = match schema.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        // Of several the first that is something.
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => None,
    };
    match name {
        Some("string") => FieldKind::Text,
        Some("integer") => FieldKind::Integer,
        Some("number") => FieldKind::Number,
        Some("boolean") => FieldKind::Flag,
        Some("array") => match schema.get("items").map(self::kind) {
            Some(inner @ (FieldKind::Text | FieldKind::Integer | FieldKind::Number | FieldKind::Flag)) => {
                FieldKind::List(Box::new(inner))
            }
            Some(FieldKind::List(_) | FieldKind::Other) | None => FieldKind::Other,
        },
        Some(_) | None => FieldKind::Other,
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
