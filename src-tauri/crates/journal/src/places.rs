//! Where the journal and what guards it are kept.

use std::path::PathBuf;

/// The folders that the journal uses. Missing ones are made, readable by the user alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Holds the database, the runner lock and what was moved aside.
    pub data_dir: PathBuf,
    /// Holds the sidecar that notices a lost, older or foreign journal. It must lie outside
    /// `data_dir`, so that restoring one does not restore the other. Several data folders may share it.
    pub sidecar_dir: PathBuf,
    /// Holds one lock a site, so that two data folders of one user do not send to one site at once.
    pub lock_dir: PathBuf,
}
