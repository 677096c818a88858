//! The send: no permit before `sending` is durable.

use ichido_core::apply::{Event, Standing, apply};
use ichido_core::id::OpId;
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use ichido_core::time::Moment;
use rusqlite::Connection;

use crate::barrier;
use crate::connection::{self, PragmaFailure};
use crate::error::{BeginSendError, WriteError};
use crate::plan;
use crate::record::{Note, SendFacts};
use crate::row;
use crate::runner::Runner;
use crate::transition;

impl Runner {
    /// Claims an operation for sending and makes that durable, in one synced commit. The first of a
    /// run also opens the run, which costs one more.
    ///
    /// # Errors
    /// Fails as [`BeginSendError`] says; then nothing may be sent.
    pub fn begin_send(
        &self,
        op_id: OpId,
        facts: &SendFacts,
        now: &Moment,
    ) -> Result<SendPermit, BeginSendError> {
        let mut conn = self.db.lock();
        self.may_write()?;
        make_durable(&conn).map_err(|failure| self.refuse(failure))?;
        refuse_in_vain(&conn, op_id)?;
        self.open_run(&mut conn, now)?;
        let claimed = self.write_on(&mut conn, |tx| {
            let operation = plan::reread(tx, op_id)?;
            if let Some(barrier) = barrier::standing(tx, operation.site)? {
                return Ok(Err(BeginSendError::Barrier { barrier }));
            }
            transition::transition(tx, op_id, Event::BeginSend, &Note::at(now.at))?;
            write_facts(tx, op_id, facts, now)?;
            Ok(Ok(operation.kind))
        })?;
        claimed.map(|kind| SendPermit::after_durable_commit(op_id, kind))
    }

    /// Writes down what is known about a send.
    ///
    /// The commit is visible at once and becomes durable with the next one; losing it in a power cut
    /// costs a look-up. Where the site gave the operation a row that another record claims, see
    /// [`Barrier::SiteRestored`](ichido_core::tally::Barrier::SiteRestored).
    ///
    /// # Errors
    /// Fails as [`WriteError`] says; then the run must stop, and the operation is found `sending`.
    pub fn settle(&self, sent: Sent, now: &Moment) -> Result<Standing, WriteError> {
        let mut conn = self.db.lock();
        self.may_write()?;
        conn.pragma_update(None, "synchronous", "normal")
            .map_err(WriteError::from)
            .inspect_err(|error| self.fail_on(error))?;
        let settled = self.write_on(&mut conn, |tx| {
            transition::transition(tx, sent.op_id, Event::Answered(&sent.outcome), &Note::at(now.at))
        });
        conn.pragma_update(None, "synchronous", "full")
            .map_err(WriteError::from)
            .inspect_err(|error| self.fail_on(error))?;
        settled
    }

    /// A setting that cannot be relied on stops the run, as a failed write does.
    fn refuse(&self, failure: PragmaFailure) -> BeginSendError {
        match failure {
            PragmaFailure::Differs { pragma, wanted, got } => BeginSendError::Pragma { pragma, wanted, got },
            PragmaFailure::Database(source) => {
                let error = WriteError::Database { source };
                self.fail_on(&error);
                error.into()
            }
        }
    }
}

/// Sets what only `settle` may change, and reads back everything that a send relies on.
fn make_durable(conn: &Connection) -> Result<(), PragmaFailure> {
    conn.pragma_update(None, "synchronous", "full")?;
    connection::verify(conn)
}

/// Refuses what cannot be sent before a run is opened for it; the claim judges it again.
fn refuse_in_vain(conn: &Connection, op_id: OpId) -> Result<(), BeginSendError> {
    let operation = plan::reread(conn, op_id)?;
    apply(operation.kind, operation.standing, Event::BeginSend).map_err(WriteError::from)?;
    match barrier::standing(conn, operation.site).map_err(WriteError::from)? {
        Some(barrier) => Err(BeginSendError::Barrier { barrier }),
        None => Ok(()),
    }
}

/// Keeps what goes over the wire, and forgets what was known about an earlier request.
fn write_facts(tx: &Connection, op_id: OpId, facts: &SendFacts, now: &Moment) -> Result<(), WriteError> {
    tx.prepare_cached(
        "UPDATE operations SET slug = ?2, title = ?3, source_path = ?4, source_digest = ?5, sent_digest = ?6, \
         normaliser = ?7, mark = ?8, expected = ?9, sent_at = ?10, settled_at = NULL, unknown = NULL, refusal = NULL, \
         first_negative = NULL, last_look_at = NULL, next_look_at = NULL, looks = 0, evidence = NULL \
         WHERE op_id = ?1",
    )?
    .execute(rusqlite::params![
        op_id.to_string(),
        facts.slug,
        facts.title,
        facts.source_path.as_ref().map(|path| path.to_string_lossy()),
        facts.source_digest.map(|digest| digest.to_string()),
        facts.sent_digest.map(|digest| digest.to_string()),
        facts.normaliser,
        facts.mark.map(|id| id.0.cast_signed()),
        row::to_json_option(facts.expected.as_ref())?,
        now.at.0,
    ])?;
    Ok(())
}
