//! Finding the REST interface of a site from the address that a person typed.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use reqwest::{Method, Request};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::address::{Query, RestRoot, web_address};
use crate::answer::error_code;
use crate::errors::{AddressError, AskError, DiscoverError};
use crate::json::{self, without_bom};
use crate::options::Options;
use crate::read::refusal;
use crate::text;
use crate::transport::{Answer, Bounds, Wire, exchange};

/// A WordPress, as its REST index describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// The canonical address of the site, without a slash at its end: the site's identity. On the host and port that
    /// were asked.
    pub home: String,
    /// Where WordPress itself is, without a slash at its end: the base of `wp-admin`.
    pub site_url: String,
    /// The root of the REST interface, to be given to [`Client::new`](crate::Client::new).
    pub rest_root: String,
    /// The name of the site.
    pub name: String,
    /// The name of its time zone; empty where only an offset is set.
    pub timezone: String,
    /// Its offset from UTC in seconds.
    pub gmt_offset_s: i32,
    /// The namespaces of its REST interface.
    pub namespaces: Vec<String>,
    /// Where a person approves an application password, on the origin that was asked; `None` where the site does not
    /// offer them there.
    pub application_passwords: Option<String>,
}

/// Finds the WordPress at an address.
///
/// Asks the page for its `Link` header, then `/wp-json/`, `/?rest_route=/` and `/index.php/wp-json/`.
/// Never leaves the host that was named: an address that leads elsewhere, and a site that calls itself by an
/// address elsewhere, are errors that tell the other address. No credentials are sent.
///
/// # Errors
/// Returns what kept the site from being found.
pub async fn discover(address: &str, options: &Options) -> Result<Discovered, DiscoverError> {
    let page = page_address(address)?;
    let wire = Wire::new(&page, options).map_err(DiscoverError::Client)?;
    let mut search = Search { wire, options, page, linked: None, rest_off: None, last: 0 };
    search.read_link().await?;
    for root in search.candidates() {
        if let Some(discovered) = search.try_root(root).await? {
            return Ok(discovered);
        }
    }
    Err(search.nothing())
}

struct Search<'a> {
    wire: Wire,
    options: &'a Options,
    page: Url,
    /// The REST root that the page names.
    linked: Option<Url>,
    /// The status and code with which a REST interface turned us away.
    rest_off: Option<(u16, Option<String>)>,
    last: u16,
}

