//! Reading the journal.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::time::Timestamp;

use crate::error::{LockError, OpenError, ReadError};
use crate::health::Health;
use crate::key::Key;
use crate::owner::Owner;
use crate::places::Places;
use crate::record::{Count, Filter, HistoryEntry, Operation, Page, PostImage};
use crate::runner::{BarrierEntry, Runner};
use crate::site::{IdSpace, Site, SiteId};

/// The journal, for reading.
pub struct Journal {}

impl Journal {
    /// Opens the journal, or makes it at the first start.
    ///
    /// # Errors
    /// Fails as [`OpenError`] says. A lost journal is no error: see [`Self::health`].
    pub fn open(places: &Places) -> Result<Self, OpenError> {
        todo!("{places:?}")
    }

    /// Says whether the journal can be believed.
    ///
    /// # Errors
    /// Fails if the database does.
    pub fn health(&self) -> Result<Health, ReadError> {
        todo!()
    }

    /// Becomes the runner: takes the runner lock, and takes up what a run that was cut off left behind
    /// ([`Runner::unclean_stop`]). It does not wait; the caller asks again after [`LockError::HeldBy`].
    ///
    /// # Errors
    /// Fails as [`LockError`] says.
    pub fn lock(&self, owner: &Owner, now: Timestamp) -> Result<Runner, LockError> {
        todo!("{owner:?} {now:?}")
    }

    /// Returns an operation.
    ///
    /// # Errors
    /// Fails if the database does. So does every method below.
    pub fn operation(&self, op_id: OpId) -> Result<Option<Operation>, ReadError> {
        todo!("{op_id}")
    }

    /// Returns the operation that stands for an effect. Abandoned ones do not.
    pub fn by_key(&self, site: SiteId, kind: Kind, post_type: &str, key: &Key) -> Result<Option<Operation>, ReadError> {
        todo!("{site:?}{kind:?}{post_type}{key}")
    }

    /// Returns the operations that stand for effects. Abandoned ones do not.
    pub fn by_keys(&self, site: SiteId, kind: Kind, post_type: &str, keys: &[Key]) -> Result<HashMap<Key, Operation>, ReadError> {
        todo!("{site:?}{kind:?}{post_type}{keys:?}")
    }

    /// Tells which operations own rows of the site. Ids that nobody owns are absent.
    pub fn by_remote_ids(&self, site: SiteId, kind: Kind, ids: &[RemoteId]) -> Result<HashMap<RemoteId, OpId>, ReadError> {
        todo!("{site:?}{kind:?}{ids:?}")
    }

    /// Tells which of the operations this journal knows, abandoned ones included.
    pub fn known_ops(&self, op_ids: &[OpId]) -> Result<HashSet<OpId>, ReadError> {
        todo!("{op_ids:?}")
    }

    /// Finds a post under another key whose create may have left and that has the same path or the
    /// same digest: the article looks like one sent before under another slug.
    pub fn moved(&self, site: SiteId, post_type: &str, key: &Key, source_path: Option<&Path>, source_digest: Option<Digest>) -> Result<Option<Operation>, ReadError> {
        todo!("{site:?}{post_type}{key}{source_path:?}{source_digest:?}")
    }

    /// Returns the operations whose outcome is in doubt (`sending`, or halted for a doubt), left ones
    /// included.
    pub fn in_doubt(&self, site: Option<SiteId>) -> Result<Vec<Operation>, ReadError> {
        todo!("{site:?}")
    }

    /// Returns the operations that a person must look at: halted and not left, or `sending`.
    pub fn needs_attention(&self, site: Option<SiteId>) -> Result<Vec<Operation>, ReadError> {
        todo!("{site:?}")
    }

    /// Returns the operations in doubt whose next look-up is due, the most overdue first.
    pub fn due_looks(&self, now: Timestamp) -> Result<Vec<Operation>, ReadError> {
        todo!("{now:?}")
    }

