//! Watching folders.

use ichido_engine::{
    FolderState, FolderStatus, Light, NoEvents, Noticing, Ownership, PausedUntil, WatchStatus,
};
use serde::Serialize;

use crate::state::shown;

to_window! {
    /// A batch that the watch began.
    struct WatchWorking {
        ended: usize,
        articles: usize,
    }

    /// A folder that is watched.
    struct WatchedFolderView {
        /// Path as shown, with the home folder as `~`.
        path: String,
        /// Whether articles without an error are registered by themselves.
        automatic: bool,
        /// A code of the engine, such as `watching` or `owned_elsewhere`.
        state: &'static str,
        /// Why, where the state has a reason of its own.
        reason: Option<&'static str>,
        /// The other computer, where one registers from this folder.
        machine: Option<String>,
        /// When the next attempt follows by itself.
        next_at: Option<i64>,
        /// Why the folder is read again and again, where the system does not tell of changes.
        #[cfg_attr(test, ts(type = "NoEvents | null"))]
        scans: Option<NoEvents>,
        ready: usize,
        settling: usize,
        set_aside: usize,
    }

    /// All that is known of the watch.
    struct WatchView {
        #[cfg_attr(test, ts(type = "Light"))]
        light: Light,
        paused: bool,
        /// Until when; null while it is paused until somebody resumes.
        paused_until: Option<i64>,
        working: Option<WatchWorking>,
        checked_at: Option<i64>,
        folders: Vec<WatchedFolderView>,
    }
}

impl WatchView {
    pub(crate) fn of(status: &WatchStatus) -> Self {
        let paused_until = match status.paused {
            Some(PausedUntil::Moment(at)) => Some(at.0),
            Some(PausedUntil::Resumed) | None => None,
        };
        Self {
            light: status.light,
            paused: status.paused.is_some(),
            paused_until,
            working: status
                .working
                .as_ref()
                .map(|working| WatchWorking { ended: working.ended, articles: working.articles }),
            checked_at: status.checked_at.map(|at| at.0),
            folders: status.folders.iter().map(folder).collect(),
        }
    }
}

fn folder(status: &FolderStatus) -> WatchedFolderView {
    let machine = match &status.owner {
        Ownership::Elsewhere { by, .. } => Some(by.machine.clone()),
        Ownership::Nobody | Ownership::Ours | Ownership::Unusable => None,
    };
    let scans = match status.noticing {
        Noticing::Events => None,
        Noticing::Scanning { why, .. } => Some(why),
    };
    WatchedFolderView {
        path: shown(&status.folder),
        automatic: status.automatic,
        state: status.state.as_str(),
        reason: reason(status.state),
        machine,
        next_at: status.next_try_at.map(|at| at.0),
        scans,
        ready: status.counts.ready,
        settling: status.counts.settling,
        set_aside: status.counts.set_aside,
    }
}

const fn reason(state: FolderState) -> Option<&'static str> {
    match state {
        FolderState::Offline { reason } | FolderState::Refused { reason } => Some(reason.as_str()),
        FolderState::Shut { reason } => Some(reason.as_str()),
        FolderState::Starting
        | FolderState::Watching
        | FolderState::Settling
        | FolderState::Away
        | FolderState::TooLarge
        | FolderState::Unreadable
        | FolderState::NeedsCredentials
        | FolderState::OtherRunner
        | FolderState::OtherWatcher
        | FolderState::OwnedElsewhere
        | FolderState::OwnerUnusable
        | FolderState::NoSite
        | FolderState::JournalFailed => None,
    }
}
