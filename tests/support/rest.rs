//! A bare REST client of the tests: what it sends is what the test says.

use std::sync::Once;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::site::Credentials;

/// An HTTP client that follows nothing, keeps no connection and asks no proxy of the system.
pub fn http() -> reqwest::Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .no_proxy()
        .build()
        .expect("a client can be built")
}

/// The REST API of a site as one user, or as nobody.
pub struct Rest {
    http: reqwest::Client,
    url: String,
    plain: bool,
    credentials: Option<Credentials>,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub body: Vec<u8>,
    /// The body as JSON; null if it is none.
    pub json: Value,
}

impl Reply {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The error code of WordPress; empty if there is none.
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or_default()
    }

    /// The id in the body.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn id(&self) -> u64 {
        self.json["id"]
            .as_u64()
            .unwrap_or_else(|| panic!("no id in the answer {}: {}", self.status, self.text()))
    }

    /// The total that a list tells.
    pub fn total(&self) -> Option<u64> {
        self.header("x-wp-total")?.parse().ok()
    }

    /// The ids of a list, in its order.
    pub fn ids(&self) -> Vec<u64> {
        self.json.as_array().into_iter().flatten().filter_map(|row| row["id"].as_u64()).collect()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Rest {
    pub(crate) fn new(url: String, plain: bool, credentials: Option<Credentials>) -> Rest {
        Rest { http: http(), url, plain, credentials }
    }

    /// Starts a request to a route such as `wp/v2/posts`, with a query.
    pub fn request(&self, method: Method, route: &str, query: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let mut url = if self.plain {
            url::Url::parse_with_params(
                &format!("{}/index.php", self.url),
                [("rest_route", format!("/{route}"))],
            )
        } else {
            url::Url::parse(&format!("{}/wp-json/{route}", self.url))
        }
        .expect("the site has an address");
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.http.request(method, url).header("Accept", "application/json");
        match &self.credentials {
            Some(user) => request.basic_auth(&user.login, Some(&user.password)),
            None => request,
        }
    }

    /// Sends a request and reads the answer.
    ///
    /// # Errors
    ///
    /// When no whole answer comes.
    pub async fn send(request: reqwest::RequestBuilder) -> Result<Reply, reqwest::Error> {
        let answer = request.send().await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body = answer.bytes().await?.to_vec();
        let json = serde_json::from_slice(&body).unwrap_or_default();
        Ok(Reply { status, headers, body, json })
    }

    /// Reads.
    ///
    /// # Panics
    ///
    /// Like all the following, when no whole answer comes.
    pub async fn get(&self, route: &str, query: &[(&str, &str)]) -> Reply {
        Rest::send(self.request(Method::GET, route, query)).await.expect("an answer comes")
    }

    /// Sends JSON.
    pub async fn post(&self, route: &str, body: Value) -> Reply {
        Rest::send(self.json(route, body)).await.expect("an answer comes")
    }

    /// A POST with JSON, not sent yet.
    pub fn json(&self, route: &str, body: Value) -> reqwest::RequestBuilder {
        self.request(Method::POST, route, &[])
            .header("Content-Type", "application/json")
            .body(body.to_string())
    }

    /// Deletes.
    pub async fn delete(&self, route: &str, query: &[(&str, &str)]) -> Reply {
        Rest::send(self.request(Method::DELETE, route, query)).await.expect("an answer comes")
    }

    /// Asks what may be done.
    pub async fn options(&self, route: &str) -> Reply {
        Rest::send(self.request(Method::OPTIONS, route, &[])).await.expect("an answer comes")
    }

    /// An upload as a multipart form, not sent yet. The file's part is called `file`.
    pub fn form(
        &self,
        name: &str,
        kind: &str,
        bytes: &[u8],
        fields: &[(&str, &str)],
    ) -> reqwest::RequestBuilder {
        let file = reqwest::multipart::Part::bytes(bytes.to_vec())
            .file_name(name.to_owned())
            .mime_str(kind)
            .expect("the type is one");
        let mut form = reqwest::multipart::Form::new();
        for (field, value) in fields {
            form = form.text((*field).to_owned(), (*value).to_owned());
        }
        self.request(Method::POST, "wp/v2/media", &[]).multipart(form.part("file", file))
    }

    /// Uploads as a multipart form.
    pub async fn upload(&self, name: &str, kind: &str, bytes: &[u8], fields: &[(&str, &str)]) -> Reply {
        Rest::send(self.form(name, kind, bytes, fields)).await.expect("an answer comes")
    }
}
