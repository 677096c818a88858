use super::*;
use crate::evidence::AskFailure;

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

fn marked(id: u64) -> Found {
    Found { marker: MarkerSeen::This, same_content: true, ..row(id) }
}

fn looked(rows: &[Found]) -> Evidence {
    Evidence::Looked(Looked { rows: rows.to_vec(), ..Looked::default() })
}

fn hidden(rows: &[Found]) -> Evidence {
    Evidence::Looked(Looked { rows: rows.to_vec(), hidden: true, by_id: ById::NotAsked })
}

fn by_id(by_id: ById) -> Evidence {
    Evidence::Looked(Looked { by_id, ..Looked::default() })
}

fn post(state: State, may_have_left: bool) -> Record {
    Record { kind: Kind::Post, state, may_have_left, may_arrive: false }
}

const SAME: Local = Local { changed_since: false };
const CHANGED: Local = Local { changed_since: true };
const DOWN: Evidence = Evidence::CouldNotAsk(AskFailure::Network);

fn planned(evidence: &Evidence) -> Decision {
    decide(post(State::Planned, false), evidence, SAME)
}

fn sending(evidence: &Evidence) -> Decision {
    decide(post(State::Sending, true), evidence, SAME)
}

fn done_post(evidence: &Evidence) -> Decision {
    decide(post(State::Done, true), evidence, SAME)
}

#[test]
fn without_a_record_what_is_there_is_never_overwritten() {
    assert_eq!(planned(&looked(&[row(1)])), Decision::Skip { id: RemoteId(1), note: SkipNote::Differs });
    assert_eq!(
        planned(&looked(&[Found { same_content: true, ..row(1) }])),
        Decision::Skip { id: RemoteId(1), note: SkipNote::Same }
    );
    assert_eq!(
        planned(&looked(&[Found { marker: MarkerSeen::Unknown, same_content: true, ..row(1) }])),
        Decision::Skip { id: RemoteId(1), note: SkipNote::OtherJournal }
    );
    assert_eq!(
        planned(&looked(&[Found { accounted: Accounted::OtherRecord, ..row(1) }])),
        Decision::Skip { id: RemoteId(1), note: SkipNote::Differs },
        "another record's row takes the slug all the same"
    );
}

#[test]
fn without_a_record_only_a_complete_look_that_finds_nothing_allows_a_create() {
    assert_eq!(planned(&looked(&[])), Decision::Create);
    assert_eq!(planned(&DOWN), Decision::Wait(WaitReason::CouldNotAsk));
    assert_eq!(
        planned(&Evidence::CouldNotAsk(AskFailure::NotOurUser)),
        Decision::Wait(WaitReason::Credentials)
    );
    assert_eq!(
        planned(&Evidence::CouldNotAsk(AskFailure::Maintenance)),
        Decision::Wait(WaitReason::Maintenance)
    );
    assert_eq!(planned(&hidden(&[])), Decision::Halt(HaltReason::Hidden));
    assert_eq!(planned(&looked(&[row(1), row(2)])), Decision::Halt(HaltReason::Duplicates));
    assert_eq!(planned(&looked(&[Found { in_trash: true, ..row(1) }])), Decision::Halt(HaltReason::InTrash));
    let elsewhere = Found { slug_matches: false, ..row(1) };
    assert_eq!(planned(&looked(&[elsewhere])), Decision::Create, "a row at another slug is no obstacle");
}

#[test]
fn after_send_again_the_dismissed_rows_are_no_obstacle_but_the_old_marker_is() {
    let dismissed =
        Found { in_trash: true, accounted: Accounted::Dismissed, marker: MarkerSeen::Predecessor, ..row(1) };
    assert_eq!(planned(&looked(&[dismissed])), Decision::Create);
    let late = Found { marker: MarkerSeen::Predecessor, ..row(1) };
    for state in [State::Planned, State::Sending, State::Done] {
        let mut looked = Looked { rows: vec![late.clone()], ..Looked::default() };
        if state == State::Done {
            looked.by_id = ById::There(row(9));
        }
        let record = post(state, state != State::Planned);
        assert_eq!(
            decide(record, &Evidence::Looked(looked), SAME),
            Decision::Halt(HaltReason::Duplicates),
            "{state:?}"
        );
    }
}

#[test]
fn media_that_no_record_knows_at_our_slug_is_left_to_a_person() {
    let image = Record { kind: Kind::Image, state: State::Planned, may_have_left: false, may_arrive: false };
    assert_eq!(decide(image, &looked(&[row(1)]), SAME), Decision::Halt(HaltReason::ExistsNotOurs));
    assert_eq!(decide(image, &looked(&[]), SAME), Decision::Create);
}

