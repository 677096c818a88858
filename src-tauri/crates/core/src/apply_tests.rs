use super::*;
use crate::id::RemoteId;
use crate::operation::Kind;
use crate::outcome::{Created, Refusal, RefusalCode, UnknownCause};

fn created() -> Outcome {
    Outcome::Created(Box::new(Created {
        id: RemoteId(1),
        row: None,
        needs_post_process: false,
        stored: None,
    }))
}

fn refused() -> Outcome {
    Outcome::Refused(Refusal { code: RefusalCode::CannotCreate, status: 403, parameters: Vec::new() })
}

const SENDING: Standing = Standing { state: State::Sending, may_have_left: true, left: false };

fn halted(reason: HaltReason, may_have_left: bool) -> Standing {
    Standing { state: State::Halted(reason), may_have_left, left: false }
}

#[test]
fn only_what_was_not_sent_can_be_sent() {
    for state in State::all() {
        for may_have_left in [false, true] {
            let from = Standing { state, may_have_left, left: false };
            let to = apply(Kind::Post, from, Event::BeginSend);
            let sendable = matches!(state, State::Planned | State::Waiting(_)) && !may_have_left;
            assert_eq!(to.is_ok(), sendable, "{from:?}");
            if let Ok(to) = to {
                assert_eq!(to, SENDING);
            }
        }
    }
}

#[test]
fn an_answer_moves_a_send_on_by_what_it_proves() {
    let after = |kind, outcome: &Outcome| apply(kind, SENDING, Event::Answered(outcome)).unwrap();
    assert_eq!(after(Kind::Post, &created()).state, State::Done);
    assert_eq!(
        after(Kind::Post, &refused()),
        Standing { state: State::Refused, may_have_left: false, left: false }
    );
    assert_eq!(
        after(Kind::Post, &Outcome::NotSent(NotSent::Dns)),
        Standing { state: State::Waiting(WaitReason::NotSent), may_have_left: false, left: false }
    );
    assert_eq!(
        after(Kind::Post, &Outcome::NotSent(NotSent::Maintenance { retry_after_s: None })).state,
        State::Waiting(WaitReason::Maintenance)
    );
    let unknown = Outcome::Unknown(UnknownCause::TimedOut);
    assert_eq!(after(Kind::Post, &unknown), SENDING, "unknown is not a failure: nothing is proved");
    assert_eq!(after(Kind::Image, &unknown), SENDING);
    assert_eq!(
        after(Kind::Attach, &unknown).state,
        State::Waiting(WaitReason::CouldNotAsk),
        "may be repeated"
    );
}

#[test]
fn an_answer_to_something_that_was_not_sending_is_illegal() {
    for state in State::all().into_iter().filter(|state| *state != State::Sending) {
        let from = Standing { state, may_have_left: true, left: false };
        assert!(apply(Kind::Post, from, Event::Answered(&created())).is_err(), "{state:?}");
        assert!(apply(Kind::Post, from, Event::Interrupted).is_err(), "{state:?}");
    }
}

#[test]
fn an_interrupted_send_stays_in_doubt_unless_it_may_be_repeated() {
    assert_eq!(apply(Kind::Post, SENDING, Event::Interrupted), Ok(SENDING));
    assert_eq!(apply(Kind::Image, SENDING, Event::Interrupted), Ok(SENDING));
    let attach = apply(Kind::Attach, SENDING, Event::Interrupted).unwrap();
    assert_eq!(attach.state, State::Waiting(WaitReason::Stopped));
    assert!(apply(Kind::Attach, attach, Event::BeginSend).is_ok());
}

#[test]
fn nothing_that_may_have_left_is_blocked_or_reopened_into_a_send() {
    for state in State::all() {
        let from = Standing { state, may_have_left: true, left: false };
        for blocked in [Blocked::NeedsWork, Blocked::Wait(WaitReason::Stopped), Blocked::SlugChanged] {
            assert!(apply(Kind::Post, from, Event::Blocked(blocked)).is_err(), "{state:?}");
        }
        if let Ok(to) = apply(Kind::Post, from, Event::Reopened) {
            assert!(apply(Kind::Post, to, Event::BeginSend).is_err(), "{state:?}");
        }
    }
}

