//! Watched folders on a real file system, by a clock that stands still until a test moves it.
//!
//! What the system tells is waited for; nothing sleeps. Where a fault cannot be made here, its seam is tested in
//! `engine::watch`.

mod faults;
mod machines;
mod program;
mod sites;
mod taken;

use std::cell::RefCell;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ichido_core::id::OpId;
use ichido_core::time::Timestamp;
use ichido_engine::{
    Clock, CredentialSource, Event, FolderState, FolderStatus, Report, RunError, SystemClock, Watch,
    WatchEnd, WatchListener, WatchOptions, WatchStatus, WatchedFolder,
};
use ichido_practice::Kind as Request;
use ichido_tests::{Desk, Place, SITE, Site};
use ichido_wordpress::Credentials;
use tokio::sync::watch;

/// How long an article must be quiet in these tests, by their clock.
const SETTLE: Duration = Duration::from_secs(5);
/// How long a test waits for the system, by the clock on the wall, before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A clock that stands still until it is moved.
struct HeldClock {
    real: SystemClock,
    began: Timestamp,
    passed_ms: watch::Sender<u64>,
}

impl HeldClock {
    fn new() -> Self {
        let real = SystemClock::new();
        Self { began: real.now(), real, passed_ms: watch::channel(0).0 }
    }

    fn advance(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).expect("a short time");
        self.passed_ms.send_modify(|passed| *passed += ms);
    }
}

impl Clock for HeldClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.began.0 + i64::try_from(*self.passed_ms.borrow()).expect("a short time"))
    }

    fn monotonic_ms(&self) -> u64 {
        1_000_000 + *self.passed_ms.borrow()
    }

    fn boot(&self) -> String {
        self.real.boot()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        let until = self.monotonic_ms() + u64::try_from(time.as_millis()).expect("a short time");
        let mut passed = self.passed_ms.subscribe();
        Box::pin(async move {
            drop(passed.wait_for(|passed| 1_000_000 + passed >= until).await);
        })
    }

    fn new_op_id(&self) -> OpId {
        self.real.new_op_id()
    }
}

/// Someone who watches: a handle, the clock, and what was heard.
struct Keeper<'a> {
    site: &'a Site,
    watch: Watch,
    changes: RefCell<watch::Receiver<WatchStatus>>,
    clock: Arc<HeldClock>,
}

/// What the watch told of its batches.
#[derive(Default)]
struct Heard {
    reports: RefCell<Vec<Report>>,
    failed: RefCell<Vec<String>>,
}

impl WatchListener for Heard {
    fn hear(&self, _site: &str, _event: &Event) {}

    fn ended(&self, _site: &str, report: &Report) {
        self.reports.borrow_mut().push(report.clone());
    }

    fn failed(&self, _site: &str, error: &RunError) {
        self.failed.borrow_mut().push(error.to_string());
    }
}

/// The passwords of a desk; none while it is shut.
struct Passwords<'a> {
    desk: &'a Desk,
    shut: std::cell::Cell<bool>,
}

impl CredentialSource for Passwords<'_> {
    fn of<'a>(
        &'a self,
        _site: &'a ichido_journal::Site,
    ) -> Pin<Box<dyn Future<Output = Option<Credentials>> + 'a>> {
        Box::pin(async { (!self.shut.get()).then(|| self.desk.credentials()) })
    }
}

/// The folder of a desk.
fn folder_of(desk: &Desk, automatic: bool) -> WatchedFolder {
    WatchedFolder { site: SITE.to_owned(), folder: desk.articles.clone(), automatic }
}

fn options(desk: &Desk, automatic: bool) -> WatchOptions {
    WatchOptions {
        folders: vec![folder_of(desk, automatic)],
        settle: Some(SETTLE),
        polls: Vec::new(),
        create_tags: true,
        ..WatchOptions::default()
    }
}

/// Watches while a test goes on, and returns what was heard.
async fn watched<'d, F: Future<Output = ()>>(
    site: &'d Site,
    desk: &'d Desk,
    options: WatchOptions,
    test: impl FnOnce(Keeper<'d>) -> F,
) -> (WatchEnd, Heard) {
    let passwords = Passwords { desk, shut: std::cell::Cell::new(false) };
    watched_with(site, desk, options, &passwords, test).await
}

