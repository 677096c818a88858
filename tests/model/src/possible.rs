//! What can happen next.

use ichido_core::act::{Act, acts_for};
use ichido_core::operation::State;

use crate::machine::images_are_there;
use crate::person::rows_for;
use crate::setting::{Flaw, Setting};
use crate::sight::{Answer, Why, question, questions};
use crate::step::{Hand, Step};
use crate::world::{Maker, Op, Place, Process, Row, Slug, Subject, Wire, World};

/// Adds everything that can happen in a world; some of it may turn out to change nothing.
pub fn possible(setting: &Setting, world: &World, steps: &mut Vec<Step>) {
    // A flaw is followed to what comes of it.
    if world.breach.is_some() && setting.flaw.is_none() {
        return;
    }
    match &world.process {
        None => {
            steps.push(Step::Start);
            if setting.may_lose_journal && world.journal.number == 0 {
                steps.push(Step::JournalLost);
            }
            if world.journal != world.durable {
                steps.push(Step::PowerLoss);
            }
        }
        Some(process) => {
            steps.extend([Step::Crash, Step::PowerLoss]);
            if world.wire == Wire::Idle {
                program(setting, world, process, steps);
                people(setting, world, steps);
            }
        }
    }
    network(setting, world, steps);
    elsewhere(setting, world, steps);
}

fn network(setting: &Setting, world: &World, steps: &mut Vec<Step>) {
    match world.wire {
        Wire::Idle => {}
        Wire::Ready(subject) => steps.extend([Step::Leave(subject), Step::NotSent(subject)]),
        Wire::Out(subject) => {
            steps.extend([Step::Execute(true), Step::Refuse, Step::TimeOut]);
            if subject.is_post() {
                steps.push(Step::Execute(false));
            }
        }
        Wire::Made(..) | Wire::Refused(_) => steps.extend([Step::Receive, Step::LoseAnswer]),
    }
    for (at, late) in world.late.iter().enumerate() {
        if late.is_some() {
            steps.extend([Step::ExecuteLate(at), Step::LoseLate(at)]);
        }
    }
    for (subject, op) in world.journal.subjects() {
        let finished = setting.beyond_window || !world.may_arrive(subject);
        if op.first_negative && !op.window_passed && finished {
            steps.push(Step::WindowPasses(subject));
        }
    }
}

fn program(setting: &Setting, world: &World, process: &Process, steps: &mut Vec<Step>) {
    let article = process.article;
    let cleared = |subject: Subject| process.cleared[subject as usize].is_some();
    for (subject, op) in world.journal.subjects() {
        if is_looked_for(subject, op, article, cleared(article)) {
            for answer in answers(world, subject, op, Why::Decide) {
                steps.push(Step::Look(subject, answer));
            }
        }
        if subject == article && op.standing.state == State::Done && world.journal.run_open {
            for answer in answers(world, subject, op, Why::Duplicates) {
                steps.push(Step::LookForDuplicates(subject, answer));
            }
        }
        let is_its_turn = if subject.is_post() {
            subject == article && (images_are_there(world) || setting.flaw == Some(Flaw::ImagesNotAwaited))
        } else {
            cleared(article) && (subject == Subject::First || is_done(world, Subject::First))
        };
        let is_open = matches!(op.standing.state, State::Planned | State::Waiting(_));
        if cleared(subject) && is_its_turn && is_open && !world.journal.shut.is_shut() {
            steps.push(Step::BeginSend(subject));
        }
    }
    if world.journal.op(article).is_some_and(|op| {
        !op.standing.may_have_left && matches!(op.standing.state, State::Planned | State::Waiting(_))
    }) {
        steps.push(Step::Park(article));
    }
    if can_be_lifted(world) {
        steps.push(Step::Lift);
    }
    if world.journal.run_open {
        steps.push(Step::Close);
    }
}

pub(crate) fn is_done(world: &World, subject: Subject) -> bool {
    world.journal.op(subject).is_none_or(|op| op.standing.state == State::Done)
}

pub(crate) fn can_be_lifted(world: &World) -> bool {
    let stopped = world.journal.shut.stopped;
    stopped != 0
        && Subject::ALL
            .into_iter()
            .filter(|subject| stopped & (1 << *subject as u8) != 0)
            .all(|subject| is_done(world, subject))
}

/// Images are looked for on the way to their draft, and whatever needs attention by itself.
fn is_looked_for(subject: Subject, op: &Op, article: Subject, article_is_cleared: bool) -> bool {
    match op.standing.state {
        State::Sending | State::Halted(_) => true,
        State::Planned | State::Waiting(_) | State::Done | State::Skipped if subject.is_post() => {
            subject == article
        }
        State::Planned | State::Waiting(_) | State::Done | State::Skipped => article_is_cleared,
        State::NeedsWork | State::Refused | State::Abandoned => false,
    }
}

