//! A small WebDriver client: what a person does with a window, and what they wait for.

use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

/// How long anything in the window may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a condition is looked at.
const EVERY: Duration = Duration::from_millis(25);

/// One driven window.
pub(crate) struct Driver {
    http: reqwest::Client,
    session: String,
}

impl Driver {
    /// Opens the window through a WebKitWebDriver that listens on this port.
    pub(crate) async fn open(port: u16, binary: &str, args: &[&str]) -> Driver {
        let options = json!({ "binary": binary, "args": args });
        Driver::of(port, json!({ "webkitgtk:browserOptions": options })).await
    }

    /// Opens what these capabilities describe, through a driver that listens on this port.
    pub(crate) async fn of(port: u16, capabilities: Value) -> Driver {
        let http = ichido_tests::http();
        let root = format!("http://127.0.0.1:{port}");
        until("the driver answers", async || {
            http.get(format!("{root}/status")).send().await.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let made = ask(&http, reqwest::Method::POST, &format!("{root}/session"), wanted).await;
        let made = made.expect("the window opens");
        let id = made["sessionId"].as_str().expect("a session has an id");
        Driver { session: format!("{root}/session/{id}"), http }
    }

    /// Goes to a page of a browser.
    pub(crate) async fn visit(&self, url: &str) {
        let wanted = json!({ "url": url });
        ask(&self.http, reqwest::Method::POST, &format!("{}/url", self.session), wanted)
            .await
            .unwrap_or_else(|error| panic!("{error}: {url}"));
    }

    /// Gives a browser a cookie for the site whose page it shows.
    pub(crate) async fn cookie(&self, name: &str, value: &str) {
        let wanted = json!({ "cookie": { "name": name, "value": value, "path": "/" } });
        ask(&self.http, reqwest::Method::POST, &format!("{}/cookie", self.session), wanted)
            .await
            .unwrap_or_else(|error| panic!("{error}: the cookie {name}"));
    }

    /// Runs a function body in the page that promises a value, and waits for it.
    pub(crate) async fn promise(&self, code: &str, args: Value) -> Value {
        let code = format!(
            "const tell = arguments[1];
            (async (given) => {{ {code} }})(arguments[0]).then(
                (value) => tell({{ value: value === undefined ? null : value }}),
                (error) => tell({{ error: String(error?.message ?? error) }}));"
        );
        let asked = json!({ "script": code, "args": [args] });
        let done =
            ask(&self.http, reqwest::Method::POST, &format!("{}/execute/async", self.session), asked).await;
        let mut done = done.unwrap_or_else(|error| panic!("{error}: {code}"));
        assert!(done.get("error").is_none(), "{}: {code}", done["error"]);
        done["value"].take()
    }

    /// Closes the session, and the window with it.
    pub(crate) async fn close(self) {
        drop(ask(&self.http, reqwest::Method::DELETE, &self.session, Value::Null).await);
    }

    /// Runs a function body in the page.
    pub(crate) async fn script(&self, code: &str, args: Value) -> Value {
        let asked = json!({ "script": code, "args": args });
        let done =
            ask(&self.http, reqwest::Method::POST, &format!("{}/execute/sync", self.session), asked).await;
        done.unwrap_or_else(|error| panic!("{error}: {code}"))
    }

    /// Asks the program what the window could ask it; the error is what the window would be told.
    pub(crate) async fn invoke(&self, command: &str, args: Value) -> Result<Value, Value> {
        let code = "const tell = arguments[2];
            window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1]).then(
                (value) => tell({ value: value === undefined ? null : value }),
                (error) => tell({ error }));";
        let asked = json!({ "script": code, "args": [command, args] });
        let done =
            ask(&self.http, reqwest::Method::POST, &format!("{}/execute/async", self.session), asked).await;
        let done = done.unwrap_or_else(|error| panic!("{error}: {command}"));
        if done.get("error").is_some() { Err(done["error"].clone()) } else { Ok(done["value"].clone()) }
    }

