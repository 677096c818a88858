//! Watching the open folders.

use super::Shared;
use crate::state::shown;
use crate::view::AppError;
use crate::{settings, watching};

/// Registers nothing by itself for so many minutes; `null` until somebody resumes.
#[tauri::command]
pub(crate) async fn pause_watch(app: Shared<'_>, minutes: Option<u32>) -> Result<(), AppError> {
    watching::pause(app.inner(), minutes);
    Ok(())
}

#[tauri::command]
pub(crate) async fn resume_watch(app: Shared<'_>) -> Result<(), AppError> {
    watching::resume(app.inner());
    Ok(())
}

/// Switches whether the articles of a folder are registered by themselves.
#[tauri::command]
pub(crate) async fn set_automatic(app: Shared<'_>, path: String, on: bool) -> Result<(), AppError> {
    settings::automatic(app.inner(), &path, on);
    Ok(())
}

/// Makes this computer the one that registers from a folder.
#[tauri::command]
pub(crate) async fn take_over(app: Shared<'_>, path: String) -> Result<(), AppError> {
    let folder = {
        let inner = app.lock();
        inner.folders.iter().map(|folder| folder.path.clone()).find(|folder| shown(folder) == path)
    };
    let folder = folder.ok_or_else(|| AppError::new("folder_not_found"))?;
    watching::take_over(app.inner(), folder).await
}
