//! Moving operations on: what the rules say, and one conditional update.

use ichido_core::act::Act;
use ichido_core::apply::{Event, Standing, apply};
use ichido_core::arrival::may_arrive;
use ichido_core::decide::{AdoptedBy, Decision};
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::outcome::Outcome;
use ichido_core::tally::Barrier;
use ichido_core::time::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::barrier;
use crate::error::{Misuse, WriteError};
use crate::plan;
use crate::record::{By, Change, NewOperation, Note, Operation, Recordable, Successor};
use crate::row;
use crate::runner::{Runner, add_history, raise_high_water};
use crate::site::IdSpace;

impl Runner {
    /// Moves an operation on by an event other than a send and its answer.
    ///
    /// An adoption, a link, an accepted slug, and whatever else makes a post or an image done that has no
    /// recorded row, needs [`Note::with_row`]; an event that abandons the operation needs
    /// [`Note::with_successor`]. Nothing is written where the event changes nothing, the note carries
    /// nothing and no person caused it.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn apply(&self, op_id: OpId, event: Event<'_>, note: Note) -> Result<Standing, WriteError> {
        let standings = self.apply_all(vec![Change { op_id, event, note }])?;
        standings.first().copied().ok_or_else(|| Misuse::NoSuchOperation { op_id }.into())
    }

    /// Does [`Self::apply`] for many in one transaction: all or none.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn apply_all(&self, changes: Vec<Change<'_>>) -> Result<Vec<Standing>, WriteError> {
        for Change { op_id, event, .. } in &changes {
            if let Some(event) = only_by_its_own_call(event) {
                return Err(Misuse::NotAPlainEvent { op_id: *op_id, event }.into());
            }
        }
        self.write(|tx| {
            changes.iter().map(|change| transition(tx, change.op_id, change.event, &change.note)).collect()
        })
    }
}

