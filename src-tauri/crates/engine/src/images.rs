//! Sees to it that an article's images are on the site before its draft is sent.

use bytes::Bytes;
use ichido_article::{ArticleImage, PlacedImage};
use ichido_core::apply::{Blocked, Event as CoreEvent};
use ichido_core::digest::Digest;
use ichido_core::id::RemoteId;
use ichido_core::operation::{Kind, State};
use ichido_core::outcome::{Refusal, RefusalCode};
use ichido_core::slug::Slug;
use ichido_core::tally::Pause;
use ichido_journal::{IdSpace, Note as JournalNote, Operation, SendFacts};
use ichido_wordpress::UploadRequest;

use crate::attach;
use crate::batch::Batch;
use crate::errors::RunError;
use crate::event::{Event, Note, Step};
use crate::evidence::Expected;
use crate::item::{Item, block, image_key, image_title};
use crate::send::Sending;
use crate::session::Session;
use crate::transmit::{After, Fresh, look_afresh, send_with_back_off};

/// Where an image is, or what keeps its article from being sent.
pub(crate) enum Placed {
    At(PlacedImage),
    Not(Sending),
}

/// Sees to it that an image is on the site.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) async fn place(
    batch: &mut Batch<'_>,
    item: &mut Item,
    image: &ArticleImage,
    step: Step,
) -> Result<Placed, RunError> {
    let session = batch.session;
    let key = image_key(image);
    let known = match batch.images.get(key.as_str()) {
        Some(known) => Some(known.clone()),
        None => session.runner.by_key(session.site.id, Kind::Image, "", &key)?,
    };
    let Some(operation) = known else { return Ok(Placed::Not(Sending::Ended)) };
    let is_open = matches!(operation.standing.state, State::Planned | State::Waiting(_) | State::Refused);
    if is_open && !session.identity.can.upload_files() {
        return Ok(Placed::Not(may_not_upload(session, item, image)?));
    }
    let after = match operation.standing.state {
        State::Done => return Ok(where_it_is(session, item, image, &operation)),
        State::Planned | State::Waiting(_) if batch.is_cleared_image(operation.op_id) => {
            session.tell(&Event::Step { article: item.name.clone(), step });
            let defers = batch.defers_sizes().await;
            upload(session, item, image, &operation, defers).await?
        }
        State::Planned | State::Waiting(_) | State::Refused => {
            let refused_now = batch.refused_images.contains(&operation.op_id);
            match operation.refusal.clone().filter(|_| refused_now) {
                Some(refusal) => After::Refused(refusal),
                None => {
                    session.tell(&Event::Step { article: item.name.clone(), step });
                    let defers = batch.defers_sizes().await;
                    upload_after_a_look(session, item, image, &operation, defers).await?
                }
            }
        }
        State::Sending | State::Halted(_) | State::NeedsWork | State::Skipped | State::Abandoned => {
            After::Ended
        }
    };
    let now = session.runner.operation(operation.op_id)?.unwrap_or(operation);
    let now = if matches!(after, After::Created(_)) { finished(session, now).await? } else { now };
    batch.images.insert(now.key.as_str().to_owned(), now.clone());
    Ok(match after {
        After::Created(_) | After::Adopted(_) => where_it_is(session, item, image, &now),
        After::Unsettled => {
            session.tell(&Event::Step { article: item.name.clone(), step: Step::Looking });
            Placed::Not(Sending::ImageUnknown(now.op_id))
        }
        After::Refused(refusal) => {
            batch.refused_images.insert(now.op_id);
            Placed::Not(refused(session, item, image, &refusal)?)
        }
        After::Pause(pause, detail) => Placed::Not(Sending::Pause(pause, detail)),
        After::Ended => in_doubt(session, item, image, &now),
        After::Blocked => Placed::Not(Sending::Ended),
        After::Shut => Placed::Not(Sending::Shut),
    })
}

/// Has the missing sizes of an image made as soon as its upload was answered, so that the address in the text is its
/// last one. Where that fails, it is tried again at the end of the batch and by the next run; the image itself is there.
/// An image whose answer was lost may still be at work on its sizes: it is left to the end of the batch.
async fn finished(session: &Session<'_>, image: Operation) -> Result<Operation, RunError> {
    if !image.needs_post_process {
        return Ok(image);
    }
    attach::make_sizes(session, &image).await?;
    Ok(session.runner.operation(image.op_id)?.unwrap_or(image))
}

fn where_it_is(session: &Session<'_>, item: &Item, image: &ArticleImage, operation: &Operation) -> Placed {
    let url = operation.recorded.as_ref().and_then(|recorded| recorded.source_url.clone());
    match (operation.remote_id, url) {
        (Some(id), Some(url)) => Placed::At(PlacedImage { id: id.0, url, size: None }),
        // The site did not say where the file is; without that no content can be composed.
        (Some(_) | None, _) => in_doubt(session, item, image, operation),
    }
}

