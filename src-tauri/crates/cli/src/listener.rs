//! Tells a run's events as they come.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use ichido_article::{Finding, Severity};
use ichido_core::tally::Ending;
use ichido_engine::{ArticleName, End, Event, Note, Observer, Reason, Step, WaitingFor};

use crate::json;
use crate::out::Out;
use crate::page::SITE_PAUSED;
use crate::wording::{ended, found, noted, title};

/// Hears a run and tells it: lines for people, or JSON Lines.
pub(crate) struct Listener<'a> {
    out: &'a Out,
    last: RefCell<HashMap<PathBuf, Ending>>,
    reasons: RefCell<HashSet<&'static str>>,
    articles: Cell<usize>,
    warnings: Cell<usize>,
    barrier: Cell<bool>,
    /// Whether what is told would be, and is not.
    would: bool,
    /// Whether somebody consented to new tags.
    consented: bool,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(out: &'a Out) -> Self {
        Self {
            out,
            last: RefCell::default(),
            reasons: RefCell::default(),
            articles: Cell::new(0),
            warnings: Cell::new(0),
            barrier: Cell::new(false),
            would: false,
            consented: false,
        }
    }

    /// Tells what would be done.
    pub(crate) fn foreseeing(self, would: bool) -> Self {
        Self { would, ..self }
    }

    /// Knows that somebody consented to new tags, or did not.
    pub(crate) fn consented(self, consented: bool) -> Self {
        Self { consented, ..self }
    }

    /// Tells whether nothing is done.
    pub(crate) const fn is_foreseeing(&self) -> bool {
        self.would
    }

    /// Returns how many warnings were passed over.
    pub(crate) const fn warnings(&self) -> usize {
        self.warnings.get()
    }

    /// Tells whether what shuts creating was told when the run came to it.
    pub(crate) const fn has_told_barrier(&self) -> bool {
        self.barrier.get()
    }

    /// What was consented to is not asked for again.
    fn after_consent<'n>(&self, note: &'n Note) -> Cow<'n, Note> {
        if self.consented
            && let Note::TagUnknown { name } = note
        {
            return Cow::Owned(Note::TagRefused { name: name.clone() });
        }
        Cow::Borrowed(note)
    }

    fn checked(&self, findings: &[Finding]) {
        let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
        self.warnings.set(self.warnings.get() + warnings);
        for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
            self.out.line(&found(self.out.texts, finding));
        }
    }

    fn step(&self, article: &ArticleName, step: Step) {
        let texts = self.out.texts;
        let step = match step {
            Step::Image { number, of } => {
                texts.say("step.image", &[("number", &number.to_string()), ("of", &of.to_string())])
            }
            Step::Draft => texts.get("step.draft").to_owned(),
            Step::Looking => texts.get("step.looking").to_owned(),
            Step::Attaching => texts.get("step.attaching").to_owned(),
        };
        let ended = self.last.borrow().len().to_string();
        let articles = self.articles.get().to_string();
        let particulars = [
            ("ended", ended.as_str()),
            ("articles", &articles),
            ("article", &title(article)),
            ("step", &step),
        ];
        self.out.progress(&texts.say("step.line", &particulars));
    }

    /// Tells how an article ended, again only if that changed.
    fn ended(&self, article: &ArticleName, end: &End) {
        if self.last.borrow_mut().insert(article.path.clone(), end.ending) == Some(end.ending) {
            return;
        }
        self.out.line(&ended(self.out.texts, article, end, self.would));
        // A reason that many articles share is told once; halts are told at the end, one by one.
        if let Some(key) =
            end.reason.and_then(explained).filter(|key| self.reasons.borrow_mut().insert(key.0))
        {
            self.out.line(&format!("    {}", self.out.texts.get(&format!("{}.{}", key.1, key.0))));
        }
    }
}

impl Observer for Listener<'_> {
    fn hear(&self, event: &Event) {
        if self.out.is_json() {
            self.out.object(&json::event(self.out.texts, event));
            return;
        }
        let texts = self.out.texts;
        match event {
            Event::Started { site, articles } => {
                self.articles.set(*articles);
                let key = if self.would { "run.foreseeing" } else { "run.started" };
                self.out.say(key, &[("site", site), ("articles", &articles.to_string())]);
            }
            Event::Checked { findings, .. } => self.checked(findings),
            Event::Step { article, step } => self.step(article, *step),
            Event::Ended { article, end } | Event::Foreseen { article, end } => self.ended(article, end),
            Event::Noted { article, note } => {
                let note = self.after_consent(note);
                self.out.line(&format!("    {}: {}", title(article), noted(texts, &note)));
            }
            Event::Paused { reason, detail } => {
                let detail = detail.as_deref().map(|detail| ("detail", detail));
                self.out.say(&format!("pause.{}", reason.as_str()), detail.as_slice());
                self.out.explain(SITE_PAUSED);
            }
            Event::Barrier { reason } => {
                self.barrier.set(true);
                self.out.say(&format!("barrier.{}", reason.as_str()), &[]);
                self.out.explain(reason.as_str());
            }
            Event::Waiting { for_ms, why } => {
                let key = match why {
                    WaitingFor::NextLook => "wait_for.next_look",
                    WaitingFor::Site => "wait_for.site",
                    WaitingFor::OtherRunner => "wait_for.other_runner",
                };
                self.out.progress(&texts.say(key, &[("seconds", &for_ms.div_ceil(1000).to_string())]));
            }
        }
    }
}

/// Returns the key of a reason that is told with its article: its code and its group.
fn explained(reason: Reason) -> Option<(&'static str, &'static str)> {
    match reason {
        Reason::Halt(_) => None,
        Reason::Wait(reason) => Some((reason.as_str(), "wait")),
        Reason::Refusal(code) => Some((code.as_str(), "refusal")),
    }
}
