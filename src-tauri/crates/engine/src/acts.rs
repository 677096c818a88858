//! What a person does about one operation.

use std::path::PathBuf;

use ichido_core::act::{Act, Shut, send_again_is_open};
use ichido_core::apply::Event as CoreEvent;
use ichido_core::arrival::before_send_again;
use ichido_core::decide::Decision;
use ichido_core::evidence::Evidence;
use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_journal::{Note as JournalNote, Operation};
use ichido_wordpress::{ById, Class, Row};

use crate::errors::{ActError, CannotLink};
use crate::looks::{Depth, Seen, look};
use crate::preflight::digests_now;
use crate::reconcile::{Digests, Turn, record_of, settle_by_looking};
use crate::session::Session;

/// What a person wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The article: its slug, its folder or its file.
    pub article: PathBuf,
    /// The image of it that is meant, where one is.
    pub image: Option<PathBuf>,
    /// The act.
    pub act: Act,
    /// The row to be linked or dismissed.
    pub id: Option<RemoteId>,
    /// What the person typed to confirm: the slug.
    pub typed: Option<String>,
}

/// Tells whether an act can be done about what stands so.
#[must_use]
pub fn is_offered(act: Act, state: State) -> bool {
    match state {
        State::Halted(reason) => act.is_for(reason),
        State::Refused | State::NeedsWork | State::Waiting(_) => matches!(act, Act::TryAgain | Act::Look),
        State::Sending => act == Act::Look,
        State::Planned | State::Skipped | State::Done | State::Abandoned => false,
    }
}

/// Does one act on one operation, and returns the operation as it then stands.
///
/// # Errors
/// Returns why it was not done; then nothing is changed.
pub(crate) async fn perform(
    session: &Session<'_>,
    operation: Operation,
    wish: &Wish,
) -> Result<Operation, ActError> {
    let state = operation.standing.state;
    if !is_offered(wish.act, state) {
        return Err(ActError::NotOffered { act: wish.act, state });
    }
    if wish.act.is_a_persons() && wish.act != Act::Update {
        confirm(&operation, wish.typed.as_deref())?;
    }
    let note = JournalNote::by_person(session.now());
    match wish.act {
        Act::Look => {
            let now_here = digests_now(std::iter::once(&operation), &session.settings);
            let nothing = Digests::new();
            settle_by_looking(session, &[&operation], &now_here, &nothing, Depth::AsNeeded, Turn::Last)
                .await?;
        }
        Act::Link => link(session, &operation, wish.id).await?,
        Act::NoneOfThese => none_of_these(session, &operation, wish.id).await?,
        Act::SendAgain => send_again(session, &operation).await?,
        Act::AcceptSlug | Act::KeepSite => {
            let (id, row) = recorded_row(session, &operation).await?;
            let note = note.with_row(id, Some(row.recorded()));
            session.runner.apply(operation.op_id, CoreEvent::Act(wish.act), note)?;
        }
        Act::Same => {
            let record = moved_from(session, &operation)?;
            session.runner.move_record(operation.op_id, record.op_id, note)?;
            return Ok(session.runner.operation(record.op_id)?.unwrap_or(record));
        }
        Act::TryAgain | Act::New | Act::Leave | Act::Unleave => {
            session.runner.apply(operation.op_id, CoreEvent::Act(wish.act), note)?;
        }
        Act::Update => return Err(ActError::UpdateNotYet),
    }
    standing_in(session, operation)
}

/// Returns the operation, or the one that took its place, as it stands now.
fn standing_in(session: &Session<'_>, operation: Operation) -> Result<Operation, ActError> {
    let now = session.runner.operation(operation.op_id)?.unwrap_or(operation);
    if now.standing.state != State::Abandoned {
        return Ok(now);
    }
    let successor = session.runner.by_key(now.site, now.kind, &now.post_type, &now.key)?;
    Ok(successor.unwrap_or(now))
}

fn confirm(operation: &Operation, typed: Option<&str>) -> Result<(), ActError> {
    let expected = confirmation(operation);
    if typed.map(str::trim) == Some(expected) {
        Ok(())
    } else {
        Err(ActError::NotConfirmed { expected: expected.to_owned() })
    }
}

