use super::*;
use crate::act::Act;
use crate::apply::Blocked;
use crate::decide::{AfterAdopt, SkipNote, VerifiedNote};
use crate::evidence::{AskFailure, ById};
use crate::id::RemoteId;
use crate::operation::WaitReason;
use crate::outcome::{Created, NotSent, Refusal, RefusalCode, UnknownCause};

fn row(id: u64) -> Found {
    Found {
        id: RemoteId(id),
        slug_matches: true,
        in_trash: false,
        mine: true,
        above_mark: true,
        marker: MarkerSeen::None,
        same_content: false,
        complete: true,
        accounted: Accounted::No,
    }
}

fn looked(rows: &[Found], by_id: ById) -> Evidence {
    Evidence::Looked(Looked { rows: rows.to_vec(), hidden: false, by_id })
}

fn seen(rows: &[Found]) -> Evidence {
    looked(rows, ById::NotAsked)
}

/// A post that was sent and linked to a row, without an answer.
fn linked(state: State) -> Record {
    Record { kind: Kind::Post, state, may_have_left: true, may_arrive: true }
}

const MISSING: State = State::Halted(HaltReason::Missing);
const IN_TRASH: State = State::Halted(HaltReason::InTrash);
const UNKNOWN: State = State::Halted(HaltReason::OutcomeUnknown);
const DOWN: Evidence = Evidence::CouldNotAsk(AskFailure::Network);

#[test]
fn a_request_may_arrive_from_its_send_until_something_proves_what_became_of_it() {
    let created = Outcome::Created(Box::new(Created {
        id: RemoteId(1),
        row: None,
        stored: None,
        needs_post_process: false,
    }));
    let refused =
        Outcome::Refused(Refusal { code: RefusalCode::InvalidParam, status: 400, parameters: Vec::new() });
    let after = |kind, event: &Event<'_>| may_arrive(kind, true, event);
    let adopted = |by| Decision::Adopt { id: RemoteId(1), by, then: AfterAdopt::Done };
    for kind in [Kind::Post, Kind::Image] {
        assert!(may_arrive(kind, false, &Event::BeginSend));
        for proof in [&created, &refused, &Outcome::NotSent(NotSent::Connect)] {
            assert!(!after(kind, &Event::Answered(proof)), "{proof:?}");
        }
        assert!(!after(kind, &Event::Decided(&adopted(AdoptedBy::Marker))));
    }
    assert!(after(Kind::Post, &Event::Decided(&adopted(AdoptedBy::Content))), "anyone can make a copy");
    assert!(!after(Kind::Image, &Event::Decided(&adopted(AdoptedBy::Content))), "the slug names the bytes");
}

#[test]
fn nothing_else_changes_whether_a_request_may_arrive() {
    let unknown = Outcome::Unknown(UnknownCause::TimedOut);
    let decisions = [
        Decision::Create,
        Decision::Skip { id: RemoteId(1), note: SkipNote::Same },
        Decision::Verified(VerifiedNote::default()),
        Decision::Replace,
        Decision::Halt(HaltReason::InTrash),
        Decision::Wait(WaitReason::Stopped),
        Decision::StayInDoubt(AskFailure::Network),
        Decision::Keep,
    ];
    let mut events = vec![
        Event::Answered(&unknown),
        Event::Interrupted,
        Event::Blocked(Blocked::NeedsWork),
        Event::Reopened,
        Event::Withdrawn,
    ];
    events.extend(decisions.iter().map(Event::Decided));
    events.extend(Act::ALL.map(Event::Act));
    let copy = Decision::Adopt { id: RemoteId(1), by: AdoptedBy::Content, then: AfterAdopt::Done };
    for kind in [Kind::Post, Kind::Image] {
        for event in &events {
            assert!(may_arrive(kind, true, event), "{event:?}");
            assert!(!may_arrive(kind, false, event), "{event:?}");
        }
        assert!(!may_arrive(kind, false, &Event::Decided(&copy)));
    }
}

#[test]
fn only_what_is_beyond_doubt_its_effect_shows_that_a_request_arrived() {
    let post = linked(MISSING);
    let image = Record { kind: Kind::Image, ..post };
    let marked = Found { marker: MarkerSeen::This, ..row(5) };
    let copy = Found { same_content: true, in_trash: true, ..row(5) };
    assert!(has_arrived(Record { may_arrive: false, ..post }, &DOWN), "its answer told");
    assert!(!has_arrived(post, &DOWN));
    assert!(!has_arrived(post, &seen(&[])));
    for in_trash in [true, false] {
        assert!(has_arrived(post, &seen(&[Found { in_trash, ..marked.clone() }])));
    }
    assert!(has_arrived(image, &seen(std::slice::from_ref(&copy))));
    for (record, proves_nothing) in [
        (post, copy.clone()),
        (post, Found { mine: false, ..marked.clone() }),
        (post, Found { above_mark: false, ..marked }),
        (image, Found { in_trash: false, ..copy.clone() }),
        (image, Found { slug_matches: false, ..copy.clone() }),
        (image, Found { same_content: false, ..copy.clone() }),
        (image, Found { marker: MarkerSeen::Predecessor, ..copy.clone() }),
        (image, Found { marker: MarkerSeen::Other, ..copy.clone() }),
        (image, Found { marker: MarkerSeen::Unknown, ..copy }),
    ] {
        assert!(!has_arrived(record, &seen(std::slice::from_ref(&proves_nothing))), "{proves_nothing:?}");
    }
}

