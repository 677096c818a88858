//! What the window remembers, kept with the global settings of the journal.

use std::path::PathBuf;
use std::sync::Arc;

use ichido_engine::{Key, Settings as EngineSettings};
use ichido_journal::Journal;

use crate::desk::SiteKey;
use crate::state::{App, Folder};
use crate::view::{AppError, Language, Settings, Theme};

const LANGUAGE: &str = "desktop_language";
const THEME: &str = "desktop_theme";
const FOLDERS: &str = "desktop_folders";
const SITE: &str = "desktop_site";
const STARTED: &str = "desktop_started";

/// The settings before anything is remembered: the language is the system's.
pub(crate) fn first() -> Settings {
    let japanese = sys_locale::get_locale().is_some_and(|locale| locale.to_lowercase().starts_with("ja"));
    let defaults = EngineSettings::default();
    Settings {
        language: if japanese { Language::Ja } else { Language::En },
        theme: Theme::System,
        settle_window_minutes: defaults.window.as_secs() / 60,
        strip_camera_data: defaults.strip_camera,
        create_tags: defaults.create_tags,
    }
}

/// Reads what is remembered; done once, when the journal can be read.
pub(crate) fn recall(app: &App) -> Result<(), AppError> {
    let desk = app.real()?;
    let engine = desk.engine().settings(None)?;
    let journal = desk.journal();
    let text = |name| read(journal, name);
    let (language, theme) = (text(LANGUAGE)?, text(THEME)?);
    let (folders, site, started) = (text(FOLDERS)?, text(SITE)?, text(STARTED)?);
    let site = match site.as_deref().and_then(SiteKey::parse) {
        // A site that was taken off the list elsewhere is not in use here.
        Some(SiteKey::Real(id)) => {
            journal.site(id)?.filter(|site| site.removed_at.is_none()).map(|site| SiteKey::Real(site.id))
        }
        other => other,
    };
    let mut inner = app.lock();
    if inner.remembered {
        return Ok(());
    }
    inner.remembered = true;
    inner.first_start = started.is_none();
    let settings = &mut inner.settings;
    settings.language = language.and_then(|code| code_of(&code)).unwrap_or(settings.language);
    settings.theme = theme.and_then(|code| code_of(&code)).unwrap_or(settings.theme);
    settings.settle_window_minutes = engine.window.as_secs() / 60;
    settings.strip_camera_data = engine.strip_camera;
    settings.create_tags = engine.create_tags;
    inner.current = site;
    let folders: Vec<PathBuf> = folders.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    inner.folders = folders.into_iter().map(|path| Folder { path, articles: 0, scanned_at: None }).collect();
    Ok(())
}

fn read(journal: &Journal, name: &str) -> Result<Option<String>, AppError> {
    Ok(journal.setting(None, name)?)
}

fn code_of<T: serde::de::DeserializeOwned>(code: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(code.to_owned())).ok()
}

fn code<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(code)) => code,
        Ok(_) | Err(_) => String::new(),
    }
}

/// Takes other settings at once, and writes them down when the runner lock is free.
pub(crate) fn save(app: &Arc<App>, settings: Settings) -> Result<(), AppError> {
    let mut engine = EngineSettings::default();
    let minutes = settings.settle_window_minutes.to_string();
    engine.set(Key::Window, &minutes).map_err(|error| AppError::internal(&error))?;
    engine.strip_camera = settings.strip_camera_data;
    engine.create_tags = settings.create_tags;
    app.lock().settings = settings;
    if settings.create_tags {
        app.lock().list.forget_unknown_tags();
        app.refresh_rows()?;
    }
    let mut entries = vec![(LANGUAGE, code(&settings.language)), (THEME, code(&settings.theme))];
    entries
        .extend([Key::Window, Key::StripCamera, Key::CreateTags].map(|key| (key.as_str(), engine.get(key))));
    remember(app, entries);
    Ok(())
}

pub(crate) fn remember_started(app: &Arc<App>) {
    app.lock().first_start = false;
    remember(app, vec![(STARTED, "1".to_owned())]);
}

pub(crate) fn remember_site(app: &Arc<App>) {
    let current = app.lock().current.map(|key| key.to_string()).unwrap_or_default();
    remember(app, vec![(SITE, current)]);
}

pub(crate) fn remember_folders(app: &Arc<App>) {
    let folders: Vec<PathBuf> = app.lock().folders.iter().map(|folder| folder.path.clone()).collect();
    if let Ok(json) = serde_json::to_string(&folders) {
        remember(app, vec![(FOLDERS, json)]);
    }
}

fn remember(app: &Arc<App>, entries: Vec<(&'static str, String)>) {
    let Ok(desk) = app.real() else { return };
    let app = Arc::clone(app);
    app.clone().work.begin(move || async move {
        let _turn = app.turn().await;
        if let Err(error) = desk.engine().remember(&entries).await {
            app.tell_failed(error.into());
        }
    });
}
