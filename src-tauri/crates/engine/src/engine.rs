//! What the command line and the window ask of the engine.

use std::sync::Arc;
use std::time::Duration;

use ichido_article::Loaded;
use ichido_core::tally::Barrier;
use ichido_journal::{Journal, Owner, Places, Site};
use ichido_wordpress::Credentials;

use crate::clock::{Clock, SystemClock};
use crate::errors::RunError;
use crate::event::Event;
use crate::lost;
use crate::settings::{Key, SettingError, Settings};

/// The engine: where the journal is, who runs, and how the site is spoken to. Cheap to make.
pub struct Engine {
    pub(crate) places: Places,
    pub(crate) owner: Owner,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) http: ichido_wordpress::Options,
}

/// A batch of articles to be registered on one site.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The articles, checked.
    pub articles: Vec<Loaded>,
    /// The name of the site.
    pub site: String,
    /// Whom to be there.
    pub credentials: Credentials,
    /// Whether unknown tags are created.
    pub create_tags: bool,
    /// After how long an unknown outcome is looked up again inside the run.
    pub polls: Vec<Duration>,
    /// How long to wait for another runner to finish.
    pub wait: Duration,
    /// Whether to say only what would be done.
    pub dry_run: bool,
}

/// The looks at an unknown outcome inside a run, unless told otherwise: after 5, 20 and 60 s.
pub const DEFAULT_POLLS: [Duration; 3] =
    [Duration::from_secs(5), Duration::from_secs(20), Duration::from_secs(60)];
/// How long to wait for another runner, unless told otherwise: 60 s.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(60);
/// The setting that keeps where WordPress itself is on a site.
pub(crate) const SITE_URL: &str = "site_url";

impl Engine {
    /// Makes an engine that keeps its journal at the places given.
    #[must_use]
    pub fn new(places: Places, program: &str, version: &str) -> Self {
        Self {
            places,
            owner: Owner::this_process(program, version),
            clock: Arc::new(SystemClock::new()),
            http: ichido_wordpress::Options::default(),
        }
    }

    /// Replaces the clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Replaces the bounds of the HTTP clients.
    #[must_use]
    pub fn with_http(mut self, http: ichido_wordpress::Options) -> Self {
        self.http = http;
        self
    }

    /// Opens the journal for reading.
    ///
    /// # Errors
    /// Fails if it cannot be opened. A lost journal is no error but a [`Barrier`].
    pub fn journal(&self) -> Result<Journal, RunError> {
        Ok(Journal::open(&self.places)?)
    }

    /// Returns the settings in force for a site, or the global ones.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub fn settings(&self, site: Option<&str>) -> Result<Settings, RunError> {
        let journal = self.journal()?;
        let site = site.map(|name| find_site(&journal, name)).transpose()?;
        settings_of(&journal, site.as_ref())
    }

    /// Changes a setting of a site, or the global one. The inner error says what values it takes.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub async fn set(
        &self,
        site: Option<&str>,
        key: Key,
        value: &str,
    ) -> Result<Result<(), SettingError>, RunError> {
        if let Err(error) = Settings::default().set(key, value) {
            return Ok(Err(error));
        }
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = site.map(|name| find_site(&journal, name)).transpose()?;
        runner.set_setting(site.as_ref().map(|site| site.id), key.as_str(), Some(value))?;
        Ok(Ok(()))
    }

    /// Takes away what shuts creating, as a person said after looking. Returns what was taken away.
    ///
    /// # Errors
    /// Fails if the journal does, and after a lost journal as long as not every article that is known was looked for:
    /// until then nobody can have seen what is there.
    pub async fn release(&self, barrier: Barrier) -> Result<usize, RunError> {
        let (_, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        if barrier == Barrier::JournalLost
            && runner.barriers(None)?.iter().any(|entry| entry.barrier == barrier)
        {
            let sites = lost::not_looked_on(&runner)?;
            if !sites.is_empty() || runner.sites()?.is_empty() {
                return Err(RunError::NotLooked { sites });
            }
        }
        let released = runner.release(None, barrier, ichido_journal::By::Person, self.clock.now())?;
        if barrier == Barrier::UncleanStop {
            runner.close_run(&self.clock.moment(None))?;
        }
        Ok(released.len())
    }
}

pub(crate) fn find_site(journal: &Journal, name: &str) -> Result<Site, RunError> {
    journal.site_by_name(name)?.ok_or_else(|| RunError::NoSuchSite { name: name.to_owned() })
}

pub(crate) fn settings_of(journal: &Journal, site: Option<&Site>) -> Result<Settings, RunError> {
    let mut settings = Settings::default();
    // What is set for the site stands over what is set for all.
    for scope in std::iter::once(None).chain(site.map(|site| Some(site.id))) {
        for key in Key::ALL {
            let Some(value) = journal.setting(scope, key.as_str())? else { continue };
            if settings.set(key, &value).is_err() {
                tracing::warn!(key = key.as_str(), "a stored setting was not understood");
            }
        }
    }
    Ok(settings)
}