/// Returns the ways in which a site can answer a look: truly, not at all, counting what it hides, and with
/// as many lies as are left.
fn answers(world: &World, subject: Subject, op: &Op, why: Why) -> Vec<Answer> {
    let mut answers = vec![Answer::Whole, Answer::Failed];
    let asked = questions(subject, op, why);
    let anything =
        world.rows().any(|(_, row)| row.of.is_post() == subject.is_post() && row.place != Place::Gone);
    if !anything {
        return answers;
    }
    answers.push(Answer::Counted);
    for hidden in 1..=(question::LIST | question::SLUG | question::SEARCH | question::BY_ID) {
        let lie = Answer::Lie(hidden);
        if hidden & !asked == 0 && lie.lies() <= world.lies {
            answers.push(lie);
        }
    }
    answers
}

fn people(setting: &Setting, world: &World, steps: &mut Vec<Step>) {
    if world.journal.shut.is_shut() && may_be_released(world) {
        steps.push(Step::Release);
    }
    for (subject, op) in world.journal.subjects() {
        match op.standing.state {
            State::Refused => steps.push(Step::Act(subject, Act::TryAgain, None)),
            State::Halted(reason) => {
                for act in acts_for(reason) {
                    match act {
                        // The program looks by itself, whenever it likes.
                        Act::Look => {}
                        Act::Leave | Act::Unleave if !setting.leaves => {}
                        Act::SendAgain => {
                            if op.generation + 1 < setting.generations {
                                for answer in answers(world, subject, op, Why::SendAgain) {
                                    steps.push(Step::SendAgain(subject, answer));
                                }
                            }
                        }
                        Act::Update => {}
                        Act::Link
                        | Act::NoneOfThese
                        | Act::TryAgain
                        | Act::KeepSite
                        | Act::AcceptSlug
                        | Act::Same
                        | Act::New
                        | Act::Leave
                        | Act::Unleave => {
                            for row in rows_for(setting, world, subject, op, *act) {
                                steps.push(Step::Act(subject, *act, row));
                            }
                        }
                    }
                }
            }
            State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Skipped
            | State::Sending
            | State::Done
            | State::Abandoned => {}
        }
    }
}

/// A person who releases a lost journal has seen to it that nothing is under way, and that whatever was made
/// before stands where it is looked for.
pub(crate) fn may_be_released(world: &World) -> bool {
    let is_found = |maker: Maker, slug: Slug, place: Place| match maker {
        Maker::Us { journal, .. } => {
            journal == world.journal.number || place == Place::Gone || slug == Slug::Asked
        }
        Maker::SomeoneElse | Maker::UserByHand | Maker::CopyByHand => true,
    };
    !world.journal.shut.lost
        || (world.late.iter().all(Option::is_none)
            && world.rows().all(|(_, row)| is_found(row.maker, row.slug, row.place)))
}

/// What an earlier journal made has only its slug to be found by, and a person vouched for that when releasing.
fn was_vouched_for(world: &World, row: &Row) -> bool {
    match row.maker {
        Maker::Us { journal, .. } => journal != world.journal.number && !world.journal.shut.lost,
        Maker::SomeoneElse | Maker::UserByHand | Maker::CopyByHand => false,
    }
}

fn elsewhere(setting: &Setting, world: &World, steps: &mut Vec<Step>) {
    if setting.may_be_renamed && !world.renamed {
        steps.push(Step::RenameFolder);
    }
    if world.hands == 0 {
        return;
    }
    let by_hand = world.rows().any(|(_, row)| !row.is_ours());
    if !by_hand {
        for (maker, slug) in [
            (Maker::SomeoneElse, Slug::Asked),
            (Maker::SomeoneElse, Slug::Second),
            (Maker::UserByHand, Slug::Asked),
            (Maker::UserByHand, Slug::Other),
            (Maker::CopyByHand, Slug::Asked),
        ] {
            steps.push(Step::Write(Subject::Draft, maker, slug));
        }
        if setting.images {
            steps.push(Step::Write(Subject::First, Maker::SomeoneElse, Slug::Asked));
            steps.push(Step::Write(Subject::First, Maker::UserByHand, Slug::Other));
        }
    }
    for (id, row) in world.rows().filter(|(_, row)| row.place != Place::Gone) {
        for hand in Hand::ALL {
            let can = match hand {
                Hand::Text => row.marked || row.same,
                Hand::Rename => row.slug != Slug::Other && !was_vouched_for(world, row),
                Hand::Trash => row.place == Place::Live,
                Hand::Restore => row.place == Place::Trash,
                Hand::Delete => true,
            };
            if can {
                steps.push(Step::Edit(id, hand));
            }
        }
    }
}
