//! The high-water marks: the highest ids known before anything is sent.

use ichido_core::id::RemoteId;
use ichido_core::operation::Kind;
use ichido_core::tally::{Barrier, Pause};
use ichido_journal::IdSpace;
use ichido_wordpress::{ById, Class};
use serde_json::json;

use crate::errors::RunError;
use crate::pause::pause_of;
use crate::session::Session;

/// What reading the marks came to.
#[derive(Debug)]
pub(crate) enum Reading {
    Read,
    CouldNotAsk(Pause),
    /// Several of the things recorded last are gone: the site was put back to an earlier state.
    Restored,
}

/// How many of the last recorded ids are asked for when the newest id went back.
const LAST_RECORDED: u32 = 20;
/// How many of them may be gone without anything being wrong: a person may delete one.
const MAY_BE_GONE: usize = 1;

/// Reads the marks of posts, and of media where images are to be sent.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) async fn read(session: &Session<'_>, with_images: bool) -> Result<Reading, RunError> {
    let posts = (Class::Posts, IdSpace::Posts, Kind::Post);
    let media = (Class::Media, IdSpace::Media, Kind::Image);
    for (class, space, kind) in [Some(posts), with_images.then_some(media)].into_iter().flatten() {
        let newest = match session.client.newest_id(class, session.scope()).await {
            Ok(newest) => newest.value.id,
            Err(error) => return Ok(Reading::CouldNotAsk(pause_of(&error))),
        };
        let known = session.runner.high_water(session.site.id, space)?;
        if known.is_some_and(|known| newest.is_none_or(|newest| newest < known)) {
            match gone(session, class, kind).await? {
                Ok(gone) if gone.len() > MAY_BE_GONE => {
                    let detail = json!({ "gone": gone });
                    session.runner.set_barrier(
                        Some(session.site.id),
                        Barrier::SiteRestored,
                        Some(detail),
                        session.now(),
                    )?;
                    return Ok(Reading::Restored);
                }
                Ok(_) => {}
                Err(pause) => return Ok(Reading::CouldNotAsk(pause)),
            }
        }
        if let Some(newest) = newest {
            session.runner.raise_high_water(session.site.id, space, newest)?;
        }
    }
    Ok(Reading::Read)
}

async fn gone(
    session: &Session<'_>,
    class: Class,
    kind: Kind,
) -> Result<Result<Vec<RemoteId>, Pause>, RunError> {
    let recorded = session.runner.last_recorded_ids(session.site.id, kind, LAST_RECORDED)?;
    if recorded.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    Ok(match session.client.by_ids(class, &recorded).await {
        Ok(rows) => {
            Ok(rows.value.into_iter().filter(|(_, row)| *row == ById::Gone).map(|(id, _)| id).collect())
        }
        Err(error) => Err(pause_of(&error)),
    })
}