#[test]
fn in_doubt_our_marker_is_adopted() {
    let adopted = |then| Decision::Adopt { id: RemoteId(5), by: AdoptedBy::Marker, then };
    assert_eq!(sending(&looked(&[marked(5)])), adopted(AfterAdopt::Done));
    let elsewhere = Found { slug_matches: false, same_content: false, ..marked(5) };
    assert_eq!(sending(&looked(&[elsewhere])), adopted(AfterAdopt::Done), "whatever slug and content became");
    assert_eq!(sending(&looked(&[marked(5), row(3)])), adopted(AfterAdopt::Done), "of two at the slug, ours");
    assert_eq!(
        sending(&looked(&[Found { complete: false, ..marked(5) }])),
        adopted(AfterAdopt::Halt(HaltReason::Incomplete))
    );
    assert_eq!(
        decide(post(State::Sending, true), &looked(&[marked(5)]), CHANGED),
        adopted(AfterAdopt::Halt(HaltReason::ContentDiffers))
    );
    assert_eq!(sending(&hidden(&[marked(5)])), adopted(AfterAdopt::Done));
}

#[test]
fn in_doubt_our_marker_in_the_trash_or_twice_is_a_persons() {
    assert_eq!(
        sending(&looked(&[Found { in_trash: true, ..marked(5) }])),
        Decision::Halt(HaltReason::InTrash)
    );
    assert_eq!(sending(&looked(&[marked(5), marked(6)])), Decision::Halt(HaltReason::Duplicates));
    assert_eq!(
        sending(&looked(&[marked(5), Found { in_trash: true, ..marked(6) }])),
        Decision::Halt(HaltReason::Duplicates)
    );
}

#[test]
fn in_doubt_without_a_marker_only_an_exact_copy_of_ours_is_adopted() {
    let copy = Found { same_content: true, ..row(5) };
    assert_eq!(
        sending(&looked(std::slice::from_ref(&copy))),
        Decision::Adopt { id: RemoteId(5), by: AdoptedBy::Content, then: AfterAdopt::Done }
    );
    for (spoilt, halt) in [
        (Found { same_content: false, ..copy.clone() }, HaltReason::ContentDiffers),
        (Found { above_mark: false, ..copy.clone() }, HaltReason::ContentDiffers),
        (Found { mine: false, ..copy.clone() }, HaltReason::ExistsNotOurs),
        (Found { marker: MarkerSeen::Other, ..copy.clone() }, HaltReason::ContentDiffers),
        (Found { marker: MarkerSeen::Unknown, ..copy.clone() }, HaltReason::ContentDiffers),
        (Found { in_trash: true, ..copy.clone() }, HaltReason::InTrash),
        (Found { slug_matches: false, ..copy.clone() }, HaltReason::Candidates),
        (Found { accounted: Accounted::OtherRecord, ..copy.clone() }, HaltReason::OutcomeUnknown),
        (Found { slug_matches: false, mine: false, ..copy.clone() }, HaltReason::OutcomeUnknown),
        (Found { slug_matches: false, above_mark: false, ..copy.clone() }, HaltReason::OutcomeUnknown),
        (
            Found { slug_matches: false, accounted: Accounted::Dismissed, ..copy.clone() },
            HaltReason::OutcomeUnknown,
        ),
    ] {
        assert_eq!(sending(&looked(std::slice::from_ref(&spoilt))), Decision::Halt(halt), "{spoilt:?}");
    }
    assert_eq!(sending(&looked(&[copy, row(6)])), Decision::Halt(HaltReason::Duplicates));
}

#[test]
fn in_doubt_and_nothing_found_halts_and_never_creates() {
    assert_eq!(sending(&looked(&[])), Decision::Halt(HaltReason::OutcomeUnknown));
    assert_eq!(sending(&hidden(&[])), Decision::Halt(HaltReason::Hidden));
    assert_eq!(sending(&DOWN), Decision::StayInDoubt(AskFailure::Network));
}

#[test]
fn a_doubtful_halt_is_settled_by_a_later_find_and_kept_otherwise() {
    for reason in HaltReason::ALL.into_iter().filter(|reason| reason.is_doubt()) {
        let halted = post(State::Halted(reason), true);
        assert!(matches!(decide(halted, &looked(&[marked(5)]), SAME), Decision::Adopt { .. }), "{reason:?}");
        assert_eq!(decide(halted, &DOWN, SAME), Decision::Keep, "{reason:?}");
    }
    let unknown = post(State::Halted(HaltReason::OutcomeUnknown), true);
    assert_eq!(decide(unknown, &looked(&[]), SAME), Decision::Keep);
    let hidden_before = post(State::Halted(HaltReason::Hidden), true);
    assert_eq!(decide(hidden_before, &looked(&[]), SAME), Decision::Halt(HaltReason::OutcomeUnknown));
}

