//! What keeps the engine from doing what it was asked for.

use std::path::PathBuf;

use ichido_core::act::{Act, Shut};
use ichido_core::apply::IllegalTransition;
use ichido_core::id::RemoteId;
use ichido_core::tally::Barrier;
use ichido_journal::{BeginSendError, LockError, OpenError, Owner, ReadError, SiteError, WriteError};
use ichido_wordpress::{AskError, ClientError, DiscoverError};
use thiserror::Error;

/// Failures that end a run. Nothing that was sent is lost by any of them: the journal has it.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal cannot be opened.
    #[error("open the journal")]
    Open(#[from] OpenError),
    /// Another runner is at work and did not finish in the time given.
    #[error("become the runner: another one is at work")]
    HeldBy {
        /// Who, where it could be told.
        owner: Option<Owner>,
    },
    /// The runner lock cannot be taken.
    #[error("become the runner")]
    Lock(#[source] LockError),
    /// The journal cannot be read.
    #[error("read the journal")]
    Read(#[from] ReadError),
    /// The journal cannot be written. The run stopped at once; nothing was sent without its record.
    #[error("write the journal")]
    Write(#[from] WriteError),
    /// A send cannot be made durable beforehand, so it was not made.
    #[error("claim a send")]
    BeginSend(#[from] BeginSendError),
    /// No site of this name is known.
    #[error("find the site {name:?}")]
    NoSuchSite {
        /// The name.
        name: String,
    },
    /// After a lost journal, not everything that is known was looked for yet: a release would be blind.
    #[error("release before everything was looked for on {sites:?}")]
    NotLooked {
        /// The names of the sites.
        sites: Vec<String>,
    },
    /// No client can be made for the site.
    #[error("prepare the connection to the site")]
    Client(#[from] ClientError),
}

impl From<LockError> for RunError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::HeldBy { owner } => Self::HeldBy { owner },
            LockError::Open { source } => Self::Open(source),
            LockError::ReadOnlyNewer | LockError::LockFile { .. } | LockError::Recover { .. } => {
                Self::Lock(error)
            }
        }
    }
}

/// Failures to add, check or remove a site.
#[derive(Debug, Error)]
pub enum SetUpError {
    /// The journal or the lock failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No WordPress was found at the address.
    #[error("find a WordPress at the address")]
    Discover(#[from] DiscoverError),
    /// The site could not be asked who we are.
    #[error("ask the site who we are")]
    Identify(#[from] AskError),
    /// The site cannot be added or removed.
    #[error("change the list of sites")]
    Site(#[from] SiteError),
}

/// Failures of a person's act on one operation. Nothing is changed by any of them.
#[derive(Debug, Error)]
pub enum ActError {
    /// The journal, the lock or the site's name.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The site could not be asked who we are.
    #[error("ask the site who we are")]
    Identify(#[from] AskError),
    /// No record fits the article that was named.
    #[error("find a record of {article:?}")]
    NoSuchArticle {
        /// As it was named.
        article: PathBuf,
    },
    /// Several records fit: a site must be named as well.
    #[error("tell which of several sites is meant")]
    Ambiguous {
        /// The names of the sites.
        sites: Vec<String>,
    },
    /// The act is not among those that the operation's state offers.
    #[error("{} an operation whose state does not offer it", .act.as_str())]
    NotOffered {
        /// The act.
        act: Act,
        /// The state, with its reason.
        state: ichido_core::operation::State,
    },
    /// *Send again* is shut.
    #[error("send again")]
    Shut(Shut),
    /// A person must type the slug (or the word) to confirm.
    #[error("confirm: {expected:?} was to be typed")]
    NotConfirmed {
        /// What was to be typed.
        expected: String,
    },
    /// The row to be linked cannot be.
    #[error("link {id}")]
    CannotLink {
        /// The row.
        id: RemoteId,
        /// Why not.
        why: CannotLink,
    },
    /// Updating comes with publishing.
    #[error("update a draft: this version cannot do that yet")]
    UpdateNotYet,
    /// The record does not allow it.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
    /// Creating is shut until a person releases it.
    #[error("act before a person has released the site ({})", .0.as_str())]
    Barrier(Barrier),
}

impl From<ReadError> for ActError {
    fn from(error: ReadError) -> Self {
        Self::Run(RunError::Read(error))
    }
}

impl From<WriteError> for ActError {
    fn from(error: WriteError) -> Self {
        Self::Run(RunError::Write(error))
    }
}

/// Why a row cannot be linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotLink {
    /// The site has no such row of this kind.
    NotThere,
    /// The site does not let us see it.
    Forbidden,
    /// It is in the trash.
    InTrash,
    /// Another record owns it.
    OtherRecord,
}
