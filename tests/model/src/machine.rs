//! What each thing that happens does to the world.

use ichido_core::apply::{Blocked, Event, Standing, apply};
use ichido_core::operation::{State, WaitReason};
use ichido_core::outcome::{Created, NotSent, Outcome, Refusal, RefusalCode, UnknownCause};

use crate::looking::{look_and_write, move_on};
use crate::person;
use crate::setting::{Flaw, Setting};
use crate::sight::Why;
use crate::step::{Hand, Step};
use crate::world::{
    Breach, By, Journal, Late, Maker, Op, Place, Process, Row, Shut, Slug, Subject, Wire, World,
};

/// Returns the world before anything happened: an article that the journal has planned.
#[must_use]
pub fn beginning(setting: &Setting) -> World {
    let journal = fresh(setting, 0);
    World {
        rows: [None; crate::world::ROWS],
        journal,
        durable: journal,
        process: None,
        wire: Wire::Idle,
        late: [None; 3],
        lies: setting.lies,
        hands: setting.hands,
        renamed: false,
        breach: None,
    }
}

fn fresh(setting: &Setting, number: u8) -> Journal {
    let image = setting.images.then_some(Op::NEW);
    let lost = number > 0 && setting.flaw != Some(Flaw::JournalMadeAnew);
    Journal {
        ops: [image, image, Some(Op::NEW), None],
        run_open: false,
        shut: Shut { lost, ..Shut::default() },
        number,
    }
}

/// Does one step; `None` if it cannot happen, or changes nothing.
#[must_use]
pub fn take(setting: &Setting, before: &World, step: Step) -> Option<World> {
    let mut world = *before;
    match step {
        Step::Start => start(setting, &mut world)?,
        Step::Crash => die(&mut world)?,
        Step::PowerLoss => {
            if world.process.is_some() {
                die(&mut world)?;
            }
            world.journal = world.durable;
        }
        Step::JournalLost => {
            world.journal = fresh(setting, world.journal.number + 1);
            world.sync();
        }
        Step::Look(subject, answer) => look_and_write(setting, &mut world, subject, Why::Decide, answer)?,
        Step::LookForDuplicates(subject, answer) => {
            look_and_write(setting, &mut world, subject, Why::Duplicates, answer)?;
        }
        Step::BeginSend(subject) => begin_send(setting, &mut world, subject)?,
        Step::Leave(subject) => world.wire = Wire::Out(subject),
        Step::NotSent(subject) => {
            settle(setting, &mut world, subject, &Outcome::NotSent(NotSent::Connect))?;
        }
        Step::Execute(complete) => {
            let Wire::Out(subject) = world.wire else { return None };
            let maker = world.maker(subject);
            let id = world.execute(subject, maker, complete)?;
            world.wire = Wire::Made(subject, id);
        }
        Step::Refuse => {
            let Wire::Out(subject) = world.wire else { return None };
            world.wire = Wire::Refused(subject);
        }
        Step::TimeOut => {
            let Wire::Out(subject) = world.wire else { return None };
            leave_behind(&mut world, subject)?;
            if setting.flaw != Some(Flaw::HttpSendsAgain) {
                settle(setting, &mut world, subject, &Outcome::Unknown(UnknownCause::TimedOut))?;
            }
        }
        Step::Receive => match world.wire {
            Wire::Made(subject, id) => {
                let created = Created {
                    id: ichido_core::id::RemoteId(id.into()),
                    row: None,
                    needs_post_process: false,
                    stored: None,
                };
                settle(setting, &mut world, subject, &Outcome::Created(Box::new(created)))?;
                let slug = world.row(id)?.slug;
                let op = world.journal.op_mut(subject)?;
                (op.row, op.slug) = (Some(id), slug);
                if subject.is_post() {
                    world.process.as_mut()?.by = By::Answer;
                }
            }
            Wire::Refused(subject) => {
                let refusal =
                    Refusal { code: RefusalCode::InvalidParam, status: 400, parameters: Vec::new() };
                settle(setting, &mut world, subject, &Outcome::Refused(refusal))?;
            }
            Wire::Idle | Wire::Ready(_) | Wire::Out(_) => return None,
        },
        Step::LoseAnswer => {
            let subject = world.wire.subject()?;
            settle(setting, &mut world, subject, &Outcome::Unknown(UnknownCause::ConnectionLost))?;
        }
        Step::ExecuteLate(at) => {
            let late = take_late(&mut world, at)?;
            world.execute(late.subject, late.maker, true)?;
        }
        Step::LoseLate(at) => {
            take_late(&mut world, at)?;
        }
        Step::WindowPasses(subject) => {
            for journal in [&mut world.journal, &mut world.durable] {
                if let Some(op) = journal.op_mut(subject) {
                    op.window_passed = op.first_negative;
                }
            }
        }
        Step::Park(subject) => park(&mut world, subject)?,
        Step::Lift => {
            world.journal.shut.stopped = 0;
            world.sync();
        }
        Step::Close => {
            world.journal.run_open = false;
            world.sync();
        }
        Step::RenameFolder => world.renamed = true,
        Step::Release => {
            // It is not said while a run is going: what was looked for before is looked for again.
            world.process.as_mut()?.cleared = [None; 4];
            world.journal.shut = Shut::default();
            world.sync();
        }
        Step::Act(subject, act, row) => person::act(setting, &mut world, subject, act, row)?,
        Step::SendAgain(subject, answer) => person::send_again(setting, &mut world, subject, answer)?,
        Step::Write(of, maker, slug) => {
            world.hands -= 1;
            world.add(Row {
                of,
                maker,
                slug,
                place: Place::Live,
                marked: false,
                same: maker == Maker::CopyByHand,
                complete: true,
                given_up: false,
            })?;
        }
        Step::Edit(id, hand) => {
            world.hands -= 1;
            edit(&mut world, id, hand)?;
        }
    }
    (world != *before).then_some(world)
}

