//! Tags and categories: names in the article, ids on the site.

use std::collections::{BTreeSet, HashMap};

use ichido_article::Article;
use ichido_core::operation::Kind;
use ichido_core::outcome::Outcome;
use ichido_core::tally::Pause;
use ichido_journal::{Key, NewOperation, SendFacts};
use ichido_wordpress::{Taxonomy, Term, TermRequest, TermsFound};

use crate::errors::RunError;
use crate::event::Note;
use crate::item::Item;
use crate::near::near;
use crate::outbox;
use crate::pause::pause_of;
use crate::session::Session;

/// The terms of a batch, as the site has them.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    tags: HashMap<String, Resolved>,
    categories: HashMap<String, Resolved>,
    /// Names of categories that may be meant by those that are not known.
    near: HashMap<String, Vec<String>>,
}

/// What became of one name.
#[derive(Clone, Debug)]
enum Resolved {
    Id(u64),
    Unknown,
    Ambiguous,
    Refused,
    /// Whether it was made is not known, or it could not be made now: the next run finds or makes it.
    InDoubt,
}

/// What keeps an article from being sent.
#[derive(Debug)]
pub(crate) enum Lacking {
    /// Names that it must not have.
    Names(Vec<Note>),
    /// A tag that is in doubt.
    InDoubt,
}

/// The ids of an article's terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermIds {
    pub(crate) tags: Vec<u64>,
    pub(crate) categories: Vec<u64>,
}

impl Terms {
    /// Returns the ids of an article's terms, or what is wrong with each that has none. A name is never
    /// dropped.
    pub(crate) fn of(&self, article: &Article) -> Result<TermIds, Lacking> {
        let mut ids = TermIds::default();
        let mut notes = Vec::new();
        let mut in_doubt = false;
        for name in &article.tags {
            match self.tags.get(name) {
                Some(Resolved::Id(id)) => push_once(&mut ids.tags, *id),
                Some(Resolved::Refused) => notes.push(Note::TagRefused { name: name.clone() }),
                Some(Resolved::InDoubt) => in_doubt = true,
                Some(Resolved::Unknown | Resolved::Ambiguous) | None => {
                    notes.push(Note::TagUnknown { name: name.clone() });
                }
            }
        }
        for name in &article.categories {
            match self.categories.get(name) {
                Some(Resolved::Id(id)) => push_once(&mut ids.categories, *id),
                Some(Resolved::Ambiguous) => notes.push(Note::CategoryAmbiguous { name: name.clone() }),
                Some(Resolved::Unknown | Resolved::Refused | Resolved::InDoubt) | None => {
                    let near = self.near.get(name).cloned().unwrap_or_default();
                    notes.push(Note::CategoryUnknown { name: name.clone(), near });
                }
            }
        }
        if !notes.is_empty() {
            Err(Lacking::Names(notes))
        } else if in_doubt {
            Err(Lacking::InDoubt)
        } else {
            Ok(ids)
        }
    }
}

impl Terms {
    /// Returns what would keep an article from being sent; unknown tags do not where they may be made.
    pub(crate) fn missing(&self, article: &Article, create_tags: bool) -> Vec<Note> {
        let notes = match self.of(article) {
            Ok(_) | Err(Lacking::InDoubt) => Vec::new(),
            Err(Lacking::Names(notes)) => notes,
        };
        notes.into_iter().filter(|note| !(create_tags && matches!(note, Note::TagUnknown { .. }))).collect()
    }

    /// Returns the tags of an article that the site does not have, in the order of the article.
    pub(crate) fn new_tags<'a>(&self, article: &'a Article) -> impl Iterator<Item = &'a String> {
        article.tags.iter().filter(|name| matches!(self.tags.get(*name), Some(Resolved::Unknown)))
    }
}

fn push_once(ids: &mut Vec<u64>, id: u64) {
    if !ids.contains(&id) {
        ids.push(id);
    }
}

