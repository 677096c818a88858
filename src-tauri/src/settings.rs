//! What the window remembers, kept with the global settings of the journal.

use std::path::PathBuf;
use std::sync::Arc;

use ichido_article::{BareUrls, DescriptionIs, Obsidian};
use ichido_engine::{Key, Settings as EngineSettings};
use ichido_journal::Journal;

use crate::desk::SiteKey;
use crate::state::{App, Folder};
use crate::view::{AppError, BareUrlUse, DescriptionUse, Language, ObsidianUse, Settings, Theme};

const LANGUAGE: &str = "desktop_language";
const THEME: &str = "desktop_theme";
const FOLDERS: &str = "desktop_folders";
const SITE: &str = "desktop_site";
const STARTED: &str = "desktop_started";

/// The settings before anything is remembered: the language is the system's.
pub(crate) fn first() -> Settings {
    let japanese = sys_locale::get_locale().is_some_and(|locale| locale.to_lowercase().starts_with("ja"));
    let language = if japanese { Language::Ja } else { Language::En };
    shown(&EngineSettings::default(), language, Theme::System)
}

/// The engine's settings as the window shows them.
fn shown(engine: &EngineSettings, language: Language, theme: Theme) -> Settings {
    Settings {
        language,
        theme,
        settle_window_minutes: engine.window.as_secs() / 60,
        strip_camera_data: engine.strip_camera,
        shrink_images: engine.shrink_images,
        create_tags: engine.create_tags,
        classic: engine.classic,
        description_is: match engine.description_is {
            DescriptionIs::Excerpt => DescriptionUse::Excerpt,
            DescriptionIs::Seo => DescriptionUse::Seo,
            DescriptionIs::Ignored => DescriptionUse::Ignore,
        },
        default_categories: engine.get(Key::DefaultCategories),
        bare_urls: match engine.marks.bare_urls {
            BareUrls::Embed => BareUrlUse::Embed,
            BareUrls::Line => BareUrlUse::Line,
            BareUrls::Link => BareUrlUse::Link,
        },
        obsidian: match engine.marks.obsidian {
            Obsidian::InVaults => ObsidianUse::Auto,
            Obsidian::Always => ObsidianUse::On,
            Obsidian::Never => ObsidianUse::Off,
        },
        line_breaks: engine.marks.line_breaks,
        custom_fields: engine.get(Key::CustomFields),
        feature_first_image: engine.feature_first_image,
        forbidden_words: engine.get(Key::ForbiddenWords),
        required_words: engine.get(Key::RequiredWords),
        check_alt: engine.gates.alt,
        check_links: engine.gates.links,
        check_local_links: engine.gates.local_links,
        shortest_text: engine.gates.shortest,
        title_length: engine.gates.title_length,
        watch_settle_seconds: engine.watch_settle.as_secs(),
    }
}

/// What the window set, as the engine reads it.
pub(crate) fn for_engine(settings: &Settings) -> Result<EngineSettings, AppError> {
    let on = |on: bool| if on { "on" } else { "off" }.to_owned();
    let mut engine = EngineSettings::default();
    for key in Key::ALL {
        let value = match key {
            Key::Window => settings.settle_window_minutes.to_string(),
            Key::CreateTags => on(settings.create_tags),
            Key::Classic => on(settings.classic),
            Key::StripCamera => on(settings.strip_camera_data),
            Key::ShrinkImages => on(settings.shrink_images),
            Key::DescriptionIs => code(&settings.description_is),
            Key::DefaultCategories => settings.default_categories.clone(),
            Key::BareUrls => code(&settings.bare_urls),
            Key::Obsidian => code(&settings.obsidian),
            Key::LineBreaks => on(settings.line_breaks),
            Key::CustomFields => settings.custom_fields.clone(),
            Key::FeatureFirstImage => on(settings.feature_first_image),
            Key::ForbiddenWords => settings.forbidden_words.clone(),
            Key::RequiredWords => settings.required_words.clone(),
            Key::CheckAlt => on(settings.check_alt),
            Key::CheckLinks => on(settings.check_links),
            Key::CheckLocalLinks => on(settings.check_local_links),
            Key::ShortestText => settings.shortest_text.to_string(),
            Key::TitleLength => settings.title_length.to_string(),
            Key::WatchSettle => settings.watch_settle_seconds.to_string(),
        };
        engine.set(key, &value).map_err(|error| AppError::internal(&error))?;
    }
    Ok(engine)
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
    let language = language.and_then(|code| code_of(&code)).unwrap_or(inner.settings.language);
    let theme = theme.and_then(|code| code_of(&code)).unwrap_or(inner.settings.theme);
    inner.settings = shown(&engine, language, theme);
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

/// Takes other settings at once, and writes them down when the runner lock is free. Articles are checked anew where
/// that makes a difference.
pub(crate) fn save(app: &Arc<App>, settings: Settings) -> Result<(), AppError> {
    let engine = for_engine(&settings)?;
    // Lists are kept as the engine reads them.
    let settings = shown(&engine, settings.language, settings.theme);
    let before = std::mem::replace(&mut app.lock().settings, settings.clone());
    if settings.create_tags && !before.create_tags {
        app.lock().list.forget_unknown_tags();
        app.refresh_rows()?;
    }
    let mut entries = vec![(LANGUAGE, code(&settings.language)), (THEME, code(&settings.theme))];
    entries.extend(Key::ALL.map(|key| (key.as_str(), engine.get(key))));
    remember(app, entries);
    let reads_otherwise = for_engine(&before).is_ok_and(|before| before.reading() != engine.reading());
    if reads_otherwise && !app.lock().folders.is_empty() && app.not_running().is_ok() {
        let app = Arc::clone(app);
        tauri::async_runtime::spawn(async move {
            if let Err(error) = crate::scan::read(&app, Vec::new(), &[]).await {
                app.tell_failed(error);
            }
        });
    }
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
