//! Sends what must not be sent twice, and finds out what became of it.

use std::time::Duration;

use ichido_core::apply::Event as CoreEvent;
use ichido_core::decide::{Decision, VerifiedNote};
use ichido_core::operation::{Kind, State};
use ichido_core::outcome::{Created, NotSent, Outcome, Refusal, Sent, UnknownCause};
use ichido_core::permit::SendPermit;
use ichido_core::tally::Pause;
use ichido_journal::{BeginSendError, Note as JournalNote, Operation, SendFacts};
use ichido_wordpress::{ById, Class};

use crate::errors::RunError;
use crate::event::{Event, Note, WaitingFor};
use crate::looks::Depth;
use crate::outbox;
use crate::reconcile::{Digests, Turn, settle_by_looking};
use crate::session::Session;

/// Waits before a request that was proved not to have been executed is made again.
const BACK_OFF: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(16),
];

/// What is known after a send, and after the look that an unknown outcome calls for.
pub(crate) enum After {
    Created(Box<Created>),
    /// Found by the look that followed, with what is worth saying about it.
    Adopted(Vec<Note>),
    /// In doubt, and to be looked for again.
    Unsettled,
    Refused(Refusal),
    /// Halted, or found to be there already.
    Ended,
    /// Something here keeps it from being sent; its article's record says so.
    Blocked,
    Pause(Pause, Option<String>),
    /// Creating was shut by what an earlier send of this run brought to light; nothing was sent.
    Shut,
}

/// Sends, and where it is proved that nothing was executed sends again after a wait and a fresh look,
/// five times at most.
pub(crate) async fn send_with_back_off<'s, F, R, S>(
    session: &'s Session<'_>,
    operation: &Operation,
    facts: &SendFacts,
    request: F,
) -> Result<After, RunError>
where
    F: Fn() -> R,
    R: FnOnce(SendPermit) -> S,
    S: Future<Output = Sent> + 's,
{
    for wait in BACK_OFF.into_iter().map(Some).chain([None]) {
        let outcome = match outbox::send(session, operation, facts, request()).await {
            Err(RunError::BeginSend(BeginSendError::Barrier { .. })) => return Ok(After::Shut),
            sent => sent?,
        };
        let not_sent = match outcome {
            Outcome::Created(created) => return read_back(session, operation, *created).await,
            Outcome::Refused(refusal) => return Ok(After::Refused(refusal)),
            Outcome::Unknown(cause) => return after_unknown(session, operation, &cause).await,
            Outcome::NotSent(not_sent) => not_sent,
        };
        if let NotSent::Maintenance { .. } = not_sent {
            return Ok(After::Pause(Pause::Maintenance, None));
        }
        let Some(wait) = wait else { break };
        let wait = wait.saturating_add(session.clock.jitter(wait));
        session.tell(&Event::Waiting {
            for_ms: u64::try_from(wait.as_millis()).unwrap_or(0),
            why: WaitingFor::Site,
        });
        session.clock.sleep(wait).await;
        match look_afresh(session, operation).await? {
            Fresh::Clear => {}
            Fresh::SiteSilent => return Ok(After::Pause(Pause::Unreachable, None)),
            Fresh::Not(_) => return Ok(After::Ended),
        }
    }
    Ok(After::Pause(Pause::Unreachable, None))
}

/// What a look just before a send allows.
pub(crate) enum Fresh {
    /// The send.
    Clear,
    /// Nothing: the site does not answer.
    SiteSilent,
    /// Not this send, for what was decided; others may go on.
    Not(Decision),
}

/// Every attempt after a wait starts from a complete look.
pub(crate) async fn look_afresh(session: &Session<'_>, operation: &Operation) -> Result<Fresh, RunError> {
    let Some(now) = session.runner.operation(operation.op_id)? else { return Ok(Fresh::Not(Decision::Keep)) };
    let mut judged =
        settle_by_looking(session, &[&now], &Digests::new(), &Digests::new(), Depth::AsNeeded, Turn::Last)
            .await?;
    let Some(judged) = judged.remove(&operation.op_id) else { return Ok(Fresh::Not(Decision::Keep)) };
    Ok(match judged.decision {
        Decision::Create => Fresh::Clear,
        Decision::Wait(_) if !judged.alone => Fresh::SiteSilent,
        decision @ (Decision::Wait(_)
        | Decision::Skip { .. }
        | Decision::Halt(_)
        | Decision::Adopt { .. }
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::StayInDoubt(_)
        | Decision::Keep) => Fresh::Not(decision),
    })
}

/// An answer whose body could not be read told the id at least: the row is read by it.
async fn read_back(
    session: &Session<'_>,
    operation: &Operation,
    mut created: Created,
) -> Result<After, RunError> {
    if created.row.is_none() {
        let class = if operation.kind == Kind::Image { Class::Media } else { Class::Posts };
        match session.client.by_ids(class, &[created.id]).await {
            Ok(answered) => {
                for (id, row) in answered.value {
                    if let ById::There(row) = row {
                        let recorded = row.recorded();
                        let note = JournalNote::at(session.now()).with_row(id, Some(recorded.clone()));
                        let verified = Decision::Verified(VerifiedNote::default());
                        session.runner.apply(operation.op_id, CoreEvent::Decided(&verified), note)?;
                        created.row = Some(recorded);
                        created.stored = row.stored();
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "what was created could not be read back"),
        }
    }
    Ok(After::Created(Box::new(created)))
}

async fn after_unknown(
    session: &Session<'_>,
    operation: &Operation,
    cause: &UnknownCause,
) -> Result<After, RunError> {
    let Some(now) = session.runner.operation(operation.op_id)? else { return Ok(After::Ended) };
    let mut judged =
        settle_by_looking(session, &[&now], &Digests::new(), &Digests::new(), Depth::AsNeeded, Turn::Early)
            .await?;
    let Some(then) = session.runner.operation(operation.op_id)? else { return Ok(After::Ended) };
    // A redirect says that the address is wrong for every article: nothing more is sent to it.
    if let UnknownCause::Redirect { status } = cause {
        return Ok(After::Pause(Pause::Redirected, Some(status.to_string())));
    }
    match then.standing.state {
        State::Done => {
            Ok(After::Adopted(judged.remove(&operation.op_id).map(|judged| judged.notes).unwrap_or_default()))
        }
        state if state.is_in_doubt() => Ok(After::Unsettled),
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Abandoned => Ok(After::Ended),
    }
}
