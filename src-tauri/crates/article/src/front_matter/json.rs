//! JSON, with the order and repetition of keys as written.

use std::fmt;

use serde_json::Number;
use serde_json::de::{Deserializer, StrRead};

use super::{Entry, Problem, Value};

/// Answers the entries and where the object ends.
pub(super) fn read(text: &str, first_line: u32) -> Result<(Vec<Entry>, usize), Problem> {
    let mut stream = Deserializer::<StrRead<'_>>::from_str(text).into_iter::<Written>();
    let value = match stream.next() {
        Some(Ok(Written(value))) => value,
        Some(Err(error)) => {
            let line = u32::try_from(error.line()).unwrap_or(1).max(1);
            return Err(Problem::syntax("json", Some(first_line + line - 1), &error.to_string()));
        }
        None => Value::Null,
    };
    let end = stream.byte_offset();
    let Value::Map(mut entries) = value else {
        return Err(Problem::syntax("json", Some(first_line), "no object"));
    };
    for entry in &mut entries {
        let quoted = format!("\"{}\"", entry.key);
        entry.line = text[..end].find(&quoted).map(|at| first_line + super::newlines(&text[..at]));
    }
    super::no_duplicates(&entries)?;
    Ok((entries, end))
}

struct Written(Value);

impl<'de> serde::Deserialize<'de> for Written {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor).map(Self)
    }
}

struct Visitor;

impl<'de> serde::de::Visitor<'de> for Visitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Text(truth.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Text(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Text(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, |number| Value::Text(number.to_string())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Written(value)) = sequence.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, Written(value))) = map.next_entry()? {
            entries.push(Entry { key, line: None, value });
        }
        Ok(Value::Map(entries))
    }
}
