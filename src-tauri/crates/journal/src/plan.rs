//! Recording what is intended, before anything is sent.

use ichido_core::apply::Standing;
use ichido_core::id::OpId;
use ichido_core::operation::Kind;
use ichido_core::time::Timestamp;
use rusqlite::Connection;

use crate::error::{Misuse, WriteError};
use crate::key::Key;
use crate::record::{By, ImageUse, NewOperation, Operation};
use crate::row::{self, OPERATION};
use crate::runner::{Runner, add_history};
use crate::site::SiteId;

impl Runner {
    /// Records an operation as planned, or returns the one that stands for the effect already.
    ///
    /// As long as nothing of that one can have left, its title, slug, path, digest and images are
    /// brought up to date.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn plan(&self, new: &NewOperation, now: Timestamp) -> Result<Operation, WriteError> {
        self.write(|tx| plan(tx, new, now))
    }

    /// Does [`Self::plan`] for many in one transaction, in the order given.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says; then none is recorded.
    pub fn plan_all(&self, new: &[NewOperation], now: Timestamp) -> Result<Vec<Operation>, WriteError> {
        if new.is_empty() {
            return Ok(Vec::new());
        }
        self.write(|tx| new.iter().map(|new| plan(tx, new, now)).collect())
    }
}

fn plan(tx: &Connection, new: &NewOperation, now: Timestamp) -> Result<Operation, WriteError> {
    if let Some(standing) = standing_for(tx, new.site, new.kind, &new.post_type, &new.key)? {
        return bring_up_to_date(tx, standing, new);
    }
    insert(tx, new, None, now)?;
    use_images(tx, new.op_id, new.site, &new.images)?;
    reread(tx, new.op_id)
}

/// Returns the operation that stands for an effect.
pub(crate) fn standing_for(
    conn: &Connection,
    site: SiteId,
    kind: Kind,
    post_type: &str,
    key: &Key,
) -> Result<Option<Operation>, WriteError> {
    let sql = format!(
        "SELECT {OPERATION} FROM operations WHERE site_id = ?1 AND kind = ?2 AND post_type = ?3 AND key = ?4 \
         AND state <> 'abandoned'"
    );
    Ok(row::first(conn, &sql, (site.0, kind.as_str(), post_type, key.as_str()), row::operation)?)
}

/// What was sent is kept as it was sent; what was not may have changed.
fn bring_up_to_date(
    tx: &Connection,
    standing: Operation,
    new: &NewOperation,
) -> Result<Operation, WriteError> {
    if standing.standing.may_have_left {
        return Ok(standing);
    }
    let same = standing.title == new.title
        && standing.slug == new.slug
        && standing.source_path == new.source_path
        && standing.source_digest == new.source_digest;
    if !same {
        tx.prepare_cached(
            "UPDATE operations SET title = ?2, slug = ?3, source_path = ?4, source_digest = ?5 WHERE op_id = ?1",
        )?
        .execute((
            standing.op_id.to_string(),
            &new.title,
            &new.slug,
            new.source_path.as_ref().map(|path| path.to_string_lossy()),
            new.source_digest.map(|digest| digest.to_string()),
        ))?;
    }
    use_images(tx, standing.op_id, new.site, &new.images)?;
    if same { Ok(standing) } else { reread(tx, standing.op_id) }
}

/// Inserts an operation as planned, in the place of an abandoned one where it replaces it.
pub(crate) fn insert(
    tx: &Connection,
    new: &NewOperation,
    replaces: Option<OpId>,
    now: Timestamp,
) -> Result<(), WriteError> {
    let planned = Standing::PLANNED;
    tx.prepare_cached(
        "INSERT INTO operations (op_id, site_id, kind, post_type, key, state, is_left, may_have_left, slug, title, \
         source_path, source_digest, replaces, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute((
        new.op_id.to_string(),
        new.site.0,
        new.kind.as_str(),
        &new.post_type,
        new.key.as_str(),
        planned.state.as_str(),
        planned.left,
        planned.may_have_left,
        &new.slug,
        &new.title,
        new.source_path.as_ref().map(|path| path.to_string_lossy()),
        new.source_digest.map(|digest| digest.to_string()),
        replaces.map(|op_id| op_id.to_string()),
        now.0,
    ))?;
    add_history(tx, now, Some(new.op_id), Some(new.site), By::Program, "planned", None)
}

fn use_images(tx: &Connection, post: OpId, site: SiteId, images: &[ImageUse]) -> Result<(), WriteError> {
    let known = row::all(
        tx,
        "SELECT post_op, image_op, position, featured FROM post_images WHERE post_op = ?1 ORDER BY position, featured",
        [post.to_string()],
        row::post_image,
    )?;
    let mut wanted = Vec::with_capacity(images.len());
    for used in images {
        let image =
            standing_for(tx, site, Kind::Image, "", &used.image)?.ok_or(Misuse::ImageNotPlanned { post })?;
        wanted.push((image.op_id, used.position, used.featured));
    }
    wanted.sort_by_key(|(_, position, featured)| (*position, *featured));
    if known.iter().map(|known| (known.image, known.position, known.featured)).eq(wanted.iter().copied()) {
        return Ok(());
    }
    tx.execute("DELETE FROM post_images WHERE post_op = ?1", [post.to_string()])?;
    for (image, position, featured) in wanted {
        tx.prepare_cached(
            "INSERT INTO post_images (post_op, image_op, position, featured) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute((post.to_string(), image.to_string(), position, featured))?;
    }
    Ok(())
}

pub(crate) fn reread(tx: &Connection, op_id: OpId) -> Result<Operation, WriteError> {
    Ok(row::operation_of(tx, op_id)?.ok_or(Misuse::NoSuchOperation { op_id })?)
}