fn start(setting: &Setting, world: &mut World) -> Option<()> {
    if setting.flaw == Some(Flaw::SweepAtStart) {
        for op in world.journal.ops.iter_mut().flatten().filter(|op| op.standing.state == State::Sending) {
            op.standing = Standing::PLANNED;
        }
    }
    if world.journal.run_open {
        let sending = world
            .journal
            .subjects()
            .filter(|(_, op)| op.standing.state == State::Sending)
            .fold(0, |bits, (subject, _)| bits | 1 << subject as u8);
        for subject in Subject::ALL {
            if sending & (1 << subject as u8) != 0 {
                move_on(world, subject, Event::Interrupted)?;
            }
        }
        if world.journal.shut.stopped == 0 && !world.journal.shut.stopped_for_good {
            world.journal.shut.stopped = sending;
        }
        world.journal.run_open = false;
        world.sync();
    }
    if world.renamed {
        let may_have_left = world.journal.op(Subject::Draft).is_some_and(|op| op.standing.may_have_left);
        let moved = world.journal.op(Subject::Moved).copied().unwrap_or(Op::NEW);
        world.journal.ops[Subject::Moved as usize] = Some(moved);
        let is_open = matches!(moved.standing.state, State::Planned | State::Waiting(_));
        if may_have_left && is_open && !moved.declared_new && setting.flaw != Some(Flaw::FolderIsIdentity) {
            move_on(world, Subject::Moved, Event::Blocked(Blocked::SlugChanged))?;
        }
        world.sync();
    }
    let article = if world.renamed { Subject::Moved } else { Subject::Draft };
    world.process = Some(Process { cleared: [None; 4], by: By::Earlier, article });
    Some(())
}

/// The process dies: what has left is on its own, and answers find nobody.
fn die(world: &mut World) -> Option<()> {
    if let Wire::Out(subject) = world.wire {
        leave_behind(world, subject)?;
    }
    world.wire = Wire::Idle;
    world.process = None;
    Some(())
}

fn leave_behind(world: &mut World, subject: Subject) -> Option<()> {
    let late = Late { subject, maker: world.maker(subject) };
    *world.late.iter_mut().find(|slot| slot.is_none())? = Some(late);
    world.late.sort_unstable_by_key(|late| late.map_or(u8::MAX, |late| late.subject as u8));
    Some(())
}

fn take_late(world: &mut World, at: usize) -> Option<Late> {
    let late = world.late.get_mut(at)?.take()?;
    world.late.sort_unstable_by_key(|late| late.map_or(u8::MAX, |late| late.subject as u8));
    Some(late)
}

