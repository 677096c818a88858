//! Tags and categories.

use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;

use crate::client::Client;
use crate::errors::AskError;
use crate::read::Answered;

/// The taxonomies of posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taxonomy {
    /// Tags.
    Tag,
    /// Categories.
    Category,
}

/// One tag or category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its id.
    pub id: u64,
    /// Its name, without HTML entities.
    pub name: String,
    /// Its slug, readable form.
    pub slug: String,
    /// The id of the category above it; 0 for none.
    pub parent: u64,
}

/// What was found for one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermsFound {
    /// The name that was asked for.
    pub asked: String,
    /// The terms of exactly this name, else of exactly this slug, in the order of their ids. More
    /// than one only where categories of one name stand below different ones.
    pub matches: Vec<Term>,
}

/// A term to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermRequest {
    /// Its taxonomy.
    pub taxonomy: Taxonomy,
    /// Its name.
    pub name: String,
    /// The id of the category above it; 0 for none.
    pub parent: u64,
}

impl Taxonomy {
    /// Returns the path of the collection below the REST root.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Tag => "/wp/v2/tags",
            Self::Category => "/wp/v2/categories",
        }
    }

    /// Returns the name as WordPress spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tag => "post_tag",
            Self::Category => "category",
        }
    }
}

impl Client {
    /// Finds the terms of the given names: exact names (but for upper and lower case), never the first
    /// hit of a search. The result names every name once, in the order asked.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn terms(&self, taxonomy: Taxonomy, names: &[String]) -> Result<Answered<Vec<TermsFound>>, AskError> {
        let _ = (taxonomy, names);
        unimplemented!()
    }

    /// Creates a term. Safe to repeat: a term that is there already counts as created.
    pub async fn create_term(&self, permit: SendPermit, request: &TermRequest) -> Sent {
        let _ = (permit, request);
        unimplemented!()
    }
}
