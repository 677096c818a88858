//! When an article is taken, and that it is taken once.

use std::io::Write as _;

use ichido_core::operation::State;
use ichido_core::tally::Ending;
use ichido_core::time::Timestamp;
use ichido_engine::{FolderState, PausedUntil};
use ichido_practice::{Fault, When};

use super::*;
use crate::sight::assert_sent_once;

#[tokio::test]
async fn a_new_article_is_registered_once_it_is_quiet_and_never_again() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let (_, heard) = watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        desk.write("tea", "Tea", "Text.\n\n![a](a.png)");
        desk.picture("tea", "a.png", 1);
        keeper.until_state(FolderState::Settling).await;
        assert_eq!(keeper.sent(), 0, "it is not quiet yet");
        let folder = keeper.settle().await;
        assert_eq!((folder.counts.settled, folder.state), (1, FolderState::Watching), "{folder:?}");
        assert_eq!((keeper.sent(), site.media().await.len()), (1, 1));
        // An edit, a touch, a reading: what is done stays done.
        desk.write("tea", "Tea", "Other text.\n\n![a](a.png)");
        keeper.settle().await;
        keeper.read_now().await;
        assert_eq!(keeper.sent(), 1);
    })
    .await;
    assert_eq!(heard.reports.borrow().len(), 1);
    assert_eq!(desk.state("tea"), State::Done);
    assert_sent_once(&site);
}

#[tokio::test]
async fn nothing_is_registered_by_itself_before_that_is_switched_on() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    watched(&site, &desk, options(&desk, false), async |keeper| {
        let folder = keeper.begin().await;
        assert_eq!((folder.counts.ready, folder.automatic), (1, false));
        desk.write("coffee", "Coffee", "Text.");
        let folder = keeper.settle().await;
        assert_eq!((folder.counts.ready, keeper.sent()), (2, 0));
        assert!(!desk.articles.join(".ichido").exists(), "nothing is written into the folder");
        keeper.watch.set_folders(vec![folder_of(&desk, true)]);
        keeper.until_counts("both drafts", |counts| counts.settled == 2).await;
        assert_eq!(keeper.sent(), 2);
    })
    .await;
}

#[tokio::test]
async fn an_article_with_an_error_waits_for_its_repair() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.\n\n![a](a.png)");
    desk.write("coffee", "Coffee", "Text.");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_counts("the one without an error", |counts| counts.settled == 1).await;
        assert_eq!((folder.counts.needs_work, keeper.sent()), (1, 1));
        desk.picture("tea", "a.png", 1);
        let folder = keeper.settle().await;
        assert_eq!((folder.counts.settled, keeper.sent()), (2, 2));
    })
    .await;
}

/// A copy that stops for breath is not taken for one that has ended: the file is still open.
#[tokio::test]
async fn a_folder_that_is_being_copied_is_taken_when_the_copy_has_ended() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let folder = desk.articles.join("tea");
        std::fs::create_dir(&folder).unwrap();
        keeper.settle().await;
        let mut text = std::fs::File::create(folder.join("index.md")).unwrap();
        text.write_all(b"---\ntitle: Tea\nslug: tea\n---\n\nText.\n").unwrap();
        keeper.until_state(FolderState::Settling).await;
        keeper.advance(SETTLE * 2);
        let status = keeper.read_now().await;
        assert_eq!((status.counts.settling, keeper.sent()), (1, 0), "the text is still open");
        text.write_all(b"\n![a](a.png)\n").unwrap();
        drop(text);
        let picture = ichido_tests::png(1);
        let mut image = std::fs::File::create(folder.join("a.png")).unwrap();
        image.write_all(&picture[..40]).unwrap();
        keeper.until_state(FolderState::Settling).await;
        keeper.advance(SETTLE * 2);
        let status = keeper.read_now().await;
        assert_eq!((status.counts.settling, keeper.sent()), (1, 0), "the image is still open");
        image.write_all(&picture[40..]).unwrap();
        drop(image);
        // The system's word that it was closed has come when the time counts from there.
        keeper.read_now().await;
        keeper.settle().await;
        keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!(keeper.sent(), 1);
        assert!(site.posts().await[0].content.contains("wp-image-"), "with the whole of its text");
    })
    .await;
}

