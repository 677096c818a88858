//! From nothing to drafts, with a lost answer on the way.

use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Place, Site};

use super::*;

const LOST: &str = "A lost answer";

/// Follows the link of the card, and returns what stands on the page.
async fn follow_drafts(desktop: &Desktop, window: &Driver, said: &Messages) -> (String, String) {
    window.press(&said.get("link.drafts")).await;
    until("a page is opened", async || !desktop.opened().is_empty()).await;
    let page = desktop.opened().remove(0);
    let answer = ichido_tests::http().get(&page).send().await.expect("the site answers");
    (page, answer.text().await.expect("the page is whole"))
}

async fn switch(window: &Driver, said: &Messages, key: &str, code: &str, on: bool) {
    window.press(&said.get("nav.sites")).await;
    window.switch(&said.get(key)).await;
    until("the practice site is switched", async || {
        let sites = bootstrap(window).await["sites"].clone();
        let practice =
            sites.as_array().and_then(|sites| sites.iter().find(|site| site["practice"] == true).cloned());
        practice.is_some_and(|practice| practice["switches"][code] == on)
    })
    .await;
}

async fn from_nothing_to_a_resolved_halt(language: &'static str) {
    let desktop = Desktop::new(language, Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "lost", LOST);
    let window = desktop.open(&[]).await;

    window.read(&said.get("first.language.title")).await;
    window.press(&said.get("first.next")).await;
    window.press(&said.get("first.site.practice")).await;
    open_folder(&window, &said, &articles).await;
    window.read(LOST).await;
    switch(&window, &said, "practice.loseNextAnswer", "loseNextAnswer", true).await;
    switch(&window, &said, "practice.hideNewDrafts", "hideNewDrafts", true).await;

    window.press(&said.get("nav.articles")).await;
    register(&window, &said, 1).await;
    window.read(&said.get("halt.outcome_unknown.name")).await;
    window.press(&said.get("nav.attention")).await;
    for key in
        ["halt.outcome_unknown.name", "answer.connection_lost", "look.above_mark", "look.slug", "act.leave"]
    {
        window.read(&said.get(key)).await;
    }
    window.picture(&format!("halted-{language}")).await;
    let (page, text) = follow_drafts(&desktop, &window, &said).await;
    assert!(
        page.starts_with("http://127.0.0.1:") && page.contains("/wp-admin/edit.php?post_status=draft"),
        "{page}"
    );
    assert!(text.contains(LOST), "a person sees the draft there: {text}");

    // Looking again while the draft is hidden settles nothing.
    window.press(&said.get("act.look")).await;
    window.read(&said.get("notice.looked")).await;
    assert_eq!(states(&window).await, ["halted"]);

    switch(&window, &said, "practice.hideNewDrafts", "hideNewDrafts", false).await;
    window.press(&said.get("nav.attention")).await;
    window.press(&said.get("act.look")).await;
    window.read(&said.get("attention.empty.title")).await;
    window.press(&said.get("nav.articles")).await;
    window.read(&said.get("ending.adopted")).await;
    let row = &rows(&window).await[0];
    assert_eq!((row["state"].as_str(), row["ending"].as_str()), (Some("done"), Some("adopted")), "{row}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_a_resolved_halt_in_japanese() {
    from_nothing_to_a_resolved_halt("ja").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_a_resolved_halt_in_english() {
    from_nothing_to_a_resolved_halt("en").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_a_resolved_halt_on_a_real_wordpress() {
    let site = Site::start(Place::RealNew).await;
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "lost", LOST);
    let window = desktop.open(&[]).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;

    // The one look inside the run asks twice: for what is new, and for the slug.
    let create = When::next(Kind::CreatePost);
    site.inject(create, Fault::HideFromLookups(2));
    site.inject(create, Fault::CommitThenDropResponse);
    register(&window, &said, 1).await;
    window.read(&said.get("halt.outcome_unknown.name")).await;
    window.press(&said.get("nav.attention")).await;
    window.read(LOST).await;
    let (page, _) = follow_drafts(&desktop, &window, &said).await;
    assert!(page.starts_with(&site.url()), "{page}");

    window.press(&said.get("act.look")).await;
    window.read(&said.get("attention.empty.title")).await;
    window.press(&said.get("nav.articles")).await;
    window.read(&said.get("ending.adopted")).await;
    let posts = site.posts().await;
    let ours: Vec<_> = posts.iter().filter(|post| post.slug == "lost").collect();
    assert_eq!((ours.len(), ours[0].status.as_str(), site.creates()), (1, "draft", 1), "{posts:?}");
    window.close().await;
}