    /// Returns when the next look-up is due.
    pub fn next_look_at(&self) -> Result<Option<Timestamp>, ReadError> {
        todo!()
    }

    /// Lists operations, newest first.
    pub fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Operation>, ReadError> {
        todo!("{filter:?}{page:?}")
    }

    /// Counts the operations that a list would hold.
    pub fn list_len(&self, filter: &Filter) -> Result<u64, ReadError> {
        todo!("{filter:?}")
    }

    /// Counts operations by site, kind and standing.
    pub fn counts(&self, site: Option<SiteId>) -> Result<Vec<Count>, ReadError> {
        todo!("{site:?}")
    }

    /// Returns operations in the order of their ids, after the given one: for going through all.
    pub fn operations_after(&self, after: Option<OpId>, limit: u32) -> Result<Vec<Operation>, ReadError> {
        todo!("{after:?}{limit}")
    }

    /// Returns history in the order it happened, after the given number: for going through all.
    pub fn history_after(&self, seq: i64, limit: u32) -> Result<Vec<HistoryEntry>, ReadError> {
        todo!("{seq}{limit}")
    }

    /// Returns the history of one operation, in the order it happened.
    pub fn history_of(&self, op_id: OpId) -> Result<Vec<HistoryEntry>, ReadError> {
        todo!("{op_id}")
    }

    /// Returns the latest lines of the history, newest first.
    pub fn latest_history(&self, page: Page) -> Result<Vec<HistoryEntry>, ReadError> {
        todo!("{page:?}")
    }

    /// Returns the images that a post uses, by position.
    pub fn images_of(&self, post: OpId) -> Result<Vec<PostImage>, ReadError> {
        todo!("{post}")
    }

    /// Returns the posts that use an image.
    pub fn posts_using(&self, image: OpId) -> Result<Vec<PostImage>, ReadError> {
        todo!("{image}")
    }

    /// Returns the operations that were abandoned on the way to this one, nearest first.
    pub fn predecessors(&self, op_id: OpId) -> Result<Vec<OpId>, ReadError> {
        todo!("{op_id}")
    }

    /// Returns the rows that a person said are not this operation's effect.
    pub fn dismissed(&self, op_id: OpId) -> Result<HashSet<RemoteId>, ReadError> {
        todo!("{op_id}")
    }

    /// Returns the sites that are not removed, by name.
    pub fn sites(&self) -> Result<Vec<Site>, ReadError> {
        todo!()
    }

    /// Returns a site, removed or not.
    pub fn site(&self, site: SiteId) -> Result<Option<Site>, ReadError> {
        todo!("{site:?}")
    }

    /// Returns the site of a name that is not removed.
    pub fn site_by_name(&self, name: &str) -> Result<Option<Site>, ReadError> {
        todo!("{name}")
    }

    /// Returns a setting of a site, or a global one for `None`.
    pub fn setting(&self, site: Option<SiteId>, name: &str) -> Result<Option<String>, ReadError> {
        todo!("{site:?}{name}")
    }

    /// Returns all settings of a site, or the global ones for `None`, by name.
    pub fn settings(&self, site: Option<SiteId>) -> Result<Vec<(String, String)>, ReadError> {
        todo!("{site:?}")
    }

    /// Returns the highest id known of a site.
    pub fn high_water(&self, site: SiteId, space: IdSpace) -> Result<Option<RemoteId>, ReadError> {
        todo!("{site:?}{space:?}")
    }

    /// Returns the highest ids recorded as done, highest first.
    pub fn last_recorded_ids(&self, site: SiteId, kind: Kind, limit: u32) -> Result<Vec<RemoteId>, ReadError> {
        todo!("{site:?}{kind:?}{limit}")
    }

    /// Returns what shuts creating, for one site (what stands for every site included) or for all.
    pub fn barriers(&self, site: Option<SiteId>) -> Result<Vec<BarrierEntry>, ReadError> {
        todo!("{site:?}")
    }
}
