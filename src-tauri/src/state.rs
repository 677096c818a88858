//! What the program holds while its window is open: a copy of what the folders and the journals say.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ichido_core::id::OpId;
use ichido_core::tally::{Pause, Tally};
use ichido_engine::{Stop, WatchStatus, choose_places};
use tauri::{AppHandle, Emitter as _};
use tokio::sync::OwnedMutexGuard;

use crate::commands::{Connect, GivenUp};
use crate::desk::{Desk, Place, SiteKey};
use crate::list::List;
use crate::notify::Goal;
use crate::passwords::Passwords;
use crate::practice::Practice;
use crate::tray::Tray;
use crate::view::{
    AppError, BackendEvent, BatchState, BatchView, CredentialsKept, FolderView, PermissionCheck, ScanView,
    Settings,
};
use crate::watching::Watching;
use crate::work::Work;

/// The name of the one stream of events.
const STREAM: &str = "state";

/// The program.
pub(crate) struct App {
    handle: AppHandle,
    pub(crate) work: Work,
    pub(crate) passwords: Passwords,
    pub(crate) tray: Tray,
    pub(crate) connecting: GivenUp,
    #[cfg(target_os = "linux")]
    pub(crate) bus: crate::notify::Bus,
    desk: Mutex<Option<Desk>>,
    inner: Mutex<Inner>,
    /// Folders are read by one at a time, so that the last one read is what is shown.
    pub(crate) reading: tokio::sync::Mutex<()>,
    /// Whoever needs the runner lock takes turns.
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// What changes.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) list: List,
    pub(crate) folders: Vec<Folder>,
    pub(crate) scan: ScanView,
    pub(crate) batch: Option<Batch>,
    pub(crate) current: Option<SiteKey>,
    pub(crate) practice: Option<Arc<Practice>>,
    pub(crate) facts: HashMap<SiteKey, Facts>,
    pub(crate) settings: Settings,
    pub(crate) first_start: bool,
    pub(crate) remembered: bool,
    pub(crate) closing: bool,
    pub(crate) attention: usize,
    /// How many banners shut creating somewhere.
    pub(crate) barriers: usize,
    /// Folders whose articles are registered by themselves.
    pub(crate) automatic: Vec<PathBuf>,
    pub(crate) watching: Option<Watching>,
    /// How often watching was begun.
    pub(crate) watches: u64,
    /// What the watch told last.
    pub(crate) watched: WatchStatus,
    /// Where the next window is to lead.
    pub(crate) goal: Option<Goal>,
    /// What a person is being asked for in the browser.
    pub(crate) connect: Option<Connect>,
    /// Whether a person was told that the program goes on in the tray.
    pub(crate) told_tray: bool,
    /// The versions of the journals as they were read last and whether anybody was at work, by whether they are the
    /// practice site's.
    pub(crate) versions: HashMap<bool, (i64, bool)>,
}

/// A folder or file that a person opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) articles: usize,
    pub(crate) scanned_at: Option<i64>,
}

/// A batch that runs or was paused.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) key: SiteKey,
    pub(crate) ids: Vec<u32>,
    /// How many of them ended before it was paused last.
    pub(crate) ended_before: usize,
    pub(crate) ended: std::collections::HashSet<u32>,
    pub(crate) started_at: i64,
    pub(crate) state: BatchState,
    pub(crate) current: Option<u32>,
    pub(crate) stop: Stop,
    /// How the articles ended that ended before it was paused last.
    pub(crate) tally: Tally,
}

/// What is known of a site beside its record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) kept: Option<CredentialsKept>,
    pub(crate) role: Option<String>,
    pub(crate) pause: Option<Pause>,
    pub(crate) checked_at: Option<i64>,
    pub(crate) checks: Vec<PermissionCheck>,
}

impl Batch {
    pub(crate) fn view(&self) -> BatchView {
        let ended = self.ended_before + self.ended.len();
        BatchView {
            site_id: self.key.to_string(),
            total: self.ended_before + self.ids.len(),
            ended,
            started_at: self.started_at,
            state: self.state,
            current_id: self.current,
        }
    }
}

impl App {
    pub(crate) fn new(handle: AppHandle, work: Work, settings: Settings) -> Self {
        let inner = Inner {
            list: List::default(),
            folders: Vec::new(),
            scan: ScanView { running: false, found: 0, rejected: Vec::new() },
            batch: None,
            current: None,
            practice: None,
            facts: HashMap::new(),
            settings,
            first_start: true,
            remembered: false,
            closing: false,
            attention: 0,
            barriers: 0,
            automatic: Vec::new(),
            watching: None,
            watches: 0,
            watched: WatchStatus::default(),
            goal: None,
            connect: None,
            told_tray: false,
            versions: HashMap::new(),
        };
        Self {
            handle,
            work,
            passwords: Passwords::default(),
            tray: Tray::default(),
            connecting: GivenUp::default(),
            #[cfg(target_os = "linux")]
            bus: crate::notify::Bus::default(),
            desk: Mutex::new(None),
            inner: Mutex::new(inner),
            reading: tokio::sync::Mutex::default(),
            turn: Arc::default(),
        }
    }

    pub(crate) fn handle(&self) -> &AppHandle {
        &self.handle
    }

