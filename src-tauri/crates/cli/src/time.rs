//! Moments as people read them.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use ichido_core::time::Timestamp;

fn utc(at: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(at.0)
}

/// Returns the moment in this computer's zone, to the second.
pub(crate) fn local(at: Timestamp) -> String {
    utc(at).map(|at| at.with_timezone(&Local).format("%Y-%m-%d %H:%M:%S").to_string()).unwrap_or_default()
}

/// Returns the moment as programs read it, in UTC.
pub(crate) fn iso(at: Timestamp) -> String {
    utc(at).map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)).unwrap_or_default()
}
