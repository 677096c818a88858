//! The site over HTTP, as a client meets it.

mod faults;
mod lists;
mod media;
mod pages;
mod posts;
mod terms;
mod users;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::{Clock, Handle, Options, PracticeSite};

const PASSWORD: &str = "abcd EFGH 1234 ijkl MNOP 5678";

/// A running site with every role and a clock that stands.
struct Bench {
    site: PracticeSite,
    handle: Handle,
    client: reqwest::Client,
}

/// An answer read whole.
#[derive(Debug)]
struct Got {
    status: u16,
    headers: reqwest::header::HeaderMap,
    text: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    fn header(&self, name: &str) -> String {
        self.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    fn id(&self) -> u64 {
        self.json()["id"].as_u64().unwrap()
    }

    fn ids(&self) -> Vec<u64> {
        self.json().as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect()
    }
}

fn start_of_time() -> DateTime<Utc> {
    "2026-01-15T03:00:00Z".parse().unwrap()
}

fn options() -> Options {
    Options { clock: Clock::manual(start_of_time()), ..Options::with_every_role(PASSWORD) }
}

async fn bench() -> Bench {
    bench_with(options()).await
}

async fn bench_with(options: Options) -> Bench {
    // Built into reqwest elsewhere in the workspace; the site itself speaks plain HTTP.
    drop(rustls::crypto::ring::default_provider().install_default());
    let site = PracticeSite::start(options).await.unwrap();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .build()
        .unwrap();
    let handle = site.handle();
    Bench { site, handle, client }
}

async fn read(request: reqwest::RequestBuilder) -> Result<Got, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Got { status, headers, text: response.text().await? })
}

impl Bench {
    fn request(&self, user: &str, method: reqwest::Method, route: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/wp-json/wp/v2/{route}", self.site.url());
        let request = self.client.request(method, url).header("accept", "application/json");
        if user.is_empty() { request } else { request.basic_auth(user, Some(PASSWORD)) }
    }

    async fn get(&self, user: &str, route: &str) -> Got {
        read(self.request(user, reqwest::Method::GET, route)).await.unwrap()
    }

    async fn delete(&self, user: &str, route: &str) -> Got {
        read(self.request(user, reqwest::Method::DELETE, route)).await.unwrap()
    }

    async fn post(&self, user: &str, route: &str, body: Value) -> Got {
        self.try_post(user, route, body).await.unwrap()
    }

    async fn try_post(&self, user: &str, route: &str, body: Value) -> Result<Got, reqwest::Error> {
        read(self.request(user, reqwest::Method::POST, route).json(&body)).await
    }

    /// Creates a draft and gives the answer.
    async fn draft(&self, user: &str, slug: &str) -> Got {
        let body = json!({ "status": "draft", "title": slug, "slug": slug, "content": "<p>x</p>" });
        let got = self.post(user, "posts", body).await;
        assert_eq!(got.status, 201, "{}", got.text);
        got
    }

    async fn page(&self, path: &str, language: &str) -> Got {
        let url = format!("{}{path}", self.site.url());
        read(self.client.get(url).header("accept-language", language)).await.unwrap()
    }
}

/// A picture of one pixel.
fn png() -> Vec<u8> {
    png_of(1, 1)
}

/// The head of a PNG of this size; nothing decodes it here.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}
