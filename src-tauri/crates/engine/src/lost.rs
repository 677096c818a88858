//! After a lost journal nothing is created before every article that is known or named was looked for on its site, and
//! a person has said so.

use ichido_core::operation::{Kind, State, WaitReason};
use ichido_core::tally::Barrier;
use ichido_core::time::Timestamp;
use ichido_journal::{Filter, Key, Operation, Page, ReadError, Runner, Site};

use crate::errors::RunError;
use crate::item::Item;
use crate::session::Session;

/// The setting that keeps, for a site, the loss since which everything that was named last was looked for.
const LOOKED_SINCE: &str = "looked_since_loss";

/// Writes down, after a run that a lost journal kept from sending, whether it looked for everything that it named.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) fn note_looks(session: &Session<'_>, items: &[Item]) -> Result<(), RunError> {
    let Some(since) = since(session.runner)? else { return Ok(()) };
    let named: Vec<_> = items.iter().filter(|item| item.held.is_none() && item.article.is_some()).collect();
    let looked = !named.is_empty()
        && named.iter().all(|item| item.standing().is_some_and(|standing| is_looked_for(standing.state)));
    let value = looked.then(|| since.0.to_string());
    let known = session.runner.setting(Some(session.site.id), LOOKED_SINCE)?;
    if known != value {
        session.runner.set_setting(Some(session.site.id), LOOKED_SINCE, value.as_deref())?;
    }
    Ok(())
}

/// Returns the sites on which something was not looked for since the journal was lost; all of them where nothing was.
///
/// # Errors
/// Fails only if the journal cannot be read.
pub(crate) fn not_looked_on(runner: &Runner) -> Result<Vec<String>, ReadError> {
    let Some(since) = since(runner)? else { return Ok(Vec::new()) };
    let sites = runner.sites()?;
    let mut looked_anywhere = false;
    let mut not_looked = Vec::new();
    for site in &sites {
        let looked = runner.setting(Some(site.id), LOOKED_SINCE)? == Some(since.0.to_string());
        looked_anywhere |= looked;
        if is_known(runner, site)? && !(looked && nothing_is_open(runner, site)?) {
            not_looked.push(site.name.clone());
        }
    }
    if !looked_anywhere && not_looked.is_empty() {
        not_looked.extend(sites.into_iter().map(|site| site.name));
    }
    Ok(not_looked)
}

fn since(runner: &Runner) -> Result<Option<Timestamp>, ReadError> {
    let barriers = runner.barriers(None)?;
    Ok(barriers.into_iter().find(|entry| entry.barrier == Barrier::JournalLost).map(|entry| entry.since))
}

/// What was looked for and may be sent waits for the release; everything else that a look decided stands elsewhere.
fn is_looked_for(state: State) -> bool {
    match state {
        State::Planned => false,
        State::Waiting(reason) => matches!(reason, WaitReason::ReleaseNeeded),
        State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Done
        | State::Abandoned => true,
    }
}

fn is_known(runner: &Runner, site: &Site) -> Result<bool, ReadError> {
    let posts = Filter { site: Some(site.id), kind: Some(Kind::Post), ..Filter::default() };
    Ok(runner.list_len(&posts)? > 0)
}

/// Whether the article of a record is still here, under the slug of the record: one that has another by now is looked
/// for under that, and its old record is never named again.
fn is_still_asked_for(operation: &Operation) -> bool {
    let Some(path) = operation.source_path.as_ref().filter(|path| path.exists()) else { return false };
    let Ok(found) = ichido_article::discover(std::slice::from_ref(path)) else { return true };
    let [location] = found.articles.as_slice() else { return true };
    ichido_article::slug_of(location).is_none_or(|slug| Key::post(&slug) == operation.key)
}

/// Whether no article that is still here waits for anything but the release.
fn nothing_is_open(runner: &Runner, site: &Site) -> Result<bool, ReadError> {
    const AT_ONCE: u32 = 1_000;
    let filter = Filter {
        site: Some(site.id),
        kind: Some(Kind::Post),
        states: vec!["planned", "waiting"],
        ..Filter::default()
    };
    for page in 0.. {
        let found = runner.list(&filter, Page { offset: page * u64::from(AT_ONCE), limit: AT_ONCE })?;
        let open = found
            .iter()
            .any(|operation| !is_looked_for(operation.standing.state) && is_still_asked_for(operation));
        if open {
            return Ok(false);
        }
        if found.len() < AT_ONCE as usize {
            break;
        }
    }
    Ok(true)
}
