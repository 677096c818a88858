//! One watched folder: what was seen in it, and what is to be done next.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use ichido_core::digest::Digest;
use ichido_core::time::Timestamp;
use ichido_journal::{Journal, LockError, Owner, WatchLock};

use super::WatchedFolder;
use super::articles::Articles;
use super::back_off::BackOff;
use super::fs_events::Hints;
use super::owner;
use super::settle::{Hint, Settle};
use super::status::{Counts, FolderState, FolderStatus, NoEvents, Noticing, Ownership};
use super::tree::{self, Root, Tree, TreeError};
use crate::settings::Settings;

/// How often a folder is read of which the system does not tell.
const SCAN_EVERY: Duration = Duration::from_secs(60);
/// How often a folder is read all the same, in case the system missed something.
const SCAN_ANYWAY: Duration = Duration::from_secs(3600);

/// What was seen in a folder.
#[derive(Debug)]
pub(super) struct Sight {
    pub(super) root: PathBuf,
    pub(super) settle: Settle,
    pub(super) tree: Tree,
    pub(super) articles: Articles,
    /// Whether it was read at all.
    was_read: bool,
    /// Whether another folder than before lies in its place.
    is_another: bool,
}

/// What a scan came to.
#[derive(Debug)]
pub(super) enum Scanned {
    /// Everything was seen.
    Seen {
        /// Whether anything is otherwise than before.
        changed: bool,
    },
    /// The folder is not there, or another one without articles is in its place.
    Away,
    /// It cannot be read.
    Failed(FolderState),
}

/// One watched folder.
pub(super) struct Folder {
    pub(super) watched: WatchedFolder,
    pub(super) sight: Option<Sight>,
    pub(super) hints: Option<Box<dyn Hints>>,
    /// Keeps other programs from watching it.
    pub(super) lock: Option<Rc<WatchLock>>,
    pub(super) state: FolderState,
    pub(super) noticing: Noticing,
    pub(super) owner: Ownership,
    pub(super) counts: Counts,
    pub(super) checked_at: Option<Timestamp>,
    pub(super) back_off: BackOff,
    /// When what failed is tried again, by the monotonic and by the wall clock.
    pub(super) next_try: Option<(u64, Timestamp)>,
    /// When it is read again although nothing was told, by the monotonic clock.
    pub(super) next_scan: u64,
    /// Whether its articles are to be sorted again.
    pub(super) to_sort: bool,
    /// When this machine said last that it registers from it.
    pub(super) said_at: Option<Timestamp>,
    /// Articles that were in a batch and did not end waiting, as they were: not taken again before they change.
    pub(super) taken: HashMap<PathBuf, Option<Digest>>,
    /// Whether everything that was there at the beginning was quiet and was tried.
    pub(super) tried: bool,
}

impl Sight {
    pub(super) fn new(root: PathBuf, quiet_ms: u64) -> Self {
        Self {
            root,
            settle: Settle::new(quiet_ms),
            tree: Tree::default(),
            articles: Articles::default(),
            was_read: false,
            is_another: false,
        }
    }

    /// Reads the folder, and the articles in it that changed and are quiet.
    pub(super) fn scan(&mut self, settings: &Settings, now: u64) -> Scanned {
        let mut tree = match tree::read(&self.root) {
            Ok(tree) => tree,
            Err(TreeError::Gone) => return Scanned::Away,
            Err(TreeError::TooLarge) => return Scanned::Failed(FolderState::TooLarge),
            Err(TreeError::Unreadable(error)) => {
                tracing::warn!(%error, "a watched folder cannot be read");
                return Scanned::Failed(FolderState::Unreadable);
            }
        };
        if self.is_empty_mount_point(&tree) {
            return Scanned::Away;
        }
        self.is_another |= self.was_read && self.tree.root != tree.root;
        self.articles.complete(&self.root, &mut tree);
        let changed = self.settle.look(&tree.files, now) || self.tree.shape != tree.shape || !self.was_read;
        self.tree = tree;
        self.was_read = true;
        match self.articles.refresh(&self.root, &self.tree, &self.settle, settings) {
            Ok(read) => Scanned::Seen { changed: changed || read > 0 },
            Err(error) => {
                tracing::warn!(%error, "a watched folder went away while it was read");
                Scanned::Away
            }
        }
    }

