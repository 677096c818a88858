//! The window: how it is made, what it may do, and what happens to it from outside.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use tauri::plugin::TauriPlugin;
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, DragDropEvent, Manager as _, RunEvent, Url, WebviewUrl, WebviewWindowBuilder, Window,
    WindowEvent, Wry,
};
use tauri_plugin_window_state::StateFlags;

use crate::closing::{self, Wish};
use crate::notify::{self, Goal};
use crate::state::App;
use crate::view::{BackendEvent, GoalView, Screen};
use crate::words::Word;
use crate::work::Work;
use crate::{links, scan, settings, start, tray};

pub(crate) const MAIN: &str = "main";
/// Starts without a window, as the system does with the session.
const HIDDEN: &str = "--hidden";

/// Starting with the session: off until a person switches it on.
pub(crate) fn autostart() -> TauriPlugin<Wry> {
    tauri_plugin_autostart::Builder::new().arg(HIDDEN).build()
}

/// Size and place of the window, from one start to the next.
pub(crate) fn window_state() -> TauriPlugin<Wry> {
    let kept = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    tauri_plugin_window_state::Builder::new().with_state_flags(kept).build()
}

/// Makes the program, and its window unless it is to start in the tray.
pub(crate) fn begin(handle: &AppHandle) -> Result<(), Box<dyn std::error::Error>> {
    let app = Arc::new(App::new(handle.clone(), Work::start()?, settings::first()));
    handle.manage(Arc::clone(&app));
    closing::listen(Arc::clone(&app));
    if std::env::args_os().skip(1).any(|arg| arg == HIDDEN) {
        tauri::async_runtime::spawn(begin_hidden(app));
    } else {
        open_window(handle)?;
    }
    Ok(())
}

/// Takes up the watch without a window, if that is what a person wanted and there is a tray to come back from.
async fn begin_hidden(app: Arc<App>) {
    let begun = start::once(&app).await;
    if let Err(error) = &begun {
        tracing::error!(code = error.code, "the program could not begin in the tray");
    }
    tray::drawn_now(&app).await;
    let watches = app.lock().settings.watch;
    if begun.is_err() || !watches || !has_tray(&app).await {
        go(&app, Goal::Window);
    }
}

fn open_window(handle: &AppHandle) -> tauri::Result<()> {
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "the window opens");
    WebviewWindowBuilder::new(handle, MAIN, WebviewUrl::App("index.html".into()))
        .title("Ichido")
        .inner_size(1280.0, 820.0)
        .min_inner_size(720.0, 480.0)
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    Ok(())
}