impl Search<'_> {
    async fn read_link(&mut self) -> Result<(), DiscoverError> {
        let head = self.exchange(Method::HEAD, self.page.clone()).await?;
        // Some servers and firewalls do not like HEAD, and an error says more with its body.
        let answer = if head.status >= 400 { self.ask(Method::GET, self.page.clone()).await? } else { head };
        if let Some(to) = self.leads_elsewhere(&answer, &self.page) {
            return Err(DiscoverError::Redirected { to });
        }
        let link =
            answer.headers.get_all("link").iter().filter_map(|value| value.to_str().ok()).find_map(rest_link);
        self.linked =
            link.and_then(|link| self.page.join(&link).ok()).and_then(|link| self.at_our_origin(link));
        Ok(())
    }

    /// Takes a root on the host that was named, over the scheme that was named: sites behind a proxy
    /// often name the other. Roots elsewhere are not ours to ask.
    fn at_our_origin(&self, mut link: Url) -> Option<Url> {
        if link.host() != self.page.host() || link.port() != self.page.port() {
            return None;
        }
        link.set_scheme(self.page.scheme()).ok()?;
        Some(link)
    }

    fn candidates(&self) -> Vec<Url> {
        let mut roots: Vec<Url> = self.linked.iter().cloned().collect();
        let mut top = self.page.clone();
        top.set_path("/");
        for base in [&self.page, &top] {
            for root in ["wp-json/", "?rest_route=/", "index.php/wp-json/", "index.php?rest_route=/"] {
                roots.extend(base.join(root));
            }
        }
        let mut known = HashSet::new();
        roots.retain(|root| known.insert(root.clone()));
        roots
    }

    async fn try_root(&mut self, address: Url) -> Result<Option<Discovered>, DiscoverError> {
        let Ok(root) = RestRoot::parse(address.as_str()) else { return Ok(None) };
        let query = Query::default().with("_fields", INDEX_FIELDS);
        let answer = self.ask(Method::GET, root.endpoint("/", &query)).await?;
        self.last = answer.status;
        let json = answer.body.as_deref().ok().and_then(|body| json::read::<Value>(without_bom(body)).ok());
        if answer.status == 200 {
            return json.and_then(|json| described(json, &address, &self.page)).transpose();
        }
        let code = error_code(json.as_ref());
        let turned_away = matches!(answer.status, 401 | 403 | 404)
            && (code.is_some() || self.linked.as_ref() == Some(&address));
        if turned_away && self.rest_off.is_none() {
            self.rest_off = Some((answer.status, code));
        }
        Ok(None)
    }

    async fn ask(&self, method: Method, address: Url) -> Result<Answer, DiscoverError> {
        let answer = self.exchange(method, address.clone()).await?;
        if let AskError::AskedToWait { after_s, maintenance } = refusal(&answer) {
            return Err(DiscoverError::AskedToWait { after_s, maintenance });
        }
        match self.leads_elsewhere(&answer, &address) {
            Some(to) => Err(DiscoverError::Redirected { to }),
            None => Ok(answer),
        }
    }

    async fn exchange(&self, method: Method, address: Url) -> Result<Answer, DiscoverError> {
        let bounds = Bounds {
            timeouts: self.options.reading,
            answer_cap: self.options.answer_cap,
            error_cap: self.options.error_cap,
        };
        let request = Request::new(method, address);
        exchange(&self.wire.reading, request, Vec::new(), bounds).await.map_err(DiscoverError::Unreachable)
    }

    /// Returns where a redirect leads if that is another host or scheme. Within the site it is passed
    /// over: pages often lead to a language or to a form with a slash.
    fn leads_elsewhere(&self, answer: &Answer, from: &Url) -> Option<String> {
        if !(300..=399).contains(&answer.status) {
            return None;
        }
        let mut to = from.join(answer.header("location")?).ok()?;
        if to.origin() == self.page.origin() || !matches!(to.scheme(), "http" | "https") {
            return None;
        }
        let _ = (to.set_username(""), to.set_password(None));
        to.set_query(None);
        to.set_fragment(None);
        let site = site_path(to.path());
        to.set_path(&site);
        Some(text::shortened(to.as_str(), LONGEST_TEXT))
    }

    fn nothing(self) -> DiscoverError {
        match (self.rest_off, self.linked) {
            (Some((status, code)), _) => DiscoverError::RestOff { status, code },
            // The page says that it is a WordPress.
            (None, Some(_)) => DiscoverError::RestOff { status: self.last, code: None },
            (None, None) => DiscoverError::NotWordPress { status: self.last },
        }
    }
}

/// The fields of the index that are wanted; the whole of it lists every route.
const INDEX_FIELDS: &str = "name,url,home,gmt_offset,timezone_string,namespaces,authentication";
const LONGEST_TEXT: usize = 300;
const MOST_NAMESPACES: usize = 500;

/// Reads the index of a WordPress that was found at a root; nothing if it is none.
pub(crate) fn described(json: Value, root: &Url, page: &Url) -> Option<Result<Discovered, DiscoverError>> {
    let index = Index::deserialize(json).ok().filter(Index::is_wordpress)?;
    Some(index.into_discovered(root, page))
}

#[derive(Deserialize)]
struct Index {
    name: Option<String>,
    url: Option<String>,
    home: Option<String>,
    gmt_offset: Option<Value>,
    timezone_string: Option<String>,
    namespaces: Vec<String>,
    authentication: Option<Value>,
}

impl Index {
    fn is_wordpress(&self) -> bool {
        self.namespaces.iter().any(|namespace| namespace == "wp/v2")
    }

