//! The promise as properties, and the walk through everything.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ichido_core::act::{Act, acts_for};
use ichido_core::apply::{Event, apply};
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use stateright::{Checker, HasDiscoveries, Model, Property};

use crate::machine::{beginning, take};
use crate::possible::possible;
use crate::rest::{Fate, Seen, calm, ending, fate};
use crate::setting::Setting;
use crate::step::Step;
use crate::world::{Breach, Maker, Place, Row, Subject, Wire, World};
use crate::worlds::ONE;

/// A world with everything that can happen in it.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// How large it is.
    pub setting: Setting,
    seen: Arc<Seen>,
}

impl Model for Protocol {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        vec![beginning(&self.setting)]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        possible(&self.setting, world, steps);
    }

    fn next_state(&self, world: &World, step: Step) -> Option<World> {
        take(&self.setting, world, step)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always("no operation is executed twice", |_, world: &World| once_each(world)),
            Property::always("no request leaves without its durable row", |_, world: &World| {
                is_durable(world)
            }),
            Property::always("no request leaves for what is in doubt", |_, world: &World| {
                world.breach != Some(Breach::SentFromDoubt)
            }),
            Property::always("no draft leaves before its images", |_, world: &World| {
                world.breach != Some(Breach::SentBeforeItsImages)
            }),
            Property::always("nothing is sent where the site could not be asked", |_, world: &World| {
                world.breach != Some(Breach::SentUnlooked)
            }),
            Property::always("only our own effect is adopted", |_, world: &World| {
                world.breach != Some(Breach::AdoptedAnothers)
            }),
            Property::always("an article is skipped only for what stands at its slug", |_, world: &World| {
                world.breach != Some(Breach::SkippedForNothing)
            }),
            Property::always("every decision can be taken", |_, world: &World| {
                world.breach != Some(Breach::Illegal)
            }),
            Property::always("what is done was there", |_, world: &World| what_is_done_was_there(world)),
            Property::always("every halt offers an act", |_, world: &World| every_halt_offers_an_act(world)),
            Property::always("left in peace, the program ends in a result", |model: &Self, world: &World| {
                world.breach.is_some() || model.fate(world) != Fate::NoResult
            }),
            Property::always("a person can bring every article home", |model: &Self, world: &World| {
                world.breach.is_some() || model.fate(world) != Fate::NotHome
            }),
        ];
        if self.setting.beyond_window {
            properties.push(Property::always("a second row is noticed", |model: &Self, world: &World| {
                notices_a_second(&model.setting, world)
            }));
        } else {
            properties.push(Property::always(ONE, |_, world: &World| at_most_one(world)));
        }
        if self.setting.flaw.is_none() {
            properties.extend(self.goals());
        }
        properties
    }
}

