//! What is beside registering: the preview, skipping, the history, the settings.

use std::net::TcpListener;

use super::*;

/// A picture of one dot.
const DOT: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0,
    1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0x60,
    0x60, 0x60, 0xf8, 0x0f, 0, 1, 4, 1, 0, 0x5f, 0xe5, 0xc3, 0x4b, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];

async fn started(desktop: &Desktop, said: &Messages) -> Driver {
    let articles = desktop.home().join("articles");
    let window = desktop.open(&[]).await;
    window.press(&said.get("first.next")).await;
    window.press(&said.get("first.site.practice")).await;
    open_folder(&window, said, &articles).await;
    window
}

async fn state(window: &Driver, title: &str) -> String {
    let rows = rows(window).await;
    let row = rows.iter().find(|row| row["title"] == title).expect("the article is listed");
    row["state"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_article_is_shown_and_does_nothing() {
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let elsewhere = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    elsewhere.set_nonblocking(true).expect("it need not wait");
    let address = format!("http://{}", elsewhere.local_addr().expect("it has an address"));
    let folder = desktop.home().join("articles/hostile");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("dot.png"), DOT).expect("a file can be written");
    let text = format!(
        "---\ntitle: 悪意の記事\nslug: hostile\n---\n\n## 見出しです\n\n![点](dot.png)\n\n\
        <script>top.hit = 1</script><img src=dot.png onerror=\"top.hit = 1\"><img src=\"{address}/a.png\">\n\n\
        <iframe src=\"{address}/f\"></iframe><style>@import \"{address}/s.css\";</style>\n\n\
        <svg onload=\"top.hit = 1\"></svg><meta http-equiv=refresh content=\"0;url={address}/m\">\n\nここまで読めます。\n"
    );
    std::fs::write(folder.join("index.md"), text).expect("a file can be written");
    let window = started(&desktop, &said).await;
    window.read("悪意の記事").await;
    window.key("ArrowDown").await;
    let source = window
        .wait("the preview", "return document.querySelector('aside iframe')?.srcdoc || false", json!([]))
        .await;
    let source = source.as_str().expect("it is text");
    assert!(source.contains("見出しです</h2>") && source.contains("ここまで読めます"), "{source}");
    assert!(source.contains("src=\"data:image/png;base64,"), "the article's own picture is shown: {source}");
    let body = source.split("<body>").nth(1).expect("it has a body");
    for word in ["script", "iframe", "onerror", "svg", "meta", address.as_str()] {
        assert!(!body.contains(word), "{word}: {body}");
    }
    assert_eq!(
        window
            .script("return document.querySelector('aside iframe').getAttribute('sandbox')", json!([]))
            .await,
        json!("")
    );
    window.key(" ").await;
    let loaded = "return document.querySelector('dialog[open] iframe')?.srcdoc.includes('ここまで') || false";
    window.wait("the large preview", loaded, json!([])).await;
    window.picture("preview-ja").await;
    assert_eq!(window.script("return window.hit ?? null", json!([])).await, Value::Null, "nothing ran");
    assert!(elsewhere.accept().is_err(), "nothing was asked for");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skipped_article_is_not_registered_until_it_is_taken_up() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    for (slug, title) in [("one", "First one"), ("two", "Second one"), ("three", "Third one")] {
        write(&desktop.home().join("articles"), slug, title);
    }
    let window = started(&desktop, &said).await;
    let skipped = rows(&window).await[0]["title"].as_str().expect("a title").to_owned();
    window.read(&skipped).await;
    window.key("ArrowDown").await;
    window.key("s").await;
    until("it is skipped", async || state(&window, &skipped).await == "skipped").await;
    window.read(&said.get("about.set_aside")).await;
    register(&window, &said, 2).await;
    window.read(&said.get("ending.created")).await;
    until("the others are registered", async || {
        states(&window).await.iter().filter(|state| *state == "done").count() == 2
    })
    .await;
    assert_eq!(state(&window, &skipped).await, "skipped");
    until("the batch is over", async || bootstrap(&window).await["batch"].is_null()).await;

    // It can be taken up again, and is what it was.
    window.press(&said.get("aside.up")).await;
    until("it is ready", async || state(&window, &skipped).await == "ready").await;
    register(&window, &said, 1).await;
    until("it is registered", async || state(&window, &skipped).await == "done").await;

    // The history tells of it, in words.
    window.press(&said.get("nav.history")).await;
    window.read(&said.get("history.code.created")).await;
    let page = json!({ "about": "drafts", "text": "First", "offset": 0, "limit": 10 });
    let page = window.invoke("history", page).await.expect("the history can be read");
    assert_eq!(
        (page["total"].as_u64(), page["lines"][0]["name"].as_str()),
        (Some(1), Some("First one")),
        "{page}"
    );
    let told = window.invoke("diagnosis", json!({})).await.expect("a diagnosis can be made");
    let told = told.as_str().expect("it is text");
    assert!(
        told.contains("\"created\"") && !told.contains("First one") && !told.contains("127.0.0.1"),
        "{told}"
    );
    window.picture("history-en").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_kept_and_articles_are_checked_by_them_at_once() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    write(&desktop.home().join("articles"), "one", "An absolute certainty");
    let window = started(&desktop, &said).await;
    until("it is ready", async || states(&window).await == ["ready"]).await;
    window.press(&said.get("nav.settings")).await;
    let field =
        "const label = [...document.querySelectorAll('label')].find((one) => one.innerText === arguments[0]);
        if (!label) return false;
        const input = document.getElementById(label.htmlFor);
        input.value = arguments[1];
        input.dispatchEvent(new Event('change', { bubbles: true }));
        return true;";
    window.wait("the field", field, json!([said.get("settings.forbidden"), "certainty"])).await;
    let warned = async || {
        rows(&window).await[0]["warnings"].as_u64() > Some(0)
            || rows(&window).await[0]["errors"].as_u64() > Some(0)
    };
    until("the article is checked anew", warned).await;
    let kept = async || bootstrap(&window).await["settings"]["forbiddenWords"] == "certainty";
    until("it is kept", kept).await;
    window.close().await;
    let window = desktop.open(&[]).await;
    until("it was remembered", async || {
        bootstrap(&window).await["settings"]["forbiddenWords"] == "certainty"
    })
    .await;
    window.close().await;
}
