//! The window: how it is made, what it may do, and what happens to it from outside.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, DragDropEvent, Manager as _, Url, WebviewUrl, WebviewWindowBuilder, Window, WindowEvent,
};

use crate::closing::{self, Wish};
use crate::state::App;
use crate::view::BackendEvent;
use crate::work::Work;
use crate::{scan, settings};

const MAIN: &str = "main";

/// Makes the program and its window.
pub(crate) fn begin(handle: &AppHandle) -> Result<(), Box<dyn std::error::Error>> {
    let app = Arc::new(App::new(handle.clone(), Work::start()?, settings::first()));
    handle.manage(Arc::clone(&app));
    closing::listen(app);
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
    if let WindowEvent::CloseRequested { api, .. } = event
        && closing::wished(&app) == Wish::Later
    {
        api.prevent_close();
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
    if let Some(window) = handle.get_webview_window(MAIN) {
        let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
        if let Err(error) = shown {
            tracing::warn!(%error, "the window could not be shown");
        }
    }
    let paths = named_paths(args.into_iter().skip(1).map(OsString::from), Some(PathBuf::from(folder)));
    if !paths.is_empty() {
        open(handle.state::<Arc<App>>().inner(), paths);
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
