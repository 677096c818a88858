//! Articles that a person set aside: they are not registered on a site until they are taken up again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ichido_core::operation::{Kind, State};
use ichido_core::tally::Ending;
use ichido_journal::{Journal, Key, ReadError, SiteId};

use crate::engine::{DEFAULT_WAIT, Engine, find_site};
use crate::errors::RunError;
use crate::event::{Event, Note, Observer};
use crate::item::{Item, POST_TYPE};

/// The setting of a site that names them.
const SET_ASIDE: &str = "set_aside";

/// The articles that were set aside on a site, by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SetAside(BTreeSet<String>);

impl SetAside {
    pub(crate) fn of(journal: &Journal, site: SiteId) -> Result<Self, ReadError> {
        let Some(kept) = journal.setting(Some(site), SET_ASIDE)? else { return Ok(Self::default()) };
        Ok(Self(serde_json::from_str(&kept).unwrap_or_else(|error| {
            tracing::warn!(%error, "the list of what was set aside was not understood");
            BTreeSet::new()
        })))
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        !self.0.is_empty() && self.0.contains(&*path.to_string_lossy())
    }
}

impl Engine {
    /// Sets articles of a site aside, or takes them up again. What has been sent stays as it is.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn set_aside(&self, site: &str, paths: &[PathBuf], aside: bool) -> Result<(), RunError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, site)?.id;
        let mut kept = SetAside::of(&runner, site)?;
        for path in paths {
            let path = path.to_string_lossy();
            if aside {
                kept.0.insert(path.into_owned());
            } else {
                kept.0.remove(&*path);
            }
        }
        let value = serde_json::Value::from_iter(kept.0).to_string();
        Ok(runner.set_setting(Some(site), SET_ASIDE, Some(&value))?)
    }
}

/// Holds the articles of a batch that were set aside, unless something of them was sent before.
pub(crate) fn hold(
    journal: &Journal,
    site: SiteId,
    items: &mut [Item],
    observer: &dyn Observer,
) -> Result<(), ReadError> {
    let aside = SetAside::of(journal, site)?;
    for item in items.iter_mut().filter(|item| aside.has(&item.name.path)) {
        let Some(article) = &item.article else { continue };
        let record = journal.by_key(site, Kind::Post, POST_TYPE, &Key::post(&article.slug))?;
        let was_sent = record.is_some_and(|record| {
            matches!(record.standing.state, State::Sending | State::Halted(_) | State::Done)
        });
        if !was_sent {
            item.held = Some(Ending::Skipped);
            observer.hear(&Event::Noted { article: item.name.clone(), note: Note::SetAside });
        }
    }
    Ok(())
}
