//! Operations: what each intends, where it stands, and why it stopped.

use serde::{Deserialize, Serialize};

/// Says what an operation does on the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Creates a draft.
    Post,
    /// Uploads an image.
    Image,
    /// Creates a tag or a category. Safe to repeat: the site answers `term_exists` with the id.
    Term,
    /// Writes the fields of a draft that WordPress writes only after the draft is there. Safe to repeat.
    Fields,
    /// Attaches an image to its draft. Safe to repeat.
    Attach,
    /// Makes the missing sizes of an image. Safe to repeat.
    PostProcess,
}

impl Kind {
    /// All kinds, in the order of their work.
    pub const ALL: [Self; 6] =
        [Self::Term, Self::Image, Self::Post, Self::Fields, Self::Attach, Self::PostProcess];

    /// Tells whether a second request of this kind would make a second thing.
    #[must_use]
    pub const fn must_not_repeat(self) -> bool {
        match self {
            Self::Post | Self::Image => true,
            Self::Term | Self::Fields | Self::Attach | Self::PostProcess => false,
        }
    }

    /// Returns the stable name, as the journal and `--json` carry it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Image => "image",
            Self::Term => "term",
            Self::Fields => "fields",
            Self::Attach => "attach",
            Self::PostProcess => "post_process",
        }
    }

    /// Reads the stable name back.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Says where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Recorded; nothing has been sent.
    Planned,
    /// Proved not executed; goes on by itself.
    Waiting(WaitReason),
    /// The article must be changed first; nothing has been sent.
    NeedsWork,
    /// The site said no before it made anything.
    Refused,
    /// Someone else's, or already there before us; nothing has been sent.
    Skipped,
    /// Durable, and the request may have left: the outcome is unknown until an answer or a look-up
    /// proves it.
    Sending,
    /// A person must look.
    Halted(HaltReason),
    /// An answer or a look-up proved the effect.
    Done,
    /// A person chose to send again; another operation took its place. Its marker may still turn up.
    Abandoned,
}

impl State {
    /// All states, for tests of totality and for the decision table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut states = vec![
            Self::Planned,
            Self::NeedsWork,
            Self::Refused,
            Self::Skipped,
            Self::Sending,
            Self::Done,
            Self::Abandoned,
        ];
        states.extend(WaitReason::ALL.map(Self::Waiting));
        states.extend(HaltReason::ALL.map(Self::Halted));
        states
    }

    /// Returns the stable name of the state without its reason.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Waiting(_) => "waiting",
            Self::NeedsWork => "needs_work",
            Self::Refused => "refused",
            Self::Skipped => "skipped",
            Self::Sending => "sending",
            Self::Halted(_) => "halted",
            Self::Done => "done",
            Self::Abandoned => "abandoned",
        }
    }

    /// Returns the stable code of the reason, where the state has one.
    #[must_use]
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Waiting(reason) => Some(reason.as_str()),
            Self::Halted(reason) => Some(reason.as_str()),
            Self::Planned
            | Self::NeedsWork
            | Self::Refused
            | Self::Skipped
            | Self::Sending
            | Self::Done
            | Self::Abandoned => None,
        }
    }

    /// Reads a state from its stable name and reason; `None` if they are unknown or do not fit.
    #[must_use]
    pub fn parse(name: &str, reason: Option<&str>) -> Option<Self> {
        Self::all().into_iter().find(|state| state.as_str() == name && state.reason() == reason)
    }

    /// Tells whether the operation's effect is in doubt: a request may have left and nothing proved
    /// what became of it.
    #[must_use]
    pub const fn is_in_doubt(self) -> bool {
        match self {
            Self::Sending => true,
            Self::Halted(reason) => reason.is_doubt(),
            Self::Planned
            | Self::Waiting(_)
            | Self::NeedsWork
            | Self::Refused
            | Self::Skipped
            | Self::Done
            | Self::Abandoned => false,
        }
    }
}

/// Says why an operation waits although nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// The site could not be reached or asked.
    CouldNotAsk,
    /// The connection failed before a byte of the request left.
    NotSent,
    /// The site is in maintenance.
    Maintenance,
    /// The site is paused for a reason shown once.
    SitePaused,
    /// An image that the article needs is in doubt.
    ImageInDoubt,
    /// A person must release creating first (unclean stop, journal lost, site restored).
    ReleaseNeeded,
    /// The credentials are missing or no longer accepted.
    Credentials,
    /// The run was stopped before this article's turn.
    Stopped,
}

