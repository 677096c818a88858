//! An application password that a person approves on the site's own page, in a browser.
//!
//! From WordPress 7.0 on the page sends the new password to a listener on this computer (`http://127.0.0.1:PORT`); older
//! ones refuse such an address and show the password, to be pasted (`wp_is_authorize_application_redirect_url_valid`). A
//! scheme of our own would work everywhere, but the system would hand the password over as an argument, which other
//! programs can read.

use std::collections::HashMap;
use std::time::Duration;

use reqwest::{Method, Request};
use secrecy::SecretString;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::Url;
use uuid::Uuid;

use crate::address::{Query, RestRoot};
use crate::answer::error_code;
use crate::discover::Discovered;
use crate::errors::{AuthorizeError, DiscoverError};
use crate::json::{self, without_bom};
use crate::options::Options;
use crate::transport::{Bounds, Wire, exchange};

/// The id of this program towards WordPress, as it lists application passwords.
const APP_ID: &str = "7a0c5d0e-52f4-4c51-9d0f-1c1d0a6c3b11";
const NAME: &str = "Ichido";
/// The most bytes of a request to the listener.
const LONGEST_REQUEST: usize = 8 * 1024;
/// How long one connection may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long the last page is there for the browser to be led to.
const FAREWELL: Duration = Duration::from_secs(10);
/// A route that came with WordPress 7.0.
const SINCE_7_0: &str = "/wp/v2/icons";
/// Where the browser is led, so that the password is in no address that is shown.
const DONE: &str = "/done";

/// A person is asked to approve; an answer is waited for where the site gives one.
#[derive(Debug)]
pub struct Asking {
    page: String,
    listening: Option<Listening>,
}

#[derive(Debug)]
struct Listening {
    listener: TcpListener,
    host: String,
    /// Nobody else knows it.
    path: String,
    site: Url,
}

/// What a person approved.
#[derive(Debug)]
pub struct Granted {
    /// The user's name on the site.
    pub user: String,
    /// The new application password.
    pub password: SecretString,
}

