//! The folder that was named, out of which no path leads.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use unicode_normalization::UnicodeNormalization;

/// An opened folder. Links inside it are followed as long as they stay inside.
#[derive(Debug)]
pub(crate) struct Folder {
    dir: Dir,
}

/// Why a file in the folder cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// There is none; a name that differs in case only is added where one was seen.
    NotFound {
        similar: Option<String>,
    },
    /// A link on the way leaves the folder.
    Outside,
    /// It is a folder, a pipe or the like.
    NotAFile,
    TooLarge {
        bytes: u64,
    },
    Io(io::Error),
}

/// Folders with more names than this are not searched for a name in another form.
const MOST_NAMES: usize = 10_000;

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(|dir| Self { dir })
    }

    /// Whether reading a file would fetch its content from a cloud.
    pub(crate) fn is_hollow(&self, path: &Path) -> bool {
        self.dir.metadata(path).is_ok_and(|found| is_hollow(&found))
    }

    /// Reads a whole file of at most `limit` bytes.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        // Asked before opening: opening a pipe would wait for its other end.
        let metadata = self.dir.metadata(path).map_err(classified)?;
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        let file = self.dir.open_with(path, &reading()).map_err(classified)?;
        let metadata = file.metadata().map_err(classified)?;
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        if metadata.len() > limit {
            return Err(ReadError::TooLarge { bytes: metadata.len() });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
        file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
        let read = bytes.len() as u64;
        if read > limit { Err(ReadError::TooLarge { bytes: read }) } else { Ok(bytes) }
    }

    /// Whether something lies at a path.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.dir.symlink_metadata(path).is_ok()
    }

    /// Finds the path under which the parts exist, whatever Unicode form its names have on disk.
    pub(crate) fn locate(&self, parts: &[String]) -> Result<PathBuf, ReadError> {
        let direct: PathBuf = parts.iter().collect();
        match self.dir.symlink_metadata(&direct).map_err(classified) {
            Ok(_) => return Ok(direct),
            Err(ReadError::NotFound { .. }) => {}
            Err(other) => return Err(other),
        }
        let mut found = PathBuf::new();
        for part in parts {
            let exact = found.join(part);
            if self.dir.symlink_metadata(&exact).is_ok() {
                found = exact;
                continue;
            }
            let name = self.name_like(&found, part)?;
            found.push(name);
        }
        Ok(found)
    }

    fn name_like(&self, parent: &Path, wanted: &str) -> Result<String, ReadError> {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let composed: String = wanted.nfc().collect();
        let folded = composed.to_lowercase();
        let mut similar = None;
        for entry in self.dir.read_dir(parent).map_err(classified)?.take(MOST_NAMES) {
            let Ok(entry) = entry else { continue };
            let Ok(name) = entry.file_name().into_string() else { continue };
            let its_composed: String = name.nfc().collect();
            if its_composed == composed {
                return Ok(name);
            }
            if similar.is_none() && its_composed.to_lowercase() == folded {
                similar = Some(name);
            }
        }
        Err(ReadError::NotFound { similar })
    }
}

/// A file without a block whose size is none that a file system keeps in its own records.
#[cfg(unix)]
fn is_hollow(found: &cap_std::fs::Metadata) -> bool {
    const IN_RECORDS: u64 = 512;
    found.is_file() && found.len() > IN_RECORDS && cap_std::fs::MetadataExt::blocks(found) == 0
}

/// A file that is marked as offline, or to be recalled when it is opened or read.
#[cfg(windows)]
fn is_hollow(found: &cap_std::fs::Metadata) -> bool {
    const RECALLED: u32 = 0x1000 | 0x4_0000 | 0x40_0000;
    cap_std::fs::MetadataExt::file_attributes(found) & RECALLED != 0
}

/// How a file is opened: what becomes a pipe or a terminal in between is neither waited for nor taken over.
fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    options
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the system may report anything; only these are told apart"
)]
fn classified(error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound { similar: None },
        // The sandbox reports an escape as a refusal that no system call made.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => ReadError::Outside,
        _ => ReadError::Io(error),
    }
}

/// A short stable word for a reason, without paths in it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the system may report anything; only these are told apart"
)]
pub(crate) fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission_denied",
        io::ErrorKind::NotFound => "not_found",
        _ => "io",
    }
}
