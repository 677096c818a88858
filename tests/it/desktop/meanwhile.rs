//! What another program did while the window was open.

use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Place, Site, Who};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_window_notices_what_the_command_line_did_meanwhile() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "a-drafted", "Drafted elsewhere");
    write(&articles, "b-lost", "Lost elsewhere");
    let window = desktop.open(&[]).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    window.read("Lost elsewhere").await;
    assert_eq!(states(&window).await, ["ready", "ready"]);

    site.inject(When { skip: 1, ..When::next(Kind::CreatePost) }, Fault::DropBeforeCommit);
    let ran = desktop
        .command(env!("CARGO_BIN_EXE_ichido-under-test"))
        .args(["register", articles.to_str().expect("a path of text"), "--poll", "none"])
        .env("ICHIDO_PASSWORD", site.credentials(Who::Author).password)
        .output()
        .expect("the command line runs");
    assert_eq!(ran.status.code(), Some(3), "{}", String::from_utf8_lossy(&ran.stdout));

    // Nobody presses anything.
    window.read(&said.get("ending.created")).await;
    window.read(&said.get("halt.outcome_unknown.name")).await;
    let counted =
        "const count = document.querySelector('nav .alert'); return count && parseInt(count.textContent)";
    assert_eq!(window.wait("the number of what needs a person", counted, json!([])).await, json!(1));
    assert_eq!(states(&window).await, ["done", "halted"]);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_run_is_sending_needs_nobody_until_that_run_is_gone() {
    let site = Site::start(Place::PracticeNew).await;
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "in-flight", "In flight elsewhere");
    let window = desktop.open(&[]).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    window.read("In flight elsewhere").await;

    let mut other = desktop
        .command(env!("CARGO_BIN_EXE_ichido-under-test"))
        .args(["register", articles.to_str().expect("a path of text"), "--poll", "none"])
        .env("ICHIDO_PASSWORD", site.credentials(Who::Author).password)
        .env("ICHIDO_FAILPOINT", "post:after_begin_send")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command line runs");
    window.read(&said.get("state.sending")).await;
    assert_eq!(bootstrap(&window).await["attention"], 0);
    assert_eq!(window.script("return document.querySelector('nav .alert')", json!([])).await, Value::Null);

    other.kill().expect("it can be killed");
    other.wait().expect("it ends");
    // Its card, and the banner of the run that was cut off.
    let shown = "return document.querySelector('nav .alert') !== null";
    window.wait("what needs a person now", shown, json!([])).await;
    assert_eq!(bootstrap(&window).await["attention"], 1);
    assert_eq!(site.creates(), 0, "the window sends nothing");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_opens_its_page_in_the_language_of_the_window() {
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "lost", "失われた返事");
    let window = desktop.open(&[]).await;
    window.read(&said.get("first.language.title")).await;
    window.press(&said.get("first.next")).await;
    window.press(&said.get("first.site.practice")).await;
    open_folder(&window, &said, &articles).await;
    window.read("失われた返事").await;
    for switch in ["lose_next_answer", "hide_new_drafts"] {
        let on = window.invoke("set_switch", json!({ "switch": switch, "on": true })).await;
        on.expect("the practice site can be switched");
    }
    register(&window, &said, 1).await;
    window.read(&said.get("halt.outcome_unknown.name")).await;
    window.press(&said.get("nav.attention")).await;
    window.press(&said.get("page.open")).await;
    for part in ["何が起きたか", "安全のために", "できること", "--send-again"] {
        window.read(part).await;
    }
    window.picture("explained-ja").await;
    window.press(&said.get("page.back")).await;
    window.gone("安全のために").await;
    window.close().await;
}
