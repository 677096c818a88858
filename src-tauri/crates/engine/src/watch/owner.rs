//! The file in a watched folder that says which machine registers from it.
//!
//! A synchronised folder lies on several machines, and each would register what appears in it. The file
//! `.ichido/owner.json` is the one thing that is ever written into a folder of articles. It holds no secret.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use ichido_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::names;
use super::status::Ownership;

/// The folder of the file, in the watched folder.
pub(super) const FOLDER: &str = ".ichido";
const FILE: &str = "owner.json";
const UNFINISHED: &str = "owner.json.unfinished";
/// Larger files are none of ours.
const LONGEST: u64 = 64 * 1024;
/// More files than these are not looked at: conflicts make a few copies.
const MOST_COPIES: usize = 100;
/// After how long without a word an owner counts as gone: 3 days. It says so every day.
const STALE_AFTER_MS: i64 = 3 * 24 * 3600 * 1000;
/// How often an owner says that it is still there.
pub(super) const SAY_EVERY_MS: i64 = 24 * 3600 * 1000;

/// A machine that registers from a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderOwner {
    /// The machine's name.
    pub machine: String,
    /// The user's name; empty if it is not known.
    #[serde(default)]
    pub user: String,
    /// The journal in which it writes down what it sent: what tells two machines of one name apart.
    pub journal: String,
    /// Since when it registers from the folder.
    pub since: Timestamp,
    /// When it was heard of last.
    pub seen: Timestamp,
}

/// Why a folder cannot be made this machine's.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// The file cannot be read or written.
    #[error("use {FOLDER}/{FILE} in the folder")]
    File(#[from] io::Error),
    /// The journal, which tells machines apart, cannot be read.
    #[error("read the journal")]
    Journal(#[source] Box<crate::errors::RunError>),
    /// Somebody else has it.
    #[error("register from a folder that {} registers from", .0.machine)]
    Foreign(Box<FolderOwner>),
}

/// Everything that says who owns a folder: the file, and copies of it that a conflict made.
#[derive(Debug, Default)]
struct Said {
    owners: Vec<(String, FolderOwner)>,
    unusable: bool,
}

/// Reads who registers from a folder. Writes nothing.
pub(super) fn read(root: &Path, journal: &str, now: Timestamp) -> Ownership {
    let said = match open(root, false).and_then(|dir| dir.map_or(Ok(Said::default()), |dir| said(&dir))) {
        Ok(said) => said,
        Err(error) => {
            tracing::warn!(%error, "who owns a watched folder cannot be read");
            return Ownership::Unusable;
        }
    };
    let foreign = said
        .owners
        .iter()
        .map(|(_, owner)| owner)
        .filter(|owner| owner.journal != journal)
        .max_by_key(|owner| owner.seen);
    match foreign {
        Some(by) => Ownership::Elsewhere { stale: now.0 - by.seen.0 > STALE_AFTER_MS, by: by.clone() },
        None if said.unusable => Ownership::Unusable,
        None if said.owners.is_empty() => Ownership::Nobody,
        None => Ownership::Ours,
    }
}

/// Writes down that this machine registers from a folder, unless another one does.
///
/// # Errors
/// As [`OwnerError`] says.
pub(super) fn claim(root: &Path, mine: &FolderOwner) -> Result<(), OwnerError> {
    let Some(dir) = open(root, true)? else { return Err(unusable().into()) };
    let said = said(&dir)?;
    if let Some((_, foreign)) = said.owners.iter().find(|(_, owner)| owner.journal != mine.journal) {
        return Err(OwnerError::Foreign(Box::new(foreign.clone())));
    }
    if said.unusable {
        return Err(unusable().into());
    }
    let since = said.owners.iter().map(|(_, owner)| owner.since).min().unwrap_or(mine.since);
    Ok(write(&dir, &FolderOwner { since, ..mine.clone() })?)
}

/// Makes a folder this machine's, as a person said. Copies that a conflict made of the file go.
///
/// # Errors
/// Fails if the file cannot be written.
pub(super) fn take_over(root: &Path, mine: &FolderOwner) -> Result<(), OwnerError> {
    let Some(dir) = open(root, true)? else { return Err(unusable().into()) };
    let said = said(&dir)?;
    write(&dir, mine)?;
    for (name, _) in said.owners.iter().filter(|(name, _)| name != FILE) {
        dir.remove_file(name)?;
    }
    Ok(())
}

fn unusable() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is none that this program wrote")
}

/// Opens the folder of the file. A link in its place leads elsewhere, and is not followed.
fn open(root: &Path, make: bool) -> io::Result<Option<Dir>> {
    let root = Dir::open_ambient_dir(root, ambient_authority())?;
    match root.symlink_metadata(FOLDER) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound && make => root.create_dir(FOLDER)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    root.open_dir(FOLDER).map(Some)
}

fn said(dir: &Dir) -> io::Result<Said> {
    let mut said = Said::default();
    for entry in dir.entries()?.take(MOST_COPIES) {
        // A name that is no text is none that a synchronising program makes of ours.
        let Ok(name) = entry?.file_name().into_string() else { continue };
        if !name.starts_with("owner") || name == UNFINISHED {
            continue;
        }
        let found = dir.symlink_metadata(&name)?;
        // What lies in a cloud only cannot be asked; of anything else nobody knows what it says.
        if !found.is_file() || found.len() > LONGEST || is_hollow(&found) {
            said.unusable |= name == FILE;
            continue;
        }
        let mut text = Vec::new();
        dir.open(&name)?.take(LONGEST).read_to_end(&mut text)?;
        match serde_json::from_slice(&text) {
            Ok(owner) => said.owners.push((name, owner)),
            Err(_) => said.unusable |= name == FILE,
        }
    }
    Ok(said)
}

