//! A runner with its connection to one site.

use std::time::Duration;

use ichido_journal::{Journal, LockError, Runner, Site};
use ichido_wordpress::{Client, Credentials, Identity};

use crate::clock::Clock;
use crate::engine::{Engine, SITE_URL, find_site, settings_of};
use crate::errors::RunError;
use crate::event::{Event, Observer, WaitingFor};
use crate::session::Session;
use crate::settings::Settings;

/// How often another runner is asked whether it has finished.
const ASK_RUNNER_EVERY: Duration = Duration::from_millis(250);

/// Everything that a run needs but who we are on the site.
pub(crate) struct Connection {
    pub(crate) runner: Runner,
    pub(crate) site: Site,
    pub(crate) site_url: String,
    pub(crate) client: Client,
    pub(crate) settings: Settings,
}

impl Connection {
    pub(crate) fn session<'a>(
        &'a self,
        identity: &'a Identity,
        clock: &'a dyn Clock,
        observer: &'a dyn Observer,
    ) -> Session<'a> {
        Session {
            runner: &self.runner,
            client: &self.client,
            site: &self.site,
            site_url: &self.site_url,
            identity,
            settings: self.settings.clone(),
            clock,
            observer,
        }
    }
}

impl Engine {
    /// Becomes the runner and gets ready to speak to a site. Opens no connection yet.
    pub(crate) async fn connect(
        &self,
        site: &str,
        credentials: Credentials,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<Connection, RunError> {
        let (journal, runner) = self.lock(wait, observer).await?;
        let site = find_site(&journal, site)?;
        let site_url = journal.setting(Some(site.id), SITE_URL)?.unwrap_or_else(|| site.home.clone());
        let client = Client::new(&site.rest_root, credentials, self.http.clone())?;
        let settings = settings_of(&journal, Some(&site))?;
        Ok(Connection { runner, site, site_url, client, settings })
    }

    /// Becomes the runner, waiting for another to finish.
    pub(crate) async fn lock(
        &self,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<(Journal, Runner), RunError> {
        let journal = self.journal()?;
        let until =
            self.clock.monotonic_ms().saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let mut told = false;
        loop {
            match journal.lock(&self.owner, self.clock.now()) {
                Ok(runner) => return Ok((journal, runner)),
                Err(LockError::HeldBy { owner }) => {
                    let left = until.saturating_sub(self.clock.monotonic_ms());
                    if left == 0 {
                        return Err(RunError::HeldBy { owner });
                    }
                    if !told {
                        observer.hear(&Event::Waiting { for_ms: left, why: WaitingFor::OtherRunner });
                        told = true;
                    }
                    self.clock.sleep(ASK_RUNNER_EVERY.min(Duration::from_millis(left))).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Keeps runners of other data folders from the site.
    pub(crate) async fn lock_site(
        &self,
        runner: &Runner,
        site: &Site,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<ichido_journal::SiteLock, RunError> {
        let until =
            self.clock.monotonic_ms().saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let mut told = false;
        loop {
            match runner.lock_site(&site.home) {
                Ok(lock) => return Ok(lock),
                Err(LockError::HeldBy { owner }) => {
                    let left = until.saturating_sub(self.clock.monotonic_ms());
                    if left == 0 {
                        return Err(RunError::HeldBy { owner });
                    }
                    if !told {
                        observer.hear(&Event::Waiting { for_ms: left, why: WaitingFor::OtherRunner });
                        told = true;
                    }
                    self.clock.sleep(ASK_RUNNER_EVERY.min(Duration::from_millis(left))).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}
