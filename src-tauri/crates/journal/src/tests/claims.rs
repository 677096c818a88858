use std::sync::Barrier as Gate;
use std::thread;

use ichido_core::apply::Event;
use ichido_core::decide::Decision;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::outcome::{NotSent, Outcome, Refusal, RefusalCode, Sent, UnknownCause};
use ichido_core::tally::Barrier;
use rusqlite::Connection;

use super::{Desk, NOW, at, created, done, facts, new_post, new_site, op_id, owner, planned, sending, site};
use crate::{BeginSendError, By, LockError, Misuse, Note, Runner, WriteError};

fn set(runner: &Runner, pragma: &str, value: i64) {
    runner.db.lock().pragma_update(None, pragma, value).unwrap();
}

#[test]
fn a_second_runner_is_told_who_is_at_work() {
    let desk = Desk::new();
    let runner = desk.open().lock(&owner("the-first"), NOW).unwrap();
    let Err(LockError::HeldBy { owner: Some(held_by) }) = desk.open().lock(&owner("the-second"), NOW) else {
        panic!("two runners")
    };
    assert_eq!(held_by, owner("the-first"));
    drop(runner);
    desk.open().lock(&owner("the-second"), NOW).unwrap();
}

#[test]
fn of_many_that_want_to_run_exactly_one_does() {
    let desk = Desk::new();
    desk.open();
    let gate = Gate::new(8);
    let runners: Vec<_> = thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let journal = desk.open();
                    gate.wait();
                    journal.lock(&owner("racer"), NOW)
                })
            })
            .collect();
        tries.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(runners.iter().filter(|runner| runner.is_ok()).count(), 1);
}

#[test]
fn a_site_is_locked_across_data_folders() {
    let desk = Desk::new();
    let other = crate::Places { data_dir: desk.places.sidecar_dir.join("other"), ..desk.places.clone() };
    let here = desk.runner();
    let there = crate::Journal::open(&other).unwrap().lock(&owner("there"), NOW).unwrap();
    let held = here.lock_site("https://one.example").unwrap();
    assert!(matches!(there.lock_site("https://one.example"), Err(LockError::HeldBy { owner: Some(_) })));
    there.lock_site("https://two.example").unwrap();
    drop(held);
    there.lock_site("https://one.example").unwrap();
}

#[test]
fn a_claim_is_won_by_exactly_one_of_many_threads() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    for round in 0..20 {
        let op_id = planned(&runner, site, &format!("article-{round}")).op_id;
        let gate = Gate::new(4);
        let claims: Vec<_> = thread::scope(|scope| {
            let tries: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        gate.wait();
                        runner.begin_send(op_id, &facts("a"), &at(0))
                    })
                })
                .collect();
            tries.into_iter().map(|handle| handle.join().unwrap()).collect()
        });
        assert_eq!(claims.iter().filter(|claim| claim.is_ok()).count(), 1);
        for lost in claims.into_iter().filter_map(Result::err) {
            assert!(matches!(lost, BeginSendError::Write { source: WriteError::Illegal(_) }), "{lost:?}");
        }
    }
}

#[test]
fn planning_the_same_effect_from_many_threads_makes_one_operation() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let gate = Gate::new(6);
    let ids: std::collections::HashSet<_> = thread::scope(|scope| {
        let tries: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    gate.wait();
                    runner.plan(&new_post(site, "same"), NOW).unwrap().op_id
                })
            })
            .collect();
        tries.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 1);
}

#[test]
fn what_left_cannot_be_claimed_again() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let refused = |op_id| {
        let claim = runner.begin_send(op_id, &facts("a"), &at(9)).unwrap_err();
        assert!(matches!(claim, BeginSendError::Write { source: WriteError::Illegal(_) }), "{claim:?}");
    };
    let in_flight = sending(&runner, site, "in-flight");
    refused(in_flight);
    let unknown = Sent { op_id: in_flight, outcome: Outcome::Unknown(UnknownCause::TimedOut) };
    assert_eq!(runner.settle(unknown, &at(1)).unwrap().state, State::Sending);
    refused(in_flight);
    let halt = Decision::Halt(HaltReason::OutcomeUnknown);
    runner.apply(in_flight, Event::Decided(&halt), Note::at(NOW)).unwrap();
    refused(in_flight);
    refused(done(&runner, site, "done", 7));
}

#[test]
fn what_provably_did_not_leave_can_be_claimed_again_and_forgets_the_first_try() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = sending(&runner, site, "a");
    let standing = runner.settle(Sent { op_id, outcome: Outcome::NotSent(NotSent::Tls) }, &at(1)).unwrap();
    assert_eq!((standing.state, standing.may_have_left), (State::Waiting(WaitReason::NotSent), false));
    runner.begin_send(op_id, &facts("a"), &at(5)).map(drop).unwrap();
    assert_eq!(runner.operation(op_id).unwrap().unwrap().sent_at, Some(at(5).at));
}

