//! Settles what is in doubt by looking, and by nothing else.

use std::collections::HashMap;

use ichido_core::apply::{Event as CoreEvent, Standing};
use ichido_core::arrival::is_negative;
use ichido_core::decide::{AdoptedBy, AfterAdopt, Decision, Local, Record, VerifiedNote, decide};
use ichido_core::digest::Digest;
use ichido_core::evidence::Evidence;
use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, State};
use ichido_journal::{Look, Note as JournalNote, Operation};

use crate::errors::RunError;
use crate::event::Note;
use crate::failpoint::{Point, reach};
use crate::looks::{Depth, Seen, look};
use crate::session::{Session, next_look};

/// Whether a further look follows by itself, so that what a site writes late is not judged yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Another look follows in this run.
    Early,
    /// The last look of this run.
    Last,
}

/// What a look did to one operation.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) decision: Decision,
    /// What is worth saying about it.
    pub(crate) notes: Vec<Note>,
    /// Whether our own effect was found, and nothing more is to be done about it.
    pub(crate) adopted: bool,
    /// Whether the site could not be asked about this one, and answered about others.
    pub(crate) alone: bool,
}

/// What the articles of the operations look like now, by operation.
pub(crate) type Digests = HashMap<OpId, Digest>;

/// Looks for operations, decides about each, and writes down what follows.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) async fn settle_by_looking(
    session: &Session<'_>,
    operations: &[&Operation],
    now_here: &Digests,
    visible: &Digests,
    depth: Depth,
    turn: Turn,
) -> Result<HashMap<OpId, Judged>, RunError> {
    for operation in operations.iter().filter(|operation| operation.standing.state.is_in_doubt()) {
        reach(Point::BeforeLook, operation.kind.as_str());
    }
    let seen = look(session, operations, visible, depth).await?;
    let mut judged = HashMap::with_capacity(operations.len());
    for operation in operations {
        let Some(seen) = seen.get(&operation.op_id) else { continue };
        if was_moved_on(session, operation)? {
            continue;
        }
        let changed_since = match (now_here.get(&operation.op_id), operation.source_digest) {
            (Some(now), Some(then)) => *now != then,
            (None, _) | (_, None) => false,
        };
        let decision = decide_for(operation, &seen.evidence, Local { changed_since });
        let standing = write_down(session, operation, seen, &decision, turn)?;
        let notes = notes_of(&decision);
        let adopted = matches!(decision, Decision::Adopt { .. }) && standing.state == State::Done;
        judged.insert(operation.op_id, Judged { decision, notes, adopted, alone: seen.alone });
    }
    Ok(judged)
}

/// Whether the record is no longer what the look was asked about: the row that another operation turned out
/// to have was taken from it meanwhile. Then the next look judges it.
fn was_moved_on(session: &Session<'_>, operation: &Operation) -> Result<bool, RunError> {
    let now = session.runner.operation(operation.op_id)?;
    Ok(now.is_none_or(|now| now.standing != operation.standing || now.remote_id != operation.remote_id))
}

/// Decides about one operation from what was seen.
pub(crate) fn decide_for(operation: &Operation, evidence: &Evidence, local: Local) -> Decision {
    decide(record_of(operation), evidence, local)
}

/// Returns what the rules need of an operation.
pub(crate) const fn record_of(operation: &Operation) -> Record {
    Record {
        kind: operation.kind,
        state: operation.standing.state,
        may_have_left: operation.standing.may_have_left,
        may_arrive: operation.may_arrive,
    }
}

