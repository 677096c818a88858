//! TOML.

use toml::de::{DeTable, DeValue};

use super::{Entry, MAX_DEPTH, MAX_VALUES, Problem, Value};
use crate::finding::FindingCode;

pub(super) fn read(matter: &str, first_line: u32) -> Result<Vec<Entry>, Problem> {
    let line_at = |at: usize| first_line + super::newlines(matter.get(..at).unwrap_or(matter));
    let table = DeTable::parse(matter).map_err(|error| {
        Problem::syntax("toml", error.span().map(|span| line_at(span.start)), error.message())
    })?;
    let mut left = MAX_VALUES;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let line = line_at(key.span().start);
        let value = value_of(value.get_ref(), &mut left, MAX_DEPTH)
            .ok_or_else(|| Problem::new(FindingCode::FrontMatterTooLarge, Some(line)))?;
        entries.push(Entry { key: key.get_ref().to_string(), line: Some(line), value });
    }
    Ok(entries)
}

fn value_of(value: &DeValue<'_>, left: &mut usize, depth: usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    Some(match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Text(number.to_string()),
        DeValue::Float(number) => Value::Text(number.to_string()),
        DeValue::Boolean(truth) => Value::Text(truth.to_string()),
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(values) => Value::List(
            values.iter().map(|value| value_of(value.get_ref(), left, depth)).collect::<Option<_>>()?,
        ),
        DeValue::Table(table) => Value::Map(
            table
                .iter()
                .map(|(key, value)| {
                    let value = value_of(value.get_ref(), left, depth)?;
                    Some(Entry { key: key.get_ref().to_string(), line: None, value })
                })
                .collect::<Option<_>>()?,
        ),
    })
}
