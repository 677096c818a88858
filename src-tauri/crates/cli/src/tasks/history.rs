//! `history`: what happened, in the order it happened.

use std::collections::HashMap;
use std::path::Path;

use ichido_core::id::OpId;
use ichido_core::operation::Kind;
use ichido_engine::Engine;
use ichido_journal::{By, HistoryEntry, Journal, Page, ReadError};
use serde_json::Value;

use crate::failure::Failure;
use crate::find;
use crate::out::Out;
use crate::time::local;
use crate::wording::title;

/// How many lines are shown without an article.
const LINES: u32 = 50;

pub(crate) fn run(out: &Out, engine: &Engine, article: Option<&Path>) -> Result<u8, Failure> {
    let journal = engine.journal()?;
    let entries = match article {
        Some(article) => of_article(&journal, article)?,
        None => {
            let mut latest = journal.latest_history(Page { offset: 0, limit: LINES })?;
            latest.reverse();
            latest
        }
    };
    let mut names = HashMap::new();
    for entry in &entries {
        out.object(&ichido_engine::history_object(entry));
        let name = match entry.op_id {
            Some(op_id) => name(out, &journal, &mut names, op_id)?,
            None => String::new(),
        };
        let text = out.texts.find(&format!("history.{}", entry.code)).unwrap_or(&entry.code);
        let by = if entry.by == By::Person { out.texts.get("history.by_person") } else { "" };
        out.line(&format!("{}  {name}{text}{by}{}", local(entry.at), particular(out, entry)));
    }
    if entries.is_empty() {
        out.say("history.nothing", &[]);
    }
    Ok(0)
}

/// An article's history goes on from those of the operations that were given up for it.
fn of_article(journal: &Journal, article: &Path) -> Result<Vec<HistoryEntry>, Failure> {
    let (_, operation) = find::record(journal, None, article, None)?;
    let mut op_ids = journal.predecessors(operation.op_id)?;
    op_ids.push(operation.op_id);
    for used in journal.images_of(operation.op_id)? {
        if !op_ids.contains(&used.image) {
            op_ids.push(used.image);
        }
    }
    let mut entries = Vec::new();
    for op_id in op_ids {
        entries.extend(journal.history_of(op_id)?);
    }
    entries.sort_by_key(|entry| entry.seq);
    Ok(entries)
}

/// Names an operation by its article or image, and by what it does where that is not to create it.
fn name(
    out: &Out,
    journal: &Journal,
    names: &mut HashMap<OpId, String>,
    op_id: OpId,
) -> Result<String, ReadError> {
    if let Some(name) = names.get(&op_id) {
        return Ok(name.clone());
    }
    let operation = journal.operation(op_id)?;
    let name = operation
        .map(|operation| {
            let what = match operation.kind {
                Kind::Post | Kind::Term => String::new(),
                Kind::Image => out.texts.get("history.of_image").to_owned(),
                Kind::Fields => out.texts.get("history.of_fields").to_owned(),
                Kind::Attach => out.texts.get("history.of_attach").to_owned(),
                Kind::PostProcess => out.texts.get("history.of_post_process").to_owned(),
            };
            format!("{what}{}: ", title(&find::name_of(&operation)))
        })
        .unwrap_or_default();
    names.insert(op_id, name.clone());
    Ok(name)
}

/// Returns what the history knows beside the code, where people can read it.
fn particular(out: &Out, entry: &HistoryEntry) -> String {
    let Some(detail) = &entry.detail else { return String::new() };
    let text = |name: &str| detail.get(name).and_then(Value::as_str);
    let reason = text("reason").or_else(|| text("barrier"));
    let known = reason.map(|reason| {
        out.texts.find(&format!("reason.{reason}")).map_or_else(|| crate::text::clean(reason), str::to_owned)
    });
    let id = detail
        .get("id")
        .or_else(|| detail.get("remote_id"))
        .and_then(Value::as_u64)
        .map(|id| format!("#{id}"));
    let parts: Vec<String> = known.into_iter().chain(id).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
