//! Custom fields and footnotes: what the site takes, and writing it to drafts that are there. May be repeated.

use std::collections::BTreeMap;

use ichido_article::{Article, Editor, FieldValue, Footnote};
use ichido_core::apply::Event as CoreEvent;
use ichido_core::content;
use ichido_core::decide::{Decision, SkipNote};
use ichido_core::digest::Digest;
use ichido_core::operation::{Kind, State};
use ichido_core::outcome::Outcome;
use ichido_core::tally::Pause;
use ichido_journal::{Key, NewOperation, Note as JournalNote, Operation, SendFacts};
use ichido_wordpress::{FOOTNOTES, Field, FieldKind, FieldsRequest, PostFields};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use crate::attach::{NO_FACTS, open};
use crate::errors::RunError;
use crate::event::{Event, Note};
use crate::evidence::Expected;
use crate::item::Item;
use crate::near::near;
use crate::outbox;
use crate::pause::pause_of;
use crate::session::{Session, name_of};

/// A field to be written; kept with the draft's `sending` row, so that it is known what still has to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    value: Value,
    /// What the field shows where nothing was written.
    unset: Value,
}

/// The fields that posts of the site have, as far as a batch needs them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(BTreeMap<String, Field>);

impl Fields {
    /// Asks for the fields, if any of the articles has some.
    pub(crate) async fn find<'a>(
        session: &Session<'_>,
        mut articles: impl Iterator<Item = &'a Article>,
    ) -> Result<Self, Pause> {
        let classic = session.settings.classic;
        if !articles.any(|article| needs_fields(article, classic)) {
            return Ok(Self::default());
        }
        match session.client.post_fields().await {
            Ok(fields) => Ok(Self(fields)),
            Err(error) => Err(pause_of(&error)),
        }
    }

    /// Returns what the editor of the site knows, as far as its fields tell: the blocks that came with the field of the
    /// footnotes are there where it is.
    pub(crate) fn editor(&self) -> Editor {
        let is_newer = self.0.get(FOOTNOTES).is_some_and(|field| field.kind == FieldKind::Text);
        Editor { details: is_newer, footnotes: is_newer }
    }

    /// Returns what is to be written for an article, or what is wrong with each field that cannot be. None is ever
    /// dropped: the site would do that without a word.
    pub(crate) fn of(&self, article: &Article) -> Result<BTreeMap<String, Wanted>, Vec<Note>> {
        let mut wanted = BTreeMap::new();
        let mut notes = Vec::new();
        for (name, written) in &article.custom_fields {
            match self.0.get(name) {
                None => {
                    let near = near(name, self.0.keys().map(String::as_str));
                    notes.push(Note::FieldUnknown { name: name.clone(), near });
                }
                Some(field) => match value(&field.kind, written) {
                    Some(value) => {
                        wanted.insert(name.clone(), Wanted { value, unset: field.unset.clone() });
                    }
                    None => {
                        notes.push(Note::FieldUnusable { name: name.clone(), wants: wants(&field.kind) });
                    }
                },
            }
        }
        if notes.is_empty() { Ok(wanted) } else { Err(notes) }
    }
}

fn needs_fields(article: &Article, classic: bool) -> bool {
    !article.custom_fields.is_empty() || (!classic && article.depends_on_the_editor())
}

impl Wanted {
    /// The notes of a text, as the editor's own block keeps them.
    pub(crate) fn footnotes(notes: &[Footnote]) -> Self {
        let notes: Vec<Value> =
            notes.iter().map(|note| json!({ "id": note.id, "content": note.content })).collect();
        let value = Value::String(Value::Array(notes).to_string());
        Self { value, unset: Value::String(String::new()) }
    }
}

