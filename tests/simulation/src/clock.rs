//! One time for the engine, the site and the network: that of the runtime, which stands still while there is work and
//! jumps to the next timer when there is none.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ichido_core::id::OpId;
use ichido_core::time::Timestamp;
use ichido_engine::Clock;
use tokio::time::Instant;

use crate::life::Life;

/// 2026-01-15T03:00:00Z, in milliseconds.
const BEGIN_MS: i64 = 1_768_446_000_000;

/// The clock of the computer that the program runs on.
pub(crate) struct SimClock {
    began: Instant,
    /// By how many milliseconds this computer's wall clock is wrong.
    wrong_ms: AtomicI64,
    boots: AtomicU64,
    booted_ms: AtomicU64,
    ids: AtomicU64,
    life: Arc<Life>,
}

impl SimClock {
    pub(crate) fn new(life: Arc<Life>) -> Self {
        Self {
            began: Instant::now(),
            wrong_ms: AtomicI64::new(0),
            boots: AtomicU64::new(1),
            booted_ms: AtomicU64::new(0),
            ids: AtomicU64::new(0),
            life,
        }
    }

    fn passed_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Sets the wall clock wrong.
    pub(crate) fn set_wrong(&self, by_ms: i64) {
        self.wrong_ms.store(by_ms, Ordering::SeqCst);
    }

    /// Starts the computer anew.
    pub(crate) fn reboot(&self) {
        self.boots.fetch_add(1, Ordering::SeqCst);
        self.booted_ms.store(self.passed_ms(), Ordering::SeqCst);
    }

    /// The wall clock, which nobody is killed at.
    pub(crate) fn look(&self) -> Timestamp {
        let passed = i64::try_from(self.passed_ms()).unwrap_or(i64::MAX);
        Timestamp(BEGIN_MS + passed + self.wrong_ms.load(Ordering::SeqCst))
    }

    /// The clock of a site, which is right.
    pub(crate) fn of_site(&self) -> ichido_practice::Clock {
        let began = self.began;
        ichido_practice::Clock::told_by(move || {
            let passed = TimeDelta::from_std(began.elapsed()).unwrap_or(TimeDelta::MAX);
            DateTime::<Utc>::from_timestamp_millis(BEGIN_MS).unwrap_or_default() + passed
        })
    }
}

impl Clock for SimClock {
    fn now(&self) -> Timestamp {
        self.life.step();
        self.look()
    }

    fn monotonic_ms(&self) -> u64 {
        1000 + self.passed_ms() - self.booted_ms.load(Ordering::SeqCst)
    }

    fn boot(&self) -> String {
        format!("boot-{}", self.boots.load(Ordering::SeqCst))
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(tokio::time::sleep(time))
    }

    fn new_op_id(&self) -> OpId {
        self.life.step();
        let count = self.ids.fetch_add(1, Ordering::SeqCst) + 1;
        let ms = u64::try_from(BEGIN_MS).unwrap_or(0) + self.passed_ms();
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&count.to_be_bytes());
        OpId::new(uuid::Builder::from_unix_timestamp_millis(ms, &bytes).into_uuid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_a_morning_in_tokyo() {
        let begin = DateTime::<Utc>::from_timestamp_millis(BEGIN_MS).expect("a moment");
        assert_eq!(begin.to_rfc3339(), "2026-01-15T03:00:00+00:00");
    }

    #[test]
    fn ids_are_of_the_kind_that_the_journal_keeps() {
        let bytes = [7; 10];
        let id = uuid::Builder::from_unix_timestamp_millis(1, &bytes).into_uuid();
        assert_eq!(id.get_version(), Some(uuid::Version::SortRand));
    }
}
