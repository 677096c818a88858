//! The schema: its versions, and how an older one is brought up to date.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};
use rusqlite_migration::{M, Migrations};

/// Marks the file as a journal of this program: `Ichd`.
pub(crate) const APPLICATION_ID: i32 = 0x4963_6864;

const STEPS: &[M<'static>] = &[
    M::up(include_str!("migrations/0001_founding.sql")),
    M::up(include_str!("migrations/0002_may_arrive.sql")),
];

/// The newest version that this program writes.
pub(crate) const VERSION: i32 = STEPS.len() as i32;

/// Brings the schema up to date; an upgrade keeps a copy of the database as it was.
pub(crate) fn bring_up_to_date(conn: &mut Connection, file: &Path) -> Result<(), rusqlite_migration::Error> {
    migrate(conn, file, &Migrations::from_slice(STEPS), VERSION)
}

fn migrate(
    conn: &mut Connection,
    file: &Path,
    steps: &Migrations<'_>,
    to: i32,
) -> Result<(), rusqlite_migration::Error> {
    let from = version(conn)?;
    if from >= to {
        return Ok(());
    }
    if from > 0 {
        back_up(conn, &file.with_extension(format!("before-v{to}.sqlite3")))?;
    }
    steps.to_latest(conn)
}

/// A copy that an interrupted upgrade left behind is of the same version: it stays.
fn back_up(conn: &Connection, copy: &Path) -> Result<(), rusqlite::Error> {
    if copy.exists() {
        return Ok(());
    }
    let unfinished = copy.with_extension("unfinished");
    if unfinished.exists() {
        std::fs::remove_file(&unfinished).map_err(into_sqlite)?;
    }
    conn.execute("VACUUM INTO ?1", [unfinished.to_string_lossy()])?;
    crate::places::restrict_file(&unfinished)
        .and_then(|()| crate::places::open_private_file(&unfinished)?.sync_all())
        .and_then(|()| std::fs::rename(&unfinished, copy))
        .and_then(|()| crate::places::sync_folder_of(copy))
        .map_err(into_sqlite)
}

