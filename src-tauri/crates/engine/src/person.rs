//! The acts of a person, from the article that was named to the record that is meant.

use std::path::Path;

use ichido_core::act::Act;
use ichido_core::apply::Event as CoreEvent;
use ichido_core::operation::{Kind, State};
use ichido_core::slug::Slug;
use ichido_journal::{Filter, Key, Note, Operation, Page, Runner, Site};
use ichido_wordpress::Credentials;

use crate::acts::{self, Wish};
use crate::engine::{DEFAULT_WAIT, Engine, find_site};
use crate::errors::ActError;
use crate::event::{Event, Observer};
use crate::item::POST_TYPE;

/// How many records are looked through for a slug that was sent.
const MOST_SIMILAR: u32 = 1000;

impl Engine {
    /// Does what a person wants done about one article or image.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn act(
        &self,
        site: &str,
        credentials: Credentials,
        wish: &Wish,
        observer: &dyn Observer,
    ) -> Result<Operation, ActError> {
        let connection = self.connect(site, credentials, DEFAULT_WAIT, observer).await?;
        let operation = find_operation(&connection.runner, &connection.site, wish)?;
        let identity = connection.client.identify().await?.value;
        let session = connection.session(&identity, self.clock.as_ref(), observer);
        acts::perform(&session, operation, wish).await
    }

    /// Does what needs no site: leaves a halt, or takes it up again.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn act_offline(&self, site: &str, wish: &Wish) -> Result<Operation, ActError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, site)?;
        let operation = find_operation(&runner, &site, wish)?;
        if !matches!(wish.act, Act::Leave | Act::Unleave) {
            return Err(ActError::NotOffered { act: wish.act, state: operation.standing.state });
        }
        let note = Note::by_person(self.clock.now());
        runner.apply(operation.op_id, CoreEvent::Act(wish.act), note)?;
        Ok(runner.operation(operation.op_id)?.unwrap_or(operation))
    }
}

/// Finds the operation that a person means: by slug, by the article's folder or file, or by an image
/// of it.
fn find_operation(runner: &Runner, site: &Site, wish: &Wish) -> Result<Operation, ActError> {
    let missing = || ActError::NoSuchArticle { article: wish.article.clone() };
    let slug = wish.article.to_str().and_then(|text| Slug::sanitise(text).ok());
    let by_slug = match &slug {
        Some(slug) => runner.by_key(site.id, Kind::Post, POST_TYPE, &Key::post(slug))?,
        None => None,
    };
    let post = match by_slug {
        Some(post) => Some(post),
        None => match by_path(runner, site, &wish.article)? {
            Some(post) => Some(post),
            None => by_slug_sent(runner, site, slug.as_ref())?,
        },
    };
    let Some(image) = &wish.image else { return post.ok_or_else(missing) };
    let post = post.ok_or_else(missing)?;
    let mut of_that_name = None;
    for used in runner.images_of(post.op_id)? {
        let Some(operation) = runner.operation(used.image)? else { continue };
        let path = operation.source_path.as_deref();
        if path == Some(image.as_path()) {
            return Ok(operation);
        }
        // An image that lies in the folder of another article may bear the name of one of this.
        if path.and_then(Path::file_name) == image.file_name() {
            of_that_name.get_or_insert(operation);
        }
    }
    of_that_name.ok_or_else(|| ActError::NoSuchArticle { article: image.clone() })
}

/// An article whose record moved to another slug is still shown, and confirmed, by the one that was sent.
fn by_slug_sent(runner: &Runner, site: &Site, slug: Option<&Slug>) -> Result<Option<Operation>, ActError> {
    let Some(slug) = slug.map(Slug::as_str) else { return Ok(None) };
    let filter = Filter {
        site: Some(site.id),
        kind: Some(Kind::Post),
        text: Some(slug.to_owned()),
        ..Filter::default()
    };
    let found = runner.list(&filter, Page { offset: 0, limit: MOST_SIMILAR })?;
    Ok(found.into_iter().find(|post| post.slug == slug && post.standing.state != State::Abandoned))
}

fn by_path(runner: &Runner, site: &Site, path: &Path) -> Result<Option<Operation>, ActError> {
    let Ok(found) = ichido_article::discover(&[path.to_path_buf()]) else { return Ok(None) };
    let [location] = found.articles.as_slice() else { return Ok(None) };
    let Some(slug) = ichido_article::slug_of(location) else { return Ok(None) };
    Ok(runner.by_key(site.id, Kind::Post, POST_TYPE, &Key::post(&slug))?)
}
