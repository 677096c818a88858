use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use ichido_core::tally::Barrier;
use rusqlite::Connection;

use super::{Desk, NOW, at, done, facts, owner, planned, sending, site};
use crate::sidecar::{Seal, Vouched};
use crate::{BeginSendError, By, Health, Journal, LockError, LostCause, OpenError, sidecar};

/// A run with one article, well ended.
fn a_finished_run(desk: &Desk, slug: &str, id: u64) {
    let runner = desk.runner();
    let site = site(&runner, "one");
    done(&runner, site, slug, id);
    runner.close_run(&at(2)).unwrap();
}

fn delete_database(desk: &Desk) {
    for file in desk.places.database_files() {
        if file.exists() {
            fs::remove_file(file).unwrap();
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn put_back(desk: &Desk, copy: &Path) {
    fs::remove_dir_all(&desk.places.data_dir).unwrap();
    copy_folder(copy, &desk.places.data_dir);
}

fn refuses_to_send(desk: &Desk) {
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "after-the-loss").op_id;
    let refused = runner.begin_send(op_id, &facts("after-the-loss"), &at(5)).unwrap_err();
    assert!(matches!(refused, BeginSendError::Barrier { barrier: Barrier::JournalLost }), "{refused:?}");
}

#[track_caller]
fn is_lost(desk: &Desk, expected: &LostCause) {
    for _ in 0..2 {
        assert_eq!(desk.open().health().unwrap(), Health::Lost(expected.clone()));
    }
    refuses_to_send(desk);
    let runner = desk.runner();
    assert_eq!(runner.release(None, Barrier::JournalLost, By::Person, NOW).unwrap().len(), 1);
    drop(runner);
    let runner = desk.runner();
    assert_eq!(runner.health().unwrap(), Health::Sound);
    let site = site(&runner, "one");
    sending(&runner, site, "after-the-release");
}

fn sealed(desk: &Desk) -> Option<Seal> {
    match sidecar::read(&desk.places.sidecar().unwrap()).unwrap() {
        Vouched::Sidecar(sidecar) => sidecar.seal,
        Vouched::Nothing | Vouched::Unreadable => None,
    }
}

#[test]
fn a_first_start_is_sound_and_stays_so() {
    let desk = Desk::new();
    assert_eq!(desk.open().health().unwrap(), Health::Sound);
    a_finished_run(&desk, "first", 7);
    a_finished_run(&desk, "second", 8);
    assert_eq!(desk.open().health().unwrap(), Health::Sound);
}

#[test]
fn journals_are_told_apart_for_ever_and_shared_between_threads() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let (desk, other) = (Desk::new(), Desk::new());
    let uuid = desk.open().uuid().unwrap();
    assert_eq!(desk.runner().uuid().unwrap(), uuid);
    assert_ne!(other.open().uuid().unwrap(), uuid);
    is_shared(&desk.open());
    is_shared(&desk.runner());
}

#[test]
#[cfg(unix)]
fn nobody_else_can_read_what_it_keeps() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    fs::create_dir(&desk.places.data_dir).unwrap();
    fs::set_permissions(&desk.places.data_dir, fs::Permissions::from_mode(0o755)).unwrap();
    let runner = desk.runner();
    let site = site(&runner, "one");
    done(&runner, site, "first", 7);
    let mut seen = 0;
    for folder in [&desk.places.data_dir, &desk.places.sidecar_dir, &desk.places.lock_dir] {
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
            seen += 1;
        }
    }
    assert!(seen >= 5, "database, log, shared memory, lock, owner, sidecar: saw {seen}");
}

#[test]
fn a_deleted_journal_is_lost_and_made_anew_beside_nothing() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    delete_database(&desk);
    is_lost(&desk, &LostCause::Missing);
}

#[test]
fn an_emptied_journal_is_lost() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    fs::File::create(desk.places.database()).unwrap();
    is_lost(&desk, &LostCause::Missing);
}

