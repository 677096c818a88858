//! Writing the journal.

use std::ops::Deref;
use std::path::Path;

use ichido_core::apply::{Event, Standing};
use ichido_core::id::{OpId, RemoteId};
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use ichido_core::tally::Barrier;
use ichido_core::time::{Moment, Timestamp};
use serde_json::Value;

use crate::error::{BeginSendError, LockError, SiteError, WriteError};
use crate::journal::Journal;
use crate::owner::Owner;
use crate::record::{By, Change, Look, NewOperation, Note, Operation, SendFacts};
use crate::site::{Added, IdSpace, NewSite, Site, SiteId};

/// The one that may write and send, while the runner lock is held.
///
/// After a write that failed it refuses every other: a run whose journal cannot be trusted must stop.
pub struct Runner {
    journal: Journal,
}

/// Keeps other runners, of other data folders too, from sending to one site; given back on drop.
#[derive(Debug)]
pub struct SiteLock {}

/// What a run that was cut off left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncleanStop {
    /// Who ran.
    pub owner: Option<Owner>,
    /// When it began.
    pub since: Timestamp,
    /// What was being sent, by site.
    pub operations: Vec<(SiteId, OpId)>,
}

/// One thing that shuts creating.
#[derive(Clone, Debug, PartialEq)]
pub struct BarrierEntry {
    /// The site; `None` for every site.
    pub site: Option<SiteId>,
    /// What stands in the way.
    pub barrier: Barrier,
    /// Since when.
    pub since: Timestamp,
    /// Parameters: for an unclean stop `owner`, `since` and `operations`; for a lost journal its cause.
    pub detail: Option<Value>,
}

impl Deref for Runner {
    type Target = Journal;

    fn deref(&self) -> &Journal {
        &self.journal
    }
}

impl Runner {
    /// Takes the lock of one site.
    ///
    /// # Errors
    /// [`LockError::HeldBy`] while another runner has it, [`LockError::LockFile`].
    pub fn lock_site(&self, home: &str) -> Result<SiteLock, LockError> {
        todo!("{home}")
    }

    /// Returns what a run that was cut off left behind, as this runner found it when it took the lock.
    /// Where it had a post or an image in `sending`, an [`Barrier::UncleanStop`] stands for that site.
    #[must_use]
    pub fn unclean_stop(&self) -> Option<&UncleanStop> {
        todo!()
    }

    /// Lifts the barrier of an unclean stop from each site where everything that was being sent is
    /// `done` by now. Tells whether none is left.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says. So does every method below that names no other error.
    pub fn lift_settled_stops(&self, now: Timestamp) -> Result<bool, WriteError> {
        todo!("{now:?}")
    }

    /// Records an operation as planned, or returns the one that stands for the effect already.
    pub fn plan(&self, new: &NewOperation, now: Timestamp) -> Result<Operation, WriteError> {
        todo!("{new:?}{now:?}")
    }

    /// Does [`Self::plan`] for many in one transaction, in the order given.
    pub fn plan_all(&self, new: &[NewOperation], now: Timestamp) -> Result<Vec<Operation>, WriteError> {
        todo!("{new:?}{now:?}")
    }

    /// Moves an operation on by an event other than a send and its answer.
    ///
    /// Nothing is written where the event changes nothing and the note carries nothing.
    pub fn apply(&self, op_id: OpId, event: Event<'_>, note: Note) -> Result<Standing, WriteError> {
        todo!("{op_id}{event:?}{note:?}")
    }

    /// Does [`Self::apply`] for many in one transaction: all or none.
    pub fn apply_all(&self, changes: Vec<Change<'_>>) -> Result<Vec<Standing>, WriteError> {
        todo!("{changes:?}")
    }

    /// Claims an operation for sending and makes that durable.
    ///
    /// # Errors
    /// Fails as [`BeginSendError`] says; then nothing may be sent.
    pub fn begin_send(&self, op_id: OpId, facts: &SendFacts, now: &Moment) -> Result<SendPermit, BeginSendError> {
        todo!("{op_id}{facts:?}{now:?}")
    }