/// Returns what a person must type to confirm an act: the slug.
#[must_use]
pub fn confirmation(operation: &Operation) -> &str {
    &operation.slug
}

async fn see(session: &Session<'_>, operation: &Operation) -> Result<Seen, ActError> {
    let mut seen = look(session, &[operation], &Digests::new(), Depth::AsNeeded).await?;
    seen.remove(&operation.op_id).ok_or(ActError::NoSuchArticle { article: PathBuf::from(&operation.slug) })
}

async fn row_of(session: &Session<'_>, operation: &Operation, id: RemoteId) -> Result<Row, ActError> {
    let class = if operation.kind == Kind::Image { Class::Media } else { Class::Posts };
    let answered = session.client.by_ids(class, &[id]).await?;
    match answered.value.into_iter().next() {
        Some((_, ById::There(row))) => Ok(*row),
        Some((_, ById::Forbidden)) => Err(ActError::CannotLink { id, why: CannotLink::Forbidden }),
        Some((_, ById::Gone)) | None => Err(ActError::CannotLink { id, why: CannotLink::NotThere }),
    }
}

/// Returns the row that the record names, or the one at its slug where only one is.
async fn recorded_row(session: &Session<'_>, operation: &Operation) -> Result<(RemoteId, Row), ActError> {
    if let Some(id) = operation.remote_id {
        match row_of(session, operation, id).await {
            // What was linked is gone; the halt may be about what came since.
            Err(ActError::CannotLink { why: CannotLink::NotThere, .. }) if operation.may_arrive => {}
            answer => return Ok((id, answer?)),
        }
    }
    let seen = see(session, operation).await?;
    let Evidence::Looked(looked) = &seen.evidence else {
        return Err(ActError::Shut(Shut::NotNegative));
    };
    let at_slug: Vec<RemoteId> =
        looked.rows.iter().filter(|row| row.slug_matches && !row.in_trash).map(|row| row.id).collect();
    match at_slug.as_slice() {
        [id] => Ok((*id, row_of(session, operation, *id).await?)),
        [] | [_, _, ..] => Err(ActError::NotOffered { act: Act::KeepSite, state: operation.standing.state }),
    }
}

async fn link(session: &Session<'_>, operation: &Operation, id: Option<RemoteId>) -> Result<(), ActError> {
    let Some(id) = id.or(operation.remote_id) else {
        return Err(ActError::NotOffered { act: Act::Link, state: operation.standing.state });
    };
    let reason = operation.standing.state;
    let (row, others) = if reason == State::Halted(HaltReason::ExistsNotOurs)
        || reason == State::Halted(HaltReason::Duplicates)
    {
        row_and_others(session, operation, id).await?
    } else {
        (row_of(session, operation, id).await?, Vec::new())
    };
    if row.in_trash() {
        return Err(ActError::CannotLink { id, why: CannotLink::InTrash });
    }
    let owners = session.runner.by_remote_ids(session.site.id, operation.kind, &[id])?;
    if owners.get(&id).is_some_and(|owner| *owner != operation.op_id) {
        return Err(ActError::CannotLink { id, why: CannotLink::OtherRecord });
    }
    // The other rows of the halt were seen by the person, and are not to halt it again.
    let note = JournalNote::by_person(session.now())
        .with_row(id, Some(row.recorded()))
        .with_successor(session.new_op_id(), others);
    session.runner.apply(operation.op_id, CoreEvent::Act(Act::Link), note)?;
    Ok(())
}

/// Returns a row that a person may read but perhaps not edit, and the other rows that look like the article.
async fn row_and_others(
    session: &Session<'_>,
    operation: &Operation,
    id: RemoteId,
) -> Result<(Row, Vec<RemoteId>), ActError> {
    let mut seen = see(session, operation).await?;
    let others = match &seen.evidence {
        Evidence::Looked(looked) => {
            looked.rows.iter().map(|row| row.id).filter(|other| *other != id).collect()
        }
        Evidence::CouldNotAsk(_) => return Err(ActError::Shut(Shut::NotNegative)),
    };
    let row = match (row_of(session, operation, id).await, seen.rows.remove(&id)) {
        (Err(ActError::CannotLink { why: CannotLink::Forbidden, .. }), Some(row)) => row,
        (answer, _) => answer?,
    };
    Ok((row, others))
}

