//! How large the worlds are that are walked through, and in which of them each mistake shows.

use crate::setting::{Flaw, Setting};

/// How far a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What is walked through in a minute: the worlds of the default run.
    Default,
    /// The same worlds with more lies and more acts by hand.
    Long,
}

/// The worlds that together hold what the protocol promises, each with its name.
#[must_use]
pub const fn worlds(extent: Extent) -> [(&'static str, Setting); 6] {
    const POST: Setting = Setting {
        images: false,
        may_be_renamed: false,
        may_lose_journal: false,
        generations: 2,
        lies: 2,
        hands: 2,
        leaves: true,
        careful: true,
        beyond_window: false,
        flaw: None,
    };
    let (more, images_by_hand) = match extent {
        Extent::Default => (0, 0),
        Extent::Long => (1, 1),
    };
    [
        ("a post alone", Setting { hands: 2 + more, ..POST }),
        ("one post and two images", Setting { images: true, hands: images_by_hand, leaves: false, ..POST }),
        (
            "the folder is renamed",
            Setting { may_be_renamed: true, generations: 1, lies: more, hands: 1, leaves: false, ..POST },
        ),
        (
            "the journal is lost",
            Setting { may_lose_journal: true, hands: 1, lies: more, leaves: false, ..POST },
        ),
        (
            "beyond the settle window",
            Setting { beyond_window: true, careful: false, hands: 1, leaves: false, ..POST },
        ),
        ("a careless person", Setting { careful: false, lies: 1, hands: 1, leaves: false, ..POST }),
    ]
}

/// Returns a world by its name.
#[must_use]
pub fn world(name: &str, extent: Extent) -> Option<Setting> {
    worlds(extent).into_iter().find_map(|(known, setting)| (known == name).then_some(setting))
}

/// Returns the property that a flaw breaks.
#[must_use]
pub const fn broken_by(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::RetryOnTimeOut
        | Flaw::JournalMadeAnew
        | Flaw::HttpSendsAgain
        | Flaw::NoSettleWindow
        | Flaw::PublishedOnly
        | Flaw::FolderIsIdentity
        | Flaw::SweepAtStart
        | Flaw::JournalAfterSend
        | Flaw::SendingNotSynced
        | Flaw::FailedLookIsEmpty
        | Flaw::NoLookBeforeSendAgain => ONE,
        Flaw::SlugFamily => "an article is skipped only for what stands at its slug",
        Flaw::AdoptByTitle => "only our own effect is adopted",
        Flaw::ImagesNotAwaited => "no draft leaves before its images",
    }
}

pub(crate) const ONE: &str = "at most one of each";

/// Returns the world in which a flaw shows.
#[must_use]
pub const fn flawed(flaw: Flaw) -> Setting {
    let [_, (_, images), (_, renamed), (_, lost), _, (_, careless)] = worlds(Extent::Default);
    let base = match flaw {
        Flaw::JournalMadeAnew => lost,
        Flaw::FolderIsIdentity => renamed,
        Flaw::ImagesNotAwaited => images,
        Flaw::RetryOnTimeOut
        | Flaw::JournalAfterSend
        | Flaw::SendingNotSynced
        | Flaw::HttpSendsAgain
        | Flaw::NoSettleWindow
        | Flaw::PublishedOnly
        | Flaw::SweepAtStart
        | Flaw::SlugFamily
        | Flaw::FailedLookIsEmpty
        | Flaw::AdoptByTitle
        | Flaw::NoLookBeforeSendAgain => careless,
    };
    Setting { flaw: Some(flaw), ..base }
}
