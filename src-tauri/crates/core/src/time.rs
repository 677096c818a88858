//! Points in time, as parameters.

use serde::{Deserialize, Serialize};

/// A moment of the wall clock in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A moment as everything that can vouch for it saw it.
///
/// A wall clock can be set, a monotonic clock starts anew with each boot, and a site has a clock of
/// its own; the settle window is judged by those that cannot have been moved meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// This computer's wall clock.
    pub at: Timestamp,
    /// Milliseconds of the monotonic clock, counted from the start named by `boot`.
    pub monotonic_ms: u64,
    /// Names the start of the computer that `monotonic_ms` counts from.
    pub boot: String,
    /// The site's own clock, from the `Date` header of the answer that this moment is about.
    pub site: Option<Timestamp>,
}
