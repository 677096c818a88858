//! The runner: the only one that writes.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use ichido_core::id::{OpId, RemoteId};
use ichido_core::time::Timestamp;
use rusqlite::{Connection, TransactionBehavior};
use serde_json::Value;

use crate::error::{LockError, WriteError};
use crate::journal::Journal;
use crate::lock::{FileLock, SiteLock};
use crate::open::{self, Holding};
use crate::owner::Owner;
use crate::places::Places;
use crate::record::By;
use crate::row;
use crate::run::UncleanStop;
use crate::site::{IdSpace, SiteId};

/// The one that may write and send, while the runner lock is held.
///
/// After a write that failed it refuses every other: a run whose journal cannot be trusted must stop.
#[derive(Debug)]
pub struct Runner {
    journal: Journal,
    pub(crate) owner: Owner,
    failed: AtomicBool,
    unclean_stop: Option<UncleanStop>,
    // Given back last, after the connection is closed.
    _lock: FileLock,
}

impl Deref for Runner {
    type Target = Journal;

    fn deref(&self) -> &Journal {
        &self.journal
    }
}

impl Runner {
    pub(crate) fn take_over(places: &Places, owner: &Owner, now: Timestamp) -> Result<Self, LockError> {
        // While somebody opens the journal, the lock may be tried for a moment.
        let opening = places.opening_lock();
        let alone =
            FileLock::wait(&opening).map_err(|source| LockError::LockFile { path: opening, source })?;
        let lock = FileLock::try_take_as(owner, places.runner_lock())?;
        drop(alone);
        let journal = Journal::open_holding(places, Holding::RunnerLock)
            .map_err(|source| LockError::Open { source })?;
        if journal.is_newer() {
            return Err(LockError::ReadOnlyNewer);
        }
        let mut runner = Self {
            journal,
            owner: owner.clone(),
            failed: AtomicBool::new(false),
            unclean_stop: None,
            _lock: lock,
        };
        runner.unclean_stop = runner.take_up(now).map_err(|source| LockError::Recover { source })?;
        Ok(runner)
    }

    /// Takes the lock of one site.
    ///
    /// # Errors
    /// [`LockError::HeldBy`] while another runner has it, [`LockError::LockFile`].
    pub fn lock_site(&self, home: &str) -> Result<SiteLock, LockError> {
        FileLock::try_take_as(&self.owner, self.places.site_lock(home)).map(SiteLock::new)
    }

    /// Returns what a run that was cut off left behind, as this runner found it when it took the lock.
    /// Where it had a post or an image in `sending`, a
    /// [`Barrier::UncleanStop`](ichido_core::tally::Barrier::UncleanStop) stands for that site.
    #[must_use]
    pub const fn unclean_stop(&self) -> Option<&UncleanStop> {
        self.unclean_stop.as_ref()
    }

    /// Writes in one transaction, all or nothing.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let mut conn = self.db.lock();
        self.write_on(&mut conn, work)
    }

    pub(crate) fn write_on<T>(
        &self,
        conn: &mut Connection,
        work: impl FnOnce(&Connection) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let outcome = self.may_write().and_then(|()| {
            let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = work(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        });
        outcome.inspect_err(|error| self.fail_on(error))
    }

    pub(crate) fn may_write(&self) -> Result<(), WriteError> {
        if self.failed.load(Ordering::SeqCst) { Err(WriteError::Poisoned) } else { Ok(()) }
    }

    /// Refuses every later write if the error says that the journal can no longer be trusted.
    pub(crate) fn fail_on(&self, error: &WriteError) {
        if error.is_failure() {
            self.failed.store(true, Ordering::SeqCst);
        }
    }

    /// Raises a high-water mark; a lower id changes nothing.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn raise_high_water(&self, site: SiteId, space: IdSpace, id: RemoteId) -> Result<(), WriteError> {
        if self.high_water(site, space)?.is_some_and(|known| known >= id) {
            return Ok(());
        }
        self.write(|tx| raise_high_water(tx, site, space, id))
    }

    /// Sets a setting of a site, or a global one for `None`; a value of `None` takes it away.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn set_setting(
        &self,
        site: Option<SiteId>,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), WriteError> {
        self.write(|tx| {
            tx.execute(
                "DELETE FROM settings WHERE coalesce(site_id, 0) = ?1 AND name = ?2",
                (site.map_or(0, |site| site.0), name),
            )?;
            if let Some(value) = value {
                tx.execute(
                    "INSERT INTO settings (site_id, name, value) VALUES (?1, ?2, ?3)",
                    (site.map(|site| site.0), name, value),
                )?;
            }
            Ok(())
        })
    }

    /// Adds a line to the history that concerns a site or everything.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn note_history(
        &self,
        site: Option<SiteId>,
        code: &str,
        detail: Option<Value>,
        now: Timestamp,
    ) -> Result<(), WriteError> {
        self.write(|tx| add_history(tx, now, None, site, By::Program, code, detail.as_ref()))
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let conn = self.journal.db.lock();
        let run_is_open = row::value::<i64>(&conn, "SELECT 1 FROM runs WHERE closed_at IS NULL", []);
        if self.may_write().is_ok() && matches!(run_is_open, Ok(None)) {
            open::seal(&conn, &self.journal.places);
        }
    }
}

pub(crate) fn raise_high_water(
    tx: &Connection,
    site: SiteId,
    space: IdSpace,
    id: RemoteId,
) -> Result<(), WriteError> {
    tx.prepare_cached(
        "INSERT INTO high_water (site_id, space, id) VALUES (?1, ?2, ?3) \
         ON CONFLICT (site_id, space) DO UPDATE SET id = excluded.id WHERE excluded.id > id",
    )?
    .execute((site.0, space.as_str(), id.0.cast_signed()))?;
    Ok(())
}

pub(crate) fn add_history(
    tx: &Connection,
    at: Timestamp,
    op_id: Option<OpId>,
    site: Option<SiteId>,
    by: By,
    code: &str,
    detail: Option<&Value>,
) -> Result<(), WriteError> {
    tx.prepare_cached(
        "INSERT INTO history (at, op_id, site_id, by_person, code, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((
        at.0,
        op_id.map(|op_id| op_id.to_string()),
        site.map(|site| site.0),
        by == By::Person,
        code,
        detail.map(ToString::to_string),
    ))?;
    Ok(())
}
