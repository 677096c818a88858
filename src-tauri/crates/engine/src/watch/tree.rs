//! What lies in a watched folder, read without opening a file.

use std::collections::HashMap;
use std::fs::{self, DirEntry, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::names;

/// How a file looks to the file system. As long as it looks the same, it is not opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    pub(super) modified_ns: u128,
    pub(super) inode: u64,
    /// Whether its content lies in a cloud only.
    pub(super) hollow: bool,
}

/// Every file below a folder.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The files, by their full path.
    pub(super) files: HashMap<PathBuf, Stamp>,
    /// The folders, the watched one first.
    pub(super) folders: Vec<PathBuf>,
    /// Folders that hold something which lies in a cloud only.
    pub(super) in_cloud: Vec<PathBuf>,
    /// A digest of all names and kinds: the same as long as nothing came, went or was renamed.
    pub(super) shape: u64,
    /// Which folder it is: another one may be mounted in its place.
    pub(super) root: Root,
}

/// Which folder a path leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Root {
    device: u64,
    inode: u64,
}

/// Why a folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum TreeError {
    /// It is not there.
    #[error("find the folder")]
    Gone,
    /// The system does not let it be read.
    #[error("read the folder")]
    Unreadable(#[source] io::Error),
    /// It holds more than is watched.
    #[error("take in more than {MOST_ENTRIES} files")]
    TooLarge,
}

/// Larger folders are not watched.
const MOST_ENTRIES: usize = 500_000;
/// Deeper folders are not looked into: articles do not lie there, nor their images.
const MAX_DEPTH: usize = 16;

impl Root {
    /// Looks which folder a path leads to.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        if !found.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self::from(&found))
    }

    #[cfg(unix)]
    fn from(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: found.dev(), inode: found.ino() }
    }

    #[cfg(not(unix))]
    const fn from(_found: &Metadata) -> Self {
        // Not told here; an empty folder is told by its being empty.
        Self { device: 0, inode: 0 }
    }
}

impl Stamp {
    /// Looks at one file.
    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().filter(|found| found.is_file()).map(Self::of)
    }

    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        let (inode, hollow) = {
            use std::os::unix::fs::MetadataExt as _;
            (found.ino(), names::has_no_content(found.len(), found.blocks()))
        };
        #[cfg(windows)]
        let (inode, hollow) =
            (0, names::is_recalled(std::os::windows::fs::MetadataExt::file_attributes(found)));
        let modified = found.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Self { size: found.len(), modified_ns: modified.map_or(0, |at| at.as_nanos()), inode, hollow }
    }
}

/// Reads a folder and everything below it. No file is opened, and no link is followed out of it.
///
/// # Errors
/// Fails if the folder itself cannot be read, or holds too much. What lies below and cannot be read is left out.
pub(super) fn read(root: &Path) -> Result<Tree, TreeError> {
    let gone = |error: io::Error| {
        if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            TreeError::Gone
        } else {
            TreeError::Unreadable(error)
        }
    };
    let mut tree = Tree { root: Root::of(root).map_err(gone)?, ..Tree::default() };
    let mut waiting = vec![(root.to_owned(), 0)];
    let mut count = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(gone(error)),
            Err(_) => continue,
        };
        let (mut in_cloud, mut shape) = (false, 0_u64);
        for entry in entries.flatten() {
            count += 1;
            if count > MOST_ENTRIES {
                return Err(TreeError::TooLarge);
            }
            let name = entry.file_name();
            let Some(text) = name.to_str() else { continue };
            if names::stands_for_cloud_file(text) {
                in_cloud = true;
            } else if names::is_passed_over(text) {
                continue;
            }
            let Some(found) = look(root, &entry) else { continue };
            let mut hasher = DefaultHasher::new();
            (text, found.is_dir()).hash(&mut hasher);
            // In whatever order the names come.
            shape = shape.wrapping_add(hasher.finish());
            let path = entry.path();
            if found.is_dir() {
                if depth < MAX_DEPTH {
                    waiting.push((path, depth + 1));
                }
            } else if found.is_file() {
                let stamp = Stamp::of(&found);
                in_cloud |= stamp.hollow;
                tree.files.insert(path, stamp);
            }
        }
        let mut hasher = DefaultHasher::new();
        (&folder, shape).hash(&mut hasher);
        tree.shape = tree.shape.wrapping_add(hasher.finish());
        if in_cloud {
            tree.in_cloud.push(folder.clone());
        }
        tree.folders.push(folder);
    }
    Ok(tree)
}

/// Looks at an entry; at what a link leads to only where that lies in the folder as well and is a file.
fn look(root: &Path, entry: &DirEntry) -> Option<Metadata> {
    let found = entry.metadata().ok()?;
    if !found.is_symlink() {
        return Some(found);
    }
    let target = fs::canonicalize(entry.path()).ok().filter(|target| target.starts_with(root))?;
    fs::metadata(target).ok().filter(Metadata::is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_stamps_tell_what_changed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("tea/images")).unwrap();
        fs::write(root.join("tea/index.md"), "text").unwrap();
        let first = read(&root).unwrap();
        assert_eq!(first.folders.len(), 3);
        assert_eq!(first.files.keys().collect::<Vec<_>>(), [&root.join("tea/index.md")]);
        fs::write(root.join("tea/.index.md.swp"), "x").unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        let second = read(&root).unwrap();
        assert_eq!((second.shape, &second.files), (first.shape, &first.files), "nobody's business");
        fs::write(root.join("tea/index.md"), "longer text").unwrap();
        let third = read(&root).unwrap();
        assert!(third.shape == first.shape && third.files != first.files);
        fs::rename(root.join("tea/index.md"), root.join("tea/article.md")).unwrap();
        assert_ne!(read(&root).unwrap().shape, first.shape);
        // The same name in another folder is another shape.
        fs::rename(root.join("tea/article.md"), root.join("tea/images/article.md")).unwrap();
        let moved = read(&root).unwrap().shape;
        fs::rename(root.join("tea/images/article.md"), root.join("article.md")).unwrap();
        assert_ne!(read(&root).unwrap().shape, moved);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_out() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let root = top.join("articles");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::create_dir_all(top.join("outside/deep")).unwrap();
        fs::write(top.join("outside/secret.md"), "x").unwrap();
        fs::write(root.join("a/real.png"), "x").unwrap();
        symlink(top.join("outside"), root.join("folder")).unwrap();
        symlink(top.join("outside/secret.md"), root.join("index.md")).unwrap();
        symlink(root.join("a"), root.join("loop")).unwrap();
        symlink(root.join("a/real.png"), root.join("link.png")).unwrap();
        let tree = read(&root).unwrap();
        assert_eq!(tree.folders.len(), 2, "{:?}", tree.folders);
        let mut files: Vec<_> = tree.files.keys().map(|path| path.strip_prefix(&root).unwrap()).collect();
        files.sort();
        assert_eq!(files, [Path::new("a/real.png"), Path::new("link.png")]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_from_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap().files.is_empty());
        assert!(matches!(read(&folder.path().join("gone")), Err(TreeError::Gone)));
        fs::write(folder.path().join("file"), "x").unwrap();
        assert!(matches!(read(&folder.path().join("file")), Err(TreeError::Gone)));
    }
}
