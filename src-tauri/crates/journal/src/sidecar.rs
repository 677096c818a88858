//! The sidecar: what is known about the journal outside its own folder.

use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::places::{Places, replace_durably};

/// Vouches for the journal. Its counter is never ahead of the journal's own: it is written after the
/// commit that moved that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sidecar {
    pub(crate) uuid: String,
    pub(crate) counter: i64,
    /// How the database looked when it was last laid down; absent while it is in use.
    #[serde(default)]
    pub(crate) seal: Option<Seal>,
}

/// How a database looked to the file system when nothing was left to be written. As long as it looks
/// the same and has no write-ahead log, it need not be checked page by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    pub(crate) length: u64,
    pub(crate) modified_ns: u128,
}

impl Seal {
    /// Looks at the database; `None` while a write-ahead log holds something.
    pub(crate) fn of(places: &Places) -> Option<Self> {
        let log_is_empty = match fs::metadata(places.write_ahead_log()) {
            Ok(log) => log.len() == 0,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        let database = fs::metadata(places.database()).ok()?;
        let modified = database.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        log_is_empty.then_some(Self { length: database.len(), modified_ns: modified.as_nanos() })
    }
}

/// What stands in the sidecar's place.
pub(crate) enum Vouched {
    Nothing,
    /// Something that cannot be read; it says that there was a journal, and no more.
    Unreadable,
    Sidecar(Sidecar),
}

pub(crate) fn read(path: &Path) -> io::Result<Vouched> {
    match fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_or(Vouched::Unreadable, Vouched::Sidecar)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vouched::Nothing),
        Err(error) => Err(error),
    }
}

pub(crate) fn write(path: &Path, sidecar: &Sidecar) -> io::Result<()> {
    replace_durably(path, &serde_json::to_vec(sidecar)?)
}