#[test]
fn a_halt_before_any_send_is_settled_by_what_the_site_shows_now() {
    let halted = post(State::Halted(HaltReason::InTrash), false);
    assert_eq!(decide(halted, &looked(&[]), SAME), Decision::Create);
    assert_eq!(decide(halted, &DOWN, SAME), Decision::Keep);
    assert_eq!(decide(halted, &looked(&[Found { in_trash: true, ..row(1) }]), SAME), Decision::Keep);
    let renamed_here = post(State::Halted(HaltReason::SlugChanged), false);
    assert_eq!(decide(renamed_here, &looked(&[]), SAME), Decision::Keep, "only a person can say");
}

#[test]
fn a_done_post_is_judged_by_its_id() {
    let there = |found| done_post(&by_id(ById::There(found)));
    let own = Found { same_content: true, ..row(5) };
    assert_eq!(there(own.clone()), Decision::Verified(VerifiedNote::default()));
    assert_eq!(
        there(Found { same_content: false, ..own.clone() }),
        Decision::Verified(VerifiedNote { edited_on_site: true, ..VerifiedNote::default() })
    );
    assert_eq!(there(Found { slug_matches: false, ..own.clone() }), Decision::Halt(HaltReason::Renamed));
    assert_eq!(there(Found { in_trash: true, ..own.clone() }), Decision::Halt(HaltReason::InTrash));
    assert_eq!(done_post(&by_id(ById::Gone)), Decision::Halt(HaltReason::Missing));
    assert_eq!(
        done_post(&by_id(ById::Forbidden)),
        Decision::Verified(VerifiedNote { no_longer_ours: true, ..VerifiedNote::default() })
    );
    assert_eq!(done_post(&by_id(ById::NotAsked)), Decision::Keep);
    assert_eq!(done_post(&DOWN), Decision::Keep);
    assert_eq!(
        decide(post(State::Done, true), &by_id(ById::There(own)), CHANGED),
        Decision::Verified(VerifiedNote { changed_since: true, ..VerifiedNote::default() })
    );
}

#[test]
fn a_second_row_beside_a_done_post_is_a_duplicate() {
    let own = Found { same_content: true, ..row(5) };
    let beside = |rows: &[Found]| {
        done_post(&Evidence::Looked(Looked {
            rows: rows.to_vec(),
            hidden: false,
            by_id: ById::There(own.clone()),
        }))
    };
    assert_eq!(
        beside(std::slice::from_ref(&own)),
        Decision::Verified(VerifiedNote::default()),
        "itself is no other"
    );
    assert_eq!(beside(&[own.clone(), row(6)]), Decision::Halt(HaltReason::Duplicates));
    assert_eq!(
        beside(&[Found { slug_matches: false, ..marked(6) }]),
        Decision::Halt(HaltReason::Duplicates),
        "our marker on another row"
    );
    for harmless in [
        Found { in_trash: true, ..row(6) },
        Found { slug_matches: false, ..row(6) },
        Found { accounted: Accounted::OtherRecord, ..row(6) },
        Found { accounted: Accounted::Dismissed, ..row(6) },
    ] {
        assert_eq!(
            beside(std::slice::from_ref(&harmless)),
            Decision::Verified(VerifiedNote::default()),
            "{harmless:?}"
        );
    }
}

#[test]
fn a_halt_about_a_known_row_ends_when_the_row_is_right_again() {
    let own = Found { same_content: true, ..row(5) };
    for reason in [HaltReason::InTrash, HaltReason::Missing, HaltReason::Renamed] {
        let halted = post(State::Halted(reason), true);
        assert_eq!(
            decide(halted, &by_id(ById::There(own.clone())), SAME),
            Decision::Verified(VerifiedNote::default()),
            "{reason:?}"
        );
    }
    let missing = post(State::Halted(HaltReason::Missing), true);
    assert_eq!(decide(missing, &by_id(ById::Gone), SAME), Decision::Keep);
    for reason in [
        HaltReason::ContentDiffers,
        HaltReason::Incomplete,
        HaltReason::Duplicates,
        HaltReason::ExistsNotOurs,
    ] {
        let halted = post(State::Halted(reason), true);
        assert_eq!(decide(halted, &by_id(ById::There(own.clone())), SAME), Decision::Keep, "{reason:?}");
    }
}

