//! The states of an operation and what moves it from one to the next.

use thiserror::Error;

use crate::act::Act;
use crate::decide::{AfterAdopt, Decision};
use crate::operation::{HaltReason, Kind, State, WaitReason};
use crate::outcome::{NotSent, Outcome};

/// Where an operation stands, with the two facts that outlive its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Its state.
    pub state: State,
    /// Whether its request may have left this computer. Cleared only by a proof that it did not or
    /// that the site made nothing.
    pub may_have_left: bool,
    /// Whether a person chose to leave its halt as it is.
    pub left: bool,
}

impl Standing {
    /// A new operation: recorded, nothing sent.
    pub const PLANNED: Self = Self { state: State::Planned, may_have_left: false, left: false };

    const fn to(state: State, may_have_left: bool) -> Self {
        Self { state, may_have_left, left: false }
    }
}

/// What happened to an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// Its `sending` row is about to be committed.
    BeginSend,
    /// Its request was answered, or was not.
    Answered(&'a Outcome),
    /// The program ended while it was `sending`.
    Interrupted,
    /// A look-up was made and decided upon.
    Decided(&'a Decision),
    /// Preflight, terms or its images keep it from being sent.
    Blocked(Blocked),
    /// The article was put right, the settings changed, or a person said "try again".
    Reopened,
    /// The article that it was about went back to the slug under which it was sent before.
    Withdrawn,
    /// A person acted.
    Act(Act),
}

/// Says what keeps an article from being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// It must be changed first.
    NeedsWork,
    /// It goes on by itself later.
    Wait(WaitReason),
    /// It looks like an article sent before under another slug.
    SlugChanged,
    /// The site refused an image that it needs.
    ImageRefused,
}

/// An event that cannot happen to an operation in this state. Nothing is changed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("move a {kind} operation on from {state}: {event} cannot happen to it", kind = kind.as_str(), state = from.state.as_str())]
pub struct IllegalTransition {
    /// The kind of the operation.
    pub kind: Kind,
    /// Where it stands.
    pub from: Standing,
    /// What was said to have happened.
    pub event: &'static str,
}

/// Moves an operation on.
///
/// Used by live runs and by recovery alike.
///
/// # Errors
/// Returns [`IllegalTransition`] where the event cannot happen in this state; above all there is no
/// way from `sending`, `halted`, `done` or `abandoned` to a new send of the same operation.
pub fn apply(kind: Kind, from: Standing, event: Event<'_>) -> Result<Standing, IllegalTransition> {
    let illegal = |event| Err(IllegalTransition { kind, from, event });
    match event {
        Event::BeginSend => match from.state {
            State::Planned | State::Waiting(_) if !from.may_have_left => {
                Ok(Standing::to(State::Sending, true))
            }
            State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Sending
            | State::Halted(_)
            | State::Done
            | State::Abandoned => illegal("begin_send"),
        },
        Event::Answered(outcome) => match from.state {
            State::Sending => Ok(answered(kind, from, outcome)),
            State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Halted(_)
            | State::Done
            | State::Abandoned => illegal("answered"),
        },
        Event::Interrupted => match from.state {
            State::Sending if kind.must_not_repeat() => Ok(from),
            State::Sending => Ok(Standing::to(State::Waiting(WaitReason::Stopped), false)),
            State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Halted(_)
            | State::Done
            | State::Abandoned => illegal("interrupted"),
        },
        Event::Decided(decision) => decided(kind, from, decision),
        Event::Blocked(blocked) => match from.state {
            State::Planned | State::Waiting(_) | State::NeedsWork | State::Refused | State::Skipped
                if !from.may_have_left =>
            {
                Ok(Standing::to(
                    match blocked {
                        Blocked::NeedsWork => State::NeedsWork,
                        Blocked::Wait(reason) => State::Waiting(reason),
                        Blocked::SlugChanged => State::Halted(HaltReason::SlugChanged),
                        Blocked::ImageRefused => State::Refused,
                    },
                    false,
                ))
            }
            State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Sending
            | State::Halted(_)
            | State::Done
            | State::Abandoned => illegal("blocked"),
        },
        Event::Reopened => match from.state {
            State::Planned | State::Waiting(_) | State::NeedsWork | State::Refused | State::Skipped => {
                Ok(Standing::to(State::Planned, from.may_have_left))
            }
            State::Sending | State::Halted(_) | State::Done | State::Abandoned => illegal("reopened"),
        },
        Event::Withdrawn => match from.state {
            State::Halted(HaltReason::SlugChanged) if !from.may_have_left => {
                Ok(Standing::to(State::Abandoned, false))
            }
            State::Halted(_)
            | State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Sending
            | State::Done
            | State::Abandoned => illegal("withdrawn"),
        },
        Event::Act(act) => acted(kind, from, act),
    }
}

