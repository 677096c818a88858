//! Rows of the database and what they mean.

use std::cell::Cell;
use std::path::PathBuf;

use ichido_core::apply::Standing;
use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{Kind, State};
use ichido_core::tally::Barrier;
use ichido_core::time::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::barrier::BarrierEntry;
use crate::error::{ReadError, WriteError};
use crate::key::Key;
use crate::record::{By, HistoryEntry, Operation, PostImage};
use crate::site::{Site, SiteId};

pub(crate) const OPERATION: &str = "op_id, site_id, kind, post_type, key, state, reason, may_have_left, is_left, \
    may_arrive, remote_id, recorded, needs_post_process, slug, title, source_path, source_digest, sent_digest, normaliser, mark, \
    expected, replaces, unknown, refusal, declared_new, created_at, sent_at, settled_at, first_negative, last_look_at, \
    next_look_at, looks, evidence, findings";
pub(crate) const HISTORY: &str = "seq, at, op_id, site_id, by_person, code, detail";
pub(crate) const SITE: &str = "id, name, home, rest_root, user, user_id, added_at, removed_at";
pub(crate) const BARRIER: &str = "site_id, kind, since, detail";
pub(crate) const POST_IMAGE: &str = "post_op, image_op, position, featured";

/// The columns of a row by their names.
pub(crate) trait Columns {
    fn value<T: FromSql>(&self, column: &'static str) -> rusqlite::Result<T>;
}

impl Columns for Row<'_> {
    fn value<T: FromSql>(&self, column: &'static str) -> rusqlite::Result<T> {
        self.get(column)
    }
}

/// The columns of a row from the first to the last. Each is held against its name; to look for every name among more than
/// thirty is a tenth of all that a run does.
struct InOrder<'row, 'statement> {
    row: &'row Row<'statement>,
    at: Cell<usize>,
}

impl Columns for InOrder<'_, '_> {
    fn value<T: FromSql>(&self, column: &'static str) -> rusqlite::Result<T> {
        let at = self.at.replace(self.at.get() + 1);
        if self.row.as_ref().column_name(at)? != column {
            return Err(rusqlite::Error::InvalidColumnName(column.to_owned()));
        }
        self.row.get(at)
    }
}

/// The most of a value that an error repeats.
const SHOWN_OF_A_VALUE: usize = 60;

/// Reads all rows of a query.
pub(crate) fn all<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Reads the first row of a query.
pub(crate) fn first<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, ReadError>,
) -> Result<Option<T>, ReadError> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

/// Reads one plain value.
pub(crate) fn value<T: FromSql>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<Option<T>> {
    conn.prepare_cached(sql)?.query_row(params, |row| row.get(0)).optional()
}

pub(crate) fn operation_of(conn: &Connection, op_id: OpId) -> Result<Option<Operation>, ReadError> {
    first(
        conn,
        &format!("SELECT {OPERATION} FROM operations WHERE op_id = ?1"),
        [op_id.to_string()],
        operation,
    )
}

pub(crate) fn operation(row: &Row<'_>) -> Result<Operation, ReadError> {
    let row = &InOrder { row, at: Cell::new(0) };
    Ok(Operation {
        op_id: op_id(row, "op_id")?,
        site: SiteId(row.value("site_id")?),
        kind: kind(row)?,
        post_type: row.value("post_type")?,
        key: Key::stored(row.value("key")?),
        standing: standing(row)?,
        may_arrive: row.value("may_arrive")?,
        remote_id: remote_id(row, "remote_id")?,
        recorded: json(row, "recorded")?,
        needs_post_process: row.value("needs_post_process")?,
        slug: row.value("slug")?,
        title: row.value("title")?,
        source_path: row.value::<Option<String>>("source_path")?.map(PathBuf::from),
        source_digest: digest(row, "source_digest")?,
        sent_digest: digest(row, "sent_digest")?,
        normaliser: row.value("normaliser")?,
        mark: remote_id(row, "mark")?,
        expected: json(row, "expected")?,
        replaces: optional_op_id(row, "replaces")?,
        unknown: json(row, "unknown")?,
        refusal: json(row, "refusal")?,
        declared_new: row.value("declared_new")?,
        created_at: Timestamp(row.value("created_at")?),
        sent_at: timestamp(row, "sent_at")?,
        settled_at: timestamp(row, "settled_at")?,
        first_negative: json(row, "first_negative")?,
        last_look_at: timestamp(row, "last_look_at")?,
        next_look_at: timestamp(row, "next_look_at")?,
        looks: row.value("looks")?,
        evidence: json(row, "evidence")?,
        findings: json(row, "findings")?,
    })
}

