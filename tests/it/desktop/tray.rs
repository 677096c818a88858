//! The tray, its menu and notifications, over the session bus.

use std::process::{Child, Stdio};

use ichido_engine::Engine;
use ichido_practice::{Fault, Kind as Request, When};

use super::shell::{Shell, close, look_away, windows};
use super::*;

/// A desktop on which folders are watched for the practice site, and new articles are registered.
async fn watched(desktop: &Desktop, automatic: bool) -> std::path::PathBuf {
    let articles = desktop.home().join("articles");
    std::fs::create_dir_all(&articles).expect("a folder can be made");
    let articles = articles.canonicalize().expect("it is there");
    let folders = serde_json::to_string(&[&articles]).expect("paths of text");
    let automatic = if automatic { folders.clone() } else { "[]".to_owned() };
    let entries = [
        ("desktop_started", "1".to_owned()),
        ("desktop_language", "en".to_owned()),
        ("desktop_watch", "1".to_owned()),
        ("desktop_site", "practice".to_owned()),
        ("desktop_folders", folders),
        ("desktop_automatic", automatic),
        ("watch_settle", "1".to_owned()),
    ];
    let engine = Engine::new(desktop.places(), "test", "0");
    engine.remember(&entries).await.expect("it is remembered");
    articles
}

fn start(desktop: &Desktop, args: &[&str]) -> Child {
    let mut command = desktop.command(session::program());
    let log = std::fs::File::create(desktop.home().join("program.log")).expect("a file can be made");
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command.spawn().expect("the program starts")
}

