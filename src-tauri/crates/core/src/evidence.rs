//! What the site was seen to hold, reduced to what the decision needs.

use serde::{Deserialize, Serialize};

use crate::id::RemoteId;

/// The result of asking the site about one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A look-up failed or was incomplete. Never "not found".
    CouldNotAsk(AskFailure),
    /// Every look-up was answered completely.
    Looked(Looked),
}

/// Everything that complete look-ups showed about one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Rows at the operation's slug (or its trashed form), and rows above its high-water mark that
    /// are ours or carry its marker.
    pub rows: Vec<Found>,
    /// Whether the site counts rows at this slug or above the mark that it does not show us.
    pub hidden: bool,
    /// The row of the recorded id, where there is one.
    pub by_id: ById,
}

/// What a look-up by id said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ById {
    /// No id is recorded, or nobody asked.
    #[default]
    NotAsked,
    /// The site has no such row.
    Gone,
    /// The site has it and does not let us see it.
    Forbidden,
    /// The row.
    There(Found),
}

/// One row of the site, compared with one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: RemoteId,
    /// Whether its slug is the one looked for: the recorded slug of a done operation, else the asked
    /// one. The trashed form of the slug counts as well.
    pub slug_matches: bool,
    /// Whether it is in the trash.
    pub in_trash: bool,
    /// Whether its author is our user.
    pub mine: bool,
    /// Whether it came to be after the operation's high-water mark was read.
    pub above_mark: bool,
    /// The marker it carries.
    pub marker: MarkerSeen,
    /// Whether title and content are what we sent, after normalising.
    pub same_content: bool,
    /// Whether terms, featured image and excerpt are what we sent. Judged after the last poll only,
    /// since they are written after the row appears; before that it is true.
    pub complete: bool,
    /// Whether something else explains this row.
    pub accounted: Accounted,
}

/// Says what explains a row other than the operation it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accounted {
    /// Nothing: it may be this operation's effect.
    No,
    /// Another record owns it.
    OtherRecord,
    /// A person said that it is not this article, or sent again knowing of it.
    Dismissed,
}

/// Whose marker a row carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerSeen {
    /// None.
    None,
    /// This operation's.
    This,
    /// That of an abandoned operation whose place this one took.
    Predecessor,
    /// Another operation's that this journal knows.
    Other,
    /// One of ours by its form that this journal does not know.
    Unknown,
}

/// Says why the site could not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskFailure {
    /// No connection, or it broke.
    Network,
    /// No answer in time.
    TimedOut,
    /// The site did not recognise our user (revoked credentials silently become anonymous).
    NotOurUser,
    /// The site refused to tell.
    Forbidden,
    /// The site asked for patience (429, or 503 with `Retry-After`).
    RateLimited,
    /// The site is in maintenance.
    Maintenance,
    /// The site redirected, which is never followed.
    Redirected,
    /// A cache answered in the site's place.
    CacheHit,
    /// The answer could not be read, or was not what was asked for.
    Unreadable,
    /// Not all pages could be read.
    Incomplete,
    /// Another status.
    Status(u16),
}

impl AskFailure {
    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::TimedOut => "timed_out",
            Self::NotOurUser => "not_our_user",
            Self::Forbidden => "forbidden",
            Self::RateLimited => "rate_limited",
            Self::Maintenance => "maintenance",
            Self::Redirected => "redirected",
            Self::CacheHit => "cache_hit",
            Self::Unreadable => "unreadable",
            Self::Incomplete => "incomplete",
            Self::Status(_) => "status",
        }
    }
}
