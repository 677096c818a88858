//! Sends one article: its images, then its draft.

use std::time::Duration;

use bytes::Bytes;
use ichido_article::{Article, ArticleImage, PlacedImage};
use ichido_core::apply::Blocked;
use ichido_core::content;
use ichido_core::decide::Decision;
use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{Kind, State};
use ichido_core::outcome::{Created, NotSent, Outcome, Refusal, UnknownCause};
use ichido_core::tally::{DoneBy, Pause};
use ichido_journal::{IdSpace, Note as JournalNote, Operation, SendFacts};
use ichido_wordpress::{ById, Class, DraftRequest, UploadRequest};

use crate::batch::Batch;
use crate::errors::RunError;
use crate::event::{Event, Note, Step, WaitingFor};
use crate::evidence::Expected;
use crate::item::{Item, block, image_key, image_title, refresh, tell_end};
use crate::looks::Depth;
use crate::outbox;
use crate::reconcile::{Digests, Turn, settle_by_looking};
use crate::session::Session;

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
}

/// Waits before a request that was proved not to have been executed is made again.
const BACK_OFF: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(16),
];

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
        match place_image(batch, item, image, step).await? {
            Ok(image) => placed.push(image),
            Err(sending) => return Ok(sending),
        }
    }
    let Some(operation) = item.operation.clone() else { return Ok(Sending::Ended) };
    let marker = operation.op_id.to_string();
    let content = match article.compose(&placed, Some(&marker)) {
        Ok(content) => content,
        Err(error) => {
            tracing::error!(%error, "an article that passed preflight cannot be composed");
            block(session, item, Blocked::NeedsWork)?;
            return Ok(Sending::Ended);
        }
    };
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
    session.tell(&Event::Step { article: item.name.clone(), step: Step::Draft });
    let facts = draft_facts(session, item, article, &request)?;
    let outcome = send_with_back_off(session, &operation, &facts, || {
        |permit| session.client.create_draft(permit, &request)
    })
    .await?;
    refresh(session, item)?;
    after_draft(session, item, outcome).await
}