impl WaitReason {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::CouldNotAsk,
        Self::NotSent,
        Self::Maintenance,
        Self::SitePaused,
        Self::ImageInDoubt,
        Self::ReleaseNeeded,
        Self::Credentials,
        Self::Stopped,
    ];

    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CouldNotAsk => "could_not_ask",
            Self::NotSent => "not_sent",
            Self::Maintenance => "maintenance",
            Self::SitePaused => "site_paused",
            Self::ImageInDoubt => "image_in_doubt",
            Self::ReleaseNeeded => "release_needed",
            Self::Credentials => "credentials",
            Self::Stopped => "stopped",
        }
    }
}

/// Says why a person must look. Each has a page of its own in `docs/halts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HaltReason {
    /// The request may have been executed; the site does not show it.
    OutcomeUnknown,
    /// The request may have been executed; the site could not be asked. Settles by itself.
    CouldNotAsk,
    /// Rows of ours appeared since that no record accounts for and that carry no marker.
    Candidates,
    /// Found at our slug, but with other content.
    ContentDiffers,
    /// Ours, but its terms, featured image or excerpt are missing.
    Incomplete,
    /// Found at our slug, but made by someone else.
    ExistsNotOurs,
    /// More than one row claims to be this article.
    Duplicates,
    /// Found in the trash only.
    InTrash,
    /// Recorded as done; the site no longer has it.
    Missing,
    /// Recorded as done; the site now has it under another slug.
    Renamed,
    /// The article looks like one sent before under another slug.
    SlugChanged,
    /// The site counts rows that it does not show us.
    Hidden,
}

impl HaltReason {
    /// All reasons.
    pub const ALL: [Self; 12] = [
        Self::OutcomeUnknown,
        Self::CouldNotAsk,
        Self::Candidates,
        Self::ContentDiffers,
        Self::Incomplete,
        Self::ExistsNotOurs,
        Self::Duplicates,
        Self::InTrash,
        Self::Missing,
        Self::Renamed,
        Self::SlugChanged,
        Self::Hidden,
    ];

    /// Returns the stable code, as the journal, `--json` and `docs/halts` carry it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OutcomeUnknown => "outcome_unknown",
            Self::CouldNotAsk => "could_not_ask",
            Self::Candidates => "candidates",
            Self::ContentDiffers => "content_differs",
            Self::Incomplete => "incomplete",
            Self::ExistsNotOurs => "exists_not_ours",
            Self::Duplicates => "duplicates",
            Self::InTrash => "in_trash",
            Self::Missing => "missing",
            Self::Renamed => "renamed",
            Self::SlugChanged => "slug_changed",
            Self::Hidden => "hidden",
        }
    }

    /// Tells whether a halt for this reason leaves open what became of a request, so that looking
    /// again can settle it.
    #[must_use]
    pub const fn is_doubt(self) -> bool {
        match self {
            Self::OutcomeUnknown | Self::CouldNotAsk | Self::Candidates | Self::Hidden => true,
            Self::ContentDiffers
            | Self::Incomplete
            | Self::ExistsNotOurs
            | Self::Duplicates
            | Self::InTrash
            | Self::Missing
            | Self::Renamed
            | Self::SlugChanged => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_state_reads_back_from_its_name_and_reason() {
        let states = State::all();
        for state in &states {
            assert_eq!(State::parse(state.as_str(), state.reason()), Some(*state));
        }
        let names: HashSet<_> = states.iter().map(|state| (state.as_str(), state.reason())).collect();
        assert_eq!(names.len(), states.len());
    }

    #[test]
    fn a_reason_that_does_not_fit_its_state_is_not_read() {
        assert_eq!(State::parse("done", Some("missing")), None);
        assert_eq!(State::parse("halted", None), None);
        assert_eq!(State::parse("waiting", Some("missing")), None);
    }

    #[test]
    fn codes_agree_with_their_serialised_form() {
        for reason in HaltReason::ALL {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("{:?}", reason.as_str()));
        }
        for reason in WaitReason::ALL {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("{:?}", reason.as_str()));
        }
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        }
    }
}
