//! The tray: a menu first, since Linux tells of no click. Shown while folders are watched.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State};
use ichido_engine::{Light, PausedUntil};
use ichido_journal::{Filter, Page};
use tauri::image::Image;
use tauri::menu::{CheckMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, include_image};

use crate::notify::Goal;
use crate::state::App;
use crate::view::{AppError, Language};
use crate::words::{Word, fill, plain};
use crate::{closing, links, settings, setup, watching};

const ID: &str = "ichido";
/// How many drafts the menu offers.
const RECENT: u32 = 5;
/// The pauses that the menu offers, in minutes.
const PAUSES: [(Word, u32); 2] = [(Word::HalfAnHour, 30), (Word::AnHour, 60)];

/// What the tray shows; it is drawn anew only where this changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    language: Language,
    light: Light,
    status: String,
    needs: usize,
    paused: bool,
    site: bool,
    recent: Vec<(OpId, String)>,
}

/// The tray as it is now.
#[derive(Default)]
pub(crate) struct Tray {
    icon: Mutex<Option<(TrayIcon, Shown)>>,
    /// Whether none could be made here.
    failed: AtomicBool,
}

impl Tray {
    /// Whether a tray is of use on this system, as far as it was tried.
    pub(crate) fn is_possible(&self) -> bool {
        !self.failed.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Tray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tray")
    }
}

/// What an entry of the menu asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Open,
    Needs,
    Watch,
    Pause(Option<u32>),
    Resume,
    Drafts,
    Draft(OpId),
    Settings,
    Quit,
}

impl Entry {
    fn id(self) -> String {
        match self {
            Self::Open => "open".to_owned(),
            Self::Needs => "needs".to_owned(),
            Self::Watch => "watch".to_owned(),
            Self::Pause(Some(minutes)) => format!("pause {minutes}"),
            Self::Pause(None) => "pause".to_owned(),
            Self::Resume => "resume".to_owned(),
            Self::Drafts => "drafts".to_owned(),
            Self::Draft(op_id) => format!("draft {op_id}"),
            Self::Settings => "settings".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }

    fn parse(id: &str) -> Option<Self> {
        let plain = [
            Self::Open,
            Self::Needs,
            Self::Watch,
            Self::Pause(None),
            Self::Resume,
            Self::Drafts,
            Self::Settings,
            Self::Quit,
        ];
        let of = |prefix| id.strip_prefix(prefix);
        plain
            .into_iter()
            .find(|entry| entry.id() == id)
            .or_else(|| Some(Self::Pause(Some(of("pause ")?.parse().ok()?))))
            .or_else(|| Some(Self::Draft(OpId::parse(of("draft ")?)?)))
    }
}

/// Brings the tray up to date.
pub(crate) fn update(app: &Arc<App>) {
    let shown = match shown(app) {
        Ok(shown) => shown,
        Err(error) => {
            tracing::warn!(code = error.code, "what the tray shows could not be read");
            return;
        }
    };
    let drawing = Arc::clone(app);
    // The menu belongs to the thread of the window.
    let asked = app.handle().run_on_main_thread(move || draw(&drawing, shown));
    if let Err(error) = asked {
        tracing::warn!(%error, "the tray could not be drawn");
    }
}

/// Brings the tray up to date, and waits until that was done.
pub(crate) async fn drawn_now(app: &Arc<App>) {
    update(app);
    let (tell, told) = tokio::sync::oneshot::channel();
    // Whatever was asked of that thread before has been done by then.
    if app
        .handle()
        .run_on_main_thread(move || {
            let _told = tell.send(());
        })
        .is_ok()
    {
        let _gone_with_its_thread = told.await;
    }
}

/// What is to be shown; nothing unless folders are watched.
fn shown(app: &App) -> Result<Option<Shown>, AppError> {
    let place = app.current_place();
    let recent = match &place {
        Some(place) => {
            let filter = Filter {
                site: Some(place.site.id),
                kind: Some(Kind::Post),
                states: vec![State::Done.as_str()],
                ..Filter::default()
            };
            let listed = place.desk.journal().list(&filter, Page { offset: 0, limit: RECENT })?;
            listed.into_iter().map(|operation| (operation.op_id, plain(&operation.title))).collect()
        }
        None => Vec::new(),
    };
    let inner = app.lock();
    if !inner.settings.watch {
        return Ok(None);
    }
    let language = inner.settings.language;
    let needs = inner.needs();
    let light = if needs > 0 { Light::NeedsYou } else { inner.watched.light };
    Ok(Some(Shown {
        language,
        light,
        status: status(language, light, &inner.watched),
        needs,
        paused: inner.watched.paused.is_some(),
        site: place.is_some(),
        recent,
    }))
}

/// The line that says how things stand.
fn status(language: Language, light: Light, watched: &ichido_engine::WatchStatus) -> String {
    let time = |at: ichido_core::time::Timestamp| {
        let local =
            std::time::UNIX_EPOCH + std::time::Duration::from_millis(u64::try_from(at.0).unwrap_or_default());
        chrono::DateTime::<chrono::Local>::from(local).format("%H:%M").to_string()
    };
    let said = |word: Word| word.of(language).to_owned();
    match (light, &watched.working, watched.paused) {
        (Light::NeedsYou, _, _) => said(Word::NeedsYou),
        (Light::Working, Some(working), _) => fill(
            Word::Working.of(language),
            &[("ended", &working.ended.to_string()), ("all", &working.articles.to_string())],
        ),
        (Light::Paused, _, Some(PausedUntil::Moment(at))) => {
            fill(Word::PausedUntil.of(language), &[("time", &time(at))])
        }
        (Light::Paused, _, _) => said(Word::Paused),
        (Light::Offline, _, _) => said(Word::Offline),
        (Light::Off, _, _) => said(Word::NoFolder),
        (Light::Working | Light::Watching, _, _) => match watched.checked_at {
            Some(at) => fill(Word::WatchingSince.of(language), &[("time", &time(at))]),
            None => said(Word::Watching),
        },
    }
}

/// Each state has a shape of its own.
fn icon(light: Light) -> Image<'static> {
    #[cfg(target_os = "macos")]
    return match light {
        Light::NeedsYou => include_image!("icons/tray/template-needs_you.png"),
        Light::Working => include_image!("icons/tray/template-working.png"),
        Light::Paused | Light::Off => include_image!("icons/tray/template-paused.png"),
        Light::Offline => include_image!("icons/tray/template-offline.png"),
        Light::Watching => include_image!("icons/tray/template-watching.png"),
    };
    #[cfg(not(target_os = "macos"))]
    match light {
        Light::NeedsYou => include_image!("icons/tray/needs_you.png"),
        Light::Working => include_image!("icons/tray/working.png"),
        Light::Paused | Light::Off => include_image!("icons/tray/paused.png"),
        Light::Offline => include_image!("icons/tray/offline.png"),
        Light::Watching => include_image!("icons/tray/watching.png"),
    }
}