#[test]
fn a_deleted_folder_is_noticed_by_the_sidecar() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    fs::remove_dir_all(&desk.places.data_dir).unwrap();
    is_lost(&desk, &LostCause::Missing);
}

#[test]
fn an_older_copy_is_lost() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    let copy = desk.places.sidecar_dir.join("copy");
    copy_folder(&desk.places.data_dir, &copy);
    a_finished_run(&desk, "second", 8);
    put_back(&desk, &copy);
    is_lost(&desk, &LostCause::OlderCounter);
}

#[test]
fn a_copy_from_the_middle_of_the_last_run_is_lost() {
    let desk = Desk::new();
    let copy = desk.places.sidecar_dir.join("copy");
    {
        let runner = desk.runner();
        let site = site(&runner, "one");
        done(&runner, site, "first", 7);
        copy_folder(&desk.places.data_dir, &copy);
        done(&runner, site, "second", 8);
        runner.close_run(&at(2)).unwrap();
    }
    put_back(&desk, &copy);
    is_lost(&desk, &LostCause::OlderCounter);
}

#[test]
fn another_journal_in_its_place_is_lost() {
    let (desk, other) = (Desk::new(), Desk::new());
    a_finished_run(&desk, "first", 7);
    a_finished_run(&other, "first", 7);
    put_back(&desk, &other.places.data_dir);
    is_lost(&desk, &LostCause::OtherUuid);
}

#[test]
fn a_journal_that_nothing_vouches_for_is_lost_unless_it_never_sent() {
    let desk = Desk::new();
    {
        let runner = desk.runner();
        site(&runner, "one");
    }
    fs::remove_file(desk.places.sidecar().unwrap()).unwrap();
    assert_eq!(desk.open().health().unwrap(), Health::Sound);
    a_finished_run(&desk, "first", 7);
    fs::remove_file(desk.places.sidecar().unwrap()).unwrap();
    is_lost(&desk, &LostCause::NothingVouches);

    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    fs::write(desk.places.sidecar().unwrap(), b"{\"uuid\":").unwrap();
    is_lost(&desk, &LostCause::NothingVouches);
}

#[track_caller]
fn damaged_by(damage: impl Fn(&Path)) {
    let desk = Desk::new();
    {
        let runner = desk.runner();
        let site = site(&runner, "one");
        for number in 0..40 {
            done(&runner, site, &format!("article-{number}"), number);
        }
        runner.close_run(&at(2)).unwrap();
    }
    let database = desk.places.database();
    damage(&database);
    let damaged = fs::read(&database).unwrap();
    let Health::Lost(LostCause::Damaged { moved_aside }) = desk.open().health().unwrap() else {
        panic!("not noticed")
    };
    assert_eq!(fs::read(&moved_aside).unwrap(), damaged, "kept as it was");
    is_lost(&desk, &LostCause::Damaged { moved_aside: moved_aside.clone() });
    assert!(moved_aside.exists());
}

#[test]
fn a_damaged_journal_is_moved_aside_untouched() {
    let overwrite = |database: &Path, from: u64, length: usize| {
        let mut file = fs::OpenOptions::new().write(true).open(database).unwrap();
        file.seek(SeekFrom::Start(from)).unwrap();
        file.write_all(&vec![0x5a; length]).unwrap();
    };
    damaged_by(|database| overwrite(database, 0, 16));
    damaged_by(|database| overwrite(database, 0, 4096));
    damaged_by(|database| overwrite(database, 3 * 4096, 4096));
    damaged_by(|database| overwrite(database, 9 * 4096 + 50, 2000));
    damaged_by(|database| {
        let file = fs::OpenOptions::new().write(true).open(database).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    });
    damaged_by(|database| {
        fs::OpenOptions::new().write(true).open(database).unwrap().set_len(100).unwrap();
    });
    damaged_by(|database| {
        fs::write(database, b"not a database, but long enough to be taken for one").unwrap()
    });
}