#[test]
fn settling_records_what_the_answer_told() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let made = done(&runner, site, "a", 7);
    let operation = runner.operation(made).unwrap().unwrap();
    assert_eq!((operation.standing.state, operation.remote_id.map(|id| id.0)), (State::Done, Some(7)));
    assert_eq!(operation.recorded.unwrap().slug, "a");
    assert_eq!(operation.settled_at, Some(at(1).at));
    assert_eq!(runner.high_water(site, crate::IdSpace::Posts).unwrap().map(|id| id.0), Some(7));

    let op_id = sending(&runner, site, "b");
    let refusal = Refusal { code: RefusalCode::InvalidParam, status: 400, parameters: vec!["tags".into()] };
    runner.settle(Sent { op_id, outcome: Outcome::Refused(refusal.clone()) }, &at(1)).unwrap();
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!((operation.standing.state, operation.standing.may_have_left), (State::Refused, false));
    assert_eq!(operation.refusal, Some(refusal));
    assert!(matches!(runner.settle(created(op_id, 9, "b"), &at(2)), Err(WriteError::Illegal(_))));
}

#[test]
fn a_send_begins_and_ends_only_by_its_own_calls() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "a").op_id;
    let outcome = Outcome::NotSent(NotSent::Dns);
    for event in [Event::BeginSend, Event::Answered(&outcome), Event::Act(ichido_core::act::Act::Same)] {
        let refused = runner.apply(op_id, event, Note::at(NOW)).unwrap_err();
        assert!(matches!(refused, WriteError::Misused(Misuse::NotAPlainEvent { .. })), "{refused:?}");
    }
}

#[test]
fn nothing_is_sent_with_settings_that_break_promises() {
    for (pragma, value) in [
        ("fullfsync", 0),
        ("checkpoint_fullfsync", 0),
        ("foreign_keys", 0),
        ("busy_timeout", 1),
        ("application_id", 5),
    ] {
        let desk = Desk::new();
        let runner = desk.runner();
        let site = site(&runner, "one");
        let op_id = planned(&runner, site, "a").op_id;
        set(&runner, pragma, value);
        let refused = runner.begin_send(op_id, &facts("a"), &at(0)).unwrap_err();
        assert!(
            matches!(refused, BeginSendError::Pragma { pragma: named, .. } if named == pragma),
            "{refused:?}"
        );
        assert_eq!(runner.operation(op_id).unwrap().unwrap().standing.state, State::Planned);
    }
}

#[test]
fn every_send_is_durable_whatever_settling_left_behind() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let synchronous =
        || -> i64 { runner.db.lock().pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap() };
    done(&runner, site, "a", 7);
    assert_eq!(synchronous(), 2, "settling puts it back");
    set(&runner, "synchronous", 0);
    sending(&runner, site, "b");
    assert_eq!(synchronous(), 2, "and a send does not rely on that");
}

#[test]
fn after_a_write_that_failed_every_other_is_refused() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let (first, second) = (planned(&runner, site, "a").op_id, sending(&runner, site, "b"));
    set(&runner, "query_only", 1);
    assert!(matches!(runner.settle(created(second, 7, "b"), &at(1)), Err(WriteError::Database { .. })));
    set(&runner, "query_only", 0);
    let refused = runner.begin_send(first, &facts("a"), &at(1)).unwrap_err();
    assert!(matches!(refused, BeginSendError::Write { source: WriteError::Poisoned }), "{refused:?}");
    assert!(matches!(runner.settle(created(second, 7, "b"), &at(1)), Err(WriteError::Poisoned)));
    assert!(matches!(runner.close_run(&at(1)), Err(WriteError::Poisoned)));
    assert!(matches!(runner.set_setting(None, "a", None), Err(WriteError::Poisoned)));
    assert!(matches!(runner.plan(&new_post(site, "c"), NOW), Err(WriteError::Poisoned)));
    assert_eq!(runner.operation(second).unwrap().unwrap().standing.state, State::Sending);
}

#[test]
fn a_claim_that_was_refused_does_not_stop_the_run() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let unknown = runner.begin_send(op_id(), &facts("a"), &at(0)).unwrap_err();
    let misused = matches!(
        unknown,
        BeginSendError::Write { source: WriteError::Misused(Misuse::NoSuchOperation { .. }) }
    );
    assert!(misused, "{unknown:?}");
    done(&runner, site, "a", 7);
}

