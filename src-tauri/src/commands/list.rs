//! Folders and articles.

use std::sync::Arc;

use tauri_plugin_dialog::DialogExt as _;

use super::Shared;
use crate::state::typed;
use crate::view::{AppError, ArticleDetail, ArticlePage, Preview};
use crate::{cards, scan};

/// Opens the system's folder chooser; false if the person closed it.
#[tauri::command]
pub(crate) async fn choose_folder(app: Shared<'_>) -> Result<bool, AppError> {
    let (tell, told) = tokio::sync::oneshot::channel();
    app.handle().dialog().file().pick_folder(move |chosen| drop(tell.send(chosen)));
    let chosen = told.await.ok().flatten().and_then(|chosen| chosen.into_path().ok());
    let Some(path) = chosen else { return Ok(false) };
    scan::open(app.inner(), vec![path]).await?;
    Ok(true)
}

#[tauri::command]
pub(crate) async fn open_paths(app: Shared<'_>, paths: Vec<String>) -> Result<(), AppError> {
    scan::open(app.inner(), paths.iter().map(|path| typed(path)).collect()).await
}

#[tauri::command]
pub(crate) async fn rescan(app: Shared<'_>) -> Result<(), AppError> {
    scan::read(app.inner(), Vec::new(), &[]).await
}

#[tauri::command]
pub(crate) async fn remove_folder(app: Shared<'_>, path: String) -> Result<(), AppError> {
    scan::close(app.inner(), &path).await
}

#[tauri::command]
pub(crate) async fn articles(app: Shared<'_>, offset: usize, limit: usize) -> Result<ArticlePage, AppError> {
    Ok(app.lock().list.page(offset, limit.min(MOST_ROWS)))
}

/// The most rows of one message.
const MOST_ROWS: usize = 10_000;

/// Shows what of an article will be sent; `null` where an error keeps it back.
#[tauri::command]
pub(crate) async fn preview(app: Shared<'_>, id: u32) -> Result<Option<Preview>, AppError> {
    let (location, settings) = {
        let inner = app.lock();
        let entry = inner.list.by_id(id).ok_or_else(|| AppError::new("internal"))?;
        (entry.sheet.location.clone(), crate::settings::for_engine(&inner.settings)?)
    };
    let reading = tokio::task::spawn_blocking(move || ichido_engine::preview(&location, &settings));
    let preview = reading.await.map_err(|error| AppError::internal(&error))?;
    Ok(preview.map(|preview| Preview {
        html: preview.html,
        pictures_left_out: preview.pictures_left_out,
        cut: preview.cut,
    }))
}

/// Sets articles aside, or takes them up again.
#[tauri::command]
pub(crate) async fn set_aside(app: Shared<'_>, ids: Vec<u32>, aside: bool) -> Result<(), AppError> {
    app.not_running()?;
    let place = app.current_place().ok_or_else(|| AppError::new("no_site"))?;
    let paths: Vec<_> = {
        let inner = app.lock();
        ids.iter().filter_map(|id| Some(inner.list.by_id(*id)?.sheet.path.clone())).collect()
    };
    let shared = Arc::clone(app.inner());
    let set = app.work.wait(move || async move {
        let _turn = shared.turn().await;
        place.desk.engine().set_aside(&place.site.name, &paths, aside).await
    });
    set.await.ok_or_else(|| AppError::new("internal"))??;
    app.refresh_rows()
}

#[tauri::command]
pub(crate) async fn article(app: Shared<'_>, id: u32) -> Result<ArticleDetail, AppError> {
    let op_id = app.lock().list.by_id(id).ok_or_else(|| AppError::new("internal"))?.op_id;
    let story = match op_id {
        Some(op_id) => ichido_engine::story(app.place_of(op_id)?.desk.journal(), op_id)?,
        None => Vec::new(),
    };
    let inner = app.lock();
    let entry = inner.list.by_id(id).ok_or_else(|| AppError::new("internal"))?;
    Ok(cards::detail(entry, story))
}
