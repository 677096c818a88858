//! Identifiers: of operations (made here, once) and of rows on a site (made there).

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Identifies one intended effect on a site for ever; a UUIDv7.
///
/// It is written to the journal before anything is sent, goes over the wire as `Idempotency-Key` and
/// as the marker in the content, and is never made anew because of a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpId(Uuid);

impl OpId {
    /// Wraps a UUID made by the caller (core draws no random numbers).
    #[must_use]
    pub const fn new(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// Reads the hyphenated form; `None` if the text is no UUID.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

impl fmt::Display for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpId({})", self.0.hyphenated())
    }
}

/// Identifies a post or an attachment on a site. Both are drawn from one growing sequence there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RemoteId(pub u64);

impl fmt::Display for RemoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
