//! What must hold whatever happens, and what was found not to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ichido_core::operation::State;
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{DoneBy, Ending};
use ichido_engine::{End, Report};
use ichido_journal::Journal;
use ichido_practice::{Effect, Fault, Request};
use rusqlite::{Connection, OpenFlags};

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// There is at most one draft of an article and one copy of an image, unless a person asked for another.
    Duplicate,
    /// Every row was made by one request of ours, or by a person.
    FromNowhere,
    /// What was told to be there is there.
    Lost,
    /// Every article ends in exactly one way, told and written down alike, with its reason.
    Silent,
    /// A creating request goes over the wire at most once.
    SentTwice,
    /// Nothing that is there is changed or deleted.
    Overwritten,
    /// No draft has an image that is not on the site.
    BrokenImage,
    /// The journal is whole.
    Journal,
    /// When nothing goes wrong any more and people do what the program asks for, everything comes to rest.
    Restless,
    /// The program does what it was asked to.
    Failed,
}

/// A property that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub property: Property,
    /// What was seen.
    pub detail: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.property, self.detail)
    }
}

/// Whether a request is proved by its answer not to have been executed, by the site's own word.
pub(crate) fn not_executed(request: &Request) -> bool {
    if request.effect != Effect::None {
        return false;
    }
    match &request.met {
        // Refused by the site itself, or in maintenance.
        None => request.answered.is_some_and(|status| status >= 400),
        Some(Fault::StatusBeforeCommit { status, code, html }) => {
            *status == 413
                || (!html && code.as_deref().is_some_and(|code| RefusalCode::parse(code).is_some()))
        }
        Some(_) => false,
    }
}

/// What a run told, article by article.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The last that was said of how an article ended.
    pub(crate) ends: BTreeMap<PathBuf, End>,
    /// How often something was said that keeps the article back.
    pub(crate) kept_back: BTreeMap<PathBuf, usize>,
}

/// Holds what a run told against what it reported and what the journal says.
pub(crate) fn nothing_is_silent(
    given: &[PathBuf],
    told: &Told,
    report: &Report,
    journal: &Journal,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut find = |detail: String| found.push(Violation { property: Property::Silent, detail });
    let mut left: Vec<&PathBuf> = given.iter().collect();
    left.sort();
    if report.tally.total() != given.len() {
        find(format!("{} articles were given, {:?} counted", given.len(), report.tally));
    }
    for (name, end) in &report.articles {
        match left.binary_search(&&name.path) {
            Ok(at) => drop(left.remove(at)),
            Err(_) => find(format!("reported twice, or not given: {:?}", name.slug)),
        }
        if told.ends.get(&name.path) != Some(end) {
            find(format!("{:?}: reported {end:?}, told {:?}", name.slug, told.ends.get(&name.path)));
        }
        let written = end.op_id.and_then(|op_id| journal.operation(op_id).ok().flatten());
        if let Some(operation) = &written {
            let state = Ending::of(operation.standing, DoneBy::Earlier);
            let done = matches!(end.ending, Ending::Created | Ending::Adopted | Ending::Verified);
            let agrees = end.ending == state
                || (done && state == Ending::Verified)
                // Held back for the sake of another article that has the same slug.
                || end.ending == Ending::NeedsWork
                // Refused for an image that is there by now.
                || (end.ending == Ending::Waiting && state == Ending::Refused && operation.refusal.is_none());
            if !agrees || operation.standing.state == State::Abandoned {
                find(format!("{:?}: told {end:?}, written down as {:?}", name.slug, operation.standing));
            }
        }
        let has_reason = match end.ending {
            Ending::Created | Ending::Adopted | Ending::Verified => end.id.is_some(),
            Ending::Skipped => true,
            Ending::NeedsWork => told.kept_back.contains_key(&name.path),
            // Still being sent is a reason of its own where the site could not be asked.
            Ending::Unknown => {
                end.reason.is_some() || written.is_some_and(|it| it.standing.state == State::Sending)
            }
            Ending::Halted | Ending::Left | Ending::Refused => end.reason.is_some(),
            Ending::Waiting => end.reason.is_some() || report.pause.is_some() || report.barrier.is_some(),
        };
        if !has_reason {
            find(format!("{:?}: no reason for {end:?}", name.slug));
        }
    }
    for path in left {
        find(format!("nothing was reported of {:?}", path.file_name()));
    }
    found
}

/// Checks the journal page by page.
pub(crate) fn journal_is_whole(database: &std::path::Path) -> Result<(), String> {
    let check = || {
        let conn = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        conn.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))
    };
    match check() {
        Ok(answer) if answer == "ok" => Ok(()),
        Ok(answer) => Err(answer),
        Err(error) => Err(error.to_string()),
    }
}
