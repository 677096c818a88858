//! Where the articles of a list stand on one site, from the journal alone.

use std::collections::HashMap;

use ichido_core::act::Act;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::Ending;
use ichido_core::time::Timestamp;
use ichido_journal::{By, HistoryEntry, Journal, Key, Operation, ReadError, SiteId};
use serde::Serialize;

use crate::item::POST_TYPE;
use crate::set_aside::SetAside;
use crate::sheet::Sheet;

/// Where an article stands, as a list shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowState {
    /// It can be sent; nothing about it is in the way.
    Ready,
    /// It is in a batch, and its turn has not come.
    Planned,
    /// Not sent; goes on by itself.
    Waiting,
    /// It must be changed first.
    NeedsWork,
    /// The site said no.
    Refused,
    /// Someone else's, or there before us.
    Skipped,
    /// Its request may have left.
    Sending,
    /// A person must look.
    Halted,
    /// Registered.
    Done,
}

impl RowState {
    /// All states.
    pub const ALL: [Self; 9] = [
        Self::Ready,
        Self::Planned,
        Self::Waiting,
        Self::NeedsWork,
        Self::Refused,
        Self::Skipped,
        Self::Sending,
        Self::Halted,
        Self::Done,
    ];
}

/// One article of a list, joined with its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where it stands.
    pub state: RowState,
    /// Why it waits.
    pub wait: Option<WaitReason>,
    /// Why a person must look.
    pub halt: Option<HaltReason>,
    /// What the site said.
    pub refusal: Option<RefusalCode>,
    /// Whether a person set it aside.
    pub set_aside: bool,
    /// Whether a person left the halt.
    pub left: bool,
    /// How a done article came to be so.
    pub ending: Option<Ending>,
    /// Whether a person said which row of the site it is.
    pub linked: bool,
    /// How many of its images are on the site.
    pub images_done: u32,
    /// Whether it was changed here since it was sent.
    pub changed: bool,
    /// When something happened to it last.
    pub at: Option<Timestamp>,
    /// Its record.
    pub op_id: Option<OpId>,
    /// Its row on the site.
    pub remote_id: Option<RemoteId>,
}

/// Joins articles with their records on a site; without a site nothing has a record.
///
/// # Errors
/// Fails if the journal does.
pub fn rows<'a>(
    journal: &Journal,
    site: Option<SiteId>,
    sheets: impl IntoIterator<Item = &'a Sheet>,
) -> Result<Vec<Row>, ReadError> {
    let sheets: Vec<&Sheet> = sheets.into_iter().collect();
    let keys: Vec<Key> = sheets.iter().filter_map(|sheet| sheet.slug.as_ref()).map(Key::post).collect();
    let mut records = match site {
        Some(site) if !keys.is_empty() => journal.by_keys(site, Kind::Post, POST_TYPE, &keys)?,
        Some(_) | None => HashMap::new(),
    };
    let aside = site.map(|site| SetAside::of(journal, site)).transpose()?.unwrap_or_default();
    let mut rows = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        let record = sheet.slug.as_ref().and_then(|slug| records.remove(&Key::post(slug)));
        let mine = record.filter(|record| is_of(record, sheet));
        let mut row = row(journal, sheet, mine.as_ref())?;
        let unsent = match row.state {
            RowState::Ready | RowState::Waiting | RowState::NeedsWork | RowState::Refused => true,
            RowState::Planned | RowState::Skipped | RowState::Sending | RowState::Halted | RowState::Done => {
                false
            }
        };
        if unsent && aside.has(&sheet.path) {
            (row.state, row.set_aside) = (RowState::Skipped, true);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Two articles of one slug clash; the record belongs to the one that it names.
fn is_of(record: &Operation, sheet: &Sheet) -> bool {
    sheet.is_sendable() || record.source_path.as_deref().is_none_or(|path| path == sheet.path)
}

fn row(journal: &Journal, sheet: &Sheet, record: Option<&Operation>) -> Result<Row, ReadError> {
    let unrecorded = if sheet.is_sendable() { RowState::Ready } else { RowState::NeedsWork };
    let mut row = Row {
        state: unrecorded,
        wait: None,
        halt: None,
        refusal: None,
        set_aside: false,
        left: false,
        ending: None,
        linked: false,
        images_done: 0,
        changed: false,
        at: None,
        op_id: None,
        remote_id: None,
    };
    let Some(record) = record else { return Ok(row) };
    let changed =
        record.source_digest.is_some() && sheet.digest.is_some() && record.source_digest != sheet.digest;
    row.op_id = Some(record.op_id);
    row.remote_id = record.remote_id;
    row.left = record.standing.left;
    row.at = record.last_look_at.max(record.settled_at).max(record.sent_at).or(Some(record.created_at));
    row.state = match record.standing.state {
        State::Planned => unrecorded,
        State::Waiting(reason) => {
            row.wait = Some(reason);
            if sheet.is_sendable() { RowState::Waiting } else { RowState::NeedsWork }
        }
        // What was put right since may be tried again.
        State::NeedsWork if changed => unrecorded,
        State::NeedsWork => RowState::NeedsWork,
        State::Refused if changed => unrecorded,
        State::Refused => {
            row.refusal = record.refusal.as_ref().map(|refusal| refusal.code);
            RowState::Refused
        }
        State::Skipped => RowState::Skipped,
        State::Sending => RowState::Sending,
        State::Halted(reason) => {
            row.halt = Some(reason);
            RowState::Halted
        }
        State::Done => {
            row.changed = changed;
            // Whatever settled a lost answer was a look.
            row.ending = Some(if record.unknown.is_some() { Ending::Adopted } else { Ending::Created });
            row.linked = is_linked(journal, record)?;
            RowState::Done
        }
        State::Abandoned => unrecorded,
    };
    row.images_done = match row.state {
        RowState::Done => sheet.images,
        RowState::Ready | RowState::NeedsWork | RowState::Skipped => 0,
        RowState::Planned | RowState::Waiting | RowState::Refused | RowState::Sending | RowState::Halted => {
            images_done(journal, record.op_id)?.0
        }
    };
    Ok(row)
}

/// Tells whether a person linked it. Only what no answer settled can have been linked.
fn is_linked(journal: &Journal, record: &Operation) -> Result<bool, ReadError> {
    if record.unknown.is_none() && record.sent_at.is_some() {
        return Ok(false);
    }
    let acts = [Act::Link, Act::KeepSite, Act::AcceptSlug].map(Act::as_str);
    let history = journal.history_of(record.op_id)?;
    let told = |entry: &HistoryEntry| entry.by == By::Person && acts.contains(&entry.code.as_str());
    Ok(history.iter().any(told))
}

/// Counts the images of a post that are on the site, and all of them.
pub(crate) fn images_done(journal: &Journal, post: OpId) -> Result<(u32, u32), ReadError> {
    let (mut done, mut total) = (0, 0);
    for used in journal.images_of(post)? {
        total += 1;
        let image = journal.operation(used.image)?;
        done += u32::from(image.is_some_and(|image| image.standing.state == State::Done));
    }
    Ok((done, total))
}
