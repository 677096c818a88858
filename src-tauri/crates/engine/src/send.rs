//! Sends one article: its images, then its draft.

use std::collections::BTreeMap;

use ichido_article::{Article, ComposeError, PlacedImage};
use ichido_core::apply::Blocked;
use ichido_core::content;
use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{State, WaitReason};
use ichido_core::outcome::{Created, Recorded};
use ichido_core::tally::{DoneBy, Pause};
use ichido_journal::{IdSpace, Operation, SendFacts};
use ichido_wordpress::{DraftRequest, FOOTNOTES};

use crate::batch::Batch;
use crate::errors::RunError;
use crate::event::{Event, Note, Step};
use crate::evidence::Expected;
use crate::fidelity;
use crate::fields::Wanted;
use crate::images::{self, Placed};
use crate::item::{Item, block, refresh, tell_end, tell_filtered};
use crate::reconcile::notes_of;
use crate::session::Session;
use crate::terms::Lacking;
use crate::transmit::{After, Fresh, look_afresh, send_with_back_off};

/// What sending an article came to.
#[derive(Debug)]
pub(crate) enum Sending {
    /// The draft is there.
    Done,
    /// It ended in another way, which its record says.
    Ended,
    /// The outcome of the draft is unknown, and a look did not settle it.
    Unknown,
    /// The outcome of an image is unknown, and a look did not settle it.
    ImageUnknown(OpId),
    /// An image was in doubt before.
    ImageInDoubt(OpId),
    /// Nothing more should be sent to the site in this run.
    Pause(Pause, Option<String>),
    /// Creating was shut until a person releases it.
    Shut,
}

/// Sends one article.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) async fn article(batch: &mut Batch<'_>, item: &mut Item) -> Result<Sending, RunError> {
    let Some(article) = item.article.take() else { return Ok(Sending::Ended) };
    let sending = send_parts(batch, item, &article).await;
    item.article = Some(article);
    sending
}

async fn send_parts(batch: &mut Batch<'_>, item: &mut Item, article: &Article) -> Result<Sending, RunError> {
    let session = batch.session;
    let terms = match batch.terms().of(article) {
        Ok(terms) => terms,
        Err(Lacking::InDoubt) => {
            block(session, item, Blocked::Wait(WaitReason::CouldNotAsk))?;
            return Ok(Sending::Ended);
        }
        Err(Lacking::Names(notes)) => {
            for note in notes {
                session.tell(&Event::Noted { article: item.name.clone(), note });
            }
            block(session, item, Blocked::NeedsWork)?;
            return Ok(Sending::Ended);
        }
    };
    let mut fields = match batch.fields().of(article) {
        Ok(fields) => fields,
        Err(notes) => {
            for note in notes {
                session.tell(&Event::Noted { article: item.name.clone(), note });
            }
            block(session, item, Blocked::NeedsWork)?;
            return Ok(Sending::Ended);
        }
    };
    let mut placed = Vec::with_capacity(article.images.len());
    for (index, image) in article.images.iter().enumerate() {
        let step = Step::Image { number: index + 1, of: article.images.len() };
        match images::place(batch, item, image, step).await? {
            Placed::At(image) => placed.push(image),
            Placed::Not(sending) => return Ok(sending),
        }
    }
    let Some(operation) = item.operation.clone() else { return Ok(Sending::Ended) };
    if !batch.is_fresh(item.cleared_at)
        && let Some(instead) = look_before_draft(session, item, &operation).await?
    {
        return Ok(instead);
    }
    let marker = operation.op_id.to_string();
    let (content, notes) = match composed(batch, article, &placed, &marker) {
        Ok(composed) => composed,
        Err(error) => {
            tracing::error!(%error, "an article that passed preflight cannot be composed");
            block(session, item, Blocked::NeedsWork)?;
            return Ok(Sending::Ended);
        }
    };
    fields.extend(notes.map(|notes| (FOOTNOTES.to_owned(), notes)));
    let featured = article.featured.and_then(|index| placed.get(index)).map(|image| RemoteId(image.id));
    let request = DraftRequest {
        slug: article.slug.clone(),
        title: article.title.clone(),
        excerpt: article.excerpt.clone(),
        content,
        tags: terms.tags,
        categories: terms.categories,
        featured_media: featured,
    };
    tell_filtered(session, item);
    session.tell(&Event::Step { article: item.name.clone(), step: Step::Draft });
    let facts = draft_facts(session, item, article, &request, fields)?;
    let outcome = send_with_back_off(session, &operation, &facts, || {
        |permit| session.client.create_draft(permit, &request)
    })
    .await?;
    refresh(session, item)?;
    let stored = match &outcome {
        After::Created(created) => created.stored.clone(),
        After::Adopted(_) => fidelity::stored(session, item).await,
        After::Unsettled
        | After::Refused(_)
        | After::Ended
        | After::Blocked
        | After::Pause(..)
        | After::Shut => None,
    };
    if let Some(stored) = stored {
        fidelity::tell(session, item, &request, &stored);
    }
    after_draft(session, item, outcome).await
}

