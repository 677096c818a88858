//! Watch mode: the folders that are open are watched for the site in use. What the engine's watch tells becomes rows,
//! a light, the tray and notifications.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use ichido_core::time::Timestamp;
use ichido_engine::{
    CredentialSource, Event, FolderStatus, PausedUntil, Report, RunError, Watch, WatchError, WatchListener,
    WatchOptions, WatchStatus, WatchedFolder, Watcher,
};
use ichido_journal::Site;
use ichido_wordpress::Credentials;
use tokio::sync::watch;

use crate::desk::{Place, SiteKey, now};
use crate::state::App;
use crate::view::{AppError, BackendEvent, WatchView};
use crate::{batch, closing, notify, scan, tray};

/// A watch that runs.
#[derive(Debug)]
pub(crate) struct Watching {
    key: SiteKey,
    handle: Watch,
    folders: Vec<WatchedFolder>,
    /// Tells one watch from those before it, whose last words may come late.
    number: u64,
}

impl Watching {
    pub(crate) fn stop(&self) {
        self.handle.stop();
    }
}

/// Begins, changes or ends watching, as the settings, the folders and the site say now.
pub(crate) fn follow(app: &Arc<App>) {
    let place = app.current_place().filter(|_| app.lock().settings.watch);
    let mut inner = app.lock();
    if inner.closing {
        return;
    }
    let Some(place) = place else {
        let ended = inner.watching.take();
        inner.watched = WatchStatus::default();
        drop(inner);
        if let Some(watching) = ended {
            watching.stop();
            told(app);
        }
        return;
    };
    let folders = folders(&inner.folders, &inner.automatic, &place);
    if let Some(watching) = inner.watching.as_mut().filter(|watching| watching.key == place.key) {
        if watching.folders != folders {
            watching.folders.clone_from(&folders);
            watching.handle.set_folders(folders);
        }
        return;
    }
    if let Some(elsewhere) = inner.watching.take() {
        elsewhere.stop();
    }
    let options = WatchOptions {
        folders: folders.clone(),
        paused: inner.watched.paused,
        polls: batch::polls(place.key),
        create_tags: place.key == SiteKey::Practice,
        turn: Some(app.turns()),
        // What is in doubt is looked for by the window's own looks.
        looks: false,
        ..WatchOptions::default()
    };
    let (handle, watcher) = Watch::new(options);
    inner.watches += 1;
    let number = inner.watches;
    let changes = handle.changes();
    inner.watching = Some(Watching { key: place.key, handle, folders, number });
    drop(inner);
    tauri::async_runtime::spawn(tell(Arc::clone(app), changes, number));
    let running = Arc::clone(app);
    app.work.begin(move || async move { run(&running, &place, watcher, number).await });
}

/// The open folders as they are watched. A single file is not watched.
fn folders(open: &[crate::state::Folder], automatic: &[PathBuf], place: &Place) -> Vec<WatchedFolder> {
    let watched = |path: &PathBuf| WatchedFolder {
        site: place.site.name.clone(),
        folder: path.clone(),
        automatic: automatic.contains(path),
    };
    open.iter().map(|folder| &folder.path).filter(|path| !path.is_file()).map(watched).collect()
}

async fn run(app: &Arc<App>, place: &Place, watcher: Watcher, number: u64) {
    let engine = place.desk.engine();
    let listener = Hearing { app, place };
    if let Err(error) = watcher.run(&engine, &Passwords(app), &listener).await {
        app.tell_failed(match error {
            WatchError::Run(error) => error.into(),
            WatchError::Watched { .. } => AppError::new("watched_elsewhere"),
        });
    }
    let mut inner = app.lock();
    if inner.watching.as_ref().is_some_and(|watching| watching.number == number) {
        inner.watching = None;
        inner.watched = WatchStatus::default();
    }
    drop(inner);
    told(app);
    closing::settled(app);
}

/// Tells the window and the tray what is known, whenever it changes.
async fn tell(app: Arc<App>, mut changes: watch::Receiver<WatchStatus>, number: u64) {
    let mut before = WatchStatus::default();
    while changes.changed().await.is_ok() {
        let status = changes.borrow_and_update().clone();
        {
            let mut inner = app.lock();
            if inner.watching.as_ref().is_none_or(|watching| watching.number != number) {
                return;
            }
            inner.watched = status.clone();
        }
        told(&app);
        if is_to_be_read_again(&before, &status) {
            reread(&app).await;
        }
        before = status;
    }
}

fn told(app: &Arc<App>) {
    let view = WatchView::of(&app.lock().watched);
    app.tell(&BackendEvent::Watch { watch: view });
    tray::update(app);
}