pub(crate) fn history_entry(row: &Row<'_>) -> Result<HistoryEntry, ReadError> {
    Ok(HistoryEntry {
        seq: row.get("seq")?,
        at: Timestamp(row.get("at")?),
        op_id: optional_op_id(row, "op_id")?,
        site: row.get::<_, Option<i64>>("site_id")?.map(SiteId),
        by: if row.get("by_person")? { By::Person } else { By::Program },
        code: row.get("code")?,
        detail: json(row, "detail")?,
    })
}

pub(crate) fn site(row: &Row<'_>) -> Result<Site, ReadError> {
    Ok(Site {
        id: SiteId(row.get("id")?),
        name: row.get("name")?,
        home: row.get("home")?,
        rest_root: row.get("rest_root")?,
        user: row.get("user")?,
        user_id: row.get::<_, Option<i64>>("user_id")?.map(i64::cast_unsigned),
        added_at: Timestamp(row.get("added_at")?),
        removed_at: timestamp(row, "removed_at")?,
    })
}

pub(crate) fn barrier_entry(row: &Row<'_>) -> Result<BarrierEntry, ReadError> {
    let code: String = row.get("kind")?;
    let barrier = [Barrier::UncleanStop, Barrier::JournalLost, Barrier::SiteRestored]
        .into_iter()
        .find(|barrier| barrier.as_str() == code)
        .ok_or_else(|| not_understood("kind", &code))?;
    Ok(BarrierEntry {
        site: row.get::<_, Option<i64>>("site_id")?.map(SiteId),
        barrier,
        since: Timestamp(row.get("since")?),
        detail: json(row, "detail")?,
    })
}

pub(crate) fn post_image(row: &Row<'_>) -> Result<PostImage, ReadError> {
    Ok(PostImage {
        post: op_id(row, "post_op")?,
        image: op_id(row, "image_op")?,
        position: row.get("position")?,
        featured: row.get("featured")?,
    })
}

pub(crate) fn kind(row: &impl Columns) -> Result<Kind, ReadError> {
    let code: String = row.value("kind")?;
    Kind::parse(&code).ok_or_else(|| not_understood("kind", &code))
}

pub(crate) fn standing(row: &impl Columns) -> Result<Standing, ReadError> {
    let (state, reason): (String, Option<String>) = (row.value("state")?, row.value("reason")?);
    Ok(Standing {
        state: State::parse(&state, reason.as_deref()).ok_or_else(|| {
            not_understood("state", &format!("{state} {}", reason.as_deref().unwrap_or_default()))
        })?,
        may_have_left: row.value("may_have_left")?,
        left: row.value("is_left")?,
    })
}

pub(crate) fn op_id(row: &impl Columns, column: &'static str) -> Result<OpId, ReadError> {
    let text: String = row.value(column)?;
    OpId::parse(&text).ok_or_else(|| not_understood(column, &text))
}

fn optional_op_id(row: &impl Columns, column: &'static str) -> Result<Option<OpId>, ReadError> {
    let text: Option<String> = row.value(column)?;
    text.map(|text| OpId::parse(&text).ok_or_else(|| not_understood(column, &text))).transpose()
}

pub(crate) fn remote_id(row: &impl Columns, column: &'static str) -> Result<Option<RemoteId>, ReadError> {
    Ok(row.value::<Option<i64>>(column)?.map(|id| RemoteId(id.cast_unsigned())))
}

fn digest(row: &impl Columns, column: &'static str) -> Result<Option<Digest>, ReadError> {
    let text: Option<String> = row.value(column)?;
    text.map(|text| Digest::parse(&text).ok_or_else(|| not_understood(column, &text))).transpose()
}

fn timestamp(row: &impl Columns, column: &'static str) -> Result<Option<Timestamp>, ReadError> {
    Ok(row.value::<Option<i64>>(column)?.map(Timestamp))
}

pub(crate) fn json<T: DeserializeOwned>(
    row: &impl Columns,
    column: &'static str,
) -> Result<Option<T>, ReadError> {
    let text: Option<String> = row.value(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(|_| not_understood(column, &text))).transpose()
}

fn not_understood(column: &'static str, text: &str) -> ReadError {
    ReadError::Value { column, value: text.chars().take(SHOWN_OF_A_VALUE).collect() }
}

/// Writes a value as JSON text for a column.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, WriteError> {
    serde_json::to_string(value).map_err(|source| WriteError::Encode { source })
}

/// Writes a value as JSON text for a column, where there is one.
pub(crate) fn to_json_option<T: Serialize>(value: Option<&T>) -> Result<Option<String>, WriteError> {
    value.map(to_json).transpose()
}

/// A list of texts as one parameter, for `IN (SELECT value FROM json_each(?))`.
pub(crate) fn list_parameter(texts: impl IntoIterator<Item = String>) -> String {
    Value::from_iter(texts).to_string()
}
