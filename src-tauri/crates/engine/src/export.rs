//! Operations and history for other programs.

use std::collections::HashMap;

use chrono::{DateTime, SecondsFormat};
use ichido_core::time::Timestamp;
use ichido_journal::{By, HistoryEntry, Journal, Operation, ReadError, Site, SiteId};
use serde_json::{Value, json};

/// How much is read at once.
const PAGE: u32 = 500;

const COLUMNS: [&str; 13] = [
    "record", "at", "site", "kind", "op_id", "state", "reason", "left", "slug", "title", "path", "id",
    "detail",
];

/// In which form lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One object a line.
    Json,
    /// One row a line, of columns that spreadsheets take for text.
    Csv,
}

/// Writes all operations, then all of the history, line by line, until nobody listens any more.
///
/// # Errors
/// Fails if the journal does.
pub fn export(journal: &Journal, form: Form, line: &mut dyn FnMut(&str) -> bool) -> Result<(), ReadError> {
    if form == Form::Csv && !line(&COLUMNS.join(",")) {
        return Ok(());
    }
    let mut sites = HashMap::new();
    let mut after = None;
    loop {
        let page = journal.operations_after(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = Some(last.op_id);
        for operation in &page {
            if !sites.contains_key(&operation.site)
                && let Some(site) = journal.site(operation.site)?
            {
                sites.insert(operation.site, site);
            }
            let site = sites.get(&operation.site);
            let written = match form {
                Form::Csv => operation_row(operation, site),
                Form::Json => operation_object(operation, site).to_string(),
            };
            if !line(&written) {
                return Ok(());
            }
        }
    }
    let mut seq = 0;
    loop {
        let page = journal.history_after(seq, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        seq = last.seq;
        for entry in &page {
            let written = match form {
                Form::Csv => history_row(entry, &sites),
                Form::Json => history_object(entry).to_string(),
            };
            if !line(&written) {
                return Ok(());
            }
        }
    }
}

fn operation_object(operation: &Operation, site: Option<&Site>) -> Value {
    let recorded = operation.recorded.as_ref();
    json!({
        "event": "operation",
        "op_id": operation.op_id,
        "site": site.map(|site| site.name.as_str()),
        "home": site.map(|site| site.home.as_str()),
        "kind": operation.kind.as_str(),
        "state": operation.standing.state.as_str(),
        "reason": operation.standing.state.reason(),
        "left": operation.standing.left,
        "may_have_left": operation.standing.may_have_left,
        "slug": operation.slug,
        "title": operation.title,
        "path": operation.source_path.as_ref().map(|path| path.to_string_lossy()),
        "id": operation.remote_id,
        "link": recorded.map(|recorded| recorded.link.as_str()),
        "source_digest": operation.source_digest.map(|digest| digest.to_string()),
        "sent_digest": operation.sent_digest.map(|digest| digest.to_string()),
        "replaces": operation.replaces,
        "created_at": iso(operation.created_at),
        "sent_at": operation.sent_at.map(iso),
        "settled_at": operation.settled_at.map(iso),
    })
}

/// Returns a line of the history as an object.
#[must_use]
pub fn history_object(entry: &HistoryEntry) -> Value {
    json!({
        "event": "history",
        "seq": entry.seq,
        "at": iso(entry.at),
        "op_id": entry.op_id,
        "site": entry.site.map(|site| site.0),
        "by": if entry.by == By::Person { "person" } else { "program" },
        "code": entry.code,
        "detail": entry.detail,
    })
}

fn operation_row(operation: &Operation, site: Option<&Site>) -> String {
    let state = operation.standing.state;
    row(&[
        "operation",
        &iso(operation.settled_at.or(operation.sent_at).unwrap_or(operation.created_at)),
        site.map_or("", |site| &site.name),
        operation.kind.as_str(),
        &operation.op_id.to_string(),
        state.as_str(),
        state.reason().unwrap_or_default(),
        if operation.standing.left { "yes" } else { "" },
        &operation.slug,
        &operation.title,
        &operation.source_path.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
        &operation.remote_id.map(|id| id.to_string()).unwrap_or_default(),
        "",
    ])
}

fn history_row(entry: &HistoryEntry, sites: &HashMap<SiteId, Site>) -> String {
    let site = entry.site.and_then(|site| sites.get(&site));
    let detail = entry.detail.as_ref().map(ToString::to_string).unwrap_or_default();
    row(&[
        "history",
        &iso(entry.at),
        site.map_or("", |site| &site.name),
        &entry.code,
        &entry.op_id.map(|op_id| op_id.to_string()).unwrap_or_default(),
        if entry.by == By::Person { "by_person" } else { "by_program" },
        "",
        "",
        "",
        "",
        "",
        "",
        &detail,
    ])
}

fn iso(at: Timestamp) -> String {
    let utc = DateTime::from_timestamp_millis(at.0);
    utc.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)).unwrap_or_default()
}

fn row(cells: &[&str]) -> String {
    cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",")
}

/// Returns a cell that spreadsheets take for text: a title must not become a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(cell("秋"), "秋");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(cell("-1"), "'-1");
    }
}
