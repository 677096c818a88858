//! What a batch would make on the site besides drafts and images: asked about before it begins.

use std::collections::BTreeSet;
use std::time::Duration;

use ichido_article::{Article, Loaded};
use ichido_core::operation::{Kind, State};
use ichido_journal::Key;
use ichido_wordpress::Credentials;

use crate::engine::Engine;
use crate::errors::RunError;
use crate::event::Observer;
use crate::item::POST_TYPE;
use crate::preflight::is_sendable;
use crate::terms;

impl Engine {
    /// Returns the tags that the site does not have and that articles not yet registered name, by name.
    /// Sends nothing. Where the site cannot be asked there are none: the batch itself says why.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn new_tags(
        &self,
        site: &str,
        credentials: Credentials,
        articles: &[Loaded],
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<Vec<String>, RunError> {
        let connection = self.connect(site, credentials, wait, observer).await?;
        let mut wanted: Vec<&Article> = Vec::new();
        for loaded in articles.iter().filter(|loaded| is_sendable(loaded)) {
            let Some(article) = &loaded.article else { continue };
            let key = Key::post(&article.slug);
            let known = connection.runner.by_key(connection.site.id, Kind::Post, POST_TYPE, &key)?;
            if known.is_none_or(|operation| operation.standing.state != State::Done) {
                wanted.push(article);
            }
        }
        if wanted.iter().all(|article| article.tags.is_empty()) {
            return Ok(Vec::new());
        }
        let Ok(identity) = connection.client.identify().await else { return Ok(Vec::new()) };
        let session = connection.session(&identity.value, self.clock.as_ref(), observer);
        let Ok(found) = terms::find(&session, wanted.iter().copied()).await? else { return Ok(Vec::new()) };
        // Another obstacle keeps an article from being sent, and then its tags are not made.
        let sent = wanted.into_iter().filter(|article| found.missing(article, true).is_empty());
        let new: BTreeSet<&String> = sent.flat_map(|article| found.new_tags(article)).collect();
        Ok(new.into_iter().cloned().collect())
    }
}
