//! After a lost journal, a release is not blind: everything that is known was looked for before.

use ichido_core::operation::{State, WaitReason};
use ichido_core::tally::{Barrier, Ending};
use ichido_engine::RunError;
use ichido_practice::{Fault, When};
use ichido_tests::{Desk, SITE, Site, ending};

use super::{article, assert_sent_once, register_one};
use crate::contract::on_every_site;

/// Loses the journal and adds the site anew.
async fn lose(site: &Site, desk: &Desk) {
    std::fs::remove_dir_all(&desk.places.data_dir).expect("the journal can be removed");
    desk.engine().add_site(SITE, &site.url(), desk.credentials()).await.expect("the site can be added anew");
}

async fn too_early(desk: &Desk, sites: &[&str]) {
    let error = desk.engine().release(Barrier::JournalLost).await.expect_err("it is too early");
    assert!(matches!(&error, RunError::NotLooked { sites: told } if told == sites), "{error:?}");
    let barriers = desk.journal().barriers(None).expect("a journal");
    assert_eq!(barriers.iter().map(|entry| entry.barrier).collect::<Vec<_>>(), [Barrier::JournalLost]);
}

on_every_site! {
    async fn fault_37_a_lost_journal_is_released_only_after_everything_was_looked_for(site: &Site) {
        let desk = Desk::at(site).await;
        let before = article(&desk, "before");
        assert_eq!(register_one(&desk, &before).await.exit_status(), 0);
        lose(site, &desk).await;
        // Nothing was looked for at all.
        too_early(&desk, &[SITE]).await;
        let after = article(&desk, "after");
        site.forget_requests();
        // The site does not answer.
        site.inject(When::ANY, Fault::RefuseLookups(4));
        let report = desk.register().await;
        assert_eq!((report.tally.waiting, report.exit_status()), (2, 3), "{report:?}");
        too_early(&desk, &[SITE]).await;
        assert_eq!(site.faults_waiting(), 0, "it was asked three times, and once for something else");
        // One of two: the other is known by now, and still here.
        let report = register_one(&desk, &before).await;
        assert_eq!(ending(&report, "before"), Ending::Skipped, "{report:?}");
        too_early(&desk, &[SITE]).await;
        let report = desk.register().await;
        assert_eq!((ending(&report, "after"), report.barrier), (Ending::Waiting, Some(Barrier::JournalLost)));
        assert_eq!(desk.state("after"), State::Waiting(WaitReason::ReleaseNeeded));
        assert_eq!(site.creates(), 0);
        assert_eq!(desk.engine().release(Barrier::JournalLost).await.expect("everything was looked for"), 1);
        let report = register_one(&desk, &after).await;
        assert_eq!((ending(&report, "after"), report.exit_status()), (Ending::Created, 0), "{report:?}");
        assert_eq!((site.creates(), site.posts().await.len()), (1, 2));
        assert_sent_once(site);
    }
}
