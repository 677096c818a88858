//! Opening: is this the journal that was written last, whole?
//!
//! The check page by page costs time with every record, so that it is made only where there is
//! something to find: when the database does not look as it did when it was last laid down (after a
//! run that was cut off, a copy put back, a file touched by anything else). Then it is made before
//! anything is believed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ichido_core::tally::Barrier;
use ichido_core::time::Timestamp;
use rusqlite::{Connection, ErrorCode, TransactionBehavior, ffi};
use uuid::Uuid;

use crate::connection;
use crate::error::OpenError;
use crate::health::LostCause;
use crate::lock::FileLock;
use crate::places::{Places, make_private_folder, open_private_file, restrict_file, sync_folder_of};
use crate::row;
use crate::schema;
use crate::sidecar::{self, Seal, Sidecar, Vouched};

/// A database that was opened and examined.
pub(crate) struct Opened {
    pub(crate) conn: Connection,
    pub(crate) newer: bool,
}

/// Says whether the caller has the runner lock, so that nobody else can be writing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holding {
    RunnerLock,
    Nothing,
}

/// What a first look at the file tells.
enum Seen {
    Ours { conn: Connection, newer: bool },
    Nothing,
    Damaged,
}

pub(crate) fn open(places: &Places, holding: Holding) -> Result<Opened, OpenError> {
    for folder in [&places.data_dir, &places.sidecar_dir, &places.lock_dir] {
        make_private_folder(folder).map_err(|source| OpenError::Folder { path: folder.clone(), source })?;
    }
    let opening_lock = places.opening_lock();
    let alone =
        FileLock::wait(&opening_lock).map_err(|source| OpenError::Folder { path: opening_lock, source })?;
    let sidecar_path =
        places.sidecar().map_err(|source| OpenError::Folder { path: places.data_dir.clone(), source })?;
    // The sidecar is read first: a run that begins meanwhile moves the journal on before it.
    let vouched = sidecar::read(&sidecar_path)
        .map_err(|source| OpenError::Sidecar { path: sidecar_path.to_path_buf(), source })?;
    let opened = examine(places, holding, &sidecar_path, &vouched)?;
    drop(alone);
    Ok(opened)
}

fn examine(
    places: &Places,
    holding: Holding,
    sidecar_path: &Path,
    vouched: &Vouched,
) -> Result<Opened, OpenError> {
    let seal = match vouched {
        Vouched::Sidecar(sidecar) => sidecar.seal,
        Vouched::Nothing | Vouched::Unreadable => None,
    };
    let mut lost = None;
    let mut conn = match look_carefully(places, holding, seal)? {
        Seen::Ours { conn, newer: true } => return Ok(Opened { conn, newer: true }),
        Seen::Ours { conn, newer: false } => conn,
        Seen::Nothing => {
            // A write-ahead log without its database is a journal of which the most part is gone;
            // SQLite would delete it.
            lost = move_aside(places, holding)?.map(|_| LostCause::Missing);
            make(places)?
        }
        Seen::Damaged => {
            lost = move_aside(places, holding)?.map(|moved_aside| LostCause::Damaged { moved_aside });
            make(places)?
        }
    };
    let path = places.database();
    connection::make_safe(&conn).map_err(|source| OpenError::Database { path: path.clone(), source })?;
    schema::bring_up_to_date(&mut conn, &path).map_err(|source| OpenError::Migrate { source })?;
    connection::verify(&conn).map_err(|failure| failure.into_open_error(&path))?;
    let sidecar = compare(&mut conn, vouched, lost).map_err(|source| OpenError::Database { path, source })?;
    if let Some(sidecar) = sidecar {
        sidecar::write(sidecar_path, &sidecar)
            .map_err(|source| OpenError::Sidecar { path: sidecar_path.to_path_buf(), source })?;
    }
    Ok(Opened { conn, newer: false })
}

/// Looks at the file, and calls it damaged only if it can be read to its end and looks damaged again: a disk that
/// does not give a page is told by SQLite as damage as well.
fn look_carefully(places: &Places, holding: Holding, seal: Option<Seal>) -> Result<Seen, OpenError> {
    match look(places, holding, seal)? {
        Seen::Damaged => {
            for file in places.database_files().into_iter().filter(|file| holds_something(file)) {
                read_through(&file).map_err(|source| OpenError::Database { path: file, source })?;
            }
            look(places, holding, seal)
        }
        seen @ (Seen::Ours { .. } | Seen::Nothing) => Ok(seen),
    }
}