fn only_by_its_own_call(event: &Event<'_>) -> Option<&'static str> {
    match event {
        Event::BeginSend => Some("begin_send"),
        Event::Answered(_) => Some("answered"),
        Event::Act(Act::Same) => Some("same"),
        Event::Interrupted
        | Event::Decided(_)
        | Event::Blocked(_)
        | Event::Reopened
        | Event::Withdrawn
        | Event::Act(_) => None,
    }
}

/// Moves an operation on, and writes down all that follows from the event.
pub(crate) fn transition(
    tx: &Connection,
    op_id: OpId,
    event: Event<'_>,
    note: &Note,
) -> Result<Standing, WriteError> {
    let operation = plan::reread(tx, op_id)?;
    let from = operation.standing;
    let to = apply(operation.kind, from, event)?;
    let says_nothing = note.row.is_none()
        && note.findings.is_none()
        && note.detail.is_none()
        && note.successor.is_none()
        && note.by == By::Program;
    if to == from && says_nothing && !is_answer(&event) {
        return Ok(to);
    }
    let still = may_arrive(operation.kind, operation.may_arrive, &event);
    claim(tx, &operation, to, still, note)?;
    record_row(tx, &operation, to, event, note)?;
    record_facts(tx, &operation, event)?;
    let detail = json!({ "state": to.state.as_str(), "reason": to.state.reason(), "row": row_of(event, note), "note": note.detail });
    add_history(tx, note.at, Some(op_id), Some(operation.site), note.by, code(event), Some(&detail))?;
    if to.state == State::Abandoned && from.state != State::Abandoned {
        if !matches!(event, Event::Act(Act::Same) | Event::Withdrawn) {
            let successor = note.successor.as_ref().ok_or(Misuse::SuccessorNeeded { op_id })?;
            succeed(tx, &operation, successor, note.at)?;
        }
    } else if let Some(successor) = &note.successor {
        // Nothing had left: it is sent again as itself, knowing of these rows.
        dismiss(tx, op_id, &successor.dismiss, note.at)?;
    }
    Ok(to)
}

/// Takes an operation from the standing that was read to another; exactly one can do that.
fn claim(
    tx: &Connection,
    operation: &Operation,
    to: Standing,
    may_arrive: bool,
    note: &Note,
) -> Result<(), WriteError> {
    let from = operation.standing;
    let settled = to.state == State::Done || (from.state.is_in_doubt() && !to.state.is_in_doubt());
    let moved = from.state != to.state;
    let changed = tx
        .prepare_cached(
            "UPDATE operations SET state = ?6, reason = ?7, is_left = ?8, may_have_left = ?9, \
             settled_at = CASE WHEN ?10 THEN ?11 ELSE settled_at END, \
             next_look_at = CASE WHEN ?12 THEN next_look_at END, \
             first_negative = CASE WHEN ?9 THEN first_negative END, \
             findings = CASE WHEN ?13 THEN ?14 ELSE coalesce(?14, findings) END, may_arrive = ?15 \
             WHERE op_id = ?1 AND state = ?2 AND reason IS ?3 AND is_left = ?4 AND may_have_left = ?5",
        )?
        .execute(rusqlite::params![
            operation.op_id.to_string(),
            from.state.as_str(),
            from.state.reason(),
            from.left,
            from.may_have_left,
            to.state.as_str(),
            to.state.reason(),
            to.left,
            to.may_have_left,
            settled,
            note.at.0,
            to.state.is_in_doubt(),
            moved,
            note.findings.as_ref().map(Value::to_string),
            may_arrive,
        ])?;
    if changed == 1 { Ok(()) } else { Err(WriteError::LostClaim { op_id: operation.op_id }) }
}

/// Records the row of the site that the event is about.
fn record_row(
    tx: &Connection,
    operation: &Operation,
    to: Standing,
    event: Event<'_>,
    note: &Note,
) -> Result<(), WriteError> {
    let op_id = operation.op_id;
    let (recordable, proved) = match event {
        Event::Answered(Outcome::Created(created)) => {
            (Some(Recordable { id: created.id, recorded: created.row.clone() }), true)
        }
        Event::Decided(Decision::Adopt { id, by, .. }) => {
            let row = note.row.clone().filter(|row| row.id == *id).ok_or(Misuse::RowNeeded { op_id })?;
            (Some(row), *by == AdoptedBy::Marker)
        }
        Event::Act(Act::Link | Act::AcceptSlug) => {
            (Some(note.row.clone().ok_or(Misuse::RowNeeded { op_id })?), false)
        }
        Event::BeginSend
        | Event::Answered(_)
        | Event::Interrupted
        | Event::Decided(_)
        | Event::Blocked(_)
        | Event::Reopened
        | Event::Withdrawn
        | Event::Act(_) => (note.row.clone(), false),
    };
    let Some(Recordable { id, recorded }) = recordable else {
        let has_its_row = operation.remote_id.is_some() || !operation.kind.must_not_repeat();
        return if to.state == State::Done && !has_its_row {
            Err(Misuse::RowNeeded { op_id }.into())
        } else {
            Ok(())
        };
    };
    make_room(tx, operation, id, proved, note.at)?;
    let lacks_sizes = recorded.as_ref().is_some_and(|row| row.missing_sizes);
    let recorded = row::to_json_option(recorded.as_ref())?;
    tx.prepare_cached(
        "UPDATE operations SET remote_id = ?2, recorded = coalesce(?3, recorded), \
         needs_post_process = needs_post_process OR ?4 WHERE op_id = ?1",
    )?
    .execute((op_id.to_string(), id.0.cast_signed(), recorded, lacks_sizes))?;
    match IdSpace::of(operation.kind) {
        Some(space) => raise_high_water(tx, operation.site, space, id),
        None => Ok(()),
    }
}

/// Sees to it that no other record owns a row.
///
/// Where the site itself proves that the row is this operation's (by its answer or by the marker), an
/// older record of the same id speaks of a row that no longer exists: the site was put back to an
/// earlier state. Then that record is halted as missing, and creating on the site is shut.
fn make_room(
    tx: &Connection,
    operation: &Operation,
    id: RemoteId,
    proved: bool,
    at: Timestamp,
) -> Result<(), WriteError> {
    if IdSpace::of(operation.kind).is_none() {
        return Ok(());
    }
    let owner = row::first(
        tx,
        "SELECT op_id FROM operations WHERE site_id = ?1 AND kind = ?2 AND remote_id = ?3 AND op_id <> ?4 \
         AND state <> 'abandoned' AND kind IN ('post', 'image')",
        (operation.site.0, operation.kind.as_str(), id.0.cast_signed(), operation.op_id.to_string()),
        |found| row::op_id(found, "op_id"),
    )?;
    let Some(owner) = owner else { return Ok(()) };
    if !proved {
        return Err(Misuse::RowTaken { id, owner }.into());
    }
    let note = Note::at(at).with_detail(json!({ "row": id, "now_of": operation.op_id }));
    transition(tx, owner, Event::Decided(&Decision::Halt(HaltReason::Missing)), &note)?;
    tx.execute("UPDATE operations SET remote_id = NULL WHERE op_id = ?1", [owner.to_string()])?;
    let detail = json!({ "row": id, "operation": owner });
    barrier::set(tx, Some(operation.site), Barrier::SiteRestored, Some(&detail), at)
}

/// Writes down what else the event tells.
fn record_facts(tx: &Connection, operation: &Operation, event: Event<'_>) -> Result<(), WriteError> {
    let op_id = operation.op_id.to_string();
    match event {
        Event::Answered(Outcome::Created(created)) => tx.prepare_cached(
            "UPDATE operations SET needs_post_process = ?2, unknown = NULL, refusal = NULL WHERE op_id = ?1",
        )?
        .execute((op_id, created.needs_post_process))?,
        Event::Answered(Outcome::Refused(refusal)) => {
            tx.execute("UPDATE operations SET refusal = ?2 WHERE op_id = ?1", (op_id, row::to_json(refusal)?))?
        }
        Event::Answered(Outcome::Unknown(cause)) => {
            tx.execute("UPDATE operations SET unknown = ?2 WHERE op_id = ?1", (op_id, row::to_json(cause)?))?
        }
        Event::Reopened | Event::Act(Act::TryAgain) => {
            tx.execute("UPDATE operations SET refusal = NULL WHERE op_id = ?1", [op_id])?
        }
        Event::Act(Act::New) => tx.execute("UPDATE operations SET declared_new = 1 WHERE op_id = ?1", [op_id])?,
        Event::BeginSend
        | Event::Answered(Outcome::NotSent(_))
        | Event::Interrupted
        | Event::Decided(_)
        | Event::Blocked(_)
        | Event::Withdrawn
        | Event::Act(_) => 0,
    };
    Ok(())
}

/// Puts a new operation in the place of an abandoned one.
fn succeed(tx: &Connection, old: &Operation, successor: &Successor, at: Timestamp) -> Result<(), WriteError> {
    let new = NewOperation {
        op_id: successor.op_id,
        site: old.site,
        kind: old.kind,
        post_type: old.post_type.clone(),
        key: old.key.clone(),
        slug: old.slug.clone(),
        title: old.title.clone(),
        source_path: old.source_path.clone(),
        source_digest: old.source_digest,
        images: Vec::new(),
    };
    plan::insert(tx, &new, Some(old.op_id), at)?;
    let (from, to) = (old.op_id.to_string(), successor.op_id.to_string());
    tx.execute("UPDATE operations SET declared_new = ?2 WHERE op_id = ?1", (&to, old.declared_new))?;
    tx.execute(
        "INSERT INTO dismissed (op_id, remote_id, at) SELECT ?2, remote_id, at FROM dismissed WHERE op_id = ?1",
        (&from, &to),
    )?;
    dismiss(tx, successor.op_id, &successor.dismiss, at)?;
    match old.kind {
        Kind::Post => tx.execute(
            "INSERT INTO post_images (post_op, image_op, position, featured) \
             SELECT ?2, image_op, position, featured FROM post_images WHERE post_op = ?1",
            (&from, &to),
        )?,
        // What was sent with the old image keeps it.
        Kind::Image => tx.execute(
            "UPDATE post_images SET image_op = ?2 WHERE image_op = ?1 AND post_op IN \
             (SELECT op_id FROM operations WHERE may_have_left = 0 AND state <> 'abandoned')",
            (&from, &to),
        )?,
        Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess => 0,
    };
    Ok(())
}

pub(crate) fn dismiss(
    tx: &Connection,
    op_id: OpId,
    ids: &[RemoteId],
    at: Timestamp,
) -> Result<(), WriteError> {
    for id in ids {
        tx.prepare_cached(
            "INSERT INTO dismissed (op_id, remote_id, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute((op_id.to_string(), id.0.cast_signed(), at.0))?;
    }
    Ok(())
}

const fn is_answer(event: &Event<'_>) -> bool {
    matches!(event, Event::Answered(_))
}

fn row_of(event: Event<'_>, note: &Note) -> Option<RemoteId> {
    match event {
        Event::Answered(Outcome::Created(created)) => Some(created.id),
        Event::Decided(Decision::Adopt { id, .. } | Decision::Skip { id, .. }) => Some(*id),
        Event::BeginSend
        | Event::Answered(_)
        | Event::Interrupted
        | Event::Decided(_)
        | Event::Blocked(_)
        | Event::Reopened
        | Event::Withdrawn
        | Event::Act(_) => note.row.as_ref().map(|row| row.id),
    }
}

/// Returns the stable code of an event for the history.
fn code(event: Event<'_>) -> &'static str {
    match event {
        Event::BeginSend => "begin_send",
        Event::Answered(Outcome::Created(_)) => "created",
        Event::Answered(Outcome::Refused(_)) => "refused",
        Event::Answered(Outcome::NotSent(_)) => "not_sent",
        Event::Answered(Outcome::Unknown(_)) => "outcome_unknown",
        Event::Interrupted => "interrupted",
        Event::Decided(decision) => match decision {
            Decision::Create => "may_be_created",
            Decision::Skip { .. } => "skipped",
            Decision::Adopt { .. } => "adopted",
            Decision::Verified(_) => "verified",
            Decision::Replace => "replaced",
            Decision::Halt(_) => "halted",
            Decision::Wait(_) => "waits",
            Decision::StayInDoubt(_) => "could_not_ask",
            Decision::Keep => "kept",
        },
        Event::Blocked(_) => "blocked",
        Event::Reopened => "reopened",
        Event::Withdrawn => "withdrawn",
        Event::Act(act) => act.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Desk, NOW, planned, site};

    #[test]
    fn a_claim_on_a_standing_that_is_no_longer_so_is_lost() {
        let desk = Desk::new();
        let runner = desk.runner();
        let site = site(&runner, "one");
        let read = planned(&runner, site, "a");
        let blocked = Event::Blocked(ichido_core::apply::Blocked::NeedsWork);
        runner.apply(read.op_id, blocked, Note::at(NOW)).unwrap();
        let sending = Standing { state: State::Sending, may_have_left: true, left: false };
        let lost = runner.write(|tx| claim(tx, &read, sending, true, &Note::at(NOW))).unwrap_err();
        assert!(matches!(lost, WriteError::LostClaim { op_id } if op_id == read.op_id), "{lost:?}");
        assert_eq!(runner.operation(read.op_id).unwrap().unwrap().standing.state, State::NeedsWork);
        planned(&runner, site, "b");
    }
}