/// Whether articles came, went or changed, so that the list is not what lies in the folders any more.
fn is_to_be_read_again(before: &WatchStatus, now: &WatchStatus) -> bool {
    let read = |folder: &FolderStatus| {
        let counts = folder.counts;
        (counts.articles, counts.needs_work, counts.set_aside)
    };
    now.folders.iter().any(|folder| {
        let known = before.folders.iter().find(|known| known.folder == folder.folder);
        // What is found first has been read when the folder was opened.
        known.filter(|known| known.checked_at.is_some()).is_some_and(|known| {
            read(known) != read(folder) || (known.counts.settling > 0 && folder.counts.settling == 0)
        })
    })
}

async fn reread(app: &Arc<App>) {
    // A batch's own list stays as it is until it has ended.
    if app.not_running().is_ok()
        && let Err(error) = scan::read(app, Vec::new(), &[]).await
    {
        tracing::warn!(code = error.code, "the folders could not be read again");
    }
}

/// Registers nothing for so many minutes, or until somebody resumes.
pub(crate) fn pause(app: &App, minutes: Option<u32>) {
    let until = match minutes {
        Some(minutes) => PausedUntil::Moment(Timestamp(now().0 + i64::from(minutes) * 60_000)),
        None => PausedUntil::Resumed,
    };
    if let Some(watching) = &app.lock().watching {
        watching.handle.pause(until);
    }
}

/// Goes on.
pub(crate) fn resume(app: &App) {
    if let Some(watching) = &app.lock().watching {
        watching.handle.resume();
    }
}

/// A password, a site or a folder may be back: what waits is tried at once.
pub(crate) fn try_now(app: &App) {
    if let Some(watching) = &app.lock().watching {
        watching.handle.check_now();
    }
}

/// Makes this computer the one that registers from a folder, as a person said.
pub(crate) async fn take_over(app: &App, folder: PathBuf) -> Result<(), AppError> {
    let handle = app.lock().watching.as_ref().map(|watching| watching.handle.clone());
    let handle = handle.ok_or_else(|| AppError::new("not_watching"))?;
    handle.take_over(folder).await.map_err(|error| {
        tracing::warn!(%error, "a folder could not be taken over");
        AppError::new("folder_not_writable")
    })
}

/// Passwords of this session, else the keychain's.
struct Passwords<'a>(&'a App);

impl CredentialSource for Passwords<'_> {
    fn of<'a>(&'a self, site: &'a Site) -> Pin<Box<dyn Future<Output = Option<Credentials>> + 'a>> {
        Box::pin(async move { self.0.passwords.of(site).await.ok() })
    }
}

/// Hears the batches that the watch begins.
struct Hearing<'a> {
    app: &'a Arc<App>,
    place: &'a Place,
}

impl WatchListener for Hearing<'_> {
    fn hear(&self, _site: &str, event: &Event) {
        if let Event::Started { .. } = event {
            // What is new is in the list before it is registered, where the list is quick enough.
            let app = Arc::clone(self.app);
            tauri::async_runtime::spawn(async move { reread(&app).await });
        }
        batch::hear(self.app, self.place, event);
    }

    fn ended(&self, _site: &str, report: &Report) {
        self.app.lock().list.rest();
        let pause = report.pause;
        let told = self
            .app
            .refresh_rows()
            .and_then(|()| self.app.refresh_attention(None))
            .and_then(|()| self.app.tell_barriers())
            .and_then(|()| self.app.know(self.place.key, |facts| facts.pause = pause));
        if let Err(error) = told {
            tracing::warn!(code = error.code, "what a watched folder came to could not be told");
        }
        notify::ended(self.app, self.place.key, report);
        let app = Arc::clone(self.app);
        tauri::async_runtime::spawn(async move { reread(&app).await });
    }

    fn failed(&self, _site: &str, error: &RunError) {
        tracing::warn!(%error, "a batch of a watched folder could not be run to its end");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ichido_engine::{Counts, FolderState, Noticing, Ownership};

    fn status(counts: Counts, checked: bool) -> WatchStatus {
        let folder = FolderStatus {
            site: "blog".to_owned(),
            folder: "/articles".into(),
            automatic: true,
            state: FolderState::Watching,
            noticing: Noticing::Events,
            owner: Ownership::Nobody,
            counts,
            checked_at: checked.then_some(Timestamp(1)),
            next_try_at: None,
        };
        WatchStatus { folders: vec![folder], ..WatchStatus::default() }
    }

    #[test]
    fn the_list_is_read_again_only_where_articles_changed() {
        let counts = |articles, settling, ready, settled| {
            status(Counts { articles, settling, ready, settled, ..Counts::default() }, true)
        };
        let first = status(Counts::default(), false);
        assert!(!is_to_be_read_again(&first, &counts(3, 0, 3, 0)), "it was read when it was opened");
        assert!(is_to_be_read_again(&counts(3, 0, 3, 0), &counts(4, 1, 3, 0)), "one came");
        assert!(is_to_be_read_again(&counts(4, 1, 3, 0), &counts(4, 0, 4, 0)), "one is written to its end");
        assert!(!is_to_be_read_again(&counts(4, 0, 4, 0), &counts(4, 0, 0, 4)), "they were registered");
    }
}
