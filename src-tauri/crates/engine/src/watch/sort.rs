//! Which articles of a watched folder may go on, by what the journal says of them.

use std::collections::HashMap;

use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_journal::{Journal, Key, Operation, ReadError, SiteId};

use super::articles::{Condition, Read};
use super::status::Counts;
use crate::item::POST_TYPE;

/// The articles of a folder, sorted.
#[derive(Debug, Default)]
pub(super) struct Sorted<'a> {
    pub(super) counts: Counts,
    /// Never registered, or stopped before their turn: for automatic registration alone.
    pub(super) ready: Vec<&'a Read>,
    /// A person or the watch had them sent, and it is proved that they were not: they go on by themselves.
    pub(super) waiting: Vec<&'a Read>,
}

/// What the journal says of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Ready,
    Waiting,
    /// It waits for something that only a person can settle.
    Held,
    /// Something on the site is missing that it names.
    NeedsWork,
    Settled,
}

/// Sorts the articles of a folder. Nothing that is halted, in doubt or done is among those that may go on.
///
/// # Errors
/// Fails if the journal does.
pub(super) fn sort<'a>(
    journal: &Journal,
    site: SiteId,
    articles: impl Iterator<Item = Condition<'a>>,
) -> Result<Sorted<'a>, ReadError> {
    let mut sorted = Sorted::default();
    let mut whole: Vec<(&Read, Key)> = Vec::new();
    for condition in articles {
        sorted.counts.articles += 1;
        match condition {
            Condition::SetAside => sorted.counts.set_aside += 1,
            Condition::Settling => sorted.counts.settling += 1,
            Condition::Quiet(read) => match (&read.slug, read.digest) {
                (Some(slug), Some(_)) => whole.push((read, Key::post(slug))),
                (Some(_) | None, _) => sorted.counts.needs_work += 1,
            },
        }
    }
    let mut at_slug: HashMap<&Key, usize> = HashMap::new();
    for (_, key) in &whole {
        *at_slug.entry(key).or_default() += 1;
    }
    let keys: Vec<Key> = whole.iter().map(|(_, key)| key.clone()).collect();
    let records = journal.by_keys(site, Kind::Post, POST_TYPE, &keys)?;
    for (read, key) in &whole {
        let standing = match records.get(key) {
            None if at_slug.get(key).is_some_and(|count| *count > 1) => {
                sorted.counts.needs_work += 1;
                continue;
            }
            None => Standing::Ready,
            Some(record) => standing(journal, record, read)?,
        };
        match standing {
            Standing::Ready => {
                sorted.counts.ready += 1;
                sorted.ready.push(read);
            }
            Standing::Waiting => {
                sorted.counts.waiting += 1;
                sorted.waiting.push(read);
            }
            Standing::Held => sorted.counts.waiting += 1,
            Standing::NeedsWork => sorted.counts.needs_work += 1,
            Standing::Settled => sorted.counts.settled += 1,
        }
    }
    Ok(sorted)
}

impl Sorted<'_> {
    /// Returns the articles that are to be registered now.
    pub(super) fn to_register(&self, automatic: bool) -> impl Iterator<Item = &Read> {
        let ready = self.ready.iter().filter(move |_| automatic);
        self.waiting.iter().chain(ready).copied()
    }
}

fn standing(journal: &Journal, record: &Operation, read: &Read) -> Result<Standing, ReadError> {
    let changed = record.source_digest != read.digest;
    Ok(match record.standing.state {
        State::Planned | State::Waiting(WaitReason::Stopped) => Standing::Ready,
        State::Waiting(WaitReason::ImageInDoubt) => {
            if waits_for_a_person(journal, record)? {
                Standing::Held
            } else {
                Standing::Waiting
            }
        }
        State::Waiting(
            WaitReason::CouldNotAsk
            | WaitReason::NotSent
            | WaitReason::Maintenance
            | WaitReason::SitePaused
            | WaitReason::ReleaseNeeded
            | WaitReason::Credentials,
        ) => Standing::Waiting,
        State::NeedsWork | State::Refused | State::Skipped if changed => Standing::Ready,
        State::NeedsWork => Standing::NeedsWork,
        State::Refused
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Done
        | State::Abandoned => Standing::Settled,
    })
}

/// Whether an image that the article needs was halted, so that looking alone will not settle it.
fn waits_for_a_person(journal: &Journal, post: &Operation) -> Result<bool, ReadError> {
    for used in journal.images_of(post.op_id)? {
        let Some(image) = journal.operation(used.image)? else { continue };
        if let State::Halted(reason) = image.standing.state
            && reason != HaltReason::CouldNotAsk
        {
            return Ok(true);
        }
    }
    Ok(false)
}
