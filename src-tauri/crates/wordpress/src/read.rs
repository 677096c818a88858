//! Reading requests: no redirects, no caches, repeated after failures that pass.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use ichido_core::outcome::NotSent;
use ichido_core::time::Timestamp;
use reqwest::Method;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::sleep;
use tracing::debug;
use uuid::Uuid;

use crate::address::Query;
use crate::answer::{error_code, is_maintenance};
use crate::client::Client;
use crate::errors::{AskError, TransportError};
use crate::ids;
use crate::json::{self, without_bom};
use crate::text;
use crate::transport::{Answer, Bounds};

/// The longest that a site may ask us to wait, in seconds.
const LONGEST_WAIT_S: u64 = 3600;
/// What is waited where a site asks for patience and does not say how long, in seconds.
const DEFAULT_WAIT_S: u64 = 30;
const LONGEST_ADDRESS: usize = 300;

/// An answer with the site's own time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered<T> {
    /// What was asked for.
    pub value: T,
    /// The site's clock, from the `Date` header of the last answer that this rests on.
    pub site_time: Option<Timestamp>,
}

impl<T> Answered<T> {
    /// Makes something else of the value.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Answered<U> {
        Answered { value: make(self.value), site_time: self.site_time }
    }
}

/// One answer to a reading request.
pub(crate) struct Got<T> {
    pub(crate) value: T,
    /// How many rows the site counts, for lists.
    pub(crate) total: Option<u64>,
    pub(crate) site_time: Option<Timestamp>,
    /// The length of the answer in bytes.
    pub(crate) length: usize,
}

/// Whether a look-up is repeated after a failure that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As often as the options say.
    Patient,
    /// Never.
    Once,
}

impl Client {
    /// Asks for a route, and again after failures that pass.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        route: &str,
        query: &Query,
    ) -> Result<Got<T>, AskError> {
        self.ask(Method::GET, route, query, Patience::Patient).await
    }

    /// Asks for a route by a method that changes nothing.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        route: &str,
        query: &Query,
        patience: Patience,
    ) -> Result<Got<T>, AskError> {
        let mut hurried = self.hurried.subscribe();
        // What is asked after the run was told to end is asked once, and not cut short by what was said before.
        let in_a_hurry = *hurried.borrow();
        let patient = patience == Patience::Patient && !in_a_hurry;
        let mut waits = self.options.back_off.iter().filter(|_| patient);
        loop {
            let answer = tokio::select! {
                biased;
                answer = self.ask_once(&method, route, query) => answer,
                _ = hurried.wait_for(|hurried| *hurried), if !in_a_hurry => return Err(AskError::BrokenOff),
            };
            match (answer, waits.next()) {
                (Err(error), Some(wait)) if passes(&error) => {
                    debug!(route, ?error, "asking again");
                    let more = if self.options.jitter { jitter(*wait) } else { Duration::ZERO };
                    let wait = wait.saturating_add(more);
                    self.waits.send_replace(Some(wait));
                    tokio::select! {
                        () = sleep(wait) => {}
                        _ = hurried.wait_for(|hurried| *hurried), if !in_a_hurry => return Err(error),
                    }
                }
                (result, _) => return result,
            }
        }
    }

    async fn ask_once<T: DeserializeOwned>(
        &self,
        method: &Method,
        route: &str,
        query: &Query,
    ) -> Result<Got<T>, AskError> {
        // No row has this id: it changes nothing but the address, which no cache has seen.
        let query = query.clone().with("exclude", &unused_id().to_string());
        let request = self
            .wire
            .reading
            .request(method.clone(), self.root.endpoint(route, &query))
            .basic_auth(self.credentials.user(), Some(self.credentials.password()))
            .build()
            .map_err(|source| TransportError::NotSent {
                stage: NotSent::NotPrepared,
                source: source.without_url(),
            })?;
        let bounds = Bounds {
            timeouts: self.options.reading,
            answer_cap: self.options.answer_cap,
            error_cap: self.options.error_cap,
        };
        let answer = self.exchange(&self.wire.reading, request, Vec::new(), bounds).await?;
        self.judge(answer)
    }

    fn judge<T: DeserializeOwned>(&self, answer: Answer) -> Result<Got<T>, AskError> {
        if answered_by_cache(&answer) {
            return Err(AskError::CacheHit);
        }
        if answer.status != 200 {
            let error = refusal(&answer);
            let may_be_cached = matches!(error, AskError::Status { status: 404 | 410, .. });
            return Err(if may_be_cached && self.lacks_ban_on_caching(&answer) {
                AskError::CacheHit
            } else {
                error
            });
        }
        if self.lacks_ban_on_caching(&answer) {
            return Err(AskError::CacheHit);
        }
        let total = answer.header("x-wp-total").and_then(|total| total.trim().parse().ok());
        let site_time = site_time(&answer);
        let body = answer.body?;
        let value = json::read(without_bom(&body)).map_err(AskError::Unreadable)?;
        Ok(Got { value, total, site_time, length: body.len() })
    }

    /// WordPress forbids caching in its answers to users whom it knows. Where it was seen to do so, an
    /// answer without that comes from elsewhere.
    fn lacks_ban_on_caching(&self, answer: &Answer) -> bool {
        let forbids = forbids_caching(answer);
        if forbids {
            self.forbids_caching.store(true, Ordering::Relaxed);
        }
        !forbids && self.forbids_caching.load(Ordering::Relaxed)
    }
}

