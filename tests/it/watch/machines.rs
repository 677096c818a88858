//! Two machines on one synchronised folder, and two programs on one machine.

use ichido_engine::{Light, Ownership, WatchError};

use super::*;

/// A second machine: a journal of its own, and the folder of the first.
async fn second(site: &Site, first: &Desk) -> Desk {
    let mut desk = Desk::at(site).await;
    desk.articles = first.articles.clone();
    desk
}

#[tokio::test]
async fn a_second_machine_registers_nothing_before_a_person_takes_the_folder_over() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert_eq!(folder.owner, Ownership::Ours);
    })
    .await;
    let said = std::fs::read_to_string(desk.articles.join(".ichido/owner.json")).expect("who registers");
    let password = site.credentials(desk.who()).password;
    assert!(said.contains("\"machine\"") && !said.contains(&password), "{said}");
    let other = second(&site, &desk).await;
    other.write("coffee", "Coffee", "Text.");
    watched(&site, &other, options(&other, true), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_state(FolderState::OwnedElsewhere).await;
        assert!(matches!(&folder.owner, Ownership::Elsewhere { stale: false, by } if !by.machine.is_empty()));
        assert_eq!((keeper.watch.status().light, keeper.sent()), (Light::NeedsYou, 1));
        keeper.advance(Duration::from_secs(7 * 24 * 3600));
        keeper.read_now().await;
        let folder = keeper.until("a word that it is stale", |status| {
            matches!(status.folders[0].owner, Ownership::Elsewhere { stale: true, .. })
        });
        folder.await;
        assert_eq!(keeper.sent(), 1, "time alone gives nobody the right");
        keeper.watch.take_over(other.articles.clone()).await.expect("a person took it over");
        keeper.until("both settled", |status| status.folders[0].counts.settled == 2).await;
        assert_eq!(site.posts().await.len(), 2, "what the first had made is found, not made again");
    })
    .await;
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_state(FolderState::OwnedElsewhere).await;
    })
    .await;
}

#[tokio::test]
async fn copies_that_a_conflict_made_of_the_file_shut_both_until_a_person_decides() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let owner = |journal: &str| {
        format!(r#"{{"machine":"m","user":"u","journal":"{journal}","since":1,"seen":{}}}"#, i64::MAX / 2)
    };
    write(&desk.articles, ".ichido/owner.json", &owner(&desk.journal().uuid().expect("a journal")));
    let copy =
        write(&desk.articles, ".ichido/owner.sync-conflict-20261201-120000-ABCDEFG.json", &owner("other"));
    desk.write("tea", "Tea", "Text.");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_state(FolderState::OwnedElsewhere).await;
        assert_eq!(keeper.sent(), 0);
        keeper.watch.take_over(desk.articles.clone()).await.expect("a person took it over");
        keeper.until_counts("the draft", |counts| counts.settled == 1).await;
        assert!(!copy.exists());
    })
    .await;
}

#[tokio::test]
async fn a_second_program_is_refused_and_told_which_one_watches() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    watched(&site, &desk, options(&desk, false), async |keeper| {
        keeper.begin().await;
        let engine = desk.engine();
        let (_watch, watcher) = Watch::new(options(&desk, false));
        let passwords = Passwords { desk: &desk, shut: std::cell::Cell::new(false) };
        match watcher.run(&engine, &passwords, &Heard::default()).await {
            Err(WatchError::Watched { folder, owner }) => {
                assert_eq!((folder, owner.expect("named").pid), (desk.articles.clone(), std::process::id()));
            }
            other => panic!("{other:?}"),
        }
    })
    .await;
}