type Goal = (&'static str, fn(&Protocol, &World) -> bool);

const ENDINGS: [Goal; 7] = [
    ("created", |_, world| ends(world, Ending::Created)),
    ("adopted", |_, world| ends(world, Ending::Adopted)),
    ("verified", |_, world| ends(world, Ending::Verified)),
    ("unknown", |_, world| ends(world, Ending::Unknown)),
    ("halted", |_, world| ends(world, Ending::Halted)),
    ("waiting", |_, world| ends(world, Ending::Waiting)),
    ("refused", |_, world| ends(world, Ending::Refused)),
];

const REASONS: [Goal; 10] = [
    ("halted: outcome_unknown", |_, world| is_halted_for(world, HaltReason::OutcomeUnknown)),
    ("halted: could_not_ask", |_, world| is_halted_for(world, HaltReason::CouldNotAsk)),
    ("halted: candidates", |_, world| is_halted_for(world, HaltReason::Candidates)),
    ("halted: content_differs", |_, world| is_halted_for(world, HaltReason::ContentDiffers)),
    ("halted: exists_not_ours", |_, world| is_halted_for(world, HaltReason::ExistsNotOurs)),
    ("halted: duplicates", |_, world| is_halted_for(world, HaltReason::Duplicates)),
    ("halted: in_trash", |_, world| is_halted_for(world, HaltReason::InTrash)),
    ("halted: missing", |_, world| is_halted_for(world, HaltReason::Missing)),
    ("halted: renamed", |_, world| is_halted_for(world, HaltReason::Renamed)),
    ("halted: hidden", |_, world| is_halted_for(world, HaltReason::Hidden)),
];

impl Protocol {
    fn fate(&self, world: &World) -> Fate {
        fate(&self.setting, &self.seen, world)
    }

    fn goals(&self) -> Vec<Property<Self>> {
        let mut goals: Vec<Goal> = ENDINGS.to_vec();
        if self.setting.hands > 0 {
            goals.push(("skipped", |_, world| ends(world, Ending::Skipped)));
        }
        if self.setting.hands > 1 {
            goals.extend(REASONS);
            goals.push(("halted: incomplete", |_, world| is_halted_for(world, HaltReason::Incomplete)));
        }
        if self.setting.generations > 1 {
            goals.push(("sent again and done", |_, world| {
                world
                    .journal
                    .op(Subject::Draft)
                    .is_some_and(|op| op.generation > 0 && op.standing.state == State::Done)
            }));
        }
        goals.push(("an unclean stop shuts creating", |_, world| world.journal.shut.stopped != 0));
        goals.push(("a request is executed late", |_, world| world.late.iter().any(Option::is_some)));
        if self.setting.leaves {
            goals.push(("left", |_, world| ends(world, Ending::Left)));
        }
        if self.setting.images {
            goals.push(("an image that is gone is uploaded anew", |_, world| {
                world
                    .journal
                    .op(Subject::First)
                    .is_some_and(|op| op.generation > 0 && op.standing.state == State::Done)
            }));
            goals.push(("all three are done", |_, world| {
                world.journal.subjects().all(|(_, op)| op.standing.state == State::Done)
            }));
        }
        if self.setting.may_be_renamed {
            goals.push(("halted: slug_changed", |_, world| is_halted_for(world, HaltReason::SlugChanged)));
            goals.push(("declared new and done", |_, world| {
                world
                    .journal
                    .op(Subject::Moved)
                    .is_some_and(|op| op.declared_new && op.standing.state == State::Done)
            }));
        }
        if self.setting.may_lose_journal {
            goals.push(("found again by a new journal", |_, world| {
                world.journal.number > 0
                    && ends(world, Ending::Skipped)
                    && world.rows().any(|(_, row)| row.is_ours() && row.place == Place::Live)
            }));
        }
        if self.setting.beyond_window {
            goals.push(("what was given up turns up", |_, world| {
                world.journal.op(Subject::Draft).is_some_and(|op| {
                    op.generation > 0 && op.standing.state == State::Halted(HaltReason::Duplicates)
                })
            }));
        }
        goals.into_iter().map(|(name, holds)| Property::sometimes(name, holds)).collect()
    }
}

fn ends(world: &World, wanted: Ending) -> bool {
    ending(world) == Some(wanted)
}

fn is_halted_for(world: &World, reason: HaltReason) -> bool {
    world.journal.subjects().any(|(_, op)| op.standing.state == State::Halted(reason))
}

/// Which rows would be a second one: those that are there by our doing, unless a person had the first in view,
/// in the trash, and wanted another, or declared the article to be a new one.
fn at_most_one(world: &World) -> bool {
    let is_new = world.journal.op(Subject::Moved).is_some_and(|op| op.declared_new);
    let count = |wanted: &dyn Fn(&Row) -> bool| {
        world
            .rows()
            .filter(|(_, row)| row.is_ours() && row.place != Place::Gone && !row.given_up && wanted(row))
            .count()
    };
    let posts_are_one = if is_new {
        count(&|row| row.of == Subject::Draft) <= 1 && count(&|row| row.of == Subject::Moved) <= 1
    } else {
        count(&|row| row.of.is_post()) <= 1
    };
    posts_are_one
        && count(&|row| row.of == Subject::First) <= 1
        && count(&|row| row.of == Subject::Second) <= 1
}

fn once_each(world: &World) -> bool {
    let mut seen: Vec<(Subject, Maker)> = Vec::new();
    world.rows().filter(|(_, row)| row.is_ours()).all(|(_, row)| {
        let is_new = !seen.contains(&(row.of, row.maker));
        seen.push((row.of, row.maker));
        is_new
    })
}

fn is_durable(world: &World) -> bool {
    match world.wire {
        Wire::Idle | Wire::Ready(_) => true,
        Wire::Out(subject) | Wire::Made(subject, _) | Wire::Refused(subject) => {
            world.durable.op(subject).is_some_and(|op| op.standing.state == State::Sending)
        }
    }
}

fn what_is_done_was_there(world: &World) -> bool {
    world.journal.subjects().all(|(subject, op)| {
        op.standing.state != State::Done
            || op.row.and_then(|id| world.row(id)).is_some_and(|row| row.of.is_post() == subject.is_post())
    })
}

fn every_halt_offers_an_act(world: &World) -> bool {
    world.journal.subjects().all(|(subject, op)| match op.standing.state {
        State::Halted(reason) => acts_for(reason).iter().any(|act| {
            !matches!(act, Act::Leave | Act::Unleave)
                && apply(subject.kind(), op.standing, Event::Act(*act)).is_ok()
        }),
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Done
        | State::Abandoned => true,
    })
}

/// Beyond the settle window a second row cannot be prevented; a look at the end of the run must notice it.
fn notices_a_second(setting: &Setting, world: &World) -> bool {
    let Some(rest) = calm(setting, world) else { return false };
    let marked = rest
        .rows()
        .filter(|(id, row)| {
            let dismissed = rest.journal.op(Subject::Draft).is_some_and(|op| op.dismissed & (1 << id) != 0);
            row.of == Subject::Draft && row.is_ours() && row.marked && row.place == Place::Live && !dismissed
        })
        .count();
    let Some(looked) =
        take(setting, &rest, Step::LookForDuplicates(Subject::Draft, crate::sight::Answer::Whole))
    else {
        return marked < 2
            || rest.journal.op(Subject::Draft).is_some_and(|op| op.standing.state != State::Done);
    };
    marked < 2 || looked.journal.op(Subject::Draft).is_some_and(|op| op.standing.state != State::Done)
}

/// What a walk through a world came to.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How many different states there are.
    pub states: usize,
    /// How many steps were tried.
    pub steps: usize,
    /// How many steps the farthest state is away.
    pub depth: usize,
    /// How long it took.
    pub took: Duration,
    /// The goals that were not reached.
    pub not_reached: Vec<&'static str>,
    /// The properties that do not hold, each with the steps that show it.
    pub broken: Vec<(&'static str, Vec<String>)>,
}

impl Walk {
    /// Tells whether every property holds and every goal was reached.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.broken.is_empty() && self.not_reached.is_empty()
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} states, {} steps, depth {}, {:.1} s",
            self.states,
            self.steps,
            self.depth,
            self.took.as_secs_f64()
        )?;
        for (property, steps) in &self.broken {
            write!(f, "\n  broken: {property}")?;
            for step in steps {
                write!(f, "\n    {step}")?;
            }
        }
        for goal in &self.not_reached {
            write!(f, "\n  not reached: {goal}")?;
        }
        Ok(())
    }
}

/// Walks through a whole world, or until it is shown that one of these properties does not hold.
#[must_use]
pub fn walk(setting: Setting, until: &[&'static str]) -> Walk {
    let began = Instant::now();
    let model = Protocol { setting, seen: Arc::default() };
    let goals: Vec<&'static str> = model
        .properties()
        .iter()
        .filter(|property| !property.expectation.discovery_is_failure())
        .map(|property| property.name)
        .collect();
    let finish_when = if until.is_empty() {
        HasDiscoveries::AnyFailures
    } else {
        HasDiscoveries::AnyOf(until.iter().copied().collect())
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let checker = model.checker().threads(threads).finish_when(finish_when).spawn_bfs().join();
    let discoveries = checker.discoveries();
    let not_reached = goals.iter().copied().filter(|name| !discoveries.contains_key(name)).collect();
    let broken = discoveries
        .into_iter()
        .filter(|(name, _)| !goals.contains(name))
        .map(|(name, path)| (name, path.into_actions().iter().map(|step| format!("{step:?}")).collect()))
        .collect();
    Walk {
        states: checker.unique_state_count(),
        steps: checker.state_count(),
        depth: checker.max_depth(),
        took: began.elapsed(),
        not_reached,
        broken,
    }
}
