//! Starting, settings, links.

use super::Shared;
use crate::desk::SiteKey;
use crate::view::{AppError, Bootstrap, LinkTarget, Settings, WatchView};
use crate::{links, passwords, settings, setup, start};

/// Says everything that the window shows first.
#[tauri::command]
pub(crate) async fn bootstrap(app: Shared<'_>) -> Result<Bootstrap, AppError> {
    let app = app.inner();
    start::once(app).await?;
    let keychain = passwords::keychain().await;
    for site in app.real()?.journal().sites()? {
        let kept = app.passwords.kept(&site).await;
        app.lock().facts.entry(SiteKey::Real(site.id)).or_default().kept = Some(kept);
    }
    let (sites, barriers, attention) = (app.site_views()?, app.barriers()?, app.attention()?);
    let mut inner = app.lock();
    (inner.attention, inner.barriers) = (attention, barriers.len());
    let goal = inner.goal.take().and_then(setup::goal_view);
    Ok(Bootstrap {
        version: env!("CARGO_PKG_VERSION"),
        first_start: inner.first_start,
        settings: inner.settings.clone(),
        keychain,
        sites,
        current_site: inner.current.map(|current| current.to_string()),
        folders: inner.folder_views(),
        barriers,
        batch: inner.batch.as_ref().map(crate::state::Batch::view),
        attention,
        watch: WatchView::of(&inner.watched),
        goal,
    })
}

#[tauri::command]
pub(crate) async fn save_settings(app: Shared<'_>, settings: Settings) -> Result<(), AppError> {
    crate::settings::save(app.inner(), settings)
}

#[tauri::command]
pub(crate) async fn finish_first_start(app: Shared<'_>) -> Result<(), AppError> {
    settings::remember_started(app.inner());
    Ok(())
}

#[tauri::command]
pub(crate) async fn open_link(app: Shared<'_>, target: LinkTarget) -> Result<(), AppError> {
    links::open(app.inner(), &target)
}
