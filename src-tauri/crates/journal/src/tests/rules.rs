use ichido_core::act::Act;
use ichido_core::apply::{Blocked, Event, Standing, apply};
use ichido_core::decide::{AdoptedBy, AfterAdopt, Decision, SkipNote, VerifiedNote};
use ichido_core::evidence::AskFailure;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::outcome::{Created, NotSent, Outcome, Refusal, RefusalCode, Sent, UnknownCause};
use proptest::prelude::*;

use super::{Desk, NOW, at, facts, planned, site};
use crate::{BeginSendError, Note, Runner, WriteError};

/// An event without borrowed parts.
#[derive(Clone, Debug)]
enum Step {
    Send,
    Answer(Outcome),
    Interrupt,
    Decide(Decision),
    Block(Blocked),
    Reopen,
    Act(Act),
}

fn steps() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![
        (1_u64..6).prop_map(|id| Outcome::Created(Box::new(Created {
            id: RemoteId(id),
            row: None,
            needs_post_process: false,
            stored: None
        }))),
        Just(Outcome::NotSent(NotSent::Dns)),
        Just(Outcome::NotSent(NotSent::Maintenance { retry_after_s: Some(600) })),
        Just(Outcome::Refused(Refusal {
            code: RefusalCode::EmptyContent,
            status: 400,
            parameters: Vec::new()
        })),
        Just(Outcome::Unknown(UnknownCause::TimedOut)),
    ];
    let decision = prop_oneof![
        Just(Decision::Create),
        Just(Decision::Skip { id: RemoteId(3), note: SkipNote::Same }),
        (1_u64..6).prop_map(|id| Decision::Adopt {
            id: RemoteId(id),
            by: AdoptedBy::Marker,
            then: AfterAdopt::Done
        }),
        (1_u64..6).prop_map(|id| Decision::Adopt {
            id: RemoteId(id),
            by: AdoptedBy::Content,
            then: AfterAdopt::Halt(HaltReason::Incomplete)
        }),
        Just(Decision::Verified(VerifiedNote::default())),
        Just(Decision::Replace),
        prop::sample::select(HaltReason::ALL.to_vec()).prop_map(Decision::Halt),
        prop::sample::select(WaitReason::ALL.to_vec()).prop_map(Decision::Wait),
        Just(Decision::StayInDoubt(AskFailure::TimedOut)),
        Just(Decision::Keep),
    ];
    prop_oneof![
        4 => Just(Step::Send),
        4 => outcome.prop_map(Step::Answer),
        1 => Just(Step::Interrupt),
        4 => decision.prop_map(Step::Decide),
        1 => Just(Step::Block(Blocked::NeedsWork)),
        1 => Just(Step::Block(Blocked::SlugChanged)),
        1 => Just(Step::Reopen),
        3 => prop::sample::select(Act::ALL.to_vec()).prop_map(Step::Act),
    ]
}

/// Does one step in the journal, in the way that an engine would.
fn tried(runner: &Runner, op_id: OpId, step: &Step, successor: OpId) -> Result<Standing, WriteError> {
    let row_of = |decision: &Decision| match decision {
        Decision::Adopt { id, .. } => *id,
        Decision::Create
        | Decision::Skip { .. }
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::Halt(_)
        | Decision::Wait(_)
        | Decision::StayInDoubt(_)
        | Decision::Keep => RemoteId(9),
    };
    let note = Note::at(NOW).with_successor(successor, Vec::new());
    match step {
        Step::Send => match runner.begin_send(op_id, &facts("a"), &at(0)) {
            Ok(permit) => {
                assert_eq!(permit.op_id(), op_id);
                Ok(runner.operation(op_id).unwrap().unwrap().standing)
            }
            Err(BeginSendError::Write { source }) => Err(source),
            Err(other) => panic!("{other:?}"),
        },
        Step::Answer(outcome) => runner.settle(Sent { op_id, outcome: outcome.clone() }, &at(1)),
        Step::Interrupt => runner.apply(op_id, Event::Interrupted, note),
        Step::Decide(decision) => {
            runner.apply(op_id, Event::Decided(decision), note.with_row(row_of(decision), None))
        }
        Step::Block(blocked) => runner.apply(op_id, Event::Blocked(*blocked), note),
        Step::Reopen => runner.apply(op_id, Event::Reopened, note),
        Step::Act(act) => runner.apply(op_id, Event::Act(*act), note.with_row(RemoteId(9), None)),
    }
}

fn event_of(step: &Step) -> Event<'_> {
    match step {
        Step::Send => Event::BeginSend,
        Step::Answer(outcome) => Event::Answered(outcome),
        Step::Interrupt => Event::Interrupted,
        Step::Decide(decision) => Event::Decided(decision),
        Step::Block(blocked) => Event::Blocked(*blocked),
        Step::Reopen => Event::Reopened,
        Step::Act(act) => Event::Act(*act),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever happens in whatever order, the journal says what the rules say: the same standing, the
    /// same refusals, and a database that is whole.
    #[test]
    fn the_journal_follows_the_rules(steps in prop::collection::vec(steps(), 1..25)) {
        let desk = Desk::new();
        let runner = desk.runner();
        let site = site(&runner, "one");
        let mut op_id = planned(&runner, site, "a").op_id;
        let mut standing = Standing::PLANNED;
        let mut sends = 0_usize;
        for step in &steps {
            if matches!(step, Step::Act(Act::Same)) {
                continue;
            }
            let successor = super::op_id();
            let expected = apply(Kind::Post, standing, event_of(step));
            match (tried(&runner, op_id, step, successor), expected) {
                (Ok(now), Ok(expected)) => {
                    prop_assert_eq!(now, expected);
                    sends += usize::from(matches!(step, Step::Send));
                    standing = expected;
                    if now.state == State::Abandoned {
                        op_id = successor;
                        standing = Standing::PLANNED;
                    }
                }
                (Err(WriteError::Illegal(refused)), Err(expected)) => prop_assert_eq!(refused, expected),
                (got, expected) => prop_assert!(false, "{step:?}: {got:?} instead of {expected:?}"),
            }
            prop_assert_eq!(runner.operation(op_id).unwrap().unwrap().standing, standing);
        }
        let begun = runner.history_after(0, 1000).unwrap().iter().filter(|line| line.code == "begin_send").count();
        prop_assert_eq!(begun, sends);
        let conn = runner.db.lock();
        let integrity: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(integrity, "ok");
        prop_assert!(!conn.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    }
}
