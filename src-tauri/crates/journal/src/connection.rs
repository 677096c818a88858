//! Connections, and the settings without which nothing may be sent.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::OpenError;
use crate::schema::APPLICATION_ID;

/// How long a statement waits for another process: longer than any transaction of this program.
const BUSY: Duration = Duration::from_secs(10);
/// Pages in the write-ahead log before a commit copies them over, with two syncs of its own.
const PAGES_BEFORE_CHECKPOINT: i32 = 4000;

/// What must stand before a send: (name, value as read back).
const WANTED: [(&str, i64); 6] = [
    ("synchronous", 2),
    ("fullfsync", 1),
    ("checkpoint_fullfsync", 1),
    ("foreign_keys", 1),
    ("busy_timeout", BUSY.as_millis() as i64),
    ("application_id", APPLICATION_ID as i64),
];

/// A connection that threads take turns at.
#[derive(Debug)]
pub(crate) struct Database(Mutex<Connection>);

impl Database {
    pub(crate) fn new(conn: Connection) -> Self {
        Self(Mutex::new(conn))
    }

    /// Takes the connection. A thread that panicked meanwhile left no transaction open: dropping it
    /// rolled it back.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A setting that is not what it must be, or could not be read.
pub(crate) enum PragmaFailure {
    Database(rusqlite::Error),
    Differs { pragma: &'static str, wanted: String, got: String },
}

impl From<rusqlite::Error> for PragmaFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl PragmaFailure {
    pub(crate) fn into_open_error(self, path: &Path) -> OpenError {
        match self {
            Self::Database(source) => OpenError::Database { path: path.to_owned(), source },
            Self::Differs { pragma, wanted, got } => OpenError::Pragma { pragma, wanted, got },
        }
    }
}

/// Opens an existing file without changing anything in it.
pub(crate) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    conn.busy_timeout(BUSY)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// Opens an existing file for reading only.
pub(crate) fn connect_read_only(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    conn.busy_timeout(BUSY)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// Makes the connection safe to write with.
pub(crate) fn make_safe(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    conn.pragma_update(None, "synchronous", "full")?;
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "checkpoint_fullfsync", true)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", PAGES_BEFORE_CHECKPOINT)
}

/// Reads back everything that a send relies on.
pub(crate) fn verify(conn: &Connection) -> Result<(), PragmaFailure> {
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        return Err(PragmaFailure::Differs { pragma: "journal_mode", wanted: "wal".to_owned(), got: mode });
    }
    for (pragma, wanted) in WANTED {
        let got: i64 = conn.pragma_query_value(None, pragma, |row| row.get(0))?;
        if got != wanted {
            return Err(PragmaFailure::Differs { pragma, wanted: wanted.to_string(), got: got.to_string() });
        }
    }
    Ok(())
}
