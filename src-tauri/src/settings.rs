//! What the window remembers, kept with the global settings of the journal.

use std::path::PathBuf;
use std::sync::Arc;

use ichido_article::{BareUrls, DescriptionIs, Obsidian};
use ichido_engine::{Key, Settings as EngineSettings};
use ichido_journal::Journal;
use tauri_plugin_autostart::ManagerExt as _;

use crate::desk::SiteKey;
use crate::state::{App, Folder};
use crate::view::{
    AppError, BackendEvent, BareUrlUse, DescriptionUse, Language, ObsidianUse, Settings, Theme,
};
use crate::{tray, watching};

const LANGUAGE: &str = "desktop_language";
const THEME: &str = "desktop_theme";
const FOLDERS: &str = "desktop_folders";
const SITE: &str = "desktop_site";
const STARTED: &str = "desktop_started";
const WATCH: &str = "desktop_watch";
const AUTOMATIC: &str = "desktop_automatic";
const NOTIFY_BATCHES: &str = "desktop_notify_batches";
const NOTIFY_HALTS: &str = "desktop_notify_halts";
const TOLD_TRAY: &str = "desktop_told_tray";
const ON: &str = "1";
const OFF: &str = "0";

/// The settings before anything is remembered: the language is the system's.
pub(crate) fn first() -> Settings {
    let japanese = sys_locale::get_locale().is_some_and(|locale| locale.to_lowercase().starts_with("ja"));
    let language = if japanese { Language::Ja } else { Language::En };
    shown(&EngineSettings::default(), Own { language, ..Own::default() })
}

/// What the window remembers of its own.
#[derive(Clone, Copy, Debug)]
struct Own {
    language: Language,
    theme: Theme,
    watch: bool,
    autostart: bool,
    notify_batches: bool,
    notify_halts: bool,
}

impl Default for Own {
    fn default() -> Self {
        Self {
            language: Language::En,
            theme: Theme::System,
            watch: false,
            autostart: false,
            notify_batches: true,
            notify_halts: true,
        }
    }
}

impl Own {
    fn of(settings: &Settings) -> Self {
        Self {
            language: settings.language,
            theme: settings.theme,
            watch: settings.watch,
            autostart: settings.autostart,
            notify_batches: settings.notify_batches,
            notify_halts: settings.notify_halts,
        }
    }
}

/// The engine's settings as the window shows them.
fn shown(engine: &EngineSettings, own: Own) -> Settings {
    Settings {
        language: own.language,
        theme: own.theme,
        watch: own.watch,
        autostart: own.autostart,
        notify_batches: own.notify_batches,
        notify_halts: own.notify_halts,
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
    let automatic = text(AUTOMATIC)?;
    let is_on =
        |name, unset: bool| -> Result<bool, AppError> { Ok(text(name)?.map_or(unset, |kept| kept == ON)) };
    let (watch, told_tray) = (is_on(WATCH, false)?, is_on(TOLD_TRAY, false)?);
    let (notify_batches, notify_halts) = (is_on(NOTIFY_BATCHES, true)?, is_on(NOTIFY_HALTS, true)?);
    let autostart = app.handle().autolaunch().is_enabled().unwrap_or(false);
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
    inner.settings = shown(&engine, Own { language, theme, watch, autostart, notify_batches, notify_halts });
    inner.automatic = automatic.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    inner.told_tray = told_tray;
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
    let mut settings = shown(&engine, Own::of(&settings));
    // Who stops watching has nothing to start with the session for.
    settings.autostart &= settings.watch;
    if settings.autostart != app.lock().settings.autostart {
        start_with_session(app, settings.autostart)?;
    }
    let before = std::mem::replace(&mut app.lock().settings, settings.clone());
    if settings.create_tags && !before.create_tags {
        app.lock().list.forget_unknown_tags();
        app.refresh_rows()?;
    }
    let mut entries = vec![(LANGUAGE, code(&settings.language)), (THEME, code(&settings.theme))];
    entries.extend([
        (WATCH, on_off(settings.watch)),
        (NOTIFY_BATCHES, on_off(settings.notify_batches)),
        (NOTIFY_HALTS, on_off(settings.notify_halts)),
    ]);
    entries.extend(Key::ALL.map(|key| (key.as_str(), engine.get(key))));
    remember(app, entries);
    if settings.watch != before.watch || settings.watch_settle_seconds != before.watch_settle_seconds {
        watching::follow(app);
    }
    tray::update(app);
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

fn on_off(on: bool) -> String {
    if on { ON } else { OFF }.to_owned()
}

/// Switches watching, and nothing else.
pub(crate) fn watch(app: &Arc<App>, on: bool) -> Result<(), AppError> {
    let settings = Settings { watch: on, ..app.lock().settings.clone() };
    save(app, settings)?;
    let settings = app.lock().settings.clone();
    app.tell(&BackendEvent::Settings { settings });
    if !on {
        // Without the tray there is no way back to a window that is not there.
        crate::setup::go(app, crate::notify::Goal::Window);
    }
    Ok(())
}

/// Switches whether the articles of a folder, by the path that is shown, are registered by themselves.
pub(crate) fn automatic(app: &Arc<App>, path: &str, on: bool) {
    let json = {
        let mut inner = app.lock();
        let folder =
            inner.folders.iter().map(|folder| folder.path.clone()).find(|folder| is_shown(folder, path));
        inner.automatic.retain(|folder| !is_shown(folder, path));
        inner.automatic.extend(folder.filter(|_| on));
        serde_json::to_string(&inner.automatic)
    };
    if let Ok(json) = json {
        remember(app, vec![(AUTOMATIC, json)]);
    }
    app.tell_folders();
    watching::follow(app);
}

fn is_shown(folder: &std::path::Path, path: &str) -> bool {
    crate::state::shown(folder) == path
}

pub(crate) fn remember_told_tray(app: &Arc<App>) {
    app.lock().told_tray = true;
    remember(app, vec![(TOLD_TRAY, ON.to_owned())]);
}

/// Has the system start the program with the session, or not any more.
fn start_with_session(app: &App, on: bool) -> Result<(), AppError> {
    let autolaunch = app.handle().autolaunch();
    let done = if on { autolaunch.enable() } else { autolaunch.disable() };
    done.map_err(|error| {
        tracing::warn!(%error, "starting with the session could not be switched");
        AppError::new("autostart")
    })
}

pub(crate) fn remember_started(app: &Arc<App>) {
    app.lock().first_start = false;
    remember(app, vec![(STARTED, "1".to_owned())]);
}

pub(crate) fn remember_site(app: &Arc<App>) {
    let current = app.lock().current.map(|key| key.to_string()).unwrap_or_default();
    remember(app, vec![(SITE, current)]);
    watching::follow(app);
}

pub(crate) fn remember_folders(app: &Arc<App>) {
    let folders: Vec<PathBuf> = app.lock().folders.iter().map(|folder| folder.path.clone()).collect();
    if let Ok(json) = serde_json::to_string(&folders) {
        remember(app, vec![(FOLDERS, json)]);
    }
    watching::follow(app);
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
