//! From a schedule to what came of it.

use std::time::Duration;

use ichido_core::tally::Ending;
use ichido_engine::{End, Report};
use ichido_journal::Journal;
use ichido_practice::Hiding;

use crate::blog::{Blog, is_live};
use crate::coverage::{Coverage, variant};
use crate::dice::Dice;
use crate::ledger::Intent;
use crate::person::Mood;
use crate::sabotage::Sabotage;
use crate::schedule::{Edit, JournalTrouble, ROUNDS, Schedule, What};
use crate::trace::Trace;
use crate::verdict::{Property, Violation, journal_is_whole};
use crate::world::World;

/// How many rounds everything may take to come to rest.
const QUIET_ROUNDS: usize = 10;

/// What came of a simulation.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The digest of everything that happened.
    pub trace: String,
    /// What happened, where that was kept.
    pub lines: Vec<String>,
    /// What should not have.
    pub violations: Vec<Violation>,
    /// What happened how often.
    pub coverage: Coverage,
}

/// Plays a schedule from beginning to end.
///
/// # Panics
/// When this computer does not give what a simulation needs: a folder, a port.
#[must_use]
pub fn play(schedule: &Schedule, sabotage: Sabotage, keeps_lines: bool) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Time passes only when there is nothing else to do.
        .start_paused(true)
        // Bytes on their way through the loopback device arrive before time passes.
        .on_thread_park(std::thread::yield_now)
        .build()
        .expect("a runtime can be made");
    runtime.block_on(async {
        let world = World::new(schedule, sabotage, Trace::new(keeps_lines)).await;
        world.play().await
    })
}

