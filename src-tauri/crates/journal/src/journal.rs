//! Reading the journal.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, Kind};
use ichido_core::time::Timestamp;
use rusqlite::params;

use crate::barrier::BarrierEntry;
use crate::connection::Database;
use crate::error::{LockError, OpenError, ReadError};
use crate::health::Health;
use crate::key::Key;
use crate::lock::{FileLock, WatchLock};
use crate::open::{self, Holding};
use crate::owner::Owner;
use crate::places::Places;
use crate::record::{Count, Filter, Operation, Page, PostImage};
use crate::row::{self, BARRIER, OPERATION, POST_IMAGE, SITE};
use crate::runner::Runner;
use crate::site::{IdSpace, Site, SiteId};

/// The operations of one site, or of all for a null.
const OF_SITE: &str = "(?1 IS NULL OR site_id = ?1)";

/// What a [`Filter`] lets through.
const LISTED: &str = "(?1 IS NULL OR site_id = ?1) AND (?2 IS NULL OR kind = ?2) \
    AND (?3 IS NULL OR state IN (SELECT value FROM json_each(?3))) AND (?4 IS NULL OR reason = ?4) \
    AND (?5 IS NULL OR is_left = ?5) AND (?6 IS NULL OR instr(lower(title), lower(?6)) > 0 \
    OR instr(lower(slug), lower(?6)) > 0 OR instr(lower(coalesce(source_path, '')), lower(?6)) > 0)";

fn states_parameter(filter: &Filter) -> Option<String> {
    (!filter.states.is_empty()).then(|| row::list_parameter(filter.states.iter().map(ToString::to_string)))
}

/// The journal, for reading.
#[derive(Debug)]
pub struct Journal {
    pub(crate) db: Database,
    pub(crate) places: Places,
    newer: bool,
}

impl Journal {
    /// Opens the journal, or makes it at the first start.
    ///
    /// # Errors
    /// Fails as [`OpenError`] says. A lost journal is no error: see [`Self::health`].
    pub fn open(places: &Places) -> Result<Self, OpenError> {
        Self::open_holding(places, Holding::Nothing)
    }

    pub(crate) fn open_holding(places: &Places, holding: Holding) -> Result<Self, OpenError> {
        let opened = open::open(places, holding)?;
        Ok(Self { db: Database::new(opened.conn), places: places.clone(), newer: opened.newer })
    }

    /// Says whether the journal can be believed.
    ///
    /// # Errors
    /// Fails if the database does.
    pub fn health(&self) -> Result<Health, ReadError> {
        if self.newer {
            return Ok(Health::ReadOnlyNewer);
        }
        Ok(open::lost_cause(&self.db.lock())?.map_or(Health::Sound, Health::Lost))
    }

    /// Returns what tells this journal from every other, on whatever computer.
    ///
    /// # Errors
    /// Fails if the database does.
    pub fn uuid(&self) -> Result<String, ReadError> {
        Ok(row::value(&self.db.lock(), "SELECT uuid FROM meta", [])?.unwrap_or_default())
    }

    /// Becomes the runner: takes the runner lock, and takes up what a run that was cut off left behind
    /// ([`Runner::unclean_stop`]). It does not wait; the caller asks again after [`LockError::HeldBy`].
    ///
    /// # Errors
    /// Fails as [`LockError`] says.
    pub fn lock(&self, owner: &Owner, now: Timestamp) -> Result<Runner, LockError> {
        if self.newer {
            return Err(LockError::ReadOnlyNewer);
        }
        Runner::take_over(&self.places, owner, now)
    }

    /// Becomes the one program of this user that watches a folder. Nothing of the journal is changed.
    ///
    /// # Errors
    /// [`LockError::HeldBy`] while another program watches it, [`LockError::LockFile`].
    pub fn lock_watch(&self, folder: &Path, owner: &Owner) -> Result<WatchLock, LockError> {
        FileLock::try_take_as(owner, self.places.watch_lock(folder)).map(WatchLock::new)
    }

    /// Tells whether a runner is at work, here or in another program: what is `sending` then is in nobody's
    /// doubt yet.
    #[must_use]
    pub fn is_at_work(&self) -> bool {
        // A lock that cannot be tried counts as free: what is in flight is rather shown than hidden.
        matches!(FileLock::try_take(&self.places.runner_lock()), Ok(None))
    }

    /// Returns a number that changes whenever another connection, of whatever program, has changed the journal.
    ///
    /// # Errors
    /// Fails if the database does.
    pub fn version(&self) -> Result<i64, ReadError> {
        Ok(row::value(&self.db.lock(), "PRAGMA data_version", [])?.unwrap_or_default())
    }

    pub(crate) const fn is_newer(&self) -> bool {
        self.newer
    }

