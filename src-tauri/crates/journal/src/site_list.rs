//! Adding and removing sites.

use ichido_core::time::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use crate::error::{SiteError, WriteError};
use crate::record::By;
use crate::row::{self, SITE};
use crate::runner::{Runner, add_history};
use crate::site::{Added, NewSite, Site, SiteId};

impl Runner {
    /// Adds a site, or finds the one with the same home and brings it up to date.
    ///
    /// # Errors
    /// [`SiteError::NameTaken`] where another site that is not removed has the name;
    /// [`SiteError::Write`].
    pub fn add_site(&self, new: &NewSite, now: Timestamp) -> Result<(Site, Added), SiteError> {
        let taken =
            self.site_by_name(&new.name).map_err(WriteError::from)?.filter(|other| other.home != new.home);
        if let Some(other) = taken {
            return Err(SiteError::NameTaken { home: other.home });
        }
        Ok(self.write(|tx| {
            let known = by_home(tx, &new.home)?;
            let added = match &known {
                None => Added::New,
                Some(site) if site.removed_at.is_some() => Added::TakenUp,
                Some(_) => Added::Updated,
            };
            tx.execute(
                "INSERT INTO sites (name, home, rest_root, user, user_id, added_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (home) DO UPDATE SET name = excluded.name, rest_root = excluded.rest_root, \
                 user = excluded.user, user_id = excluded.user_id, removed_at = NULL, \
                 added_at = CASE WHEN removed_at IS NULL THEN added_at ELSE excluded.added_at END",
                (
                    &new.name,
                    &new.home,
                    &new.rest_root,
                    &new.user,
                    new.user_id.map(u64::cast_signed),
                    now.0,
                ),
            )?;
            let site = by_home(tx, &new.home)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
            let code = match added {
                Added::New => "site_added",
                Added::TakenUp => "site_taken_up",
                Added::Updated => "site_updated",
            };
            add_history(tx, now, None, Some(site.id), By::Person, code, Some(&json!({ "home": site.home })))?;
            Ok((site, added))
        })?)
    }

    /// Removes a site from the list; its records and marks stay.
    ///
    /// # Errors
    /// [`SiteError::InDoubt`] while the outcome of something sent to it is unknown and nobody chose to
    /// leave it so; [`SiteError::NoSuchSite`]; [`SiteError::Write`].
    pub fn remove_site(&self, site: SiteId, now: Timestamp) -> Result<(), SiteError> {
        let in_doubt = self.in_doubt(Some(site)).map_err(WriteError::from)?;
        let count = in_doubt.iter().filter(|operation| !operation.standing.left).count();
        if count > 0 {
            return Err(SiteError::InDoubt { count });
        }
        let removed = self.write(|tx| {
            let removed = tx.execute(
                "UPDATE sites SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL",
                (site.0, now.0),
            )?;
            if removed == 1 {
                add_history(tx, now, None, Some(site), By::Person, "site_removed", None)?;
            }
            Ok(removed)
        })?;
        if removed == 1 { Ok(()) } else { Err(SiteError::NoSuchSite) }
    }
}

fn by_home(conn: &Connection, home: &str) -> Result<Option<Site>, WriteError> {
    Ok(row::first(conn, &format!("SELECT {SITE} FROM sites WHERE home = ?1"), [home], row::site)?)
}
