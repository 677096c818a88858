//! What the system tells of changes, by way of `notify`.
//!
//! On Linux each folder has a watch of its own, so that hidden folders and the like take none; elsewhere the system
//! watches a whole tree at once. Links are not followed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, MetadataKind, ModifyKind};
use notify::{Config, ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::UnboundedSender;

use super::names;
use super::owner;
use super::settle::Hint;
use super::status::NoEvents;

/// Whether each folder needs a watch of its own.
const ONE_BY_ONE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Where hints come from. Tests bring one of their own.
pub(super) trait Hints {
    /// Watches these folders, and no longer those that were watched before and are not named. Returns those that are
    /// newly watched.
    ///
    /// # Errors
    /// Returns why not every folder can be watched: then the caller scans.
    fn watch(&mut self, root: &Path, folders: &[PathBuf]) -> Result<Vec<PathBuf>, NoEvents>;

    /// Watches nothing any more: another folder lies in the place of the one that was watched.
    fn forget(&mut self);
}

/// Tells of one watched folder by number.
pub(super) type Told = (usize, Hint);

/// The system's own events.
pub(super) struct SystemHints {
    watcher: Option<RecommendedWatcher>,
    watched: HashSet<PathBuf>,
    /// What came, went or got another name: a folder that is there again is another one, without a watch.
    stale: Arc<Mutex<HashSet<PathBuf>>>,
}

impl SystemHints {
    /// Begins to listen for the folder of this number.
    pub(super) fn new(number: usize, root: &Path, tell: UnboundedSender<Told>) -> Self {
        let (root, stale) = (root.to_owned(), Arc::default());
        let note = Arc::clone(&stale);
        let hear = move |heard: notify::Result<Event>| {
            if let Ok(event) = &heard
                && is_another_folder(event.kind)
            {
                lock(&note).extend(event.paths.iter().cloned());
            }
            for hint in hints_of(&root, heard) {
                // Nobody listens any more while the program ends.
                drop(tell.send((number, hint)));
            }
        };
        let watcher = RecommendedWatcher::new(hear, Config::default().with_follow_symlinks(false));
        let watcher =
            watcher.inspect_err(|error| tracing::warn!(%error, "the system tells of no changes")).ok();
        Self { watcher, watched: HashSet::new(), stale }
    }
}

impl Hints for SystemHints {
    fn watch(&mut self, root: &Path, folders: &[PathBuf]) -> Result<Vec<PathBuf>, NoEvents> {
        let Some(watcher) = &mut self.watcher else { return Err(NoEvents::Unsupported) };
        let whole = [root.to_owned()];
        let (wanted, mode) = if ONE_BY_ONE {
            (folders, RecursiveMode::NonRecursive)
        } else {
            (&whole[..], RecursiveMode::Recursive)
        };
        let now: HashSet<&PathBuf> = wanted.iter().collect();
        let stale = std::mem::take(&mut *lock(&self.stale));
        let is_stale =
            |folder: &Path| !stale.is_empty() && folder.ancestors().any(|path| stale.contains(path));
        self.watched.retain(|folder| {
            let stays = now.contains(folder) && !(ONE_BY_ONE && is_stale(folder));
            if !stays && let Err(error) = watcher.unwatch(folder) {
                // A folder that went away took its watch along.
                tracing::debug!(%error, "a folder was not watched any more");
            }
            stays
        });
        let mut new = Vec::new();
        for folder in wanted {
            if self.watched.contains(folder) {
                continue;
            }
            match watcher.watch(folder, mode) {
                Ok(()) => {
                    self.watched.insert(folder.clone());
                    new.push(folder.clone());
                }
                Err(error) => match error.kind {
                    ErrorKind::MaxFilesWatch => return Err(NoEvents::Limit),
                    // It went away since: the next scan does not find it either.
                    ErrorKind::PathNotFound => {}
                    ErrorKind::Io(_) if !folder.is_dir() => {}
                    ErrorKind::Io(_)
                    | ErrorKind::Generic(_)
                    | ErrorKind::WatchNotFound
                    | ErrorKind::InvalidConfig(_) => {
                        tracing::warn!(%error, "a folder cannot be watched");
                        return Err(NoEvents::Unsupported);
                    }
                },
            }
        }
        Ok(new)
    }

    fn forget(&mut self) {
        for folder in self.watched.drain() {
            if let Some(watcher) = &mut self.watcher
                && let Err(error) = watcher.unwatch(&folder)
            {
                // It took its watch along.
                tracing::debug!(%error, "a folder was not watched any more");
            }
        }
    }
}

fn lock(stale: &Mutex<HashSet<PathBuf>>) -> std::sync::MutexGuard<'_, HashSet<PathBuf>> {
    stale.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a path may lead to another folder from now on.
const fn is_another_folder(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Remove(_) | EventKind::Create(CreateKind::Folder) | EventKind::Modify(ModifyKind::Name(_))
    )
}