/// Whether the file's content lies in a cloud only.
fn is_hollow(found: &cap_std::fs::Metadata) -> bool {
    #[cfg(unix)]
    let hollow = names::has_no_content(found.len(), cap_std::fs::MetadataExt::blocks(found));
    #[cfg(windows)]
    let hollow = names::is_recalled(cap_std::fs::MetadataExt::file_attributes(found));
    hollow
}

/// Whoever reads it sees the old one or the new one.
fn write(dir: &Dir, owner: &FolderOwner) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(owner)?;
    text.push(b'\n');
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = dir.open_with(UNFINISHED, &options)?;
    file.write_all(&text)?;
    file.sync_all()?;
    drop(file);
    dir.rename(UNFINISHED, dir, FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3600 * 1000;

    fn owner(journal: &str, seen: i64) -> FolderOwner {
        FolderOwner {
            machine: format!("machine of {journal}"),
            user: "me".to_owned(),
            journal: journal.to_owned(),
            since: Timestamp(1),
            seen: Timestamp(seen),
        }
    }

    #[test]
    fn the_first_machine_has_it_until_a_person_takes_it_over() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(read(root, "a", Timestamp(5)), Ownership::Nobody);
        assert!(!root.join(FOLDER).exists(), "reading writes nothing");
        claim(root, &owner("a", 5)).unwrap();
        assert_eq!(read(root, "a", Timestamp(5)), Ownership::Ours);
        let elsewhere = |stale| Ownership::Elsewhere { by: owner("a", 5), stale };
        assert_eq!(read(root, "b", Timestamp(5)), elsewhere(false));
        assert_eq!(read(root, "b", Timestamp(4 * DAY)), elsewhere(true));
        // Time alone gives nobody the right.
        assert!(matches!(claim(root, &owner("b", 4 * DAY)), Err(OwnerError::Foreign(_))));
        take_over(root, &owner("b", 4 * DAY)).unwrap();
        assert_eq!(read(root, "b", Timestamp(4 * DAY)), Ownership::Ours);
        assert!(matches!(claim(root, &owner("a", 4 * DAY)), Err(OwnerError::Foreign(_))));
        let left: Vec<_> =
            std::fs::read_dir(root.join(FOLDER)).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, [FILE]);
    }

    #[test]
    fn saying_again_that_one_is_there_keeps_the_beginning() {
        let folder = tempfile::tempdir().unwrap();
        claim(folder.path(), &owner("a", 5)).unwrap();
        claim(folder.path(), &FolderOwner { since: Timestamp(9), ..owner("a", 9) }).unwrap();
        let text = std::fs::read(folder.path().join(FOLDER).join(FILE)).unwrap();
        let kept: FolderOwner = serde_json::from_slice(&text).unwrap();
        assert_eq!((kept.since, kept.seen), (Timestamp(1), Timestamp(9)));
    }

    #[test]
    fn a_copy_of_a_conflict_speaks_for_the_other_machine() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        claim(root, &owner("a", 5)).unwrap();
        for copy in [
            "owner (conflicted copy 2026-12-01).json",
            "owner.sync-conflict-20261201-120000-ABCDEFG.json",
            "owner-DESKTOP-1A2B3C4.json",
            "owner (b の競合コピー).json",
        ] {
            let path = root.join(FOLDER).join(copy);
            std::fs::write(&path, serde_json::to_vec(&owner("b", 6)).unwrap()).unwrap();
            for (journal, other) in [("a", "b"), ("b", "b")] {
                let said = read(root, journal, Timestamp(6));
                let foreign = if journal == other { "a" } else { other };
                assert!(
                    matches!(&said, Ownership::Elsewhere { by, stale: false } if by.journal == foreign),
                    "{copy}: neither goes on by itself: {said:?}"
                );
                assert!(matches!(claim(root, &owner(journal, 6)), Err(OwnerError::Foreign(_))));
            }
            take_over(root, &owner("a", 7)).unwrap();
            assert!(!path.exists());
            assert_eq!(read(root, "a", Timestamp(7)), Ownership::Ours);
        }
    }

    #[test]
    fn what_is_not_understood_shuts_and_a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("articles");
        std::fs::create_dir_all(root.join(FOLDER)).unwrap();
        std::fs::write(root.join(FOLDER).join(FILE), "{").unwrap();
        assert_eq!(read(&root, "a", Timestamp(5)), Ownership::Unusable);
        assert!(matches!(claim(&root, &owner("a", 5)), Err(OwnerError::File(_))));
        take_over(&root, &owner("a", 5)).unwrap();
        assert_eq!(read(&root, "a", Timestamp(5)), Ownership::Ours);
        #[cfg(unix)]
        {
            let outside = folder.path().join("outside");
            std::fs::create_dir(&outside).unwrap();
            std::fs::remove_dir_all(root.join(FOLDER)).unwrap();
            std::os::unix::fs::symlink(&outside, root.join(FOLDER)).unwrap();
            assert_eq!(read(&root, "a", Timestamp(5)), Ownership::Unusable);
            assert!(take_over(&root, &owner("a", 5)).is_err());
            assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
        }
    }
}
