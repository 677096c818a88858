//! Sites: the places that operations have their effects on.

use ichido_core::operation::Kind;
use ichido_core::time::Timestamp;

/// Identifies a site in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub i64);

/// A site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its id in the journal.
    pub id: SiteId,
    /// The name that the user gave it.
    pub name: String,
    /// The canonical `home` of its REST index: its identity.
    pub home: String,
    /// The root of its REST interface.
    pub rest_root: String,
    /// The user's login name on the site.
    pub user: String,
    /// The user's id on the site.
    pub user_id: Option<u64>,
    /// When it was added (last).
    pub added_at: Timestamp,
    /// When it was removed; its records are kept.
    pub removed_at: Option<Timestamp>,
}

/// A site to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSite {
    /// The name that the user gives it.
    pub name: String,
    /// The canonical `home` of its REST index.
    pub home: String,
    /// The root of its REST interface.
    pub rest_root: String,
    /// The user's login name on the site.
    pub user: String,
    /// The user's id on the site.
    pub user_id: Option<u64>,
}

/// Says what adding a site found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was not known.
    New,
    /// It had been removed; its records are taken up again.
    TakenUp,
    /// It was there; name, REST root and user were brought up to date.
    Updated,
}

/// A sequence of ids on a site that has a high-water mark of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdSpace {
    /// Posts.
    Posts,
    /// Media.
    Media,
}

impl IdSpace {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Media => "media",
        }
    }

    /// Returns the sequence that the ids of a kind's rows come from; `None` for kinds that make no row
    /// of their own there.
    #[must_use]
    pub const fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Post => Some(Self::Posts),
            Kind::Image => Some(Self::Media),
            Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess => None,
        }
    }
}
