//! The settle window: how long a site is given to finish a request whose answer was lost.

use crate::time::Moment;

/// The settle window unless the settings say otherwise: 10 minutes, in milliseconds.
pub const DEFAULT_MS: u64 = 10 * 60 * 1000;

/// Tells whether a settle window of `window_ms` milliseconds has passed since the first complete
/// negative look-up.
///
/// The site's clock must agree, and within one boot this computer's monotonic clock too: a wall clock
/// that was set forward, or a site that answered from a cache, must not open the window early.
#[must_use]
pub fn has_passed(first_negative: &Moment, now: &Moment, window_ms: u64) -> bool {
    remaining_ms(first_negative, now, window_ms) == 0
}

/// Returns how many milliseconds of the settle window are left; 0 when it has passed.
#[must_use]
pub fn remaining_ms(first_negative: &Moment, now: &Moment, window_ms: u64) -> u64 {
    let (Some(from), Some(to)) = (first_negative.site, now.site) else {
        return window_ms;
    };
    let by_site = u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0);
    let passed = if first_negative.boot == now.boot {
        by_site.min(now.monotonic_ms.saturating_sub(first_negative.monotonic_ms))
    } else {
        by_site
    };
    window_ms.saturating_sub(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn moment(site: i64, monotonic_ms: u64, boot: &str) -> Moment {
        Moment { at: Timestamp(0), monotonic_ms, boot: boot.into(), site: Some(Timestamp(site)) }
    }

    #[test]
    fn opens_when_both_clocks_agree() {
        assert!(has_passed(&moment(0, 0, "a"), &moment(DEFAULT_MS as i64, DEFAULT_MS, "a"), DEFAULT_MS));
    }

    #[test]
    fn stays_shut_when_only_the_site_says_so() {
        let (from, to) = (moment(0, 0, "a"), moment(DEFAULT_MS as i64, DEFAULT_MS - 1, "a"));
        assert_eq!(remaining_ms(&from, &to, DEFAULT_MS), 1);
    }

    #[test]
    fn stays_shut_when_only_the_monotonic_clock_says_so() {
        assert!(!has_passed(
            &moment(0, 0, "a"),
            &moment(DEFAULT_MS as i64 - 1, DEFAULT_MS * 9, "a"),
            DEFAULT_MS
        ));
    }

    #[test]
    fn after_another_boot_the_site_decides() {
        assert!(has_passed(&moment(0, 900_000, "a"), &moment(DEFAULT_MS as i64, 1, "b"), DEFAULT_MS));
        assert!(!has_passed(&moment(0, 0, "a"), &moment(1, DEFAULT_MS * 2, "b"), DEFAULT_MS));
    }

    #[test]
    fn stays_shut_without_the_sites_clock_and_when_it_runs_backwards() {
        let blind = Moment { site: None, ..moment(0, DEFAULT_MS * 2, "a") };
        assert!(!has_passed(&moment(0, 0, "a"), &blind, DEFAULT_MS));
        assert!(!has_passed(&blind, &moment(DEFAULT_MS as i64 * 2, DEFAULT_MS * 4, "a"), DEFAULT_MS));
        assert!(!has_passed(&moment(5, 0, "a"), &moment(0, DEFAULT_MS * 2, "a"), DEFAULT_MS));
    }
}