/// Reads a value as the kind that the site says.
fn value(kind: &FieldKind, written: &FieldValue) -> Option<Value> {
    match (kind, written) {
        (FieldKind::List(inner), FieldValue::List(values)) => {
            values.iter().map(|text| scalar(inner, text)).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        // One value is a list of one.
        (FieldKind::List(inner), FieldValue::Text(text)) => {
            scalar(inner, text).map(|value| Value::Array(vec![value]))
        }
        (_, FieldValue::Text(text)) => scalar(kind, text),
        (_, FieldValue::List(_)) => None,
    }
}

fn scalar(kind: &FieldKind, text: &str) -> Option<Value> {
    match kind {
        FieldKind::Text => Some(Value::String(text.to_owned())),
        FieldKind::Integer => text.parse::<i64>().ok().map(Value::from),
        FieldKind::Number => match text.parse::<i64>() {
            Ok(whole) => Some(Value::from(whole)),
            Err(_) => text.parse().ok().and_then(Number::from_f64).map(Value::Number),
        },
        FieldKind::Flag => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(Value::Bool(true)),
            "false" | "no" | "off" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        FieldKind::List(_) | FieldKind::Other => None,
    }
}

const fn wants(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Text => "text",
        FieldKind::Integer => "integer",
        FieldKind::Number => "number",
        FieldKind::Flag => "flag",
        FieldKind::List(_) => "list",
        FieldKind::Other => "other",
    }
}

/// Plans what a draft that is there still needs of fields.
pub(crate) fn plan(session: &Session<'_>, post: &Operation) -> Result<(), RunError> {
    if Expected::of(post).fields.is_empty() || post.remote_id.is_none() {
        return Ok(());
    }
    let new = NewOperation {
        op_id: session.new_op_id(),
        site: session.site.id,
        kind: Kind::Fields,
        post_type: String::new(),
        key: Key::fields(post.op_id),
        slug: String::new(),
        title: post.title.clone(),
        source_path: post.source_path.clone(),
        source_digest: None,
        images: Vec::new(),
    };
    session.runner.plan(&new, session.now())?;
    Ok(())
}

/// What became of the fields of one draft.
enum Written {
    /// They are as they were wanted.
    AsWanted,
    /// Told, and at an end.
    Told(Note),
    /// The next run goes on with it.
    Later,
    /// The site does not answer: nothing more is tried in this run.
    SiteSilent,
}

/// Writes what is planned, oldest first. What fails is tried by the next run; a refusal is a note.
pub(crate) async fn run(session: &Session<'_>, items: &[Item]) -> Result<(), RunError> {
    let mut todo = open(session, Kind::Fields, &["planned", "waiting"])?;
    todo.sort_unstable_by_key(|operation| operation.op_id);
    let mut silent = false;
    for operation in todo {
        let Some(post) = operation.key.fields_of() else { continue };
        let Some(post) = session.runner.operation(post)? else { continue };
        let wanted = Expected::of(&post).fields;
        let written =
            if silent { Written::SiteSilent } else { write(session, &operation, &post, &wanted).await? };
        let note = match written {
            Written::AsWanted => continue,
            Written::Told(note) => note,
            Written::Later => Note::FieldsLater { names: names(&wanted) },
            Written::SiteSilent => {
                silent = true;
                Note::FieldsLater { names: names(&wanted) }
            }
        };
        let named = items
            .iter()
            .find(|item| item.operation.as_ref().is_some_and(|own| own.op_id == post.op_id))
            .map_or_else(|| name_of(&operation), |item| item.name.clone());
        session.tell(&Event::Noted { article: named, note });
    }
    Ok(())
}

fn names(wanted: &BTreeMap<String, Wanted>) -> Vec<String> {
    wanted.keys().cloned().collect()
}

