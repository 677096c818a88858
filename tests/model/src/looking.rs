//! What a look comes to: the decision, and what is written down of it.

use ichido_core::apply::{Event, Standing, apply};
use ichido_core::arrival::{is_negative, may_arrive};
use ichido_core::decide::{Decision, Local, decide};
use ichido_core::evidence::Evidence;
use ichido_core::operation::State;

use crate::person;
use crate::setting::Setting;
use crate::sight::{Answer, Why, look, record};
use crate::world::{Breach, By, Maker, Op, Place, Slug, Subject, World};

/// Moves an operation on by the rules; what they forbid is a breach.
pub(crate) fn move_on(world: &mut World, subject: Subject, event: Event<'_>) -> Option<Standing> {
    let op = world.journal.op_mut(subject)?;
    match apply(subject.kind(), op.standing, event) {
        Ok(to) => {
            op.standing = to;
            op.may_arrive = may_arrive(subject.kind(), op.may_arrive, &event);
            if !matches!(to.state, State::Halted(_)) {
                op.shown = 0;
            }
            if !to.may_have_left {
                (op.first_negative, op.window_passed) = (false, false);
            }
            Some(to)
        }
        Err(_) => {
            world.break_promise(Breach::Illegal);
            None
        }
    }
}

pub(crate) fn look_and_write(
    setting: &Setting,
    world: &mut World,
    subject: Subject,
    why: Why,
    answer: Answer,
) -> Option<()> {
    world.lies = world.lies.checked_sub(answer.lies())?;
    let op = *world.journal.op(subject)?;
    let evidence = look(setting, world, subject, &op, why, answer);
    let decision = decide(record(subject, &op), &evidence, Local::default());
    let in_doubt = op.standing.state.is_in_doubt();
    let looked = matches!(evidence, Evidence::Looked(_));
    let about_a_halt = matches!(op.standing.state, State::Halted(_)) || matches!(decision, Decision::Halt(_));
    if in_doubt || (about_a_halt && looked) {
        let negative = op.standing.may_have_left && looked && is_negative(record(subject, &op), &evidence);
        let halts = matches!(decision, Decision::Halt(_) | Decision::Keep);
        let recorded = world.journal.op_mut(subject)?;
        recorded.first_negative |= negative;
        if let Evidence::Looked(looked) = &evidence {
            recorded.shown = if halts { person::bits(looked.rows.iter()) } else { 0 };
        }
        world.sync();
    }
    check(world, subject, &decision, answer);
    if decision == Decision::Replace {
        if op.generation + 1 >= setting.generations {
            return None;
        }
        move_on(world, subject, Event::Decided(&decision))?;
        succeed(world, subject, 0);
        world.sync();
        return Some(());
    }
    if apply(subject.kind(), op.standing, Event::Decided(&decision)).is_err() {
        world.break_promise(Breach::Illegal);
        return Some(());
    }
    let to = move_on(world, subject, Event::Decided(&decision))?;
    let mark = world.count();
    if let Some(process) = &mut world.process {
        process.cleared[subject as usize] = (decision == Decision::Create).then_some(mark);
    }
    if let Decision::Adopt { id, .. } = decision {
        let id = u8::try_from(id.0).ok()?;
        let slug = world.row(id)?.slug;
        let op = world.journal.op_mut(subject)?;
        (op.row, op.slug) = (Some(id), slug);
        if let Some(process) = world.process.as_mut().filter(|_| subject.is_post()) {
            process.by = By::Look;
        }
    }
    if to != op.standing {
        world.sync();
    }
    Some(())
}

/// Compares a decision with what is so.
fn check(world: &mut World, subject: Subject, decision: &Decision, answer: Answer) {
    match decision {
        Decision::Adopt { id, .. } => {
            let row = u8::try_from(id.0).ok().and_then(|id| world.row(id));
            let ours = row.is_some_and(|row| {
                row.of == subject && (row.is_ours() || (row.maker == Maker::CopyByHand && row.same))
            });
            if !ours {
                world.break_promise(Breach::AdoptedAnothers);
            }
        }
        Decision::Skip { .. } => {
            let taken = world
                .rows()
                .any(|(_, row)| row.of == subject && row.slug == Slug::Asked && row.place == Place::Live);
            if !taken {
                world.break_promise(Breach::SkippedForNothing);
            }
        }
        Decision::Create if answer == Answer::Failed => world.break_promise(Breach::SentUnlooked),
        Decision::Create
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::Halt(_)
        | Decision::Wait(_)
        | Decision::StayInDoubt(_)
        | Decision::Keep => {}
    }
}

/// Puts a new operation in the place of one that was given up.
pub(crate) fn succeed(world: &mut World, subject: Subject, dismissed: u8) {
    let bit = 1 << subject as u8;
    if world.journal.shut.stopped & bit != 0 {
        world.journal.shut.stopped = 0;
        world.journal.shut.stopped_for_good = true;
    }
    if let Some(op) = world.journal.op_mut(subject) {
        *op = Op {
            generation: op.generation + 1,
            replaces: op.row.filter(|_| !subject.is_post()),
            dismissed: op.dismissed | dismissed,
            declared_new: op.declared_new,
            ..Op::NEW
        };
    }
    if let Some(process) = &mut world.process {
        process.cleared[subject as usize] = None;
    }
}
