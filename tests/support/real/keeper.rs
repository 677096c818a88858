//! Starts a site's servers and ends them, however the test ends.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SERVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/support/wordpress/serve.sh");

/// The servers of one site. They end, and the site's folder goes, when this is dropped or the process dies:
/// the shell between them sees its standard input end.
pub(crate) struct Keeper {
    shell: Child,
}

impl Keeper {
    /// Starts the database in `site`, and the web server if there is a port.
    pub(crate) fn start(site: &Path, www: &Path, port: Option<u16>, token: &str) -> Keeper {
        let mut command = Command::new(SERVE);
        command.arg(site).arg(www);
        if let Some(port) = port {
            command.arg(port.to_string());
        }
        let shell = command
            .env("ICHIDO_TOKEN", token)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{SERVE} does not start: {error}"));
        Keeper { shell }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Waited for, so that nothing of a test is left when it is over.
        if let Err(error) = self.shell.wait() {
            eprintln!("the servers of a site could not be waited for: {error}");
        }
    }
}

/// Asks until the answer is there; panics with `what` and the server's log after a minute.
pub(crate) fn wait_for<T>(what: &str, log: &Path, mut ask: impl FnMut() -> Option<T>) -> T {
    let give_up = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        if Instant::now() > give_up {
            let log = std::fs::read_to_string(log).unwrap_or_default();
            panic!("{what} did not come within a minute; its log: {log}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
