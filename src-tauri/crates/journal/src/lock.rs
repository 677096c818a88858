//! Locks of the operating system: the kernel frees them when a process ends, so that they cannot go
//! stale.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::LockError;
use crate::owner::Owner;
use crate::places::{open_private_file, replace_durably};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    _file: File,
}

impl FileLock {
    /// Waits for the lock; for what takes moments only.
    pub(crate) fn wait(path: &Path) -> std::io::Result<Self> {
        let file = open_private_file(path)?;
        file.lock()?;
        Ok(Self { _file: file })
    }

    /// Takes the lock unless somebody has it.
    pub(crate) fn try_take(path: &Path) -> std::io::Result<Option<Self>> {
        let file = open_private_file(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Takes the lock and leaves the owner's name beside it, for the message to whoever comes next.
    pub(crate) fn try_take_as(owner: &Owner, path: PathBuf) -> Result<Self, LockError> {
        let held = match Self::try_take(&path) {
            Ok(held) => held,
            Err(source) => return Err(LockError::LockFile { path, source }),
        };
        let name = path.with_extension("owner");
        let Some(lock) = held else {
            let owner = std::fs::read(&name).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            return Err(LockError::HeldBy { owner });
        };
        let written = serde_json::to_vec(owner)
            .map_err(std::io::Error::from)
            .and_then(|bytes| replace_durably(&name, &bytes));
        match written {
            Ok(()) => Ok(lock),
            Err(source) => Err(LockError::LockFile { path: name, source }),
        }
    }
}

/// Keeps other runners, of other data folders too, from sending to one site; given back on drop.
#[derive(Debug)]
pub struct SiteLock {
    _lock: FileLock,
}

impl SiteLock {
    pub(crate) const fn new(lock: FileLock) -> Self {
        Self { _lock: lock }
    }
}

/// Keeps other programs, of other data folders too, from watching a folder; given back on drop.
#[derive(Debug)]
pub struct WatchLock {
    _lock: FileLock,
}

impl WatchLock {
    pub(crate) const fn new(lock: FileLock) -> Self {
        Self { _lock: lock }
    }
}
