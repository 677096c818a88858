//! The decision table: what a record and the site's evidence allow.

use serde::{Deserialize, Serialize};

use crate::evidence::{Accounted, AskFailure, ById, Evidence, Found, Looked, MarkerSeen};
use crate::id::RemoteId;
use crate::operation::{HaltReason, Kind, State, WaitReason};

/// What the journal holds of an operation, as far as the decision needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What the operation creates.
    pub kind: Kind,
    /// Where it stands.
    pub state: State,
    /// Whether its request may have left this computer.
    pub may_have_left: bool,
    /// Whether its request may still be executed, as [`crate::arrival::may_arrive`] has it.
    pub may_arrive: bool,
}

/// What the article looks like now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Local {
    /// Whether the text or an image differs from what was read for the send.
    pub changed_since: bool,
}

/// What may be done now. Nothing else may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing of ours or of others is there: a create may be sent.
    Create,
    /// It is there already, before us; nothing is overwritten.
    Skip {
        /// The row.
        id: RemoteId,
        /// How it compares with ours.
        note: SkipNote,
    },
    /// Our own effect was found: it is recorded.
    Adopt {
        /// The row.
        id: RemoteId,
        /// By what it was recognised.
        by: AdoptedBy,
        /// What remains to be said about it.
        then: AfterAdopt,
    },
    /// Done before, and still there.
    Verified(VerifiedNote),
    /// The image of a finished operation is gone from the site: a new operation may upload it again.
    Replace,
    /// A person must look.
    Halt(HaltReason),
    /// Proved not executed; goes on by itself, from a fresh look-up.
    Wait(WaitReason),
    /// In doubt, and the site could not be asked. Asked again; never sent again.
    StayInDoubt(AskFailure),
    /// Nothing changes.
    Keep,
}

/// How a row that was there before us compares with the article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipNote {
    /// Title and content are the same.
    Same,
    /// They differ.
    Differs,
    /// It carries a marker that this journal does not know: another journal sent it.
    OtherJournal,
}

/// By what our own effect was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdoptedBy {
    /// The marker of the operation.
    Marker,
    /// Author, slug, title and content, above the high-water mark.
    Content,
}

/// What follows an adoption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterAdopt {
    /// Nothing: it is done.
    Done,
    /// A person must look.
    Halt(HaltReason),
}

/// What is to be noted of a row that was verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedNote {
    /// The article was changed here since; shown, never sent by itself.
    pub changed_since: bool,
    /// Someone edited or published it on the site. That is fine.
    pub edited_on_site: bool,
    /// The site no longer lets us see it.
    pub no_longer_ours: bool,
}

/// Decides what may be done with an operation.
///
/// Total: every combination of record and evidence has exactly one answer, and live runs and recovery
/// both use it.
#[must_use]
pub fn decide(record: Record, evidence: &Evidence, local: Local) -> Decision {
    match record.state {
        State::NeedsWork | State::Refused | State::Abandoned => Decision::Keep,
        State::Halted(HaltReason::SlugChanged) => Decision::Keep,
        State::Planned | State::Waiting(_) | State::Skipped => before_send(record.kind, evidence),
        State::Sending => in_doubt(record, evidence, local),
        State::Halted(reason) => {
            let now = if record.may_have_left {
                halted_after_send(reason, record, evidence, local)
            } else {
                before_send(record.kind, evidence)
            };
            keep_if_unsettled(reason, now)
        }
        State::Done => done(record, evidence, local),
    }
}

fn before_send(kind: Kind, evidence: &Evidence) -> Decision {
    let looked = match evidence {
        Evidence::CouldNotAsk(AskFailure::NotOurUser) => return Decision::Wait(WaitReason::Credentials),
        Evidence::CouldNotAsk(AskFailure::Maintenance) => return Decision::Wait(WaitReason::Maintenance),
        Evidence::CouldNotAsk(_) => return Decision::Wait(WaitReason::CouldNotAsk),
        Evidence::Looked(looked) => looked,
    };
    if looked.rows.iter().any(predecessor_turned_up) {
        return Decision::Halt(HaltReason::Duplicates);
    }
    if looked.hidden {
        return Decision::Halt(HaltReason::Hidden);
    }
    match (taking_the_slug(looked).as_slice(), kind) {
        ([], _) if trashed_at_slug(looked).next().is_some() => Decision::Halt(HaltReason::InTrash),
        ([], _) => Decision::Create,
        ([row], Kind::Post) => Decision::Skip { id: row.id, note: skip_note(row) },
        ([_], Kind::Image | Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess) => {
            Decision::Halt(HaltReason::ExistsNotOurs)
        }
        ([_, _, ..], _) => Decision::Halt(HaltReason::Duplicates),
    }
}