    /// Writes down what is known about a send.
    pub fn settle(&self, sent: Sent, now: &Moment) -> Result<Standing, WriteError> {
        todo!("{sent:?}{now:?}")
    }

    /// Writes down a look-up that was made for an operation.
    pub fn record_look(&self, op_id: OpId, look: &Look) -> Result<(), WriteError> {
        todo!("{op_id}{look:?}")
    }

    /// Does [`Self::record_look`] for many in one transaction.
    pub fn record_looks(&self, looks: &[(OpId, Look)]) -> Result<(), WriteError> {
        todo!("{looks:?}")
    }

    /// Records that rows are not this operation's effect, as a person said.
    pub fn dismiss(&self, op_id: OpId, ids: &[RemoteId], now: Timestamp) -> Result<(), WriteError> {
        todo!("{op_id}{ids:?}{now:?}")
    }

    /// Records that an image's sizes are complete.
    pub fn post_processed(&self, op_id: OpId, now: Timestamp) -> Result<(), WriteError> {
        todo!("{op_id}{now:?}")
    }

    /// Records where an article is now, its slug being the same.
    pub fn set_source_path(&self, op_id: OpId, path: &Path) -> Result<(), WriteError> {
        todo!("{op_id}{path:?}")
    }

    /// Moves a record to a new slug, since it is the same article: the operation that was halted for
    /// `slug_changed` is abandoned, and the record takes over its key, path and digest.
    pub fn move_record(&self, halted: OpId, record: OpId, note: Note) -> Result<(), WriteError> {
        todo!("{halted}{record}{note:?}")
    }

    /// Raises a high-water mark; a lower id changes nothing.
    pub fn raise_high_water(&self, site: SiteId, space: IdSpace, id: RemoteId) -> Result<(), WriteError> {
        todo!("{site:?}{space:?}{id}")
    }

    /// Closes the run, durably. Nothing happens if none is open.
    pub fn close_run(&self, now: &Moment) -> Result<(), WriteError> {
        todo!("{now:?}")
    }

    /// Shuts creating for a site, or for every site. One that stands already stays as it is.
    pub fn set_barrier(&self, site: Option<SiteId>, barrier: Barrier, detail: Option<Value>, now: Timestamp) -> Result<(), WriteError> {
        todo!("{site:?}{barrier:?}{detail:?}{now:?}")
    }

    /// Takes away what shuts creating, as a person said: for one site, or wherever it stands. Returns
    /// what was taken away.
    ///
    /// A released [`Barrier::SiteRestored`] also forgets the high-water marks of its site, which
    /// describe a state that no longer exists.
    pub fn release(&self, site: Option<SiteId>, barrier: Barrier, by: By, now: Timestamp) -> Result<Vec<BarrierEntry>, WriteError> {
        todo!("{site:?}{barrier:?}{by:?}{now:?}")
    }

    /// Adds a site, or finds the one with the same home.
    ///
    /// # Errors
    /// Fails as [`SiteError`] says.
    pub fn add_site(&self, new: &NewSite, now: Timestamp) -> Result<(Site, Added), SiteError> {
        todo!("{new:?}{now:?}")
    }

    /// Removes a site from the list; its records stay.
    ///
    /// # Errors
    /// Fails as [`SiteError`] says.
    pub fn remove_site(&self, site: SiteId, now: Timestamp) -> Result<(), SiteError> {
        todo!("{site:?}{now:?}")
    }

    /// Sets a setting of a site, or a global one for `None`; a value of `None` takes it away.
    pub fn set_setting(&self, site: Option<SiteId>, name: &str, value: Option<&str>) -> Result<(), WriteError> {
        todo!("{site:?}{name}{value:?}")
    }

    /// Adds a line to the history that concerns a site or everything.
    pub fn note_history(&self, site: Option<SiteId>, code: &str, detail: Option<Value>, now: Timestamp) -> Result<(), WriteError> {
        todo!("{site:?}{code}{detail:?}{now:?}")
    }
}
