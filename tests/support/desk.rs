//! Someone at work: an engine with its folders, a clock that a test drives, and articles on a disk.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ichido_core::act::Act;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{Kind, State};
use ichido_core::time::Timestamp;
use ichido_engine::{
    ActError, ArticleName, Batch, Clock, DEFAULT_POLLS, Engine, Event, Report, RunError, Settings, Stop,
    SystemClock, Wish,
};
use ichido_journal::{Journal, Operation, Places};
use ichido_wordpress::{Credentials, Timeouts};
use secrecy::SecretString;
use tempfile::TempDir;

use crate::site::{Site, Who};

type OnSleep = Box<dyn Fn(Duration) + Send>;

/// A clock that sleeps at once: what was slept is added to the time that has passed.
pub struct TestClock {
    real: SystemClock,
    ahead_ms: AtomicU64,
    on_sleep: Mutex<Option<OnSleep>>,
}

impl TestClock {
    fn new() -> Self {
        Self { real: SystemClock::new(), ahead_ms: AtomicU64::new(0), on_sleep: Mutex::new(None) }
    }

    /// Lets time pass.
    pub fn advance(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).expect("a short time");
        self.ahead_ms.fetch_add(ms, Ordering::SeqCst);
        if let Some(on_sleep) = &*self.on_sleep.lock().unwrap_or_else(PoisonError::into_inner) {
            on_sleep(time);
        }
    }

    /// Does something whenever time passes.
    pub fn on_sleep(&self, act: impl Fn(Duration) + Send + 'static) {
        *self.on_sleep.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let ahead = i64::try_from(self.ahead_ms.load(Ordering::SeqCst)).expect("a short time");
        Timestamp(self.real.now().0 + ahead)
    }

    fn monotonic_ms(&self) -> u64 {
        self.real.monotonic_ms() + self.ahead_ms.load(Ordering::SeqCst)
    }

    fn boot(&self) -> String {
        self.real.boot()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(async move {
            self.advance(time);
            tokio::task::yield_now().await;
        })
    }

    fn new_op_id(&self) -> OpId {
        self.real.new_op_id()
    }
}

/// The name under which a desk knows its site.
pub const SITE: &str = "blog";

/// Someone at work on one site.
pub struct Desk {
    /// Where the articles are.
    pub articles: PathBuf,
    /// The time, as the engine sees it.
    pub clock: Arc<TestClock>,
    /// Where the journal is.
    pub places: Places,
    /// After how long an unknown outcome is looked up again.
    pub polls: Vec<Duration>,
    /// Whether unknown tags are made.
    pub create_tags: bool,
    /// Everything that was told.
    pub heard: Mutex<Vec<Event>>,
    credentials: Mutex<Credentials>,
    who: Who,
    folder: TempDir,
}

impl Desk {
    /// Sits down to work as an author.
    pub async fn at(site: &Site) -> Desk {
        Desk::at_as(site, Who::Author).await
    }

    /// Sits down to work as this user.
    pub async fn at_as(site: &Site, who: Who) -> Desk {
        let desk = Desk::without_site(site, who, &std::env::temp_dir());
        let credentials = desk.credentials();
        desk.engine().add_site(SITE, &site.url(), credentials).await.expect("the site can be added");
        desk
    }

    /// Sits down as an author with everything on a disk in memory, where there is one: what costs no real sync can be
    /// done thousands of times.
    pub async fn in_memory(site: &Site) -> Desk {
        let desk = Desk::without_site_in_memory(site);
        let credentials = desk.credentials();
        desk.engine().add_site(SITE, &site.url(), credentials).await.expect("the site can be added");
        desk
    }

    /// The same before the first start: no site is known, nor has anything been made but the articles' folder.
    pub fn without_site_in_memory(site: &Site) -> Desk {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        Desk::without_site(site, Who::Author, &parent)
    }

