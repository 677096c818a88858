//! The one place that sends what must not be sent twice.

use std::future::Future;

use ichido_core::outcome::{Outcome, Sent};
use ichido_core::permit::SendPermit;
use ichido_journal::{Operation, SendFacts};

use crate::errors::RunError;
use crate::failpoint::{Point, reach};
use crate::session::Session;

/// Makes `sending` durable, sends once, and writes down what is known about it.
///
/// # Errors
/// Fails only if the journal does, and then the run must stop: before the send nothing has left; after
/// it the row says `sending`, and the next start looks for the effect.
pub(crate) async fn send<F, S>(
    session: &Session<'_>,
    operation: &Operation,
    facts: &SendFacts,
    request: F,
) -> Result<Outcome, RunError>
where
    F: FnOnce(SendPermit) -> S,
    S: Future<Output = Sent>,
{
    let kind = operation.kind.as_str();
    reach(Point::BeforeBeginSend, kind);
    let permit = session.runner.begin_send(operation.op_id, facts, &session.moment(None))?;
    reach(Point::AfterBeginSend, kind);
    let sent = request(permit).await;
    reach(Point::BeforeSettle, kind);
    let outcome = sent.outcome.clone();
    let standing = session.runner.settle(sent, &session.moment(None))?;
    reach(Point::AfterSettle, kind);
    tracing::info!(kind, op_id = %operation.op_id, state = standing.state.as_str(), "a send was settled");
    Ok(outcome)
}
