//! Closing the window while a request is in flight.

use std::time::Duration;

use ichido_core::operation::{Kind as Operation, State, WaitReason};
use ichido_journal::{Filter, Journal, Page};
use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Place, Site};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn closing_during_a_batch_settles_what_is_in_flight_and_sends_nothing_more() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    for slug in ["a", "b", "c"] {
        write(&articles, slug, slug);
    }
    let window = desktop.open(&[]).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    site.inject(When::next(Kind::CreatePost), Fault::SlowBody(Duration::from_millis(4)));
    register(&window, &said, 3).await;
    until("a draft is in flight", async || site.creates() == 1).await;

    let [process] = desktop.running()[..] else { panic!("one program runs: {:?}", desktop.running()) };
    let ended = std::process::Command::new("kill").arg("-TERM").arg(process.to_string()).status();
    assert!(ended.expect("a signal can be sent").success());
    window.read(&said.get("notice.closing")).await;
    until("the window is closed", async || desktop.running().is_empty()).await;

    assert_eq!((site.creates(), site.posts().await.len()), (1, 1));
    let journal = Journal::open(&desktop.places()).expect("the journal is whole");
    let filter = Filter { kind: Some(Operation::Post), ..Filter::default() };
    let listed = journal.list(&filter, Page { offset: 0, limit: 10 }).expect("it can be read");
    let mut states: Vec<State> = listed.iter().map(|operation| operation.standing.state).collect();
    states.sort_by_key(|state| *state != State::Done);
    assert_eq!(states[0], State::Done, "{states:?}");
    assert!(
        states[1..].iter().all(|state| matches!(state, State::Planned | State::Waiting(WaitReason::Stopped))),
        "{states:?}"
    );
    assert_eq!(journal.barriers(None).expect("it can be read"), [], "the run was ended cleanly");
}
