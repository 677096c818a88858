//! When an article is quiet: pure, from what was told and seen, and the time.
//!
//! What the system tells of changes is a hint; what a scan sees is the truth. A file is quiet once nothing was told
//! of it for the settle time and a scan after that has seen it as it is. A writer that has it open keeps it restless
//! for longer, in case it only stopped for breath.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::tree::Stamp;

/// What the system tells of a file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// It came, went, got another name, or changed.
    Changed(PathBuf),
    /// It is being written.
    Written(PathBuf),
    /// Whoever wrote it has closed it.
    Closed(PathBuf),
    /// Something was missed: only a scan tells.
    Missed,
}

impl Hint {
    /// Returns what it is about; nothing where something was missed.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Changed(path) | Self::Written(path) | Self::Closed(path) => Some(path),
            Self::Missed => None,
        }
    }
}

/// By how much longer a file that somebody has open must be quiet.
const OPEN_FACTOR: u64 = 12;

/// Which files are restless, and until when.
#[derive(Debug)]
pub(super) struct Settle {
    quiet_ms: u64,
    known: HashMap<PathBuf, Stamp>,
    restless: HashMap<PathBuf, Restless>,
    /// When the next scan is to be made because of what was told.
    scan_at: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Restless {
    since: u64,
    open: bool,
    /// Whether a scan has seen it since.
    seen: bool,
}

impl Settle {
    /// Begins to watch; everything that the first scan sees is new, and must be quiet first.
    pub(super) fn new(quiet_ms: u64) -> Self {
        Self { quiet_ms, known: HashMap::new(), restless: HashMap::new(), scan_at: None }
    }

    /// Changes how long a file must be quiet.
    pub(super) fn set_quiet(&mut self, quiet_ms: u64) {
        self.quiet_ms = quiet_ms;
    }

    /// Takes what the system tells.
    pub(super) fn hear(&mut self, hint: Hint, now: u64) {
        let (path, open) = match hint {
            Hint::Changed(path) => {
                // A file that was written and then renamed over another may still be open.
                let open = self.restless.get(&path).is_some_and(|restless| restless.open);
                (path, open)
            }
            Hint::Written(path) => (path, true),
            Hint::Closed(path) => (path, false),
            Hint::Missed => {
                self.scan_at = Some(now);
                return;
            }
        };
        self.restless.insert(path, Restless { since: now, open, seen: false });
        self.scan_at = None;
    }

    /// Takes what a scan saw. Files that look otherwise than before are restless; those that are gone are forgotten.
    /// Tells whether anything is otherwise than before.
    pub(super) fn look(&mut self, files: &HashMap<PathBuf, Stamp>, now: u64) -> bool {
        self.scan_at = None;
        let before = (self.known.len(), self.restless.len());
        let mut changed = false;
        for (path, stamp) in files {
            if self.known.get(path) == Some(stamp) {
                continue;
            }
            changed = true;
            self.known.insert(path.clone(), *stamp);
            let changed = Restless { since: now, open: false, seen: true };
            self.restless
                .entry(path.clone())
                // Of what was told of before the time counts from there, once: a change that was seen in a scan and
                // is seen to go on was not told of.
                .and_modify(|restless| {
                    if restless.seen {
                        restless.since = now;
                    }
                })
                .or_insert(changed);
        }
        self.known.retain(|path, _| files.contains_key(path));
        let (quiet_ms, known) = (self.quiet_ms, &self.known);
        for (path, restless) in &mut self.restless {
            restless.seen = true;
            // What is gone cannot be open.
            restless.open &= known.contains_key(path);
        }
        self.restless.retain(|_, restless| now < restless.until(quiet_ms));
        changed || before != (self.known.len(), self.restless.len())
    }

    /// Whether a file is quiet.
    pub(super) fn is_quiet(&self, file: &Path) -> bool {
        !self.restless.contains_key(file)
    }

    /// Whether everything in a folder is quiet.
    pub(super) fn is_quiet_below(&self, folder: &Path) -> bool {
        !self.restless.keys().any(|path| path.starts_with(folder))
    }

    /// Whether anything is restless.
    pub(super) fn is_restless(&self) -> bool {
        !self.restless.is_empty()
    }

    /// When a scan is due, by the clock of `now`: when the first restless file may have become quiet.
    pub(super) fn due(&self) -> Option<u64> {
        let first = self.restless.values().map(|restless| restless.until(self.quiet_ms)).min();
        match (self.scan_at, first) {
            (Some(scan), Some(first)) => Some(scan.min(first)),
            (scan, first) => scan.or(first),
        }
    }
}

impl Restless {
    const fn until(&self, quiet_ms: u64) -> u64 {
        let wait = if self.open { quiet_ms.saturating_mul(OPEN_FACTOR) } else { quiet_ms };
        self.since.saturating_add(wait)
    }
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
