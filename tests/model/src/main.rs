//! Walks through worlds and prints the figures: `ichido-model [--long] [--flaws] [WORDS OF A NAME]`.
#![allow(clippy::print_stdout, reason = "it prints what it found")]

use std::process::ExitCode;

use ichido_model::check::walk;
use ichido_model::setting::Flaw;
use ichido_model::worlds::{Extent, broken_by, flawed, worlds};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_on = |option: &str| arguments.iter().any(|argument| argument == option);
    let wanted = |name: &str| {
        arguments
            .iter()
            .filter(|argument| !argument.starts_with("--"))
            .all(|word| name.contains(word.as_str()))
    };
    let mut all_hold = true;
    let extent = if is_on("--long") { Extent::Long } else { Extent::Default };
    for (name, setting) in worlds(extent) {
        if !wanted(name) || is_on("--flaws") {
            continue;
        }
        let walk = walk(setting, &[]);
        println!("{name}: {walk}");
        all_hold &= walk.holds();
    }
    for flaw in Flaw::ALL {
        if !is_on("--flaws") || !wanted(&format!("{flaw:?}")) {
            continue;
        }
        let walk = walk(flawed(flaw), &[broken_by(flaw)]);
        println!("{flaw:?}: {walk}");
        all_hold &= !walk.broken.is_empty();
    }
    if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