#[test]
fn a_log_without_its_database_is_kept_and_counts_as_a_loss() {
    let desk = Desk::new();
    desk.open();
    delete_database(&desk);
    fs::remove_file(desk.places.sidecar().unwrap()).unwrap();
    fs::write(desk.places.write_ahead_log(), b"what was written last").unwrap();
    assert_eq!(desk.open().health().unwrap(), Health::Lost(LostCause::Missing));
    let kept = fs::read_dir(&desk.places.data_dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.is_dir());
    assert_eq!(fs::read(kept.unwrap().join("journal.sqlite3-wal")).unwrap(), b"what was written last");
}

#[test]
fn a_damaged_journal_that_a_runner_uses_is_left_alone() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    done(&runner, site, "first", 7);
    runner.db.lock().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    fs::write(desk.places.database(), b"overwritten").unwrap();
    assert!(matches!(Journal::open(&desk.places), Err(OpenError::DamagedInUse { .. })));
    assert_eq!(fs::read(desk.places.database()).unwrap(), b"overwritten");
}

#[test]
fn a_newer_journal_is_read_and_not_written() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    Connection::open(desk.places.database()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let journal = desk.open();
    assert_eq!(journal.health().unwrap(), Health::ReadOnlyNewer);
    assert_eq!(journal.sites().unwrap().len(), 1);
    assert!(matches!(journal.lock(&owner("test"), NOW), Err(LockError::ReadOnlyNewer)));
}

#[test]
fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    let desk = Desk::new();
    fs::create_dir(&desk.places.data_dir).unwrap();
    let other = Connection::open(desk.places.database()).unwrap();
    other.execute_batch("PRAGMA application_id = 77; CREATE TABLE theirs (a);").unwrap();
    drop(other);
    let before = fs::read(desk.places.database()).unwrap();
    let refused = Journal::open(&desk.places).unwrap_err();
    assert!(matches!(refused, OpenError::ForeignFile { application_id: 77, .. }), "{refused:?}");
    assert_eq!(fs::read(desk.places.database()).unwrap(), before);
}

#[test]
fn a_first_start_that_was_cut_off_is_taken_up() {
    let desk = Desk::new();
    fs::create_dir(&desk.places.data_dir).unwrap();
    let conn = Connection::open(desk.places.database()).unwrap();
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
    drop(conn);
    assert_eq!(desk.open().health().unwrap(), Health::Sound);
}

#[test]
fn after_a_clean_end_the_next_start_need_not_check() {
    let desk = Desk::new();
    a_finished_run(&desk, "first", 7);
    let seal = sealed(&desk);
    assert!(seal.is_some());
    assert_eq!(seal, Seal::of(&desk.places), "closing the last connection touches nothing");
    {
        let window = desk.open();
        assert_eq!(seal, Seal::of(&desk.places), "nor does reading");
        let runner = window.lock(&owner("test"), NOW).unwrap();
        let site = site(&runner, "one");
        sending(&runner, site, "second");
        assert_eq!(sealed(&desk), None, "while a run is open nothing is sealed");
    }
    assert_eq!(sealed(&desk), None, "a run that was not closed is checked");
    drop(desk.runner());
    assert_eq!(sealed(&desk), Seal::of(&desk.places));
}

#[test]
fn a_window_with_an_open_journal_does_not_keep_the_seal_away() {
    let desk = Desk::new();
    let window = desk.open();
    a_finished_run(&desk, "first", 7);
    assert!(sealed(&desk).is_some());
    assert_eq!(sealed(&desk), Seal::of(&desk.places));
    assert_eq!(window.sites().unwrap().len(), 1);
}

#[test]
fn data_folders_that_share_a_sidecar_folder_do_not_mix() {
    let desk = Desk::new();
    let other = crate::Places { data_dir: desk.places.sidecar_dir.join("other"), ..desk.places.clone() };
    a_finished_run(&desk, "first", 7);
    assert_eq!(Journal::open(&other).unwrap().health().unwrap(), Health::Sound);
    assert_eq!(desk.open().health().unwrap(), Health::Sound);
}