fn read_through(file: &Path) -> rusqlite::Result<u64> {
    fs::File::open(file).and_then(|mut file| io::copy(&mut file, &mut io::sink())).map_err(|error| {
        rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR_READ), Some(error.to_string()))
    })
}

/// Looks at the file before anything in it is changed or believed.
fn look(places: &Places, holding: Holding, seal: Option<Seal>) -> Result<Seen, OpenError> {
    let path = places.database();
    let refused = |source| OpenError::Database { path: path.clone(), source };
    match fs::metadata(&path) {
        Ok(file) if file.len() == 0 => return Ok(Seen::Nothing),
        Ok(_) => restrict_file(&path).map_err(|source| OpenError::Folder { path: path.clone(), source })?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Seen::Nothing),
        Err(source) => return Err(OpenError::Folder { path, source }),
    }
    // The seal is compared before the file is opened, which may make a write-ahead log.
    let untouched = seal.is_some() && seal == Seal::of(places);
    let conn = connection::connect(&path).map_err(refused)?;
    let (application_id, version, empty) = match identify(&conn) {
        Ok(identity) => identity,
        Err(error) if is_damage(&error) => return Ok(Seen::Damaged),
        Err(error) => return Err(refused(error)),
    };
    // A first start that was cut off leaves an empty database.
    if empty && application_id == 0 && version == 0 {
        return Ok(Seen::Ours { conn, newer: false });
    }
    if application_id != schema::APPLICATION_ID {
        return Err(OpenError::ForeignFile { path, application_id });
    }
    if version > schema::VERSION {
        drop(conn);
        return Ok(Seen::Ours { conn: connection::connect_read_only(&path).map_err(refused)?, newer: true });
    }
    if !untouched && !is_in_use(places, holding)? {
        match check(&conn) {
            Ok(true) => {}
            Ok(false) => return Ok(Seen::Damaged),
            Err(error) if is_damage(&error) => return Ok(Seen::Damaged),
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(Seen::Ours { conn, newer: false })
}

fn identify(conn: &Connection) -> rusqlite::Result<(i32, i32, bool)> {
    let application_id = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
    Ok((application_id, schema::version(conn)?, schema::is_empty(conn)?))
}

fn check(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0)).map(|answer| answer == "ok")
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Tells whether a runner is at work; it examined the journal when it began.
fn is_in_use(places: &Places, holding: Holding) -> Result<bool, OpenError> {
    if holding == Holding::RunnerLock {
        return Ok(false);
    }
    let path = places.runner_lock();
    FileLock::try_take(&path).map(|free| free.is_none()).map_err(|source| OpenError::Folder { path, source })
}

/// Moves whatever is there of the database to a folder of its own. Returns where the first file of it
/// went.
fn move_aside(places: &Places, holding: Holding) -> Result<Option<PathBuf>, OpenError> {
    let present: Vec<_> = places.database_files().into_iter().filter(|file| holds_something(file)).collect();
    if present.is_empty() {
        return Ok(None);
    }
    if is_in_use(places, holding)? {
        return Err(OpenError::DamagedInUse { path: places.database() });
    }
    let folder = unused_folder(&places.data_dir);
    let failed = |path: &Path, source| OpenError::Folder { path: path.to_owned(), source };
    make_private_folder(&folder).map_err(|source| failed(&folder, source))?;
    let mut moved = None;
    for file in present {
        let Some(name) = file.file_name() else { continue };
        let target = folder.join(name);
        fs::rename(&file, &target).map_err(|source| failed(&file, source))?;
        moved.get_or_insert(target);
    }
    sync_folder_of(&places.database()).map_err(|source| failed(&places.data_dir, source))?;
    Ok(moved)
}

fn holds_something(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| found.len() > 0)
}

fn unused_folder(data_dir: &Path) -> PathBuf {
    let at = now().0;
    (at..)
        .map(|number| data_dir.join(format!("lost-{number}")))
        .find(|folder| !folder.exists())
        .unwrap_or_else(|| data_dir.join("lost"))
}

/// Makes an empty database that only the user can read; SQLite gives its other files the same mode.
fn make(places: &Places) -> Result<Connection, OpenError> {
    let path = places.database();
    open_private_file(&path)
        .and_then(|_| sync_folder_of(&path))
        .map_err(|source| OpenError::Folder { path: path.clone(), source })?;
    connection::connect(&path).map_err(|source| OpenError::Database { path, source })
}

