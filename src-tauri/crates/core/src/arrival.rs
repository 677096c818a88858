//! Whether a request may still be executed, and what that means for *send again*.

use crate::apply::Event;
use crate::decide::{AdoptedBy, Decision, Local, Record, decide};
use crate::evidence::{Accounted, Evidence, Found, Looked, MarkerSeen};
use crate::operation::{HaltReason, Kind, State};
use crate::outcome::Outcome;

/// Tells whether an operation's request may still be executed after an event, which moved it on.
///
/// It may from the moment when it may leave until an answer, or a row that is beyond doubt its effect, proves
/// what became of it. What a person linked proves nothing: the request may arrive all the same.
#[must_use]
pub const fn may_arrive(kind: Kind, before: bool, event: &Event<'_>) -> bool {
    match event {
        Event::BeginSend => true,
        Event::Answered(Outcome::Created(_) | Outcome::Refused(_) | Outcome::NotSent(_)) => false,
        Event::Decided(Decision::Adopt { by: AdoptedBy::Marker, .. }) => false,
        // The slug of an image names its bytes; of a post anyone may have made an exact copy.
        Event::Decided(Decision::Adopt { by: AdoptedBy::Content, .. }) => {
            before && !matches!(kind, Kind::Image)
        }
        Event::Answered(Outcome::Unknown(_))
        | Event::Interrupted
        | Event::Decided(
            Decision::Create
            | Decision::Skip { .. }
            | Decision::Verified(_)
            | Decision::Replace
            | Decision::Halt(_)
            | Decision::Wait(_)
            | Decision::StayInDoubt(_)
            | Decision::Keep,
        )
        | Event::Blocked(_)
        | Event::Reopened
        | Event::Withdrawn
        | Event::Act(_) => before,
    }
}

/// Tells whether nothing can arrive any more: the request's effect is known, or is among what was seen.
#[must_use]
pub fn has_arrived(record: Record, evidence: &Evidence) -> bool {
    // The slug of an image names its bytes; of a post anyone may have made an exact copy.
    let is_its_effect = |row: &Found| {
        row.mine
            && row.above_mark
            && match row.marker {
                MarkerSeen::This => true,
                MarkerSeen::None => {
                    record.kind == Kind::Image && row.in_trash && row.slug_matches && row.same_content
                }
                MarkerSeen::Predecessor | MarkerSeen::Other | MarkerSeen::Unknown => false,
            }
    };
    !record.may_arrive
        || match evidence {
            Evidence::Looked(looked) => looked.rows.iter().any(is_its_effect),
            Evidence::CouldNotAsk(_) => false,
        }
}

/// Tells whether a look said "not found", asked as if the operation had just been sent: a halt that is kept
/// must not hide what the site shows now.
#[must_use]
pub fn is_negative(record: Record, evidence: &Evidence) -> bool {
    match decide(afresh(record), evidence, Local::default()) {
        Decision::Halt(HaltReason::OutcomeUnknown | HaltReason::Candidates) => true,
        Decision::Halt(HaltReason::InTrash) => !has_arrived(record, evidence),
        // What stands at the slug cannot be the effect of this request.
        Decision::Halt(HaltReason::ContentDiffers | HaltReason::ExistsNotOurs | HaltReason::Duplicates) => {
            is_about_a_known_row(record) && !any_may_be_ours(evidence)
        }
        Decision::Halt(_)
        | Decision::Create
        | Decision::Skip { .. }
        | Decision::Adopt { .. }
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::Wait(_)
        | Decision::StayInDoubt(_)
        | Decision::Keep => false,
    }
}

/// Decides about what a look just before *send again* showed, and says for which reason it is then judged.
///
/// What is in doubt is decided as if it had just been sent, so that a halt that is kept does not pass for a
/// negative look. What lies in the trash or is gone without having been proved ours proves nothing: the
/// request may still arrive, so it is judged as an unknown outcome.
#[must_use]
pub fn before_send_again(record: Record, reason: HaltReason, evidence: &Evidence) -> (HaltReason, Decision) {
    let is_known = matches!(reason, HaltReason::InTrash | HaltReason::Missing);
    if is_known && (!record.may_have_left || has_arrived(record, evidence)) {
        return (reason, decide(record, evidence, Local::default()));
    }
    let says = decide(afresh(record), evidence, Local::default());
    if is_known && says != Decision::Halt(HaltReason::Candidates) && is_negative(record, evidence) {
        return (HaltReason::OutcomeUnknown, Decision::Halt(HaltReason::OutcomeUnknown));
    }
    (if is_known { HaltReason::OutcomeUnknown } else { reason }, says)
}

const fn afresh(record: Record) -> Record {
    Record { state: State::Sending, ..record }
}

const fn is_about_a_known_row(record: Record) -> bool {
    matches!(record.state, State::Halted(HaltReason::InTrash | HaltReason::Missing))
}

fn any_may_be_ours(evidence: &Evidence) -> bool {
    let may_be_ours = |row: &Found| {
        row.accounted == Accounted::No
            && (row.marker == MarkerSeen::This || (row.mine && row.above_mark && !row.in_trash))
    };
    match evidence {
        Evidence::Looked(Looked { rows, hidden, .. }) => *hidden || rows.iter().any(may_be_ours),
        Evidence::CouldNotAsk(_) => true,
    }
}

#[cfg(test)]
#[path = "arrival_tests.rs"]
mod tests;