fn into_sqlite(error: std::io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

/// Returns the version of the schema in a file; 0 where there is none yet.
pub(crate) fn version(conn: &Connection) -> rusqlite::Result<i32> {
    conn.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Tells whether a database holds nothing at all.
pub(crate) fn is_empty(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()))
        .optional()
        .map(|found| found.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_sound_and_set_the_application_id() {
        Migrations::from_slice(STEPS).validate().unwrap();
        let mut conn = Connection::open_in_memory().unwrap();
        bring_up_to_date(&mut conn, Path::new("unused")).unwrap();
        let id: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
        assert_eq!((id, version(&conn).unwrap()), (APPLICATION_ID, VERSION));
    }

    #[test]
    fn an_upgrade_keeps_a_copy_and_a_step_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite3");
        let mut conn = Connection::open(&file).unwrap();
        bring_up_to_date(&mut conn, &file).unwrap();
        conn.execute("INSERT INTO settings (name, value) VALUES ('a', 'b')", []).unwrap();

        let mut steps = STEPS.to_vec();
        steps.push(M::up("CREATE TABLE more (a INTEGER) STRICT; CREATE TABLE more (b INTEGER) STRICT;"));
        assert!(migrate(&mut conn, &file, &Migrations::new(steps), VERSION + 1).is_err());
        assert_eq!(version(&conn).unwrap(), VERSION);
        assert!(conn.prepare("SELECT a FROM more").is_err());

        let mut steps = STEPS.to_vec();
        steps.push(M::up("CREATE TABLE more (a INTEGER) STRICT; DELETE FROM settings;"));
        migrate(&mut conn, &file, &Migrations::new(steps), VERSION + 1).unwrap();
        let copy = Connection::open(file.with_extension(format!("before-v{}.sqlite3", VERSION + 1))).unwrap();
        let kept: String = copy.query_row("SELECT value FROM settings", [], |row| row.get(0)).unwrap();
        assert_eq!((kept.as_str(), version(&copy).unwrap()), ("b", VERSION));
    }

    #[test]
    fn an_upgrade_takes_what_nothing_proved_for_something_that_may_still_arrive() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn, Path::new("unused"), &Migrations::from_slice(&STEPS[..1]), 1).unwrap();
        conn.execute_batch(
            "INSERT INTO sites (id, name, home, rest_root, user, added_at) VALUES (1, 'a', 'b', 'c', 'd', 0);",
        )
        .unwrap();
        for (op_id, state, reason, may_have_left, sent_at, code) in [
            ("planned", "planned", None, 0, None, None),
            ("answered", "done", None, 1, Some(5), Some("created")),
            ("adopted", "done", None, 1, Some(5), Some("adopted")),
            ("linked", "done", None, 1, Some(5), Some("link")),
            ("unsent", "done", None, 1, None, Some("link")),
            ("unknown", "halted", Some("outcome_unknown"), 1, Some(5), None),
        ] {
            conn.execute(
                "INSERT INTO operations (op_id, site_id, kind, post_type, key, state, reason, is_left, may_have_left, \
                 slug, title, created_at, sent_at) VALUES (?1, 1, 'post', 'post', ?1, ?2, ?3, 0, ?4, ?1, ?1, 0, ?5)",
                rusqlite::params![op_id, state, reason, may_have_left, sent_at],
            )
            .unwrap();
            if let Some(code) = code {
                conn.execute(
                    "INSERT INTO history (at, op_id, site_id, by_person, code) VALUES (0, ?1, 1, 0, ?2)",
                    [op_id, code],
                )
                .unwrap();
            }
        }
        Migrations::from_slice(STEPS).to_latest(&mut conn).unwrap();
        let mut statement =
            conn.prepare("SELECT op_id FROM operations WHERE may_arrive = 1 ORDER BY op_id").unwrap();
        let may_arrive: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(may_arrive, ["linked", "unknown"]);
    }

    const FOLDER: &str = "ICHIDO_SCHEMA_TEST_FOLDER";
    const IN_THE_MIDDLE: &str = "in the middle of an upgrade";

    /// Steps of which the last stands still once its statements are done, and before they are committed.
    fn steps_that_stand_still() -> Migrations<'static> {
        let mut steps = STEPS.to_vec();
        steps.push(M::up_with_hook(
            "CREATE TABLE more (a INTEGER) STRICT; DELETE FROM settings;",
            |_: &rusqlite::Transaction<'_>| {
                println!("\n{IN_THE_MIDDLE}");
                loop {
                    std::thread::park();
                }
            },
        ));
        Migrations::new(steps)
    }

    /// Does nothing unless the test below started it.
    #[test]
    fn child_that_upgrades() {
        let Some(folder) = std::env::var_os(FOLDER) else { return };
        let file = Path::new(&folder).join("journal.sqlite3");
        let mut conn = Connection::open(&file).unwrap();
        conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
        migrate(&mut conn, &file, &steps_that_stand_still(), VERSION + 1).unwrap();
    }

    #[test]
    fn killed_in_an_upgrade_leaves_the_old_version_whole_and_a_copy() {
        use std::io::BufRead as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite3");
        let mut conn = Connection::open(&file).unwrap();
        bring_up_to_date(&mut conn, &file).unwrap();
        conn.execute("INSERT INTO settings (name, value) VALUES ('a', 'b')", []).unwrap();
        drop(conn);
        for _ in 0..2 {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "schema::tests::child_that_upgrades", "--nocapture"])
                .env(FOLDER, folder.path())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
            assert!(lines.map_while(Result::ok).any(|line| line == IN_THE_MIDDLE));
            child.kill().unwrap();
            child.wait().unwrap();
            let copy = file.with_extension(format!("before-v{}.sqlite3", VERSION + 1));
            for whole in [&file, &copy] {
                let conn = Connection::open(whole).unwrap();
                let check: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
                let kept: String =
                    conn.query_row("SELECT value FROM settings", [], |row| row.get(0)).unwrap();
                assert_eq!((check.as_str(), kept.as_str(), version(&conn).unwrap()), ("ok", "b", VERSION));
                assert!(conn.prepare("SELECT a FROM more").is_err(), "nothing of the new version");
            }
        }
        let mut steps = STEPS.to_vec();
        steps.push(M::up("CREATE TABLE more (a INTEGER) STRICT;"));
        let mut conn = Connection::open(&file).unwrap();
        migrate(&mut conn, &file, &Migrations::new(steps), VERSION + 1).unwrap();
        assert_eq!(version(&conn).unwrap(), VERSION + 1);
    }
}