async fn says(shell: &Shell, wanted: &str) {
    until(&format!("the menu says {wanted}"), async || {
        shell.labels().await.iter().any(|label| label.starts_with(wanted))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_tray_everything_can_be_reached_and_articles_are_registered_without_a_window() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let shell = Shell::start(&desktop, true).await;
    let articles = watched(&desktop, true).await;
    let mut program = start(&desktop, &["--hidden"]);
    says(&shell, "Watching").await;
    assert!(windows(&desktop).is_empty(), "it starts without a window");
    let labels = shell.labels().await;
    for entry in [
        "Open Ichido",
        "Needs attention (0)",
        "Watch the folders",
        "Pause",
        "For 30 minutes",
        "For 1 hour",
        "Until I resume",
        "Drafts on WordPress",
        "Recent drafts",
        "Settings…",
        "Quit Ichido",
    ] {
        assert!(labels.iter().any(|label| label == entry), "{entry} in {labels:?}");
    }
    let calm = shell.icon().await;

    // Paused, nothing is sent; resumed, what came meanwhile is registered, told in one summary and offered.
    shell.choose("Until I resume").await;
    says(&shell, "Paused").await;
    assert_ne!(shell.icon().await, calm, "each state has a sign of its own");
    write(&articles, "tea", "Tea & cake");
    says(&shell, "Resume").await;
    assert!(shell.notes().is_empty());
    shell.choose("Resume").await;
    says(&shell, "Tea & cake").await;
    until("a summary is shown", async || !shell.notes().is_empty()).await;
    let [note] = shell.notes().try_into().expect("one summary");
    assert_eq!((note.title.as_str(), note.body.as_str()), ("1 draft made", "“Tea &amp; cake”"), "{note:?}");
    assert_eq!(note.actions, ["default", "See the drafts", "open", "See the drafts"]);
    shell.press(note.id, "open").await;
    until("the drafts are opened", async || {
        desktop.opened().iter().any(|page| page.contains("post_status=draft"))
    })
    .await;

    // The window comes and goes; the program stays, and says so once.
    for time in 0..2 {
        shell.choose("Open Ichido").await;
        until("a window is there", async || windows(&desktop).len() == 1).await;
        close(&desktop);
        until("the window is gone", async || windows(&desktop).is_empty()).await;
        until("it was said once", async || shell.notes().len() == 2).await;
        assert_eq!(shell.notes()[1].title, "Still watching", "time {time}");
        assert_eq!(desktop.running().len(), 1, "the program goes on");
    }
    shell.choose("Quit Ichido").await;
    assert!(program.wait().expect("it ends").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_no_tray_the_window_is_never_lost() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let shell = Shell::start(&desktop, false).await;
    watched(&desktop, false).await;
    let mut program = start(&desktop, &["--hidden"]);
    // Without a tray there would be no way back from a start in it.
    until("a window is there", async || windows(&desktop).len() == 1).await;
    close(&desktop);
    until("it is said", async || shell.notes().len() == 1).await;
    assert_eq!(shell.notes()[0].title, "Minimised, and still watching");
    assert_eq!(desktop.running().len(), 1);
    drop(std::process::Command::new("kill").arg(program.id().to_string()).status());
    assert!(program.wait().expect("it ends").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_brings_the_window_back_from_the_tray_with_its_folder() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let shell = Shell::start(&desktop, true).await;
    watched(&desktop, false).await;
    let mut program = start(&desktop, &["--hidden"]);
    says(&shell, "Watching").await;
    let other = desktop.home().join("other");
    write(&other, "coffee", "Coffee");
    let second = desktop.command(session::program()).arg(&other).output().expect("it starts");
    assert!(second.status.success(), "{second:?}");
    until("a window is there", async || windows(&desktop).len() == 1).await;
    until("the folder is kept", async || {
        let kept = ichido_journal::Journal::open(&desktop.places()).expect("a journal");
        kept.setting(None, "desktop_folders").expect("it is read").is_some_and(|text| text.contains("other"))
    })
    .await;
    shell.choose("Quit Ichido").await;
    assert!(program.wait().expect("it ends").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halt_is_told_at_once_and_its_button_opens_the_card() {
    let site = ichido_tests::Site::start(ichido_tests::Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let (said, shell) = (desktop.said(), Shell::start(&desktop, true).await);
    let articles = desktop.home().join("articles");
    write(&articles, "first", "The first");
    let window = desktop.open(&[]).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    window.read("The first").await;
    let mut settings = bootstrap(&window).await["settings"].clone();
    (settings["watch"], settings["watchSettleSeconds"]) = (json!(true), json!(1));
    window.invoke("save_settings", json!({ "settings": settings })).await.expect("it is saved");
    says(&shell, "Watching").await;
    site.inject(When::next(Request::CreatePost), Fault::DropBeforeCommit);
    look_away(&desktop);
    let path = bootstrap(&window).await["folders"][0]["path"].clone();
    window.invoke("set_automatic", json!({ "path": path, "on": true })).await.expect("it is switched");
    says(&shell, "Needs attention (1)").await;
    until("a halt is told", async || shell.notes().iter().any(|note| note.title.contains("The first"))).await;
    let note = shell.notes().into_iter().find(|note| note.title.contains("The first")).expect("it was told");
    assert_eq!(note.title, "Needs your check: The first");
    assert_eq!(note.actions[3], "Review");
    says(&shell, "Needs you").await;
    shell.press(note.id, "open").await;
    window.read(&said.get("attention.lead")).await;
    assert_eq!(window.script("return document.activeElement?.textContent", json!([])).await, "The first");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_with_the_session_is_written_down_and_taken_away() {
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let _shell = Shell::start(&desktop, true).await;
    let window = desktop.open(&[]).await;
    let folder = desktop.home().join(".config/autostart");
    let entries = || std::fs::read_dir(&folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let mut settings = bootstrap(&window).await["settings"].clone();
    assert_eq!(
        (&settings["watch"], &settings["autostart"]),
        (&json!(false), &json!(false)),
        "off until switched"
    );
    (settings["watch"], settings["autostart"]) = (json!(true), json!(true));
    window.invoke("save_settings", json!({ "settings": settings })).await.expect("it is saved");
    let entry = entries().pop().expect("it is written down");
    let text = std::fs::read_to_string(entry.path()).expect("it can be read");
    assert!(text.contains("--hidden"), "{text}");
    settings["watch"] = json!(false);
    window.invoke("save_settings", json!({ "settings": settings })).await.expect("it is saved");
    assert!(entries().is_empty(), "who does not watch does not start");
    window.close().await;
}
