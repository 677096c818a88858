//! Where the journal and what guards it are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ichido_core::digest::Digest;

/// The folders that the journal uses. Missing ones are made, readable by the user alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Holds the database, the runner lock and what was moved aside.
    pub data_dir: PathBuf,
    /// Holds the sidecar that notices a lost, older or foreign journal. It must lie outside
    /// `data_dir`, so that restoring one does not restore the other. Several data folders may share it.
    pub sidecar_dir: PathBuf,
    /// Holds one lock a site, so that two data folders of one user do not send to one site at once, and one a watched
    /// folder.
    pub lock_dir: PathBuf,
}

impl Places {
    pub(crate) fn database(&self) -> PathBuf {
        self.data_dir.join("journal.sqlite3")
    }

    /// Returns the database and the files that SQLite keeps beside it.
    pub(crate) fn database_files(&self) -> [PathBuf; 3] {
        ["journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm"].map(|name| self.data_dir.join(name))
    }

    pub(crate) fn write_ahead_log(&self) -> PathBuf {
        self.data_dir.join("journal.sqlite3-wal")
    }

    pub(crate) fn opening_lock(&self) -> PathBuf {
        self.data_dir.join("opening.lock")
    }

    pub(crate) fn runner_lock(&self) -> PathBuf {
        self.data_dir.join("runner.lock")
    }

    pub(crate) fn site_lock(&self, home: &str) -> PathBuf {
        self.lock_dir.join(format!("site-{}.lock", short_digest(home.as_bytes())))
    }

    /// Names the lock of a watched folder after the folder, links followed where that is there.
    pub(crate) fn watch_lock(&self, folder: &Path) -> PathBuf {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        self.lock_dir.join(format!("watch-{}.lock", short_digest(folder.as_os_str().as_encoded_bytes())))
    }

    /// Names the sidecar after the folder that it vouches for.
    pub(crate) fn sidecar(&self) -> io::Result<PathBuf> {
        let folder = fs::canonicalize(&self.data_dir)?;
        Ok(self
            .sidecar_dir
            .join(format!("journal-{}.json", short_digest(folder.as_os_str().as_encoded_bytes()))))
    }
}

fn short_digest(bytes: &[u8]) -> String {
    let mut hex = Digest::of_bytes(bytes).to_string();
    hex.truncate(16);
    hex
}

/// Makes a folder that only the user can enter, or takes an existing one away from others.
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let missing: Vec<_> = path.ancestors().take_while(|folder| !folder.exists()).collect();
    builder.create(path)?;
    // A power cut must not take the folder away with all that was made durable in it.
    for folder in missing {
        sync_folder_of(folder)?;
    }
    restrict(path, 0o700)
}

/// Takes a file away from others.
pub(crate) fn restrict_file(path: &Path) -> io::Result<()> {
    restrict(path, 0o600)
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::metadata(path)?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn restrict(_path: &Path, _mode: u32) -> io::Result<()> {
    // The folders lie in the user's profile, which other users cannot enter.
    Ok(())
}

/// Opens a file for reading and writing that only the user can read, making it if it is missing.
pub(crate) fn open_private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Replaces a file so that a crash leaves the old or the new content, and the new one is durable.
pub(crate) fn replace_durably(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let unfinished = path.with_extension("unfinished");
    let mut file = open_private_file(&unfinished)?;
    file.set_len(0)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&unfinished, path)?;
    sync_folder_of(path)
}

#[cfg(unix)]
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => fs::File::open(".")?.sync_all(),
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn sync_folder_of(_path: &Path) -> io::Result<()> {
    // NTFS journals names; a folder cannot be opened for syncing.
    Ok(())
}