#[tokio::test]
async fn editors_that_write_beside_a_file_and_rename_make_one_draft_of_the_last_text() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        for (version, temporary) in
            ["4913", ".index.md.swp", "index.md~", ".goutputstream-AB12CD", "index.md.tmp"]
                .into_iter()
                .enumerate()
        {
            let text = format!("---\ntitle: Tea\nslug: tea\n---\n\nVersion {version}.\n");
            let beside = write(&desk.articles, &format!("tea/{temporary}"), &text);
            std::fs::rename(beside, desk.articles.join("tea/index.md")).unwrap();
            keeper.until_state(FolderState::Settling).await;
            keeper.advance(SETTLE / 2);
        }
        // What an editor leaves while it is open is no article, and keeps none back.
        write(&desk.articles, "tea/.index.md.swp", "x");
        keeper.read_now().await;
        keeper.settle().await;
        assert_eq!(keeper.sent(), 1);
        assert!(site.posts().await[0].content.contains("Version 4."));
    })
    .await;
    assert_sent_once(&site);
}

#[tokio::test]
async fn new_folders_within_new_folders_are_watched() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        std::fs::create_dir_all(desk.articles.join("2026/12")).unwrap();
        keeper.settle().await;
        write(&desk.articles, "2026/12/tea/index.md", "---\ntitle: Tea\n---\n\nText.\n");
        keeper.settle().await;
        assert_eq!(keeper.sent(), 1);
        // A folder that is made again in the place of one that was removed is watched as well.
        std::fs::remove_dir_all(desk.articles.join("2026")).unwrap();
        write(&desk.articles, "2026/12/coffee/index.md", "---\ntitle: Coffee\n---\n\nText.\n");
        keeper.settle().await;
        write(&desk.articles, "2026/12/milk/index.md", "---\ntitle: Milk\n---\n\nText.\n");
        keeper.settle().await;
        assert_eq!(keeper.sent(), 3);
    })
    .await;
}

#[tokio::test]
async fn what_is_halted_is_never_touched() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    site.inject(When::next(Request::CreatePost), Fault::DropBeforeCommit);
    let (_, heard) = watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until("a halt", |status| status.attention == 1 && status.working.is_none()).await;
        for version in 0..3 {
            desk.write("tea", "Tea", &format!("Version {version}."));
            keeper.settle().await;
            keeper.watch.check_now();
            keeper.advance(Duration::from_secs(20 * 60));
            keeper.read_now().await;
        }
        assert_eq!(keeper.watch.status().attention, 1);
    })
    .await;
    assert_eq!(heard.reports.borrow()[0].tally.unknown, 1);
    assert_eq!((heard.reports.borrow().len(), site.creates()), (1, 1));
}

#[tokio::test]
async fn a_pause_lets_nothing_begin_and_ends_by_itself() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    let paused = ichido_engine::WatchOptions { paused: Some(PausedUntil::Resumed), ..options(&desk, true) };
    watched(&site, &desk, paused, async |keeper| {
        let folder = keeper.begin().await;
        assert_eq!((folder.counts.ready, keeper.sent()), (1, 0));
        assert_eq!(keeper.watch.status().light, ichido_engine::Light::Paused);
        let until = Timestamp(keeper.clock.now().0 + 30 * 60 * 1000);
        keeper.watch.pause(PausedUntil::Moment(until));
        keeper.until("the pause", |status| status.paused == Some(PausedUntil::Moment(until))).await;
        for _ in 0..29 {
            keeper.advance(Duration::from_secs(60));
            tokio::task::yield_now().await;
        }
        keeper.read_now().await;
        assert_eq!(keeper.sent(), 0);
        keeper.advance(Duration::from_secs(60));
        keeper.until("the end of the pause", |status| status.paused.is_none()).await;
        keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!(keeper.sent(), 1);
    })
    .await;
}

#[tokio::test]
async fn once_ends_when_everything_was_tried() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    desk.write("broken", "Broken", "![a](missing.png)");
    let once = ichido_engine::WatchOptions { once: true, ..options(&desk, true) };
    let clock = Arc::new(HeldClock::new());
    let engine = desk.engine().with_clock(clock.clone());
    let (watch, watcher) = Watch::new(once);
    let heard = Heard::default();
    let passwords = Passwords { desk: &desk, shut: std::cell::Cell::new(false) };
    let mut changes = watch.changes();
    let (end, ()) = tokio::join!(watcher.run(&engine, &passwords, &heard), async {
        changes
            .wait_for(|status| status.folders[..].iter().any(|f| f.checked_at.is_some()))
            .await
            .expect("it reads");
        clock.advance(SETTLE);
    });
    let end = end.expect("it ends by itself");
    assert_eq!(end.reports[0].1.tally.created, 1);
    assert_eq!(end.reports[0].1.articles.len(), 1, "what needs work is not in the batch");
    assert_eq!(end.status.folders[0].counts.needs_work, 1);
    assert_eq!(end.reports[0].1.articles[0].1.ending, Ending::Created);
}
