//! What is hostile from end to end: sites whose answers never end, articles that would fill the memory, and sites that
//! call themselves by another's name. The program is a process of its own, and is held to what it took.
#![allow(clippy::print_stdout, reason = "how much was tried stands in the output of the tests")]

mod articles;
mod names;
mod nasty;
mod servers;

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::process::{Ended, Program};

/// What it may take beyond the same run in peace, in KiB.
const MORE: u64 = 50 * 1024;
/// How long nothing is waited for longer.
const PATIENCE_MS: &str = "1500";
/// The longest that a run may take, however busy the machine is.
const LONGEST: Duration = Duration::from_secs(120);

/// A run, and the most memory that it held.
struct Ran {
    ended: Ended,
    peak_kib: u64,
}

/// A folder of its own, with the program's own folders in it.
fn program(folder: &TempDir, args: &[&str]) -> Program {
    Program::new(args)
        .with("HOME", folder.path())
        .with("ICHIDO_DATA_DIR", folder.path().join("data"))
        .with("ICHIDO_STATE_DIR", folder.path().join("state"))
        .with("ICHIDO_TEST_STATUS", folder.path().join("status"))
        .with("ICHIDO_TEST_PATIENCE_MS", PATIENCE_MS)
}

async fn run(folder: &TempDir, program: Program) -> Ran {
    let began = Instant::now();
    let ended = program.run().await;
    assert!(began.elapsed() < LONGEST, "{:?}: {ended:?}", began.elapsed());
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    let status = folder.path().join("status");
    let peak_kib = peak(&status).unwrap_or_else(|| panic!("it did not end by itself: {ended:?}"));
    std::fs::remove_file(status).expect("it was written");
    Ran { ended, peak_kib }
}

fn peak(status: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
