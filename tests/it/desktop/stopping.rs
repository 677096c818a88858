//! Runs that stop halfway: by a person's pause, and by a program that is killed.

use std::time::Duration;

use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Place, Site};

use super::*;

/// Slow enough to be caught in flight, quick enough to be waited for.
const SLOW: Fault = Fault::SlowBody(Duration::from_millis(2));

async fn connected(site: &Site, desktop: &Desktop) -> Driver {
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    for slug in ["a", "b", "c"] {
        write(&articles, slug, &format!("Article {slug}"));
    }
    let window = desktop.open(&[]).await;
    connect(&window, &said, site).await;
    open_folder(&window, &said, &articles).await;
    window
}

fn kill(desktop: &Desktop) {
    for process in desktop.running() {
        let killed = std::process::Command::new("kill").arg("-KILL").arg(process.to_string()).status();
        assert!(killed.expect("a signal can be sent").success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_batch_goes_on_where_it_stopped() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let window = connected(&site, &desktop).await;
    site.inject(When::next(Kind::CreatePost), SLOW);
    register(&window, &said, 3).await;
    until("a draft is in flight", async || site.creates() == 1).await;
    window.press(&said.get("batch.pause")).await;
    window.read(&said.get("batch.paused")).await;
    assert_eq!(
        (site.creates(), site.posts().await.len()),
        (1, 1),
        "what was in flight was finished, no more"
    );
    window.press(&said.get("batch.resume")).await;
    window.read(&said.with("tally.created", &[("count", "3")])).await;
    assert_eq!(states(&window).await, ["done", "done", "done"]);
    assert_eq!((site.creates(), site.posts().await.len()), (3, 3));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_what_was_in_flight_is_found_by_itself() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let window = connected(&site, &desktop).await;
    site.inject(When::next(Kind::CreatePost), SLOW);
    register(&window, &said, 3).await;
    until("a draft is in flight", async || site.creates() == 1).await;
    kill(&desktop);
    window.close().await;

    let window = desktop.open(&[]).await;
    window.read(&said.get("ending.adopted")).await;
    assert_eq!(bootstrap(&window).await["barriers"], json!([]), "nobody is asked what a look settled");
    register(&window, &said, 2).await;
    window.read(&said.with("tally.created", &[("count", "2")])).await;
    assert_eq!((site.creates(), site.posts().await.len()), (3, 3));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_nothing_is_sent_until_a_person_has_looked() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let window = connected(&site, &desktop).await;
    let create = When::next(Kind::CreatePost);
    site.inject(create, Fault::HideFromLookups(1000));
    site.inject(create, SLOW);
    register(&window, &said, 3).await;
    until("a draft is in flight", async || site.creates() == 1).await;
    kill(&desktop);
    window.close().await;

    let window = desktop.open(&[]).await;
    window.read(&said.get("barrier.unclean_stop.title")).await;
    assert!(
        window.invoke("register", json!({ "siteId": "1", "ids": null })).await.is_err(),
        "creating is shut"
    );
    window.press(&said.get("nav.attention")).await;
    window.read(&said.get("halt.outcome_unknown.name")).await;
    let wrong = window.invoke("release", json!({ "code": "unclean_stop", "typed": "yes" })).await;
    assert_eq!(wrong.expect_err("a word must be typed")["code"], "typed");
    window.press(&said.get("barrier.go")).await;
    window.fill("dialog input, [role=dialog] input", &said.get("typed.word")).await;
    window.press_last(&said.get("barrier.release")).await;
    window.gone(&said.get("barrier.unclean_stop.title")).await;
    window.press(&said.get("nav.articles")).await;
    register(&window, &said, 2).await;
    window.read(&said.with("tally.created", &[("count", "2")])).await;
    assert_eq!((site.creates(), site.posts().await.len()), (3, 3), "the one in doubt was not sent again");
    window.close().await;
}