/// Translates what the system tells.
fn hints_of(root: &Path, heard: notify::Result<Event>) -> Vec<Hint> {
    let event = match heard {
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, "what changed was not told");
            return vec![Hint::Missed];
        }
    };
    if event.need_rescan() {
        return vec![Hint::Missed];
    }
    let make: fn(PathBuf) -> Hint = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Hint::Closed,
        // Whoever only reads changes nothing; we are among them.
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => {
            return Vec::new();
        }
        // Only Linux tells when a file is closed: elsewhere it would stay open for ever.
        EventKind::Modify(ModifyKind::Data(_)) if ONE_BY_ONE => Hint::Written,
        EventKind::Modify(_)
        | EventKind::Create(_)
        | EventKind::Remove(_)
        | EventKind::Any
        | EventKind::Other => Hint::Changed,
    };
    event.paths.into_iter().filter(|path| concerns(root, path)).map(make).collect()
}

/// Whether a path is one that a scan looks at.
fn concerns(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    let mut names = below.iter().map(|name| name.to_str().unwrap_or_default());
    let is_owner_file = below.starts_with(owner::FOLDER);
    is_owner_file || names.all(|name| !names::is_passed_over(name) || names::stands_for_cloud_file(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, DataChange, Flag, ModifyKind, RenameMode};

    fn hints(kind: EventKind, path: &str) -> Vec<Hint> {
        hints_of(Path::new("/r"), Ok(Event::new(kind).add_path(PathBuf::from(path))))
    }

    #[test]
    fn only_what_a_scan_looks_at_is_told() {
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        let path = PathBuf::from("/r/a/index.md");
        let first = if ONE_BY_ONE { Hint::Written(path.clone()) } else { Hint::Changed(path.clone()) };
        assert_eq!(hints(written, "/r/a/index.md"), [first]);
        assert_eq!(hints(closed, "/r/a/index.md"), [Hint::Closed(path.clone())]);
        assert_eq!(hints(renamed, "/r/a/index.md"), [Hint::Changed(path)]);
        assert_eq!(hints(EventKind::Create(CreateKind::Folder), "/r/.git/x"), []);
        assert_eq!(hints(written, "/r/a/.index.md.swp"), []);
        assert_eq!(hints(written, "/elsewhere/index.md"), []);
        assert_eq!(hints(EventKind::Access(AccessKind::Open(AccessMode::Any)), "/r/a/index.md"), []);
        assert_eq!(hints(renamed, "/r/.ichido/owner.json").len(), 1, "who owns the folder may have changed");
        assert_eq!(hints(renamed, "/r/a/.index.md.icloud").len(), 1);
    }

    #[test]
    fn an_overflow_and_an_error_ask_for_a_scan() {
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(hints_of(Path::new("/r"), Ok(overflow)), [Hint::Missed]);
        assert_eq!(hints_of(Path::new("/r"), Err(notify::Error::generic("x"))), [Hint::Missed]);
    }
}
