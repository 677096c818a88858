//! What happened at all, and how often: what never happens proves nothing.

use std::collections::BTreeMap;
use std::fmt::Debug;

use ichido_core::act::Act;
use ichido_core::operation::HaltReason;
use ichido_practice::{Effect, Fault, Request};

const KILLS: [&str; 3] = ["Step", "Arrived", "CarriedOut"];
const HANDS: [&str; 10] = [
    "EditContent",
    "EditTitle",
    "Rename",
    "Trash",
    "Untrash",
    "Delete",
    "Publish",
    "DeleteImage",
    "RestoreSite",
    "Stranger",
];
const EDITS: [&str; 6] = ["Text", "Image", "Folder", "Slug", "Remove", "Restore"];
const JOURNAL: [&str; 4] = ["Missing", "Older", "NoSidecar", "Damaged"];
const OTHER: [&str; 8] = [
    "stop",
    "maintenance",
    "hides new drafts",
    "wrong password",
    "contributor",
    "wrong clock",
    "reboot",
    "two sites",
];
const ENDINGS: [&str; 10] = [
    "created",
    "adopted",
    "verified",
    "skipped",
    "unknown",
    "halted",
    "waiting",
    "refused",
    "needs_work",
    "left",
];
/// Every batch names all articles, so that what a restored site lacks is found missing one by one.
const BARRIERS: [&str; 2] = ["UncleanStop", "JournalLost"];
const PAUSES: [&str; 6] =
    ["NotOurUser", "Refused", "Redirected", "UnknownInARow", "Unreachable", "Maintenance"];

/// How often what can happen did.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeMap<String, u64>);

impl Coverage {
    pub(crate) fn count(&mut self, what: String) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Counts what a request met, if it made a difference.
    pub(crate) fn count_request(&mut self, request: &Request) {
        let had_effect = request.created.is_some() || request.effect == Effect::Committed;
        if let Some(fault) = &request.met {
            // What comes late has come.
            if !matches!(fault, Fault::CommitLater(_)) || had_effect {
                self.count(format!("fault {}", fault.name()));
                self.count(format!("fault {} at {:?}", fault.name(), request.kind));
            }
        } else if request.answered == Some(503) {
            self.count("maintenance".to_owned());
        } else if request.answered == Some(401) && request.user.is_none() {
            self.count("wrong password".to_owned());
        }
        if let Some(times) = request.hides
            && request.created.is_some()
        {
            self.count(format!("fault {}", Fault::HideFromLookups(times).name()));
        }
    }

    /// Adds what happened elsewhere.
    pub fn add(&mut self, other: &Self) {
        for (what, times) in &other.0 {
            *self.0.entry(what.clone()).or_default() += times;
        }
    }

    /// How many faults met a request.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.sum("fault", &Fault::NAMES)
    }

    /// How often the program was killed.
    #[must_use]
    pub fn kills(&self) -> u64 {
        self.sum("kill", &KILLS)
    }

    fn sum(&self, what: &str, names: &[&str]) -> u64 {
        names.iter().filter_map(|name| self.0.get(&format!("{what} {name}"))).sum()
    }

    /// The faults of the practice site and the ways to be killed that did not happen.
    #[must_use]
    pub fn missing_faults(&self) -> Vec<String> {
        let mut all = of("fault", &Fault::NAMES);
        all.extend(of("kill", &KILLS));
        self.missing_of(all)
    }

    /// Everything that can happen and did not.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        self.missing_of(everything())
    }

    fn missing_of(&self, all: Vec<String>) -> Vec<String> {
        all.into_iter().filter(|what| !self.0.contains_key(what)).collect()
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|(what, times)| writeln!(f, "{times:>9} {what}"))
    }
}

/// The name of a variant, without what is particular to one.
pub(crate) fn variant(value: &impl Debug) -> String {
    let shown = format!("{value:?}");
    shown.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

fn of(what: &str, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{what} {name}")).collect()
}

fn everything() -> Vec<String> {
    // An update of a draft is not built yet.
    let acts = Act::ALL.into_iter().filter(|act| *act != Act::Update).map(Act::as_str);
    // The practice site writes a draft with all that belongs to it.
    let halts = HaltReason::ALL.into_iter().filter(|reason| *reason != HaltReason::Incomplete);
    let mut all = of("fault", &Fault::NAMES);
    all.extend(of("kill", &KILLS));
    all.extend(of("hand", &HANDS));
    all.extend(of("edit", &EDITS));
    all.extend(of("journal", &JOURNAL));
    all.extend(OTHER.map(str::to_owned));
    all.extend(of("act", &acts.collect::<Vec<_>>()));
    all.extend(of("halt", &halts.map(HaltReason::as_str).collect::<Vec<_>>()));
    all.extend(of("end", &ENDINGS));
    all.extend(of("barrier", &BARRIERS));
    all.extend(of("pause", &PAUSES));
    all
}
