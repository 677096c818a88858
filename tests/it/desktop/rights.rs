//! What the page may do: nothing but ask what it was made to ask.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_may_ask_for_nothing_but_what_it_needs() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let window = desktop.open(&[]).await;
    window.read(&said.get("first.language.title")).await;

    for (command, args) in [
        ("plugin:window|close", json!({ "label": "main" })),
        (
            "plugin:webview|create_webview_window",
            json!({ "options": { "label": "x", "url": "https://example.com" } }),
        ),
        ("plugin:dialog|open", json!({ "options": {} })),
        ("plugin:path|resolve_directory", json!({ "directory": 1 })),
        ("plugin:event|emit", json!({ "event": "state", "payload": {} })),
        ("plugin:app|version", json!({})),
        ("plugin:fs|read_text_file", json!({ "path": "/etc/passwd" })),
        ("plugin:shell|open", json!({ "path": "https://example.com" })),
    ] {
        assert!(window.invoke(command, args).await.is_err(), "{command} was allowed");
    }
    // The page has no way to name a page itself, and what it names by number must be there.
    for target in [
        json!({ "kind": "folder", "articleId": 7 }),
        json!({ "kind": "edit", "opId": "no id" }),
        json!({ "kind": "releases" }),
        json!({ "kind": "profile", "siteId": "https://example.com" }),
    ] {
        assert!(window.invoke("open_link", json!({ "target": target })).await.is_err());
    }
    assert!(desktop.opened().is_empty());

    let evaluates = "try { return new Function('return 1')() === 1 } catch { return false }";
    assert_eq!(window.script(evaluates, json!([])).await, false, "text becomes no program");
    let styled = "const one = document.createElement('div');
        one.innerHTML = '<p style=\"color: rgb(1, 2, 3)\">x</p>';
        document.body.append(one);
        return getComputedStyle(one.firstChild).color;";
    assert_ne!(window.script(styled, json!([])).await, "rgb(1, 2, 3)", "text brings no style");
    window.script("location.href = 'https://example.com/'", json!([])).await;
    window.script("window.open('https://example.com/')", json!([])).await;
    assert_eq!(window.script("return location.host", json!([])).await, "localhost");
    window.read(&said.get("first.language.title")).await;
    window.close().await;
}
