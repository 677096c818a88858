//! A person's acts on a record that a window names by its id, and what the window remembers.

use ichido_core::act::Act;
use ichido_core::apply::Event as CoreEvent;
use ichido_core::id::{OpId, RemoteId};
use ichido_journal::{Note, Operation};
use ichido_wordpress::Credentials;

use crate::acts::{self, Wish};
use crate::engine::{DEFAULT_WAIT, Engine};
use crate::errors::{ActError, RunError};
use crate::event::{Event, Observer};

/// What a person wants done about one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The record.
    pub op_id: OpId,
    /// The act.
    pub act: Act,
    /// The row to be linked or dismissed.
    pub id: Option<RemoteId>,
    /// What the person typed to confirm: the slug.
    pub typed: Option<String>,
}

impl Engine {
    /// Does what a person wants done about one record, as [`Engine::act`] does for an article.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn act_on(
        &self,
        site: &str,
        credentials: Credentials,
        deed: &Deed,
        observer: &dyn Observer,
    ) -> Result<Operation, ActError> {
        let connection = self.connect(site, credentials, DEFAULT_WAIT, observer).await?;
        let operation = connection.runner.operation(deed.op_id)?.ok_or_else(|| nothing(deed))?;
        let identity = connection.client.identify().await?.value;
        let session = connection.session(&identity, self.clock.as_ref(), observer);
        let wish = Wish {
            article: operation.source_path.clone().unwrap_or_default(),
            image: None,
            act: deed.act,
            id: deed.id,
            typed: deed.typed.clone(),
        };
        acts::perform(&session, operation, &wish).await
    }

    /// Leaves the halt of a record, or takes it up again: needs no site.
    ///
    /// # Errors
    /// Returns why it was not done; then nothing is changed.
    pub async fn leave(&self, op_id: OpId, leave: bool) -> Result<(), ActError> {
        let (_, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let act = if leave { Act::Leave } else { Act::Unleave };
        runner.apply(op_id, CoreEvent::Act(act), Note::by_person(self.clock.now()))?;
        Ok(())
    }

    /// Keeps what a window remembers (its language, its folders) beside the global settings.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn remember(&self, entries: &[(&str, String)]) -> Result<(), RunError> {
        let (_, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        for (name, value) in entries {
            runner.set_setting(None, name, Some(value))?;
        }
        Ok(())
    }
}

fn nothing(deed: &Deed) -> ActError {
    ActError::NoSuchArticle { article: deed.op_id.to_string().into() }
}
