//! Looking rows up by slug, by id and by the marker in their text.

use ichido_core::id::{OpId, RemoteId};
use ichido_core::slug::Slug;

use crate::Class;
use crate::client::Client;
use crate::errors::AskError;
use crate::read::Answered;
use crate::rows::Row;

/// What a look-up by slugs found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BySlug {
    /// Every row at one of the slugs or at its trashed form.
    pub rows: Vec<Row>,
    /// The slugs at which the site counts rows that it does not show us.
    pub hidden: Vec<Slug>,
}

/// What a look-up by id found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ById {
    /// The row.
    There(Box<Row>),
    /// The site has no such row.
    Gone,
    /// The site has it and does not let us see it.
    Forbidden,
}

impl Client {
    /// Looks up the rows that have one of the slugs or its trashed form, in any status. Slugs like
    /// `name-2` are found only if asked for.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn by_slugs(&self, class: Class, slugs: &[Slug]) -> Result<Answered<BySlug>, AskError> {
        let _ = (class, slugs);
        unimplemented!()
    }

    /// Looks up rows by id. The result names every id once, in the order asked.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn by_ids(&self, class: Class, ids: &[RemoteId]) -> Result<Answered<Vec<(RemoteId, ById)>>, AskError> {
        let _ = (class, ids);
        unimplemented!()
    }

    /// Searches the text of all rows for the id of an operation, and returns those that hold it. A find
    /// counts; absence proves nothing, since plugins replace the search. Slow on large sites.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn search(&self, class: Class, op_id: OpId) -> Result<Answered<Vec<Row>>, AskError> {
        let _ = (class, op_id);
        unimplemented!()
    }
}