    /// Whether another folder lies in the place of the one with articles, and it is empty: a drive that is not
    /// mounted. Where folders cannot be told apart, an empty one is enough.
    fn is_empty_mount_point(&self, tree: &Tree) -> bool {
        let is_another = !cfg!(unix) || self.tree.root != tree.root;
        self.was_read && is_another && tree.files.is_empty() && !self.articles.is_empty()
    }

    /// Whether the folder that was read is the one that is there.
    pub(super) fn is_there(&self) -> bool {
        Root::of(&self.root).is_ok_and(|root| root == self.tree.root)
    }
}

impl Folder {
    pub(super) fn new(watched: WatchedFolder) -> Self {
        Self {
            watched,
            sight: None,
            hints: None,
            lock: None,
            state: FolderState::Starting,
            noticing: Noticing::Events,
            owner: Ownership::Nobody,
            counts: Counts::default(),
            checked_at: None,
            back_off: BackOff::default(),
            next_try: None,
            next_scan: 0,
            to_sort: true,
            said_at: None,
            taken: HashMap::new(),
            tried: false,
        }
    }

    /// Returns when something is to be done, by the monotonic clock. `sends` says whether anything may be sent.
    pub(super) fn due(&self, sends: bool) -> u64 {
        if self.to_sort {
            return 0;
        }
        let settle = self.sight.as_ref().and_then(|sight| sight.settle.due());
        // A folder that is not there becomes quiet by nothing that was told.
        let settle = settle.filter(|_| !matches!(self.state, FolderState::Away));
        let again = self.next_try.filter(|_| sends).map(|(at, _)| at);
        [settle, again].into_iter().flatten().fold(self.next_scan, u64::min)
    }

    /// Takes what the system tells of it.
    pub(super) fn hear(&mut self, hint: Hint, now: u64) {
        let Some(sight) = &mut self.sight else { return };
        if hint.path().is_some_and(|path| path.starts_with(sight.root.join(owner::FOLDER))) {
            // Who registers from it is asked whenever its articles are sorted; they have not changed.
            self.to_sort = true;
        } else {
            sight.settle.hear(hint, now);
        }
    }

    /// Takes what a scan came to; asks the system to tell of folders that are new.
    pub(super) fn take(&mut self, scanned: &Scanned, at: Timestamp, now: u64) {
        let every = match scanned {
            Scanned::Seen { changed } => {
                self.to_sort |= *changed || !self.is_readable();
                self.checked_at = Some(at);
                self.watch_folders(now);
                if !self.is_readable() {
                    self.state = FolderState::Watching;
                }
                match self.noticing {
                    Noticing::Events => SCAN_ANYWAY,
                    Noticing::Scanning { every_s, .. } => Duration::from_secs(every_s),
                }
            }
            Scanned::Away => {
                self.to_sort = true;
                self.state = FolderState::Away;
                SCAN_EVERY
            }
            Scanned::Failed(state) => {
                self.to_sort = true;
                self.state = *state;
                SCAN_EVERY
            }
        };
        self.next_scan = now.saturating_add(u64::try_from(every.as_millis()).unwrap_or(u64::MAX));
    }

    fn watch_folders(&mut self, now: u64) {
        let (Some(sight), Some(hints)) = (&mut self.sight, &mut self.hints) else { return };
        let scanning = |why| Noticing::Scanning { why, every_s: SCAN_EVERY.as_secs() };
        if std::mem::take(&mut sight.is_another) {
            hints.forget();
        }
        let watched = hints.watch(&sight.root, &sight.tree.folders);
        self.noticing = match watched {
            Ok(new) => {
                // What came into a new folder before it was watched was not told.
                for folder in new {
                    sight.settle.hear(Hint::Changed(folder), now);
                }
                if is_on_network(&sight.root) { scanning(NoEvents::Network) } else { Noticing::Events }
            }
            Err(why) => {
                if self.noticing == Noticing::Events {
                    tracing::warn!(why = why.as_str(), "a folder is read again and again");
                }
                scanning(why)
            }
        };
    }

