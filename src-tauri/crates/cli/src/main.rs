//! The command line of Ichido.

fn main() -> std::process::ExitCode {
    ichido_cli::run()
}
