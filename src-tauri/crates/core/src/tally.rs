//! How a batch ended: disjoint counts, and the exit status they call for.

use serde::{Deserialize, Serialize};

use crate::apply::Standing;
use crate::operation::{HaltReason, State, WaitReason};

/// How one registration ended: exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The draft was made in this run and its answer was read.
    Created,
    /// Our own effect was found on the site and recorded.
    Adopted,
    /// Done before, and still there.
    Verified,
    /// Someone else's, or there before us.
    Skipped,
    /// Halted: the outcome is unknown, or could not be asked for.
    Unknown,
    /// Halted for any other reason.
    Halted,
    /// Proved not executed; goes on by itself.
    Waiting,
    /// The site said no.
    Refused,
    /// The article must be changed first.
    NeedsWork,
    /// A person chose to leave a halt.
    Left,
}

/// How a `done` operation came to be so in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoneBy {
    /// By the answer to its request.
    Answer,
    /// By a look-up that found it.
    Adoption,
    /// In an earlier run.
    Earlier,
}

impl Ending {
    /// Returns how an article with this standing ended.
    #[must_use]
    pub const fn of(standing: Standing, done_by: DoneBy) -> Self {
        match standing.state {
            State::Done => match done_by {
                DoneBy::Answer => Self::Created,
                DoneBy::Adoption => Self::Adopted,
                DoneBy::Earlier => Self::Verified,
            },
            State::Halted(_) if standing.left => Self::Left,
            State::Halted(HaltReason::OutcomeUnknown | HaltReason::CouldNotAsk) | State::Sending => {
                Self::Unknown
            }
            State::Halted(_) | State::Abandoned => Self::Halted,
            State::Planned | State::Waiting(_) => Self::Waiting,
            State::NeedsWork => Self::NeedsWork,
            State::Refused => Self::Refused,
            State::Skipped => Self::Skipped,
        }
    }

    /// Returns the stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Adopted => "adopted",
            Self::Verified => "verified",
            Self::Skipped => "skipped",
            Self::Unknown => "unknown",
            Self::Halted => "halted",
            Self::Waiting => "waiting",
            Self::Refused => "refused",
            Self::NeedsWork => "needs_work",
            Self::Left => "left",
        }
    }
}

/// Disjoint counts of how the articles of a batch ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Drafts made in this run.
    pub created: usize,
    /// Own effects found and recorded.
    pub adopted: usize,
    /// Done before, and still there.
    pub verified: usize,
    /// Someone else's, or there before us.
    pub skipped: usize,
    /// In doubt.
    pub unknown: usize,
    /// Halted for another reason.
    pub halted: usize,
    /// Not sent yet.
    pub waiting: usize,
    /// Refused by the site.
    pub refused: usize,
    /// To be changed first.
    pub needs_work: usize,
    /// Left by a person.
    pub left: usize,
    /// Of `unknown`: those where only the asking failed. Not printed; it decides the exit status.
    #[serde(skip)]
    pub could_not_ask: usize,
    /// Images for which articles of `waiting` wait and at which a person must look. Not printed; it
    /// decides the exit status.
    #[serde(skip)]
    pub halted_images: usize,
}

impl Tally {
    /// Counts one article.
    pub fn count(&mut self, standing: Standing, done_by: DoneBy) {
        let ending = Ending::of(standing, done_by);
        self.count_as(ending);
        if ending == Ending::Unknown && standing.state == State::Halted(HaltReason::CouldNotAsk) {
            self.could_not_ask += 1;
        }
    }

    /// Counts one article that has no record.
    pub fn count_as(&mut self, ending: Ending) {
        *match ending {
            Ending::Created => &mut self.created,
            Ending::Adopted => &mut self.adopted,
            Ending::Verified => &mut self.verified,
            Ending::Skipped => &mut self.skipped,
            Ending::Unknown => &mut self.unknown,
            Ending::Halted => &mut self.halted,
            Ending::Waiting => &mut self.waiting,
            Ending::Refused => &mut self.refused,
            Ending::NeedsWork => &mut self.needs_work,
            Ending::Left => &mut self.left,
        } += 1;
    }

    /// Returns the number of articles counted.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.created
            + self.adopted
            + self.verified
            + self.skipped
            + self.unknown
            + self.halted
            + self.waiting
            + self.refused
            + self.needs_work
            + self.left
    }
}

/// What stands in the way of creating on a site as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// A run ended without closing and something is still in doubt.
    UncleanStop,
    /// The journal is missing, older than it should be, damaged, or another one.
    JournalLost,
    /// Several things that were recorded as done are gone, or the site's ids went back.
    SiteRestored,
}

impl Barrier {
    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UncleanStop => "unclean_stop",
            Self::JournalLost => "journal_lost",
            Self::SiteRestored => "site_restored",
        }
    }
}

