//! Reads one row of a site for a person, before it is believed to be theirs.

use ichido_core::content;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_wordpress::{ById, Class, Client, Credentials};

use crate::engine::{Engine, find_site};
use crate::errors::{ActError, CannotLink, RunError};

/// The most that is shown of a text.
const SHOWN: usize = 160;

/// One row of a site beside the record that it may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peek {
    /// Its id.
    pub id: RemoteId,
    /// Its title.
    pub title: String,
    /// Its slug, readable form.
    pub slug: String,
    /// Its status, as the site names it.
    pub status: String,
    /// In what it differs from the record.
    pub differences: Vec<Difference>,
}

/// One difference between a record and a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub field: Field,
    /// What is here; empty where the journal keeps only a digest.
    pub here: String,
    /// What the site has.
    pub site: String,
}

/// What can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The title.
    Title,
    /// The slug.
    Slug,
    /// The content.
    Content,
}

impl Engine {
    /// Reads a row of a record's site, and compares the two. Changes nothing, here or there.
    ///
    /// # Errors
    /// Returns why the row cannot be linked, or why it could not be asked for.
    pub async fn peek(
        &self,
        site: &str,
        credentials: Credentials,
        op_id: OpId,
        id: RemoteId,
    ) -> Result<Peek, ActError> {
        let journal = self.journal()?;
        let site = find_site(&journal, site)?;
        let operation = journal
            .operation(op_id)?
            .ok_or_else(|| ActError::NoSuchArticle { article: op_id.to_string().into() })?;
        let client = Client::new(&site.rest_root, credentials, self.http.clone()).map_err(RunError::from)?;
        client.identify().await?;
        let class = if operation.kind == Kind::Image { Class::Media } else { Class::Posts };
        let answered = client.by_ids(class, &[id]).await?.value;
        let row = match answered.into_iter().next() {
            Some((_, ById::There(row))) => *row,
            Some((_, ById::Forbidden)) => {
                return Err(ActError::CannotLink { id, why: CannotLink::Forbidden });
            }
            Some((_, ById::Gone)) | None => {
                return Err(ActError::CannotLink { id, why: CannotLink::NotThere });
            }
        };
        if row.in_trash() {
            return Err(ActError::CannotLink { id, why: CannotLink::InTrash });
        }
        let owners = journal.by_remote_ids(site.id, operation.kind, &[id])?;
        if owners.get(&id).is_some_and(|owner| *owner != op_id) {
            return Err(ActError::CannotLink { id, why: CannotLink::OtherRecord });
        }
        let title = row.title.clone().unwrap_or_default();
        let slug = row.slug.as_str().to_owned();
        let mut differences = Vec::new();
        // A title comes back as markup, in which a bare & is written out.
        let is_same_title = content::normalise(&title) == content::normalise(&operation.title);
        if !is_same_title {
            differences.push(Difference {
                field: Field::Title,
                here: shortened(&operation.title),
                site: shortened(&title),
            });
        }
        if slug != operation.slug {
            differences.push(Difference {
                field: Field::Slug,
                here: operation.slug.clone(),
                site: slug.clone(),
            });
        }
        let raw = row.content.as_deref().unwrap_or_default();
        if operation.kind == Kind::Post && !is_same_content(&operation, raw, &title) {
            let text = row.content.as_deref().map(content::normalise).unwrap_or_default();
            differences.push(Difference {
                field: Field::Content,
                here: String::new(),
                site: shortened(&without_tags(&text)),
            });
        }
        let status = row.status.as_str().to_owned();
        let shown = if is_same_title { &operation.title } else { &title };
        Ok(Peek { id, title: shortened(shown), slug, status, differences })
    }
}

/// The title has a line of its own: only the content is judged here.
fn is_same_content(operation: &ichido_journal::Operation, raw: &str, title: &str) -> bool {
    // What carries our marker is what we sent, whatever the site made of it.
    content::marker_of(raw) == Some(operation.op_id)
        || operation.normaliser == Some(content::NORMALISER)
            && [title, operation.title.as_str()]
                .iter()
                .any(|title| operation.sent_digest == Some(content::sent_digest(title, raw)))
}

fn without_tags(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len().min(SHOWN * 8));
    let mut inside = false;
    for character in markup.chars() {
        match character {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => text.push(character),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_of_markup_is_shown() {
        assert_eq!(without_tags("<!-- wp:p --><p>猫 <b>と</b>\n犬</p>"), "猫 と 犬");
    }
}
