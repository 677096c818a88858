//! Where the program keeps what it must remember.

use std::path::PathBuf;

use ichido_engine::{PlacesError, choose_places};
use ichido_journal::Places;

use crate::failure::Failure;

/// Chooses the folders: `--data-dir` or the platform's.
pub(crate) fn choose(data_dir: Option<PathBuf>) -> Result<Places, Failure> {
    choose_places(data_dir).map_err(|error| match error {
        PlacesError::NoHome => Failure::NoHome,
        PlacesError::Folder { path, source } => Failure::Folder { path, source },
        PlacesError::StateInside { data_dir, state_dir } => Failure::StateInside { data_dir, state_dir },
    })
}
