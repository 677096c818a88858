//! Barriers: what shuts creating until a person has looked.

use ichido_core::tally::Barrier;
use ichido_core::time::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::error::{ReadError, WriteError};
use crate::record::By;
use crate::row::{self, BARRIER};
use crate::runner::{Runner, add_history};
use crate::site::SiteId;

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

impl Runner {
    /// Shuts creating for a site, or for every site. One that stands already stays as it is.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn set_barrier(
        &self,
        site: Option<SiteId>,
        barrier: Barrier,
        detail: Option<Value>,
        now: Timestamp,
    ) -> Result<(), WriteError> {
        self.write(|tx| set(tx, site, barrier, detail.as_ref(), now))
    }

    /// Takes away what shuts creating, as a person said: for one site (and what stands for every
    /// site), or wherever it stands. Returns what was taken away.
    ///
    /// A released [`Barrier::SiteRestored`] also forgets the high-water marks of its site, which
    /// describe a state that no longer exists.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn release(
        &self,
        site: Option<SiteId>,
        barrier: Barrier,
        by: By,
        now: Timestamp,
    ) -> Result<Vec<BarrierEntry>, WriteError> {
        self.write(|tx| {
            let sql = format!(
                "SELECT {BARRIER} FROM barriers WHERE kind = ?1 AND (?2 IS NULL OR site_id IS NULL OR site_id = ?2)"
            );
            let standing = row::all(tx, &sql, (barrier.as_str(), site.map(|site| site.0)), row::barrier_entry)?;
            for entry in &standing {
                take_away(tx, entry.site, barrier, by, now)?;
                if barrier == Barrier::SiteRestored {
                    let of_site = "DELETE FROM high_water WHERE ?1 IS NULL OR site_id = ?1";
                    tx.execute(of_site, [entry.site.map(|site| site.0)])?;
                }
            }
            Ok(standing)
        })
    }
}

/// Returns the first thing that shuts creating on a site.
pub(crate) fn standing(conn: &Connection, site: SiteId) -> Result<Option<Barrier>, ReadError> {
    let sql =
        format!("SELECT {BARRIER} FROM barriers WHERE site_id IS NULL OR site_id = ?1 ORDER BY since, rowid");
    Ok(row::first(conn, &sql, [site.0], row::barrier_entry)?.map(|entry| entry.barrier))
}

pub(crate) fn set(
    tx: &Connection,
    site: Option<SiteId>,
    barrier: Barrier,
    detail: Option<&Value>,
    now: Timestamp,
) -> Result<(), WriteError> {
    let added = tx.execute(
        "INSERT INTO barriers (site_id, kind, since, detail) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        (site.map(|site| site.0), barrier.as_str(), now.0, detail.map(ToString::to_string)),
    )?;
    if added > 0 {
        let detail = json!({ "barrier": barrier.as_str(), "detail": detail });
        add_history(tx, now, None, site, By::Program, "creating_shut", Some(&detail))?;
    }
    Ok(())
}

/// Takes a barrier away and keeps what it said.
pub(crate) fn take_away(
    tx: &Connection,
    site: Option<SiteId>,
    barrier: Barrier,
    by: By,
    now: Timestamp,
) -> Result<(), WriteError> {
    let of_one = "coalesce(site_id, 0) = coalesce(?1, 0) AND kind = ?2";
    let (site_id, kind) = (site.map(|site| site.0), barrier.as_str());
    tx.execute(
        &format!(
            "INSERT INTO releases (site_id, kind, since, detail, released_at, by_person) \
             SELECT site_id, kind, since, detail, ?3, ?4 FROM barriers WHERE {of_one}"
        ),
        (site_id, kind, now.0, by == By::Person),
    )?;
    tx.execute(&format!("DELETE FROM barriers WHERE {of_one}"), (site_id, kind))?;
    add_history(tx, now, None, site, by, "released", Some(&json!({ "barrier": kind })))
}
