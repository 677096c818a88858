//! The REST client for WordPress 6.1 to 7.1.
//!
//! Reading requests may be repeated and are; a creating request consumes a
//! [`SendPermit`](ichido_core::permit::SendPermit), goes over the wire at most once, and its answer is
//! judged by [`answer::classify`], which knows only what WordPress proves. Nothing is deleted,
//! published or overwritten here.
//!
//! All text that a site sends is hostile input: bounded, and never more than text.

mod address;
pub mod answer;
mod authorize;
mod blot;
mod body;
mod client;
mod create;
mod credentials;
mod discover;
mod errors;
mod fields;
mod files;
#[cfg(fuzzing)]
pub mod fuzzing;
mod ids;
mod json;
pub mod links;
mod lists;
mod lookups;
mod manners;
mod multipart;
mod options;
mod read;
mod rows;
mod terms;
mod text;
mod transport;
mod users;

#[cfg(test)]
mod astray_tests;
#[cfg(test)]
mod scripted;

pub use authorize::{Asking, Granted, authorize};
pub use client::Client;
pub use create::{Attach, DraftRequest, UploadRequest};
pub use credentials::{Credentials, CredentialsError};
pub use discover::{Discovered, discover};
pub use errors::{
    AddressError, AskError, AuthorizeError, ClientError, DiscoverError, Malformed, TransportError,
};
pub use fields::{FOOTNOTES, Field, FieldKind, FieldsRequest, PostFields};
pub use files::UploadedFile;
pub use lists::{Listing, Newest, Scope};
pub use lookups::{ById, BySlug};
pub use options::{Options, Timeouts};
pub use read::Answered;
pub use rows::{Light, MediaFacts, Row, Status};
pub use terms::{Taxonomy, Term, TermRequest, TermsFound, is_kept_as_written};
pub use users::{Capabilities, Identity};

/// A kind of rows that a site counts in one growing sequence of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Posts.
    Posts,
    /// Images and other files of the media library.
    Media,
}

impl Class {
    /// Returns the path of the collection below the REST root.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Posts => "/wp/v2/posts",
            Self::Media => "/wp/v2/media",
        }
    }
}
