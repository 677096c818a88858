//! Where the programs of one user keep what they must remember: the same for all of them.

use std::io;
use std::path::{Path, PathBuf};

use ichido_journal::Places;
use thiserror::Error;

/// Names the folder of the data, in place of the platform's.
pub const DATA_VARIABLE: &str = "ICHIDO_DATA_DIR";
/// Names the folder of the state, in place of the platform's.
pub const STATE_VARIABLE: &str = "ICHIDO_STATE_DIR";

/// Why there is no place to keep anything.
#[derive(Debug, Error)]
pub enum PlacesError {
    /// The platform names no folder for this user.
    #[error("find the home folder")]
    NoHome,
    /// A folder cannot be made absolute.
    #[error("use the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The state would be restored together with the data, and could notice nothing.
    #[error("keep the state folder outside the data folder")]
    StateInside {
        /// The folder of the data.
        data_dir: PathBuf,
        /// The folder of the state.
        state_dir: PathBuf,
    },
}

/// Chooses the folders: the one named or the platform's, and a folder of state beside it that a copy of
/// the data folder does not bring along. Locks are in one place for all data folders of a user.
///
/// # Errors
/// Fails as [`PlacesError`] says. Nothing is made yet.
pub fn choose(data_dir: Option<PathBuf>) -> Result<Places, PlacesError> {
    let named = data_dir.filter(|path| !path.as_os_str().is_empty());
    let data_dir = match named {
        Some(path) => path,
        None => dirs::data_local_dir().ok_or(PlacesError::NoHome)?.join("ichido"),
    };
    let (data_dir, state_dir) = (absolute(data_dir)?, absolute(state_dir()?)?);
    if state_dir.starts_with(&data_dir) {
        return Err(PlacesError::StateInside { data_dir, state_dir });
    }
    Ok(Places { data_dir, sidecar_dir: state_dir.clone(), lock_dir: state_dir.join("locks") })
}

fn state_dir() -> Result<PathBuf, PlacesError> {
    if let Some(path) = std::env::var_os(STATE_VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(PathBuf::from(path));
    }
    let named = dirs::state_dir().map(|path| path.join("ichido"));
    named.or_else(|| dirs::data_local_dir().map(|path| path.join("ichido-state"))).ok_or(PlacesError::NoHome)
}

/// Links are followed as far as the path exists, so that one folder inside another is noticed.
fn absolute(path: PathBuf) -> Result<PathBuf, PlacesError> {
    let path = std::path::absolute(&path).map_err(|source| PlacesError::Folder { path, source })?;
    let known = path.ancestors().find_map(|known| Some((known, known.canonicalize().ok()?)));
    Ok(match known {
        Some((known, canonical)) => match path.strip_prefix(known) {
            Ok(rest) if rest == Path::new("") => canonical,
            Ok(rest) => canonical.join(rest),
            Err(_) => path,
        },
        None => path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_far_as_the_path_exists() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        assert_eq!(absolute(real.join("a/b")).unwrap(), real.join("a/b"));
        #[cfg(unix)]
        {
            std::fs::create_dir(real.join("to")).unwrap();
            std::os::unix::fs::symlink(real.join("to"), real.join("from")).unwrap();
            assert_eq!(absolute(real.join("from/x")).unwrap(), real.join("to/x"));
        }
    }
}
