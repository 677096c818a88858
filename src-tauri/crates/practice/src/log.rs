//! What the site was asked, for those who count.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, Utc};

use crate::faults::Fault;
use crate::route::Kind;

/// The most requests that are remembered; older ones are forgotten.
const REMEMBERED: usize = 20_000;

/// The most of a path or query that is remembered, in bytes.
const LONGEST_ADDRESS: usize = 16 * 1024;

/// What became of a request on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing changed.
    None,
    /// Something changed.
    Committed,
    /// Nothing yet: it will be carried out later.
    Later,
}

/// A request that reached the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The running number, from 1.
    pub number: u64,
    /// When it came, by the site's clock.
    pub at: DateTime<Utc>,
    /// The HTTP method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The query string as sent.
    pub query: String,
    /// What it wanted.
    pub kind: Kind,
    /// The login of the user; none for strangers.
    pub user: Option<String>,
    /// The operation id in `Idempotency-Key`.
    pub operation: Option<String>,
    /// What it changed.
    pub effect: Effect,
    /// The id of the row it made.
    pub created: Option<u64>,
    /// The status of the answer; none if there was no answer.
    pub answered: Option<u16>,
    /// The fault that met it.
    pub met: Option<Fault>,
    /// How many look-ups leave out what it makes.
    pub hides: Option<u32>,
}

/// The requests in their order, and the creating ones counted by operation.
#[derive(Debug, Default)]
pub(crate) struct Log {
    requests: VecDeque<Request>,
    creating: BTreeMap<String, u32>,
    count: u64,
}

impl Log {
    /// Writes a request down and gives it its number.
    pub(crate) fn note(&mut self, mut request: Request) -> u64 {
        self.count += 1;
        for part in [&mut request.path, &mut request.query] {
            // Addresses are ASCII on the wire, so a cut never falls into a letter.
            part.truncate(LONGEST_ADDRESS);
        }
        request.number = self.count;
        if let Some(operation) =
            request.operation.clone().filter(|_| request.kind.creates() && request.method == "POST")
            && (self.creating.len() < REMEMBERED || self.creating.contains_key(&operation))
        {
            *self.creating.entry(operation).or_default() += 1;
        }
        if self.requests.len() == REMEMBERED {
            self.requests.pop_front();
        }
        self.requests.push_back(request);
        self.count
    }

    /// Writes down that a late request has had its effect.
    pub(crate) fn caught_up(&mut self, number: u64, effect: Effect, created: Option<u64>) {
        if let Some(request) = self.requests.iter_mut().find(|request| request.number == number) {
            request.effect = effect;
            request.created = created;
        }
    }

    pub(crate) fn all(&self) -> Vec<Request> {
        self.requests.iter().cloned().collect()
    }

    pub(crate) fn creating(&self) -> BTreeMap<String, u32> {
        self.creating.clone()
    }

    pub(crate) fn clear(&mut self) {
        self.requests.clear();
        self.creating.clear();
    }
}