fn skip_note(row: &Found) -> SkipNote {
    match row.marker {
        MarkerSeen::Unknown => SkipNote::OtherJournal,
        MarkerSeen::None | MarkerSeen::This | MarkerSeen::Predecessor | MarkerSeen::Other => {
            if row.same_content { SkipNote::Same } else { SkipNote::Differs }
        }
    }
}

fn in_doubt(record: Record, evidence: &Evidence, local: Local) -> Decision {
    let looked = match evidence {
        Evidence::CouldNotAsk(failure) => return Decision::StayInDoubt(*failure),
        Evidence::Looked(looked) => looked,
    };
    if looked.rows.iter().any(predecessor_turned_up) {
        return Decision::Halt(HaltReason::Duplicates);
    }
    let marked: Vec<&Found> =
        looked.rows.iter().filter(|row| row.marker == MarkerSeen::This && row.above_mark).collect();
    match marked.as_slice() {
        [] => without_marker(record.kind, looked, local),
        [row] if row.in_trash => Decision::Halt(HaltReason::InTrash),
        [row] => adopt(row, AdoptedBy::Marker, local),
        [_, _, ..] => Decision::Halt(HaltReason::Duplicates),
    }
}

fn without_marker(kind: Kind, looked: &Looked, local: Local) -> Decision {
    if looked.hidden {
        return Decision::Halt(HaltReason::Hidden);
    }
    let at_slug = live_at_slug(looked);
    match at_slug.as_slice() {
        [] => {}
        [row] if is_what_we_sent(row) => return adopt(row, AdoptedBy::Content, local),
        [row] if row.mine => return Decision::Halt(HaltReason::ContentDiffers),
        [_] => return Decision::Halt(HaltReason::ExistsNotOurs),
        [_, _, ..] => return Decision::Halt(HaltReason::Duplicates),
    }
    let unaccounted = looked
        .rows
        .iter()
        .any(|row| row.above_mark && row.mine && row.accounted == Accounted::No && !row.slug_matches);
    let mut in_trash = trashed_at_slug(looked).peekable();
    let nothing_in_trash = in_trash.peek().is_none();
    // What was sent lies in the trash; any other row there does not explain what else appeared.
    if in_trash.any(is_what_we_sent) {
        Decision::Halt(HaltReason::InTrash)
    } else if unaccounted && kind.must_not_repeat() {
        Decision::Halt(HaltReason::Candidates)
    } else if nothing_in_trash {
        Decision::Halt(HaltReason::OutcomeUnknown)
    } else {
        Decision::Halt(HaltReason::InTrash)
    }
}

fn is_what_we_sent(row: &Found) -> bool {
    row.above_mark && row.mine && row.same_content && row.marker == MarkerSeen::None
}

fn adopt(row: &Found, by: AdoptedBy, local: Local) -> Decision {
    let then = if !row.complete {
        AfterAdopt::Halt(HaltReason::Incomplete)
    } else if local.changed_since {
        AfterAdopt::Halt(HaltReason::ContentDiffers)
    } else {
        AfterAdopt::Done
    };
    Decision::Adopt { id: row.id, by, then }
}

/// A halt that carries a recorded id is about that row; one without is still in doubt.
fn halted_after_send(reason: HaltReason, record: Record, evidence: &Evidence, local: Local) -> Decision {
    let has_id = match evidence {
        Evidence::CouldNotAsk(_) => false,
        Evidence::Looked(looked) => looked.by_id != ById::NotAsked,
    };
    // What was linked is gone, and what was sent may have come since or may yet come.
    if record.may_arrive && is_gone(evidence) {
        return in_doubt(record, evidence, local);
    }
    match reason {
        HaltReason::OutcomeUnknown
        | HaltReason::CouldNotAsk
        | HaltReason::Candidates
        | HaltReason::Hidden => in_doubt(record, evidence, local),
        HaltReason::ExistsNotOurs
        | HaltReason::Duplicates
        | HaltReason::InTrash
        | HaltReason::ContentDiffers
            if !has_id =>
        {
            in_doubt(record, evidence, local)
        }
        HaltReason::InTrash | HaltReason::Missing | HaltReason::Renamed => done(record, evidence, local),
        // What the halt offers needs a row, and there is none any more.
        HaltReason::ContentDiffers | HaltReason::Incomplete if is_gone(evidence) => {
            Decision::Halt(HaltReason::Missing)
        }
        HaltReason::ExistsNotOurs | HaltReason::Duplicates
            if is_gone(evidence) && !any_can_be_linked(evidence) =>
        {
            Decision::Halt(HaltReason::Missing)
        }
        // Only a person can say whether a difference is wanted or which of two rows is the article.
        HaltReason::ContentDiffers
        | HaltReason::Incomplete
        | HaltReason::ExistsNotOurs
        | HaltReason::Duplicates
        | HaltReason::SlugChanged => Decision::Keep,
    }
}

