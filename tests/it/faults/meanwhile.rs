//! What happens here while a request is on its way (faults 42 and 43).

use std::time::Duration;

use ichido_core::act::Act;
use ichido_core::tally::Ending;
use ichido_engine::{Event, Note, Step};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Place, Site, ending};

use super::{
    ADOPTED, CREATED, UNKNOWN, VERIFIED, article, assert_sent_once, expect, register_hearing, register_one,
    titled, with_time,
};
use crate::contract::on_every_site;

const NIGHT: Duration = Duration::from_secs(8 * 60 * 60);

fn is_draft(event: &Event) -> bool {
    matches!(event, Event::Step { step: Step::Draft, .. })
}

/// Registers while the computer sleeps through the night in the middle of the send.
async fn asleep(site: &Site, desk: &Desk, fault: Fault) -> std::path::PathBuf {
    let folder = article(desk, "記事");
    site.inject(When::next(Request::CreatePost), fault.clone());
    let report = register_hearing(desk, std::slice::from_ref(&folder), None, |event| {
        if is_draft(event) {
            desk.clock.advance(NIGHT);
        }
    })
    .await;
    let comes = if fault == Fault::CommitThenDropResponse { ADOPTED } else { UNKNOWN };
    expect(site, desk, &report, "記事", comes).await;
    folder
}

with_time! {
    async fn fault_42_a_night_in_the_middle_of_a_send_that_arrived(site: &Site, desk: &Desk) {
        let folder = asleep(site, desk, Fault::CommitThenDropResponse).await;
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn fault_42_a_night_in_the_middle_of_a_send_opens_nothing(site: &Site, desk: &Desk) {
        let folder = asleep(site, desk, Fault::DropBeforeCommit).await;
        // The settle window begins with the first look after the send, not with the send.
        assert!(desk.act("記事", Act::SendAgain, None).await.is_err(), "the window has not passed");
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", UNKNOWN).await;
        assert_eq!(site.creates(), 1);
        desk.clock.advance(NIGHT);
        desk.act("記事", Act::SendAgain, None).await.expect("the window has passed");
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        assert_eq!(site.creates(), 2);
    }
}

on_every_site! {
    async fn fault_43_an_article_that_is_edited_while_it_is_sent_goes_as_it_was_read(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "edited");
        let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
            if is_draft(event) {
                desk.write("edited", "edited", "Other words.");
            }
        })
        .await;
        expect(site, &desk, &report, "edited", CREATED).await;
        let content = titled(site, "edited").await.remove(0).content;
        assert!(content.contains("本文です。") && !content.contains("Other words."), "{content}");
        desk.forget();
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "edited", VERIFIED).await;
        let told = |event: &Event| matches!(event, Event::Noted { note: Note::ChangedSince, .. });
        assert!(desk.heard.lock().expect("nobody panicked").iter().any(told), "it is told, and not sent by itself");
        assert_eq!(titled(site, "edited").await.remove(0).content, content);
        assert_eq!(site.creates(), 1);
    }

    async fn fault_43_an_article_that_is_removed_while_it_is_sent_is_there_once(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "removed");
        desk.picture("removed", "a.png", 9);
        desk.write("removed", "removed", "![a](a.png)");
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
            if is_draft(event) {
                std::fs::remove_dir_all(&folder).expect("it can be removed");
            }
        })
        .await;
        expect(site, &desk, &report, "removed", ADOPTED).await;
        assert_eq!(site.media().await.len(), 1);
        assert_sent_once(site);
    }

    async fn fault_43_an_image_that_is_gone_by_its_turn_leaves_its_article_unsent(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "gone");
        let picture = desk.picture("gone", "a.png", 11);
        desk.write("gone", "gone", "![a](a.png)");
        let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
            if matches!(event, Event::Checked { .. } | Event::Step { step: Step::Image { .. }, .. }) && picture.exists() {
                std::fs::remove_file(&picture).expect("it can be removed");
            }
        })
        .await;
        let came_to = ending(&report, "gone");
        assert!(matches!(came_to, Ending::NeedsWork | Ending::Waiting), "{report:?}");
        assert_eq!((site.creates(), titled(site, "gone").await.len()), (0, 0));
        desk.picture("gone", "a.png", 11);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "gone", CREATED).await;
    }
}

async fn what_another_computer_makes(site: &Site) {
    // Two computers share no lock: this is detected, not prevented.
    let desk = Desk::at(site).await;
    let other = Desk::at(site).await;
    let (folder, theirs) = (article(&desk, "shared"), article(&other, "shared"));
    let both = std::sync::atomic::AtomicBool::new(false);
    let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
        if is_draft(event) {
            both.store(true, std::sync::atomic::Ordering::SeqCst);
            // The engine of the other computer has a runtime of its own.
            std::thread::scope(|scope| {
                let run = scope.spawn(|| {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                    runtime.expect("a runtime").block_on(register_one(&other, &theirs))
                });
                tokio::task::block_in_place(|| run.join()).expect("it does not panic");
            });
        }
    })
    .await;
    assert!(both.into_inner());
    assert_eq!(titled(site, "shared").await.len(), 2, "{report:?}");
    let told = |event: &Event| matches!(event, Event::Noted { note: Note::SlugGivenBySite { .. }, .. });
    assert!(desk.heard.lock().expect("nobody panicked").iter().any(told), "{report:?}");
    assert_sent_once(site);
}

/// With threads enough for the site and two computers.
macro_rules! on_two_computers {
    ($($name:ident: $place:expr;)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            what_another_computer_makes(&Site::start($place).await).await;
        }
    )*};
}

on_two_computers! {
    fault_40_what_another_computer_makes_between_the_look_and_the_send_is_told_practice_old: Place::PracticeOld;
    fault_40_what_another_computer_makes_between_the_look_and_the_send_is_told_practice_new: Place::PracticeNew;
    fault_40_what_another_computer_makes_between_the_look_and_the_send_is_told_real_old: Place::RealOld;
    fault_40_what_another_computer_makes_between_the_look_and_the_send_is_told_real_new: Place::RealNew;
}
