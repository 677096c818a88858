//! The real window, driven as a person would: on a display, a session bus and a keychain of the test's own.

mod closing;
pub(crate) mod driver;
mod first_start;
mod many;
mod meanwhile;
mod passwords;
mod rights;
mod screens;
mod second_start;
pub(crate) mod session;
mod shell;
mod stopping;
mod tray;

use std::path::Path;

use ichido_tests::{Site, Who};
use serde_json::{Value, json};

use driver::{Driver, until};
use session::{Desktop, Keychain, Messages};

/// Writes an article that stands alone.
fn write(folder: &Path, slug: &str, title: &str) {
    let folder = folder.join(slug);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let text = format!("---\ntitle: {title}\nslug: {slug}\nexcerpt: x\n---\n\nText of {title}.\n");
    std::fs::write(folder.join("index.md"), text).expect("a file can be written");
}

/// The rows of the list, as the window reads them.
async fn rows(window: &Driver) -> Vec<Value> {
    let page =
        window.invoke("articles", json!({ "offset": 0, "limit": 1000 })).await.expect("the list can be read");
    page["rows"].as_array().cloned().expect("a page has rows")
}

async fn states(window: &Driver) -> Vec<String> {
    rows(window).await.iter().map(|row| row["state"].as_str().unwrap_or_default().to_owned()).collect()
}

async fn bootstrap(window: &Driver) -> Value {
    window.invoke("bootstrap", json!({})).await.expect("the window can start")
}

/// Connects a site through the form, as a person does at the first start, up to the choice of the folder.
async fn connect(window: &Driver, said: &Messages, site: &Site) {
    let known = site.credentials(Who::Author);
    window.read(&said.get("first.language.title")).await;
    window.press(&said.get("first.next")).await;
    window.press(&said.get("first.site.real")).await;
    window.fill("input[inputmode=url]", &site.url()).await;
    window.fill("form input[type=text]:not([inputmode])", &known.login).await;
    window.fill("input[type=password]", &known.password).await;
    window.press(&said.get("addsite.go")).await;
    window.press(&said.get("first.next")).await;
}

/// Opens a folder through the field for its path, and goes on to the list.
async fn open_folder(window: &Driver, said: &Messages, folder: &Path) {
    window.fill("#first-path", folder.to_str().expect("a path of text")).await;
    window.press(&said.get("first.folder.open")).await;
    window.press(&said.get("first.dry.go")).await;
}

async fn register(window: &Driver, said: &Messages, count: usize) {
    let label = match count {
        1 => said.one("register.all"),
        _ => said.with("register.all", &[("count", &count.to_string())]),
    };
    window.press(&label).await;
    // More than one begin after some seconds in which it can be called off.
    if count > 1 {
        window.press(&said.get("countdown.now")).await;
    }
}
