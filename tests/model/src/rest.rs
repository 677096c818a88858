//! What comes of a world that is left in peace: by the program alone, and with a person who wants to get done.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::{DoneBy, Ending};

use crate::machine::{images_are_there, take};
use crate::person::rows_for;
use crate::possible::{can_be_lifted, is_done, may_be_released};
use crate::setting::Setting;
use crate::sight::Answer;
use crate::step::Step;
use crate::world::{By, Op, Place, Subject, Wire, World};

/// More steps than any calm run needs.
const PATIENCE: usize = 300;

/// Worlds from which all goes well: most ways home lead over what was seen before.
#[derive(Debug)]
pub struct Seen {
    parts: [Mutex<HashSet<u64>>; 64],
}

impl Default for Seen {
    fn default() -> Self {
        Self { parts: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl Seen {
    fn part(&self, print: u64) -> MutexGuard<'_, HashSet<u64>> {
        let at = usize::try_from(print % 64).unwrap_or(0);
        self.parts[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds(&self, print: u64) -> bool {
        self.part(print).contains(&print)
    }

    fn keep(&self, prints: &[u64]) {
        for print in prints {
            self.part(*print).insert(*print);
        }
    }
}

fn print_of(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    world.hash(&mut hasher);
    hasher.finish()
}

/// How it goes on from a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Left in peace, the program ends in a result, and a person can bring the article home from there.
    Good,
    /// The program does not come to rest, or rests without a result.
    NoResult,
    /// It ends in results, and none of them leads home.
    NotHome,
}

/// Lets the program go on and a person act who wants the article to get done.
#[must_use]
pub fn fate(setting: &Setting, seen: &Seen, world: &World) -> Fate {
    let mut world = grown_old(world);
    let mut way = Vec::new();
    for _ in 0..PATIENCE {
        let print = print_of(&world);
        if seen.holds(print) {
            seen.keep(&way);
            return Fate::Good;
        }
        way.push(print);
        if let Some(next) = calm_step(setting, &world) {
            world = next;
            continue;
        }
        if !is_result(&world) {
            return Fate::NoResult;
        }
        if is_home(&world) {
            seen.keep(&way);
            return Fate::Good;
        }
        match help(setting, &world) {
            Some(helped) => world = grown_old(&helped),
            None if is_at_the_bounds(setting, &world) => {
                seen.keep(&way);
                return Fate::Good;
            }
            None => return Fate::NotHome,
        }
    }
    Fate::NoResult
}

/// Looks grow old: a send rests on one that was made just before.
fn grown_old(world: &World) -> World {
    let mut world = *world;
    if let Some(process) = &mut world.process {
        process.cleared = [None; 4];
    }
    world
}

/// Lets the program go on without any fault until nothing changes; `None` if it never ends.
#[must_use]
pub fn calm(setting: &Setting, world: &World) -> Option<World> {
    let mut world = grown_old(world);
    for _ in 0..PATIENCE {
        let Some(next) = calm_step(setting, &world) else { return Some(world) };
        world = next;
    }
    None
}

fn calm_step(setting: &Setting, world: &World) -> Option<World> {
    let next = |step: Step| take(setting, world, step);
    match world.wire {
        Wire::Idle => {}
        Wire::Ready(subject) => return next(Step::Leave(subject)),
        Wire::Out(_) => return next(Step::Execute(true)),
        Wire::Made(..) | Wire::Refused(_) => return next(Step::Receive),
    }
    if world.late.iter().any(Option::is_some) {
        return next(Step::ExecuteLate(0));
    }
    let Some(process) = world.process else { return next(Step::Start) };
    let article = process.article;
    for (subject, op) in world.journal.subjects() {
        let settles = matches!(op.standing.state, State::Sending | State::Halted(_));
        if settles && let Some(world) = next(Step::Look(subject, Answer::Whole)) {
            return Some(world);
        }
    }
    if can_be_lifted(world) {
        return next(Step::Lift);
    }
    send_on(setting, world, article).or_else(|| world.journal.run_open.then(|| next(Step::Close)).flatten())
}

/// Goes on with an article that may be sent: looks, then sends, its images first.
fn send_on(setting: &Setting, world: &World, article: Subject) -> Option<World> {
    let next = |step: Step| take(setting, world, step);
    let cleared =
        |subject: Subject| world.process.is_some_and(|process| process.cleared[subject as usize].is_some());
    let op = world.journal.op(article)?;
    if !matches!(op.standing.state, State::Planned | State::Waiting(_) | State::Skipped) {
        return None;
    }
    if !cleared(article) {
        return next(Step::Look(article, Answer::Whole));
    }
    if world.journal.shut.is_shut() {
        return next(Step::Park(article));
    }
    for image in [Subject::First, Subject::Second] {
        let Some(op) = world.journal.op(image) else { continue };
        match op.standing.state {
            State::Done => {}
            State::Planned | State::Waiting(_) if cleared(image) => return next(Step::BeginSend(image)),
            State::Planned | State::Waiting(_) => return next(Step::Look(image, Answer::Whole)),
            State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Sending
            | State::Halted(_)
            | State::Abandoned => return next(Step::Park(article)),
        }
    }
    if images_are_there(world) { next(Step::BeginSend(article)) } else { None }
}

/// Tells whether a world at rest has come to one of the results of a registration, and what is in doubt is so
/// with reason.
#[must_use]
pub fn is_result(world: &World) -> bool {
    let article = article(world);
    let Some(op) = world.journal.op(article) else { return false };
    if world.journal.subjects().any(|(_, op)| op.standing.state == State::Sending) {
        return false;
    }
    let has_reason = match ending(world) {
        Some(Ending::Waiting) => {
            world.journal.shut.is_shut()
                || [Subject::First, Subject::Second].into_iter().any(|image| !is_done(world, image))
        }
        Some(
            Ending::Created
            | Ending::Adopted
            | Ending::Verified
            | Ending::Skipped
            | Ending::Unknown
            | Ending::Halted
            | Ending::Refused
            | Ending::NeedsWork
            | Ending::Left,
        ) => true,
        None => false,
    };
    has_reason && op.standing.state != State::Abandoned && !overlooks(world)
}

/// Tells whether an outcome stays unknown although its effect stands there for everyone to see.
fn overlooks(world: &World) -> bool {
    world.journal.subjects().any(|(subject, op)| {
        op.standing.state == State::Halted(HaltReason::OutcomeUnknown)
            && world.rows().any(|(id, row)| {
                row.of == subject
                    && row.maker == world.maker(subject)
                    && row.place == Place::Live
                    && op.dismissed & (1 << id) == 0
                    && (row.marked || (!subject.is_post() && row.same && row.slug == op.slug))
            })
    })
}

/// Returns the article that the folder is known as now.
#[must_use]
pub fn article(world: &World) -> Subject {
    if world.renamed && world.journal.op(Subject::Moved).is_some() { Subject::Moved } else { Subject::Draft }
}

/// Returns how the registration of the article would be said to have ended.
#[must_use]
pub fn ending(world: &World) -> Option<Ending> {
    let op = world.journal.op(article(world))?;
    let by = match world.process.map(|process| process.by) {
        Some(By::Answer) => DoneBy::Answer,
        Some(By::Look) => DoneBy::Adoption,
        Some(By::Earlier) | None => DoneBy::Earlier,
    };
    Some(Ending::of(op.standing, by))
}

/// Tells whether the article is where it should be, and everything that it needs.
#[must_use]
pub fn is_home(world: &World) -> bool {
    world
        .journal
        .op(article(world))
        .is_some_and(|op| matches!(op.standing.state, State::Done | State::Skipped))
}

/// Tells whether only the bounds of the model keep a person from going on: a further *send again*, or a row.
#[must_use]
pub fn is_at_the_bounds(setting: &Setting, world: &World) -> bool {
    // What a lost journal made stands there under a slug that a person gave it: nothing is to be made again.
    let is_elsewhere = world.journal.shut.lost && !may_be_released(world);
    is_elsewhere
        || usize::from(world.count()) + 1 >= world.rows.len()
        || world.journal.subjects().any(|(_, op)| {
            op.generation + 1 >= setting.generations && matches!(op.standing.state, State::Halted(_))
        })
}

fn help(setting: &Setting, world: &World) -> Option<World> {
    if world.journal.shut.is_shut() && may_be_released(world) {
        return take(setting, world, Step::Release);
    }
    // What stands in the way first: images before the draft, the record before its twin.
    world.journal.subjects().find_map(|(subject, op)| help_with(setting, world, subject, op))
}

fn help_with(setting: &Setting, world: &World, subject: Subject, op: &Op) -> Option<World> {
    let act = |act: Act| {
        rows_for(setting, world, subject, op, act)
            .into_iter()
            .find_map(|row| take(setting, world, Step::Act(subject, act, row)))
    };
    let reason = match op.standing.state {
        State::Refused => return act(Act::TryAgain),
        State::Halted(reason) => reason,
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Skipped
        | State::Sending
        | State::Done
        | State::Abandoned => return None,
    };
    if op.standing.left {
        return act(Act::Unleave);
    }
    let again = || {
        if op.generation + 1 >= setting.generations {
            return None;
        }
        if op.first_negative && !op.window_passed {
            return take(setting, world, Step::WindowPasses(subject));
        }
        take(setting, world, Step::SendAgain(subject, Answer::Whole))
    };
    match reason {
        HaltReason::OutcomeUnknown => again(),
        HaltReason::Candidates => act(Act::NoneOfThese).or_else(|| act(Act::Link)).or_else(again),
        HaltReason::ContentDiffers | HaltReason::Incomplete => act(Act::KeepSite),
        HaltReason::ExistsNotOurs | HaltReason::Duplicates => act(Act::Link),
        HaltReason::InTrash | HaltReason::Missing => again(),
        HaltReason::Renamed => act(Act::AcceptSlug),
        HaltReason::SlugChanged => act(Act::Same),
        HaltReason::Hidden | HaltReason::CouldNotAsk => None,
    }
}