    /// Keeps other programs from watching it; `shared` is the lock where it is watched for another site too.
    pub(super) fn take_lock(
        &mut self,
        journal: &Journal,
        owner: &Owner,
        shared: Option<Rc<WatchLock>>,
    ) -> Result<(), LockError> {
        let taken = shared.map_or_else(|| journal.lock_watch(&self.watched.folder, owner).map(Rc::new), Ok);
        match taken {
            Ok(lock) => {
                self.lock = Some(lock);
                Ok(())
            }
            Err(error) => {
                self.state = FolderState::OtherWatcher;
                Err(error)
            }
        }
    }

    /// Whether it is to be read now: that is due, or another folder lies in its place.
    pub(super) fn is_to_be_read(&self, now: u64) -> bool {
        let Some(sight) = self.sight.as_ref().filter(|_| self.next_scan > now) else {
            return self.next_scan <= now;
        };
        let is_away = self.state == FolderState::Away;
        sight.is_there() == is_away || (!is_away && sight.settle.due().is_some_and(|due| due <= now))
    }

    /// Whether it was read, so that its articles can be told of.
    pub(super) const fn is_readable(&self) -> bool {
        !matches!(
            self.state,
            FolderState::Starting
                | FolderState::Away
                | FolderState::TooLarge
                | FolderState::Unreadable
                | FolderState::OtherWatcher
        ) && self.sight.is_some()
    }

    /// Reads it again after a while.
    pub(super) fn read_later(&mut self, now: u64) {
        self.next_scan = now.saturating_add(u64::try_from(SCAN_EVERY.as_millis()).unwrap_or(u64::MAX));
    }

    /// How it stands where nothing is in the way.
    pub(super) fn quiet_state(&self) -> FolderState {
        let settles = self.sight.as_ref().is_some_and(|sight| sight.settle.is_restless());
        if settles { FolderState::Settling } else { FolderState::Watching }
    }

    /// Notes that something in it is restless.
    pub(super) fn note_settling(&mut self) {
        if self.state == FolderState::Watching {
            self.state = self.quiet_state();
        }
    }

    /// Tries again later what failed.
    pub(super) fn try_later(
        &mut self,
        state: FolderState,
        now: u64,
        at: Timestamp,
        jitter: impl Fn(Duration) -> Duration,
    ) {
        let wait = self.back_off.next();
        let wait_ms = u64::try_from((wait + jitter(wait)).as_millis()).unwrap_or(u64::MAX);
        let at = Timestamp(at.0.saturating_add(i64::try_from(wait_ms).unwrap_or(i64::MAX)));
        self.state = state;
        self.next_try = Some((now.saturating_add(wait_ms), at));
    }

    pub(super) fn status(&self) -> FolderStatus {
        FolderStatus {
            site: self.watched.site.clone(),
            folder: self.watched.folder.clone(),
            automatic: self.watched.automatic,
            state: self.state,
            noticing: self.noticing,
            owner: self.owner.clone(),
            counts: self.counts,
            checked_at: self.checked_at,
            next_try_at: self.next_try.map(|(_, at)| at),
        }
    }
}

/// Whether the system does not tell of what other machines change in a folder.
#[cfg(target_os = "linux")]
fn is_on_network(root: &Path) -> bool {
    // NFS, SMB, SMB2, CIFS, 9P, Ceph, AFS, Coda, and what lies behind FUSE, such as SSHFS and rclone.
    const ELSEWHERE: [i64; 9] = [
        0x6969,
        0x517b,
        0xfe53_4d42,
        0xff53_4d42,
        0x0102_1997,
        0x00c3_6400,
        0x5346_414f,
        0x7375_7245,
        0x6573_5546,
    ];
    rustix::fs::statfs(root).is_ok_and(|found| ELSEWHERE.contains(&found.f_type))
}

#[cfg(not(target_os = "linux"))]
const fn is_on_network(_root: &Path) -> bool {
    // Both systems tell of what their own network drives tell them.
    false
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