/// Writes the fields of one draft, if it still is as it was made, and reads them back.
async fn write(
    session: &Session<'_>,
    operation: &Operation,
    post: &Operation,
    wanted: &BTreeMap<String, Wanted>,
) -> Result<Written, RunError> {
    // What is halted, or was given up for another, is not touched.
    let (State::Done, Some(id)) = (post.standing.state, post.remote_id) else {
        return Ok(Written::Later);
    };
    let now = match session.client.fields_of(id).await {
        Ok(Some(now)) => now.value,
        Ok(None) => return keep(session, operation, post, wanted),
        Err(error) => {
            tracing::warn!(%error, "a draft could not be read before its fields are written");
            return Ok(Written::SiteSilent);
        }
    };
    if differing(wanted, &now).is_empty() {
        skip(session, operation, post, SkipNote::Same)?;
        return Ok(Written::AsWanted);
    }
    if !is_untouched(post, &now, wanted) {
        return keep(session, operation, post, wanted);
    }
    let values = wanted.iter().map(|(name, wanted)| (name.clone(), wanted.value.clone())).collect();
    let request = FieldsRequest { post: id, values };
    let facts = SendFacts { title: operation.title.clone(), ..NO_FACTS };
    let outcome =
        outbox::send(session, operation, &facts, |permit| session.client.write_fields(permit, &request))
            .await?;
    let may_be_there = match outcome {
        Outcome::Created(_) => true,
        Outcome::Refused(_) => return Ok(Written::Told(Note::FieldsRefused { names: names(wanted) })),
        Outcome::NotSent(_) => return Ok(Written::SiteSilent),
        Outcome::Unknown(_) => false,
    };
    let read = match session.client.fields_of(id).await {
        Ok(Some(now)) => now.value,
        Ok(None) | Err(_) if may_be_there => return Ok(Written::AsWanted),
        Ok(None) => return Ok(Written::Later),
        Err(error) => {
            tracing::warn!(%error, "fields could not be read back");
            return Ok(Written::SiteSilent);
        }
    };
    let differing = differing(wanted, &read);
    if may_be_there {
        return Ok(if differing.is_empty() {
            Written::AsWanted
        } else {
            Written::Told(Note::FieldsDiffer { names: differing })
        });
    }
    if differing.is_empty() {
        skip(session, operation, post, SkipNote::Same)?;
        return Ok(Written::AsWanted);
    }
    Ok(Written::Later)
}

fn skip(
    session: &Session<'_>,
    operation: &Operation,
    post: &Operation,
    note: SkipNote,
) -> Result<(), RunError> {
    let Some(id) = post.remote_id else { return Ok(()) };
    let decision = Decision::Skip { id, note };
    session.runner.apply(operation.op_id, CoreEvent::Decided(&decision), JournalNote::at(session.now()))?;
    Ok(())
}

/// Somebody is at work on the draft, or has written to the fields: it stays as it is.
fn keep(
    session: &Session<'_>,
    operation: &Operation,
    post: &Operation,
    wanted: &BTreeMap<String, Wanted>,
) -> Result<Written, RunError> {
    skip(session, operation, post, SkipNote::Differs)?;
    Ok(Written::Told(Note::FieldsKept { names: names(wanted) }))
}

/// Whether a draft is still as it was made. A change saves the whole post again and filters it for the user who makes
/// it: what others put in meanwhile could be lost.
fn is_untouched(post: &Operation, now: &PostFields, wanted: &BTreeMap<String, Wanted>) -> bool {
    let Some(recorded) = &post.recorded else { return false };
    // What a person linked was not made by us.
    let (Some(title), Some(raw)) = (&now.row.title, &now.row.content) else { return false };
    let is_ours = content::marker_of(raw) == Some(post.op_id)
        || (post.normaliser == Some(content::NORMALISER)
            && post.sent_digest == Some(content::sent_digest(title, raw)));
    let same = |then: Option<Digest>, text: &Option<String>| match (then, text) {
        (Some(then), Some(text)) => then == Digest::of_bytes(text.as_bytes()),
        (None, _) | (_, None) => false,
    };
    let empty = |name: &String, wanted: &Wanted| {
        now.values.get(name).is_some_and(|value| {
            let is_empty = match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(values) => values.is_empty(),
                Value::Object(values) => values.is_empty(),
                Value::Bool(_) | Value::Number(_) => false,
            };
            is_empty || *value == wanted.unset || is_as_wanted(name, &wanted.value, value)
        })
    };
    is_ours
        && recorded.status == now.row.status.as_str()
        && same(recorded.title, &now.row.title)
        && same(recorded.content, &now.row.content)
        && wanted.iter().all(|(name, wanted)| empty(name, wanted))
}