async fn after_draft(session: &Session<'_>, item: &mut Item, outcome: After) -> Result<Sending, RunError> {
    match outcome {
        After::Created(created) => {
            item.done_by = DoneBy::Answer;
            note_slug(session, item, &created);
            tell_end(session, item);
            Ok(Sending::Done)
        }
        After::Adopted => {
            item.done_by = DoneBy::Adoption;
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
        After::Ended => {
            tell_end(session, item);
            Ok(Sending::Ended)
        }
        After::Pause(pause, detail) => {
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

fn draft_facts(
    session: &Session<'_>,
    item: &Item,
    article: &Article,
    request: &DraftRequest,
) -> Result<SendFacts, RunError> {
    let expected = Expected {
        tags: request.tags.clone(),
        categories: request.categories.clone(),
        featured_media: request.featured_media.map_or(0, |id| id.0),
        excerpt: request.excerpt.clone(),
        file_size: None,
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

/// What is known after a send, and after the look that an unknown outcome calls for.
enum After {
    Created(Box<Created>),
    Adopted,
    /// In doubt, and to be looked for again.
    Unsettled,
    Refused(Refusal),
    /// Halted, or found to be there already.
    Ended,
    Pause(Pause, Option<String>),
}

/// Sends, and where it is proved that nothing was executed sends again after a wait and a fresh look,
/// five times at most.
async fn send_with_back_off<'s, F, R, S>(
    session: &'s Session<'_>,
    operation: &Operation,
    facts: &SendFacts,
    request: F,
) -> Result<After, RunError>
where
    F: Fn() -> R,
    R: FnOnce(ichido_core::permit::SendPermit) -> S,
    S: std::future::Future<Output = ichido_core::outcome::Sent> + 's,
{
    for wait in BACK_OFF.into_iter().map(Some).chain([None]) {
        let outcome = outbox::send(session, operation, facts, request()).await?;
        let not_sent = match outcome {
            Outcome::Created(created) => return read_back(session, operation, *created).await,
            Outcome::Refused(refusal) => return Ok(After::Refused(refusal)),
            Outcome::Unknown(cause) => return after_unknown(session, operation, &cause).await,
            Outcome::NotSent(not_sent) => not_sent,
        };
        if let NotSent::Maintenance { .. } = not_sent {
            return Ok(After::Pause(Pause::Maintenance, None));
        }
        let Some(wait) = wait else { break };
        session.tell(&Event::Waiting {
            for_ms: u64::try_from(wait.as_millis()).unwrap_or(0),
            why: WaitingFor::Site,
        });
        session.clock.sleep(wait).await;
        match look_afresh(session, operation).await? {
            Decision::Create => {}
            Decision::Wait(_) => return Ok(After::Pause(Pause::Unreachable, None)),
            Decision::Skip { .. }
            | Decision::Halt(_)
            | Decision::Adopt { .. }
            | Decision::Verified(_)
            | Decision::Replace
            | Decision::StayInDoubt(_)
            | Decision::Keep => return Ok(After::Ended),
        }
    }
    Ok(After::Pause(Pause::Unreachable, None))
}

/// Every attempt after a wait starts from a complete look.
async fn look_afresh(session: &Session<'_>, operation: &Operation) -> Result<Decision, RunError> {
    let Some(now) = session.runner.operation(operation.op_id)? else { return Ok(Decision::Keep) };
    let judged =
        settle_by_looking(session, &[&now], &Digests::new(), &Digests::new(), Depth::AsNeeded, Turn::Last)
            .await?;
    Ok(judged.get(&operation.op_id).map_or(Decision::Keep, |judged| judged.decision.clone()))
}

/// An answer whose body could not be read told the id at least: the row is read by it.
async fn read_back(
    session: &Session<'_>,
    operation: &Operation,
    mut created: Created,
) -> Result<After, RunError> {
    if created.row.is_none() {
        let class = if operation.kind == Kind::Image { Class::Media } else { Class::Posts };
        match session.client.by_ids(class, &[created.id]).await {
            Ok(answered) => {
                for (id, row) in answered.value {
                    if let ById::There(row) = row {
                        let recorded = row.recorded();
                        let note = JournalNote::at(session.now()).with_row(id, Some(recorded.clone()));
                        let verified = Decision::Verified(ichido_core::decide::VerifiedNote::default());
                        session.runner.apply(
                            operation.op_id,
                            ichido_core::apply::Event::Decided(&verified),
                            note,
                        )?;
                        created.row = Some(recorded);
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "what was created could not be read back"),
        }
    }
    Ok(After::Created(Box::new(created)))
}

async fn after_unknown(
    session: &Session<'_>,
    operation: &Operation,
    cause: &UnknownCause,
) -> Result<After, RunError> {
    let Some(now) = session.runner.operation(operation.op_id)? else { return Ok(After::Ended) };
    settle_by_looking(session, &[&now], &Digests::new(), &Digests::new(), Depth::AsNeeded, Turn::Early)
        .await?;
    let Some(then) = session.runner.operation(operation.op_id)? else { return Ok(After::Ended) };
    // A redirect says that the address is wrong for every article: nothing more is sent to it.
    if let UnknownCause::Redirect { status } = cause {
        return Ok(After::Pause(Pause::Redirected, Some(status.to_string())));
    }
    match then.standing.state {
        State::Done => Ok(After::Adopted),
        state if state.is_in_doubt() => Ok(After::Unsettled),
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Abandoned => Ok(After::Ended),
    }
}

/// Sees to it that an image is on the site.
async fn place_image(
    batch: &mut Batch<'_>,
    item: &mut Item,
    image: &ArticleImage,
    step: Step,
) -> Result<Result<PlacedImage, Sending>, RunError> {
    let session = batch.session;
    let key = image_key(image);
    let known = match batch.images.get(key.as_str()) {
        Some(known) => Some(known.clone()),
        None => session.runner.by_key(session.site.id, Kind::Image, "", &key)?,
    };
    let Some(operation) = known else { return Ok(Err(Sending::Ended)) };
    let after = match operation.standing.state {
        State::Done => return placed_or_halted(session, item, image, &operation),
        State::Planned | State::Waiting(_) => {
            session.tell(&Event::Step { article: item.name.clone(), step });
            upload(session, item, image, &operation).await?
        }
        State::Refused => match reopen_refused(session, item, image, &operation).await? {
            Some(after) => after,
            None => return Ok(Err(Sending::Ended)),
        },
        State::Sending | State::Halted(_) | State::NeedsWork | State::Skipped | State::Abandoned => {
            session.tell(&Event::Noted {
                article: item.name.clone(),
                note: Note::ImageInDoubt { image: image.path() },
            });
            return Ok(Err(Sending::ImageInDoubt(operation.op_id)));
        }
    };
    let now = session.runner.operation(operation.op_id)?.unwrap_or(operation);
    batch.images.insert(now.key.as_str().to_owned(), now.clone());
    match after {
        Some(After::Created(_) | After::Adopted) => placed_or_halted(session, item, image, &now),
        Some(After::Unsettled) => {
            session.tell(&Event::Step { article: item.name.clone(), step: Step::Looking });
            Ok(Err(Sending::ImageUnknown(now.op_id)))
        }
        Some(After::Refused(refusal)) => {
            item.refused = Some(refusal.code);
            let note = Note::ImageRefused { image: image.path(), code: refusal.code };
            session.tell(&Event::Noted { article: item.name.clone(), note });
            block(session, item, Blocked::ImageRefused)?;
            if refusal.code.pauses_site() {
                return Ok(Err(Sending::Pause(Pause::Refused, Some(refusal.code.as_str().to_owned()))));
            }
            Ok(Err(Sending::Ended))
        }
        Some(After::Pause(pause, detail)) => Ok(Err(Sending::Pause(pause, detail))),
        Some(After::Ended) => Ok(Err(Sending::ImageInDoubt(now.op_id))),
        None => Ok(Err(Sending::Ended)),
    }
}

/// A refused image is tried again once its article was taken up again.
async fn reopen_refused(
    session: &Session<'_>,
    item: &mut Item,
    image: &ArticleImage,
    operation: &Operation,
) -> Result<Option<Option<After>>, RunError> {
    let now = session.now();
    session.runner.apply(operation.op_id, ichido_core::apply::Event::Reopened, JournalNote::at(now))?;
    match look_afresh(session, operation).await? {
        Decision::Create => Ok(Some(upload(session, item, image, operation).await?)),
        Decision::Wait(_) => Ok(Some(Some(After::Pause(Pause::Unreachable, None)))),
        Decision::Skip { .. }
        | Decision::Halt(_)
        | Decision::Adopt { .. }
        | Decision::Verified(_)
        | Decision::Replace
        | Decision::StayInDoubt(_)
        | Decision::Keep => Ok(Some(Some(After::Ended))),
    }
}

fn placed_or_halted(
    session: &Session<'_>,
    item: &Item,
    image: &ArticleImage,
    operation: &Operation,
) -> Result<Result<PlacedImage, Sending>, RunError> {
    let url = operation.recorded.as_ref().and_then(|recorded| recorded.source_url.clone());
    match (operation.remote_id, url) {
        (Some(id), Some(url)) => Ok(Ok(PlacedImage { id: id.0, url, size: None })),
        // The site did not say where the file is; without that no content can be composed.
        (Some(_) | None, _) => {
            session.tell(&Event::Noted {
                article: item.name.clone(),
                note: Note::ImageInDoubt { image: image.path() },
            });
            Ok(Err(Sending::ImageInDoubt(operation.op_id)))
        }
    }
}

/// Uploads an image. `None`: its file is no longer what preflight saw.
async fn upload(
    session: &Session<'_>,
    item: &mut Item,
    image: &ArticleImage,
    operation: &Operation,
) -> Result<Option<After>, RunError> {
    let options =
        ichido_article::Options { strip_metadata: session.settings.strip_camera, ..Default::default() };
    let prepared = match image.prepare(&options) {
        Ok(prepared) => prepared,
        Err(error) => {
            tracing::warn!(%error, "an image changed after the article had been checked");
            let note = Note::ImageChanged { image: image.path() };
            session.tell(&Event::Noted { article: item.name.clone(), note });
            block(session, item, Blocked::NeedsWork)?;
            return Ok(None);
        }
    };
    let expected = Expected { file_size: u64::try_from(prepared.bytes.len()).ok(), ..Expected::default() };
    let request = UploadRequest {
        bytes: Bytes::from(prepared.bytes),
        file_name: image.file_name.clone(),
        mime: prepared.mime.to_string(),
        slug: image.slug.clone(),
        title: image_title(image),
        alt_text: image.alt.clone(),
        caption: image.caption.clone(),
        private: session.identity.can.publish_posts(),
        md5_hex: prepared.md5_hex,
        defer_sizes: false,
    };
    let facts = SendFacts {
        slug: image.slug.as_str().to_owned(),
        title: request.title.clone(),
        source_path: Some(image.path()),
        source_digest: Some(Digest(image.digest)),
        sent_digest: Some(Digest(prepared.sha256)),
        normaliser: None,
        mark: session.runner.high_water(session.site.id, IdSpace::Media)?.or(Some(RemoteId(0))),
        expected: serde_json::to_value(&expected).ok(),
    };
    let after = send_with_back_off(session, operation, &facts, || {
        |permit| session.client.upload_image(permit, &request)
    })
    .await?;
    Ok(Some(after))
}