    /// Holds what changes. Never across a wait, and never while a journal is written.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The journal of the real sites; opened at the first call that succeeds.
    pub(crate) fn real(&self) -> Result<Desk, AppError> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = &*desk {
            return Ok(desk.clone());
        }
        let named = std::env::var_os(ichido_engine::DATA_VARIABLE).map(PathBuf::from);
        let places = choose_places(named).map_err(|error| {
            tracing::error!(%error, "there is no place for the journal");
            AppError::new("journal")
        })?;
        Ok(desk.insert(Desk::open(places)?).clone())
    }

    /// The site of this name and its journal.
    pub(crate) fn place(&self, key: SiteKey) -> Result<Place, AppError> {
        let unknown = || AppError::new("internal");
        match key {
            SiteKey::Practice => {
                let practice = self.lock().practice.clone().ok_or_else(unknown)?;
                Ok(Place { key, desk: practice.desk.clone(), site: practice.site.clone() })
            }
            SiteKey::Real(id) => {
                let desk = self.real()?;
                let site = desk.journal().site(id)?.ok_or_else(unknown)?;
                Ok(Place { key, desk, site })
            }
        }
    }

    pub(crate) fn place_named(&self, id: &str) -> Result<Place, AppError> {
        self.place(SiteKey::parse(id).ok_or_else(|| AppError::new("internal"))?)
    }

    /// The site of a record, and its journal.
    pub(crate) fn place_of(&self, op_id: OpId) -> Result<Place, AppError> {
        let practice = self.lock().practice.clone();
        if let Some(practice) = practice.filter(|practice| {
            practice.desk.journal().operation(op_id).is_ok_and(|operation| operation.is_some())
        }) {
            return Ok(Place {
                key: SiteKey::Practice,
                desk: practice.desk.clone(),
                site: practice.site.clone(),
            });
        }
        let desk = self.real()?;
        let operation = desk.journal().operation(op_id)?.ok_or_else(|| AppError::new("internal"))?;
        self.place(SiteKey::Real(operation.site))
    }

    /// Tells the window. Never waits.
    pub(crate) fn tell(&self, event: &BackendEvent) {
        if let Err(error) = self.handle.emit(STREAM, event) {
            tracing::warn!(%error, "the window could not be told");
        }
        crate::taskbar::show(self, event);
    }

    pub(crate) fn tell_folders(&self) {
        let event = {
            let inner = self.lock();
            BackendEvent::Scan { scan: inner.scan.clone(), folders: inner.folder_views() }
        };
        self.tell(&event);
    }

    pub(crate) fn tell_failed(&self, error: AppError) {
        self.tell(&BackendEvent::Failed { error });
    }

    /// The turns of whoever needs the runner lock.
    pub(crate) fn turns(&self) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(&self.turn)
    }

    /// Waits for the turn of whoever needs the runner lock.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// A batch that was paused is not taken up again: its list or its site is another one now.
    pub(crate) fn drop_paused(&self) {
        let mut inner = self.lock();
        if inner.batch.as_ref().is_some_and(|batch| batch.state == BatchState::Paused) {
            inner.batch = None;
            self.tell(&BackendEvent::Batch { batch: None, tally: None });
        }
    }

    /// Fails while a batch runs, whose turn may take hours.
    pub(crate) fn not_running(&self) -> Result<(), AppError> {
        let inner = self.lock();
        let running = inner.batch.as_ref().is_some_and(|batch| batch.state != BatchState::Paused);
        if running { Err(AppError::new("held")) } else { Ok(()) }
    }
}

impl Inner {
    pub(crate) fn is_sending(&self, practice: bool) -> bool {
        self.batch.as_ref().is_some_and(|batch| {
            batch.state != BatchState::Paused && (batch.key == SiteKey::Practice) == practice
        })
    }

    /// The number at *Needs attention*, wherever it stands: cards and banners.
    pub(crate) fn needs(&self) -> usize {
        self.attention + self.barriers
    }

    /// Whether a batch that a person or the watch began is being sent.
    pub(crate) fn is_in_flight(&self) -> bool {
        let batch = self.batch.as_ref().is_some_and(|batch| batch.state != BatchState::Paused);
        batch || (self.watching.is_some() && self.watched.working.is_some())
    }

    pub(crate) fn folder_views(&self) -> Vec<FolderView> {
        let view = |folder: &Folder| FolderView {
            path: shown(&folder.path),
            automatic: self.automatic.contains(&folder.path),
            watchable: !folder.path.is_file(),
            articles: folder.articles,
            scanned_at: folder.scanned_at,
        };
        self.folders.iter().map(view).collect()
    }
}

/// A path as it is shown, with the home folder as `~`.
pub(crate) fn shown(path: &std::path::Path) -> String {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    match home.and_then(|home| path.strip_prefix(home).ok().map(PathBuf::from)) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}

/// A path as a person types it.
pub(crate) fn typed(text: &str) -> PathBuf {
    let text = text.trim();
    let text = text.strip_prefix("file://").unwrap_or(text);
    match (text.strip_prefix('~'), std::env::home_dir()) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        (Some(_) | None, _) => PathBuf::from(text),
    }
}