fn in_doubt(session: &Session<'_>, item: &Item, image: &ArticleImage, operation: &Operation) -> Placed {
    let note = Note::ImageInDoubt { image: image.path() };
    session.tell(&Event::Noted { article: item.name.clone(), note });
    Placed::Not(Sending::ImageInDoubt(operation.op_id))
}

fn refused(
    session: &Session<'_>,
    item: &mut Item,
    image: &ArticleImage,
    refusal: &Refusal,
) -> Result<Sending, RunError> {
    item.refused = Some(refusal.code);
    let note = Note::ImageRefused { image: image.path(), code: refusal.code };
    session.tell(&Event::Noted { article: item.name.clone(), note });
    block(session, item, Blocked::ImageRefused)?;
    Ok(if refusal.code.pauses_site() {
        Sending::Pause(Pause::Refused, Some(refusal.code.as_str().to_owned()))
    } else {
        Sending::Ended
    })
}

/// A user without the right to upload need not be told so by the site for each image; texts go on.
fn may_not_upload(session: &Session<'_>, item: &mut Item, image: &ArticleImage) -> Result<Sending, RunError> {
    let code = RefusalCode::CannotCreate;
    item.refused = Some(code);
    session.tell(&Event::Noted {
        article: item.name.clone(),
        note: Note::ImageRefused { image: image.path(), code },
    });
    block(session, item, Blocked::ImageRefused)?;
    Ok(Sending::Ended)
}

/// An image is sent only from a look; one that was refused is tried again once its article was taken up
/// again.
async fn upload_after_a_look(
    session: &Session<'_>,
    item: &mut Item,
    image: &ArticleImage,
    operation: &Operation,
    defers: bool,
) -> Result<After, RunError> {
    if operation.standing.state == State::Refused {
        session.runner.apply(operation.op_id, CoreEvent::Reopened, JournalNote::at(session.now()))?;
    }
    match look_afresh(session, operation).await? {
        Fresh::Clear => upload(session, item, image, operation, defers).await,
        Fresh::SiteSilent => Ok(After::Pause(Pause::Unreachable, None)),
        Fresh::Not(_) => Ok(After::Ended),
    }
}

/// Uploads an image, if its file is still what preflight saw. Where the site can make the sizes later, the request that
/// must not be repeated does not wait for them; then nothing but us makes a large picture smaller.
async fn upload(
    session: &Session<'_>,
    item: &mut Item,
    image: &ArticleImage,
    operation: &Operation,
    defers: bool,
) -> Result<After, RunError> {
    let options =
        ichido_article::Options { strip_metadata: session.settings.strip_camera, ..Default::default() };
    let prepared = match image.prepare(&options, defers && session.settings.shrink_images) {
        Ok(prepared) => prepared,
        Err(error) => {
            tracing::warn!(%error, "an image changed after the article had been checked");
            let note = Note::ImageChanged { image: image.path() };
            session.tell(&Event::Noted { article: item.name.clone(), note });
            block(session, item, Blocked::NeedsWork)?;
            return Ok(After::Blocked);
        }
    };
    if prepared.kept_large {
        let note = Note::ImageKeptLarge { image: image.path() };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
    let expected = Expected {
        file_size: u64::try_from(prepared.bytes.len()).ok(),
        preparation: Some(ichido_article::PREPARATION_VERSION),
        shrunk: prepared.shrunk,
        ..Expected::default()
    };
    let request = UploadRequest {
        bytes: Bytes::from(prepared.bytes),
        file_name: image.file_name.clone(),
        mime: prepared.mime.to_string(),
        // The one that was looked for: another article may name the same image differently.
        slug: Slug::from_site(&operation.slug),
        title: image_title(image),
        alt_text: image.alt.clone(),
        caption: image.caption.clone(),
        private: session.identity.can.publish_posts(),
        md5_hex: prepared.md5_hex,
        defer_sizes: defers && prepared.stands_as_it_is,
    };
    let facts = SendFacts {
        slug: operation.slug.clone(),
        title: request.title.clone(),
        source_path: Some(image.path()),
        source_digest: Some(Digest(image.digest)),
        sent_digest: Some(Digest(prepared.sha256)),
        normaliser: None,
        mark: session.runner.high_water(session.site.id, IdSpace::Media)?.or(Some(RemoteId(0))),
        expected: serde_json::to_value(&expected).ok(),
    };
    send_with_back_off(session, operation, &facts, || |permit| session.client.upload_image(permit, &request))
        .await
}
