//! Attaches images to their drafts, and has missing sizes made. Both may be repeated.

use std::collections::HashSet;

use ichido_core::apply::Event as CoreEvent;
use ichido_core::decide::{Decision, SkipNote};
use ichido_core::id::RemoteId;
use ichido_core::operation::{Kind, State};
use ichido_core::outcome::{Outcome, Recorded, UnknownCause};
use ichido_journal::{
    BeginSendError, Filter, Key, NewOperation, Note as JournalNote, Operation, Page, SendFacts,
};
use ichido_wordpress::{Attach, ById, Class};

use crate::errors::RunError;
use crate::event::{Event, Note};
use crate::item::Item;
use crate::outbox;
use crate::session::{Session, name_of};

/// Plans what a draft that is there still needs: its images attached, their sizes made.
pub(crate) fn plan(session: &Session<'_>, post: &Operation) -> Result<(), RunError> {
    let mut new = Vec::new();
    for used in session.runner.images_of(post.op_id)? {
        let Some(image) = session.runner.operation(used.image)? else { continue };
        let (State::Done, Some(id)) = (image.standing.state, image.remote_id) else { continue };
        let belongs_to_nobody = image.recorded.as_ref().is_none_or(|recorded| recorded.attached_to == 0);
        let key = Key::attach(image.op_id, post.op_id);
        let is_planned = session.runner.by_key(session.site.id, Kind::Attach, "", &key)?.is_some();
        if belongs_to_nobody && !is_planned && !goes_to_another(session, &image, post)? {
            new.push(planned(session, &image, Kind::Attach, key));
        }
        if image.needs_post_process {
            new.push(planned(session, &image, Kind::PostProcess, Key::post_process(id)));
        }
    }
    if !new.is_empty() {
        session.runner.plan_all(&new, session.now())?;
    }
    Ok(())
}