fn is_gone(evidence: &Evidence) -> bool {
    matches!(evidence, Evidence::Looked(Looked { by_id: ById::Gone, .. }))
}

fn any_can_be_linked(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::CouldNotAsk(_) => false,
        Evidence::Looked(looked) => {
            looked.rows.iter().any(|row| !row.in_trash && row.accounted != Accounted::OtherRecord)
        }
    }
}

/// A halt ends by a look-up only where that look-up settles it.
fn keep_if_unsettled(reason: HaltReason, now: Decision) -> Decision {
    match now {
        Decision::StayInDoubt(_) | Decision::Wait(_) => Decision::Keep,
        Decision::Halt(same) if same == reason => Decision::Keep,
        Decision::Replace => Decision::Keep,
        Decision::Create
        | Decision::Skip { .. }
        | Decision::Adopt { .. }
        | Decision::Verified(_)
        | Decision::Halt(_)
        | Decision::Keep => now,
    }
}

fn done(record: Record, evidence: &Evidence, local: Local) -> Decision {
    let kind = record.kind;
    let looked = match evidence {
        Evidence::CouldNotAsk(_) => return Decision::Keep,
        Evidence::Looked(looked) => looked,
    };
    let own = match &looked.by_id {
        ById::There(row) => Some(row.id),
        ById::NotAsked | ById::Gone | ById::Forbidden => None,
    };
    let extra = looked.rows.iter().any(|row| {
        Some(row.id) != own
            && row.accounted == Accounted::No
            && (matches!(row.marker, MarkerSeen::This | MarkerSeen::Predecessor)
                || (row.slug_matches && !row.in_trash))
    });
    match &looked.by_id {
        ById::NotAsked => Decision::Keep,
        // The request of what was only linked may still arrive.
        ById::Gone if kind == Kind::Image && !record.may_arrive => Decision::Replace,
        ById::Gone => Decision::Halt(HaltReason::Missing),
        ById::Forbidden => {
            Decision::Verified(VerifiedNote { no_longer_ours: true, ..VerifiedNote::default() })
        }
        ById::There(_) if extra => Decision::Halt(HaltReason::Duplicates),
        ById::There(row) if row.in_trash => Decision::Halt(HaltReason::InTrash),
        ById::There(row) if kind == Kind::Image && !(row.mine && row.same_content) => {
            Decision::Halt(HaltReason::ContentDiffers)
        }
        ById::There(row) if kind == Kind::Post && !row.slug_matches => Decision::Halt(HaltReason::Renamed),
        ById::There(row) => Decision::Verified(VerifiedNote {
            changed_since: local.changed_since,
            edited_on_site: !row.same_content,
            no_longer_ours: false,
        }),
    }
}

/// The operation that this one replaced was executed after all.
fn predecessor_turned_up(row: &Found) -> bool {
    row.marker == MarkerSeen::Predecessor && row.accounted == Accounted::No
}

/// Before a send, a row that another record owns still takes the slug.
fn taking_the_slug(looked: &Looked) -> Vec<&Found> {
    looked
        .rows
        .iter()
        .filter(|row| row.slug_matches && !row.in_trash && row.accounted != Accounted::Dismissed)
        .collect()
}

/// After a send, a row that something else explains cannot be our effect.
fn live_at_slug(looked: &Looked) -> Vec<&Found> {
    looked
        .rows
        .iter()
        .filter(|row| row.slug_matches && !row.in_trash && row.accounted == Accounted::No)
        .collect()
}

fn trashed_at_slug(looked: &Looked) -> impl Iterator<Item = &Found> {
    looked.rows.iter().filter(|row| row.slug_matches && row.in_trash && row.accounted == Accounted::No)
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