#[test]
fn a_person_acts_only_where_the_halt_offers_it() {
    for reason in HaltReason::ALL {
        for act in Act::ALL {
            let to = apply(Kind::Post, halted(reason, true), Event::Act(act));
            let expected = act.is_for(reason) && act != Act::Update;
            assert_eq!(to.is_ok(), expected, "{act:?} on {reason:?}");
        }
    }
}

#[test]
fn send_again_gives_the_old_operation_up_for_ever() {
    let old =
        apply(Kind::Post, halted(HaltReason::OutcomeUnknown, true), Event::Act(Act::SendAgain)).unwrap();
    assert_eq!(old, Standing { state: State::Abandoned, may_have_left: true, left: false });
    for act in Act::ALL.into_iter().filter(|act| *act != Act::Look) {
        assert!(apply(Kind::Post, old, Event::Act(act)).is_err(), "{act:?}");
    }
    assert!(apply(Kind::Post, old, Event::BeginSend).is_err());
    let never_sent =
        apply(Kind::Post, halted(HaltReason::InTrash, false), Event::Act(Act::SendAgain)).unwrap();
    assert_eq!(never_sent, Standing::PLANNED);
}

#[test]
fn the_other_acts_end_where_they_say() {
    let after = |reason, act| apply(Kind::Post, halted(reason, true), Event::Act(act)).unwrap();
    assert_eq!(after(HaltReason::OutcomeUnknown, Act::Link).state, State::Done);
    assert_eq!(after(HaltReason::ContentDiffers, Act::KeepSite).state, State::Done);
    assert_eq!(after(HaltReason::Renamed, Act::AcceptSlug).state, State::Done);
    assert_eq!(after(HaltReason::Candidates, Act::NoneOfThese), halted(HaltReason::Candidates, true));
    assert!(after(HaltReason::Missing, Act::Leave).left);
    let left = Standing { left: true, ..halted(HaltReason::Missing, true) };
    assert!(!apply(Kind::Post, left, Event::Act(Act::Unleave)).unwrap().left);
    let same = apply(Kind::Post, halted(HaltReason::SlugChanged, false), Event::Act(Act::Same)).unwrap();
    assert_eq!(same, Standing { state: State::Abandoned, may_have_left: false, left: false });
    let new = apply(Kind::Post, halted(HaltReason::SlugChanged, false), Event::Act(Act::New)).unwrap();
    assert_eq!(new, Standing::PLANNED);
    let refused = Standing { state: State::Refused, may_have_left: false, left: false };
    assert_eq!(apply(Kind::Post, refused, Event::Act(Act::TryAgain)).unwrap(), Standing::PLANNED);
}

#[test]
fn a_left_halt_stays_left_only_for_the_same_reason() {
    let left = Standing { left: true, ..halted(HaltReason::OutcomeUnknown, true) };
    let same = apply(Kind::Post, left, Event::Decided(&Decision::Halt(HaltReason::OutcomeUnknown))).unwrap();
    assert!(same.left);
    let other = apply(Kind::Post, left, Event::Decided(&Decision::Halt(HaltReason::Duplicates))).unwrap();
    assert!(!other.left);
}

#[test]
fn a_create_is_never_decided_for_what_may_have_left() {
    for state in State::all() {
        let from = Standing { state, may_have_left: true, left: false };
        for decision in [Decision::Create, Decision::Wait(WaitReason::CouldNotAsk)] {
            assert!(apply(Kind::Post, from, Event::Decided(&decision)).is_err(), "{state:?} {decision:?}");
        }
    }
}

