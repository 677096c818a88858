//! Tags and categories.

use std::collections::{BTreeMap, BTreeSet};

use ichido_core::operation::Kind;
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use serde::Deserialize;
use serde_json::json;

use crate::address::Query;
use crate::answer::Expected;
use crate::client::Client;
use crate::create::{JSON, Letter, body, has_four_byte};
use crate::errors::AskError;
use crate::lists::Whole;
use crate::lookups::later;
use crate::read::Answered;
use crate::text;

/// The longest name of a term that WordPress stores, in characters.
const LONGEST_NAME: usize = 200;

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
    /// The terms of exactly this name, else of exactly its slug, in the order of their ids. More than
    /// one only where categories of one name stand below different ones.
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
    pub async fn terms(
        &self,
        taxonomy: Taxonomy,
        names: &[String],
    ) -> Result<Answered<Vec<TermsFound>>, AskError> {
        let mut site_time = None;
        let mut known = BTreeMap::new();
        // Most names are found by their slugs, many at once.
        let slugs: BTreeSet<_> = names.iter().filter_map(|name| Slug::sanitise(name).ok()).collect();
        for bundle in self.term_bundles(taxonomy, slugs) {
            let whole = self.list_terms(taxonomy, "slug", &bundle).await?;
            site_time = later(site_time, whole.site_time);
            known.extend(whole.rows.into_iter().map(|term| (term.id, term)));
        }
        let mut asked = BTreeSet::new();
        let mut found = Vec::new();
        for name in names.iter().filter(|name| asked.insert(name.as_str())) {
            // Categories of one name below different ones have different slugs: only a search finds all.
            let may_be_more = taxonomy == Taxonomy::Category || by_name(&known, name).next().is_none();
            // A name that no term can have is not asked for: the address would be too long for the site.
            let may_be_one = !name.trim().is_empty() && name.trim().chars().count() <= LONGEST_NAME;
            if may_be_one && may_be_more {
                // As the site stores it: with entities.
                for stored in BTreeSet::from([name.trim().to_owned(), with_entities(name.trim())]) {
                    let whole = self.list_terms(taxonomy, "search", &stored).await?;
                    site_time = later(site_time, whole.site_time);
                    known.extend(whole.rows.into_iter().map(|term| (term.id, term)));
                }
            }
            let mut matches: Vec<Term> = by_name(&known, name).cloned().collect();
            if matches.is_empty() {
                matches = by_slug(&known, name).cloned().collect();
            }
            found.push(TermsFound { asked: name.clone(), matches });
        }
        Ok(Answered { value: found, site_time })
    }

    /// Creates a term. Safe to repeat: a term that is there already counts as created.
    pub async fn create_term(&self, permit: SendPermit, request: &TermRequest) -> Sent {
        let mut fields = json!({ "name": request.name });
        if request.parent != 0 {
            fields["parent"] = json!(request.parent);
        }
        let letter = Letter {
            route: request.taxonomy.path().to_owned(),
            fields: "id,taxonomy,name,slug,parent",
            content_type: JSON.to_owned(),
            parts: vec![body(&fields)],
            md5_hex: None,
            four_byte: has_four_byte(&request.name),
        };
        self.send(permit, Kind::Term, Expected::Term(request.taxonomy), Some(letter)).await
    }

    async fn list_terms(&self, taxonomy: Taxonomy, by: &str, value: &str) -> Result<Whole<Term>, AskError> {
        // In the view of readers: the other needs the right to manage terms.
        let query =
            Query::default().with("context", "view").with("_fields", "id,name,slug,parent").with(by, value);
        let whole: Whole<WireTerm> = self.whole(taxonomy.path(), &query, |term: &WireTerm| term.id).await?;
        if whole.hidden > 0 {
            return Err(AskError::Incomplete);
        }
        let rows = whole.rows.into_iter().map(WireTerm::into_term).collect();
        Ok(Whole { rows, hidden: 0, site_time: whole.site_time })
    }

    /// Joins slugs to values that keep each request within its bounds.
    fn term_bundles(&self, taxonomy: Taxonomy, slugs: BTreeSet<Slug>) -> Vec<String> {
        let bare = self.root.endpoint(taxonomy.path(), &Query::default()).as_str().len();
        let room = self.options.url_cap.saturating_sub(bare + 200);
        let mut bundles: Vec<String> = Vec::new();
        let mut used = 0;
        for slug in slugs {
            let length = Query::default().with("", slug.as_str()).len();
            match bundles.last_mut() {
                Some(bundle) if used + length <= room => {
                    bundle.push(',');
                    bundle.push_str(slug.as_str());
                    used += length;
                }
                _ => {
                    bundles.push(slug.as_str().to_owned());
                    used = length;
                }
            }
        }
        bundles
    }
}

#[derive(Deserialize)]
struct WireTerm {
    id: u64,
    name: String,
    slug: String,
    parent: Option<u64>,
}

impl WireTerm {
    fn into_term(self) -> Term {
        Term {
            id: self.id,
            name: text::without_entities(&self.name),
            slug: Slug::from_site(&self.slug).as_str().to_owned(),
            parent: self.parent.unwrap_or(0),
        }
    }
}

fn by_name<'a>(known: &'a BTreeMap<u64, Term>, name: &str) -> impl Iterator<Item = &'a Term> {
    let name = folded(name);
    known.values().filter(move |term| folded(&term.name) == name)
}

fn by_slug<'a>(known: &'a BTreeMap<u64, Term>, name: &str) -> impl Iterator<Item = &'a Term> {
    let slug = Slug::sanitise(name).ok();
    known.values().filter(move |term| slug.as_ref().is_some_and(|slug| slug.as_str() == term.slug))
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

fn with_entities(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
