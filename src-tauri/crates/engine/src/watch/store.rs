//! Which folders are watched for which sites, as kept in the journal.

use std::path::{Path, PathBuf};

use ichido_journal::Journal;

use super::WatchedFolder;
use super::owner::{self, FolderOwner, OwnerError};
use super::status::Ownership;
use crate::engine::{DEFAULT_WAIT, Engine, find_site};
use crate::errors::RunError;
use crate::event::Event;

const FOLDER: &str = "watch_folder";
const AUTOMATIC: &str = "watch_automatic";
const ON: &str = "on";

impl Engine {
    /// Returns the folders that are watched: one a site at most, by the names of the sites.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub fn watched_folders(&self) -> Result<Vec<WatchedFolder>, RunError> {
        let journal = self.journal()?;
        let mut watched = Vec::new();
        for site in journal.sites()? {
            let Some(folder) = journal.setting(Some(site.id), FOLDER)? else { continue };
            let automatic = journal.setting(Some(site.id), AUTOMATIC)?.as_deref() == Some(ON);
            watched.push(WatchedFolder { site: site.name, folder: PathBuf::from(folder), automatic });
        }
        Ok(watched)
    }

    /// Keeps which folder is watched for a site, or none. Another folder begins with automatic registration off.
    ///
    /// A running watcher is told by [`Watch::set_folders`](super::Watch::set_folders).
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn watch_folder(&self, site: &str, folder: Option<&Path>) -> Result<(), RunError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, site)?;
        // A path that is no text cannot be kept, nor can an article in it be journalled.
        let folder = folder.map(Path::to_string_lossy);
        let before = journal.setting(Some(site.id), FOLDER)?;
        if before.as_deref() != folder.as_deref() {
            runner.set_setting(Some(site.id), AUTOMATIC, None)?;
        }
        runner.set_setting(Some(site.id), FOLDER, folder.as_deref())?;
        Ok(())
    }

    /// Switches automatic registration from the folder of a site on or off, as a person said.
    ///
    /// A running watcher is told by [`Watch::set_folders`](super::Watch::set_folders).
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn watch_automatically(&self, site: &str, on: bool) -> Result<(), RunError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, site)?;
        runner.set_setting(Some(site.id), AUTOMATIC, on.then_some(ON))?;
        Ok(())
    }

    /// Returns which machine registers from a folder. Writes nothing.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub fn folder_owner(&self, folder: &Path) -> Result<Ownership, RunError> {
        Ok(owner::read(folder, &self.journal()?.uuid()?, self.clock.now()))
    }

    /// Makes this machine the one that registers from a folder, as a person said. Where a watcher runs in this
    /// program, [`Watch::take_over`](super::Watch::take_over) does the same and goes on at once.
    ///
    /// # Errors
    /// Fails if the folder cannot be written to, or the journal cannot be read.
    pub fn take_over_folder(&self, folder: &Path) -> Result<(), OwnerError> {
        let journal = self.journal().map_err(|error| OwnerError::Journal(Box::new(error)))?;
        owner::take_over(folder, &self.machine(&journal)?)
    }

    /// Names this machine towards others.
    pub(super) fn machine(&self, journal: &Journal) -> Result<FolderOwner, OwnerError> {
        let now = self.clock.now();
        Ok(FolderOwner {
            machine: self.owner.host.clone(),
            user: self.owner.user.clone(),
            journal: journal.uuid().map_err(|error| OwnerError::Journal(Box::new(error.into())))?,
            since: now,
            seen: now,
        })
    }
}