/// Names the fields that are not as they were wanted.
fn differing(wanted: &BTreeMap<String, Wanted>, now: &PostFields) -> Vec<String> {
    wanted
        .iter()
        .filter(|(name, wanted)| {
            now.values.get(*name).is_none_or(|value| !is_as_wanted(name, &wanted.value, value))
        })
        .map(|(name, _)| name.clone())
        .collect()
}

/// Whether the site shows what was wanted, but for what it changes by itself.
fn is_as_wanted(name: &str, wanted: &Value, shown: &Value) -> bool {
    match (wanted, shown) {
        (Value::String(wanted), Value::String(shown)) if name == FOOTNOTES => {
            match (serde_json::from_str::<Value>(wanted), serde_json::from_str::<Value>(shown)) {
                (Ok(wanted), Ok(shown)) => is_as_wanted("", &wanted, &shown),
                (Ok(_), Err(_)) | (Err(_), _) => wanted == shown,
            }
        }
        (Value::String(wanted), Value::String(shown)) => {
            content::normalise(wanted) == content::normalise(shown)
        }
        (Value::Number(wanted), Value::Number(shown)) => wanted.as_f64() == shown.as_f64(),
        (Value::Array(wanted), Value::Array(shown)) => {
            wanted.len() == shown.len()
                && wanted.iter().zip(shown).all(|(wanted, shown)| is_as_wanted("", wanted, shown))
        }
        (Value::Object(wanted), Value::Object(shown)) => {
            wanted.len() == shown.len()
                && wanted
                    .iter()
                    .all(|(key, wanted)| shown.get(key).is_some_and(|shown| is_as_wanted("", wanted, shown)))
        }
        (wanted, shown) => wanted == shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_become_what_the_site_says_that_they_are() {
        let text = |text: &str| FieldValue::Text(text.to_owned());
        let list = |texts: &[&str]| FieldValue::List(texts.iter().map(|text| (*text).to_owned()).collect());
        let of_numbers = FieldKind::List(Box::new(FieldKind::Integer));
        for (kind, written, wanted) in [
            (FieldKind::Text, text("0123"), Some(json!("0123"))),
            (FieldKind::Integer, text("-3"), Some(json!(-3))),
            (FieldKind::Integer, text("3.5"), None),
            (FieldKind::Number, text("3.5"), Some(json!(3.5))),
            (FieldKind::Number, text("4"), Some(json!(4))),
            (FieldKind::Number, text("NaN"), None),
            (FieldKind::Flag, text("Yes"), Some(json!(true))),
            (FieldKind::Flag, text("perhaps"), None),
            (of_numbers.clone(), list(&["1", "2"]), Some(json!([1, 2]))),
            (of_numbers.clone(), text("7"), Some(json!([7]))),
            (of_numbers, list(&["1", "x"]), None),
            (FieldKind::Text, list(&["a"]), None),
            (FieldKind::Other, text("a"), None),
        ] {
            assert_eq!(value(&kind, &written), wanted, "{kind:?} {written:?}");
        }
    }

    #[test]
    fn what_the_site_rewrites_is_as_wanted() {
        let notes = r#"[{"id":"fn-1","content":"a & b<br>"}]"#;
        let shown = r#"[{"content":"a &amp; b<br />","id":"fn-1"}]"#;
        assert!(is_as_wanted(FOOTNOTES, &json!(notes), &json!(shown)));
        assert!(!is_as_wanted(FOOTNOTES, &json!(notes), &json!("[]")));
        assert!(!is_as_wanted(FOOTNOTES, &json!(notes), &json!("")));
        assert!(is_as_wanted("n", &json!(4), &json!(4.0)));
        assert!(!is_as_wanted("n", &json!(4), &json!("4")));
        assert!(!is_as_wanted("l", &json!(["a"]), &json!(["a", "b"])));
    }
}
