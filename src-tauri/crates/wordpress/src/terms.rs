//! Tags and categories.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ichido_core::operation::Kind;
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::address::Query;
use crate::answer::Expected;
use crate::client::Client;
use crate::create::{JSON, Letter, Sign, body, has_four_byte};
use crate::errors::AskError;
use crate::ids;
use crate::lists::{PER_PAGE, Whole};
use crate::lookups::later;
use crate::read::{Answered, Patience};
use crate::text;

/// The longest name of a term that WordPress stores, in characters.
const LONGEST_NAME: usize = 200;

/// How many names are searched for one by one; for more, listing all terms may take fewer requests.
const FEW_SEARCHES: usize = 4;

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
            let whole = self.list_terms(taxonomy, Some(("slug", &bundle))).await?;
            site_time = later(site_time, whole.site_time);
            known.extend(whole.rows.into_iter().map(|term| (term.id, term)));
        }
        let there = names_of(&known);
        let sought: BTreeSet<&str> = names
            .iter()
            .map(|name| name.trim())
            // Categories of one name below different ones have different slugs: only a search finds all.
            .filter(|name| taxonomy == Taxonomy::Category || !there.contains_key(&folded(name)))
            // A name that no term can have is not asked for: the address would be too long for the site.
            .filter(|name| !name.is_empty() && name.chars().count() <= LONGEST_NAME)
            .collect();
        if sought.len() > FEW_SEARCHES && self.count_pages(taxonomy).await? <= sought.len() as u64 {
            let whole = self.list_terms(taxonomy, None).await?;
            site_time = later(site_time, whole.site_time);
            known.extend(whole.rows.into_iter().map(|term| (term.id, term)));
        } else {
            for name in sought {
                // As the site stores it: with entities.
                for stored in BTreeSet::from([name.to_owned(), with_entities(name)]) {
                    let whole = self.list_terms(taxonomy, Some(("search", &stored))).await?;
                    site_time = later(site_time, whole.site_time);
                    known.extend(whole.rows.into_iter().map(|term| (term.id, term)));
                }
            }
        }
        Ok(Answered { value: matches(names, &known), site_time })
    }

    /// Lists the terms that are used most, at most a page of them: to name those that may be meant.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn used_terms(&self, taxonomy: Taxonomy) -> Result<Answered<Vec<Term>>, AskError> {
        let query = Query::default()
            .with("context", "view")
            .with("_fields", "id,name,slug,parent")
            .with("orderby", "count")
            .with("order", "desc");
        let got = self.page::<WireTerm>(taxonomy.path(), &query, 1, PER_PAGE, Patience::Patient).await?;
        let terms = got.value.into_iter().map(WireTerm::into_term).collect();
        Ok(Answered { value: terms, site_time: got.site_time })
    }

    /// Counts the requests that it takes to list all terms.
    async fn count_pages(&self, taxonomy: Taxonomy) -> Result<u64, AskError> {
        let query = Query::default().with("context", "view").with("_fields", "id");
        let got = self.page::<Value>(taxonomy.path(), &query, 1, 1, Patience::Patient).await?;
        Ok(got.total.ok_or(AskError::Incomplete)?.div_ceil(PER_PAGE))
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
            sign: Sign::default(),
        };
        self.send(permit, Kind::Term, Expected::Term(request.taxonomy), Some(letter)).await
    }

    /// Lists terms: those that one parameter names, or all.
    async fn list_terms(
        &self,
        taxonomy: Taxonomy,
        by: Option<(&str, &str)>,
    ) -> Result<Whole<Term>, AskError> {
        // In the view of readers: the other needs the right to manage terms.
        let mut query = Query::default().with("context", "view").with("_fields", "id,name,slug,parent");
        if let Some((name, value)) = by {
            query.add(name, value);
        }
        let whole: Whole<WireTerm> =
            self.whole(taxonomy.path(), &query, Patience::Patient, |term: &WireTerm| term.id).await?;
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
    #[serde(deserialize_with = "ids::read")]
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

/// The terms of each name, then of each slug where no term has the name; in the order of the names, each once.
fn matches(names: &[String], known: &BTreeMap<u64, Term>) -> Vec<TermsFound> {
    let by_name = names_of(known);
    let mut by_slug: HashMap<&str, Vec<&Term>> = HashMap::new();
    for term in known.values() {
        by_slug.entry(&term.slug).or_default().push(term);
    }
    let mut asked = BTreeSet::new();
    names
        .iter()
        .filter(|name| asked.insert(name.as_str()))
        .map(|name| {
            // What only would become the slug is another name: "C++" is no other word for "C".
            let of_slug = || by_slug.get(Slug::from_site(&folded(name)).as_str());
            let found = by_name.get(&folded(name)).or_else(of_slug);
            let matches = found.into_iter().flatten().map(|term| (*term).clone()).collect();
            TermsFound { asked: name.clone(), matches }
        })
        .collect()
}

fn names_of(known: &BTreeMap<u64, Term>) -> HashMap<String, Vec<&Term>> {
    let mut names: HashMap<String, Vec<&Term>> = HashMap::new();
    for term in known.values() {
        names.entry(folded(&term.name)).or_default().push(term);
    }
    names
}

/// A name as WordPress compares it: stored form, letters of ASCII without case. Width and kind of kana matter.
fn folded(name: &str) -> String {
    stored(name).to_ascii_lowercase()
}

/// A name as WordPress stores it: one space for white space, nothing that looks percent-encoded.
fn stored(name: &str) -> String {
    let mut name = name.to_owned();
    while let Some(at) = percent_encoded(&name) {
        name.replace_range(at..at + 3, "");
    }
    name.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn percent_encoded(name: &str) -> Option<usize> {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = name.as_bytes();
    (0..bytes.len())
        .find(|&at| bytes.get(at) == Some(&b'%') && is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)))
}

/// Tells whether WordPress stores a new term under this name, but for white space. What looks like a tag
/// or percent-encoded is taken out, and names have a longest length.
#[must_use]
pub fn is_kept_as_written(name: &str) -> bool {
    let has_length = !name.trim().is_empty() && name.chars().count() <= LONGEST_NAME;
    has_length
        && !name.contains('<')
        && percent_encoded(name).is_none()
        && !name.chars().any(char::is_control)
}

fn with_entities(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
