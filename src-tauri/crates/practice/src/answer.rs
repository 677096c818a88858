//! Answers before they go over the wire, and the form of WordPress's errors.

use serde_json::{Map, Value, json};

use crate::messages;
use crate::options::Language;

/// An answer that is still whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// The id of the row that the request made.
    pub(crate) created: Option<u64>,
    /// Whether the request changed anything.
    pub(crate) committed: bool,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &Value) -> Answer {
        Answer {
            status,
            headers: vec![("content-type", "application/json; charset=UTF-8".to_owned())],
            body: body.to_string().into_bytes(),
            created: None,
            committed: false,
        }
    }

    pub(crate) fn html(status: u16, body: impl Into<String>) -> Answer {
        Answer {
            status,
            headers: vec![("content-type", "text/html; charset=UTF-8".to_owned())],
            body: body.into().into_bytes(),
            created: None,
            committed: false,
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Answer {
        self.headers.push((name, value.into()));
        self
    }

    /// Marks the answer as that of a request which changed something.
    pub(crate) fn changed(mut self) -> Answer {
        self.committed = true;
        self
    }

    /// Marks the answer as that of a request which made the row `id`.
    pub(crate) fn made(mut self, id: u64) -> Answer {
        self.created = Some(id);
        self.changed()
    }
}

/// A refusal as WordPress's REST API words it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    status: u16,
    code: String,
    data: Map<String, Value>,
    additional: Vec<Value>,
    bare: bool,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: &str) -> Refusal {
        Refusal { status, code: code.to_owned(), data: Map::new(), additional: Vec::new(), bare: false }
    }

    /// A refusal for want of a permission: 401 for strangers, 403 for users.
    pub(crate) fn forbidden(known: bool, code: &str) -> Refusal {
        Refusal::new(if known { 403 } else { 401 }, code)
    }

    pub(crate) fn with(mut self, key: &str, value: Value) -> Refusal {
        self.data.insert(key.to_owned(), value);
        self
    }

    pub(crate) fn and(mut self, value: Value) -> Refusal {
        self.additional.push(value);
        self
    }

    /// A refusal whose `data` is null, as code below the REST API makes them.
    pub(crate) fn without_data(mut self) -> Refusal {
        self.bare = true;
        self
    }

    /// `rest_invalid_param` for one parameter, with the inner error's code and status.
    pub(crate) fn parameter(name: &str, code: &str, said: String, inner: Value) -> Refusal {
        Refusal::new(400, "rest_invalid_param")
            .with("params", json!({ name: said.clone() }))
            .with("details", json!({ name: { "code": code, "message": said, "data": inner } }))
    }

    pub(crate) fn answer(self, language: Language) -> Answer {
        let mut message = messages::of(&self.code, language).to_owned();
        if let Some(params) = self.data.get("params") {
            let names: Vec<String> = match params {
                Value::Object(map) => map.keys().cloned().collect(),
                Value::Array(list) => {
                    list.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
            };
            message.push_str(&names.join(", "));
        }
        let mut data = Map::new();
        data.insert("status".to_owned(), self.status.into());
        data.extend(self.data);
        let data = if self.bare { Value::Null } else { Value::Object(data) };
        let mut body = json!({ "code": self.code, "message": message, "data": data });
        if let (false, Some(map)) = (self.additional.is_empty(), body.as_object_mut()) {
            map.insert("additional_data".to_owned(), Value::Array(self.additional));
        }
        Answer::json(self.status, &body)
    }
}

/// What a REST route ends in.
pub(crate) type Reply = Result<Answer, Refusal>;
