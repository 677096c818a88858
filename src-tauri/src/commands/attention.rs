//! What needs a person, and what a person does about it.

use std::sync::Arc;

use ichido_core::act::Act;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::tally::Barrier;
use ichido_engine::{Deed, Event};

use super::Shared;
use crate::desk::{Place, now};
use crate::state::App;
use crate::view::{ActRequest, AppError, AttentionCard, Candidate};
use crate::{cards, links};

/// The words that say "checked", whatever the language.
const WORDS: [&str; 2] = ["checked", "確認"];

#[tauri::command]
pub(crate) async fn attention(app: Shared<'_>) -> Result<Vec<AttentionCard>, AppError> {
    let mut views = Vec::new();
    for (desk, practice) in app.marked_desks()? {
        let sending = app.is_sending(&desk, practice);
        for card in ichido_engine::cards(desk.journal(), !sending, now())? {
            let inner = app.lock();
            let article = card.operation.source_path.as_deref().and_then(|path| inner.list.by_path(path));
            let id =
                article.filter(|entry| entry.op_id == Some(card.operation.op_id)).map(|entry| entry.row.id);
            views.push(cards::card(card, practice, id));
        }
    }
    Ok(views)
}

/// Reads a post by number or address and says how it differs, before it is believed.
#[tauri::command]
pub(crate) async fn check_link(
    app: Shared<'_>,
    op_id: String,
    address: String,
) -> Result<Candidate, AppError> {
    let op_id = read_op(&op_id)?;
    let place = app.place_of(op_id)?;
    let site_url = place.desk.journal().setting(Some(place.site.id), "site_url")?;
    let id = links::post_id(&place.site, site_url.as_deref(), &address)?;
    let credentials = app.passwords.of(&place.site).await?;
    let peek = app
        .work
        .wait(move || async move { place.desk.engine().peek(&place.site.name, credentials, op_id, id).await })
        .await;
    Ok(cards::peeked(peek.ok_or_else(|| AppError::new("internal"))??))
}

#[tauri::command]
pub(crate) async fn act(app: Shared<'_>, request: ActRequest) -> Result<(), AppError> {
    let op_id = read_op(&request.op_id)?;
    let act = Act::ALL.into_iter().find(|act| act.as_str() == request.act);
    let act = act.ok_or_else(|| AppError::new("internal"))?;
    app.not_running()?;
    let place = app.place_of(op_id)?;
    let deed =
        Deed { op_id, act, id: request.id.map(RemoteId), typed: typed(&place, op_id, act, request.typed)? };
    let shared = Arc::clone(app.inner());
    let done = app.work.wait(move || async move { perform(&shared, &place, &deed).await }).await;
    done.ok_or_else(|| AppError::new("internal"))??;
    app.refresh_rows()?;
    app.refresh_attention(None)?;
    app.tell_barriers()
}

async fn perform(app: &App, place: &Place, deed: &Deed) -> Result<(), AppError> {
    let _turn = app.turn().await;
    let engine = place.desk.engine();
    if matches!(deed.act, Act::Leave | Act::Unleave) {
        return Ok(engine.leave(deed.op_id, deed.act == Act::Leave).await?);
    }
    let credentials = app.passwords.of(&place.site).await?;
    engine.act_on(&place.site.name, credentials, deed, &|_: &Event| {}).await?;
    Ok(())
}

/// What could make a second post must be typed. For anything else the press of its button is the person's word.
fn typed(place: &Place, op_id: OpId, act: Act, typed: Option<String>) -> Result<Option<String>, AppError> {
    match act {
        Act::SendAgain | Act::New => Ok(typed),
        Act::Look
        | Act::Link
        | Act::NoneOfThese
        | Act::TryAgain
        | Act::KeepSite
        | Act::Update
        | Act::AcceptSlug
        | Act::Same
        | Act::Leave
        | Act::Unleave => {
            let operation = place.desk.journal().operation(op_id)?;
            Ok(operation.map(|operation| ichido_engine::confirmation(&operation).to_owned()))
        }
    }
}

/// Takes away what shuts creating: a person looked, and typed that they did.
#[tauri::command]
pub(crate) async fn release(app: Shared<'_>, code: String, typed: String) -> Result<(), AppError> {
    let all = [Barrier::UncleanStop, Barrier::JournalLost, Barrier::SiteRestored];
    let barrier = all.into_iter().find(|barrier| barrier.as_str() == code);
    let barrier = barrier.ok_or_else(|| AppError::new("internal"))?;
    if !WORDS.contains(&typed.trim()) {
        return Err(AppError::new("typed"));
    }
    app.not_running()?;
    let shared = Arc::clone(app.inner());
    for (desk, _) in app.marked_desks()? {
        if !desk.journal().barriers(None)?.iter().any(|entry| entry.barrier == barrier) {
            continue;
        }
        let shared = Arc::clone(&shared);
        let released = app.work.wait(move || async move {
            let _turn = shared.turn().await;
            desk.engine().release(barrier).await
        });
        released.await.ok_or_else(|| AppError::new("internal"))??;
    }
    app.refresh_rows()?;
    app.tell_barriers()
}

fn read_op(text: &str) -> Result<OpId, AppError> {
    OpId::parse(text).ok_or_else(|| AppError::new("internal"))
}
