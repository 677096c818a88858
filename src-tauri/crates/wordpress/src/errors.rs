//! What can go wrong while a site is found, asked or connected to.

use ichido_core::evidence::AskFailure;
use ichido_core::outcome::NotSent;
use thiserror::Error;

/// Why an address cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It is no address of a web site.
    #[error("read the text as the address of a web site")]
    NotAnAddress,
    /// It holds a user name or password, which would end up in logs and histories.
    #[error("use an address that holds a user name or a password")]
    UserInfo,
    /// It is not encrypted and not of this computer.
    #[error("use an unencrypted address that is not of this computer")]
    PlainHttp,
}

/// Why no client could be made.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address of the site is unusable.
    #[error("use the address of the site")]
    Address(#[from] AddressError),
    /// The certificates that this computer trusts could not be read.
    #[error("read the certificates that this computer trusts")]
    Trust(#[source] rustls::Error),
    /// The HTTP library could not be set up.
    #[error("set up the connection")]
    SetUp(#[source] reqwest::Error),
}

/// Why an exchange brought no answer.
#[derive(Debug, Error)]
pub enum TransportError {
    /// Proved: not a byte of the request left.
    #[error("connect to the site")]
    NotSent {
        /// How far it came.
        stage: NotSent,
        /// What the library says.
        #[source]
        source: reqwest::Error,
    },
    /// The connection broke after the request may have left.
    #[error("keep the connection to the site")]
    Lost(#[source] reqwest::Error),
    /// No answer came in time.
    #[error("get an answer in time")]
    TimedOut,
    /// The answer exceeded its bound of size.
    #[error("read an answer of that size")]
    TooLong,
}

impl TransportError {
    /// Returns what the failure means for a look-up.
    #[must_use]
    pub const fn failure(&self) -> AskFailure {
        match self {
            Self::NotSent { .. } | Self::Lost(_) => AskFailure::Network,
            Self::TimedOut => AskFailure::TimedOut,
            Self::TooLong => AskFailure::Unreadable,
        }
    }
}

/// Where an answer stops being what was asked for. Holds none of the site's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("read the JSON beyond line {line}, column {column}")]
pub struct Malformed {
    /// The line, from 1; 0 if the answer is JSON of another form.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl From<serde_json::Error> for Malformed {
    fn from(error: serde_json::Error) -> Self {
        Self { line: error.line(), column: error.column() }
    }
}

/// Why a site could not be asked. Never "not found".
#[derive(Debug, Error)]
pub enum AskError {
    /// No answer came.
    #[error("reach the site")]
    Transport(#[from] TransportError),
    /// The site asked for patience.
    #[error("ask the site before {after_s} s have passed")]
    AskedToWait {
        /// Seconds to wait, at most an hour.
        after_s: u64,
        /// Whether the site is in maintenance rather than overloaded.
        maintenance: bool,
    },
    /// The site answered for a cache, or a cache answered for the site.
    #[error("get an answer that no cache gave")]
    CacheHit,
    /// The site redirected, which is never followed.
    #[error("ask the site without being sent elsewhere")]
    Redirected {
        /// Where to, shortened, if that can be shown.
        to: Option<String>,
    },
    /// The site did not recognise our user.
    #[error("be recognised by the site as its user")]
    NotOurUser {
        /// The site's error code, where there is one.
        code: Option<String>,
    },
    /// The site refused, or answered with a status that says nothing.
    #[error("get what was asked for: the site answered {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// The site's error code, where there is one.
        code: Option<String>,
    },
    /// The answer could not be read.
    #[error("read the site's answer")]
    Unreadable(#[source] Malformed),
    /// The pages did not add up to what the site counts.
    #[error("read all rows that the site counts")]
    Incomplete,
    /// The run was asked to stop while the site was being asked.
    #[error("ask the site to the end")]
    BrokenOff,
}

impl AskError {
    /// Returns what the failure means for a decision.
    #[must_use]
    pub const fn failure(&self) -> AskFailure {
        match self {
            Self::Transport(error) => error.failure(),
            Self::AskedToWait { maintenance: true, .. } => AskFailure::Maintenance,
            Self::AskedToWait { maintenance: false, .. } => AskFailure::RateLimited,
            Self::CacheHit => AskFailure::CacheHit,
            Self::Redirected { .. } => AskFailure::Redirected,
            Self::NotOurUser { .. } => AskFailure::NotOurUser,
            Self::Status { status: 401 | 403, .. } => AskFailure::Forbidden,
            Self::Status { status, .. } => AskFailure::Status(*status),
            Self::Unreadable(_) => AskFailure::Unreadable,
            Self::Incomplete => AskFailure::Incomplete,
            Self::BrokenOff => AskFailure::TimedOut,
        }
    }

    /// Returns how many seconds the site asked to wait, at most an hour.
    #[must_use]
    pub const fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::AskedToWait { after_s, .. } => Some(*after_s),
            Self::Transport(_)
            | Self::CacheHit
            | Self::Redirected { .. }
            | Self::NotOurUser { .. }
            | Self::Status { .. }
            | Self::Unreadable(_)
            | Self::Incomplete
            | Self::BrokenOff => None,
        }
    }
}

/// Why no WordPress was found at an address.
#[derive(Debug, Error)]
pub enum DiscoverError {
    /// The address is unusable.
    #[error("use the address")]
    Address(#[from] AddressError),
    /// No client could be made.
    #[error("get ready to connect")]
    Client(#[source] ClientError),
    /// No answer came.
    #[error("reach the address")]
    Unreachable(#[source] TransportError),
    /// The address leads elsewhere, or its site says that it lives elsewhere; neither is followed by itself.
    #[error("find a site here: the address leads to {to}")]
    Redirected {
        /// The address to be used instead.
        to: String,
    },
    /// WordPress is there and does not offer its REST interface to us.
    #[error("use the site's REST interface: it answered {status}")]
    RestOff {
        /// The HTTP status.
        status: u16,
        /// The site's error code, where there is one.
        code: Option<String>,
    },
    /// There is a web site, but no WordPress.
    #[error("find a WordPress here: the answer was {status}")]
    NotWordPress {
        /// The HTTP status of the last answer.
        status: u16,
    },
    /// The site asked for patience, or is in maintenance.
    #[error("ask the site before {after_s} s have passed")]
    AskedToWait {
        /// Seconds to wait, at most an hour.
        after_s: u64,
        /// Whether the site is in maintenance.
        maintenance: bool,
    },
}

/// Why no password came from a person's approval in the browser.
#[derive(Debug, Error)]
pub enum AuthorizeError {
    /// The site could not be found or asked.
    #[error("ask the site")]
    Ask(#[from] DiscoverError),
    /// The site offers no application passwords, or not on the address that was named.
    #[error("have an application password approved: the site offers none")]
    NotOffered,
    /// No port of this computer could be listened on.
    #[error("listen on this computer")]
    Listen(#[source] std::io::Error),
    /// The site shows the password, to be pasted; it sends none.
    #[error("wait for a password: the site sends none")]
    NotSentBack,
    /// The person refused, or the site did.
    #[error("have an application password approved: it was refused")]
    Rejected,
    /// What came is for another site.
    #[error("take a password that is for another site")]
    OtherSite,
}