#[test]
fn a_run_row_stands_open_from_the_first_send_to_the_close() {
    let desk = Desk::new();
    {
        let runner = desk.runner();
        let site = site(&runner, "one");
        planned(&runner, site, "a");
    }
    let runner = desk.runner();
    assert_eq!(runner.unclean_stop(), None, "nothing was sent");
    let site = site(&runner, "one");
    done(&runner, site, "a", 7);
    runner.close_run(&at(2)).unwrap();
    runner.close_run(&at(3)).unwrap();
    drop(runner);
    assert_eq!(desk.runner().unclean_stop(), None, "it was closed");
}

#[test]
fn an_unclean_stop_shuts_the_sites_in_doubt_until_everything_settled() {
    let desk = Desk::new();
    let (one, two, op_id) = {
        let runner = desk.open().lock(&owner("cut-off"), NOW).unwrap();
        let (one, two) = (site(&runner, "one"), site(&runner, "two"));
        done(&runner, two, "other", 3);
        (one, two, sending(&runner, one, "a"))
    };
    let runner = desk.runner();
    let stop = runner.unclean_stop().unwrap().clone();
    assert_eq!((stop.owner, stop.since, stop.operations), (owner("cut-off"), at(0).at, vec![(one, op_id)]));
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!(
        (operation.standing.state, operation.unknown),
        (State::Sending, Some(UnknownCause::Interrupted))
    );
    let refused = runner.begin_send(planned(&runner, one, "b").op_id, &facts("b"), &at(5)).unwrap_err();
    assert!(matches!(refused, BeginSendError::Barrier { barrier: Barrier::UncleanStop }));
    sending(&runner, two, "c");
    runner.close_run(&at(6)).unwrap();
    drop(runner);

    let runner = desk.runner();
    assert!(!runner.lift_settled_stops(NOW).unwrap(), "it stands through further starts");
    let adopt = Decision::Adopt {
        id: ichido_core::id::RemoteId(9),
        by: ichido_core::decide::AdoptedBy::Marker,
        then: ichido_core::decide::AfterAdopt::Done,
    };
    runner
        .apply(op_id, Event::Decided(&adopt), Note::at(NOW).with_row(ichido_core::id::RemoteId(9), None))
        .unwrap();
    assert!(runner.lift_settled_stops(NOW).unwrap());
    assert_eq!(runner.barriers(None).unwrap(), []);
    sending(&runner, one, "b");
}

#[test]
fn an_unclean_stop_with_nothing_in_doubt_shuts_nothing() {
    let desk = Desk::new();
    {
        let runner = desk.runner();
        let site = site(&runner, "one");
        done(&runner, site, "a", 7);
    }
    let runner = desk.runner();
    assert_eq!(runner.unclean_stop().unwrap().operations, []);
    assert_eq!(runner.barriers(None).unwrap(), []);
    assert!(runner.latest_history(crate::Page { offset: 0, limit: 1 }).unwrap()[0].code == "unclean_stop");
}

#[test]
fn a_person_can_release_an_unclean_stop() {
    let desk = Desk::new();
    let site = {
        let runner = desk.runner();
        let site = site(&runner, "one");
        sending(&runner, site, "a");
        site
    };
    let runner = desk.runner();
    let halt = Decision::Halt(HaltReason::OutcomeUnknown);
    let op_id = runner.in_doubt(Some(site)).unwrap()[0].op_id;
    runner.apply(op_id, Event::Decided(&halt), Note::at(NOW)).unwrap();
    assert!(!runner.lift_settled_stops(NOW).unwrap());
    assert_eq!(runner.release(Some(site), Barrier::UncleanStop, By::Person, NOW).unwrap().len(), 1);
    sending(&runner, site, "b");
}

#[test]
fn interrupted_work_that_may_be_repeated_goes_back_to_waiting() {
    let desk = Desk::new();
    let op_id = {
        let runner = desk.runner();
        let site = site(&runner, "one");
        let term = crate::NewOperation {
            kind: Kind::Term,
            post_type: String::new(),
            key: crate::Key::term("category", 0, "News"),
            ..new_post(site, "news")
        };
        let op_id = runner.plan(&term, NOW).unwrap().op_id;
        runner.begin_send(op_id, &facts(""), &at(0)).map(drop).unwrap();
        op_id
    };
    let runner = desk.runner();
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!(operation.standing.state, State::Waiting(WaitReason::Stopped));
    assert_eq!(runner.barriers(None).unwrap(), []);
}

