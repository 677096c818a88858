//! The history for a window: pages of it, and what can be told of the journal without saying what is in it.

use ichido_core::operation::Kind;
use ichido_journal::{By, HistoryEntry, HistoryFilter, Journal, Page, ReadError, SiteId};
use serde_json::{Value, json};

/// Which part of the history is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// All of it.
    All,
    /// What came to the site or was found there.
    Drafts,
    /// What went wrong.
    Trouble,
    /// What people did.
    People,
}

impl About {
    fn codes(self) -> Vec<&'static str> {
        match self {
            Self::All | Self::People => Vec::new(),
            Self::Drafts => vec!["created", "adopted", "verified", "skipped"],
            Self::Trouble => vec![
                "refused",
                "not_sent",
                "outcome_unknown",
                "interrupted",
                "halted",
                "could_not_ask",
                "blocked",
                "unclean_stop",
                "creating_shut",
            ],
        }
    }
}

/// One line of the history, with what it concerns.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryLine {
    /// The line itself.
    pub entry: HistoryEntry,
    /// What the operation makes; nothing where the line concerns a site or everything.
    pub kind: Option<Kind>,
    /// What the operation is called: a title, a file's name; empty where there is none.
    pub name: String,
    /// The row on the site.
    pub row: Option<u64>,
    /// The code of a reason that the line names.
    pub reason: Option<String>,
}

/// Returns a page of the history, newest first, and how many lines there are.
///
/// # Errors
/// Fails if the journal does.
pub fn history(
    journal: &Journal,
    site: Option<SiteId>,
    about: About,
    text: Option<String>,
    page: Page,
) -> Result<(Vec<HistoryLine>, u64), ReadError> {
    let by = (about == About::People).then_some(By::Person);
    let filter = HistoryFilter { site, by, codes: about.codes(), text };
    let mut lines = Vec::new();
    for entry in journal.history(&filter, page)? {
        let operation = entry.op_id.map(|op_id| journal.operation(op_id)).transpose()?.flatten();
        let detail = |name: &str| entry.detail.as_ref().and_then(|detail| detail.get(name));
        let number = |name: &str| detail(name).and_then(Value::as_u64);
        let reason = detail("reason").or_else(|| detail("barrier")).and_then(Value::as_str);
        let row = number("row").or_else(|| number("id")).or_else(|| number("remote_id"));
        let name = operation.as_ref().map(|operation| {
            let file = operation.source_path.as_deref().and_then(std::path::Path::file_name);
            match (operation.kind, file) {
                (Kind::Image, Some(file)) => file.to_string_lossy().into_owned(),
                _ if !operation.title.is_empty() => operation.title.clone(),
                _ => operation.slug.clone(),
            }
        });
        let reason = reason.map(str::to_owned);
        lines.push(HistoryLine {
            kind: operation.as_ref().map(|operation| operation.kind),
            name: name.unwrap_or_default(),
            row,
            reason,
            entry,
        });
    }
    Ok((lines, journal.history_len(&filter)?))
}

/// How many lines of the history a diagnosis holds.
const LINES: u32 = 200;

/// Tells how the journal stands and what happened last, for somebody who is asked for help: codes, counts and times
/// alone. No title, slug, path, address or name of a person is in it.
///
/// # Errors
/// Fails if the journal does.
pub fn diagnosis(journal: &Journal, version: &str) -> Result<String, ReadError> {
    let counts: Vec<Value> = journal
        .counts(None)?
        .iter()
        .map(|count| {
            let state = count.standing.state;
            json!({
                "site": count.site.0,
                "kind": count.kind.as_str(),
                "state": state.as_str(),
                "reason": state.reason(),
                "left": count.standing.left,
                "count": count.count,
            })
        })
        .collect();
    let barriers: Vec<Value> = journal
        .barriers(None)?
        .iter()
        .map(|entry| json!({ "barrier": entry.barrier, "since": entry.since.0 }))
        .collect();
    let mut latest = journal.latest_history(Page { offset: 0, limit: LINES })?;
    latest.reverse();
    let mut short = std::collections::HashMap::new();
    let history: Vec<Value> = latest
        .iter()
        .map(|entry| {
            // Operations are told apart by small numbers.
            let next = short.len() + 1;
            let operation = entry.op_id.map(|op_id| *short.entry(op_id).or_insert(next));
            let detail = |name: &str| entry.detail.as_ref().and_then(|detail| detail.get(name));
            let code = |name: &str| detail(name).and_then(Value::as_str).filter(|text| is_code(text));
            json!({
                "at": entry.at.0,
                "operation": operation,
                "site": entry.site.map(|site| site.0),
                "by": if entry.by == By::Person { "person" } else { "program" },
                "code": entry.code,
                "reason": code("reason").or_else(|| code("barrier")),
                "state": code("state"),
                "status": detail("status").and_then(Value::as_u64),
            })
        })
        .collect();
    let told = json!({
        "ichido": version,
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "sites": journal.sites()?.len(),
        "barriers": barriers,
        "operations": counts,
        "history": history,
    });
    Ok(format!("{told:#}"))
}

/// Our own codes are plain words; what a person or a site wrote is not taken for one.
fn is_code(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
