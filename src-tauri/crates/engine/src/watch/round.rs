//! What the watcher does between two waits: it reads what is due, and has registered what may be.

use std::path::PathBuf;

use ichido_core::tally::Barrier;
use ichido_journal::{ReadError, Site};

use super::Order;
use super::articles::{Read, path_of};
use super::folder::{Scanned, Sight};
use super::owner::{self, OwnerError};
use super::sort;
use super::status::{FolderState, Ownership, PausedUntil};
use super::watcher::Watching;
use crate::engine::settings_of;
use crate::settings::Settings;

/// Articles of one folder that are to be registered now.
pub(super) struct Due {
    pub(super) site: Site,
    pub(super) settings: Settings,
    pub(super) articles: Vec<Read>,
}

impl Watching<'_> {
    /// Does everything that is due.
    pub(super) async fn work(&mut self) {
        for order in std::mem::take(&mut self.put_off) {
            self.follow(order);
        }
        if let Some(PausedUntil::Moment(at)) = self.paused
            && self.engine.clock.now() >= at
        {
            self.follow(Order::Resume);
        }
        let now = self.now();
        if self.journal_at.is_some_and(|at| at <= now) {
            self.journal_at = None;
            for (_, folder) in &mut self.folders {
                folder.to_sort = true;
            }
        }
        let wall = self.engine.clock.now();
        for (_, folder) in &mut self.folders {
            folder.to_sort |= folder.said_at.is_some_and(|said| wall.0 - said.0 >= owner::SAY_EVERY_MS);
        }
        for at in 0..self.folders.len() {
            self.read(at).await;
        }
        self.tell_status();
        for at in 0..self.folders.len() {
            // An order that came meanwhile may have changed what there is.
            if self.stopping || !self.put_off.is_empty() {
                return;
            }
            if let Some(due) = self.find_due(at).await {
                self.register(at, due).await;
            }
        }
        self.look_for_doubts().await;
        self.tell_status();
    }

    pub(super) fn now(&self) -> u64 {
        self.engine.clock.monotonic_ms()
    }

    /// Reads a folder if that is due.
    async fn read(&mut self, at: usize) {
        let (now, clock_now) = (self.now(), self.engine.clock.now());
        let shared = self.folders.get(at).and_then(|(_, folder)| self.lock_of(&folder.watched.folder));
        let Some((number, folder)) = self.folders.get_mut(at) else { return };
        if !folder.is_to_be_read(now) {
            return;
        }
        if folder.lock.is_none() && folder.take_lock(&self.journal, &self.engine.owner, shared).is_err() {
            folder.read_later(now);
            return;
        }
        let settings = settings_for(&self.journal, &folder.watched.site);
        let quiet = self.options.settle.unwrap_or(settings.watch_settle);
        let quiet_ms = u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX);
        let sight = match folder.sight.take() {
            Some(sight) => Some(sight),
            // What the system tells and what a search finds has paths without links.
            None => folder.watched.folder.canonicalize().ok().map(|root| {
                folder.hints = Some((self.make_hints)(*number, &root, self.tell.clone()));
                Sight::new(root, quiet_ms)
            }),
        };
        let Some(mut sight) = sight else {
            folder.take(&Scanned::Away, clock_now, now);
            return;
        };
        sight.settle.set_quiet(quiet_ms);
        let scan = move || {
            let scanned = sight.scan(&settings, now);
            (sight, scanned)
        };
        let scanned = tokio::task::spawn_blocking(scan).await;
        let Some((_, folder)) = self.folders.get_mut(at) else { return };
        match scanned {
            Ok((sight, scanned)) => {
                folder.sight = Some(sight);
                folder.take(&scanned, clock_now, now);
            }
            Err(error) => {
                tracing::error!(%error, "a watched folder could not be read to its end");
                folder.take(&Scanned::Failed(FolderState::Unreadable), clock_now, now);
            }
        }
    }

    /// Finds what is to be registered of a folder now, and notes how the folder stands.
    async fn find_due(&mut self, at: usize) -> Option<Due> {
        let now = self.now();
        let paused = self.paused.is_some();
        let (_, folder) = self.folders.get_mut(at)?;
        let again = folder.next_try.is_some_and(|(next, _)| next <= now) && !paused;
        if !(folder.to_sort || again) {
            return None;
        }
        folder.to_sort = false;
        if !folder.is_readable() {
            folder.tried = true;
            return None;
        }
        let sorted = match self.sort(at) {
            Ok(sorted) => sorted,
            Err(error) => {
                tracing::warn!(%error, "the journal cannot be read");
                self.try_later(at, FolderState::JournalFailed);
                return None;
            }
        };
        let (_, folder) = self.folders.get_mut(at)?;
        let Some((due, barrier, owner)) = sorted else {
            folder.state = FolderState::NoSite;
            folder.tried = true;
            return None;
        };
        folder.owner = owner;
        let waits = folder.next_try.is_some() && !again && !due.articles.is_empty();
        if waits {
            return None;
        }
        folder.next_try = None;
        folder.state = folder.quiet_state();
        folder.tried = folder.state == FolderState::Watching;
        if let Some(reason) = barrier {
            folder.state = FolderState::Shut { reason };
            folder.tried = true;
            return None;
        }
        let takes_part = folder.watched.automatic || !due.articles.is_empty();
        match &folder.owner {
            Ownership::Elsewhere { .. } if takes_part => folder.state = FolderState::OwnedElsewhere,
            Ownership::Unusable if takes_part => folder.state = FolderState::OwnerUnusable,
            Ownership::Nobody | Ownership::Ours | Ownership::Elsewhere { .. } | Ownership::Unusable => {}
        }
        if matches!(folder.state, FolderState::OwnedElsewhere | FolderState::OwnerUnusable) {
            folder.tried = true;
            return None;
        }
        let says_so = folder.watched.automatic && folder.owner == Ownership::Ours;
        if due.articles.is_empty() {
            folder.back_off.reset();
            if says_so {
                self.own(at);
            }
            return None;
        }
        folder.tried = false;
        if paused || (folder.watched.automatic && !self.own(at)) {
            return None;
        }
        Some(due)
    }

    /// Sorts the articles of a folder. `None` if its site is not known any more.
    fn sort(&mut self, at: usize) -> Result<Option<(Due, Option<Barrier>, Ownership)>, ReadError> {
        let Some((_, folder)) = self.folders.get_mut(at) else { return Ok(None) };
        let Some(site) = self.journal.site_by_name(&folder.watched.site)? else { return Ok(None) };
        let Some(sight) = &folder.sight else { return Ok(None) };
        let settings = settings_for(&self.journal, &site.name);
        let barrier = self.journal.barriers(Some(site.id))?.first().map(|entry| entry.barrier);
        let owner = owner::read(&sight.root, &self.journal.uuid()?, self.engine.clock.now());
        let sorted =
            sort::sort(&self.journal, site.id, sight.articles.all(&sight.root, &sight.tree, &sight.settle))?;
        folder.counts = sorted.counts;
        let articles = sorted
            .to_register(folder.watched.automatic)
            .filter(|read| folder.taken.get(&path_of(&read.location)) != Some(&read.digest))
            .cloned()
            .collect();
        Ok(Some((Due { site, settings, articles }, barrier, owner)))
    }

    /// Writes down that this machine registers from a folder: at first, and then once a day.
    fn own(&mut self, at: usize) -> bool {
        let now = self.engine.clock.now();
        let me = self.engine.machine(&self.journal);
        let Some((_, folder)) = self.folders.get_mut(at) else { return false };
        if folder.said_at.is_some_and(|said| now.0 - said.0 < owner::SAY_EVERY_MS)
            && folder.owner == Ownership::Ours
        {
            return true;
        }
        let Some(sight) = &folder.sight else { return false };
        match me.and_then(|me| owner::claim(&sight.root, &me)) {
            Ok(()) => {
                (folder.owner, folder.said_at) = (Ownership::Ours, Some(now));
                true
            }
            Err(OwnerError::Foreign(by)) => {
                folder.owner = Ownership::Elsewhere { by: *by, stale: false };
                folder.state = FolderState::OwnedElsewhere;
                folder.tried = true;
                false
            }
            Err(error @ (OwnerError::File(_) | OwnerError::Journal(_))) => {
                tracing::warn!(%error, "who registers from a watched folder cannot be written down");
                self.try_later(at, FolderState::OwnerUnusable);
                false
            }
        }
    }

    /// Tries again later what failed.
    pub(super) fn try_later(&mut self, at: usize, state: FolderState) {
        let (now, clock) = (self.now(), &self.engine.clock);
        let at_now = clock.now();
        if let Some((_, folder)) = self.folders.get_mut(at) {
            folder.tried = true;
            folder.try_later(state, now, at_now, |wait| clock.jitter(wait));
        }
    }
}

/// The settings in force for a site; those of nobody where it is not known.
fn settings_for(journal: &ichido_journal::Journal, site: &str) -> Settings {
    let known = journal.site_by_name(site).ok().flatten();
    settings_of(journal, known.as_ref()).unwrap_or_default()
}

/// Whether an article still looks as it did when it was found to be quiet, once it was read again.
pub(super) fn is_as_seen(seen: &Read, loaded: &ichido_article::Loaded) -> bool {
    let digest = loaded.article.as_ref().map(|article| ichido_core::digest::Digest(article.source_digest));
    digest == seen.digest && seen.is_unchanged_on_disk()
}

/// The path under which the journal keeps an article.
pub(super) fn key_of(loaded: &ichido_article::Loaded) -> PathBuf {
    PathBuf::from(loaded.location.key())
}
