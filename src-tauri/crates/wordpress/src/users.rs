//! Who we are to the site, and what we may do there.

use std::collections::BTreeSet;

use crate::client::Client;
use crate::errors::AskError;
use crate::read::Answered;

/// Our user, as the site knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The id.
    pub id: u64,
    /// The login name.
    pub login: String,
    /// The name shown to readers.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// What the user may do.
    pub can: Capabilities,
}

/// What a user may do, of all that matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// All capabilities that are granted, by name.
    pub all: BTreeSet<String>,
}

impl Capabilities {
    /// Tells whether drafts may be written.
    #[must_use]
    pub fn edit_posts(&self) -> bool {
        self.all.contains("edit_posts")
    }

    /// Tells whether posts may be published.
    #[must_use]
    pub fn publish_posts(&self) -> bool {
        self.all.contains("publish_posts")
    }

    /// Tells whether files may be uploaded.
    #[must_use]
    pub fn upload_files(&self) -> bool {
        self.all.contains("upload_files")
    }

    /// Tells whether others' posts may be edited, so that lists need not be limited to our own.
    #[must_use]
    pub fn edit_others_posts(&self) -> bool {
        self.all.contains("edit_others_posts")
    }

    /// Tells whether categories may be created.
    #[must_use]
    pub fn manage_categories(&self) -> bool {
        self.all.contains("manage_categories")
    }

    /// Tells whether content is stored as it is sent. On multisites this says yes too often.
    #[must_use]
    pub fn unfiltered_html(&self) -> bool {
        self.all.contains("unfiltered_html")
    }
}

impl Client {
    /// Asks the site who we are. Comes before anything else in every batch and every reconcile, since
    /// revoked credentials silently become anonymous.
    ///
    /// # Errors
    /// Returns [`AskError::NotOurUser`] if the site names nobody or somebody else, or why it could not
    /// be asked.
    pub async fn identify(&self) -> Result<Answered<Identity>, AskError> {
        unimplemented!()
    }
}