/// Composes the content, and the footnotes where they are kept beside it.
fn composed(
    batch: &Batch<'_>,
    article: &Article,
    placed: &[PlacedImage],
    marker: &str,
) -> Result<(String, Option<Wanted>), ComposeError> {
    if batch.session.settings.classic {
        return Ok((article.compose_classic(placed)?, None));
    }
    let editor = batch.fields().editor();
    let content = article.compose_for(editor, placed, Some(marker))?;
    let notes = if editor.footnotes { article.footnotes(placed)? } else { Vec::new() };
    Ok((content, (!notes.is_empty()).then(|| Wanted::footnotes(&notes))))
}

/// The images may have taken so long that the look for the draft is too old by now. Returns what keeps the
/// draft from being sent, if anything does.
async fn look_before_draft(
    session: &Session<'_>,
    item: &mut Item,
    operation: &Operation,
) -> Result<Option<Sending>, RunError> {
    let fresh = look_afresh(session, operation).await?;
    refresh(session, item)?;
    let decision = match fresh {
        Fresh::Clear => return Ok(None),
        Fresh::SiteSilent => return Ok(Some(Sending::Pause(Pause::Unreachable, None))),
        Fresh::Not(decision) => decision,
    };
    for note in notes_of(&decision) {
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
    tell_end(session, item);
    Ok(Some(Sending::Ended))
}

async fn after_draft(session: &Session<'_>, item: &mut Item, outcome: After) -> Result<Sending, RunError> {
    match outcome {
        After::Created(created) => {
            item.done_by = DoneBy::Answer;
            note_slug(session, item, &created);
            note_status(session, item, created.row.as_ref());
            tell_end(session, item);
            Ok(Sending::Done)
        }
        After::Adopted(notes) => {
            for note in notes {
                session.tell(&Event::Noted { article: item.name.clone(), note });
            }
            item.done_by = DoneBy::Adoption;
            let recorded = item.operation.as_ref().and_then(|operation| operation.recorded.clone());
            note_status(session, item, recorded.as_ref());
            tell_end(session, item);
            Ok(Sending::Done)
        }
        After::Unsettled => {
            session.tell(&Event::Step { article: item.name.clone(), step: Step::Looking });
            Ok(Sending::Unknown)
        }
        After::Refused(refusal) => {
            tell_end(session, item);
            if refusal.code.pauses_site() {
                Ok(Sending::Pause(Pause::Refused, Some(refusal.code.as_str().to_owned())))
            } else {
                Ok(Sending::Ended)
            }
        }
        After::Ended | After::Blocked => {
            tell_end(session, item);
            Ok(Sending::Ended)
        }
        After::Shut => Ok(Sending::Shut),
        After::Pause(pause, detail) => {
            if item.is_in(State::Done) {
                item.done_by = DoneBy::Adoption;
            }
            if !item.may_be_sent() {
                tell_end(session, item);
            }
            Ok(Sending::Pause(pause, detail))
        }
    }
}

fn note_slug(session: &Session<'_>, item: &Item, created: &Created) {
    let given = created.row.as_ref().map(|row| row.slug.as_str());
    if let Some(slug) = given.filter(|slug| !slug.is_empty() && Some(*slug) != item.name.slug.as_deref()) {
        let note = Note::SlugGivenBySite { slug: slug.to_owned() };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
}

/// What was sent as a draft is one, unless a plugin decides otherwise.
fn note_status(session: &Session<'_>, item: &Item, recorded: Option<&Recorded>) {
    let given = recorded.map(|row| row.status.as_str()).filter(|status| !matches!(*status, "" | "draft"));
    if let Some(status) = given {
        let note = Note::StatusGivenBySite { status: status.to_owned() };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
}

fn draft_facts(
    session: &Session<'_>,
    item: &Item,
    article: &Article,
    request: &DraftRequest,
    fields: BTreeMap<String, Wanted>,
) -> Result<SendFacts, RunError> {
    let expected = Expected {
        tags: request.tags.clone(),
        categories: request.categories.clone(),
        featured_media: request.featured_media.map_or(0, |id| id.0),
        excerpt: request.excerpt.clone(),
        fields,
        ..Expected::default()
    };
    Ok(SendFacts {
        slug: request.slug.as_str().to_owned(),
        title: request.title.clone(),
        source_path: Some(item.name.path.clone()),
        source_digest: Some(Digest(article.source_digest)),
        sent_digest: Some(content::sent_digest(&request.title, &request.content)),
        normaliser: Some(content::NORMALISER),
        mark: session.runner.high_water(session.site.id, IdSpace::Posts)?.or(Some(RemoteId(0))),
        expected: serde_json::to_value(&expected).ok(),
    })
}