/// Whether the image is, or is about to be, attached to another draft that uses it.
fn goes_to_another(session: &Session<'_>, image: &Operation, post: &Operation) -> Result<bool, RunError> {
    for used in session.runner.posts_using(image.op_id)? {
        let key = Key::attach(image.op_id, used.post);
        let attached = session.runner.by_key(session.site.id, Kind::Attach, "", &key)?;
        if used.post != post.op_id
            && attached.is_some_and(|attached| attached.standing.state != State::Refused)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn planned(session: &Session<'_>, image: &Operation, kind: Kind, key: Key) -> NewOperation {
    NewOperation {
        op_id: session.new_op_id(),
        site: session.site.id,
        kind,
        post_type: String::new(),
        key,
        slug: String::new(),
        title: image.title.clone(),
        source_path: image.source_path.clone(),
        source_digest: None,
        images: Vec::new(),
    }
}

/// What may be repeated and was cut off is taken up again.
pub(crate) fn take_up_interrupted(session: &Session<'_>) -> Result<(), RunError> {
    for kind in [Kind::Fields, Kind::Attach, Kind::PostProcess, Kind::Term] {
        for operation in open(session, kind, &["sending"])? {
            session.runner.apply(operation.op_id, CoreEvent::Interrupted, JournalNote::at(session.now()))?;
        }
    }
    Ok(())
}

/// Returns the operations of one kind that stand so.
pub(crate) fn open(
    session: &Session<'_>,
    kind: Kind,
    states: &[&'static str],
) -> Result<Vec<Operation>, RunError> {
    const AT_ONCE: u32 = 10_000;
    let filter = Filter {
        site: Some(session.site.id),
        kind: Some(kind),
        states: states.to_vec(),
        ..Filter::default()
    };
    Ok(session.runner.list(&filter, Page { offset: 0, limit: AT_ONCE })?)
}

/// Returns an operation that may be repeated in a state from which it can be sent; `None` if the site
/// refused it for good.
pub(crate) fn ready_again(
    session: &Session<'_>,
    operation: Operation,
) -> Result<Option<Operation>, RunError> {
    let event = match operation.standing.state {
        State::Planned | State::Waiting(_) => return Ok(Some(operation)),
        State::Sending => CoreEvent::Interrupted,
        State::Refused | State::NeedsWork | State::Skipped => CoreEvent::Reopened,
        State::Halted(_) | State::Done | State::Abandoned => return Ok(None),
    };
    session.runner.apply(operation.op_id, event, JournalNote::at(session.now()))?;
    Ok(session.runner.operation(operation.op_id)?)
}

/// Does what is planned, oldest first. What fails is tried by the next run; a refusal is a note.
pub(crate) async fn run(session: &Session<'_>, items: &[Item]) -> Result<(), RunError> {
    for kind in [Kind::PostProcess, Kind::Attach] {
        let mut todo = open(session, kind, &["planned", "waiting"])?;
        todo.sort_unstable_by_key(|operation| operation.op_id);
        let of_use = if kind == Kind::Attach {
            free_images(session, &todo).await?
        } else {
            images_without_sizes(session, &todo).await?
        };
        let Some(mut of_use) = of_use else { return Ok(()) };
        for operation in todo {
            let outcome = match kind {
                Kind::Attach => attach(session, &operation, &mut of_use).await?,
                Kind::PostProcess | Kind::Post | Kind::Image | Kind::Term | Kind::Fields => {
                    post_process_if_needed(session, &operation, &of_use).await?
                }
            };
            match outcome {
                Some(Outcome::Created(_)) | None => {}
                Some(Outcome::Refused(_)) => tell_refused(session, items, &operation),
                Some(Outcome::NotSent(_)) => return Ok(()),
                Some(Outcome::Unknown(cause)) => {
                    if kind == Kind::PostProcess {
                        tell_refused(session, items, &operation);
                    }
                    if matches!(cause, UnknownCause::TimedOut | UnknownCause::ConnectionLost) {
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}

fn tell_refused(session: &Session<'_>, items: &[Item], operation: &Operation) {
    let image = operation.title.clone();
    let article = items
        .iter()
        .find(|item| {
            item.operation
                .as_ref()
                .is_some_and(|post| operation.key.as_str().ends_with(&post.op_id.to_string()))
        })
        .map_or_else(|| name_of(operation), |item| item.name.clone());
    let note = if operation.kind == Kind::Attach {
        Note::NotAttached { image }
    } else {
        Note::SizesMissing { image }
    };
    session.tell(&Event::Noted { article, note });
}

pub(crate) const NO_FACTS: SendFacts = SendFacts {
    slug: String::new(),
    title: String::new(),
    source_path: None,
    source_digest: None,
    sent_digest: None,
    normaliser: None,
    mark: None,
    expected: None,
};

/// Finds out which of the images belong to no post just now: moving one that does to a draft would make it
/// unreadable where it is used already. `None` if the site could not be asked.
async fn free_images(
    session: &Session<'_>,
    todo: &[Operation],
) -> Result<Option<HashSet<RemoteId>>, RunError> {
    let mut images = Vec::with_capacity(todo.len());
    for operation in todo {
        let Some((image, _)) = operation.key.attached() else { continue };
        images.extend(session.runner.operation(image)?.and_then(|image| image.remote_id));
    }
    if images.is_empty() {
        return Ok(Some(HashSet::new()));
    }
    let rows = match session.client.by_ids(Class::Media, &images).await {
        Ok(rows) => rows.value,
        Err(error) => {
            tracing::warn!(%error, "images could not be looked up before they are attached");
            return Ok(None);
        }
    };
    let is_free = |row: &ById| match row {
        ById::There(row) => row.media.as_ref().is_none_or(|media| media.attached_to == 0),
        ById::Gone | ById::Forbidden => false,
    };
    Ok(Some(rows.into_iter().filter(|(_, row)| is_free(row)).map(|(id, _)| id).collect()))
}

/// Finds out which of the images lack sizes just now: their own uploads may have made them meanwhile. `None` if the site
/// could not be asked.
async fn images_without_sizes(
    session: &Session<'_>,
    todo: &[Operation],
) -> Result<Option<HashSet<RemoteId>>, RunError> {
    let images: Vec<RemoteId> = todo.iter().filter_map(media_of).collect();
    if images.is_empty() {
        return Ok(Some(HashSet::new()));
    }
    let rows = match session.client.by_ids(Class::Media, &images).await {
        Ok(rows) => rows.value,
        Err(error) => {
            tracing::warn!(%error, "images could not be looked up before their sizes are made");
            return Ok(None);
        }
    };
    let mut lacking = HashSet::new();
    for (id, row) in rows {
        let whole = match &row {
            ById::There(row) => row.media.as_ref().is_some_and(|media| media.missing_sizes.is_empty()),
            // What the site says to the request is told.
            ById::Gone | ById::Forbidden => false,
        };
        if !whole {
            lacking.insert(id);
        } else if let ById::There(row) = row {
            note_sizes(session, id, Some(&row.recorded()))?;
        }
    }
    Ok(Some(lacking))
}

fn media_of(operation: &Operation) -> Option<RemoteId> {
    operation.key.as_str().parse().ok().map(RemoteId)
}

fn note_sizes(session: &Session<'_>, media: RemoteId, row: Option<&Recorded>) -> Result<(), RunError> {
    let owners = session.runner.by_remote_ids(session.site.id, Kind::Image, &[media])?;
    if let Some(image) = owners.get(&media) {
        session.runner.post_processed(*image, row, session.now())?;
    }
    Ok(())
}

async fn post_process_if_needed(
    session: &Session<'_>,
    operation: &Operation,
    lacking: &HashSet<RemoteId>,
) -> Result<Option<Outcome>, RunError> {
    let Some(media) = media_of(operation) else { return Ok(None) };
    if lacking.contains(&media) {
        return post_process(session, operation).await;
    }
    let whole = Decision::Skip { id: media, note: SkipNote::Same };
    session.runner.apply(operation.op_id, CoreEvent::Decided(&whole), JournalNote::at(session.now()))?;
    Ok(None)
}

async fn attach(
    session: &Session<'_>,
    operation: &Operation,
    free: &mut HashSet<RemoteId>,
) -> Result<Option<Outcome>, RunError> {
    let Some((image, post)) = operation.key.attached() else { return Ok(None) };
    let (Some(image), Some(post)) = (session.runner.operation(image)?, session.runner.operation(post)?)
    else {
        return Ok(None);
    };
    let (Some(media), Some(post_id)) = (image.remote_id, post.remote_id) else { return Ok(None) };
    // Whoever comes second finds it taken.
    if !free.remove(&media) {
        let elsewhere = Decision::Skip { id: media, note: SkipNote::Differs };
        let note = JournalNote::at(session.now());
        session.runner.apply(operation.op_id, CoreEvent::Decided(&elsewhere), note)?;
        return Ok(None);
    }
    let publish = image.recorded.as_ref().is_some_and(|recorded| recorded.status == "private");
    let request = Attach { media, post: post_id, publish };
    let facts = SendFacts { title: operation.title.clone(), ..NO_FACTS };
    let outcome =
        outbox::send(session, operation, &facts, |permit| session.client.attach(permit, request)).await?;
    Ok(Some(outcome))
}

/// Has the missing sizes of an image made, once; what fails stays planned.
pub(crate) async fn make_sizes(session: &Session<'_>, image: &Operation) -> Result<(), RunError> {
    let Some(id) = image.remote_id else { return Ok(()) };
    let new = planned(session, image, Kind::PostProcess, Key::post_process(id));
    let operation = session.runner.plan(&new, session.now())?;
    match operation.standing.state {
        State::Planned | State::Waiting(_) => match post_process(session, &operation).await {
            Ok(Some(Outcome::Refused(_))) => {
                let note = Note::SizesMissing { image: operation.title.clone() };
                session.tell(&Event::Noted { article: name_of(&operation), note });
                Ok(())
            }
            // Tried again at the end of the batch, which tells.
            Ok(_) => Ok(()),
            // What an earlier send brought to light keeps everything from being sent, and is told elsewhere.
            Err(RunError::BeginSend(BeginSendError::Barrier { .. })) => Ok(()),
            Err(error) => Err(error),
        },
        State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Done
        | State::Abandoned => Ok(()),
    }
}

async fn post_process(session: &Session<'_>, operation: &Operation) -> Result<Option<Outcome>, RunError> {
    let Some(media) = media_of(operation) else { return Ok(None) };
    let facts = SendFacts { title: operation.title.clone(), ..NO_FACTS };
    let outcome =
        outbox::send(session, operation, &facts, |permit| session.client.post_process(permit, media)).await?;
    if let Outcome::Created(changed) = &outcome {
        note_sizes(session, media, changed.row.as_ref())?;
        if changed.needs_post_process {
            let note = Note::SizesMissing { image: operation.title.clone() };
            session.tell(&Event::Noted { article: name_of(operation), note });
        }
    }
    Ok(Some(outcome))
}