fn answered(kind: Kind, from: Standing, outcome: &Outcome) -> Standing {
    match outcome {
        Outcome::Created(_) => Standing::to(State::Done, true),
        Outcome::Refused(_) => Standing::to(State::Refused, false),
        Outcome::NotSent(NotSent::Maintenance { .. }) => {
            Standing::to(State::Waiting(WaitReason::Maintenance), false)
        }
        Outcome::NotSent(NotSent::Dns | NotSent::Connect | NotSent::Tls | NotSent::NotPrepared) => {
            Standing::to(State::Waiting(WaitReason::NotSent), false)
        }
        Outcome::Unknown(_) if kind.must_not_repeat() => from,
        Outcome::Unknown(_) => Standing::to(State::Waiting(WaitReason::CouldNotAsk), false),
    }
}

fn decided(kind: Kind, from: Standing, decision: &Decision) -> Result<Standing, IllegalTransition> {
    let illegal = |event| Err(IllegalTransition { kind, from, event });
    let unsent = !from.may_have_left;
    match (decision, from.state) {
        (Decision::Keep, _) => Ok(from),
        (_, State::Abandoned | State::NeedsWork | State::Refused) => illegal("decided"),
        (Decision::Create, State::Planned | State::Waiting(_) | State::Skipped | State::Halted(_))
            if unsent =>
        {
            Ok(Standing::to(State::Planned, false))
        }
        (Decision::Create, _) => illegal("create"),
        (Decision::Skip { .. }, State::Planned | State::Waiting(_) | State::Skipped | State::Halted(_))
            if unsent =>
        {
            Ok(Standing::to(State::Skipped, false))
        }
        (Decision::Skip { .. }, _) => illegal("skip"),
        (Decision::Wait(reason), State::Planned | State::Waiting(_) | State::Skipped) if unsent => {
            Ok(Standing::to(State::Waiting(*reason), false))
        }
        (Decision::Wait(_), _) => illegal("wait"),
        (Decision::Adopt { then, .. }, State::Sending | State::Halted(_)) if !unsent => Ok(Standing::to(
            match then {
                AfterAdopt::Done => State::Done,
                AfterAdopt::Halt(reason) => State::Halted(*reason),
            },
            true,
        )),
        (Decision::Adopt { .. }, _) => illegal("adopt"),
        (Decision::Verified(_), State::Done | State::Halted(_)) if !unsent => {
            Ok(Standing::to(State::Done, true))
        }
        (Decision::Verified(_), _) => illegal("verified"),
        (Decision::Replace, State::Done) => Ok(Standing::to(State::Abandoned, true)),
        (Decision::Replace, _) => illegal("replace"),
        (Decision::StayInDoubt(_), State::Sending) => {
            Ok(Standing::to(State::Halted(HaltReason::CouldNotAsk), true))
        }
        (Decision::StayInDoubt(_), State::Halted(_)) => Ok(from),
        (Decision::StayInDoubt(_), _) => illegal("stay_in_doubt"),
        (Decision::Halt(reason), _) => Ok(Standing {
            state: State::Halted(*reason),
            may_have_left: from.may_have_left,
            // A left halt that stays for the same reason stays left.
            left: from.left && from.state == State::Halted(*reason),
        }),
    }
}

fn acted(kind: Kind, from: Standing, act: Act) -> Result<Standing, IllegalTransition> {
    let illegal = || Err(IllegalTransition { kind, from, event: act.as_str() });
    let State::Halted(reason) = from.state else {
        let can_be_tried = matches!(from.state, State::Refused | State::NeedsWork | State::Waiting(_));
        return if act == Act::TryAgain && can_be_tried {
            apply(kind, from, Event::Reopened)
        } else if act == Act::Look {
            Ok(from)
        } else {
            illegal()
        };
    };
    if !act.is_for(reason) {
        return illegal();
    }
    match act {
        Act::Look | Act::NoneOfThese => Ok(from),
        Act::Link | Act::KeepSite | Act::AcceptSlug => Ok(Standing::to(State::Done, true)),
        Act::SendAgain if from.may_have_left => Ok(Standing::to(State::Abandoned, true)),
        Act::SendAgain | Act::TryAgain | Act::New => Ok(Standing::to(State::Planned, false)),
        Act::Same => Ok(Standing::to(State::Abandoned, false)),
        // Comes with publishing; until then the state stays and the caller says so.
        Act::Update => illegal(),
        Act::Leave => Ok(Standing { left: true, ..from }),
        Act::Unleave => Ok(Standing { left: false, ..from }),
    }
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;