    fn without_site(site: &Site, who: Who, parent: &Path) -> Desk {
        let folder = tempfile::tempdir_in(parent).expect("a folder can be made");
        let places = Places {
            data_dir: folder.path().join("data"),
            sidecar_dir: folder.path().join("state"),
            lock_dir: folder.path().join("locks"),
        };
        let articles = folder.path().join("articles");
        std::fs::create_dir(&articles).expect("a folder can be made");
        Desk {
            articles,
            clock: Arc::new(TestClock::new()),
            places,
            polls: DEFAULT_POLLS.to_vec(),
            create_tags: true,
            heard: Mutex::new(Vec::new()),
            credentials: Mutex::new(credentials(site, who)),
            who,
            folder,
        }
    }

    /// The user.
    pub fn who(&self) -> Who {
        self.who
    }

    /// A folder of this desk for other things.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Works with another password from now on.
    pub fn use_password(&self, password: &str) {
        let made = Credentials::new(self.who.login(), &SecretString::from(password)).expect("a password");
        *self.credentials.lock().unwrap_or_else(PoisonError::into_inner) = made;
    }

    /// The credentials in use.
    pub fn credentials(&self) -> Credentials {
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An engine, as a new start of the program has it.
    pub fn engine(&self) -> Engine {
        let quick = Timeouts {
            connect: Duration::from_secs(5),
            write_idle: Duration::from_secs(5),
            first_byte: Duration::from_secs(20),
            read_idle: Duration::from_secs(5),
            whole_answer: Duration::from_secs(30),
        };
        let http = ichido_wordpress::Options {
            creating: quick,
            reading: quick,
            back_off: vec![Duration::from_millis(1); 2],
            ..ichido_wordpress::Options::default()
        };
        Engine::new(self.places.clone(), "ichido-tests", "0").with_clock(self.clock.clone()).with_http(http)
    }

    /// Writes an article `slug/index.md` with this title and text.
    pub fn write(&self, slug: &str, title: &str, text: &str) -> PathBuf {
        self.write_with(slug, &format!("title: {title:?}\nslug: {slug:?}"), text)
    }

    /// Writes an article `slug/index.md` with this front matter and text.
    pub fn write_with(&self, folder: &str, front: &str, text: &str) -> PathBuf {
        let folder = self.articles.join(folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        std::fs::write(folder.join("index.md"), format!("---\n{front}\n---\n\n{text}\n"))
            .expect("a file can be written");
        folder
    }

    /// Writes a small picture that differs by `seed`.
    pub fn picture(&self, folder: &str, name: &str, seed: u8) -> PathBuf {
        let path = self.articles.join(folder).join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(&path, png(seed)).expect("a file can be written");
        path
    }

    /// Registers everything in the folder of articles.
    ///
    /// # Errors
    /// As the engine does.
    pub async fn try_register(&self) -> Result<Report, RunError> {
        self.register_paths(std::slice::from_ref(&self.articles)).await
    }

    /// Registers everything below these paths.
    ///
    /// # Errors
    /// As the engine does.
    pub async fn register_paths(&self, paths: &[PathBuf]) -> Result<Report, RunError> {
        self.register_until(paths, &Stop::default()).await
    }

    /// Registers everything below these paths, unless stopped.
    ///
    /// # Errors
    /// As the engine does.
    pub async fn register_until(&self, paths: &[PathBuf], stop: &Stop) -> Result<Report, RunError> {
        self.register_as(paths, Settings::default(), stop).await
    }

    /// Registers everything with the settings that are kept.
    pub async fn register_as_set(&self) -> Report {
        let settings = self.engine().settings(Some(SITE)).expect("settings");
        let paths = std::slice::from_ref(&self.articles);
        self.register_as(paths, settings, &Stop::default()).await.expect("the batch runs")
    }

    async fn register_as(
        &self,
        paths: &[PathBuf],
        settings: Settings,
        stop: &Stop,
    ) -> Result<Report, RunError> {
        let (articles, _) = ichido_engine::check(paths, settings).expect("there are articles");
        let batch = Batch {
            articles,
            site: SITE.to_owned(),
            credentials: self.credentials(),
            create_tags: self.create_tags,
            polls: self.polls.clone(),
            wait: Duration::ZERO,
            dry_run: false,
        };
        let hear =
            |event: &Event| self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        self.engine().register(batch, &hear, stop).await
    }

    /// Registers everything, which must not fail.
    pub async fn register(&self) -> Report {
        self.try_register().await.expect("the batch runs")
    }

    /// Looks for what is in doubt.
    pub async fn reconcile(&self) -> Report {
        let nobody = |_: &Event| {};
        self.engine()
            .reconcile(SITE, self.credentials(), Duration::ZERO, &nobody)
            .await
            .expect("looking works")
    }

    /// Does a person's act on an article, typing its slug.
    ///
    /// # Errors
    /// As the engine does.
    pub async fn act(&self, slug: &str, act: Act, id: Option<u64>) -> Result<Operation, ActError> {
        let wish = Wish {
            article: PathBuf::from(slug),
            image: None,
            act,
            id: id.map(RemoteId),
            typed: Some(slug.to_owned()),
        };
        self.engine().act(SITE, self.credentials(), &wish, &|_: &Event| {}).await
    }

    /// The journal, for reading.
    pub fn journal(&self) -> Journal {
        Journal::open(&self.places).expect("the journal opens")
    }

    /// The record of an article.
    pub fn record(&self, slug: &str) -> Operation {
        let journal = self.journal();
        let site = journal.site_by_name(SITE).expect("sites").expect("the site");
        let slug = ichido_core::slug::Slug::sanitise(slug).expect("a slug");
        let key = ichido_journal::Key::post(&slug);
        journal.by_key(site.id, Kind::Post, "post", &key).expect("records").expect("a record")
    }

    /// The state of an article's record.
    pub fn state(&self, slug: &str) -> State {
        self.record(slug).standing.state
    }

    /// Forgets what was told.
    pub fn forget(&self) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// How the article of this slug ended.
pub fn ending(report: &Report, slug: &str) -> ichido_core::tally::Ending {
    let of = |name: &ArticleName| name.slug.as_deref() == Some(slug);
    report
        .articles
        .iter()
        .find(|(name, _)| of(name))
        .unwrap_or_else(|| panic!("{slug} in {report:?}"))
        .1
        .ending
}

fn credentials(site: &Site, who: Who) -> Credentials {
    let known = site.credentials(who);
    Credentials::new(&known.login, &SecretString::from(known.password)).expect("credentials of the site")
}

/// A picture of 8 x 8 pixels in one colour, as PNG with stored (not compressed) pixels.
pub fn png(seed: u8) -> Vec<u8> {
    let mut rows = Vec::new();
    for _ in 0..8 {
        rows.push(0);
        rows.extend([seed, seed.wrapping_mul(31), 255 - seed].repeat(8));
    }
    let mut zlib = vec![0x78, 0x01, 0x01];
    let length = u16::try_from(rows.len()).expect("a small picture");
    zlib.extend(length.to_le_bytes());
    zlib.extend((!length).to_le_bytes());
    zlib.extend(&rows);
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &rows {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    zlib.extend(((b << 16) | a).to_be_bytes());
    let mut header = Vec::new();
    header.extend(8_u32.to_be_bytes());
    header.extend(8_u32.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut png = vec![0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
    for (name, data) in [(b"IHDR", header), (b"IDAT", zlib), (b"IEND", Vec::new())] {
        png.extend(u32::try_from(data.len()).expect("a small picture").to_be_bytes());
        let mut chunk = name.to_vec();
        chunk.extend(data);
        png.extend(&chunk);
        png.extend(crc32(&chunk).to_be_bytes());
    }
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
