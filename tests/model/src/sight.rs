//! What a look shows: the rows of the site, compared with one operation, as `ichido-engine` compares them.

use ichido_core::decide::Record;
use ichido_core::evidence::{Accounted, AskFailure, ById, Evidence, Found, Looked, MarkerSeen};
use ichido_core::id::RemoteId;
use ichido_core::operation::State;

use crate::setting::{Flaw, Setting};
use crate::world::{Maker, Op, Place, Row, Slug, Subject, World};

/// The questions of one look, a bit each.
pub mod question {
    /// The list of what came after the mark.
    pub const LIST: u8 = 1;
    /// What stands at the slug.
    pub const SLUG: u8 = 2;
    /// Which text holds the marker.
    pub const SEARCH: u8 = 4;
    /// What the recorded id is; asked twice (in a bundle, then alone) before a row counts as gone.
    pub const BY_ID: u8 = 8;
}

/// How a site answers a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It shows everything.
    Whole,
    /// It hides what is there from these questions, and does not tell.
    Lie(u8),
    /// It hides what is there, but counts it.
    Counted,
    /// It does not answer.
    Failed,
}

impl Answer {
    /// Returns how many lying look-ups the answer takes.
    #[must_use]
    pub const fn lies(self) -> u8 {
        match self {
            Self::Lie(hidden) => {
                let hidden_by_id = if hidden & question::BY_ID != 0 { 1 } else { 0 };
                #[allow(clippy::cast_possible_truncation, reason = "a byte has eight bits")]
                let questions = hidden.count_ones() as u8;
                questions + hidden_by_id
            }
            Self::Whole | Self::Counted | Self::Failed => 0,
        }
    }

    const fn hides(self, question: u8) -> bool {
        match self {
            Self::Whole => false,
            Self::Lie(hidden) => hidden & question != 0,
            Self::Counted | Self::Failed => true,
        }
    }
}

/// Why a look is made: that decides what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// To decide what may be done.
    Decide,
    /// At the end of a batch: whether anything else stands at the slug of what is done.
    Duplicates,
    /// Before *send again*: the text of all posts is searched for the marker as well.
    SendAgain,
}

/// Returns the questions that a look for an operation asks.
#[must_use]
pub fn questions(subject: Subject, op: &Op, why: Why) -> u8 {
    let mut asked = 0;
    let is_halted = matches!(op.standing.state, State::Halted(_));
    if op.standing.may_have_left && (op.row.is_none() || (op.may_arrive && is_halted)) {
        asked |= question::LIST;
    }
    if op.standing.state != State::Done || why == Why::Duplicates {
        asked |= question::SLUG;
    }
    if op.row.is_some() || op.replaces.is_some() {
        asked |= question::BY_ID;
    }
    if subject.is_post() && (op.generation > 0 || why == Why::SendAgain) {
        asked |= question::SEARCH;
    }
    asked
}

/// Returns what the journal says of an operation.
#[must_use]
pub const fn record(subject: Subject, op: &Op) -> Record {
    Record {
        kind: subject.kind(),
        state: op.standing.state,
        may_have_left: op.standing.may_have_left,
        may_arrive: op.may_arrive,
    }
}

/// Looks for the operation of a subject.
#[must_use]
pub fn look(
    setting: &Setting,
    world: &World,
    subject: Subject,
    op: &Op,
    why: Why,
    answer: Answer,
) -> Evidence {
    if answer == Answer::Failed {
        return if setting.flaw == Some(Flaw::FailedLookIsEmpty) {
            Evidence::Looked(Looked::default())
        } else {
            Evidence::CouldNotAsk(AskFailure::Network)
        };
    }
    let asked = questions(subject, op, why);
    let shown = |question: u8| asked & question != 0 && !answer.hides(question);
    let mut rows = Vec::new();
    let mut hidden = false;
    for (id, row) in world.rows().filter(|(_, row)| is_there(row) && row.of.is_post() == subject.is_post()) {
        let found = compare(setting, world, subject, op, id, row);
        let above = found.above_mark && asked & question::LIST != 0;
        let carries = matches!(found.marker, MarkerSeen::This | MarkerSeen::Predecessor);
        // What no question could have shown does not concern the operation.
        if !(found.slug_matches || (above && found.mine) || carries) {
            continue;
        }
        let published_only = setting.flaw == Some(Flaw::PublishedOnly);
        let seen = !published_only
            && ((found.slug_matches && shown(question::SLUG))
                || (above && shown(question::LIST))
                || (carries && shown(question::SEARCH))
                || ((op.row == Some(id) || op.replaces == Some(id)) && shown(question::BY_ID)));
        if seen {
            rows.push(found);
        } else if answer == Answer::Counted {
            hidden = true;
        }
    }
    let by_id = match op.row {
        Some(id) if asked & question::BY_ID != 0 => match world.row(id) {
            Some(row) if is_there(row) && shown(question::BY_ID) => {
                ById::There(compare(setting, world, subject, op, id, row))
            }
            Some(row) if is_there(row) && answer == Answer::Counted => ById::Forbidden,
            Some(_) | None => ById::Gone,
        },
        Some(_) | None => ById::NotAsked,
    };
    Evidence::Looked(Looked { rows, hidden, by_id })
}

fn is_there(row: &Row) -> bool {
    row.place != Place::Gone
}

fn compare(setting: &Setting, world: &World, subject: Subject, op: &Op, id: u8, row: &Row) -> Found {
    let same_slug = row.slug == op.slug
        || (setting.flaw == Some(Flaw::SlugFamily) && row.slug == Slug::Second && op.slug == Slug::Asked);
    let same_title = row.maker == Maker::UserByHand || row.maker == Maker::CopyByHand || row.is_ours();
    Found {
        id: RemoteId(u64::from(id)),
        slug_matches: row.of == subject && same_slug,
        in_trash: row.place == Place::Trash,
        mine: row.is_mine(),
        above_mark: id >= op.mark,
        marker: marker(world, subject, op, id, row),
        same_content: row.of == subject
            && (row.same || (setting.flaw == Some(Flaw::AdoptByTitle) && same_title)),
        complete: row.complete || op.standing.state == State::Planned,
        accounted: accounted(world, subject, op, id),
    }
}

/// Images carry no marker, but the row of one that was replaced is known by its id; an article under its new
/// folder is another operation's.
fn marker(world: &World, subject: Subject, op: &Op, id: u8, row: &Row) -> MarkerSeen {
    if op.replaces == Some(id) {
        return MarkerSeen::Predecessor;
    }
    match row.maker {
        Maker::Us { generation, journal } if row.marked => {
            if journal != world.journal.number {
                MarkerSeen::Unknown
            } else if row.of != subject {
                MarkerSeen::Other
            } else if generation == op.generation {
                MarkerSeen::This
            } else if generation < op.generation {
                MarkerSeen::Predecessor
            } else {
                MarkerSeen::Other
            }
        }
        Maker::Us { .. } | Maker::SomeoneElse | Maker::UserByHand | Maker::CopyByHand => MarkerSeen::None,
    }
}

fn accounted(world: &World, subject: Subject, op: &Op, id: u8) -> Accounted {
    let owned = world.journal.subjects().any(|(other, record)| {
        other != subject && record.row == Some(id) && record.standing.state != State::Abandoned
    });
    if op.dismissed & (1 << id) != 0 {
        Accounted::Dismissed
    } else if owned {
        Accounted::OtherRecord
    } else {
        Accounted::No
    }
}
