//! What waits goes on by itself when the site or the credentials are back, without a busy loop.

use ichido_core::operation::{State, WaitReason};
use ichido_core::tally::{Barrier, Pause};
use ichido_engine::{Light, Step};

use super::*;

#[tokio::test]
async fn what_a_site_in_maintenance_kept_waiting_goes_on_when_it_is_back() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    site.maintenance(true);
    let (_, heard) = watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let offline = FolderState::Offline { reason: Pause::Maintenance };
        let folder = keeper.until_state(offline).await;
        assert_eq!((folder.counts.waiting + folder.counts.ready, keeper.sent()), (1, 0));
        assert_eq!(keeper.watch.status().light, Light::Offline);
        // Each attempt is further off than the one before.
        let mut waits = Vec::new();
        for _ in 0..4 {
            let next = keeper.watch.status().folders[0].next_try_at.expect("another attempt follows");
            waits.push(next.0 - keeper.clock.now().0);
            keeper.advance(Duration::from_millis(u64::try_from(waits[waits.len() - 1]).unwrap()));
            keeper
                .until("the next attempt", |status| {
                    status.working.is_none()
                        && status.folders[0].state == offline
                        && status.folders[0].next_try_at.is_some_and(|at| at > next)
                })
                .await;
        }
        assert_eq!(waits, [15_000, 30_000, 60_000, 120_000]);
        site.maintenance(false);
        let next = keeper.watch.status().folders[0].next_try_at.expect("another attempt follows");
        keeper.advance(Duration::from_millis(u64::try_from(next.0 - keeper.clock.now().0).unwrap()));
        let folder = keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!((folder.state, folder.next_try_at), (FolderState::Watching, None));
    })
    .await;
    assert_eq!((heard.reports.borrow().len(), site.creates()), (6, 1), "no attempt but those");
}

#[tokio::test]
async fn what_waits_since_a_person_registered_it_goes_on_though_nothing_else_is_automatic() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let folder = desk.write("tea", "Tea", "Text.");
    // The site goes into maintenance when the draft is about to be sent.
    let at_the_draft = |event: &Event| {
        if matches!(event, Event::Step { step: Step::Draft, .. }) {
            site.maintenance(true);
        }
    };
    crate::faults::register_hearing(&desk, &[folder], None, at_the_draft).await;
    assert_eq!(desk.state("tea"), State::Waiting(WaitReason::Maintenance));
    desk.write("coffee", "Coffee", "Text.");
    site.maintenance(false);
    // The one request before was proved not to have been executed.
    site.forget_requests();
    watched(&site, &desk, options(&desk, false), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!((folder.counts.ready, keeper.sent()), (1, 1), "{folder:?}");
    })
    .await;
    assert_eq!(desk.state("tea"), State::Done);
}

#[tokio::test]
async fn a_password_that_comes_later_lets_it_go_on_at_once_or_by_itself() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    let passwords = Passwords { desk: &desk, shut: std::cell::Cell::new(true) };
    watched_with(&site, &desk, options(&desk, true), &passwords, async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_state(FolderState::NeedsCredentials).await;
        assert!(folder.next_try_at.is_some());
        passwords.shut.set(false);
        keeper.advance(Duration::from_secs(15));
        keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        // One that the site does not take is as good as none.
        let right = site.credentials(desk.who()).password;
        desk.use_password("wrong wrong wrong");
        desk.write("coffee", "Coffee", "Text.");
        keeper.settle().await;
        keeper.until_state(FolderState::NeedsCredentials).await;
        desk.use_password(&right);
        keeper.watch.check_now();
        keeper.until_counts("the second draft", |counts| counts.settled == 2).await;
        assert_eq!(keeper.sent(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_release_by_another_program_is_noticed() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    let runner =
        desk.journal().lock(&ichido_journal::Owner::this_process("test", "0"), Timestamp(1)).expect("free");
    let of_site = desk.journal().site_by_name(SITE).expect("sites").expect("the site").id;
    runner.set_barrier(Some(of_site), Barrier::SiteRestored, None, Timestamp(1)).expect("it is written");
    drop(runner);
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_state(FolderState::Shut { reason: Barrier::SiteRestored }).await;
        assert_eq!((keeper.watch.status().light, keeper.sent()), (Light::NeedsYou, 0));
        desk.engine().release(Barrier::SiteRestored).await.expect("a person released it");
        // Only what the system tells of the journal's files makes the watch read it: no minute passes.
        let mut changes = keeper.watch.changes();
        let is_open = |status: &WatchStatus| !matches!(status.folders[0].state, FolderState::Shut { .. });
        for _ in 0..50 {
            let waited = tokio::time::timeout(Duration::from_millis(200), changes.wait_for(is_open)).await;
            if waited.is_ok() {
                break;
            }
            keeper.advance(Duration::from_secs(1));
        }
        keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!(keeper.sent(), 1);
    })
    .await;
}