/// Why creating on a site was stopped for the rest of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// The site does not recognise our user.
    NotOurUser,
    /// The site refuses this user.
    Refused,
    /// The site redirects requests.
    Redirected,
    /// Two outcomes in a row stayed unknown.
    UnknownInARow,
    /// The site cannot be reached or does not answer.
    Unreachable,
    /// The site is in maintenance.
    Maintenance,
}

impl Pause {
    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotOurUser => "not_our_user",
            Self::Refused => "refused",
            Self::Redirected => "redirected",
            Self::UnknownInARow => "unknown_in_a_row",
            Self::Unreachable => "unreachable",
            Self::Maintenance => "maintenance",
        }
    }

    /// Returns why the articles of a paused site wait.
    #[must_use]
    pub const fn wait_reason(self) -> WaitReason {
        match self {
            Self::NotOurUser => WaitReason::Credentials,
            Self::Unreachable => WaitReason::CouldNotAsk,
            Self::Maintenance => WaitReason::Maintenance,
            Self::Refused | Self::Redirected | Self::UnknownInARow => WaitReason::SitePaused,
        }
    }
}

/// Returns the exit status of a batch: the first that holds of 3 (a person is needed), 5 (refused, or
/// the site paused by a refusal), 6 (waiting, or could not ask), 4 (needs work), 0.
#[must_use]
pub fn exit_status(tally: &Tally, barrier: Option<Barrier>, pause: Option<Pause>) -> u8 {
    let refused_pause = matches!(pause, Some(Pause::NotOurUser | Pause::Refused));
    let halted = tally.halted + tally.halted_images > 0;
    if barrier.is_some() || halted || tally.unknown > tally.could_not_ask {
        3
    } else if tally.refused > 0 || refused_pause {
        5
    } else if tally.waiting > 0 || tally.could_not_ask > 0 || pause.is_some() {
        // A pause alone counts too: what is recorded as done could not be looked at.
        6
    } else if tally.needs_work > 0 {
        4
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(states: &[State]) -> Tally {
        let mut tally = Tally::default();
        for state in states {
            tally.count(Standing { state: *state, may_have_left: false, left: false }, DoneBy::Answer);
        }
        tally
    }

    #[test]
    fn every_standing_is_counted_exactly_once() {
        for state in State::all() {
            for left in [false, true] {
                for done_by in [DoneBy::Answer, DoneBy::Adoption, DoneBy::Earlier] {
                    let mut tally = Tally::default();
                    tally.count(Standing { state, may_have_left: true, left }, done_by);
                    assert_eq!(tally.total(), 1, "{state:?}");
                }
            }
        }
    }

    #[test]
    fn the_exit_status_is_the_first_that_holds() {
        use State::{Halted, NeedsWork, Refused, Skipped, Waiting};
        let waiting = Waiting(WaitReason::NotSent);
        let could_not_ask = Halted(HaltReason::CouldNotAsk);
        let unknown = Halted(HaltReason::OutcomeUnknown);
        for (states, expected) in [
            (vec![], 0),
            (vec![State::Done, Skipped], 0),
            (vec![NeedsWork, State::Done], 4),
            (vec![NeedsWork, waiting], 6),
            (vec![NeedsWork, could_not_ask], 6),
            (vec![waiting, Refused], 5),
            (vec![could_not_ask, Refused], 5),
            (vec![Refused, unknown], 3),
            (vec![Refused, Halted(HaltReason::InTrash)], 3),
            (vec![could_not_ask, unknown], 3),
        ] {
            assert_eq!(exit_status(&tally(&states), None, None), expected, "{states:?}");
        }
        assert_eq!(exit_status(&tally(&[]), Some(Barrier::UncleanStop), None), 3);
        assert_eq!(exit_status(&tally(&[]), None, Some(Pause::NotOurUser)), 5);
        assert_eq!(exit_status(&tally(&[waiting]), None, Some(Pause::Unreachable)), 6);
        assert_eq!(
            exit_status(&tally(&[State::Done]), None, Some(Pause::Unreachable)),
            6,
            "done, but not looked at"
        );
    }

    #[test]
    fn a_halted_image_needs_a_person_although_its_articles_only_wait() {
        let waiting = tally(&[State::Waiting(WaitReason::ImageInDoubt)]);
        assert_eq!(exit_status(&waiting, None, None), 6);
        assert_eq!(exit_status(&Tally { halted_images: 1, ..waiting }, None, None), 3);
    }

    #[test]
    fn a_left_halt_needs_nobody() {
        let mut tally = Tally::default();
        let left =
            Standing { state: State::Halted(HaltReason::OutcomeUnknown), may_have_left: true, left: true };
        tally.count(left, DoneBy::Earlier);
        assert_eq!((tally.left, exit_status(&tally, None, None)), (1, 0));
    }
}