/// Compares the journal with what the sidecar says, and makes a loss durable as a barrier. Returns the
/// sidecar to be written where it is not as it should be.
fn compare(
    conn: &mut Connection,
    vouched: &Vouched,
    lost: Option<LostCause>,
) -> rusqlite::Result<Option<Sidecar>> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = transaction.query_row("SELECT uuid, counter FROM meta", [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
    });
    let (uuid, counter, is_new) = match found {
        Ok((uuid, counter)) => (uuid, counter, false),
        Err(rusqlite::Error::QueryReturnedNoRows) => (Uuid::now_v7().to_string(), 0, true),
        Err(error) => return Err(error),
    };
    let lost = lost.or_else(|| match vouched {
        Vouched::Nothing if counter > 0 => Some(LostCause::NothingVouches),
        Vouched::Nothing => None,
        Vouched::Unreadable if is_new => Some(LostCause::Missing),
        Vouched::Unreadable => Some(LostCause::NothingVouches),
        Vouched::Sidecar(_) if is_new => Some(LostCause::Missing),
        Vouched::Sidecar(sidecar) if sidecar.uuid != uuid => Some(LostCause::OtherUuid),
        Vouched::Sidecar(sidecar) if sidecar.counter > counter => Some(LostCause::OlderCounter),
        Vouched::Sidecar(_) => None,
    });
    // A counter ahead of everything seen lets the journal be believed again once it was released.
    let seen = match vouched {
        Vouched::Sidecar(sidecar) => sidecar.counter,
        Vouched::Nothing | Vouched::Unreadable => 0,
    };
    let (at, raised) = (now(), if lost.is_some() { counter.max(seen) + 1 } else { counter });
    if is_new {
        transaction.execute(
            "INSERT INTO meta (only_row, uuid, counter, created_at) VALUES (1, ?1, ?2, ?3)",
            (&uuid, raised, at.0),
        )?;
    } else if raised != counter {
        transaction.execute("UPDATE meta SET counter = ?1", [raised])?;
    }
    if let Some(cause) = &lost {
        let detail = serde_json::to_string(cause)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        transaction.execute(
            "INSERT INTO barriers (site_id, kind, since, detail) VALUES (NULL, ?1, ?2, ?3) ON CONFLICT DO NOTHING",
            (Barrier::JournalLost.as_str(), at.0, &detail),
        )?;
        transaction.execute(
            "INSERT INTO history (at, by_person, code, detail) VALUES (?1, 0, ?2, ?3)",
            (at.0, Barrier::JournalLost.as_str(), &detail),
        )?;
    }
    transaction.commit()?;
    let as_it_should_be = match vouched {
        Vouched::Sidecar(sidecar) => lost.is_none() && sidecar.uuid == uuid && sidecar.counter == raised,
        Vouched::Nothing | Vouched::Unreadable => false,
    };
    Ok((!as_it_should_be).then_some(Sidecar { uuid, counter: raised, seal: None }))
}

/// Writes down how the database looks now that nothing is left to be written, so that the next start
/// need not check it. Where that does not succeed, the next start checks.
pub(crate) fn seal(conn: &Connection, places: &Places) {
    let laid_down = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    let meta = conn.query_row("SELECT uuid, counter FROM meta", [], |row| Ok((row.get(0)?, row.get(1)?)));
    let (Ok(0), Ok((uuid, counter)), Some(seal), Ok(path)) =
        (laid_down, meta, Seal::of(places), places.sidecar())
    else {
        return;
    };
    let sidecar = Sidecar { uuid, counter, seal: Some(seal) };
    match sidecar::read(&path) {
        Ok(Vouched::Sidecar(known)) if known.uuid == sidecar.uuid && known != sidecar => {
            sidecar::write(&path, &sidecar).unwrap_or_default();
        }
        Ok(Vouched::Sidecar(_) | Vouched::Nothing | Vouched::Unreadable) | Err(_) => {}
    }
}

/// Writes the journal's counter to the sidecar, after the commit that moved it.
pub(crate) fn vouch(conn: &Connection, places: &Places) -> Result<(), crate::error::WriteError> {
    let (uuid, counter) =
        conn.query_row("SELECT uuid, counter FROM meta", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    places
        .sidecar()
        .and_then(|path| sidecar::write(&path, &Sidecar { uuid, counter, seal: None }))
        .map_err(|source| crate::error::WriteError::Sidecar { source })
}

/// Returns the cause of a loss that nobody has released.
pub(crate) fn lost_cause(conn: &Connection) -> Result<Option<LostCause>, crate::error::ReadError> {
    let code = Barrier::JournalLost.as_str();
    row::first(conn, "SELECT detail FROM barriers WHERE kind = ?1", [code], |row| row::json(row, "detail"))
        .map(Option::flatten)
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
