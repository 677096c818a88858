//! The program's place in the taskbar or dock: progress and the number of those that need a person, where the system
//! shows such things.

use tauri::Manager as _;
use tauri::window::{ProgressBarState, ProgressBarStatus};

use crate::setup::MAIN;
use crate::state::App;
use crate::view::{BackendEvent, BatchState, BatchView};

/// Shows what the window is told. Where a system has no such place, nothing happens.
pub(crate) fn show(app: &App, event: &BackendEvent) {
    let Some(window) = app.handle().get_webview_window(MAIN) else { return };
    let shown = match event {
        BackendEvent::Batch { batch, .. } => window.set_progress_bar(progress(batch.as_ref())),
        BackendEvent::Attention { count, .. } => {
            window.set_badge_count(i64::try_from(*count).ok().filter(|count| *count > 0))
        }
        BackendEvent::Rows { .. }
        | BackendEvent::ListReplaced
        | BackendEvent::Scan { .. }
        | BackendEvent::Detail { .. }
        | BackendEvent::Sites { .. }
        | BackendEvent::Barriers { .. }
        | BackendEvent::Settings { .. }
        | BackendEvent::Watch { .. }
        | BackendEvent::Go { .. }
        | BackendEvent::Drag { .. }
        | BackendEvent::Failed { .. }
        | BackendEvent::Closing => Ok(()),
    };
    if let Err(error) = shown {
        tracing::debug!(%error, "the taskbar shows nothing");
    }
}

fn progress(batch: Option<&BatchView>) -> ProgressBarState {
    let Some(batch) = batch else {
        return ProgressBarState { status: Some(ProgressBarStatus::None), progress: None };
    };
    let status = match batch.state {
        BatchState::Running => ProgressBarStatus::Normal,
        BatchState::Pausing | BatchState::Paused => ProgressBarStatus::Paused,
    };
    let percent = (batch.ended * 100).checked_div(batch.total).unwrap_or(0);
    ProgressBarState { status: Some(status), progress: u64::try_from(percent).ok() }
}