/// Finds the terms of everything that may be sent, and makes unknown tags where that was consented to.
///
/// # Errors
/// Fails only if the journal does; a site that could not be asked is the inner `Err`.
pub(crate) async fn resolve(
    session: &Session<'_>,
    items: &[Item],
    create_tags: bool,
) -> Result<Result<Terms, Pause>, RunError> {
    let mut terms = match find(session, to_be_sent(items)).await? {
        Ok(terms) => terms,
        Err(pause) => return Ok(Err(pause)),
    };
    if create_tags {
        // No tag is made for an article that is not sent for another name.
        let unknown: BTreeSet<String> = to_be_sent(items)
            .filter(|article| terms.missing(article, true).is_empty())
            .flat_map(|article| terms.new_tags(article))
            .cloned()
            .collect();
        for name in unknown {
            let resolved = create_tag(session, &name).await?;
            terms.tags.insert(name, resolved);
        }
    }
    Ok(Ok(terms))
}

fn to_be_sent(items: &[Item]) -> impl Iterator<Item = &Article> {
    items.iter().filter(|item| item.may_be_sent()).filter_map(|item| item.article.as_ref())
}

/// Finds the terms of articles, and makes none.
///
/// # Errors
/// Fails only if the journal does; a site that could not be asked is the inner `Err`.
pub(crate) async fn find(
    session: &Session<'_>,
    articles: impl Iterator<Item = &Article>,
) -> Result<Result<Terms, Pause>, RunError> {
    let mut tags = BTreeSet::new();
    let mut categories = BTreeSet::new();
    for article in articles {
        tags.extend(article.tags.iter().cloned());
        categories.extend(article.categories.iter().cloned());
    }
    let mut terms = Terms::default();
    if !categories.is_empty() {
        match find_categories(session, &categories).await {
            Ok(found) => terms.categories = found,
            Err(pause) => return Ok(Err(pause)),
        }
        terms.near = near_categories(session, &terms.categories).await;
    }
    if !tags.is_empty() {
        let names: Vec<String> = tags.into_iter().collect();
        let found = match session.client.terms(Taxonomy::Tag, &names).await {
            Ok(found) => found.value,
            Err(error) => return Ok(Err(pause_of(&error))),
        };
        for TermsFound { asked, matches } in found {
            let resolved = match matches.first() {
                Some(term) => Resolved::Id(term.id),
                None if ichido_wordpress::is_kept_as_written(&asked) => Resolved::Unknown,
                // The site would store another name, and answer with a term that was not meant.
                None => Resolved::Refused,
            };
            terms.tags.insert(asked, resolved);
        }
    }
    Ok(Ok(terms))
}

/// Categories are found by name, by slug, or by a path of names such as `parent/child`.
async fn find_categories(
    session: &Session<'_>,
    names: &BTreeSet<String>,
) -> Result<HashMap<String, Resolved>, Pause> {
    let mut asked: BTreeSet<String> = names.clone();
    for name in names {
        asked.extend(name.split('/').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()));
    }
    let asked: Vec<String> = asked.into_iter().collect();
    let found = session.client.terms(Taxonomy::Category, &asked).await.map_err(|error| pause_of(&error))?;
    let found: HashMap<String, Vec<Term>> =
        found.value.into_iter().map(|TermsFound { asked, matches }| (asked, matches)).collect();
    Ok(names.iter().map(|name| (name.clone(), category(name, &found))).collect())
}

/// Looks for what may be meant by unknown categories. It only helps a person: a failure is no obstacle.
async fn near_categories(
    session: &Session<'_>,
    categories: &HashMap<String, Resolved>,
) -> HashMap<String, Vec<String>> {
    let unknown: Vec<&String> = categories
        .iter()
        .filter_map(|(name, resolved)| matches!(resolved, Resolved::Unknown).then_some(name))
        .collect();
    if unknown.is_empty() {
        return HashMap::new();
    }
    match session.client.used_terms(Taxonomy::Category).await {
        Ok(used) => unknown
            .into_iter()
            .map(|name| (name.clone(), near(name, used.value.iter().map(|term| term.name.as_str()))))
            .collect(),
        Err(error) => {
            tracing::warn!(%error, "categories could not be listed to name near ones");
            HashMap::new()
        }
    }
}

