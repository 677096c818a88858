//! YAML, read from parser events so that scalars stay as they are written.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::{Entry, MAX_DEPTH, MAX_VALUES, Problem, Value};
use crate::finding::FindingCode;

enum Open {
    List { anchor: usize, values: Vec<Value> },
    Map { anchor: usize, entries: Vec<Entry>, key: Option<(String, u32)> },
}

pub(super) fn read(matter: &str, first_line: u32) -> Result<Vec<Entry>, Problem> {
    let line_of =
        |line: usize| first_line.saturating_add(u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX));
    let mut parser = Parser::new_from_str(matter);
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, (Value, usize)> = HashMap::new();
    let mut count = 0_usize;
    let mut root = None;
    while let Some(event) = parser.next_event() {
        let (event, span) = event
            .map_err(|error| Problem::syntax("yaml", Some(line_of(error.marker().line())), error.info()))?;
        let line = line_of(span.start.line());
        let too_large = || Problem::new(FindingCode::FrontMatterTooLarge, Some(line));
        let (value, anchor) = match event {
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => continue,
            Event::StreamEnd | Event::DocumentEnd => break,
            Event::SequenceStart(anchor, _) => {
                open.push(Open::List { anchor, values: Vec::new() });
                if open.len() > MAX_DEPTH {
                    return Err(too_large());
                }
                continue;
            }
            Event::MappingStart(anchor, _) => {
                open.push(Open::Map { anchor, entries: Vec::new(), key: None });
                if open.len() > MAX_DEPTH {
                    return Err(too_large());
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List { anchor, values }) => (Value::List(values), anchor),
                Some(Open::Map { anchor, entries, .. }) => (Value::Map(entries), anchor),
                None => continue,
            },
            Event::Scalar(text, style, anchor, _) => {
                let is_null =
                    style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                (if is_null { Value::Null } else { Value::Text(text.into_owned()) }, anchor)
            }
            Event::Alias(anchor) => {
                let Some((value, size)) = anchors.get(&anchor) else {
                    return Err(Problem::syntax("yaml", Some(line), "alias of an unfinished value"));
                };
                count = count.saturating_add(*size);
                if count > MAX_VALUES {
                    return Err(too_large());
                }
                (value.clone(), 0)
            }
        };
        count += 1;
        if count > MAX_VALUES {
            return Err(too_large());
        }
        if anchor != 0 {
            let size = value.count();
            anchors.insert(anchor, (value.clone(), size));
        }
        place(value, line, &mut open, &mut root)?;
    }
    match root {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Map(entries)) => Ok(entries),
        Some(Value::Text(_) | Value::List(_)) => Err(Problem::syntax("yaml", Some(first_line), "no keys")),
    }
}

fn place(value: Value, line: u32, open: &mut [Open], root: &mut Option<Value>) -> Result<(), Problem> {
    match open.last_mut() {
        None => {
            root.get_or_insert(value);
        }
        Some(Open::List { values, .. }) => values.push(value),
        Some(Open::Map { entries, key, .. }) => match key.take() {
            Some((key, line)) => entries.push(Entry { key, line: Some(line), value }),
            None => {
                let text = match value {
                    Value::Text(text) => text,
                    Value::Null => String::new(),
                    Value::List(_) | Value::Map(_) => {
                        return Err(Problem::syntax("yaml", Some(line), "a key that is no text"));
                    }
                };
                *key = Some((text, line));
            }
        },
    }
    Ok(())
}
