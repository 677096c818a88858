//! Starting, settings, links.

use std::sync::Arc;

use super::Shared;
use crate::desk::SiteKey;
use crate::state::App;
use crate::view::{AppError, Bootstrap, LinkTarget, Settings};
use crate::{links, passwords, scan, settings};

/// Says everything that the window shows first.
#[tauri::command]
pub(crate) async fn bootstrap(app: Shared<'_>) -> Result<Bootstrap, AppError> {
    let app = app.inner();
    let begun = !app.lock().remembered;
    settings::recall(app)?;
    if begun {
        begin(app).await;
    }
    let keychain = passwords::keychain().await;
    for site in app.real()?.journal().sites()? {
        let kept = app.passwords.kept(&site).await;
        app.lock().facts.entry(SiteKey::Real(site.id)).or_default().kept = Some(kept);
    }
    let (sites, barriers, attention) = (app.site_views()?, app.barriers()?, app.attention()?);
    let mut inner = app.lock();
    inner.attention = attention;
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
    })
}

/// Takes up what was open last.
async fn begin(app: &Arc<App>) {
    let practice = app.lock().current == Some(SiteKey::Practice);
    if practice && let Err(error) = super::sites::start(app).await {
        // The window goes on without it.
        app.lock().current = None;
        app.tell_failed(error);
    }
    let opened = crate::setup::named_paths(std::env::args_os().skip(1), std::env::current_dir().ok());
    let reading = Arc::clone(app);
    tauri::async_runtime::spawn(async move {
        let read = if opened.is_empty() {
            scan::read(&reading, Vec::new(), &[]).await
        } else {
            scan::open(&reading, opened).await
        };
        if let Err(error) = read {
            reading.tell_failed(error);
        }
        crate::looking::start(&reading);
    });
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
