//! Reading requests: no redirects, no caches, repeated after failures that pass.

use ichido_core::time::Timestamp;

/// An answer with the site's own time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered<T> {
    /// What was asked for.
    pub value: T,
    /// The site's clock, from the `Date` header of the last answer that this rests on.
    pub site_time: Option<Timestamp>,
}
