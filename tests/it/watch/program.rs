//! `ichido watch`, as a process of its own.

use ichido_core::operation::State;
use ichido_practice::{Fault, When};
use rustix::process::{Pid, Signal, kill_process};

use super::*;
use crate::process::Program;

fn program(desk: &Desk, site: &Site, more: &[&str]) -> Program {
    let articles = desk.articles.to_str().expect("a plain name");
    Program::of(desk, &["watch", articles, "--site", SITE, "--settle", "1"])
        .and(more)
        .with("ICHIDO_PASSWORD", site.credentials(desk.who()).password)
}

#[tokio::test]
async fn once_registers_what_is_there_and_ends_with_its_exit_status() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.\n\n![a](a.png)");
    desk.picture("tea", "a.png", 1);
    let ended = program(&desk, &site, &["--once", "--json"]).run().await;
    assert_eq!((ended.status, site.creates()), (Some(0), 0), "nothing without --register: {ended:?}");
    let ended = program(&desk, &site, &["--once", "--register", "--json"]).run().await;
    assert_eq!((ended.status, ended.summary()["created"].as_u64()), (Some(0), Some(1)), "{ended:?}");
    for event in ["watch", "started", "checked", "ended", "batch"] {
        assert!(ended.stdout.contains(&format!("\"event\":\"{event}\"")), "{event}: {ended:?}");
    }
    desk.write("broken", "Broken", "![a](missing.png)");
    let ended = program(&desk, &site, &["--once", "--register", "--lang", "en"]).run().await;
    assert_eq!(ended.status, Some(4), "{ended:?}");
    assert!(ended.stdout.contains("Watching "), "{ended:?}");
    assert_eq!(site.posts().await.len(), 1);
}

/// The request in flight is answered late: the program hears the signal meanwhile, and ends after the answer.
#[tokio::test]
async fn a_signal_lets_the_request_in_flight_finish() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    for name in ["a", "b", "c"] {
        desk.write(name, name, "Text.");
    }
    let slow = Duration::from_millis(15);
    site.inject(When::next(Request::CreatePost), Fault::SlowBody(slow));
    let mut running = program(&desk, &site, &["--register", "--json", "--poll", "none"]).start();
    running.tells("\"step\":\"draft\"").await;
    let pid = Pid::from_raw(i32::try_from(running.id()).expect("a number of a process")).expect("a process");
    kill_process(pid, Signal::TERM).expect("it runs");
    let ended = running.end().await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let summary = ended.summary();
    assert_eq!((summary["created"].as_u64(), summary["unknown"].as_u64()), (Some(1), Some(0)), "{ended:?}");
    assert_eq!((site.creates(), desk.state("a")), (1, State::Done));
    assert!(desk.journal().barriers(None).expect("barriers").is_empty(), "it was a clean end");
}

#[tokio::test]
async fn a_second_start_is_refused_and_named_the_first() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    desk.write("tea", "Tea", "Text.");
    let mut first = program(&desk, &site, &["--json"]).start();
    first.tells("\"ready\":1").await;
    let second = program(&desk, &site, &["--register", "--lang", "en"]).run().await;
    assert_eq!(second.status, Some(7), "{second:?}");
    let named = format!("process {}", first.id());
    assert!(
        second.stderr.contains("is watched by another Ichido") && second.stderr.contains(&named),
        "{second:?}"
    );
    first.kill().await;
    let third = program(&desk, &site, &["--register", "--once", "--json"]).run().await;
    assert_eq!((third.status, site.creates()), (Some(0), 1), "the lock dies with the process: {third:?}");
}

#[tokio::test]
async fn taking_a_folder_over_needs_a_person_and_says_from_whom() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let other = r#"{"machine":"other-machine","journal":"other","since":1,"seen":2}"#;
    write(&desk.articles, ".ichido/owner.json", other);
    desk.write("tea", "Tea", "Text.");
    let ended = program(&desk, &site, &["--register", "--once", "--lang", "en"]).run().await;
    assert_eq!((ended.status, site.creates()), (Some(3), 0), "{ended:?}");
    assert!(ended.stdout.contains("other-machine") && ended.stdout.contains("--take-over"), "{ended:?}");
    let ended = program(&desk, &site, &["--register", "--once", "--take-over", "--lang", "en"]).run().await;
    assert_eq!((ended.status, site.creates()), (Some(2), 0), "{ended:?}");
    assert!(ended.stdout.contains("other-machine") && ended.stderr.contains("terminal"), "{ended:?}");
    assert_eq!(
        std::fs::read_to_string(desk.articles.join(".ichido/owner.json")).expect("it is there"),
        other
    );
}

#[tokio::test]
async fn a_folder_that_is_none_is_refused_with_the_cure() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let file = write(&desk.articles, "loose.md", "x");
    for (path, lang, says) in [
        (file.to_str().expect("a plain name"), "en", "is no folder"),
        ("/nowhere/at/all", "ja", "フォルダではありません"),
    ] {
        let ended = Program::of(&desk, &["watch", path, "--site", SITE, "--lang", lang]).run().await;
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    }
}
