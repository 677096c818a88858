//! The command line with its named points, so that a test can stop it at one and kill it there.

fn main() -> std::process::ExitCode {
    ichido_cli::run()
}
