//! What a person can do about a halt.

use serde::{Deserialize, Serialize};

use crate::decide::Decision;
use crate::operation::HaltReason;
use crate::time::Moment;
use crate::window;

/// One act of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Look again.
    Look,
    /// This row is it: link it.
    Link,
    /// This row is not it.
    NoneOfThese,
    /// It is not there: send again, as a new operation.
    SendAgain,
    /// Try again after a change (nothing had been made).
    TryAgain,
    /// Keep what the site has.
    KeepSite,
    /// Replace what the site has with the article.
    Update,
    /// Accept the slug that the site has.
    AcceptSlug,
    /// It is the same article: its record moves to the new slug.
    Same,
    /// It is a new article.
    New,
    /// Leave the halt as it is.
    Leave,
    /// Take a left halt up again.
    Unleave,
}

impl Act {
    /// All acts.
    pub const ALL: [Self; 12] = [
        Self::Look,
        Self::Link,
        Self::NoneOfThese,
        Self::SendAgain,
        Self::TryAgain,
        Self::KeepSite,
        Self::Update,
        Self::AcceptSlug,
        Self::Same,
        Self::New,
        Self::Leave,
        Self::Unleave,
    ];

    /// Returns the stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Link => "link",
            Self::NoneOfThese => "none",
            Self::SendAgain => "send_again",
            Self::TryAgain => "try_again",
            Self::KeepSite => "keep_site",
            Self::Update => "update",
            Self::AcceptSlug => "accept_slug",
            Self::Same => "same",
            Self::New => "new",
            Self::Leave => "leave",
            Self::Unleave => "unleave",
        }
    }

    /// Tells whether a halt for this reason offers the act.
    #[must_use]
    pub fn is_for(self, reason: HaltReason) -> bool {
        acts_for(reason).contains(&self)
    }

    /// Tells whether the act is a person's alone: it needs a terminal or the window, and scripts and
    /// agents may not do it.
    #[must_use]
    pub const fn is_a_persons(self) -> bool {
        match self {
            Self::Look | Self::Leave | Self::Unleave => false,
            Self::Link
            | Self::NoneOfThese
            | Self::SendAgain
            | Self::TryAgain
            | Self::KeepSite
            | Self::Update
            | Self::AcceptSlug
            | Self::Same
            | Self::New => true,
        }
    }
}

/// Returns the acts that a halt offers, the most likely first. Look, leave and unleave are always
/// among them.
#[must_use]
pub const fn acts_for(reason: HaltReason) -> &'static [Act] {
    use Act::{AcceptSlug, KeepSite, Leave, Link, Look, New, NoneOfThese, Same, SendAgain, Unleave, Update};
    match reason {
        HaltReason::OutcomeUnknown => &[Look, Link, SendAgain, Leave, Unleave],
        HaltReason::Candidates => &[Link, NoneOfThese, SendAgain, Look, Leave, Unleave],
        HaltReason::ContentDiffers | HaltReason::Incomplete => &[KeepSite, Update, Look, Leave, Unleave],
        HaltReason::ExistsNotOurs | HaltReason::Duplicates => &[Link, Look, Leave, Unleave],
        HaltReason::InTrash | HaltReason::Missing => &[SendAgain, Look, Leave, Unleave],
        HaltReason::Renamed => &[AcceptSlug, Look, Leave, Unleave],
        HaltReason::SlugChanged => &[Same, New, Look, Leave, Unleave],
        HaltReason::CouldNotAsk => &[Look, Leave, Unleave],
        HaltReason::Hidden => &[Look, Link, Leave, Unleave],
    }
}

/// Says why *send again* is shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shut {
    /// The halt does not offer it.
    NotOffered,
    /// No complete negative look-up has been made since the request.
    NotLooked,
    /// The settle window has not passed.
    Window {
        /// Milliseconds until it has.
        remaining_ms: u64,
    },
    /// A look-up just now found something, could not ask, or left rows that nobody accounted for.
    NotNegative,
}

