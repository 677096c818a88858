//! Plays many seeds: `ichido-simulate COUNT [SEED]` plays COUNT of them from SEED on, up to the first that fails, or
//! with `--all` whether one fails or not; `--threads N` as many side by side. Or plays one with everything that happens:
//! `ichido-simulate --trace SEED`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its terminal")]

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ichido_simulation::{Coverage, Outcome, Sabotage, Schedule, play, shrink};

/// What is to be played.
struct Wish {
    count: u64,
    from: u64,
    threads: u64,
    all: bool,
}

fn main() -> ExitCode {
    let mut arguments: VecDeque<String> = std::env::args().skip(1).collect();
    let mut wish = Wish { count: 0, from: 0, threads: 2, all: false };
    let mut numbers = Vec::new();
    while let Some(argument) = arguments.pop_front() {
        match argument.as_str() {
            "--trace" => return trace(number(arguments.pop_front())),
            "--threads" => wish.threads = number(arguments.pop_front()).max(1),
            "--all" => wish.all = true,
            _ => numbers.push(number(Some(argument))),
        }
    }
    match numbers.as_slice() {
        [count] => wish.count = *count,
        [count, from] => (wish.count, wish.from) = (*count, *from),
        _ => usage(),
    }
    many(&wish)
}

fn usage() -> ! {
    eprintln!("ichido-simulate [--all] [--threads N] COUNT [SEED] | --trace SEED");
    std::process::exit(2)
}

fn number(text: Option<String>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| usage())
}

fn trace(seed: u64) -> ExitCode {
    let schedule = Schedule::of(seed);
    print!("{schedule}");
    let outcome = play(&schedule, Sabotage::None, true);
    for line in &outcome.lines {
        println!("{line}");
    }
    for violation in &outcome.violations {
        println!("{violation}");
    }
    println!("{}", outcome.trace);
    ExitCode::from(u8::from(!outcome.violations.is_empty()))
}

fn many(wish: &Wish) -> ExitCode {
    let began = Instant::now();
    let (next, played) = (AtomicU64::new(wish.from), AtomicU64::new(0));
    let failed = AtomicU64::new(0);
    let coverage = Mutex::new(Coverage::default());
    let rate = |played: u64| played as f64 / began.elapsed().as_secs_f64();
    std::thread::scope(|scope| {
        for _ in 0..wish.threads {
            scope.spawn(|| {
                while wish.all || failed.load(Ordering::SeqCst) == 0 {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= wish.from.saturating_add(wish.count) {
                        return;
                    }
                    let schedule = Schedule::of(seed);
                    let outcome = play(&schedule, Sabotage::None, false);
                    coverage.lock().unwrap_or_else(PoisonError::into_inner).add(&outcome.coverage);
                    let played = played.fetch_add(1, Ordering::SeqCst) + 1;
                    if played.is_multiple_of(100) {
                        eprintln!("{played} of {} seeds, {:.1} a second", wish.count, rate(played));
                    }
                    if !outcome.violations.is_empty() {
                        failed.fetch_add(1, Ordering::SeqCst);
                        tell(&schedule, &outcome, !wish.all);
                    }
                }
            });
        }
    });
    let played = played.load(Ordering::SeqCst);
    let coverage = coverage.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failed = failed.load(Ordering::SeqCst);
    print!("{coverage}");
    for what in coverage.missing() {
        println!("    never {what}");
    }
    println!("{:.1} seeds a second", rate(played));
    let (faults, kills) = (coverage.faults(), coverage.kills());
    println!(
        "proof: {played} seeds from {}, {failed} failed; {faults} faults met requests, {kills} kills",
        wish.from
    );
    ExitCode::from(u8::from(failed > 0))
}

fn tell(schedule: &Schedule, outcome: &Outcome, shrinks: bool) {
    println!("seed {} fails:", schedule.seed);
    for violation in &outcome.violations {
        println!("  {violation}");
    }
    if let Some(first) = outcome.violations.first().filter(|_| shrinks) {
        println!("shrunk:\n{}", shrink(schedule, first.property));
    }
}
