//! What happened to one article, in the order it happened, for people.

use ichido_core::id::OpId;
use ichido_core::operation::State;
use ichido_core::outcome::UnknownCause;
use ichido_core::time::Timestamp;
use ichido_journal::{By, HistoryEntry, Journal, Operation, ReadError};
use serde_json::Value;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Timestamp,
    /// A stable code.
    pub code: &'static str,
    /// Its particulars.
    pub params: Vec<(&'static str, String)>,
    /// How it is to be taken.
    pub tone: Tone,
}

/// How a thing that happened is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A step.
    Plain,
    /// Something was proved done.
    Good,
    /// Something went wrong.
    Alert,
}

/// Returns what happened to a post and the images that it uses.
///
/// # Errors
/// Fails if the journal does.
pub fn story(journal: &Journal, post: OpId) -> Result<Vec<Moment>, ReadError> {
    let Some(operation) = journal.operation(post)? else { return Ok(Vec::new()) };
    let mut moments = Vec::new();
    for used in journal.images_of(post)? {
        let Some(image) = journal.operation(used.image)? else { continue };
        for entry in journal.history_of(image.op_id)? {
            moments.extend(of_image(&image, &entry));
        }
    }
    for entry in journal.history_of(post)? {
        of_post(&operation, &entry, &mut moments);
    }
    moments.sort_by_key(|moment| moment.at);
    moments.dedup();
    Ok(moments)
}

fn moment(at: Timestamp, code: &'static str, tone: Tone) -> Moment {
    Moment { at, code, params: Vec::new(), tone }
}

impl Moment {
    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.push((name, value.to_string()));
        self
    }
}

fn of_image(image: &Operation, entry: &HistoryEntry) -> Option<Moment> {
    let id = row_in(entry).or(image.remote_id.map(|id| id.0)).unwrap_or_default();
    let told = match entry.code.as_str() {
        "begin_send" => moment(entry.at, "sending_image", Tone::Plain),
        "created" | "adopted" => moment(entry.at, "image_done", Tone::Good).with("id", id),
        "outcome_unknown" | "interrupted" => lost(image, entry.at),
        _ => return None,
    };
    let name = image.source_path.as_deref().and_then(std::path::Path::file_name);
    Some(told.with("name", name.unwrap_or_default().to_string_lossy()))
}

fn of_post(post: &Operation, entry: &HistoryEntry, moments: &mut Vec<Moment>) {
    let at = entry.at;
    let id = row_in(entry).or(post.remote_id.map(|id| id.0)).unwrap_or_default();
    let detail =
        |name: &str| entry.detail.as_ref().and_then(|detail| detail.get(name)).and_then(Value::as_str);
    let (state, reason) = (detail("state").unwrap_or_default(), detail("reason").unwrap_or_default());
    let told = match entry.code.as_str() {
        "planned" | "reopened" => moment(at, "planned", Tone::Plain),
        "may_be_created" => moment(at, "looked_before", Tone::Plain),
        "begin_send" => moment(at, "sending", Tone::Plain),
        "created" => moment(at, "created", Tone::Good).with("id", id),
        "refused" => {
            let code = post.refusal.as_ref().map_or("", |refusal| refusal.code.as_str());
            moment(at, "refused", Tone::Alert).with("code", code)
        }
        "outcome_unknown" | "interrupted" => lost(post, at),
        "skipped" => moment(at, "skipped", Tone::Plain).with("id", id),
        "adopted" => moment(at, "adopted", Tone::Good).with("id", id),
        "verified" => moment(at, "verified", Tone::Good).with("id", id),
        "could_not_ask" => moment(at, "could_not_ask", Tone::Plain),
        "waits" | "not_sent" => moment(at, "waiting", Tone::Plain),
        "blocked" if state == State::NeedsWork.as_str() => return,
        "blocked" => moment(at, "waiting", Tone::Plain),
        "halted" => {
            if reason == "outcome_unknown" {
                moments.push(moment(at, "looked_none", Tone::Plain));
            }
            moment(at, "halted", Tone::Alert).with("reason", reason)
        }
        "leave" => moment(at, "left", Tone::Plain),
        code if entry.by == By::Person => moment(at, "acted", Tone::Plain).with("act", code),
        _ => return,
    };
    moments.push(told);
}

/// Says what became of the answer, as far as the journal still knows: the cause of the last send.
fn lost(operation: &Operation, at: Timestamp) -> Moment {
    let waited = operation.sent_at.map_or(0, |sent| (at.0 - sent.0).max(0) / 1000);
    match &operation.unknown {
        Some(UnknownCause::TimedOut | UnknownCause::TooLong) => {
            moment(at, "no_answer", Tone::Alert).with("count", waited)
        }
        Some(
            UnknownCause::Status { status, .. }
            | UnknownCause::Redirect { status }
            | UnknownCause::Unreadable { status },
        ) => moment(at, "status", Tone::Alert).with("status", status),
        Some(UnknownCause::ConnectionLost | UnknownCause::Interrupted) | None => {
            moment(at, "connection_lost", Tone::Alert)
        }
    }
}

fn row_in(entry: &HistoryEntry) -> Option<u64> {
    entry.detail.as_ref()?.get("row")?.as_u64()
}
