//! A person's computer with its articles, and the sites that it registers them on.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ichido_core::operation::WaitReason;
use ichido_core::tally::Ending;
use ichido_engine::{
    Batch, DEFAULT_POLLS, End, Engine, Event, Key, Observer, Reason, Report, RunError, Settings, Stop,
};
use ichido_journal::{Journal, Places};
use tempfile::TempDir;

use crate::articles::Articles;
use crate::blog::{Blog, event_line};
use crate::clock::SimClock;
use crate::life::{Copy, Disk, Life};
use crate::sabotage::Sabotage;
use crate::schedule::{Hand, Schedule, What};
use crate::trace::Trace;
use crate::verdict::{self, Property, Told, Violation};

/// Everything of one simulation.
pub(crate) struct World<'a> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) sabotage: Sabotage,
    pub(crate) places: Places,
    pub(crate) articles: RefCell<Articles>,
    pub(crate) blogs: Vec<Blog>,
    pub(crate) life: Arc<Life>,
    pub(crate) clock: Arc<SimClock>,
    pub(crate) trace: RefCell<Trace>,
    pub(crate) found: RefCell<Vec<Violation>>,
    pub(crate) copies: RefCell<Vec<Copy>>,
    pub(crate) round: usize,
    _folder: TempDir,
}

/// A folder in memory, where there is one.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let builder = &mut tempfile::Builder::new();
    let builder = builder.prefix("ichido-simulation-");
    let made = if memory.is_dir() { builder.tempdir_in(memory) } else { builder.tempdir() };
    made.expect("a folder can be made")
}

impl<'a> World<'a> {
    pub(crate) async fn new(schedule: &'a Schedule, sabotage: Sabotage, trace: Trace) -> Self {
        let folder = folder();
        let places = Places {
            data_dir: folder.path().join("data"),
            sidecar_dir: folder.path().join("state"),
            lock_dir: folder.path().join("locks"),
        };
        let root = folder.path().join("articles");
        let articles = Articles::write(&root, schedule.seed, schedule.articles);
        let life = Arc::new(Life::new(Disk::new(places.clone())));
        let clock = Arc::new(SimClock::new(Arc::clone(&life)));
        let mut blogs = Vec::new();
        for (number, manners) in schedule.sites.iter().enumerate() {
            blogs.push(Blog::start(number, *manners, &clock, &life).await);
        }
        let world = Self {
            schedule,
            sabotage,
            places,
            articles: RefCell::new(articles),
            blogs,
            life,
            clock,
            trace: RefCell::new(trace),
            found: RefCell::default(),
            copies: RefCell::default(),
            round: 0,
            _folder: folder,
        };
        for blog in &world.blogs {
            world.add_site(blog).await;
            if sabotage == Sabotage::HastyWindow {
                let set = world.engine().set(Some(&blog.name), Key::Window, "1").await;
                set.expect("the journal can be written").expect("a minute is allowed");
            }
        }
        world
    }

    pub(crate) fn note(&self, line: String) {
        self.trace.borrow_mut().note(line);
    }

    pub(crate) fn count(&self, what: impl Into<String>) {
        self.trace.borrow_mut().count(what);
    }

    /// An engine, as a new start of the program has it.
    pub(crate) fn engine(&self) -> Engine {
        let http = ichido_wordpress::Options {
            answer_cap: 256 * 1024,
            jitter: false,
            ..ichido_wordpress::Options::default()
        };
        Engine::new(self.places.clone(), "ichido-simulation", "0")
            .with_clock(Arc::<SimClock>::clone(&self.clock))
            .with_http(http)
    }

    /// Tells the program of a site. False if that could not be done now.
    pub(crate) async fn add_site(&self, blog: &Blog) -> bool {
        let engine = self.engine();
        let added = self.life.live(engine.add_site(&blog.name, blog.url(), blog.credentials())).await;
        let added = matches!(added, Some(Ok(_)));
        self.note(format!("{} added: {added}", blog.name));
        added
    }

    /// Registers all articles on a site. Nothing is returned where the program was killed or could not run.
    pub(crate) async fn register(&self, blog: &Blog) -> Option<Report> {
        let root = self.articles.borrow().root().to_owned();
        let Ok((articles, _)) = ichido_engine::check(std::slice::from_ref(&root), Settings::default()) else {
            self.note("no articles".to_owned());
            return None;
        };
        let given: Vec<PathBuf> = articles.iter().map(|loaded| ichido_engine::name_of(loaded).path).collect();
        let skipped = usize::from(self.sabotage == Sabotage::Skips);
        let batch = Batch {
            articles: articles.into_iter().skip(skipped).collect(),
            site: blog.name.clone(),
            credentials: blog.credentials(),
            create_tags: true,
            polls: DEFAULT_POLLS.to_vec(),
            wait: Duration::ZERO,
            dry_run: false,
        };
        let listener = Listener::new(self, blog);
        let engine = self.engine();
        let ran = self.life.live(engine.register(batch, &listener, &listener.stop)).await;
        listener.hands_that_are_left();
        blog.observe(&self.trace);
        match ran {
            None => {
                self.note(format!("{} killed", blog.name));
                None
            }
            Some(Err(error)) => {
                self.could_not_run(&error);
                None
            }
            Some(Ok(mut report)) => {
                self.sabotage.spoil_report(&mut report);
                self.hold_against_journal(&given, &listener.told.into_inner(), &report);
                self.note(format!(
                    "{} {:?} {:?} {:?}",
                    blog.name, report.tally, report.barrier, report.pause
                ));
                Some(report)
            }
        }
    }

