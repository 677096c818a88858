//! What look-ups showed, and what people said about it.

use std::path::Path;

use ichido_core::act::Act;
use ichido_core::apply::Event;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::outcome::Recorded;
use ichido_core::time::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use crate::error::{Misuse, WriteError};
use crate::plan;
use crate::record::{By, Look, Note};
use crate::row;
use crate::runner::{Runner, add_history};
use crate::transition;

impl Runner {
    /// Writes down a look-up that was made for an operation.
    ///
    /// The moment of the first complete negative one after a request is kept: the settle window counts
    /// from it.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn record_look(&self, op_id: OpId, look: &Look) -> Result<(), WriteError> {
        self.write(|tx| record_look(tx, op_id, look))
    }

    /// Does [`Self::record_look`] for many in one transaction.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says; then none is written down.
    pub fn record_looks(&self, looks: &[(OpId, Look)]) -> Result<(), WriteError> {
        if looks.is_empty() {
            return Ok(());
        }
        self.write(|tx| looks.iter().try_for_each(|(op_id, look)| record_look(tx, *op_id, look)))
    }

    /// Records that rows are not this operation's effect, as a person said.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn dismiss(&self, op_id: OpId, ids: &[RemoteId], now: Timestamp) -> Result<(), WriteError> {
        self.write(|tx| {
            let note = Note::by_person(now).with_detail(json!({ "rows": ids }));
            transition::transition(tx, op_id, Event::Act(Act::NoneOfThese), &note)?;
            transition::dismiss(tx, op_id, ids, now)
        })
    }

    /// Records that an image's sizes were made, and its row as the site then showed it.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn post_processed(
        &self,
        image: OpId,
        recorded: Option<&Recorded>,
        now: Timestamp,
    ) -> Result<(), WriteError> {
        self.write(|tx| {
            let site = plan::reread(tx, image)?.site;
            tx.execute(
                "UPDATE operations SET needs_post_process = 0, recorded = coalesce(?2, recorded) WHERE op_id = ?1",
                (image.to_string(), row::to_json_option(recorded)?),
            )?;
            add_history(tx, now, Some(image), Some(site), By::Program, "post_processed", None)
        })
    }

    /// Records where an article is now, its slug being the same.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn set_source_path(&self, op_id: OpId, path: &Path) -> Result<(), WriteError> {
        self.write(|tx| {
            let changed = tx.execute(
                "UPDATE operations SET source_path = ?2 WHERE op_id = ?1",
                (op_id.to_string(), path.to_string_lossy()),
            )?;
            if changed == 1 { Ok(()) } else { Err(Misuse::NoSuchOperation { op_id }.into()) }
        })
    }

    /// Moves a record to a new slug, since it is the same article: the operation that was halted for
    /// `slug_changed` is abandoned, and the record takes over its key and path. What was sent, and
    /// under which slug, stays as it was.
    ///
    /// # Errors
    /// Fails as [`WriteError`] says.
    pub fn move_record(&self, halted: OpId, record: OpId, note: Note) -> Result<(), WriteError> {
        self.write(|tx| {
            let (from, to) = (plan::reread(tx, record)?, plan::reread(tx, halted)?);
            if from.site != to.site || from.kind != to.kind || from.post_type != to.post_type {
                return Err(Misuse::NoSuchOperation { op_id: record }.into());
            }
            transition::transition(tx, halted, Event::Act(Act::Same), &note)?;
            if let Some(owner) = plan::standing_for(tx, to.site, to.kind, &to.post_type, &to.key)? {
                return Err(Misuse::KeyTaken { owner: owner.op_id }.into());
            }
            tx.execute(
                "UPDATE operations SET key = ?2, source_path = ?3 WHERE op_id = ?1",
                (
                    record.to_string(),
                    to.key.as_str(),
                    to.source_path.as_ref().map(|path| path.to_string_lossy()),
                ),
            )?;
            let detail = json!({ "from": from.key.as_str(), "to": to.key.as_str(), "by": halted });
            add_history(tx, note.at, Some(record), Some(from.site), note.by, "moved", Some(&detail))
        })
    }
}

fn record_look(tx: &Connection, op_id: OpId, look: &Look) -> Result<(), WriteError> {
    let first_negative = if look.complete && look.negative { Some(row::to_json(&look.at)?) } else { None };
    let changed = tx
        .prepare_cached(
            "UPDATE operations SET last_look_at = ?2, next_look_at = ?3, looks = looks + 1, \
             evidence = coalesce(?4, evidence), \
             first_negative = CASE WHEN may_have_left THEN coalesce(first_negative, ?5) END WHERE op_id = ?1",
        )?
        .execute((
            op_id.to_string(),
            look.at.at.0,
            look.next_look_at.map(|at| at.0),
            row::to_json_option(look.summary.as_ref())?,
            first_negative,
        ))?;
    if changed == 1 { Ok(()) } else { Err(Misuse::NoSuchOperation { op_id }.into()) }
}
