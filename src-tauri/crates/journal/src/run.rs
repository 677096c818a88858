//! Runs: opened at the first send, closed when the batch has drained, found open after a crash.

use ichido_core::apply::Event;
use ichido_core::id::OpId;
use ichido_core::operation::State;
use ichido_core::outcome::UnknownCause;
use ichido_core::tally::Barrier;
use ichido_core::time::{Moment, Timestamp};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::barrier::{self, BarrierEntry};
use crate::error::{ReadError, WriteError};
use crate::open;
use crate::owner::Owner;
use crate::record::{By, Note, Operation};
use crate::row::{self, OPERATION};
use crate::runner::{Runner, add_history};
use crate::site::SiteId;
use crate::transition;

/// What a run that was cut off left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncleanStop {
    /// Who ran.
    pub owner: Owner,
    /// When it began.
    pub since: Timestamp,
    /// What was being sent, by site. May be empty: then nothing is in doubt because of it.
    pub operations: Vec<(SiteId, OpId)>,
}

/// What the barrier of an unclean stop keeps.
#[derive(Serialize, Deserialize)]
struct StopDetail {
    owner: Owner,
    since: Timestamp,
    operations: Vec<OpId>,
}

impl Runner {
    /// Opens a run if none is open: the counter moves in a durable commit, the sidecar follows it.
    pub(crate) fn open_run(&self, conn: &mut Connection, now: &Moment) -> Result<(), WriteError> {
        if open_run(conn)?.is_some() {
            return Ok(());
        }
        self.write_on(conn, |tx| {
            tx.execute("UPDATE meta SET counter = counter + 1", [])?;
            tx.execute(
                "INSERT INTO runs (opened_at, owner) VALUES (?1, ?2)",
                (row::to_json(now)?, row::to_json(&self.owner)?),
            )?;
            Ok(())
        })?;
        open::vouch(conn, &self.places).inspect_err(|error| self.fail_on(error))
    }

    /// Closes the run, durably. Nothing happens if none is open.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn close_run(&self, now: &Moment) -> Result<(), WriteError> {
        self.write(|tx| close_run(tx, now.at, true))
    }

    /// Takes up what an earlier run left behind: interrupted requests that may be repeated go back to
    /// waiting, the others stay `sending` and shut creating on their sites.
    pub(crate) fn take_up(&self, now: Timestamp) -> Result<Option<UncleanStop>, WriteError> {
        let (run, sending) = {
            let conn = self.db.lock();
            (open_run(&conn)?, sending(&conn)?)
        };
        if run.is_none() && sending.iter().all(|operation| operation.kind.must_not_repeat()) {
            return Ok(None);
        }
        self.write(|tx| {
            for operation in &sending {
                transition::transition(tx, operation.op_id, Event::Interrupted, &Note::at(now))?;
                tx.execute(
                    "UPDATE operations SET unknown = ?2 WHERE op_id = ?1 AND state = 'sending' AND unknown IS NULL",
                    (operation.op_id.to_string(), row::to_json(&UnknownCause::Interrupted)?),
                )?;
            }
            let Some((opened, owner)) = run else { return Ok(None) };
            close_run(tx, now, false)?;
            let in_doubt = sending.iter().filter(|operation| operation.kind.must_not_repeat());
            let stop = UncleanStop {
                owner,
                since: opened.at,
                operations: in_doubt.map(|operation| (operation.site, operation.op_id)).collect(),
            };
            shut(tx, &stop, now)?;
            let detail = json!({ "owner": stop.owner, "since": stop.since, "sending": stop.operations.len() });
            add_history(tx, now, None, None, By::Program, Barrier::UncleanStop.as_str(), Some(&detail))?;
            Ok(Some(stop))
        })
    }

    /// Lifts the barrier of an unclean stop from each site where everything that was being sent is
    /// `done` by now. Tells whether none is left.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn lift_settled_stops(&self, now: Timestamp) -> Result<bool, WriteError> {
        let stops = stops(&self.barriers(None)?);
        if stops.is_empty() {
            return Ok(true);
        }
        self.write(|tx| {
            let mut none_left = true;
            for (site, stop) in stops {
                if all_are_done(tx, &stop.operations)? {
                    barrier::take_away(tx, site, Barrier::UncleanStop, By::Program, now)?;
                } else {
                    none_left = false;
                }
            }
            Ok(none_left)
        })
    }
}

/// Closes the open run, if there is one. The counter moves with it, so that a copy made in the middle
/// of the run is known to be older; the sidecar follows when the database is laid down.
fn close_run(tx: &Connection, at: Timestamp, clean: bool) -> Result<(), WriteError> {
    let closed =
        tx.execute("UPDATE runs SET closed_at = ?1, clean = ?2 WHERE closed_at IS NULL", (at.0, clean))?;
    if closed > 0 {
        tx.execute("UPDATE meta SET counter = counter + 1", [])?;
    }
    Ok(())
}

/// Shuts creating on each site where something was being sent.
fn shut(tx: &Connection, stop: &UncleanStop, now: Timestamp) -> Result<(), WriteError> {
    let mut sites: Vec<_> = stop.operations.iter().map(|(site, _)| *site).collect();
    sites.dedup();
    for site in sites {
        let here = stop.operations.iter().filter(|(at, _)| *at == site).map(|(_, op_id)| *op_id);
        let detail = StopDetail { owner: stop.owner.clone(), since: stop.since, operations: here.collect() };
        barrier::set(tx, Some(site), Barrier::UncleanStop, Some(&json!(detail)), now)?;
    }
    Ok(())
}

fn stops(barriers: &[BarrierEntry]) -> Vec<(Option<SiteId>, StopDetail)> {
    barriers
        .iter()
        .filter(|entry| entry.barrier == Barrier::UncleanStop)
        .filter_map(|entry| Some((entry.site, serde_json::from_value(entry.detail.clone()?).ok()?)))
        .collect()
}

fn all_are_done(tx: &Connection, operations: &[OpId]) -> Result<bool, ReadError> {
    for op_id in operations {
        let done =
            row::operation_of(tx, *op_id)?.is_some_and(|operation| operation.standing.state == State::Done);
        if !done {
            return Ok(false);
        }
    }
    Ok(true)
}

fn open_run(conn: &Connection) -> Result<Option<(Moment, Owner)>, ReadError> {
    let sql = "SELECT opened_at, owner FROM runs WHERE closed_at IS NULL";
    let found =
        row::first(conn, sql, [], |found| Ok((row::json(found, "opened_at")?, row::json(found, "owner")?)))?;
    Ok(found.and_then(|(opened, owner)| opened.zip(owner)))
}

fn sending(conn: &Connection) -> Result<Vec<Operation>, ReadError> {
    let sql = format!(
        "SELECT {OPERATION} FROM operations INDEXED BY operations_open \
         WHERE state IN ('sending', 'halted') AND state = 'sending' ORDER BY site_id, op_id"
    );
    row::all(conn, &sql, [], row::operation)
}
