//! Who runs: named in messages to a second runner and after an unclean stop.

use serde::{Deserialize, Serialize};

/// A process that holds, or held, the runner lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its process id.
    pub pid: u32,
    /// The computer's name.
    pub host: String,
    /// The user's name; empty if the environment does not tell.
    pub user: String,
    /// The program, such as `ichido` or `ichido-desktop`.
    pub program: String,
    /// The program's version.
    pub version: String,
}

impl Owner {
    /// Names this process.
    #[must_use]
    pub fn this_process(program: &str, version: &str) -> Self {
        let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        Self {
            pid: std::process::id(),
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            user: user.unwrap_or_default(),
            program: program.to_owned(),
            version: version.to_owned(),
        }
    }
}
