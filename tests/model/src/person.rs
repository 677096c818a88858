//! What a person does about a halt, as `ichido-engine` lets them.

use ichido_core::act::{Act, send_again_is_open};
use ichido_core::apply::Event;
use ichido_core::arrival::before_send_again;
use ichido_core::decide::Decision;
use ichido_core::evidence::{Evidence, Found};
use ichido_core::operation::{HaltReason, State};
use ichido_core::time::{Moment, Timestamp};
use ichido_core::window;

use crate::looking::{look_and_write, move_on, succeed};
use crate::setting::{Flaw, Setting};
use crate::sight::{Answer, Why, look, question, record};
use crate::world::{Op, Place, Subject, World};

/// Does an act other than *look* and *send again*.
pub(crate) fn act(
    setting: &Setting,
    world: &mut World,
    subject: Subject,
    act: Act,
    row: Option<u8>,
) -> Option<()> {
    let op = *world.journal.op(subject)?;
    match act {
        Act::Link => link(setting, world, subject, &op, row?)?,
        Act::NoneOfThese => {
            move_on(world, subject, Event::Act(act))?;
            world.journal.op_mut(subject)?.dismissed |= 1 << row?;
            look_and_write(setting, world, subject, Why::Decide, Answer::Whole)?;
        }
        Act::KeepSite | Act::AcceptSlug => {
            let id = recorded_row(setting, world, subject, &op)?;
            let slug = world.row(id)?.slug;
            move_on(world, subject, Event::Act(act))?;
            let op = world.journal.op_mut(subject)?;
            (op.row, op.slug) = (Some(id), slug);
        }
        Act::Same => {
            world.journal.ops[subject as usize] = None;
            world.renamed = false;
            world.process.as_mut()?.article = Subject::Draft;
        }
        Act::New => {
            move_on(world, subject, Event::Act(act))?;
            world.journal.op_mut(subject)?.declared_new = true;
        }
        Act::TryAgain | Act::Leave | Act::Unleave => {
            move_on(world, subject, Event::Act(act))?;
        }
        Act::Look | Act::SendAgain | Act::Update => return None,
    }
    world.sync();
    Some(())
}

fn link(setting: &Setting, world: &mut World, subject: Subject, op: &Op, id: u8) -> Option<()> {
    let row = *world.row(id)?;
    let owned = world.journal.subjects().any(|(other, record)| other != subject && record.row == Some(id));
    if row.place != Place::Live || owned {
        return None;
    }
    let mut others = 0;
    if matches!(op.standing.state, State::Halted(HaltReason::ExistsNotOurs | HaltReason::Duplicates))
        && let Evidence::Looked(looked) = look(setting, world, subject, op, Why::Decide, Answer::Whole)
    {
        // Only what the person was shown.
        others = bits(looked.rows.iter()) & op.shown & !(1 << id);
    }
    for (_, row) in (0_u8..).zip(world.rows.iter_mut().flatten()).filter(|(id, _)| others & (1 << id) != 0) {
        row.given_up |= row.of == subject;
    }
    move_on(world, subject, Event::Act(Act::Link))?;
    let op = world.journal.op_mut(subject)?;
    (op.row, op.slug) = (Some(id), row.slug);
    op.dismissed |= others;
    Some(())
}

pub(crate) fn bits<'a>(rows: impl Iterator<Item = &'a Found>) -> u8 {
    rows.fold(0, |bits, row| bits | 1 << row.id.0)
}

/// Returns the row that is recorded, or the one at the slug where only one is.
fn recorded_row(setting: &Setting, world: &World, subject: Subject, op: &Op) -> Option<u8> {
    if let Some(id) = op.row.filter(|id| world.row(*id).is_some_and(|row| row.place != Place::Gone)) {
        return Some(id);
    }
    let Evidence::Looked(looked) = look(setting, world, subject, op, Why::Decide, Answer::Whole) else {
        return None;
    };
    let mut at_slug = looked.rows.iter().filter(|row| row.slug_matches && !row.in_trash);
    match (at_slug.next(), at_slug.next()) {
        (Some(only), None) => u8::try_from(only.id.0).ok(),
        (None, _) | (Some(_), Some(_)) => None,
    }
}