/// Dismisses one candidate, and looks again: the last one dismissed turns the halt into "unknown".
async fn none_of_these(
    session: &Session<'_>,
    operation: &Operation,
    id: Option<RemoteId>,
) -> Result<(), ActError> {
    let Some(id) = id else {
        return Err(ActError::NotOffered { act: Act::NoneOfThese, state: operation.standing.state });
    };
    // Only what the card shows: anything else was not seen by the person.
    if !see(session, operation).await?.rows.contains_key(&id) {
        return Err(ActError::CannotLink { id, why: CannotLink::NotThere });
    }
    session.runner.dismiss(operation.op_id, &[id], session.now())?;
    settle_by_looking(session, &[operation], &Digests::new(), &Digests::new(), Depth::AsNeeded, Turn::Last)
        .await?;
    Ok(())
}

/// Opens the way for another send: only after the settle window, from a look made just now, and as a
/// new operation.
async fn send_again(session: &Session<'_>, operation: &Operation) -> Result<(), ActError> {
    let State::Halted(reason) = operation.standing.state else {
        return Err(ActError::Shut(Shut::NotOffered));
    };
    let seen = see(session, operation).await?;
    let now = session.moment(seen.site_time);
    // A halt that is kept because the site could not be asked is no answer of the site.
    if !matches!(seen.evidence, Evidence::Looked(_)) {
        return Err(ActError::Shut(Shut::NotNegative));
    }
    let window_ms = u64::try_from(session.settings.window.as_millis()).unwrap_or(u64::MAX);
    let (reason, says) = before_send_again(record_of(operation), reason, &seen.evidence);
    if operation.standing.may_have_left {
        send_again_is_open(reason, operation.first_negative.as_ref(), &now, &says, window_ms)
            .map_err(ActError::Shut)?;
        if operation.kind == Kind::Post
            && matches!(reason, HaltReason::OutcomeUnknown | HaltReason::Candidates)
        {
            refuse_if_searched_for(session, operation).await?;
        }
    } else if says != Decision::Keep {
        return Err(ActError::Shut(Shut::NotNegative));
    }
    let mut dismiss: Vec<RemoteId> = session.runner.dismissed(operation.op_id)?.into_iter().collect();
    if let Evidence::Looked(looked) = &seen.evidence {
        // What lies in the trash was seen by the person, and is not to hold the new operation up.
        dismiss.extend(looked.rows.iter().filter(|row| row.in_trash).map(|row| row.id));
    }
    dismiss.extend(operation.remote_id);
    dismiss.sort_unstable();
    dismiss.dedup();
    let note = JournalNote::by_person(session.now()).with_successor(session.new_op_id(), dismiss);
    session.runner.apply(operation.op_id, CoreEvent::Act(Act::SendAgain), note)?;
    Ok(())
}

/// The marker may stand in a row that no list shows: a find counts, absence proves nothing.
async fn refuse_if_searched_for(session: &Session<'_>, operation: &Operation) -> Result<(), ActError> {
    let found = session.client.search(Class::Posts, operation.op_id).await?;
    let dismissed = session.runner.dismissed(operation.op_id)?;
    if found.value.iter().any(|row| !dismissed.contains(&row.id)) {
        return Err(ActError::Shut(Shut::NotNegative));
    }
    Ok(())
}

/// Finds the record that an article looks to have had under its earlier slug.
fn moved_from(session: &Session<'_>, operation: &Operation) -> Result<Operation, ActError> {
    session
        .runner
        .moved(
            operation.site,
            &operation.post_type,
            &operation.key,
            operation.source_path.as_deref(),
            operation.source_digest,
        )?
        .ok_or_else(|| ActError::NoSuchArticle { article: PathBuf::from(&operation.slug) })
}
