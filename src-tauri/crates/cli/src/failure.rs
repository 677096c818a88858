//! What ends a command, and the exit status that it calls for.

use std::io;
use std::path::PathBuf;

use ichido_core::act::Act;
use ichido_engine::{ActError, OwnerError, PlacesError, RunError, SetUpError, SettingError, WatchError};
use ichido_wordpress::CredentialsError;
use thiserror::Error;

/// What ends a command before its end.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("run")]
    Run(#[from] RunError),
    #[error("set a site up")]
    SetUp(#[from] SetUpError),
    #[error("act")]
    Act(#[from] ActError),
    #[error("find articles")]
    Articles(#[from] ichido_article::DiscoverError),
    #[error("read the journal")]
    Read(#[from] ichido_journal::ReadError),
    #[error("use the user name and the password")]
    Credentials(#[from] CredentialsError),
    #[error("use the keychain")]
    Keychain(#[from] ichido_credentials::KeychainError),
    #[error("find a place for the journal")]
    Places(#[from] PlacesError),
    #[error("name the site")]
    NoSites,
    #[error("name the site: the list of sites was lost with the journal")]
    SitesLost,
    #[error("tell which site is meant")]
    WhichSite { names: Vec<String> },
    #[error("find a password for the site {site}")]
    NoPassword { site: String },
    #[error("use the value of ICHIDO_PASSWORD")]
    PasswordUnusable,
    #[error("read a password")]
    PasswordUnread(#[source] io::Error),
    #[error("ask a person at a terminal")]
    NeedsTerminal { act: Option<Act> },
    #[error("confirm: {expected:?} was to be typed")]
    NotTyped { expected: String },
    #[error("find the setting {key:?}")]
    UnknownSetting { key: String },
    #[error("change the setting {key:?}")]
    Setting { key: String, error: SettingError },
    #[error("start the practice site")]
    Practice(#[from] ichido_practice::StartError),
    #[error("explain what stopped {article:?}")]
    NothingToExplain { article: String },
    #[error("write the file {path}")]
    Write { path: PathBuf, source: io::Error },
    #[error("watch a folder")]
    Watch(#[from] WatchError),
    #[error("watch {path}: it is no folder")]
    NotAFolder { path: PathBuf },
    #[error("take the folder {path} over")]
    TakeOver { path: PathBuf, source: OwnerError },
    #[error("ask a person at a terminal whether to take a folder over")]
    NeedsTerminalToTakeOver,
    #[error("start")]
    Start(#[source] io::Error),
    #[error("read the command")]
    Usage { code: &'static str, sentence: String },
}

/// A failure as it is told: a stable code, its particulars, and the exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) code: &'static str,
    pub(crate) particulars: Vec<(&'static str, String)>,
    pub(crate) status: u8,
}

impl Told {
    pub(crate) const fn new(code: &'static str, status: u8) -> Self {
        Self { code, particulars: Vec::new(), status }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.particulars.push((name, value.to_string()));
        self
    }

    /// Adds what the system or a library says about the deepest cause.
    pub(crate) fn because(self, error: &dyn std::error::Error) -> Self {
        let deepest = std::iter::successors(Some(error), |error| error.source()).last();
        self.with("cause", deepest.unwrap_or(error))
    }
}

/// The command could not run: journal, keychain, something inside.
pub(crate) const COULD_NOT_RUN: u8 = 1;
/// The command was not understood, or names what is not there.
pub(crate) const USAGE: u8 = 2;
/// A person is needed.
pub(crate) const PERSON: u8 = 3;
/// An article needs work.
pub(crate) const NEEDS_WORK: u8 = 4;
/// The site refuses.
pub(crate) const REFUSED: u8 = 5;
/// The site could not be asked.
pub(crate) const NOT_ASKED: u8 = 6;
/// Another runner is at work.
pub(crate) const HELD: u8 = 7;