    fn hold_against_journal(&self, given: &[PathBuf], told: &Told, report: &Report) {
        match Journal::open(&self.places) {
            Ok(journal) => {
                let silent = verdict::nothing_is_silent(given, told, report, &journal);
                self.found.borrow_mut().extend(silent);
            }
            Err(error) => self.find(Property::Journal, format!("{error:?}")),
        }
    }

    fn could_not_run(&self, error: &RunError) {
        if matches!(error, RunError::NoSuchSite { .. }) {
            self.note("no such site".to_owned());
        } else {
            self.find(Property::Failed, format!("a run: {error:?}"));
        }
    }

    /// What of a site has not come to rest.
    pub(crate) fn restless(&self, report: &Report) -> Option<String> {
        let articles = report.articles.iter().filter(|(_, end)| match end.ending {
            Ending::Waiting if end.reason == Some(Reason::Wait(WaitReason::ImageInDoubt)) => {
                !self.has_left_image(end)
            }
            Ending::Created
            | Ending::Adopted
            | Ending::Verified
            | Ending::Skipped
            | Ending::NeedsWork
            | Ending::Left => false,
            Ending::Unknown | Ending::Halted | Ending::Waiting | Ending::Refused => true,
        });
        let mut restless: Vec<String> = articles
            .map(|(name, end)| {
                let reason = end.reason.map(ichido_engine::Reason::as_str).unwrap_or_default();
                format!("{} {} {reason}", name.slug.as_deref().unwrap_or_default(), end.ending.as_str())
            })
            .collect();
        restless.extend(report.barrier.map(|barrier| format!("{barrier:?}")));
        restless.extend(report.pause.map(|pause| format!("{pause:?}")));
        (!restless.is_empty()).then(|| restless.join(", "))
    }
}

impl World<'_> {
    /// Whether an article waits for an image whose halt a person left: it is not meant to go on.
    fn has_left_image(&self, end: &End) -> bool {
        let Ok(journal) = Journal::open(&self.places) else { return false };
        let used = end.op_id.and_then(|op_id| journal.images_of(op_id).ok()).unwrap_or_default();
        let mut images = used.iter().filter_map(|used| journal.operation(used.image).ok().flatten());
        images.any(|image| image.standing.left)
    }
}

/// Hears what a run tells, and lets people do things on the site meanwhile.
struct Listener<'a> {
    world: &'a World<'a>,
    blog: &'a Blog,
    hands: RefCell<Vec<(u32, Hand)>>,
    stops_at: Option<u32>,
    stop: Stop,
    heard: Cell<u32>,
    told: RefCell<Told>,
}

impl<'a> Listener<'a> {
    fn new(world: &'a World<'a>, blog: &'a Blog) -> Self {
        let site = world.blogs.iter().position(|other| other.name == blog.name).unwrap_or(0);
        let here = world.schedule.troubles_of(world.round).filter(|trouble| trouble.site == site);
        let mut hands = Vec::new();
        let mut stops_at = None;
        for trouble in here {
            match trouble.what {
                What::Hand(after, hand) => hands.push((after, hand)),
                What::Stop(after) => stops_at = Some(after),
                What::Fault(..)
                | What::Kill(_)
                | What::Edit(..)
                | What::Journal(_)
                | What::Maintenance
                | What::HidesNewDrafts
                | What::WrongPassword
                | What::Contributor
                | What::WrongClock(_)
                | What::Reboot => {}
            }
        }
        let listener = Self {
            world,
            blog,
            hands: RefCell::new(hands),
            stops_at,
            stop: Stop::default(),
            heard: Cell::new(0),
            told: RefCell::default(),
        };
        listener.due_hands();
        listener
    }

    fn due_hands(&self) {
        let heard = self.heard.get();
        let due: Vec<Hand> = {
            let mut hands = self.hands.borrow_mut();
            let due = hands.iter().filter(|(after, _)| *after <= heard).map(|(_, hand)| *hand).collect();
            hands.retain(|(after, _)| *after > heard);
            due
        };
        for hand in due {
            self.blog.by_hand(hand, &self.world.articles.borrow(), &self.world.trace);
        }
    }

    fn hands_that_are_left(&self) {
        self.heard.set(u32::MAX);
        self.due_hands();
    }
}

impl Observer for Listener<'_> {
    fn hear(&self, event: &Event) {
        self.world.life.step();
        self.heard.set(self.heard.get() + 1);
        self.world.note(event_line(event));
        {
            let mut told = self.told.borrow_mut();
            match event {
                Event::Ended { article, end } => {
                    self.world.count(format!("end {}", end.ending.as_str()));
                    told.ends.insert(article.path.clone(), end.clone());
                }
                Event::Checked { article, findings } => {
                    if !findings.is_empty() {
                        *told.kept_back.entry(article.path.clone()).or_default() += 1;
                    }
                }
                Event::Noted { article, note } => {
                    if note.keeps_back() {
                        *told.kept_back.entry(article.path.clone()).or_default() += 1;
                    }
                }
                Event::Paused { reason, .. } => self.world.count(format!("pause {reason:?}")),
                Event::Barrier { reason } => self.world.count(format!("barrier {reason:?}")),
                Event::Started { .. }
                | Event::Step { .. }
                | Event::Foreseen { .. }
                | Event::Waiting { .. } => {}
            }
        }
        self.world.sabotage.meanwhile(self.blog, event);
        if self.stops_at.is_some_and(|at| self.heard.get() >= at) {
            if !self.stop.is_requested() {
                self.world.count("stop");
            }
            self.stop.request();
        }
        self.due_hands();
    }
}