fn category(name: &str, found: &HashMap<String, Vec<Term>>) -> Resolved {
    match found.get(name).map(Vec::as_slice) {
        Some([term]) => return Resolved::Id(term.id),
        Some([_, _, ..]) => return Resolved::Ambiguous,
        Some([]) | None => {}
    }
    let parts: Vec<&str> = name.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return Resolved::Unknown;
    }
    // Each step of the path must be a child of the one before; the first may stand anywhere.
    let mut above: Option<Vec<u64>> = None;
    for part in parts {
        let here: Vec<u64> = found
            .get(part)
            .into_iter()
            .flatten()
            .filter(|term| above.as_ref().is_none_or(|above| above.contains(&term.parent)))
            .map(|term| term.id)
            .collect();
        above = Some(here);
    }
    match above.as_deref() {
        Some([id]) => Resolved::Id(*id),
        Some([_, _, ..]) => Resolved::Ambiguous,
        Some([]) | None => Resolved::Unknown,
    }
}

async fn create_tag(session: &Session<'_>, name: &str) -> Result<Resolved, RunError> {
    let key = Key::term(Taxonomy::Tag.as_str(), 0, name);
    let operation = session.runner.plan(
        &NewOperation {
            op_id: session.new_op_id(),
            site: session.site.id,
            kind: Kind::Term,
            post_type: String::new(),
            key,
            slug: String::new(),
            title: name.to_owned(),
            source_path: None,
            source_digest: None,
            images: Vec::new(),
        },
        session.now(),
    )?;
    let operation = match crate::attach::ready_again(session, operation)? {
        Some(operation) => operation,
        None => return Ok(Resolved::Refused),
    };
    let facts = SendFacts {
        slug: String::new(),
        title: name.to_owned(),
        source_path: None,
        source_digest: None,
        sent_digest: None,
        normaliser: None,
        mark: None,
        expected: None,
    };
    let request = TermRequest { taxonomy: Taxonomy::Tag, name: name.to_owned(), parent: 0 };
    let outcome =
        outbox::send(session, &operation, &facts, |permit| session.client.create_term(permit, &request))
            .await?;
    Ok(match outcome {
        Outcome::Created(created) => Resolved::Id(created.id.0),
        Outcome::Refused(_) => Resolved::Refused,
        Outcome::Unknown(_) => found_after_all(session, name).await,
        Outcome::NotSent(_) => Resolved::InDoubt,
    })
}

/// Looks for a tag whose answer was lost.
async fn found_after_all(session: &Session<'_>, name: &str) -> Resolved {
    match session.client.terms(Taxonomy::Tag, &[name.to_owned()]).await {
        Ok(found) => found
            .value
            .iter()
            .find_map(|found| found.matches.first())
            .map_or(Resolved::InDoubt, |term| Resolved::Id(term.id)),
        Err(error) => {
            tracing::warn!(%error, "a tag could not be looked up after its answer was lost");
            Resolved::InDoubt
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(id: u64, name: &str, parent: u64) -> Term {
        Term { id, name: name.to_owned(), slug: name.to_owned(), parent }
    }

    fn found(terms: &[Term]) -> HashMap<String, Vec<Term>> {
        let mut found: HashMap<String, Vec<Term>> = HashMap::new();
        for term in terms {
            found.entry(term.name.clone()).or_default().push(term.clone());
        }
        found
    }

    #[test]
    fn a_path_leads_to_the_child_of_its_parent() {
        let found = found(&[term(1, "a", 0), term(2, "b", 0), term(3, "x", 1), term(4, "x", 2)]);
        assert!(matches!(category("a/x", &found), Resolved::Id(3)));
        assert!(matches!(category("b / x", &found), Resolved::Id(4)));
        assert!(matches!(category("x", &found), Resolved::Ambiguous));
        assert!(matches!(category("a/b", &found), Resolved::Unknown));
        assert!(matches!(category("nowhere", &found), Resolved::Unknown));
    }

    #[test]
    fn a_name_with_a_slash_in_it_is_a_name_first() {
        let found = found(&[term(1, "a", 0), term(3, "b", 1), term(9, "a/b", 0)]);
        assert!(matches!(category("a/b", &found), Resolved::Id(9)));
    }
}