impl World<'_> {
    async fn play(mut self) -> Outcome {
        for round in 0..ROUNDS {
            self.round = round;
            self.note(format!("round {round}"));
            self.before_round().await;
            for index in 0..self.blogs.len() {
                self.troubled(index).await;
            }
            self.life.disarm();
            self.copies.borrow_mut().push(self.life.disk().copy());
            let mut dice = Dice::of(&[self.schedule.seed, 5, round as u64]);
            let pause = dice.pick(&[2, 40, 40, 660, 7200]);
            tokio::time::sleep(Duration::from_secs(pause)).await;
        }
        self.clock.set_wrong(0);
        for blog in &self.blogs {
            blog.handle.faults().clear();
        }
        let (mut rested, mut restless) = (Vec::new(), Vec::new());
        for round in 0..QUIET_ROUNDS {
            self.round = ROUNDS + round;
            self.note(format!("quiet round {round}"));
            let mood = if round < QUIET_ROUNDS - 3 { Mood::Patient } else { Mood::Tired };
            rested.clear();
            restless.clear();
            for blog in &self.blogs {
                match self.quiet(blog, mood).await {
                    Ok(report) => rested.push(report),
                    Err(why) => restless.push(why),
                }
            }
            if rested.len() == self.blogs.len() {
                break;
            }
            tokio::time::sleep(Duration::from_secs(660)).await;
        }
        if rested.len() == self.blogs.len() {
            self.everything_is_there(&rested);
        } else {
            self.find(Property::Restless, restless.join("; "));
        }
        self.finish()
    }

    /// What happens while the program does not run.
    async fn before_round(&self) {
        for trouble in self.schedule.troubles_of(self.round) {
            let blog = &self.blogs[trouble.site];
            match &trouble.what {
                What::Fault(when, fault) => blog.handle.faults().push(*when, fault.clone()),
                What::Edit(article, edit) => {
                    let done = self.articles.borrow_mut().edit(*article, *edit);
                    let moves = matches!(edit, Edit::Folder | Edit::Slug);
                    for blog in self.blogs.iter().filter(|_| done) {
                        let mut ledger = blog.ledger.borrow_mut();
                        if moves {
                            ledger.touch(Intent::Article(*article));
                        }
                        ledger.edit(*article, moves);
                    }
                    self.note(format!("edited {article} {edit:?}: {done}"));
                    if done {
                        self.count(format!("edit {}", variant(edit)));
                    }
                }
                What::Journal(what) => self.harm_journal(*what),
                What::WrongClock(by_ms) => {
                    self.clock.set_wrong(*by_ms);
                    self.count("wrong clock");
                }
                What::Reboot => {
                    self.clock.reboot();
                    self.count("reboot");
                }
                What::Kill(_)
                | What::Stop(_)
                | What::Hand(..)
                | What::Maintenance
                | What::HidesNewDrafts
                | What::WrongPassword
                | What::Contributor => {}
            }
        }
    }

    fn harm_journal(&self, what: JournalTrouble) {
        let disk = self.life.disk();
        match what {
            JournalTrouble::Missing => disk.remove_journal(),
            JournalTrouble::Older => {
                if let Some(first) = self.copies.borrow().first() {
                    disk.put_back_journal(first);
                }
            }
            JournalTrouble::NoSidecar => disk.remove_sidecar(),
            JournalTrouble::Damaged => disk.damage_journal(),
        }
        self.blogs.iter().for_each(|blog| blog.ledger.borrow_mut().forget());
        self.note(format!("journal {what:?}"));
        self.count(format!("journal {what:?}"));
    }

    async fn troubled(&self, index: usize) {
        let Some(blog) = self.blogs.get(index) else { return };
        let here: Vec<&What> = self
            .schedule
            .troubles_of(self.round)
            .filter(|trouble| trouble.site == index)
            .map(|trouble| &trouble.what)
            .collect();
        self.life.disarm();
        for what in &here {
            match what {
                What::Kill(at) => self.life.arm(*at),
                What::Maintenance => blog.handle.maintenance(true),
                What::HidesNewDrafts => blog.handle.hide_new_drafts(true),
                What::WrongPassword => blog.password_is_right.set(false),
                What::Contributor => {
                    blog.may_upload(false);
                    self.count("contributor");
                }
                What::Fault(..)
                | What::Stop(_)
                | What::Hand(..)
                | What::Edit(..)
                | What::Journal(_)
                | What::WrongClock(_)
                | What::Reboot => {}
            }
        }
        let knows_site = self.knows(blog) || self.add_site(blog).await;
        if knows_site {
            self.register(blog).await;
        }
        blog.handle.maintenance(false);
        if blog.handle.posts().iter().any(|post| post.hiding == Some(Hiding::UntilShown)) {
            self.count("hides new drafts");
        }
        blog.handle.hide_new_drafts(false);
        blog.handle.show_hidden();
        blog.password_is_right.set(true);
        blog.may_upload(true);
        self.sabotage.afterwards(blog, &self.life.disk().database()).await;
        self.person(blog, Mood::Busy).await;
        blog.observe(&self.trace);
    }

    fn knows(&self, blog: &Blog) -> bool {
        let site = Journal::open(&self.places).map(|journal| journal.site_by_name(&blog.name));
        matches!(site, Ok(Ok(Some(_))))
    }

    /// A round in which nothing goes wrong. Returns what it came to if everything rests, or what does not.
    async fn quiet(&self, blog: &Blog, mood: Mood) -> Result<Report, String> {
        blog.handle.show_hidden();
        if !self.knows(blog) {
            self.add_site(blog).await;
        }
        let restless = match self.register(blog).await {
            Some(report) => match self.restless(&report) {
                None => return Ok(report),
                Some(restless) => restless,
            },
            None => "did not run".to_owned(),
        };
        self.person(blog, mood).await;
        Err(restless)
    }

    /// What is said to be there is there.
    fn everything_is_there(&self, reports: &[Report]) {
        for (blog, report) in self.blogs.iter().zip(reports) {
            self.sabotage.at_the_end(blog);
            for (name, end) in &report.articles {
                if let Some(detail) = missing(blog, name.slug.as_deref().unwrap_or_default(), end) {
                    self.find(Property::Lost, format!("{:?}: {detail}", name.slug));
                }
            }
            for post in blog.handle.posts() {
                self.note(format!(
                    "{} {} {:?} {} {}",
                    blog.name, post.id, post.status, post.slug, post.title
                ));
            }
        }
    }

    fn finish(self) -> Outcome {
        for blog in &self.blogs {
            blog.observe(&self.trace);
            self.found.borrow_mut().extend(blog.ledger.borrow_mut().take_found());
            for request in blog.handle.requests() {
                self.trace.borrow_mut().coverage.count_request(&request);
            }
        }
        if let Err(detail) = journal_is_whole(&self.life.disk().database()) {
            self.find(Property::Journal, detail);
        }
        if self.blogs.len() > 1 {
            self.count("two sites");
        }
        self.life.deaths().iter().for_each(|death| self.count(format!("kill {}", variant(death))));
        let (trace, lines, coverage) = self.trace.into_inner().finish();
        let mut violations = self.found.into_inner();
        violations.dedup();
        Outcome { trace, lines, violations, coverage }
    }
}

fn missing(blog: &Blog, slug: &str, end: &End) -> Option<String> {
    match end.ending {
        Ending::Created | Ending::Adopted | Ending::Verified => {
            let Some(id) = end.id else { return Some("is done and has no id".to_owned()) };
            let post = blog.handle.post(id.0);
            let there = post.is_some_and(|post| is_live(post.status));
            (!there).then(|| format!("{:?} as post {id}, which is not there", end.ending))
        }
        Ending::Skipped => {
            let posts = blog.handle.posts();
            let encoded = |post: &ichido_practice::Post| decoded(&post.slug) == slug && is_live(post.status);
            (!posts.iter().any(encoded)).then(|| "skipped, and nothing is there".to_owned())
        }
        Ending::Unknown
        | Ending::Halted
        | Ending::Waiting
        | Ending::Refused
        | Ending::NeedsWork
        | Ending::Left => None,
    }
}

fn decoded(slug: &str) -> String {
    let mut bytes = Vec::with_capacity(slug.len());
    let mut rest = slug.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
