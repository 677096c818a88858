//! The journal is gone, older, another program's, or of a newer version (faults 36 to 38), as the program meets it.

use std::path::Path;

use ichido_core::tally::{Barrier, Ending};
use ichido_engine::Report;
use ichido_journal::{Health, LostCause};
use ichido_tests::{Desk, SITE, Site, ending};

use super::{CREATED, article, assert_sent_once, expect, register_one};
use crate::contract::on_every_site;

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// Creating is shut: what the site has is found, the rest waits for a person.
async fn assert_shut(site: &Site, desk: &Desk, known: &str, new: &str) -> Report {
    site.forget_requests();
    let report = desk.register().await;
    assert_eq!((report.barrier, report.exit_status()), (Some(Barrier::JournalLost), 3), "{report:?}");
    assert_eq!(ending(&report, new), Ending::Waiting, "{report:?}");
    assert_eq!(site.creates(), 0);
    assert_eq!(super::titled(site, known).await.len(), 1);
    report
}

on_every_site! {
    async fn fault_36_a_damaged_journal_is_moved_aside_and_creates_nothing(site: &Site) {
        let desk = Desk::at(site).await;
        let known = article(&desk, "known");
        register_one(&desk, &known).await;
        article(&desk, "new");
        let database = desk.places.data_dir.join("journal.sqlite3");
        std::fs::write(&database, vec![0x5a; 20_000]).expect("it can be spoilt");
        // The list of sites went with it, and is not made up.
        assert!(desk.try_register().await.is_err(), "no site is known");
        assert!(matches!(desk.journal().health().expect("a journal"), Health::Lost(LostCause::Damaged { .. })));
        let kept = std::fs::read_dir(&desk.places.data_dir).expect("a folder").flatten().find(|entry| entry.path().is_dir());
        let kept = kept.expect("it was moved aside").path().join("journal.sqlite3");
        assert_eq!(std::fs::read(kept).expect("it is kept"), vec![0x5a; 20_000]);
        desk.engine().add_site(SITE, &site.url(), desk.credentials()).await.expect("it can be added anew");
        let report = assert_shut(site, &desk, "known", "new").await;
        assert_eq!(ending(&report, "known"), Ending::Skipped, "{report:?}");
    }

    async fn fault_37_an_older_journal_creates_nothing_until_a_person_has_looked(site: &Site) {
        let desk = Desk::at(site).await;
        let copied = desk.folder().join("copy");
        copy(&desk.places.data_dir, &copied);
        let known = article(&desk, "known");
        register_one(&desk, &known).await;
        // Somebody puts yesterday's folder back.
        std::fs::remove_dir_all(&desk.places.data_dir).expect("it can be removed");
        copy(&copied, &desk.places.data_dir);
        let new = article(&desk, "new");
        let report = assert_shut(site, &desk, "known", "new").await;
        assert_eq!(ending(&report, "known"), Ending::Skipped, "ours by its marker: {report:?}");
        assert_eq!(desk.engine().release(Barrier::JournalLost).await.expect("everything was looked for"), 1);
        let report = register_one(&desk, &new).await;
        expect(site, &desk, &report, "new", CREATED).await;
        assert_eq!(site.creates(), 1);
        assert_sent_once(site);
    }

    async fn fault_38_a_journal_of_another_program_is_left_alone(site: &Site) {
        let desk = Desk::at(site).await;
        article(&desk, "new");
        let database = desk.places.data_dir.join("journal.sqlite3");
        for entry in std::fs::read_dir(&desk.places.data_dir).expect("a folder").flatten() {
            std::fs::remove_file(entry.path()).expect("it can be removed");
        }
        let other = rusqlite::Connection::open(&database).expect("a database");
        other.execute_batch("PRAGMA application_id = 77; CREATE TABLE theirs (a);").expect("it can be made");
        drop(other);
        let before = std::fs::read(&database).expect("it is there");
        site.forget_requests();
        assert!(desk.try_register().await.is_err());
        assert_eq!(std::fs::read(&database).expect("it stays"), before);
        assert_eq!(site.creates(), 0);
    }
}
