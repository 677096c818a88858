//! A site is connected in the browser: its own page asks a person who is signed in there, in a real browser.

use ichido_tests::{Desk, Place, Site, Who};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::desktop::driver::until;
use crate::desktop::session::{Desktop, Keychain};
use crate::editor::browser::Browser;

const SHOWN: &str = "return document.querySelector('#approve') !== null";
const APPROVE: &str = "document.querySelector('#approve').click()";
const REJECT: &str = "document.querySelector('#reject').click()";

async fn decide(browser: &Browser, page: &str, press: &str) {
    browser.driver.visit(page).await;
    browser.driver.wait("the page that asks", SHOWN, json!([])).await;
    // The page's own script takes the press once everything has been loaded.
    browser.driver.wait("its scripts", "return document.readyState === 'complete'", json!([])).await;
    browser.driver.script(press, json!([])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_approves_comes_back_and_works_and_stands_in_no_address() {
    let site = Site::start(Place::RealNew).await;
    let (desk, real) = (Desk::at(&site).await, site.real().expect("a real site"));
    let asking = desk.engine().ask_in_browser(&site.url()).await.expect("the site can be asked");
    assert!(asking.sends_back(), "WordPress {} sends it back", real.version());
    let page = asking.page().to_owned();
    let waiting = tokio::spawn(asking.granted());
    let browser = Browser::signed_in(real, Who::Editor).await;
    decide(&browser, &page, APPROVE).await;
    let granted = waiting.await.expect("it waits").expect("it is granted");
    assert_eq!(granted.user, Who::Editor.login());
    until("the browser shows that it is done", async || {
        let shown = browser.driver.script("return [location.href, document.body.innerText]", json!([])).await;
        let (address, text) = (shown[0].as_str().unwrap_or_default(), shown[1].as_str().unwrap_or_default());
        assert!(
            !address.contains("127.0.0.1") || !text.contains("Connected") || !address.contains("password")
        );
        address.ends_with("/done") && text.contains("Connected")
    })
    .await;
    let known =
        ichido_wordpress::Credentials::new(&granted.user, &granted.password).expect("it can be carried");
    let (_, checkup) = desk.engine().welcome_site(&site.url(), known).await.expect("it works");
    assert!(checkup.is_sufficient(), "{checkup:?}");
    assert!(!format!("{granted:?}").contains(granted.password.expose_secret()));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_refuses_is_heard_too() {
    let site = Site::start(Place::RealNew).await;
    let (desk, real) = (Desk::at(&site).await, site.real().expect("a real site"));
    let asking = desk.engine().ask_in_browser(&site.url()).await.expect("the site can be asked");
    let page = asking.page().to_owned();
    let waiting = tokio::spawn(asking.granted());
    let browser = Browser::signed_in(real, Who::Author).await;
    decide(&browser, &page, REJECT).await;
    let told = waiting.await.expect("it waits");
    assert!(matches!(told, Err(ichido_wordpress::AuthorizeError::Rejected)), "{told:?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_site_shows_the_password_to_be_pasted() {
    let site = Site::start(Place::RealOld).await;
    let (desk, real) = (Desk::at(&site).await, site.real().expect("a real site"));
    let asking = desk.engine().ask_in_browser(&site.url()).await.expect("the site can be asked");
    assert!(!asking.sends_back() && !asking.page().contains("success_url"), "{}", asking.page());
    let browser = Browser::signed_in(real, Who::Author).await;
    decide(&browser, asking.page(), APPROVE).await;
    let shown = "return document.querySelector('#new-application-password-value')?.value ?? false";
    let password = browser.driver.wait("the password", shown, json!([])).await;
    assert!(password.as_str().is_some_and(|password| password.len() >= 24), "{password}");
    let told = asking.granted().await;
    assert!(matches!(told, Err(ichido_wordpress::AuthorizeError::NotSentBack)), "{told:?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_window_one_press_and_an_approval_are_all_it_takes() {
    let site = Site::start(Place::RealNew).await;
    let real = site.real().expect("a real site");
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let window = desktop.open(&[]).await;
    window.press(&said.get("first.next")).await;
    window.press(&said.get("first.site.real")).await;
    window.fill("input[inputmode=url]", &site.url()).await;
    window.press(&said.get("addsite.browser")).await;
    until("the page is opened", async || !desktop.opened().is_empty()).await;
    let [page] = desktop.opened().try_into().expect("one page");
    let browser = Browser::signed_in(real, Who::Author).await;
    decide(&browser, &page, APPROVE).await;
    window.press(&said.get("first.next")).await;
    let sites = window.invoke("bootstrap", json!({})).await.expect("it answers")["sites"].clone();
    assert_eq!(
        (&sites[0]["user"], &sites[0]["credentials"]),
        (&json!(Who::Author.login()), &json!("keychain"))
    );
    assert_eq!(
        window.script("return document.querySelector('input[type=password]')", json!([])).await,
        Value::Null
    );
    browser.close().await;
    window.close().await;
}