#[test]
fn a_look_is_negative_only_if_it_could_be_made_and_shows_nothing_that_may_be_ours() {
    let elsewhere = Found { slug_matches: false, ..row(6) };
    let in_trash = Found { in_trash: true, ..row(6) };
    let ours_in_trash = Found { marker: MarkerSeen::This, ..in_trash.clone() };
    for record in [linked(State::Sending), linked(UNKNOWN), linked(IN_TRASH), linked(MISSING)] {
        assert!(is_negative(record, &seen(&[])), "{record:?}");
        assert!(is_negative(record, &seen(std::slice::from_ref(&elsewhere))), "what is a candidate");
        assert!(is_negative(record, &seen(std::slice::from_ref(&in_trash))), "a stranger's in the trash");
        assert!(!is_negative(record, &seen(std::slice::from_ref(&ours_in_trash))));
        assert!(!is_negative(record, &DOWN));
        assert!(!is_negative(record, &Evidence::Looked(Looked { hidden: true, ..Looked::default() })));
        assert!(!is_negative(record, &seen(&[row(5)])), "it may be ours, edited");
        let marked = Found { marker: MarkerSeen::This, ..row(5) };
        assert!(!is_negative(record, &seen(&[marked])), "it is ours");
    }
}

#[test]
fn what_stands_at_the_slug_and_cannot_be_ours_does_not_keep_a_missing_row_from_being_missing() {
    let strangers = Found { mine: false, ..row(5) };
    let older = Found { above_mark: false, ..row(5) };
    for there in [strangers.clone(), older] {
        let evidence = looked(std::slice::from_ref(&there), ById::Gone);
        assert!(is_negative(linked(MISSING), &evidence), "{there:?}");
        assert!(is_negative(linked(IN_TRASH), &evidence), "{there:?}");
        assert!(!is_negative(linked(UNKNOWN), &evidence), "that halt is about what stands there");
    }
    let with_ours = [strangers, Found { slug_matches: false, ..row(6) }];
    assert!(!is_negative(linked(MISSING), &looked(&with_ours, ById::Gone)));
    let marked = Found { mine: false, marker: MarkerSeen::This, above_mark: false, ..row(5) };
    assert!(!is_negative(linked(MISSING), &looked(&[marked], ById::Gone)));
    let dismissed = Found { accounted: Accounted::Dismissed, ..row(7) };
    let thrown_away = Found { in_trash: true, ..row(8) };
    let strangers = Found { mine: false, ..row(5) };
    assert!(is_negative(linked(MISSING), &looked(&[strangers.clone(), dismissed, thrown_away], ById::Gone)));
    let hidden = Evidence::Looked(Looked { rows: vec![strangers], hidden: true, by_id: ById::Gone });
    assert!(!is_negative(linked(MISSING), &hidden));
}

#[test]
fn before_send_again_what_is_known_to_have_arrived_is_judged_by_its_row() {
    for (state, reason) in [(MISSING, HaltReason::Missing), (IN_TRASH, HaltReason::InTrash)] {
        let arrived = Record { may_arrive: false, ..linked(state) };
        let gone = looked(&[], ById::Gone);
        let says =
            if reason == HaltReason::Missing { Decision::Keep } else { Decision::Halt(HaltReason::Missing) };
        assert_eq!(before_send_again(arrived, reason, &gone), (reason, says));
    }
    let never_sent = Record { may_have_left: false, ..linked(IN_TRASH) };
    let in_trash = seen(&[Found { in_trash: true, ..row(1) }]);
    assert_eq!(
        before_send_again(never_sent, HaltReason::InTrash, &in_trash),
        (HaltReason::InTrash, Decision::Keep)
    );
}

#[test]
fn before_send_again_what_was_only_linked_is_judged_as_an_unknown_outcome() {
    let unknown = (HaltReason::OutcomeUnknown, Decision::Halt(HaltReason::OutcomeUnknown));
    let strangers = Found { mine: false, ..row(5) };
    for (state, reason) in [(MISSING, HaltReason::Missing), (IN_TRASH, HaltReason::InTrash)] {
        assert_eq!(before_send_again(linked(state), reason, &looked(&[], ById::Gone)), unknown);
        let taken = looked(std::slice::from_ref(&strangers), ById::Gone);
        assert_eq!(before_send_again(linked(state), reason, &taken), unknown);
        let in_trash = Found { in_trash: true, ..row(5) };
        assert_eq!(before_send_again(linked(state), reason, &seen(&[in_trash])), unknown);
        let candidate = Found { slug_matches: false, ..row(6) };
        assert_eq!(
            before_send_again(linked(state), reason, &looked(&[candidate], ById::Gone)),
            (HaltReason::OutcomeUnknown, Decision::Halt(HaltReason::Candidates))
        );
    }
}

#[test]
fn before_send_again_a_doubtful_halt_is_decided_as_if_it_had_just_been_sent() {
    for reason in [HaltReason::OutcomeUnknown, HaltReason::Candidates] {
        let record = linked(State::Halted(reason));
        let judged = |evidence: &Evidence| before_send_again(record, reason, evidence);
        assert_eq!(judged(&seen(&[])), (reason, Decision::Halt(HaltReason::OutcomeUnknown)));
        assert_eq!(judged(&DOWN), (reason, Decision::StayInDoubt(AskFailure::Network)));
        let stranger = Found { mine: false, ..row(5) };
        assert_eq!(judged(&seen(&[stranger])), (reason, Decision::Halt(HaltReason::ExistsNotOurs)));
    }
}
