//! Folders and articles.

use tauri_plugin_dialog::DialogExt as _;

use super::Shared;
use crate::state::typed;
use crate::view::{AppError, ArticleDetail, ArticlePage};
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
