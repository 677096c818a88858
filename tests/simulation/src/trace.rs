//! What happened, without anything that differs from one computer or moment to the next.

use sha2::{Digest as _, Sha256};

/// Lines of what happened, and a digest over all of them.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    digest: Sha256,
    lines: Option<Vec<String>>,
}

impl Trace {
    pub(crate) fn new(keeps_lines: bool) -> Self {
        Self { digest: Sha256::new(), lines: keeps_lines.then(Vec::new) }
    }

    pub(crate) fn note(&mut self, line: String) {
        self.digest.update(line.as_bytes());
        self.digest.update(b"\n");
        if let Some(lines) = &mut self.lines {
            lines.push(line);
        }
    }

    /// The digest as hex, and the lines where they were kept.
    pub(crate) fn finish(self) -> (String, Vec<String>) {
        let digest = self.digest.finalize();
        (digest.iter().map(|byte| format!("{byte:02x}")).collect(), self.lines.unwrap_or_default())
    }
}