/// Prepares to ask a person on the site's own page. Nobody is asked yet: [`Asking::page`] is to be opened.
///
/// # Errors
/// The site offers no application passwords, cannot be asked, or this computer has no port to listen on.
pub async fn authorize(discovered: &Discovered, options: &Options) -> Result<Asking, AuthorizeError> {
    let offered = discovered.application_passwords.as_deref().ok_or(AuthorizeError::NotOffered)?;
    let mut page = Url::parse(offered).map_err(|_| AuthorizeError::NotOffered)?;
    page.query_pairs_mut().append_pair("app_name", NAME).append_pair("app_id", APP_ID);
    let site = Url::parse(&discovered.site_url).map_err(|_| AuthorizeError::NotOffered)?;
    if !sends_back(discovered, options).await? {
        return Ok(Asking { page: page.into(), listening: None });
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(AuthorizeError::Listen)?;
    let host = listener.local_addr().map_err(AuthorizeError::Listen)?.to_string();
    let path = format!("/{}", Uuid::new_v4().simple());
    page.query_pairs_mut().append_pair("success_url", &format!("http://{host}{path}"));
    Ok(Asking { page: page.into(), listening: Some(Listening { listener, host, path, site }) })
}

/// Whether a site sends a password to a listener on this computer: WordPress 7.0 and later.
async fn sends_back(discovered: &Discovered, options: &Options) -> Result<bool, AuthorizeError> {
    let root = RestRoot::parse(&discovered.rest_root).map_err(|error| AuthorizeError::Ask(error.into()))?;
    let address = root.endpoint(SINCE_7_0, &Query::default().with("_fields", "name"));
    let wire =
        Wire::new(&address, options).map_err(|error| AuthorizeError::Ask(DiscoverError::Client(error)))?;
    let bounds =
        Bounds { timeouts: options.reading, answer_cap: options.answer_cap, error_cap: options.error_cap };
    let answer = exchange(&wire.reading, Request::new(Method::GET, address), Vec::new(), bounds)
        .await
        .map_err(|error| AuthorizeError::Ask(DiscoverError::Unreachable(error)))?;
    let json = answer.body.as_deref().ok().and_then(|body| json::read(without_bom(body)).ok());
    // It is only for those who are signed in; where it is not known at all, the site is older.
    let is_known = match (answer.status, error_code(json.as_ref())) {
        (200, _) => true,
        (401 | 403, Some(_)) => true,
        (_, _) => false,
    };
    Ok(is_known)
}

impl Asking {
    /// The page on which a person approves.
    #[must_use]
    pub fn page(&self) -> &str {
        &self.page
    }

    /// Whether the site sends the password here; else a person pastes it.
    #[must_use]
    pub const fn sends_back(&self) -> bool {
        self.listening.is_some()
    }

    /// Waits until a person has decided. Takes one answer; everything else that comes to the listener is turned away.
    /// Dropping the future ends the waiting.
    ///
    /// # Errors
    /// The person refused, the answer is for another site, or the site sends none.
    pub async fn granted(self) -> Result<Granted, AuthorizeError> {
        let Some(listening) = self.listening else { return Err(AuthorizeError::NotSentBack) };
        loop {
            let (mut stream, from) = listening.listener.accept().await.map_err(AuthorizeError::Listen)?;
            if !from.ip().is_loopback() {
                continue;
            }
            let told = tokio::time::timeout(PATIENCE, listening.serve(&mut stream)).await;
            if let Ok(Some(told)) = told {
                if told.is_ok() {
                    tokio::spawn(listening.farewell());
                }
                return told;
            }
        }
    }
}

impl Listening {
    /// Serves one connection; tells what was decided, if that is what came.
    async fn serve(&self, stream: &mut TcpStream) -> Option<Result<Granted, AuthorizeError>> {
        let target = read_target(stream, &self.host).await?;
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        if path != self.path {
            respond(stream, "404 Not Found", None, NOTHING).await;
            return None;
        }
        let told = self.read(query);
        match &told {
            Ok(_) => respond(stream, "303 See Other", Some(DONE), CONNECTED).await,
            Err(_) => respond(stream, "200 OK", None, REFUSED).await,
        }
        Some(told)
    }

    fn read(&self, query: &str) -> Result<Granted, AuthorizeError> {
        let mut given: HashMap<_, _> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let (Some(site), Some(user), Some(password)) =
            (given.remove("site_url"), given.remove("user_login"), given.remove("password"))
        else {
            return Err(AuthorizeError::Rejected);
        };
        let is_ours = Url::parse(&site).is_ok_and(|site| is_same_site(&site, &self.site));
        if !is_ours {
            return Err(AuthorizeError::OtherSite);
        }
        Ok(Granted { user, password: SecretString::from(password) })
    }

    /// Shows the browser that it is done, for a while.
    async fn farewell(self) {
        let serving = async {
            while let Ok((mut stream, _)) = self.listener.accept().await {
                let serving = async {
                    match read_target(&mut stream, &self.host).await.as_deref() {
                        Some(DONE) => respond(&mut stream, "200 OK", None, CONNECTED).await,
                        Some(_) => respond(&mut stream, "404 Not Found", None, NOTHING).await,
                        None => {}
                    }
                };
                let _in_time = tokio::time::timeout(PATIENCE, serving).await;
            }
        };
        let _in_time = tokio::time::timeout(FAREWELL, serving).await;
    }
}

/// The same host, port and path; behind a proxy a site often takes its own scheme for the other.
fn is_same_site(one: &Url, other: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    one.host() == other.host() && one.port() == other.port() && path(one) == path(other)
}

/// Reads the head of a request, and returns what it asks for; nothing unless it is a GET for this very listener.
async fn read_target(stream: &mut TcpStream, host: &str) -> Option<String> {
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        let read = stream.read(&mut part).await.ok()?;
        if read == 0 || head.len() + read > LONGEST_REQUEST {
            return None;
        }
        head.extend_from_slice(&part[..read]);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?, first.next()?);
    let hosts: Vec<&str> = lines
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim())
        .collect();
    // A page elsewhere can reach this port by a name of its own; then the name is another.
    (method == "GET" && hosts == [host]).then(|| target.to_owned())
}

const CONNECTED: &str = "一度につながりました。この画面を閉じて、一度に戻ってください。<br>Connected. Close this page and go back to Ichido.";
const REFUSED: &str = "つながりませんでした。一度に戻ってください。<br>Not connected. Go back to Ichido.";
const NOTHING: &str = "ここには何もありません。<br>There is nothing here.";

async fn respond(stream: &mut TcpStream, status: &str, to: Option<&str>, text: &str) {
    let body = format!(
        "<!doctype html><html lang=\"ja\"><meta charset=\"utf-8\"><title>Ichido</title><body style=\"font-family:sans-serif;margin:4em auto;max-width:30em\"><p>{text}</p></body></html>"
    );
    let location = to.map(|to| format!("Location: {to}\r\n")).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 {status}\r\n{location}Content-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    // A browser that went away needs no answer.
    if stream.write_all(answer.as_bytes()).await.is_ok() {
        let _gone = stream.shutdown().await;
    }
}

#[cfg(test)]
#[path = "authorize_tests.rs"]
mod tests;
