//! High-water lists: everything of a kind above an id, whatever its slug or content.

use ichido_core::id::RemoteId;

use crate::Class;
use crate::client::Client;
use crate::errors::AskError;
use crate::read::Answered;
use crate::rows::Light;

/// Whose rows a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the user of this id.
    Mine(u64),
    /// Everybody's, which needs the right to edit others' posts.
    All,
}

/// The newest row of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its id; `None` if there is no row that we may see.
    pub id: Option<RemoteId>,
}

/// All rows above a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The rows, highest id first.
    pub rows: Vec<Light>,
    /// How many rows the site counts and does not show us that may be above the mark.
    pub hidden: u64,
}

impl Client {
    /// Finds the newest row of a kind: the mark to be recorded before a send.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn newest_id(&self, class: Class, scope: Scope) -> Result<Answered<Newest>, AskError> {
        let _ = (class, scope);
        unimplemented!()
    }

    /// Lists every row of a kind whose id is above the mark, in any status.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn above(&self, class: Class, mark: RemoteId, scope: Scope) -> Result<Answered<Listing>, AskError> {
        let _ = (class, mark, scope);
        unimplemented!()
    }
}
