//! The pages behind the links: what stands on the site, and the switches for its faults.

mod html;
mod views;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Form;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Response, header};

use crate::answer::Answer;
use crate::faults::{Fault, When};
use crate::media;
use crate::options::{Language, Permalinks};
use crate::router::Shared;
use crate::wire::Delivery;

type Wishes = Query<HashMap<String, String>>;

/// What pages may load and who may frame them.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The first language of the browser's list that the pages speak, else the site's.
fn language(headers: &HeaderMap, site: Language) -> Language {
    let wished =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for tag in wished.split(',') {
        let tag = tag.trim().to_ascii_lowercase();
        if tag.starts_with("ja") {
            return Language::Japanese;
        }
        if tag.starts_with("en") {
            return Language::English;
        }
    }
    site
}

fn safe(answer: Answer) -> Answer {
    answer
        .with("content-security-policy", POLICY)
        .with("x-content-type-options", "nosniff")
        .with("referrer-policy", "same-origin")
        .with("cache-control", "no-store")
}

async fn shown(page: Option<String>, missing: impl FnOnce() -> String) -> Response<Body> {
    let answer = match page {
        Some(page) => Answer::html(200, page),
        None => Answer::html(404, missing()),
    };
    Delivery::Whole(safe(answer)).respond().await
}

/// The style of all pages.
pub(crate) async fn style() -> Response<Body> {
    let mut answer = safe(Answer::html(200, html::STYLE));
    answer.headers.retain(|(name, _)| *name != "content-type");
    Delivery::Whole(answer.with("content-type", "text/css; charset=utf-8")).respond().await
}

/// The list of posts, by status and words.
pub(crate) async fn posts(
    State(shared): State<Arc<Shared>>,
    Query(wishes): Wishes,
    headers: HeaderMap,
) -> Response<Body> {
    let page = {
        let site = shared.site();
        let language = language(&headers, site.language);
        let wish = |name: &str| wishes.get(name).map(String::as_str).unwrap_or_default();
        views::posts(&site, language, wish("post_status"), wish("s"))
    };
    shown(Some(page), String::new).await
}

/// The media library.
pub(crate) async fn library(
    State(shared): State<Arc<Shared>>,
    Query(wishes): Wishes,
    headers: HeaderMap,
) -> Response<Body> {
    let page = {
        let site = shared.site();
        let wish = |name: &str| wishes.get(name).map(String::as_str).unwrap_or_default();
        let item = wish("item").parse().ok();
        views::library(
            &site,
            language(&headers, site.language),
            wish(if wish("search").is_empty() { "s" } else { "search" }),
            item,
        )
    };
    shown(Some(page), String::new).await
}

/// The edit page of a post or media item.
pub(crate) async fn post(
    State(shared): State<Arc<Shared>>,
    Query(wishes): Wishes,
    headers: HeaderMap,
) -> Response<Body> {
    let id = wishes.get("post").and_then(|id| id.parse().ok()).unwrap_or(0);
    let (page, missing) = {
        let site = shared.site();
        let language = language(&headers, site.language);
        (
            views::post(&site, language, id).or_else(|| views::item(&site, language, id)),
            views::missing(language),
        )
    };
    shown(page, || missing).await
}

/// The front: overview, previews, published posts, uploaded files.
pub(crate) async fn front(shared: &Shared, parts: &Parts) -> Response<Body> {
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    let path = parts.uri.path();
    let query: HashMap<String, String> =
        url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let answer = {
        let site = shared.site();
        let language = language(&parts.headers, site.language);
        let number = |name: &str| query.get(name).and_then(|id| id.parse::<u64>().ok());
        let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
        if let Some((mime, bytes)) = media::served(&site, &decoded).filter(|_| reads) {
            let mut answer = safe(Answer::html(200, ""));
            answer.headers.retain(|(name, _)| *name != "content-type");
            answer.body = bytes.to_vec();
            answer.with("content-type", mime)
        } else if !reads {
            safe(Answer::html(405, views::missing(language)))
        } else {
            let id = number("p").or_else(|| number("attachment_id"));
            let page = match (path, id) {
                ("/" | "/index.php", Some(id)) => {
                    views::post(&site, language, id).or_else(|| views::item(&site, language, id))
                }
                ("/" | "/index.php", None) => Some(views::overview(&site, language)),
                _ => views::by_slug(&site, language, path.trim_matches('/')),
            };
            let answer = match page {
                Some(page) => Answer::html(200, page),
                None => Answer::html(404, views::missing(language)),
            };
            let root = match site.permalinks {
                Permalinks::Pretty => format!("{}/wp-json/", site.url),
                Permalinks::Plain => format!("{}/index.php?rest_route=/", site.url),
            };
            safe(answer).with("link", format!("<{root}>; rel=\"https://api.w.org/\""))
        }
    };
    Delivery::Whole(answer).respond().await
}

/// A switch on the overview. Only the overview itself may press it, whatever pages elsewhere try.
pub(crate) async fn switch(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Response<Body> {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if host.is_empty() || origin != format!("http://{host}") {
        return Delivery::Whole(safe(Answer::html(403, "<!doctype html><title>403</title><p>403</p>")))
            .respond()
            .await;
    }
    {
        let mut site = shared.site();
        match form.get("act").map(String::as_str) {
            Some("lose") => push(&mut site, Fault::CommitThenDropResponse),
            Some("broken") => push(&mut site, Fault::CommitThenStatus(502)),
            Some("hide") => site.hide_new_drafts = true,
            Some("unhide") => site.hide_new_drafts = false,
            Some("show") => site.show_hidden(),
            Some("clear") => {
                site.faults.clear();
                site.hide_new_drafts = false;
                site.show_hidden();
            }
            Some(_) | None => {}
        }
    }
    Delivery::Whole(safe(Answer::html(303, "")).with("location", "/")).respond().await
}

/// The most faults that wait because somebody pressed a switch.
const MOST_WAITING: usize = 20;

/// Lets a fault wait for the next draft or image, whichever comes first.
fn push(site: &mut crate::site::Site, fault: Fault) {
    if site.faults.waiting().len() < MOST_WAITING {
        site.faults.push(When::creating(), fault);
    }
}
