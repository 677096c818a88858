//! What happened, without anything that differs from one computer or moment to the next.

use sha2::{Digest as _, Sha256};

use crate::coverage::Coverage;

/// Lines of what happened, and a digest over all of them.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    digest: Sha256,
    lines: Option<Vec<String>>,
    pub(crate) coverage: Coverage,
}

impl Trace {
    pub(crate) fn new(keeps_lines: bool) -> Self {
        Self { digest: Sha256::new(), lines: keeps_lines.then(Vec::new), coverage: Coverage::default() }
    }

    pub(crate) fn note(&mut self, line: String) {
        self.digest.update(line.as_bytes());
        self.digest.update(b"\n");
        if let Some(lines) = &mut self.lines {
            lines.push(line);
        }
    }

    /// Counts something that happened.
    pub(crate) fn count(&mut self, what: impl Into<String>) {
        self.coverage.count(what.into());
    }

    /// The digest as hex, the lines where they were kept, and what happened how often.
    pub(crate) fn finish(self) -> (String, Vec<String>, Coverage) {
        let digest = self.digest.finalize();
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        (digest, self.lines.unwrap_or_default(), self.coverage)
    }
}
