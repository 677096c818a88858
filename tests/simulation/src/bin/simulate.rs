//! Plays many seeds: `ichido-simulate FROM COUNT [THREADS]` up to the first that fails, or all of them with `--all`
//! before that; or one with everything that happens: `ichido-simulate --trace SEED`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its terminal")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use ichido_simulation::{Sabotage, Schedule, play, shrink};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--trace", seed] => trace(number(seed)),
        ["--all", from, count] => many(number(from), number(count), 2, true),
        ["--all", from, count, threads] => many(number(from), number(count), number(threads), true),
        [from, count] => many(number(from), number(count), 2, false),
        [from, count, threads] => many(number(from), number(count), number(threads), false),
        _ => {
            eprintln!("ichido-simulate [--all] FROM COUNT [THREADS] | --trace SEED");
            ExitCode::from(2)
        }
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| {
        eprintln!("not a number: {text}");
        std::process::exit(2)
    })
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

fn many(from: u64, count: u64, threads: u64, all: bool) -> ExitCode {
    let began = Instant::now();
    let (next, done) = (AtomicU64::new(from), AtomicU64::new(0));
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while all || !failed.load(Ordering::SeqCst) {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= from + count {
                        return;
                    }
                    let schedule = Schedule::of(seed);
                    let outcome = play(&schedule, Sabotage::None, false);
                    let played = done.fetch_add(1, Ordering::SeqCst) + 1;
                    if played.is_multiple_of(100) {
                        let rate = played as f64 / began.elapsed().as_secs_f64();
                        eprintln!("{played} of {count} seeds, {rate:.1} a second");
                    }
                    let Some(first) = outcome.violations.first() else { continue };
                    failed.store(true, Ordering::SeqCst);
                    println!("seed {seed} fails:");
                    for violation in &outcome.violations {
                        println!("  {violation}");
                    }
                    if !all {
                        println!("shrunk:\n{}", shrink(&schedule, first.property));
                    }
                }
            });
        }
    });
    let rate = done.load(Ordering::SeqCst) as f64 / began.elapsed().as_secs_f64();
    println!("{} seeds from {from}, {rate:.1} a second", done.load(Ordering::SeqCst));
    ExitCode::from(u8::from(failed.load(Ordering::SeqCst)))
}