    /// Returns an operation.
    ///
    /// # Errors
    /// Fails if the database does. So does every method below.
    pub fn operation(&self, op_id: OpId) -> Result<Option<Operation>, ReadError> {
        row::operation_of(&self.db.lock(), op_id)
    }

    /// Returns the operation that stands for an effect. Abandoned ones do not.
    pub fn by_key(
        &self,
        site: SiteId,
        kind: Kind,
        post_type: &str,
        key: &Key,
    ) -> Result<Option<Operation>, ReadError> {
        Ok(self.by_keys(site, kind, post_type, std::slice::from_ref(key))?.remove(key))
    }

    /// Returns the operations that stand for effects. Abandoned ones do not.
    pub fn by_keys(
        &self,
        site: SiteId,
        kind: Kind,
        post_type: &str,
        keys: &[Key],
    ) -> Result<HashMap<Key, Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations WHERE site_id = ?1 AND kind = ?2 AND post_type = ?3 \
             AND key IN (SELECT value FROM json_each(?4)) AND state <> 'abandoned'"
        );
        let keys = row::list_parameter(keys.iter().map(ToString::to_string));
        let found =
            row::all(&self.db.lock(), &sql, (site.0, kind.as_str(), post_type, keys), row::operation)?;
        Ok(found.into_iter().map(|operation| (operation.key.clone(), operation)).collect())
    }

    /// Tells which posts or images own rows of the site. Ids that nobody owns are absent.
    pub fn by_remote_ids(
        &self,
        site: SiteId,
        kind: Kind,
        ids: &[RemoteId],
    ) -> Result<HashMap<RemoteId, OpId>, ReadError> {
        let sql = "SELECT remote_id, op_id FROM json_each(?3) AS wanted \
                   CROSS JOIN operations INDEXED BY operations_remote ON remote_id = CAST(wanted.value AS INTEGER) \
                   WHERE site_id = ?1 AND kind = ?2 AND state <> 'abandoned' AND kind IN ('post', 'image')";
        let ids = row::list_parameter(ids.iter().map(|id| id.0.cast_signed().to_string()));
        let found = row::all(&self.db.lock(), sql, (site.0, kind.as_str(), ids), |found| {
            Ok(row::remote_id(found, "remote_id")?.map(|id| (id, row::op_id(found, "op_id"))))
        })?;
        found.into_iter().flatten().map(|(id, op_id)| Ok((id, op_id?))).collect()
    }

    /// Tells which of the operations this journal knows, abandoned ones included.
    pub fn known_ops(&self, op_ids: &[OpId]) -> Result<HashSet<OpId>, ReadError> {
        let sql = "SELECT op_id FROM operations WHERE op_id IN (SELECT value FROM json_each(?1))";
        let ids = row::list_parameter(op_ids.iter().map(ToString::to_string));
        Ok(row::all(&self.db.lock(), sql, [ids], |found| row::op_id(found, "op_id"))?.into_iter().collect())
    }

    /// Finds a post under another key whose create may have left and that has the same path or the
    /// same digest: the article looks like one sent before under another slug.
    pub fn moved(
        &self,
        site: SiteId,
        post_type: &str,
        key: &Key,
        source_path: Option<&Path>,
        source_digest: Option<Digest>,
    ) -> Result<Option<Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations WHERE op_id IN ( \
                 SELECT op_id FROM operations WHERE site_id = ?1 AND source_path = ?4 \
                 UNION SELECT op_id FROM operations WHERE site_id = ?1 AND source_digest = ?5) \
             AND kind = 'post' AND post_type = ?2 AND key <> ?3 AND may_have_left = 1 AND state <> 'abandoned' \
             ORDER BY source_path IS ?4 DESC, op_id DESC LIMIT 1"
        );
        let path = source_path.map(Path::to_string_lossy);
        let digest = source_digest.map(|digest| digest.to_string());
        row::first(&self.db.lock(), &sql, (site.0, post_type, key.as_str(), path, digest), row::operation)
    }

    /// Returns the operations whose outcome is in doubt (`sending`, or halted for a doubt), left ones
    /// included.
    pub fn in_doubt(&self, site: Option<SiteId>) -> Result<Vec<Operation>, ReadError> {
        let halts: Vec<_> =
            HaltReason::ALL.into_iter().filter(|reason| reason.is_doubt()).map(HaltReason::as_str).collect();
        let sql = format!(
            "SELECT {OPERATION} FROM operations INDEXED BY operations_open \
             WHERE {OF_SITE} AND state IN ('sending', 'halted') \
             AND (state = 'sending' OR reason IN (SELECT value FROM json_each(?2))) ORDER BY op_id"
        );
        let halts = row::list_parameter(halts.into_iter().map(str::to_owned));
        row::all(&self.db.lock(), &sql, (site.map(|site| site.0), halts), row::operation)
    }

    /// Returns the operations that a person must look at: halted and not left, or `sending`.
    pub fn needs_attention(&self, site: Option<SiteId>) -> Result<Vec<Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations INDEXED BY operations_open \
             WHERE {OF_SITE} AND state IN ('sending', 'halted') AND is_left = 0 \
             ORDER BY op_id"
        );
        row::all(&self.db.lock(), &sql, [site.map(|site| site.0)], row::operation)
    }

    /// Returns the operations whose next look-up is due, the most overdue first.
    pub fn due_looks(&self, now: Timestamp) -> Result<Vec<Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations WHERE next_look_at IS NOT NULL AND next_look_at <= ?1 \
             ORDER BY next_look_at"
        );
        row::all(&self.db.lock(), &sql, [now.0], row::operation)
    }

    /// Returns when the next look-up is due.
    pub fn next_look_at(&self) -> Result<Option<Timestamp>, ReadError> {
        let sql = "SELECT min(next_look_at) FROM operations WHERE next_look_at IS NOT NULL";
        Ok(row::value::<Option<i64>>(&self.db.lock(), sql, [])?.flatten().map(Timestamp))
    }

    /// Lists operations, newest first.
    pub fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations WHERE {LISTED} ORDER BY op_id DESC LIMIT ?7 OFFSET ?8"
        );
        let states = states_parameter(filter);
        let parameters = params![
            filter.site.map(|site| site.0),
            filter.kind.map(Kind::as_str),
            states,
            filter.reason,
            filter.left,
            filter.text,
            page.limit,
            page.offset.cast_signed()
        ];
        row::all(&self.db.lock(), &sql, parameters, row::operation)
    }

    /// Counts the operations that a list would hold.
    pub fn list_len(&self, filter: &Filter) -> Result<u64, ReadError> {
        let sql = format!("SELECT count(*) FROM operations WHERE {LISTED}");
        let states = states_parameter(filter);
        let parameters = params![
            filter.site.map(|site| site.0),
            filter.kind.map(Kind::as_str),
            states,
            filter.reason,
            filter.left,
            filter.text
        ];
        Ok(row::value::<i64>(&self.db.lock(), &sql, parameters)?.unwrap_or(0).cast_unsigned())
    }

    /// Counts operations by site, kind and standing.
    pub fn counts(&self, site: Option<SiteId>) -> Result<Vec<Count>, ReadError> {
        let sql = format!(
            "SELECT site_id, kind, state, reason, is_left, may_have_left, count(*) AS count FROM operations \
             WHERE {OF_SITE} GROUP BY site_id, kind, state, reason, is_left, may_have_left"
        );
        row::all(&self.db.lock(), &sql, [site.map(|site| site.0)], |found| {
            Ok(Count {
                site: SiteId(found.get("site_id")?),
                kind: row::kind(found)?,
                standing: row::standing(found)?,
                count: found.get::<_, i64>("count")?.cast_unsigned(),
            })
        })
    }

    /// Returns operations in the order of their ids, after the given one: for going through all.
    pub fn operations_after(&self, after: Option<OpId>, limit: u32) -> Result<Vec<Operation>, ReadError> {
        let sql = format!("SELECT {OPERATION} FROM operations WHERE op_id > ?1 ORDER BY op_id LIMIT ?2");
        let after = after.map(|op_id| op_id.to_string()).unwrap_or_default();
        row::all(&self.db.lock(), &sql, (after, limit), row::operation)
    }

    /// Returns the images that a post uses, by position.
    pub fn images_of(&self, post: OpId) -> Result<Vec<PostImage>, ReadError> {
        let sql =
            format!("SELECT {POST_IMAGE} FROM post_images WHERE post_op = ?1 ORDER BY position, featured");
        row::all(&self.db.lock(), &sql, [post.to_string()], row::post_image)
    }

    /// Returns the posts that use an image.
    pub fn posts_using(&self, image: OpId) -> Result<Vec<PostImage>, ReadError> {
        let sql =
            format!("SELECT {POST_IMAGE} FROM post_images WHERE image_op = ?1 ORDER BY post_op, position");
        row::all(&self.db.lock(), &sql, [image.to_string()], row::post_image)
    }

    /// Returns the operations that were abandoned on the way to this one, nearest first.
    pub fn predecessors(&self, op_id: OpId) -> Result<Vec<OpId>, ReadError> {
        let sql = "WITH RECURSIVE chain (op_id, depth) AS ( \
                       SELECT replaces, 1 FROM operations WHERE op_id = ?1 AND replaces IS NOT NULL \
                       UNION ALL SELECT operations.replaces, depth + 1 FROM operations JOIN chain USING (op_id) \
                           WHERE operations.replaces IS NOT NULL) \
                   SELECT op_id FROM chain ORDER BY depth";
        row::all(&self.db.lock(), sql, [op_id.to_string()], |found| row::op_id(found, "op_id"))
    }

    /// Returns the images that were sent again and are done since a moment, where the request before may still be
    /// executed.
    pub fn images_sent_again(&self, site: SiteId, since: Timestamp) -> Result<Vec<Operation>, ReadError> {
        let sql = format!(
            "SELECT {OPERATION} FROM operations WHERE site_id = ?1 AND replaces IS NOT NULL AND kind = 'image' \
             AND state = 'done' AND settled_at >= ?2 AND EXISTS (SELECT 1 FROM operations AS before \
             WHERE before.op_id = operations.replaces AND before.may_have_left = 1 AND (before.may_arrive = 1 OR before.remote_id IS NULL)) \
             ORDER BY op_id"
        );
        row::all(&self.db.lock(), &sql, (site.0, since.0), row::operation)
    }

    /// Returns the rows that a person said are not this operation's effect.
    pub fn dismissed(&self, op_id: OpId) -> Result<HashSet<RemoteId>, ReadError> {
        let sql = "SELECT remote_id FROM dismissed WHERE op_id = ?1";
        let found =
            row::all(&self.db.lock(), sql, [op_id.to_string()], |found| row::remote_id(found, "remote_id"))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Returns the sites that are not removed, by name.
    pub fn sites(&self) -> Result<Vec<Site>, ReadError> {
        let sql = format!("SELECT {SITE} FROM sites WHERE removed_at IS NULL ORDER BY name");
        row::all(&self.db.lock(), &sql, [], row::site)
    }

    /// Returns a site, removed or not.
    pub fn site(&self, site: SiteId) -> Result<Option<Site>, ReadError> {
        row::first(&self.db.lock(), &format!("SELECT {SITE} FROM sites WHERE id = ?1"), [site.0], row::site)
    }

    /// Returns the site of a name that is not removed.
    pub fn site_by_name(&self, name: &str) -> Result<Option<Site>, ReadError> {
        let sql = format!("SELECT {SITE} FROM sites WHERE name = ?1 AND removed_at IS NULL");
        row::first(&self.db.lock(), &sql, [name], row::site)
    }

    /// Returns a setting of a site, or a global one for `None`.
    pub fn setting(&self, site: Option<SiteId>, name: &str) -> Result<Option<String>, ReadError> {
        let sql = "SELECT value FROM settings WHERE coalesce(site_id, 0) = ?1 AND name = ?2";
        Ok(row::value(&self.db.lock(), sql, (site.map_or(0, |site| site.0), name))?)
    }

    /// Returns all settings of a site, or the global ones for `None`, by name.
    pub fn settings(&self, site: Option<SiteId>) -> Result<Vec<(String, String)>, ReadError> {
        let sql = "SELECT name, value FROM settings WHERE coalesce(site_id, 0) = ?1 ORDER BY name";
        row::all(&self.db.lock(), sql, [site.map_or(0, |site| site.0)], |found| {
            Ok((found.get("name")?, found.get("value")?))
        })
    }

    /// Returns the highest id known of a site.
    pub fn high_water(&self, site: SiteId, space: IdSpace) -> Result<Option<RemoteId>, ReadError> {
        let sql = "SELECT id FROM high_water WHERE site_id = ?1 AND space = ?2";
        let mark: Option<i64> = row::value(&self.db.lock(), sql, (site.0, space.as_str()))?;
        Ok(mark.map(|id| RemoteId(id.cast_unsigned())))
    }

    /// Returns the highest ids recorded as done, highest first.
    pub fn last_recorded_ids(
        &self,
        site: SiteId,
        kind: Kind,
        limit: u32,
    ) -> Result<Vec<RemoteId>, ReadError> {
        let sql = "SELECT remote_id FROM operations WHERE site_id = ?1 AND kind = ?2 AND state <> 'abandoned' \
                   AND remote_id IS NOT NULL AND kind IN ('post', 'image') AND state = 'done' \
                   ORDER BY remote_id DESC LIMIT ?3";
        let found = row::all(&self.db.lock(), sql, (site.0, kind.as_str(), limit), |found| {
            row::remote_id(found, "remote_id")
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Returns what shuts creating, for one site (what stands for every site included) or for all.
    pub fn barriers(&self, site: Option<SiteId>) -> Result<Vec<BarrierEntry>, ReadError> {
        let sql = format!(
            "SELECT {BARRIER} FROM barriers WHERE ?1 IS NULL OR site_id IS NULL OR site_id = ?1 ORDER BY since, rowid"
        );
        row::all(&self.db.lock(), &sql, [site.map(|site| site.0)], row::barrier_entry)
    }
}
