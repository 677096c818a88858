//! What the command line and the window ask of the engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ichido_article::{DiscoverError, Finding, Loaded, Location};
use ichido_core::operation::Kind;
use ichido_core::tally::{Barrier, Pause, Tally};
use ichido_journal::{Journal, LockError, Operation, Owner, Places, Runner, Site};
use ichido_wordpress::{Client, Credentials};

use crate::acts::{self, Wish};
use crate::batch::{self, Manner, settle_old};
use crate::clock::{Clock, SystemClock};
use crate::errors::{ActError, RunError};
use crate::event::{ArticleName, Event, Observer, WaitingFor};
use crate::failpoint::{Point, reach};
use crate::foresee::foresee;
use crate::item::{Item, POST_TYPE, has_error};
use crate::pause::pause_of;
use crate::reconcile::Digests;
use crate::report::Report;
use crate::session::Session;
use crate::settings::{Key, Settings};
use crate::stop::Stop;

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
/// How often another runner is asked whether it has finished.
const ASK_RUNNER_EVERY: Duration = Duration::from_millis(250);
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

    /// Changes a setting of a site, or the global one. Returns false if the value was not understood.
    ///
    /// # Errors
    /// Fails if the journal does, or with what values the setting takes.
    pub async fn set(
        &self,
        site: Option<&str>,
        key: Key,
        value: &str,
    ) -> Result<Result<(), crate::SettingError>, RunError> {
        if let Err(error) = Settings::default().set(key, value) {
            return Ok(Err(error));
        }
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = site.map(|name| find_site(&journal, name)).transpose()?;
        runner.set_setting(site.as_ref().map(|site| site.id), key.as_str(), Some(value))?;
        Ok(Ok(()))
    }

    /// Registers a batch.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time. What was sent until then is
    /// in the journal.
    pub async fn register(
        &self,
        batch: Batch,
        observer: &dyn Observer,
        stop: &Stop,
    ) -> Result<Report, RunError> {
        let (journal, runner) = self.lock(batch.wait, observer).await?;
        let site = find_site(&journal, &batch.site)?;
        let _site_lock = self.lock_site(&runner, &site, batch.wait, observer).await?;
        observer.hear(&Event::Started { site: site.name.clone(), articles: batch.articles.len() });
        let clashes = ichido_article::clashes(&batch.articles);
        let mut items = Vec::with_capacity(batch.articles.len());
        for (index, mut loaded) in batch.articles.into_iter().enumerate() {
            loaded
                .findings
                .extend(clashes.iter().filter(|(at, _)| *at == index).map(|(_, finding)| finding.clone()));
            let name = name_of(&loaded);
            observer.hear(&Event::Checked { article: name.clone(), findings: loaded.findings.clone() });
            items.push(Item::of(loaded, name));
        }
        let client = Client::new(&site.rest_root, batch.credentials, self.http.clone())?;
        let settings = settings_of(&journal, Some(&site))?;
        let site_url = journal.setting(Some(site.id), SITE_URL)?.unwrap_or_else(|| site.home.clone());
        let identity = match client.identify().await {
            Ok(identity) => identity.value,
            Err(error) => {
                let pause = pause_of(&error);
                observer.hear(&Event::Paused {
                    reason: pause,
                    detail: Some(error.failure().as_str().to_owned()),
                });
                return without_site(&runner, &site, &site_url, items, pause, self.clock.as_ref(), observer);
            }
        };
        let session = Session {
            runner: &runner,
            client: &client,
            site: &site,
            site_url: &site_url,
            identity: &identity,
            settings,
            clock: self.clock.as_ref(),
            observer,
        };
        let create_tags = batch.create_tags || settings.create_tags;
        if batch.dry_run {
            return foresee(&session, &mut items, create_tags).await;
        }
        let manner = Manner { create_tags, polls: batch.polls };
        let obstacles = batch::run(&session, &mut items, &manner, stop).await?;
        reach(Point::BeforeCloseRun, "run");
        runner.close_run(&self.clock.moment(None))?;
        Ok(report(&items, &site_url, obstacles.barrier, obstacles.pause))
    }

    /// Looks for everything that is in doubt on a site, and for nothing else. Sends nothing.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn reconcile(
        &self,
        site: &str,
        credentials: Credentials,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<Report, RunError> {
        let (journal, runner) = self.lock(wait, observer).await?;
        let site = find_site(&journal, site)?;
        let site_url = journal.setting(Some(site.id), SITE_URL)?.unwrap_or_else(|| site.home.clone());
        let before: Vec<Operation> = runner.needs_attention(Some(site.id))?;
        let client = Client::new(&site.rest_root, credentials, self.http.clone())?;
        let settings = settings_of(&journal, Some(&site))?;
        let mut pause = None;
        match client.identify().await {
            Ok(identity) => {
                let session = Session {
                    runner: &runner,
                    client: &client,
                    site: &site,
                    site_url: &site_url,
                    identity: &identity.value,
                    settings,
                    clock: self.clock.as_ref(),
                    observer,
                };
                settle_old(&session, &digests_now(&before)).await?;
                let halted: Vec<&Operation> =
                    before.iter().filter(|operation| !operation.standing.state.is_in_doubt()).collect();
                crate::reconcile::settle_by_looking(
                    &session,
                    &halted,
                    &Digests::new(),
                    &Digests::new(),
                    crate::looks::Depth::AsNeeded,
                    crate::reconcile::Turn::Last,
                )
                .await?;
                runner.lift_settled_stops(self.clock.now())?;
            }
            Err(error) => {
                pause = Some(pause_of(&error));
                observer.hear(&Event::Paused {
                    reason: pause_of(&error),
                    detail: Some(error.failure().as_str().to_owned()),
                });
            }
        }
        let mut items = Vec::with_capacity(before.len());
        for operation in before {
            let now = runner.operation(operation.op_id)?.unwrap_or(operation);
            items.push(Item::recorded(now));
        }
        let barrier = runner.barriers(Some(site.id))?.first().map(|entry| entry.barrier);
        for item in &items {
            observer.hear(&Event::Ended { article: item.name.clone(), end: item.end(&site_url) });
        }
        Ok(report(&items, &site_url, barrier, pause))
    }

    /// Does what a person wants done about one article or image.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn act(
        &self,
        site: &str,
        credentials: Credentials,
        wish: &Wish,
        observer: &dyn Observer,
    ) -> Result<Operation, ActError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, observer).await?;
        let site = find_site(&journal, site)?;
        let operation = find_operation(&runner, &site, wish)?;
        let client = Client::new(&site.rest_root, credentials, self.http.clone()).map_err(RunError::from)?;
        let settings = settings_of(&journal, Some(&site))?;
        let site_url = journal.setting(Some(site.id), SITE_URL)?.unwrap_or_else(|| site.home.clone());
        let identity = client.identify().await?.value;
        let session = Session {
            runner: &runner,
            client: &client,
            site: &site,
            site_url: &site_url,
            identity: &identity,
            settings,
            clock: self.clock.as_ref(),
            observer,
        };
        acts::perform(&session, operation, wish).await
    }

    /// Does what needs no site: leaves a halt, or takes it up again.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn act_offline(&self, site: &str, wish: &Wish) -> Result<Operation, ActError> {
        use ichido_core::act::Act;
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, site)?;
        let operation = find_operation(&runner, &site, wish)?;
        if !matches!(wish.act, Act::Leave | Act::Unleave) {
            return Err(ActError::NotOffered { act: wish.act, state: operation.standing.state });
        }
        let note = ichido_journal::Note::by_person(self.clock.now());
        runner.apply(operation.op_id, ichido_core::apply::Event::Act(wish.act), note)?;
        Ok(runner.operation(operation.op_id)?.unwrap_or(operation))
    }

    /// Takes away what shuts creating, as a person said after looking. Returns what was taken away.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub async fn release(&self, barrier: Barrier) -> Result<usize, RunError> {
        let (_, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let released = runner.release(None, barrier, ichido_journal::By::Person, self.clock.now())?;
        if barrier == Barrier::UncleanStop {
            runner.close_run(&self.clock.moment(None))?;
        }
        Ok(released.len())
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

    async fn lock_site(
        &self,
        runner: &Runner,
        site: &Site,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<ichido_journal::SiteLock, RunError> {
        let until =
            self.clock.monotonic_ms().saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        loop {
            match runner.lock_site(&site.home) {
                Ok(lock) => return Ok(lock),
                Err(LockError::HeldBy { owner }) => {
                    let left = until.saturating_sub(self.clock.monotonic_ms());
                    if left == 0 {
                        return Err(RunError::HeldBy { owner });
                    }
                    observer.hear(&Event::Waiting { for_ms: left, why: WaitingFor::OtherRunner });
                    self.clock.sleep(ASK_RUNNER_EVERY.min(Duration::from_millis(left))).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Finds and checks articles, on all processors. No network.
///
/// # Errors
/// Fails if a path is missing or holds no article.
pub fn check(paths: &[PathBuf], settings: Settings) -> Result<(Vec<Loaded>, Vec<Finding>), DiscoverError> {
    let found = ichido_article::discover(paths)?;
    let options = ichido_article::Options { strip_metadata: settings.strip_camera, ..Default::default() };
    let mut loaded = load_all(&found.articles, &options);
    for (index, finding) in ichido_article::clashes(&loaded) {
        if let Some(loaded) = loaded.get_mut(index).filter(|loaded| !loaded.findings.contains(&finding)) {
            loaded.findings.push(finding);
        }
    }
    Ok((loaded, found.notes))
}

fn load_all(locations: &[Location], options: &ichido_article::Options) -> Vec<Loaded> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(locations.len().max(1));
    let share = locations.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let shares: Vec<_> = locations
            .chunks(share)
            .map(|share| {
                scope.spawn(move || {
                    share.iter().map(|location| ichido_article::load(location, options)).collect::<Vec<_>>()
                })
            })
            .collect();
        shares.into_iter().filter_map(|share| share.join().ok()).flatten().collect()
    })
}

/// Names a checked article.
#[must_use]
pub fn name_of(loaded: &Loaded) -> ArticleName {
    ArticleName {
        path: PathBuf::from(loaded.location.key()),
        slug: loaded.article.as_ref().map(|article| article.slug.as_str().to_owned()),
        title: loaded.article.as_ref().map(|article| article.title.clone()),
    }
}

pub(crate) fn find_site(journal: &Journal, name: &str) -> Result<Site, RunError> {
    journal.site_by_name(name)?.ok_or_else(|| RunError::NoSuchSite { name: name.to_owned() })
}

fn settings_of(journal: &Journal, site: Option<&Site>) -> Result<Settings, RunError> {
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

fn digests_now(operations: &[Operation]) -> Digests {
    operations
        .iter()
        .filter(|operation| operation.kind == Kind::Post)
        .filter_map(|operation| {
            let found =
                ichido_article::discover(std::slice::from_ref(operation.source_path.as_ref()?)).ok()?;
            let [location] = found.articles.as_slice() else { return None };
            let article = ichido_article::load(location, &ichido_article::Options::default()).article?;
            Some((operation.op_id, ichido_core::digest::Digest(article.source_digest)))
        })
        .collect()
}

/// Finds the operation that a person means: by slug, by the article's folder or file, or by an image
/// of it.
fn find_operation(runner: &Runner, site: &Site, wish: &Wish) -> Result<Operation, ActError> {
    let missing = || ActError::NoSuchArticle { article: wish.article.clone() };
    let slug = wish.article.to_str().and_then(|text| ichido_core::slug::Slug::sanitise(text).ok());
    let by_slug = match &slug {
        Some(slug) => runner.by_key(site.id, Kind::Post, POST_TYPE, &ichido_journal::Key::post(slug))?,
        None => None,
    };
    let post = match by_slug {
        Some(post) => Some(post),
        None => by_path(runner, site, &wish.article)?,
    };
    let Some(image) = &wish.image else { return post.ok_or_else(missing) };
    let post = post.ok_or_else(missing)?;
    for used in runner.images_of(post.op_id)? {
        let Some(operation) = runner.operation(used.image)? else { continue };
        let path = operation.source_path.as_deref();
        if path == Some(image.as_path()) || path.and_then(Path::file_name) == image.file_name() {
            return Ok(operation);
        }
    }
    Err(ActError::NoSuchArticle { article: image.clone() })
}

fn by_path(runner: &Runner, site: &Site, path: &Path) -> Result<Option<Operation>, ActError> {
    let Ok(found) = ichido_article::discover(&[path.to_path_buf()]) else { return Ok(None) };
    let [location] = found.articles.as_slice() else { return Ok(None) };
    let loaded = ichido_article::load(location, &ichido_article::Options::default());
    let Some(article) = loaded.article else { return Ok(None) };
    Ok(runner.by_key(site.id, Kind::Post, POST_TYPE, &ichido_journal::Key::post(&article.slug))?)
}

/// A batch on a site that could not even say who we are: what is done stays so, the rest waits.
fn without_site(
    runner: &Runner,
    site: &Site,
    site_url: &str,
    mut items: Vec<Item>,
    pause: Pause,
    clock: &dyn Clock,
    observer: &dyn Observer,
) -> Result<Report, RunError> {
    for item in &mut items {
        if let Some(article) = &item.article {
            let key = ichido_journal::Key::post(&article.slug);
            item.operation = runner.by_key(site.id, Kind::Post, POST_TYPE, &key)?;
        }
        if item.operation.is_none() && item.held.is_none() {
            item.held = Some(ichido_core::tally::Ending::Waiting);
        }
        observer.hear(&Event::Ended { article: item.name.clone(), end: item.end(site_url) });
    }
    runner.close_run(&clock.moment(None))?;
    let barrier = runner.barriers(Some(site.id))?.first().map(|entry| entry.barrier);
    Ok(report(&items, site_url, barrier, Some(pause)))
}

fn report(items: &[Item], site_url: &str, barrier: Option<Barrier>, pause: Option<Pause>) -> Report {
    let mut tally = Tally::default();
    let mut articles = Vec::with_capacity(items.len());
    for item in items {
        item.count(&mut tally);
        articles.push((item.name.clone(), item.end(site_url)));
    }
    Report { articles, tally, barrier, pause }
}

/// Tells whether an article can be sent as far as its own content goes.
#[must_use]
pub fn is_sendable(loaded: &Loaded) -> bool {
    loaded.article.is_some() && !has_error(&loaded.findings)
}
