//! Two thousand seeds, the schedules that once failed, and the checks of the properties themselves.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test ends where it fails")]

mod checker;
mod regressions;

use ichido_simulation::{Coverage, Sabotage, Schedule, play, shrink};

/// Plays a range of seeds; the first that fails is made smaller and shown. Every fault meets a request in each range.
fn seeds(from: u64, count: u64) {
    let mut coverage = Coverage::default();
    for seed in from..from + count {
        let schedule = Schedule::of(seed);
        let outcome = play(&schedule, Sabotage::None, false);
        coverage.add(&outcome.coverage);
        let violations = outcome.violations;
        let Some(first) = violations.first() else { continue };
        let smaller = shrink(&schedule, first.property);
        let listed: String = violations.iter().map(|violation| format!("  {violation}\n")).collect();
        panic!("{schedule}fails:\n{listed}shrunk:\n{smaller}");
    }
    assert_eq!(coverage.missing_faults(), Vec::<String>::new(), "{coverage}");
}

/// The tests of ranges, so that they can run side by side.
macro_rules! ranges {
    ($($name:ident: $from:literal;)*) => {
        $(#[test]
        fn $name() {
            seeds($from, 250);
        })*
    };
}

ranges! {
    seeds_from_0000: 0;
    seeds_from_0250: 250;
    seeds_from_0500: 500;
    seeds_from_0750: 750;
    seeds_from_1000: 1000;
    seeds_from_1250: 1250;
    seeds_from_1500: 1500;
    seeds_from_1750: 1750;
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in 5000..5050 {
        let schedule = Schedule::of(seed);
        let first = play(&schedule, Sabotage::None, true);
        let again = play(&schedule, Sabotage::None, true);
        let differs = first.lines.iter().zip(&again.lines).find(|(one, other)| one != other);
        assert_eq!(first.trace, again.trace, "seed {seed}: {differs:#?}");
    }
}

#[test]
fn another_seed_gives_another_trace() {
    let trace = |seed| play(&Schedule::of(seed), Sabotage::None, false).trace;
    assert_ne!(trace(1), trace(2));
}