fn draw(app: &Arc<App>, wanted: Option<Shown>) {
    let mut known = app.tray.icon.lock().unwrap_or_else(PoisonError::into_inner);
    if known.as_ref().map(|(_, shown)| shown) == wanted.as_ref() {
        return;
    }
    let Some(wanted) = wanted else {
        *known = None;
        app.handle().remove_tray_by_id(ID);
        return;
    };
    let before = known.take();
    // The library that shows it on Linux is looked for when it is used first, and panics where it is not there.
    let drawn = std::panic::catch_unwind(AssertUnwindSafe(|| drawn(app, before, &wanted)));
    match drawn {
        Ok(Ok(icon)) => *known = Some((icon, wanted)),
        Ok(Err(error)) => {
            tracing::warn!(%error, "there is no tray");
            app.tray.failed.store(true, Ordering::Relaxed);
        }
        Err(_panic) => {
            tracing::warn!("there is no tray: its library (libayatana-appindicator3) is not installed");
            app.tray.failed.store(true, Ordering::Relaxed);
        }
    }
}

fn drawn(app: &Arc<App>, known: Option<(TrayIcon, Shown)>, wanted: &Shown) -> tauri::Result<TrayIcon> {
    let menu = menu(app.handle(), wanted)?;
    let Some((tray, before)) = known else {
        let chosen = Arc::clone(app);
        return TrayIconBuilder::with_id(ID)
            .icon(icon(wanted.light))
            .icon_as_template(true)
            .tooltip(&wanted.status)
            .menu(&menu)
            .on_menu_event(move |_, event| {
                if let Some(entry) = Entry::parse(event.id().as_ref()) {
                    choose(&chosen, entry);
                }
            })
            .build(app.handle());
    };
    tray.set_menu(Some(menu))?;
    tray.set_tooltip(Some(&wanted.status))?;
    if before.light != wanted.light {
        tray.set_icon(Some(icon(wanted.light)))?;
        tray.set_icon_as_template(true)?;
    }
    Ok(tray)
}

