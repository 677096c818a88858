//! How long to wait before what failed is tried again by itself.

use std::time::Duration;

/// The waits after one failure and the next; the last one stays.
const WAITS_S: [u64; 7] = [15, 30, 60, 120, 300, 600, 1800];

/// Counts failures in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BackOff {
    failures: usize,
}

impl BackOff {
    /// Takes a failure, and returns how long to wait after it.
    pub(super) fn next(&mut self) -> Duration {
        let wait = WAITS_S.get(self.failures).or(WAITS_S.last()).copied().unwrap_or_default();
        self.failures = self.failures.saturating_add(1);
        Duration::from_secs(wait)
    }

    /// Takes a success.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_half_an_hour_and_begin_anew_after_a_success() {
        let mut back_off = BackOff::default();
        let waits: Vec<u64> = (0..9).map(|_| back_off.next().as_secs()).collect();
        assert_eq!(waits, [15, 30, 60, 120, 300, 600, 1800, 1800, 1800]);
        back_off.reset();
        assert_eq!(back_off.next().as_secs(), 15);
    }
}