/// Tells whether everything that an article needs is settled.
#[must_use]
pub fn images_are_there(world: &World) -> bool {
    [Subject::First, Subject::Second]
        .into_iter()
        .filter_map(|image| world.journal.op(image))
        .all(|image| image.standing.state == State::Done)
}

fn begin_send(setting: &Setting, world: &mut World, subject: Subject) -> Option<()> {
    let mark = world.process.as_mut()?.cleared[subject as usize]?;
    let op = *world.journal.op(subject)?;
    let to = apply(subject.kind(), op.standing, Event::BeginSend).ok()?;
    let maker = world.maker(subject);
    let executed = world.rows().any(|(_, row)| row.of == subject && row.maker == maker);
    let under_way = world.late.iter().flatten().any(|late| late.subject == subject && late.maker == maker);
    if executed || under_way {
        world.break_promise(Breach::SentFromDoubt);
    }
    if subject.is_post() && !images_are_there(world) {
        world.break_promise(Breach::SentBeforeItsImages);
    }
    world.journal.run_open = true;
    world.wire = Wire::Ready(subject);
    if setting.flaw == Some(Flaw::JournalAfterSend) {
        return Some(());
    }
    let op = world.journal.op_mut(subject)?;
    *op = Op {
        standing: to,
        mark,
        first_negative: false,
        window_passed: false,
        may_arrive: true,
        shown: 0,
        ..*op
    };
    world.process.as_mut()?.cleared[subject as usize] = None;
    if setting.flaw != Some(Flaw::SendingNotSynced) {
        world.sync();
    }
    Some(())
}

/// Writes down what is known about a send, visibly but not durably.
fn settle(setting: &Setting, world: &mut World, subject: Subject, outcome: &Outcome) -> Option<()> {
    world.wire = Wire::Idle;
    if setting.flaw == Some(Flaw::JournalAfterSend) {
        let mark = world.process.as_mut()?.cleared[subject as usize].take()?;
        world.journal.op_mut(subject)?.mark = mark;
        move_on(world, subject, Event::BeginSend)?;
    }
    let taken_for_failure =
        setting.flaw == Some(Flaw::RetryOnTimeOut) && matches!(outcome, Outcome::Unknown(_));
    if taken_for_failure {
        let waiting = Outcome::NotSent(NotSent::Connect);
        move_on(world, subject, Event::Answered(&waiting))?;
    } else {
        move_on(world, subject, Event::Answered(outcome))?;
    }
    Some(())
}

/// An article that cannot be sent now says why.
fn park(world: &mut World, subject: Subject) -> Option<()> {
    let image_is = |wanted: fn(State) -> bool| {
        [Subject::First, Subject::Second]
            .into_iter()
            .filter_map(|image| world.journal.op(image))
            .any(|image| wanted(image.standing.state))
    };
    let blocked = if world.journal.shut.is_shut() {
        Blocked::Wait(WaitReason::ReleaseNeeded)
    } else if image_is(|state| state == State::Refused) {
        Blocked::ImageRefused
    } else if image_is(|state| matches!(state, State::Sending | State::Halted(_))) {
        Blocked::Wait(WaitReason::ImageInDoubt)
    } else {
        return None;
    };
    move_on(world, subject, Event::Blocked(blocked))?;
    world.sync();
    Some(())
}

fn edit(world: &mut World, id: u8, hand: Hand) -> Option<()> {
    let row = *world.row(id)?;
    let slug_taken = world.rows().any(|(other, there)| {
        other != id && there.of == row.of && there.slug == row.slug && there.place == Place::Live
    });
    let row = world.row_mut(id)?;
    match hand {
        Hand::Text => (row.marked, row.same) = (false, false),
        Hand::Rename => row.slug = Slug::Other,
        Hand::Trash if row.place == Place::Live => row.place = Place::Trash,
        Hand::Restore if row.place == Place::Trash => {
            row.place = Place::Live;
            if slug_taken {
                row.slug = Slug::Second;
            }
        }
        Hand::Trash | Hand::Restore => return None,
        Hand::Delete => row.place = Place::Gone,
    }
    Some(())
}
