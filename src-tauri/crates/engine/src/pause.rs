//! Why a look-up that failed stops a run.

use ichido_core::evidence::AskFailure;
use ichido_core::tally::Pause;
use ichido_wordpress::AskError;

/// Returns why nothing more can be sent after a look-up failed.
pub(crate) fn pause_of(error: &AskError) -> Pause {
    match error.failure() {
        AskFailure::NotOurUser => Pause::NotOurUser,
        AskFailure::Forbidden => Pause::Refused,
        AskFailure::Maintenance => Pause::Maintenance,
        AskFailure::Redirected => Pause::Redirected,
        AskFailure::Network
        | AskFailure::TimedOut
        | AskFailure::RateLimited
        | AskFailure::CacheHit
        | AskFailure::Unreadable
        | AskFailure::Incomplete
        | AskFailure::Status(_) => Pause::Unreachable,
    }
}