/// Sends again, if it is open.
pub(crate) fn send_again(
    setting: &Setting,
    world: &mut World,
    subject: Subject,
    answer: Answer,
) -> Option<()> {
    world.lies = world.lies.checked_sub(answer.lies())?;
    let op = *world.journal.op(subject)?;
    let State::Halted(reason) = op.standing.state else { return None };
    let stands = |row: &crate::world::Row| row.of == subject && row.is_ours() && row.place == Place::Live;
    if setting.careful && answer != Answer::Whole && world.rows().any(|(_, row)| stands(row)) {
        return None;
    }
    let evidence = look(setting, world, subject, &op, Why::Decide, answer);
    let Evidence::Looked(looked) = &evidence else { return None };
    let (reason, says) = if setting.flaw == Some(Flaw::NoLookBeforeSendAgain) {
        (reason, Decision::Halt(HaltReason::OutcomeUnknown))
    } else {
        before_send_again(record(subject, &op), reason, &evidence)
    };
    if op.standing.may_have_left {
        let passed = op.window_passed || setting.flaw == Some(Flaw::NoSettleWindow);
        let first_negative = op.first_negative.then(|| moment(false));
        send_again_is_open(reason, first_negative.as_ref(), &moment(passed), &says, window::DEFAULT_MS)
            .ok()?;
        let is_searched_for = matches!(reason, HaltReason::OutcomeUnknown | HaltReason::Candidates)
            && setting.flaw != Some(Flaw::NoLookBeforeSendAgain)
            && setting.flaw != Some(Flaw::PublishedOnly);
        if subject.is_post() && is_searched_for && is_found_by_text(world, subject, &op, answer) {
            return None;
        }
    } else if says != Decision::Keep {
        return None;
    }
    let in_trash = bits(looked.rows.iter().filter(|row| row.in_trash));
    let dismissed = in_trash | op.row.map_or(0, |id| 1 << id);
    let to = move_on(world, subject, Event::Act(Act::SendAgain))?;
    for row in world.rows.iter_mut().flatten().filter(|row| row.of == subject) {
        row.given_up |= row.place == Place::Trash;
    }
    if to.state == State::Abandoned {
        succeed(world, subject, dismissed);
    } else {
        world.journal.op_mut(subject)?.dismissed |= dismissed;
    }
    world.sync();
    Some(())
}

fn is_found_by_text(world: &World, subject: Subject, op: &Op, answer: Answer) -> bool {
    let hidden = match answer {
        Answer::Whole => false,
        Answer::Lie(questions) => questions & question::SEARCH != 0,
        Answer::Counted | Answer::Failed => true,
    };
    !hidden
        && world.rows().any(|(id, row)| {
            row.of == subject
                && row.marked
                && row.place != Place::Gone
                && row.maker == world.maker(subject)
                && op.dismissed & (1 << id) == 0
        })
}

/// The settle window has a beginning and an end; nothing between matters.
fn moment(is_over: bool) -> Moment {
    let ms = if is_over { window::DEFAULT_MS } else { 0 };
    let at = Timestamp(i64::try_from(ms).unwrap_or(i64::MAX));
    Moment { at, monotonic_ms: ms, boot: String::new(), site: Some(at) }
}

/// Returns the rows that a person may name in an act, as one who tells the truth.
pub(crate) fn rows_for(
    setting: &Setting,
    world: &World,
    subject: Subject,
    op: &Op,
    act: Act,
) -> Vec<Option<u8>> {
    let Evidence::Looked(looked) = look(setting, world, subject, op, Why::Decide, Answer::Whole) else {
        return Vec::new();
    };
    let shown = bits(looked.rows.iter());
    let about = |wanted: &dyn Fn(u8, &crate::world::Row) -> bool| {
        world.rows().filter(|(id, row)| wanted(*id, row)).map(|(id, _)| Some(id)).collect()
    };
    match act {
        Act::Link => {
            about(&|id, row| shown & (1 << id) != 0 && row.of == subject && row.place == Place::Live)
        }
        Act::NoneOfThese => {
            about(&|id, row| shown & !op.dismissed & (1 << id) != 0 && !(row.of == subject && row.is_ours()))
        }
        Act::Look
        | Act::SendAgain
        | Act::TryAgain
        | Act::KeepSite
        | Act::Update
        | Act::AcceptSlug
        | Act::Same
        | Act::New
        | Act::Leave
        | Act::Unleave => vec![None],
    }
}
