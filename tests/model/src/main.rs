//! Walks through the worlds and prints the figures; `--long` takes the larger ones.
#![allow(clippy::print_stdout, reason = "it prints what it found")]

use std::process::ExitCode;

use ichido_model::check::{broken_by, flawed, walk, worlds};
use ichido_model::setting::Flaw;

fn main() -> ExitCode {
    let mut all_hold = true;
    for (name, setting) in worlds() {
        let walk = walk(setting, &[]);
        println!(
            "{name}: {} states, {} steps, depth {}, {:.1} s; not reached: {:?}",
            walk.states,
            walk.steps,
            walk.depth,
            walk.took.as_secs_f64(),
            walk.not_reached
        );
        for (property, steps) in &walk.broken {
            println!("  broken: {property}");
            for step in steps {
                println!("    {step}");
            }
        }
        all_hold &= walk.broken.is_empty();
    }
    for flaw in Flaw::ALL {
        let walk = walk(flawed(flaw), &[broken_by(flaw)]);
        let shown: Vec<_> = walk.broken.iter().map(|(name, steps)| (*name, steps.len())).collect();
        println!("{flaw:?}: {shown:?} after {} states, {:.1} s", walk.states, walk.took.as_secs_f64());
        all_hold &= !shown.is_empty();
    }
    if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
