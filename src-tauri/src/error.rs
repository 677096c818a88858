//! What goes wrong, as the window is told: a code and particulars, never a sentence.

use ichido_core::act::Shut;
use ichido_credentials::KeychainError;
use ichido_engine::{ActError, CannotLink, RunError, SetUpError};
use ichido_journal::{ReadError, SiteError};
use ichido_wordpress::{AddressError, AskError, CredentialsError, DiscoverError};

use crate::view::{AppError, Params};

impl AppError {
    pub(crate) fn new(code: &'static str) -> Self {
        Self { code, params: Params::new() }
    }

    /// Something that the person at the window can do nothing about; the log has more.
    pub(crate) fn internal(error: &dyn std::error::Error) -> Self {
        tracing::error!(error = %told(error), "a request of the window failed");
        Self::new("internal")
    }
}

/// The whole chain of causes in one line.
fn told(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl From<RunError> for AppError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::HeldBy { .. } => Self::new("held"),
            RunError::NotLooked { .. } => Self::new("not_looked"),
            RunError::Open(_)
            | RunError::Lock(_)
            | RunError::Read(_)
            | RunError::Write(_)
            | RunError::BeginSend(_) => {
                tracing::error!(error = %told(&error), "the journal failed");
                Self::new("journal")
            }
            RunError::NoSuchSite { .. } | RunError::Client(_) => Self::internal(&error),
        }
    }
}

impl From<ReadError> for AppError {
    fn from(error: ReadError) -> Self {
        RunError::from(error).into()
    }
}

impl From<AskError> for AppError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::NotOurUser { .. } | AskError::Status { status: 401 | 403, .. } => {
                Self::new("credentials")
            }
            AskError::Transport(_)
            | AskError::AskedToWait { .. }
            | AskError::CacheHit
            | AskError::Redirected { .. }
            | AskError::Status { .. }
            | AskError::Unreadable(_)
            | AskError::BrokenOff
            | AskError::Incomplete => Self::new("could_not_ask"),
        }
    }
}

impl From<ActError> for AppError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Run(error) => error.into(),
            ActError::Identify(error) => error.into(),
            ActError::Shut(Shut::Window { .. }) => Self::new("window"),
            ActError::Shut(Shut::NotOffered | Shut::NotLooked | Shut::NotNegative) => {
                Self::new("not_negative")
            }
            ActError::NotConfirmed { .. } => Self::new("typed"),
            ActError::CannotLink { why, .. } => Self::new(match why {
                CannotLink::NotThere | CannotLink::Forbidden => "no_such_post",
                CannotLink::InTrash => "in_trash",
                CannotLink::OtherRecord => "other_record",
            }),
            ActError::Barrier(_) => Self::new("barrier"),
            ActError::NoSuchArticle { .. }
            | ActError::Ambiguous { .. }
            | ActError::NotOffered { .. }
            | ActError::UpdateNotYet
            | ActError::Illegal(_) => Self::internal(&error),
        }
    }
}

impl From<SetUpError> for AppError {
    fn from(error: SetUpError) -> Self {
        match error {
            SetUpError::Run(error) => error.into(),
            SetUpError::Identify(error) => error.into(),
            SetUpError::Discover(DiscoverError::Address(error)) => Self::new(match error {
                AddressError::PlainHttp => "address_insecure",
                AddressError::NotAnAddress | AddressError::UserInfo => "address_invalid",
            }),
            SetUpError::Discover(_) => Self::new("could_not_ask"),
            SetUpError::Site(SiteError::InDoubt { .. }) => Self::new("site_in_doubt"),
            SetUpError::Site(SiteError::Write { .. }) => Self::new("journal"),
            SetUpError::Site(SiteError::NameTaken { .. } | SiteError::NoSuchSite) => Self::internal(&error),
        }
    }
}

impl From<CredentialsError> for AppError {
    fn from(_: CredentialsError) -> Self {
        Self::new("credentials")
    }
}

impl From<KeychainError> for AppError {
    fn from(error: KeychainError) -> Self {
        match error {
            KeychainError::NotFound | KeychainError::Damaged => Self::new("credentials"),
            KeychainError::Locked { .. } | KeychainError::Denied { .. } => Self::new("keychain_locked"),
            KeychainError::NoKeychain { .. } | KeychainError::Unfit { .. } | KeychainError::Failed { .. } => {
                Self::new("keychain_missing")
            }
        }
    }
}
