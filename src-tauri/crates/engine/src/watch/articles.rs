//! The articles of a watched folder, read again only where a file looks otherwise than when it was read.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ichido_article::{DiscoverError, Loaded, Location};
use ichido_core::digest::Digest;
use ichido_core::slug::Slug;

use super::names;
use super::settle::Settle;
use super::tree::{Stamp, Tree};
use crate::preflight::is_sendable;
use crate::settings::Settings;

/// What is remembered of the articles of a folder.
#[derive(Debug, Default)]
pub(super) struct Articles {
    /// Where they lie, as found when the folder had this shape.
    locations: Vec<Location>,
    shape: Option<u64>,
    read: HashMap<PathBuf, Read>,
    settings: Option<Settings>,
    /// Files that articles use and that the tree does not hold.
    beyond: HashSet<PathBuf>,
}

/// An article as it was read last.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) location: Location,
    pub(super) slug: Option<Slug>,
    /// Nothing if something is wrong with it.
    pub(super) digest: Option<Digest>,
    /// Whether it says itself that it is not to be published.
    pub(super) ignored: bool,
    /// The files that were read for it, with how they looked.
    files: Vec<(PathBuf, Option<Stamp>)>,
    /// The shape of the folder then.
    shape: u64,
}

/// What an article is, as far as its files go.
#[derive(Debug)]
pub(super) enum Condition<'a> {
    /// It lies in a cloud only, or is a copy that a conflict made.
    SetAside,
    /// It or its images are still being written.
    Settling,
    /// It was read and is quiet.
    Quiet(&'a Read),
}

impl Articles {
    /// Takes what a scan saw: finds articles anew if a name came or went, and reads those that look otherwise and
    /// are quiet. Returns how many were read.
    ///
    /// # Errors
    /// Fails if the folder cannot be searched.
    pub(super) fn refresh(
        &mut self,
        root: &Path,
        tree: &Tree,
        settle: &Settle,
        settings: &Settings,
    ) -> Result<usize, DiscoverError> {
        if self.settings.as_ref() != Some(settings) {
            self.read.clear();
            self.settings = Some(settings.clone());
        }
        if self.shape != Some(tree.shape) {
            self.locations = match ichido_article::discover(&[root.to_owned()]) {
                Ok(found) => found.articles,
                Err(DiscoverError::Empty { .. }) => Vec::new(),
                Err(error) => return Err(error),
            };
            self.shape = Some(tree.shape);
            let there: HashSet<PathBuf> = self.locations.iter().map(path_of).collect();
            self.read.retain(|path, _| there.contains(path));
        }
        let due: Vec<Location> = self
            .locations
            .iter()
            .filter(|location| {
                is_to_be_read(location, root, tree)
                    && is_quiet(location, settle)
                    && !self.read.get(&path_of(location)).is_some_and(|read| read.is_current(tree))
            })
            .cloned()
            .collect();
        let loaded = ichido_article::load_all(&due, &super::reading(settings));
        let count = loaded.len();
        for loaded in loaded {
            let read = Read::of(loaded, tree);
            let unseen =
                read.files.iter().map(|(path, _)| path).filter(|path| !tree.files.contains_key(*path));
            self.beyond.extend(unseen.cloned());
            self.read.insert(path_of(&read.location), read);
        }
        Ok(count)
    }

    /// Adds what articles use to what a scan saw, where that lies elsewhere: in a hidden folder, behind a link.
    pub(super) fn complete(&self, root: &Path, tree: &mut Tree) {
        for path in &self.beyond {
            // What a link leads to outside is nobody's business here: it was not read either.
            let inside = path.canonicalize().is_ok_and(|target| target.starts_with(root));
            if let Some(stamp) = Stamp::at(path).filter(|_| inside) {
                tree.files.entry(path.clone()).or_insert(stamp);
            }
        }
    }

    /// Goes through all articles.
    pub(super) fn all<'a>(
        &'a self,
        root: &'a Path,
        tree: &'a Tree,
        settle: &'a Settle,
    ) -> impl Iterator<Item = Condition<'a>> {
        self.locations.iter().filter_map(move |location| {
            if !is_to_be_read(location, root, tree) {
                return Some(Condition::SetAside);
            }
            match self.read.get(&path_of(location)) {
                Some(read) if !is_quiet(location, settle) || !read.is_quiet(tree, settle) => {
                    Some(Condition::Settling)
                }
                Some(read) if read.ignored => None,
                Some(read) => Some(Condition::Quiet(read)),
                None => Some(Condition::Settling),
            }
        })
    }

    /// Whether it ever held an article.
    pub(super) fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }
}

impl Read {
    fn of(loaded: Loaded, tree: &Tree) -> Self {
        let sendable = is_sendable(&loaded);
        let digest = loaded.article.as_ref().filter(|_| sendable);
        Self {
            ignored: loaded.is_ignored(),
            slug: loaded.named.as_ref().map(|named| named.slug.clone()),
            digest: digest.map(|article| Digest(article.source_digest)),
            files: loaded
                .files
                .into_iter()
                .map(|path| (path.clone(), tree.files.get(&path).copied()))
                .collect(),
            location: loaded.location,
            shape: tree.shape,
        }
    }

    /// Whether it would be read as the same. What is wrong with an article may be a file that is missing, which any
    /// new name may put right.
    fn is_current(&self, tree: &Tree) -> bool {
        // What is seen for the first time after it was read may have changed in between: it is read again.
        let same = |(path, stamp): &(PathBuf, Option<Stamp>)| tree.files.get(path) == stamp.as_ref();
        (self.digest.is_some() || self.shape == tree.shape) && self.files.iter().all(same)
    }

    fn is_quiet(&self, tree: &Tree, settle: &Settle) -> bool {
        self.is_current(tree) && self.files.iter().all(|(path, _)| settle.is_quiet(path))
    }

    /// Whether every file still looks as it did when the article was found to be quiet.
    pub(super) fn is_unchanged_on_disk(&self) -> bool {
        self.files.iter().all(|(path, stamp)| stamp.is_none() || Stamp::at(path) == *stamp)
    }
}

pub(super) fn path_of(location: &Location) -> PathBuf {
    location.folder.join(&location.file)
}

fn is_quiet(location: &Location, settle: &Settle) -> bool {
    if location.owns_folder {
        settle.is_quiet_below(&location.folder)
    } else {
        settle.is_quiet(&path_of(location))
    }
}

/// Whether an article is here, and no copy that a conflict made.
fn is_to_be_read(location: &Location, root: &Path, tree: &Tree) -> bool {
    let path = path_of(location);
    if tree.files.get(&path).is_none_or(|stamp| stamp.hollow) {
        return false;
    }
    // What an own folder holds belongs to its article; beside a loose file lies what belongs to others too.
    if location.owns_folder && tree.in_cloud.iter().any(|folder| folder.starts_with(&location.folder)) {
        return false;
    }
    let below = path.strip_prefix(root).unwrap_or(&path);
    let mut at = root.to_owned();
    below.iter().all(|name| {
        let parent = at.clone();
        at.push(name);
        let beside = |name: &str| parent.join(name).exists();
        name.to_str().is_some_and(|name| !names::is_conflict_copy(name, beside))
    })
}