/// Decides whether *send again* is open for a halted operation that may have left.
///
/// `first_negative` is the first complete negative look-up after the request's connection was closed;
/// `now` is the moment of a look-up just made, and `now_says` what it decided.
///
/// # Errors
/// Returns why it is shut.
pub fn send_again_is_open(
    reason: HaltReason,
    first_negative: Option<&Moment>,
    now: &Moment,
    now_says: &Decision,
    window_ms: u64,
) -> Result<(), Shut> {
    if !Act::SendAgain.is_for(reason) {
        return Err(Shut::NotOffered);
    }
    // What is in the trash or gone by its recorded id is known to have been executed: there is
    // nothing left that could still arrive.
    if matches!(reason, HaltReason::InTrash | HaltReason::Missing) {
        let still =
            matches!(now_says, Decision::Keep | Decision::Halt(HaltReason::InTrash | HaltReason::Missing));
        return if still { Ok(()) } else { Err(Shut::NotNegative) };
    }
    // A candidate that is not shown just now may be there all the same. Once each is dismissed, a look makes
    // the halt one for an unknown outcome.
    if reason == HaltReason::Candidates {
        return Err(Shut::NotNegative);
    }
    let first_negative = first_negative.ok_or(Shut::NotLooked)?;
    match window::remaining_ms(first_negative, now, window_ms) {
        0 => {}
        remaining_ms => return Err(Shut::Window { remaining_ms }),
    }
    // The look-up must say "not found" afresh: decide it as if the operation were still `sending`,
    // so that a kept halt cannot pass for a negative answer.
    if *now_says == Decision::Halt(HaltReason::OutcomeUnknown) { Ok(()) } else { Err(Shut::NotNegative) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::WaitReason;
    use crate::time::Timestamp;

    fn moment(ms: i64) -> Moment {
        Moment { at: Timestamp(ms), monotonic_ms: ms as u64, boot: "b".into(), site: Some(Timestamp(ms)) }
    }

    const NEGATIVE: Decision = Decision::Halt(HaltReason::OutcomeUnknown);

    #[test]
    fn every_halt_offers_a_look_and_can_be_left() {
        for reason in HaltReason::ALL {
            for act in [Act::Look, Act::Leave, Act::Unleave] {
                assert!(act.is_for(reason), "{act:?} {reason:?}");
            }
        }
    }

    #[test]
    fn send_again_is_shut_until_the_window_has_passed_since_a_negative_look() {
        let open = |first: Option<&Moment>, now: i64, says: &Decision| {
            send_again_is_open(HaltReason::OutcomeUnknown, first, &moment(now), says, 1000)
        };
        assert_eq!(open(None, 5000, &NEGATIVE), Err(Shut::NotLooked));
        assert_eq!(open(Some(&moment(0)), 999, &NEGATIVE), Err(Shut::Window { remaining_ms: 1 }));
        assert_eq!(open(Some(&moment(0)), 1000, &NEGATIVE), Ok(()));
    }

    #[test]
    fn send_again_is_shut_unless_the_look_just_now_was_negative() {
        for says in [
            Decision::Keep,
            Decision::Create,
            Decision::StayInDoubt(crate::evidence::AskFailure::Network),
            Decision::Wait(WaitReason::CouldNotAsk),
            Decision::Halt(HaltReason::Candidates),
            Decision::Halt(HaltReason::Hidden),
        ] {
            let reason = HaltReason::OutcomeUnknown;
            let shut = send_again_is_open(reason, Some(&moment(0)), &moment(5000), &says, 1000);
            assert_eq!(shut, Err(Shut::NotNegative), "{says:?}");
        }
    }

    #[test]
    fn send_again_is_shut_while_candidates_are_before_a_person_whatever_a_look_shows_just_now() {
        let reason = HaltReason::Candidates;
        let shut = send_again_is_open(reason, Some(&moment(0)), &moment(5000), &NEGATIVE, 1000);
        assert_eq!(shut, Err(Shut::NotNegative));
    }

    #[test]
    fn send_again_after_the_trash_needs_no_window_but_must_still_be_in_the_trash() {
        let open = |says| send_again_is_open(HaltReason::InTrash, None, &moment(0), &says, 1000);
        assert_eq!(open(Decision::Keep), Ok(()));
        assert_eq!(open(Decision::Halt(HaltReason::InTrash)), Ok(()));
        assert_eq!(open(NEGATIVE), Err(Shut::NotNegative));
    }

    #[test]
    fn what_does_not_offer_send_again_never_opens_it() {
        for reason in HaltReason::ALL.into_iter().filter(|reason| !Act::SendAgain.is_for(*reason)) {
            let shut = send_again_is_open(reason, Some(&moment(0)), &moment(5000), &NEGATIVE, 1000);
            assert_eq!(shut, Err(Shut::NotOffered), "{reason:?}");
        }
    }
}