#[test]
fn an_image_is_used_again_only_if_it_is_still_what_was_recorded() {
    let image = Record { kind: Kind::Image, state: State::Done, may_have_left: true, may_arrive: false };
    let own = Found { same_content: true, slug_matches: false, ..row(5) };
    let judge = |found| decide(image, &by_id(ById::There(found)), SAME);
    assert_eq!(judge(own.clone()), Decision::Verified(VerifiedNote::default()), "whatever its slug became");
    assert_eq!(
        judge(Found { same_content: false, ..own.clone() }),
        Decision::Halt(HaltReason::ContentDiffers)
    );
    assert_eq!(judge(Found { mine: false, ..own }), Decision::Halt(HaltReason::ContentDiffers));
    assert_eq!(decide(image, &by_id(ById::Gone), SAME), Decision::Replace);
    let linked = Record { may_arrive: true, ..image };
    assert_eq!(
        decide(linked, &by_id(ById::Gone), SAME),
        Decision::Halt(HaltReason::Missing),
        "what was sent may still arrive"
    );
    let halted = Record { state: State::Halted(HaltReason::InTrash), ..image };
    assert_eq!(
        decide(halted, &by_id(ById::Gone), SAME),
        Decision::Keep,
        "a halt is never replaced by itself"
    );
}

#[test]
fn a_halt_about_a_row_that_is_gone_says_that_it_is_missing() {
    let gone = by_id(ById::Gone);
    for reason in [
        HaltReason::ContentDiffers,
        HaltReason::Incomplete,
        HaltReason::ExistsNotOurs,
        HaltReason::Duplicates,
        HaltReason::InTrash,
        HaltReason::Renamed,
    ] {
        let halted = post(State::Halted(reason), true);
        assert_eq!(decide(halted, &gone, SAME), Decision::Halt(HaltReason::Missing), "{reason:?}");
    }
    let beside =
        |found: Found| Evidence::Looked(Looked { rows: vec![found], hidden: false, by_id: ById::Gone });
    for reason in [HaltReason::ExistsNotOurs, HaltReason::Duplicates] {
        let halted = post(State::Halted(reason), true);
        assert_eq!(decide(halted, &beside(row(6)), SAME), Decision::Keep, "{reason:?}: it can be linked");
        for useless in
            [Found { in_trash: true, ..row(6) }, Found { accounted: Accounted::OtherRecord, ..row(6) }]
        {
            assert_eq!(
                decide(halted, &beside(useless), SAME),
                Decision::Halt(HaltReason::Missing),
                "{reason:?}"
            );
        }
        assert_eq!(decide(halted, &DOWN, SAME), Decision::Keep, "{reason:?}");
    }
    for reason in [HaltReason::ContentDiffers, HaltReason::Incomplete] {
        let halted = post(State::Halted(reason), true);
        assert_eq!(decide(halted, &beside(row(6)), SAME), Decision::Halt(HaltReason::Missing), "{reason:?}");
    }
}

#[test]
fn what_was_only_linked_is_in_doubt_again_when_its_row_is_gone() {
    let beside =
        |rows: &[Found]| Evidence::Looked(Looked { rows: rows.to_vec(), hidden: false, by_id: ById::Gone });
    for reason in [HaltReason::Missing, HaltReason::InTrash, HaltReason::Renamed, HaltReason::ContentDiffers]
    {
        let linked = Record { may_arrive: true, ..post(State::Halted(reason), true) };
        assert_eq!(
            decide(linked, &beside(&[marked(6)]), SAME),
            Decision::Adopt { id: RemoteId(6), by: AdoptedBy::Marker, then: AfterAdopt::Done },
            "{reason:?}: it came after all"
        );
        assert_eq!(
            decide(linked, &beside(&[]), SAME),
            Decision::Halt(HaltReason::OutcomeUnknown),
            "{reason:?}"
        );
        let there = Found { same_content: true, in_trash: true, ..row(5) };
        assert!(
            !matches!(decide(linked, &by_id(ById::There(there)), SAME), Decision::Adopt { .. }),
            "{reason:?}: what is there is not gone"
        );
    }
    let answered = post(State::Halted(HaltReason::Missing), true);
    assert_eq!(decide(answered, &beside(&[marked(6)]), SAME), Decision::Keep, "nothing more can come");
}

#[test]
fn a_strangers_row_in_the_trash_does_not_explain_what_else_appeared() {
    let candidate = Found { slug_matches: false, ..row(6) };
    let in_trash = Found { in_trash: true, ..row(5) };
    assert_eq!(
        sending(&looked(&[in_trash.clone(), candidate.clone()])),
        Decision::Halt(HaltReason::Candidates)
    );
    let what_we_sent = Found { same_content: true, ..in_trash };
    assert_eq!(sending(&looked(&[what_we_sent, candidate])), Decision::Halt(HaltReason::InTrash));
}

