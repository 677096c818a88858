//! The WordPress versions that `scripts/wordpress` has prepared.

use std::path::{Path, PathBuf};

/// Which of the prepared versions a test wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// The oldest.
    Old,
    /// The newest.
    New,
}

/// A prepared version.
#[derive(Debug, Clone)]
pub struct Tree {
    /// Such as `7.1.4`.
    pub version: String,
    /// The folder that belongs to this version.
    pub folder: PathBuf,
}

impl Tree {
    /// Finds a prepared version.
    ///
    /// # Panics
    ///
    /// When none is prepared: a test that needs a real WordPress fails without one, it is never skipped.
    pub fn find(wanted: Version) -> Tree {
        let trees = prepared();
        let tree = match wanted {
            Version::Old => trees.first(),
            Version::New => trees.last(),
        };
        tree.cloned().unwrap_or_else(|| {
            panic!(
                "no WordPress is prepared in {}: run scripts/wordpress, then this test again",
                folder().display()
            )
        })
    }

    /// The folder that is served.
    pub fn www(&self) -> PathBuf {
        self.folder.join("www")
    }
}

fn prepared() -> Vec<Tree> {
    let folder = folder();
    let list = std::fs::read_to_string(folder.join("versions")).unwrap_or_default();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names
        .map(|version| Tree { version: version.to_owned(), folder: folder.join(version) })
        .filter(|tree| tree.www().join("wp-load.php").is_file())
        .collect()
}

fn folder() -> PathBuf {
    match std::env::var_os("ICHIDO_WORDPRESS_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/wordpress"),
    }
}