fn menu(handle: &AppHandle, shown: &Shown) -> tauri::Result<Menu<tauri::Wry>> {
    let said = |word: Word| word.of(shown.language);
    let item = |entry: Entry, text: &str, on: bool| {
        MenuItem::with_id(handle, entry.id(), mnemonic_free(text), on, None::<&str>)
    };
    let line = || PredefinedMenuItem::separator(handle);
    let status = MenuItem::with_id(handle, "status", mnemonic_free(&shown.status), false, None::<&str>)?;
    let needs = fill(said(Word::Needs), &[("count", &shown.needs.to_string())]);
    let watch =
        CheckMenuItem::with_id(handle, Entry::Watch.id(), said(Word::Watch), true, true, None::<&str>)?;
    let menu = Menu::with_items(
        handle,
        &[
            &status,
            &item(Entry::Open, said(Word::Open), true)?,
            &item(Entry::Needs, &needs, shown.needs > 0)?,
            &line()?,
            &watch,
        ],
    )?;
    if shown.paused {
        menu.append(&item(Entry::Resume, said(Word::Resume), true)?)?;
    } else {
        let pauses = Submenu::with_id(handle, "pauses", said(Word::Pause), true)?;
        for (word, minutes) in PAUSES {
            pauses.append(&item(Entry::Pause(Some(minutes)), said(word), true)?)?;
        }
        pauses.append(&item(Entry::Pause(None), said(Word::UntilResumed), true)?)?;
        menu.append(&pauses)?;
    }
    menu.append(&line()?)?;
    menu.append(&item(Entry::Drafts, said(Word::Drafts), shown.site)?)?;
    let recent = Submenu::with_id(handle, "recent", said(Word::Recent), !shown.recent.is_empty())?;
    for (op_id, title) in &shown.recent {
        recent.append(&item(Entry::Draft(*op_id), title, true)?)?;
    }
    menu.append(&recent)?;
    menu.append(&line()?)?;
    menu.append(&item(Entry::Settings, said(Word::Settings), true)?)?;
    menu.append(&item(Entry::Quit, said(Word::Quit), true)?)?;
    Ok(menu)
}

/// A `&` in a menu marks the letter after it, unless it is doubled.
fn mnemonic_free(text: &str) -> String {
    text.replace('&', "&&")
}

fn choose(app: &Arc<App>, entry: Entry) {
    let done = match entry {
        Entry::Watch => settings::watch(app, false),
        Entry::Drafts => links::drafts(app, None),
        Entry::Draft(op_id) => links::draft(app, op_id),
        Entry::Open => return setup::go(app, Goal::Window),
        Entry::Needs => return setup::go(app, Goal::Attention),
        Entry::Settings => return setup::go(app, Goal::Settings),
        Entry::Pause(minutes) => return watching::pause(app, minutes),
        Entry::Resume => return watching::resume(app),
        Entry::Quit => return closing::quit(app),
    };
    if let Err(error) = done {
        tracing::warn!(code = error.code, ?entry, "an entry of the tray's menu failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ichido_core::time::Timestamp;
    use ichido_engine::{WatchStatus, Working};

    #[test]
    fn every_entry_is_known_by_its_name() {
        let op_id = OpId::parse("0198c2f0-0000-7000-8000-000000000001").unwrap();
        for entry in [
            Entry::Open,
            Entry::Needs,
            Entry::Watch,
            Entry::Pause(None),
            Entry::Pause(Some(30)),
            Entry::Resume,
            Entry::Drafts,
            Entry::Draft(op_id),
            Entry::Settings,
            Entry::Quit,
        ] {
            assert_eq!(Entry::parse(&entry.id()), Some(entry));
        }
        for other in ["", "status", "pause x", "draft 1", "quit now"] {
            assert_eq!(Entry::parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_first_line_says_how_things_stand_and_never_none_of_none() {
        let said = |light, watched: &WatchStatus| status(Language::En, light, watched);
        let calm = WatchStatus::default();
        assert_eq!(said(Light::Watching, &calm), "Watching");
        assert_eq!(said(Light::Working, &calm), "Watching");
        let working = Working { site: "blog".to_owned(), ended: 1, articles: 3 };
        let working = WatchStatus { working: Some(working), ..WatchStatus::default() };
        assert_eq!(said(Light::Working, &working), "Registering: 1 of 3");
        assert_eq!(said(Light::NeedsYou, &working), "Needs you");
        let paused =
            WatchStatus { paused: Some(PausedUntil::Moment(Timestamp(0))), ..WatchStatus::default() };
        assert!(said(Light::Paused, &paused).starts_with("Paused until "));
    }
}