/// Says what an answer other than success means for a look-up.
pub(crate) fn refusal(answer: &Answer) -> AskError {
    let status = answer.status;
    let body = answer.body.as_deref().ok();
    if (300..=399).contains(&status) {
        let to = answer.header("location").map(|to| text::shortened(to, LONGEST_ADDRESS));
        return AskError::Redirected { to };
    }
    if let Some(error) = asks_to_wait(answer) {
        return error;
    }
    let json = body.and_then(|body| json::read::<Value>(without_bom(body)).ok());
    let code = error_code(json.as_ref());
    // Without the right to edit posts, the status of a list is refused as a parameter.
    let anonymous = status == 400
        && json.as_ref().is_some_and(|json| {
            json.pointer("/data/details/status/code").and_then(Value::as_str) == Some("rest_forbidden_status")
        });
    if status == 401 || anonymous { AskError::NotOurUser { code } } else { AskError::Status { status, code } }
}

fn asks_to_wait(answer: &Answer) -> Option<AskError> {
    let retry_after = answer.header("retry-after");
    let maintenance = is_maintenance(answer.status, retry_after, answer.body.as_deref().ok());
    let asked = answer.status == 429 || maintenance || (answer.status == 503 && retry_after.is_some());
    asked.then(|| {
        let after_s =
            retry_after.and_then(|value| seconds(value, answer.header("date"))).unwrap_or(DEFAULT_WAIT_S);
        AskError::AskedToWait { after_s: after_s.min(LONGEST_WAIT_S), maintenance }
    })
}

/// Reads `Retry-After`: seconds, or a date by the site's own clock.
fn seconds(retry_after: &str, date: Option<&str>) -> Option<u64> {
    if let Ok(seconds) = retry_after.trim().parse() {
        return Some(seconds);
    }
    let until = httpdate::parse_http_date(retry_after).ok()?;
    let now = httpdate::parse_http_date(date?).ok()?;
    Some(until.duration_since(now).unwrap_or_default().as_secs())
}

fn answered_by_cache(answer: &Answer) -> bool {
    let is_hit = |name: &str| {
        answer.header(name).is_some_and(|value| value.trim().to_ascii_lowercase().starts_with("hit"))
    };
    let aged = answer.header("age").is_some_and(|age| age.trim().parse::<u64>().is_ok_and(|age| age > 0));
    aged || ["x-litespeed-cache", "cf-cache-status", "x-cache", "x-cache-status", "x-proxy-cache"]
        .into_iter()
        .any(is_hit)
}

fn forbids_caching(answer: &Answer) -> bool {
    answer.headers.get_all("cache-control").iter().filter_map(|value| value.to_str().ok()).any(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("no-cache") || value.contains("no-store")
    })
}

fn site_time(answer: &Answer) -> Option<Timestamp> {
    let date = httpdate::parse_http_date(answer.header("date")?).ok()?;
    let since = date.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp)
}

/// Tells whether a failure may be gone in a moment.
fn passes(error: &AskError) -> bool {
    match error {
        AskError::Transport(TransportError::NotSent { stage, .. }) => match stage {
            NotSent::Dns | NotSent::Connect => true,
            // A certificate does not become valid by waiting.
            NotSent::Tls | NotSent::NotPrepared | NotSent::Maintenance { .. } => false,
        },
        AskError::Transport(TransportError::Lost(_) | TransportError::TimedOut) => true,
        AskError::Status { status, .. } => *status >= 500,
        AskError::Transport(TransportError::TooLong)
        | AskError::AskedToWait { .. }
        | AskError::CacheHit
        | AskError::Redirected { .. }
        | AskError::NotOurUser { .. }
        | AskError::Unreadable(_)
        | AskError::Incomplete
        | AskError::BrokenOff => false,
    }
}

fn unused_id() -> u64 {
    ids::UNUSED_FROM + random() % 1_000_000_000
}

/// Up to a quarter of a wait.
fn jitter(wait: Duration) -> Duration {
    let share = u32::try_from(random() % 256).unwrap_or(0);
    wait / 1024 * share
}

fn random() -> u64 {
    let (high, low) = Uuid::new_v4().as_u64_pair();
    // The version and variant bits stand in the upper parts of both.
    (high >> 32) ^ (low & 0xffff_ffff)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