    /// Waits until a function body returns something that is true.
    pub(crate) async fn wait(&self, what: &str, code: &str, args: Value) -> Value {
        let began = Instant::now();
        loop {
            let value = self.script(code, args.clone()).await;
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            if began.elapsed() > PATIENCE {
                panic!("waited in vain for {what}; the window says:\n{}", self.text().await);
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Everything that can be read in the window.
    pub(crate) async fn text(&self) -> String {
        self.script("return document.body.innerText", json!([])).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a text can be read in the window.
    pub(crate) async fn read(&self, text: &str) {
        self.wait(text, "return document.body.innerText.includes(arguments[0])", json!([text])).await;
    }

    /// Waits until a text cannot be read any more.
    pub(crate) async fn gone(&self, text: &str) {
        self.wait(text, "return !document.body.innerText.includes(arguments[0])", json!([text])).await;
    }

    /// Waits for a button that begins with this text and can be pressed, and presses it.
    pub(crate) async fn press(&self, label: &str) {
        let code = "const button = [...document.querySelectorAll('button')].find((button) =>
                !button.disabled && (button.innerText.trim().startsWith(arguments[0])
                    || button.getAttribute('aria-label') === arguments[0] || button.title === arguments[0]));
            if (!button) return false;
            button.click();
            return true;";
        self.wait(&format!("the button {label:?}"), code, json!([label])).await;
    }

    /// Presses the last of several buttons that begin with this text: that of the dialogue on top.
    pub(crate) async fn press_last(&self, label: &str) {
        let code = "const button = [...document.querySelectorAll('button')]
                .filter((button) => !button.disabled && button.innerText.trim().startsWith(arguments[0])).pop();
            if (!button) return false;
            button.click();
            return true;";
        self.wait(&format!("the button {label:?}"), code, json!([label])).await;
    }

    /// Switches something on or off by its label.
    pub(crate) async fn switch(&self, label: &str) {
        let code = "const input = [...document.querySelectorAll('label')]
                .find((label) => label.innerText.includes(arguments[0]))?.querySelector('input');
            if (!input || input.disabled) return false;
            input.click();
            return true;";
        self.wait(&format!("the switch {label:?}"), code, json!([label])).await;
    }

    /// Types into the field that a selector finds, as keys are typed.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        self.wait(selector, "return document.querySelector(arguments[0]) !== null", json!([selector])).await;
        let find = json!({ "using": "css selector", "value": selector });
        let found = ask(&self.http, reqwest::Method::POST, &format!("{}/element", self.session), find).await;
        let found = found.expect("the field is there");
        let element = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let typing = format!("{}/element/{}/value", self.session, element.expect("an element has an id"));
        ask(&self.http, reqwest::Method::POST, &typing, json!({ "text": text }))
            .await
            .expect("the field takes text");
    }

    /// Presses a key in the list of articles.
    pub(crate) async fn key(&self, key: &str) {
        let code = "const grid = document.querySelector('[role=grid]');
            if (!grid) return false;
            grid.focus();
            grid.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }));
            return true;";
        self.wait(&format!("the list, for {key:?}"), code, json!([key])).await;
    }

    /// Keeps a picture of the window.
    pub(crate) async fn picture(&self, name: &str) {
        let shown =
            ask(&self.http, reqwest::Method::GET, &format!("{}/screenshot", self.session), Value::Null).await;
        let shown = shown.expect("the window can be pictured");
        let bytes =
            base64::engine::general_purpose::STANDARD.decode(shown.as_str().expect("a picture is text"));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/screenshots/real");
        std::fs::create_dir_all(folder).expect("a folder can be made");
        std::fs::write(format!("{folder}/{name}.png"), bytes.expect("a picture is base64"))
            .expect("it is written");
    }
}

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(EVERY).await;
    }
}

async fn ask(
    http: &reqwest::Client,
    method: reqwest::Method,
    url: &str,
    body: Value,
) -> Result<Value, String> {
    let mut request = http.request(method, url);
    if !body.is_null() {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    let answer = request.send().await.map_err(|error| error.to_string())?;
    let (good, text) =
        (answer.status().is_success(), answer.text().await.map_err(|error| error.to_string())?);
    let mut answer: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let value = answer["value"].take();
    if good { Ok(value) } else { Err(value["message"].as_str().unwrap_or("no message").to_owned()) }
}
