//! The command line with its named points, so that a test can stop it at one and kill it there. A test can also make it
//! impatient, and be told how much memory it took.

use std::process::ExitCode;
use std::time::Duration;

use ichido_wordpress::{Options, Timeouts};

fn main() -> ExitCode {
    let ended = ichido_cli::run_with(&options());
    if let Some(path) = std::env::var_os("ICHIDO_TEST_STATUS") {
        // A test that misses it fails.
        drop(std::fs::copy("/proc/self/status", path));
    }
    ended
}

/// With `ICHIDO_TEST_PATIENCE_MS`, nothing is waited for longer than that, and no look-up is repeated.
fn options() -> Options {
    let patience = std::env::var("ICHIDO_TEST_PATIENCE_MS").ok().and_then(|text| text.parse().ok());
    let Some(patience) = patience.map(Duration::from_millis) else { return Options::default() };
    let bounds = Timeouts {
        connect: patience,
        write_idle: patience,
        first_byte: patience,
        read_idle: patience,
        whole_answer: patience,
    };
    Options { creating: bounds, reading: bounds, back_off: Vec::new(), ..Options::default() }
}