async fn watched_with<'d, F: Future<Output = ()>>(
    site: &'d Site,
    desk: &'d Desk,
    options: WatchOptions,
    passwords: &Passwords<'_>,
    test: impl FnOnce(Keeper<'d>) -> F,
) -> (WatchEnd, Heard) {
    let clock = Arc::new(HeldClock::new());
    let engine = desk.engine().with_clock(clock.clone());
    let heard = Heard::default();
    let (watch, watcher) = Watch::new(options);
    let keeper = Keeper { site, changes: RefCell::new(watch.changes()), watch: watch.clone(), clock };
    let run = watcher.run(&engine, passwords, &heard);
    let test = async {
        test(keeper).await;
        watch.stop();
    };
    let (end, ()) = tokio::join!(run, test);
    (end.expect("it watches"), heard)
}

impl Keeper<'_> {
    /// Waits until what is known is so.
    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn(&WatchStatus) -> bool) -> impl Future<Output = WatchStatus> {
        let mut changes = self.changes.borrow().clone();
        let what = what.to_owned();
        async move {
            let waited = tokio::time::timeout(PATIENCE, changes.wait_for(&is_so))
                .await
                .map(|found| found.expect("it watches").clone());
            waited.unwrap_or_else(|_| panic!("{what} was not seen: {:#?}", *changes.borrow()))
        }
    }

    async fn until_state(&self, state: FolderState) -> FolderStatus {
        let status = self.until(state.as_str(), |status| status.folders[0].state == state).await;
        status.folders[0].clone()
    }

    fn advance(&self, time: Duration) {
        self.clock.advance(time);
    }

    /// Has the folder read now, and waits for that and what follows from it.
    async fn read_now(&self) -> FolderStatus {
        self.advance(Duration::from_millis(1));
        let now = self.clock.now();
        self.watch.check_now();
        let status = self
            .until("a reading", |status| {
                status.folders[0].checked_at == Some(now) && status.working.is_none()
            })
            .await;
        status.folders[0].clone()
    }

    /// Waits until something that was done is noticed, and lets it become quiet.
    async fn settle(&self) -> FolderStatus {
        self.until_state(FolderState::Settling).await;
        self.rest().await
    }

    /// Lets time pass until everything is quiet. What the system still tells meanwhile begins the wait anew.
    async fn rest(&self) -> FolderStatus {
        let mut changes = self.changes.borrow().clone();
        for _ in 0..200 {
            self.advance(SETTLE);
            let now = self.clock.now();
            let is_quiet = |status: &WatchStatus| {
                let folder = &status.folders[0];
                let is_read = folder.checked_at == Some(now) || folder.state == FolderState::Watching;
                is_read && folder.state != FolderState::Settling && status.working.is_none()
            };
            let waited = tokio::time::timeout(Duration::from_millis(300), changes.wait_for(is_quiet)).await;
            if let Ok(found) = waited {
                return found.expect("it watches").folders[0].clone();
            }
        }
        panic!("it does not come to rest: {:#?}", self.watch.status());
    }

    /// Lets the watch begin: everything that is there is read and is quiet.
    async fn begin(&self) -> FolderStatus {
        self.until("the beginning", |status| {
            status.folders.first().is_some_and(|folder| folder.checked_at.is_some())
        })
        .await;
        self.rest().await
    }

    /// Waits until the articles are counted so.
    async fn until_counts(&self, what: &str, is_so: impl Fn(&ichido_engine::Counts) -> bool) -> FolderStatus {
        let status =
            self.until(what, |status| status.working.is_none() && is_so(&status.folders[0].counts)).await;
        status.folders[0].clone()
    }

    /// How many drafts were sent.
    fn sent(&self) -> usize {
        crate::sight::sent(self.site, Request::CreatePost)
    }
}

async fn practice() -> Site {
    Site::start(Place::PracticeNew).await
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
    std::fs::write(&path, text).expect("a file can be written");
    path
}
