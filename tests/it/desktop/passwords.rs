//! Passwords: in the keychain alone, or in memory alone; never in the window, a log or a file.

use ichido_tests::{Place, Site, Who};

use super::*;

/// Keeps everything that the program tells the window.
async fn overhear(window: &Driver) {
    let code = "window.heard = [];
        const handler = window.__TAURI_INTERNALS__.transformCallback((event) => window.heard.push(event));
        window.__TAURI_INTERNALS__.invoke('plugin:event|listen', { event: 'state', target: { kind: 'Any' }, handler });
        return true;";
    window.script(code, json!([])).await;
}

/// Everything that the program told the window, and all that it can be asked.
async fn told(window: &Driver) -> String {
    let mut told = window.script("return JSON.stringify(window.heard)", json!([])).await.to_string();
    for command in ["bootstrap", "attention"] {
        told.push_str(&window.invoke(command, json!({})).await.expect("it answers").to_string());
    }
    told.push_str(&window.script("return document.documentElement.outerHTML", json!([])).await.to_string());
    told.push_str(
        &window
            .script(
                "return [...document.querySelectorAll('input')].map((one) => one.value).join()",
                json!([]),
            )
            .await
            .to_string(),
    );
    told
}

fn kept(bootstrap: &Value) -> Value {
    let sites = bootstrap["sites"].as_array().expect("there are sites");
    sites
        .iter()
        .find(|site| site["practice"] == false)
        .map(|site| site["credentials"].clone())
        .unwrap_or_default()
}

async fn assert_nowhere(desktop: &Desktop, window: &Driver, password: &str) {
    let told = told(window).await;
    assert!(
        told.contains("\"type\":\"sites\"") || told.contains("\\\"type\\\":\\\"sites\\\""),
        "events were overheard"
    );
    assert!(!told.contains(password), "the window was told the password");
    assert!(!desktop.log().contains(password), "the password was logged");
    assert!(desktop.log().contains("ichido"), "the program logs");
    assert_eq!(desktop.files_with(password.as_bytes()), Vec::<std::path::PathBuf>::new());
    for process in desktop.running() {
        for file in ["environ", "cmdline"] {
            let text = std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
            assert!(!text.windows(password.len()).any(|window| window == password.as_bytes()), "{file}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_goes_by_the_keychain_and_nowhere_else() {
    let site = Site::start(Place::PracticeNew).await;
    let password = site.credentials(Who::Author).password;
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "kept", "Kept");
    let window = desktop.open(&[]).await;
    window.read(&said.get("first.language.title")).await;
    overhear(&window).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    assert_eq!(kept(&bootstrap(&window).await), "keychain");
    assert_nowhere(&desktop, &window, &password).await;
    window.close().await;
    until("the window is closed", async || desktop.running().is_empty()).await;

    let window = desktop.open(&[]).await;
    assert_eq!(kept(&bootstrap(&window).await), "keychain", "another start finds it");
    register(&window, &said, 1).await;
    window.read(&said.get("ending.created")).await;
    assert_eq!(site.posts().await.len(), 1);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_a_password_lives_as_long_as_the_window() {
    let site = Site::start(Place::PracticeNew).await;
    let password = site.credentials(Who::Author).password;
    let desktop = Desktop::new("en", Keychain::None);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    write(&articles, "session", "Session");
    let window = desktop.open(&[]).await;
    assert_eq!(bootstrap(&window).await["keychain"], "missing");
    window.read(&said.get("first.language.title")).await;
    overhear(&window).await;
    connect(&window, &said, &site).await;
    open_folder(&window, &said, &articles).await;
    assert_eq!(kept(&bootstrap(&window).await), "session");
    register(&window, &said, 1).await;
    window.read(&said.get("ending.created")).await;
    assert_nowhere(&desktop, &window, &password).await;
    window.close().await;
    until("the window is closed", async || desktop.running().is_empty()).await;

    let window = desktop.open(&[]).await;
    assert_eq!(kept(&bootstrap(&window).await), "missing");
    window.press(&said.get("nav.sites")).await;
    window.read(&said.get("sites.credentials.missing")).await;
    window.close().await;
}