#[test]
fn a_barrier_of_one_site_leaves_the_others_open_and_one_for_all_does_not() {
    let desk = Desk::new();
    let runner = desk.runner();
    let (one, two) = (site(&runner, "one"), site(&runner, "two"));
    runner.set_barrier(Some(one), Barrier::SiteRestored, None, NOW).unwrap();
    runner.set_barrier(Some(one), Barrier::SiteRestored, None, at(5).at).unwrap();
    assert_eq!(runner.barriers(Some(one)).unwrap().len(), 1);
    assert_eq!(runner.barriers(Some(one)).unwrap()[0].since, NOW);
    assert_eq!(runner.barriers(Some(two)).unwrap(), []);
    done(&runner, two, "a", 7);
    runner.set_barrier(None, Barrier::JournalLost, None, NOW).unwrap();
    let refused = runner.begin_send(planned(&runner, two, "b").op_id, &facts("b"), &at(0)).unwrap_err();
    assert!(matches!(refused, BeginSendError::Barrier { barrier: Barrier::JournalLost }));
    assert_eq!(runner.barriers(None).unwrap().len(), 2);
}

#[test]
fn releasing_a_restored_site_forgets_its_marks_alone() {
    let desk = Desk::new();
    let runner = desk.runner();
    let (one, two) = (site(&runner, "one"), runner.add_site(&new_site("two"), NOW).unwrap().0.id);
    done(&runner, one, "a", 70);
    done(&runner, two, "a", 80);
    runner.set_barrier(Some(one), Barrier::SiteRestored, None, NOW).unwrap();
    runner.release(Some(one), Barrier::SiteRestored, By::Person, NOW).unwrap();
    assert_eq!(runner.high_water(one, crate::IdSpace::Posts).unwrap(), None);
    assert!(runner.high_water(two, crate::IdSpace::Posts).unwrap().is_some());
    let kept: i64 =
        runner.db.lock().query_row("SELECT by_person FROM releases", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1);
}

#[test]
fn a_mark_is_never_lowered() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let mark = || runner.high_water(site, crate::IdSpace::Media).unwrap().map(|id| id.0);
    for (id, expected) in [(5, 5), (3, 5), (9, 9), (9, 9)] {
        runner.raise_high_water(site, crate::IdSpace::Media, ichido_core::id::RemoteId(id)).unwrap();
        assert_eq!(mark(), Some(expected));
    }
    assert_eq!(runner.high_water(site, crate::IdSpace::Posts).unwrap(), None);
}

#[test]
fn history_cannot_be_rewritten() {
    let desk = Desk::new();
    let runner = desk.runner();
    site(&runner, "one");
    let conn = Connection::open(desk.places.database()).unwrap();
    assert!(conn.execute("UPDATE history SET code = 'x'", []).is_err());
    assert!(conn.execute("DELETE FROM history", []).is_err());
}

#[test]
fn whoever_reads_sees_that_a_runner_is_at_work_and_that_it_wrote_something() {
    let desk = Desk::new();
    let reader = desk.open();
    assert!(!reader.is_at_work());
    let before = reader.version().unwrap();
    assert_eq!(reader.version().unwrap(), before, "reading changes nothing");
    let runner = desk.runner();
    assert!(reader.is_at_work() && desk.open().is_at_work());
    runner.set_setting(None, "create_tags", Some("on")).unwrap();
    assert_ne!(reader.version().unwrap(), before);
    drop(runner);
    assert!(!reader.is_at_work());
}

#[test]
fn what_was_linked_may_still_arrive_and_what_was_answered_may_not() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let may_arrive = |op_id| runner.operation(op_id).unwrap().unwrap().may_arrive;
    let planned = planned(&runner, site, "never-sent").op_id;
    assert!(!may_arrive(planned));

    let answered = done(&runner, site, "answered", 7);
    assert!(!may_arrive(answered));

    let linked = sending(&runner, site, "linked");
    assert!(may_arrive(linked));
    runner.apply(linked, Event::Decided(&Decision::Halt(HaltReason::OutcomeUnknown)), Note::at(NOW)).unwrap();
    let link = Note::by_person(NOW).with_row(ichido_core::id::RemoteId(8), None);
    runner.apply(linked, Event::Act(ichido_core::act::Act::Link), link).unwrap();
    let operation = runner.operation(linked).unwrap().unwrap();
    assert_eq!((operation.standing.state, operation.may_arrive), (State::Done, true));

    for (key, id, by, still) in [
        ("marked", 9, ichido_core::decide::AdoptedBy::Marker, false),
        ("copied", 10, ichido_core::decide::AdoptedBy::Content, true),
    ] {
        let op_id = sending(&runner, site, key);
        let id = ichido_core::id::RemoteId(id);
        let adopt = Decision::Adopt { id, by, then: ichido_core::decide::AfterAdopt::Done };
        runner.apply(op_id, Event::Decided(&adopt), Note::at(NOW).with_row(id, None)).unwrap();
        assert_eq!(may_arrive(op_id), still, "{key}");
    }
}