/// Walks every event from every reachable standing: nothing reachable breaks the promise's two
/// invariants, and every reachable standing has a way on.
#[test]
fn every_reachable_standing_keeps_the_invariants_and_has_a_way_on() {
    let outcomes =
        [created(), refused(), Outcome::NotSent(NotSent::Connect), Outcome::Unknown(UnknownCause::TimedOut)];
    let mut decisions = vec![
        Decision::Create,
        Decision::Skip { id: RemoteId(1), note: crate::decide::SkipNote::Same },
        Decision::Verified(crate::decide::VerifiedNote::default()),
        Decision::Replace,
        Decision::StayInDoubt(crate::evidence::AskFailure::Network),
    ];
    decisions.extend(HaltReason::ALL.map(Decision::Halt));
    decisions.extend(WaitReason::ALL.map(Decision::Wait));
    for then in [AfterAdopt::Done, AfterAdopt::Halt(HaltReason::Incomplete)] {
        decisions.push(Decision::Adopt { id: RemoteId(1), by: crate::decide::AdoptedBy::Marker, then });
    }
    let mut events = vec![Event::BeginSend, Event::Interrupted, Event::Reopened];
    events.extend(outcomes.iter().map(Event::Answered));
    events.extend(decisions.iter().map(Event::Decided));
    events.extend(Act::ALL.map(Event::Act));
    events.extend(
        [Blocked::NeedsWork, Blocked::SlugChanged, Blocked::Wait(WaitReason::Stopped)].map(Event::Blocked),
    );

    let mut reached = std::collections::HashSet::from([Standing::PLANNED]);
    let mut open = vec![Standing::PLANNED];
    while let Some(from) = open.pop() {
        let next: Vec<_> = events.iter().filter_map(|event| apply(Kind::Post, from, *event).ok()).collect();
        assert!(
            from.state == State::Abandoned || next.iter().any(|to| to != &from),
            "{from:?} has no way on"
        );
        assert!(from.state != State::Sending || from.may_have_left, "{from:?}");
        assert!(from.state != State::Planned || !from.may_have_left, "{from:?}");
        assert!(!matches!(from.state, State::Waiting(_)) || !from.may_have_left, "{from:?}");
        assert!(!from.left || matches!(from.state, State::Halted(_)), "{from:?}");
        for to in next {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    assert!(reached.len() > 30, "{}", reached.len());
}

#[test]
fn only_what_was_never_sent_and_waits_for_a_slug_is_withdrawn() {
    for state in State::all() {
        for may_have_left in [false, true] {
            let from = Standing { state, may_have_left, left: false };
            let to = apply(Kind::Post, from, Event::Withdrawn);
            if state == State::Halted(HaltReason::SlugChanged) && !may_have_left {
                assert_eq!(to.map(|to| (to.state, to.may_have_left)), Ok((State::Abandoned, false)));
            } else {
                assert!(to.is_err(), "{from:?}");
            }
        }
    }
}

/// Where a decision takes what stands so; `None` where it cannot be taken.
fn after(decision: &Decision, state: State, may_have_left: bool) -> Option<(State, bool)> {
    let is_unsent = !may_have_left;
    let waits = matches!(state, State::Planned | State::Waiting(_) | State::Skipped);
    let is_halted = matches!(state, State::Halted(_));
    if *decision == Decision::Keep {
        return Some((state, may_have_left));
    }
    if matches!(state, State::Abandoned | State::NeedsWork | State::Refused) {
        return None;
    }
    let (may, to, left_then) = match decision {
        Decision::Create => (is_unsent && (waits || is_halted), State::Planned, false),
        Decision::Skip { .. } => (is_unsent && (waits || is_halted), State::Skipped, false),
        Decision::Wait(reason) => (is_unsent && waits, State::Waiting(*reason), false),
        Decision::Adopt { then: AfterAdopt::Done, .. } => {
            (may_have_left && (state == State::Sending || is_halted), State::Done, true)
        }
        Decision::Adopt { then: AfterAdopt::Halt(reason), .. } => {
            (may_have_left && (state == State::Sending || is_halted), State::Halted(*reason), true)
        }
        Decision::Verified(_) => (may_have_left && (state == State::Done || is_halted), State::Done, true),
        Decision::Replace => (state == State::Done, State::Abandoned, true),
        Decision::StayInDoubt(_) if is_halted => (true, state, may_have_left),
        Decision::StayInDoubt(_) => (state == State::Sending, State::Halted(HaltReason::CouldNotAsk), true),
        Decision::Halt(reason) => (true, State::Halted(*reason), may_have_left),
        Decision::Keep => (true, state, may_have_left),
    };
    may.then_some((to, left_then))
}

#[test]
fn each_decision_moves_on_only_what_it_can_be_taken_about() {
    let mut decisions = vec![
        Decision::Create,
        Decision::Skip { id: RemoteId(1), note: crate::decide::SkipNote::Same },
        Decision::Verified(crate::decide::VerifiedNote::default()),
        Decision::Replace,
        Decision::StayInDoubt(crate::evidence::AskFailure::Network),
        Decision::Keep,
    ];
    decisions.extend(HaltReason::ALL.map(Decision::Halt));
    decisions.extend(WaitReason::ALL.map(Decision::Wait));
    for then in [AfterAdopt::Done, AfterAdopt::Halt(HaltReason::Incomplete)] {
        decisions.push(Decision::Adopt { id: RemoteId(1), by: crate::decide::AdoptedBy::Marker, then });
    }
    for state in State::all() {
        for may_have_left in [false, true] {
            let from = Standing { state, may_have_left, left: false };
            for decision in &decisions {
                let to = apply(Kind::Post, from, Event::Decided(decision)).ok();
                let expected = after(decision, state, may_have_left).map(|(state, may_have_left)| Standing {
                    state,
                    may_have_left,
                    left: false,
                });
                assert_eq!(to, expected, "{decision:?} about {from:?}");
            }
        }
    }
}

#[test]
fn what_was_not_sent_is_blocked_for_its_reason() {
    let reasons = [
        (Blocked::NeedsWork, State::NeedsWork),
        (Blocked::Wait(WaitReason::SitePaused), State::Waiting(WaitReason::SitePaused)),
        (Blocked::SlugChanged, State::Halted(HaltReason::SlugChanged)),
        (Blocked::ImageRefused, State::Refused),
    ];
    for state in State::all() {
        let can_be = matches!(
            state,
            State::Planned | State::Waiting(_) | State::NeedsWork | State::Refused | State::Skipped
        );
        for (blocked, to) in reasons {
            let from = Standing { state, may_have_left: false, left: false };
            let expected = can_be.then_some(Standing { state: to, may_have_left: false, left: false });
            assert_eq!(
                apply(Kind::Post, from, Event::Blocked(blocked)).ok(),
                expected,
                "{blocked:?} {state:?}"
            );
        }
    }
}

#[test]
fn only_what_was_not_sent_and_is_not_halted_is_reopened() {
    for state in State::all() {
        let from = Standing { state, may_have_left: false, left: false };
        let can_be = matches!(
            state,
            State::Planned | State::Waiting(_) | State::NeedsWork | State::Refused | State::Skipped
        );
        assert_eq!(
            apply(Kind::Post, from, Event::Reopened).ok(),
            can_be.then_some(Standing::PLANNED),
            "{state:?}"
        );
        let can_be_tried = matches!(state, State::Refused | State::NeedsWork | State::Waiting(_));
        let tried = apply(Kind::Post, from, Event::Act(Act::TryAgain)).ok();
        assert_eq!(tried, can_be_tried.then_some(Standing::PLANNED), "{state:?}");
        assert_eq!(
            apply(Kind::Post, from, Event::Act(Act::Look)),
            Ok(from),
            "a look changes nothing: {state:?}"
        );
    }
}

#[test]
fn an_event_that_cannot_happen_names_itself() {
    let from = Standing { state: State::Done, may_have_left: true, left: false };
    for (event, name) in [
        (Event::BeginSend, "begin_send"),
        (Event::Answered(&created()), "answered"),
        (Event::Interrupted, "interrupted"),
        (Event::Decided(&Decision::Create), "create"),
        (Event::Blocked(Blocked::NeedsWork), "blocked"),
        (Event::Reopened, "reopened"),
        (Event::Withdrawn, "withdrawn"),
        (Event::Act(Act::Link), "link"),
    ] {
        let error = apply(Kind::Post, from, event).unwrap_err();
        assert_eq!(error, IllegalTransition { kind: Kind::Post, from, event: name });
        assert!(error.to_string().contains(name), "{error}");
    }
}