    /// # Errors
    /// A site that calls itself by an address elsewhere: its records and its password are kept under that
    /// address, so only the site there may take it.
    fn into_discovered(self, root: &Url, page: &Url) -> Result<Discovered, DiscoverError> {
        let plain = |address: &Url| text::shortened(address.as_str().trim_end_matches('/'), LONGEST_TEXT);
        let mut home = own_address(self.home.as_ref()).unwrap_or_else(|| without_query(page));
        if !is_at(&home, root) {
            return Err(DiscoverError::Redirected { to: plain(&home) });
        }
        // Behind a proxy a site often takes its own scheme for the other. It answers over this one.
        if home.set_scheme(page.scheme()).is_err() {
            home = without_query(page);
        }
        let site_url = own_address(self.url.as_ref().or(self.home.as_ref()));
        let authorization = self.authentication.as_ref().and_then(|authentication| {
            authentication.pointer("/application-passwords/endpoints/authorization").and_then(Value::as_str)
        });
        Ok(Discovered {
            site_url: plain(&site_url.unwrap_or_else(|| without_query(page))),
            home: plain(&home),
            rest_root: root.to_string(),
            name: text::shortened(&text::without_entities(&self.name.unwrap_or_default()), LONGEST_TEXT),
            timezone: text::shortened(&self.timezone_string.unwrap_or_default(), LONGEST_TEXT),
            gmt_offset_s: self.gmt_offset.as_ref().map_or(0, offset_s),
            namespaces: self
                .namespaces
                .iter()
                .take(MOST_NAMESPACES)
                .map(|name| text::shortened(name, LONGEST_TEXT))
                .collect(),
            // A password that is approved there is sent here: it must be the same site.
            application_passwords: authorization
                .filter(|address| web_address(address).is_ok_and(|url| url.origin() == page.origin()))
                .map(|address| text::shortened(address, LONGEST_TEXT)),
        })
    }
}

/// Reads an address by which a site calls itself.
fn own_address(address: Option<&String>) -> Option<Url> {
    let url = Url::parse(address?).ok()?;
    let plain =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    plain.then(|| without_query(&url))
}

fn without_query(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// Tells whether a REST root lies on the host and port of a site, at or below its path.
fn is_at(home: &Url, root: &Url) -> bool {
    let parts = |url: &Url| -> Vec<String> {
        let parts = url.path().split('/').filter(|part| !part.is_empty());
        parts.map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned()).collect()
    };
    home.host() == root.host() && home.port() == root.port() && parts(root).starts_with(&parts(home))
}

/// Reads an offset in hours, which is written as a number or as a text.
fn offset_s(hours: &Value) -> i32 {
    let hours = hours.as_f64().or_else(|| hours.as_str()?.trim().parse().ok()).unwrap_or(0.0);
    // An offset is at most 14 hours; the conversion saturates for anything else.
    (hours.clamp(-24.0, 24.0) * 3600.0).round() as i32
}

/// Reads the address of a page that a person typed: with or without a scheme, perhaps copied from the
/// administration.
fn page_address(address: &str) -> Result<Url, AddressError> {
    let address = address.trim();
    let mut url = if address.contains("://") {
        web_address(address)?
    } else {
        let encrypted = web_address(&format!("https://{address}"))?;
        // On this computer nothing is encrypted.
        web_address(&format!("http://{address}")).unwrap_or(encrypted)
    };
    url.set_query(None);
    url.set_fragment(None);
    let path = site_path(url.path());
    url.set_path(&path);
    Ok(url)
}

/// Cuts a path down to that of the site.
fn site_path(path: &str) -> String {
    let mut path = path;
    for inner in ["/wp-admin", "/wp-login.php", "/wp-json", "/index.php"] {
        path = path.split_once(inner).map_or(path, |(before, _)| before);
    }
    format!("{}/", path.trim_end_matches('/'))
}

/// Finds the REST root in a `Link` header.
fn rest_link(header: &str) -> Option<String> {
    header.split(',').find_map(|link| {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_rest = parameters.split(';').any(|parameter| {
            parameter
                .trim()
                .strip_prefix("rel=")
                .is_some_and(|rel| rel.trim_matches('"') == "https://api.w.org/")
        });
        is_rest.then(|| target.to_owned())
    })
}

#[cfg(test)]
#[path = "discover_tests.rs"]
mod tests;