/// Every combination of the facts that a row can show, for one or two rows.
fn every_evidence() -> Vec<Evidence> {
    let mut founds = Vec::new();
    for bits in 0..64_u32 {
        let bit = |at: u32| bits >> at & 1 == 1;
        for marker in [
            MarkerSeen::None,
            MarkerSeen::This,
            MarkerSeen::Predecessor,
            MarkerSeen::Other,
            MarkerSeen::Unknown,
        ] {
            for accounted in [Accounted::No, Accounted::OtherRecord, Accounted::Dismissed] {
                founds.push(Found {
                    id: RemoteId(founds.len() as u64 + 1),
                    slug_matches: bit(0),
                    in_trash: bit(1),
                    mine: bit(2),
                    above_mark: bit(3),
                    same_content: bit(4),
                    complete: bit(5),
                    marker,
                    accounted,
                });
            }
        }
    }
    let mut all = vec![DOWN, looked(&[]), hidden(&[]), by_id(ById::Gone), by_id(ById::Forbidden)];
    for found in &founds {
        all.push(looked(std::slice::from_ref(found)));
        all.push(hidden(std::slice::from_ref(found)));
        all.push(by_id(ById::There(found.clone())));
    }
    for pair in founds.windows(2).chain(founds.windows(19)) {
        all.push(looked(&[pair[0].clone(), pair[pair.len() - 1].clone()]));
    }
    all
}

#[test]
fn no_evidence_whatever_lets_a_request_that_may_have_left_be_sent_again() {
    for evidence in every_evidence() {
        for kind in [Kind::Post, Kind::Image] {
            for state in State::all() {
                for local in [SAME, CHANGED] {
                    let decision = decide(
                        Record { kind, state, may_have_left: true, may_arrive: true },
                        &evidence,
                        local,
                    );
                    let planned = matches!(state, State::Planned | State::Waiting(_) | State::Skipped);
                    assert!(planned || decision != Decision::Create, "{kind:?} {state:?} {evidence:?}");
                }
            }
        }
    }
}

#[test]
fn every_decision_is_one_that_the_state_can_take() {
    use crate::apply::{Event, Standing, apply};
    for evidence in every_evidence() {
        for kind in [Kind::Post, Kind::Image] {
            for state in State::all() {
                for may_have_left in possible(state) {
                    let record = Record { kind, state, may_have_left, may_arrive: false };
                    let decision = decide(record, &evidence, SAME);
                    let from = Standing { state, may_have_left, left: false };
                    let to = apply(kind, from, Event::Decided(&decision));
                    assert!(to.is_ok(), "{record:?} {evidence:?} -> {decision:?}");
                }
            }
        }
    }
}

/// Which values of `may_have_left` a state can have.
pub(crate) fn possible(state: State) -> Vec<bool> {
    match state {
        State::Planned | State::Waiting(_) | State::NeedsWork | State::Refused | State::Skipped => {
            vec![false]
        }
        State::Sending | State::Done => vec![true],
        State::Halted(HaltReason::SlugChanged) => vec![false],
        State::Halted(
            HaltReason::InTrash | HaltReason::Duplicates | HaltReason::Hidden | HaltReason::ExistsNotOurs,
        ) => {
            vec![false, true]
        }
        State::Halted(_) => vec![true],
        State::Abandoned => vec![true, false],
    }
}

#[test]
fn a_halt_without_a_recorded_row_is_in_doubt_and_one_with_a_row_is_about_it() {
    let own = Found { same_content: true, ..row(5) };
    for reason in
        [HaltReason::ExistsNotOurs, HaltReason::Duplicates, HaltReason::InTrash, HaltReason::ContentDiffers]
    {
        let halted = post(State::Halted(reason), true);
        assert!(
            matches!(decide(halted, &looked(&[marked(6)]), SAME), Decision::Adopt { id: RemoteId(6), .. }),
            "{reason:?}"
        );
        assert_eq!(
            decide(halted, &looked(&[]), SAME),
            Decision::Halt(HaltReason::OutcomeUnknown),
            "{reason:?}"
        );
        let with_a_row = Evidence::Looked(Looked {
            rows: vec![marked(6)],
            hidden: false,
            by_id: ById::There(own.clone()),
        });
        let then = decide(halted, &with_a_row, SAME);
        assert!(!matches!(then, Decision::Adopt { .. }), "{reason:?}: {then:?}");
    }
}
