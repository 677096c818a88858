//! Stopping a run between two requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Asks a run to stop: the request in flight is finished and settled, nothing more is sent.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    requested: AtomicBool,
    changed: Notify,
}

impl Stop {
    /// Asks the run to stop. May be called at any time, more than once.
    pub fn request(&self) {
        self.state.requested.store(true, Ordering::SeqCst);
        self.state.changed.notify_waiters();
    }

    /// Tells whether the run was asked to stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.state.requested.load(Ordering::SeqCst)
    }

    /// Waits until the run is asked to stop.
    pub async fn requested(&self) {
        loop {
            let changed = self.state.changed.notified();
            if self.is_requested() {
                return;
            }
            changed.await;
        }
    }
}
