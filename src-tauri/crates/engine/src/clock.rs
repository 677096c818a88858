//! Time and identifiers, as the engine is handed them.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ichido_core::id::OpId;
use ichido_core::time::{Moment, Timestamp};
use uuid::Uuid;

/// Tells the time, waits, and makes identifiers. Tests hand in one of their own.
pub trait Clock {
    /// Returns this computer's wall clock.
    fn now(&self) -> Timestamp;
    /// Returns milliseconds of the monotonic clock, counted from the start named by [`Clock::boot`].
    fn monotonic_ms(&self) -> u64;
    /// Names the start of the computer.
    fn boot(&self) -> String;
    /// Waits.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>>;
    /// Makes an operation's identifier, once and for ever.
    fn new_op_id(&self) -> OpId;

    /// Returns by how much a wait is lengthened, so that many programs that failed at once do not come back at once.
    /// None, unless the clock says otherwise.
    fn jitter(&self, _wait: Duration) -> Duration {
        Duration::ZERO
    }

    /// Returns this moment, with the site's clock where an answer just told it.
    fn moment(&self, site: Option<Timestamp>) -> Moment {
        Moment { at: self.now(), monotonic_ms: self.monotonic_ms(), boot: self.boot(), site }
    }
}

/// The clocks of this computer.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    boot: String,
    offset_ms: u64,
}

impl SystemClock {
    /// Reads which start of the computer this is, where the system tells; else every start of the
    /// program counts as one, which can only keep the settle window shut for longer.
    #[must_use]
    pub fn new() -> Self {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
            .map(|id| id.trim().to_owned())
            .unwrap_or_else(|_| Uuid::new_v4().to_string());
        let offset_ms = std::fs::read_to_string("/proc/uptime")
            .ok()
            .and_then(|uptime| {
                uptime.split(['.', ' ']).next().and_then(|seconds| seconds.parse::<u64>().ok())
            })
            .map_or(0, |seconds| seconds.saturating_mul(1000));
        Self { started: Instant::now(), boot, offset_ms }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn monotonic_ms(&self) -> u64 {
        let passed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.offset_ms.saturating_add(passed)
    }

    fn boot(&self) -> String {
        self.boot.clone()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(tokio::time::sleep(time))
    }

    fn new_op_id(&self) -> OpId {
        OpId::new(Uuid::now_v7())
    }

    /// Up to a quarter, at random.
    fn jitter(&self, wait: Duration) -> Duration {
        let [.., random] = *Uuid::new_v4().as_bytes();
        wait / 1024 * u32::from(random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_lengthened_by_less_than_a_quarter() {
        let clock = SystemClock::new();
        let waits: Vec<_> = (0..64).map(|_| clock.jitter(Duration::from_secs(16))).collect();
        assert!(waits.iter().all(|wait| *wait < Duration::from_secs(4)), "{waits:?}");
        assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
    }
}