/// Shows the window, made anew if there is none, and leads to a place in it.
pub(crate) fn go(app: &Arc<App>, goal: Goal) {
    if let Goal::Drafts(key) = goal {
        if let Err(error) = links::drafts(app, Some(key)) {
            tracing::warn!(code = error.code, "the drafts could not be opened");
        }
        return;
    }
    let app = Arc::clone(app);
    // Windows are made by the thread that has them.
    let asked = app.handle().clone().run_on_main_thread(move || {
        let shown = match app.handle().get_webview_window(MAIN) {
            Some(window) => {
                if let Some(goal) = goal_view(goal) {
                    app.tell(&BackendEvent::Go { goal });
                }
                window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus())
            }
            None => {
                app.lock().goal = Some(goal);
                open_window(app.handle())
            }
        };
        if let Err(error) = shown {
            tracing::warn!(%error, "the window could not be shown");
        }
    });
    if let Err(error) = asked {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Where a goal is in the window.
pub(crate) fn goal_view(goal: Goal) -> Option<GoalView> {
    let (screen, op_id) = match goal {
        Goal::Card(op_id) => (Screen::Attention, Some(op_id.to_string())),
        Goal::Attention => (Screen::Attention, None),
        Goal::Settings => (Screen::Settings, None),
        Goal::Drafts(_) | Goal::Window => return None,
    };
    Some(GoalView { screen, op_id })
}

/// Whether the person is at the window, and sees what is told there.
pub(crate) fn is_looked_at(app: &App) -> bool {
    let window = app.handle().get_webview_window(MAIN);
    window.is_some_and(|window| window.is_focused().unwrap_or(false) && window.is_visible().unwrap_or(false))
}

/// Whether a window is there to be told anything.
pub(crate) fn is_open(app: &App) -> bool {
    app.handle().get_webview_window(MAIN).is_some()
}

async fn has_tray(app: &Arc<App>) -> bool {
    if !app.tray.is_possible() {
        return false;
    }
    #[cfg(target_os = "linux")]
    return app.bus.has_tray(app).await;
    #[cfg(not(target_os = "linux"))]
    true
}

/// The window is closed while folders are watched: it goes to the tray, or where there is none, it is minimised. Told
/// once.
async fn put_away(app: Arc<App>, window: Window) {
    let in_tray = has_tray(&app).await;
    // A page that is not there needs neither memory nor time.
    let gone = if in_tray { window.destroy() } else { window.minimize() };
    if let Err(error) = gone {
        tracing::warn!(%error, "the window could not be put away");
        return;
    }
    if app.lock().told_tray {
        return;
    }
    let (title, body) =
        if in_tray { (Word::ToTray, Word::ToTrayBody) } else { (Word::NoTray, Word::NoTrayBody) };
    notify::stays(&app, title, body);
    settings::remember_told_tray(&app);
}

/// Keeps the program alive without a window while folders are watched.
pub(crate) fn goes_on(handle: &AppHandle, event: RunEvent) {
    if let RunEvent::ExitRequested { code: None, api, .. } = event {
        let app = handle.state::<Arc<App>>();
        let inner = app.lock();
        if inner.settings.watch && !inner.closing {
            api.prevent_exit();
        }
    }
}

/// The window shows the program's own page and never leaves it.
fn is_ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Where the platform has no schemes of its own.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

/// Takes what happens to the window.
pub(crate) fn happened(window: &Window, event: &WindowEvent) {
    let app = Arc::clone(window.state::<Arc<App>>().inner());
    if let WindowEvent::CloseRequested { api, .. } = event {
        let stays = {
            let inner = app.lock();
            inner.settings.watch && !inner.first_start && !inner.closing
        };
        if stays {
            api.prevent_close();
            tauri::async_runtime::spawn(put_away(Arc::clone(&app), window.clone()));
        } else if closing::wished(&app) == Wish::Later {
            api.prevent_close();
        }
    }
    if matches!(event, WindowEvent::Focused(true)) {
        crate::looking::notice_now(&app);
    }
    if let WindowEvent::DragDrop(drag) = event {
        dragged(&app, drag);
    }
}

fn dragged(app: &Arc<App>, drag: &DragDropEvent) {
    if let DragDropEvent::Enter { paths, .. } = drag {
        app.tell(&BackendEvent::Drag { paths: Some(paths.len()) });
    }
    if let DragDropEvent::Drop { paths, .. } = drag {
        app.tell(&BackendEvent::Drag { paths: None });
        open(app, paths.clone());
    }
    if matches!(drag, DragDropEvent::Leave) {
        app.tell(&BackendEvent::Drag { paths: None });
    }
}

/// The program was started a second time: its paths are opened here, and the window is shown.
pub(crate) fn started_again(handle: &AppHandle, args: Vec<String>, folder: String) {
    let app = handle.state::<Arc<App>>();
    go(app.inner(), Goal::Window);
    let paths = named_paths(args.into_iter().skip(1).map(OsString::from), Some(PathBuf::from(folder)));
    if !paths.is_empty() {
        open(app.inner(), paths);
    }
}

fn open(app: &Arc<App>, paths: Vec<PathBuf>) {
    let app = Arc::clone(app);
    tauri::async_runtime::spawn(async move {
        if let Err(error) = scan::open(&app, paths).await {
            app.tell_failed(error);
        }
    });
}

/// The folders and files that the command line names; options are none of them.
pub(crate) fn named_paths(args: impl Iterator<Item = OsString>, folder: Option<PathBuf>) -> Vec<PathBuf> {
    let paths = args.filter(|arg| !arg.is_empty() && !arg.as_encoded_bytes().starts_with(b"-"));
    paths.map(|path| folder.clone().unwrap_or_default().join(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_never_leaves_its_page() {
        let ours = |text: &str| is_ours(&Url::parse(text).unwrap());
        assert!(ours("tauri://localhost/index.html"));
        for other in [
            "https://example.com/",
            "http://localhost:1420/",
            "https://tauri.localhost.evil.example/",
            "file:///etc/passwd",
            "data:text/html,x",
            "about:blank",
            "tauri://elsewhere/",
        ] {
            assert!(!ours(other), "{other}");
        }
    }

    #[test]
    fn options_are_no_paths() {
        let args = ["--automation", "a b", "/c", ""].map(OsString::from).into_iter();
        let paths = named_paths(args, Some(PathBuf::from("/home/x")));
        assert_eq!(paths, [PathBuf::from("/home/x/a b"), PathBuf::from("/c")]);
    }
}