fn write_down(
    session: &Session<'_>,
    operation: &Operation,
    seen: &Seen,
    decision: &Decision,
    turn: Turn,
) -> Result<Standing, RunError> {
    let now = session.now();
    let from = operation.standing;
    let about_a_halt = matches!(from.state, State::Halted(_)) || matches!(decision, Decision::Halt(_));
    // What a person is shown about a halt is not lost to a look that failed.
    let tells = about_a_halt && matches!(seen.evidence, Evidence::Looked(_));
    if from.state.is_in_doubt() || tells {
        session.runner.record_look(operation.op_id, &look_of(session, operation, seen, decision))?;
    }
    let incomplete =
        matches!(decision, Decision::Adopt { then: AfterAdopt::Halt(HaltReason::Incomplete), .. });
    if incomplete && turn == Turn::Early {
        return Ok(from);
    }
    let note = match decision {
        Decision::Adopt { id, .. } => {
            reach(Point::BeforeAdopt, operation.kind.as_str());
            JournalNote::at(now).with_row(*id, seen.rows.get(id).map(ichido_wordpress::Row::recorded))
        }
        Decision::Replace => JournalNote::at(now).with_successor(session.new_op_id(), Vec::new()),
        Decision::Halt(_) => JournalNote::at(now).with_detail(seen.summary()),
        // An answer that could not be read left gaps in what is recorded.
        Decision::Verified(_) if lacks_facts(operation) => match operation.remote_id {
            Some(id) => {
                JournalNote::at(now).with_row(id, seen.rows.get(&id).map(ichido_wordpress::Row::recorded))
            }
            None => JournalNote::at(now),
        },
        Decision::Create
        | Decision::Skip { .. }
        | Decision::Verified(_)
        | Decision::Wait(_)
        | Decision::StayInDoubt(_)
        | Decision::Keep => JournalNote::at(now),
    };
    let standing = session.runner.apply(operation.op_id, CoreEvent::Decided(decision), note)?;
    if matches!(decision, Decision::Adopt { .. }) {
        reach(Point::AfterAdopt, operation.kind.as_str());
    }
    Ok(standing)
}

fn lacks_facts(operation: &Operation) -> bool {
    operation.recorded.as_ref().is_none_or(|recorded| {
        operation.kind == ichido_core::operation::Kind::Image && recorded.source_url.is_none()
    })
}

fn look_of(session: &Session<'_>, operation: &Operation, seen: &Seen, decision: &Decision) -> Look {
    let complete = matches!(seen.evidence, Evidence::Looked(_));
    let negative = complete && is_negative(record_of(operation), &seen.evidence);
    let reason = match decision {
        Decision::Halt(reason) => Some(*reason),
        Decision::StayInDoubt(_) => Some(HaltReason::CouldNotAsk),
        Decision::Keep => halt_of(operation.standing.state),
        Decision::Create
        | Decision::Skip { .. }
        | Decision::Adopt { .. }
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::Wait(_) => None,
    };
    Look {
        at: session.moment(seen.site_time),
        complete,
        negative,
        summary: Some(seen.summary()),
        next_look_at: reason.and_then(|reason| next_look(reason, operation.looks, session.now())),
    }
}

fn halt_of(state: State) -> Option<HaltReason> {
    match state {
        State::Halted(reason) => Some(reason),
        State::Sending => Some(HaltReason::CouldNotAsk),
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Done
        | State::Abandoned => None,
    }
}

pub(crate) fn notes_of(decision: &Decision) -> Vec<Note> {
    use ichido_core::decide::SkipNote;
    match decision {
        Decision::Skip { note: SkipNote::Same, .. } => vec![Note::SameAlready],
        Decision::Skip { note: SkipNote::Differs, .. } => vec![Note::DiffersFromSite],
        Decision::Skip { note: SkipNote::OtherJournal, .. } => vec![Note::OtherJournal],
        Decision::Adopt { by: AdoptedBy::Content, .. } => vec![Note::AdoptedByContent],
        Decision::Verified(VerifiedNote { changed_since, edited_on_site, no_longer_ours }) => [
            (*changed_since, Note::ChangedSince),
            (*edited_on_site, Note::EditedOnSite),
            (*no_longer_ours, Note::NoLongerOurs),
        ]
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note))
        .collect(),
        Decision::Adopt { by: AdoptedBy::Marker, .. }
        | Decision::Create
        | Decision::Replace
        | Decision::Halt(_)
        | Decision::Wait(_)
        | Decision::StayInDoubt(_)
        | Decision::Keep => Vec::new(),
    }
}
