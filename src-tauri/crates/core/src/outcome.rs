//! What an answer, or its absence, proves about one creating request.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::{OpId, RemoteId};

/// The result of one creating request, with the operation whose permit it consumed.
#[derive(Debug)]
#[must_use = "what is known about a send must be written down"]
pub struct Sent {
    /// The operation that was sent.
    pub op_id: OpId,
    /// What is known about it.
    pub outcome: Outcome,
}

/// Answers the only question that matters after a creating request: can the site have acted?
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Proved: nothing reached the site's program. May be tried again.
    NotSent(NotSent),
    /// Proved: the site made it.
    Created(Box<Created>),
    /// Proved: the site said no before it made anything. Never tried again by itself.
    Refused(Refusal),
    /// Everything else. Look, never resend.
    Unknown(UnknownCause),
}

/// Says how it is known that a request was not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSent {
    /// The host's name could not be resolved.
    Dns,
    /// No connection could be made.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// The site is in maintenance, which WordPress checks before anything else.
    Maintenance {
        /// Seconds to wait, from `Retry-After`.
        retry_after_s: Option<u64>,
    },
    /// The bytes could not be made ready, so no connection was opened.
    NotPrepared,
}

/// What the site's answer to a create told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Created {
    /// The id of the new row: from the body, else from `Location` or `X-WP-Upload-Attachment-ID`.
    pub id: RemoteId,
    /// The row as the answer showed it; absent where the body could not be read, and then to be read
    /// back by id.
    pub row: Option<Recorded>,
    /// Whether the site stopped while making an image's sizes, which can be finished by repeating.
    pub needs_post_process: bool,
    /// The texts of the new row, where the site showed them: for a comparison at once, and never kept.
    #[serde(skip)]
    pub stored: Option<Stored>,
}

/// The texts of a row, as a site stored them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Stored {
    /// Its raw title.
    pub title: String,
    /// Its raw content.
    pub content: String,
}

/// What is recorded of a row that we made: later comparisons use these, since the site may rewrite
/// what it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recorded {
    /// The slug that the site gave it, readable form.
    pub slug: String,
    /// The status that the site gave it.
    pub status: String,
    /// The public or preview address.
    pub link: String,
    /// Ids of its tags.
    pub tags: Vec<u64>,
    /// Ids of its categories.
    pub categories: Vec<u64>,
    /// Id of its featured image; 0 for none.
    pub featured_media: u64,
    /// When it was last modified, as the site writes it (UTC, no zone).
    pub modified_gmt: String,
    /// SHA-256 of its raw title, as answered.
    pub title: Option<Digest>,
    /// SHA-256 of its raw content, as answered.
    pub content: Option<Digest>,
    /// For an image: the address of its file.
    pub source_url: Option<String>,
    /// For an image: the id of the post that it is attached to; 0 for none.
    pub attached_to: u64,
    /// For an image: size of the file at `source_url` in bytes, where the site tells it.
    pub file_size: Option<u64>,
    /// For an image: whether sizes of it are missing.
    pub missing_sizes: bool,
}

/// A refusal that WordPress raises before it inserts anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The stable code of the closed list.
    pub code: RefusalCode,
    /// The HTTP status.
    pub status: u16,
    /// Names of the parameters that were refused, where the site names them.
    pub parameters: Vec<String>,
}

macro_rules! refusal_codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal),* $(,)?) => {
        /// The closed list of refusals (PROTOCOL: decided on the code, never on the message).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum RefusalCode {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        impl RefusalCode {
            /// All codes of the closed list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the code as WordPress spells it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
        }
    };
}

refusal_codes! {
    /// A parameter has a wrong form.
    InvalidParam = "rest_invalid_param",
    /// A parameter is missing.
    MissingParam = "rest_missing_callback_param",
    /// The body is no JSON.
    InvalidJson = "rest_invalid_json",
    /// Title, content and excerpt are empty.
    EmptyContent = "empty_content",
    /// The user may not create this.
    CannotCreate = "rest_cannot_create",
    /// The user may not publish.
    CannotPublish = "rest_cannot_publish",
    /// The user may not write for others.
    CannotEditOthers = "rest_cannot_edit_others",
    /// The user may not assign a term.
    CannotAssignTerm = "rest_cannot_assign_term",
    /// The user may not make a post sticky.
    CannotAssignSticky = "rest_cannot_assign_sticky",
    /// The request is forbidden.
    Forbidden = "rest_forbidden",
    /// The user is not recognised.
    NotLoggedIn = "rest_not_logged_in",
    /// The site has no such endpoint.
    NoRoute = "rest_no_route",
    /// The file could not be taken (type, size or emptiness), multipart form.
    UploadUnknownError = "rest_upload_unknown_error",
    /// The file could not be taken, raw form.
    UploadSideloadError = "rest_upload_sideload_error",
    /// The bytes arrived damaged.
    UploadHashMismatch = "rest_upload_hash_mismatch",
    /// The request was larger than PHP accepts, so that the file was lost.
    UploadNoContentDisposition = "rest_upload_no_content_disposition",
    /// The file is too big.
    UploadFileTooBig = "rest_upload_file_too_big",
    /// The server cannot handle this type of image.
    UploadImageTypeNotSupported = "rest_upload_image_type_not_supported",
    /// The site's space is used up.
    UploadLimitedSpace = "rest_upload_limited_space",
    /// The user's quota is used up.
    UploadUserQuotaExceeded = "rest_upload_user_quota_exceeded",
    /// The web server refused the size (HTTP 413).
    PayloadTooLarge = "payload_too_large",
    /// The database cannot store a character that preflight had named.
    DbInsertError = "db_insert_error",
}

impl RefusalCode {
    /// Finds the code as WordPress spells it; `None` if it is not on the closed list.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.as_str() == code)
    }

    /// Tells whether the refusal concerns the user or the site, so that every article would meet it.
    #[must_use]
    pub const fn pauses_site(self) -> bool {
        match self {
            Self::CannotCreate | Self::Forbidden | Self::NotLoggedIn | Self::NoRoute => true,
            Self::InvalidParam
            | Self::MissingParam
            | Self::InvalidJson
            | Self::EmptyContent
            | Self::CannotPublish
            | Self::CannotEditOthers
            | Self::CannotAssignTerm
            | Self::CannotAssignSticky
            | Self::UploadUnknownError
            | Self::UploadSideloadError
            | Self::UploadHashMismatch
            | Self::UploadNoContentDisposition
            | Self::UploadFileTooBig
            | Self::UploadImageTypeNotSupported
            | Self::UploadLimitedSpace
            | Self::UploadUserQuotaExceeded
            | Self::PayloadTooLarge
            | Self::DbInsertError => false,
        }
    }
}

/// Says why nothing is known about a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "cause")]
pub enum UnknownCause {
    /// No answer came in time.
    TimedOut,
    /// The connection broke after the request may have left.
    ConnectionLost,
    /// A status that can follow an insert.
    Status {
        /// The HTTP status.
        status: u16,
        /// The error code in the body, where there is one (shortened).
        code: Option<String>,
    },
    /// A redirect, which is never followed.
    Redirect {
        /// The HTTP status.
        status: u16,
    },
    /// A success whose body does not say what was made.
    Unreadable {
        /// The HTTP status.
        status: u16,
    },
    /// The answer exceeded its bounds of size or time.
    TooLong,
    /// The program ended before the answer was written down.
    Interrupted,
}
