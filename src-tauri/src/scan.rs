//! Reading the folders that a person opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ichido_article::{DiscoverError, FindingCode};
use ichido_engine::{Settings, Sheet};

use crate::desk::now;
use crate::state::{App, Folder, shown};
use crate::view::{AppError, BackendEvent, Rejected, ScanView};

/// Opens folders and files beside those that are open, and reads everything anew.
pub(crate) async fn open(app: &Arc<App>, paths: Vec<PathBuf>) -> Result<(), AppError> {
    let mut rejected = Vec::new();
    let mut added = Vec::new();
    let known: Vec<PathBuf> = app.lock().folders.iter().map(|folder| folder.path.clone()).collect();
    for path in paths {
        let Ok(canonical) = path.canonicalize() else {
            rejected.push(reject(&path, "not_found"));
            continue;
        };
        if known.iter().chain(&added).any(|open| canonical.starts_with(open)) {
            rejected.push(reject(&path, "already"));
        } else {
            added.push(canonical);
        }
    }
    let nothing_new = added.is_empty();
    let only_missing =
        nothing_new && !rejected.is_empty() && rejected.iter().all(|one| one.code == "not_found");
    if only_missing {
        return Err(AppError::new("folder_not_found"));
    }
    {
        let mut inner = app.lock();
        // A folder takes in what was opened inside it before.
        inner.folders.retain(|folder| !added.iter().any(|path| folder.path.starts_with(path)));
        let new = added.iter().map(|path| Folder { path: path.clone(), articles: 0, scanned_at: None });
        inner.folders.extend(new);
    }
    read(app, rejected, &added).await
}

/// Takes a folder off the list, by the path that is shown.
pub(crate) async fn close(app: &Arc<App>, path: &str) -> Result<(), AppError> {
    app.lock().folders.retain(|folder| shown(&folder.path) != path);
    read(app, Vec::new(), &[]).await
}

/// Reads all open folders. Those just opened that hold nothing are closed again.
pub(crate) async fn read(
    app: &Arc<App>,
    mut rejected: Vec<Rejected>,
    new: &[PathBuf],
) -> Result<(), AppError> {
    let _alone = app.reading.lock().await;
    let (folders, settings) = {
        let inner = app.lock();
        let folders: Vec<PathBuf> = inner.folders.iter().map(|folder| folder.path.clone()).collect();
        (folders, crate::settings::for_engine(&inner.settings)?)
    };
    tell(app, true, 0, Vec::new());
    let reading = tokio::task::spawn_blocking(move || read_folders(&folders, settings));
    let read = reading.await.map_err(|error| AppError::internal(&error))?;
    let mut unreadable = None;
    {
        let mut inner = app.lock();
        for (path, outcome) in &read.folders {
            match outcome {
                Ok(articles) => {
                    for folder in inner.folders.iter_mut().filter(|folder| folder.path == *path) {
                        (folder.articles, folder.scanned_at) = (*articles, Some(now().0));
                    }
                }
                Err(code) => {
                    rejected.push(reject(path, code));
                    unreadable = Some(*code);
                    for folder in inner.folders.iter_mut().filter(|folder| folder.path == *path) {
                        folder.articles = 0;
                    }
                }
            }
        }
        let failed: Vec<&PathBuf> =
            read.folders.iter().filter(|(_, outcome)| outcome.is_err()).map(|(path, _)| path).collect();
        inner.folders.retain(|folder| !(new.contains(&folder.path) && failed.contains(&&folder.path)));
        inner.list.replace(read.sheets);
    }
    app.drop_paused();
    rejected.extend(read.passed_over);
    app.refresh_rows()?;
    app.tell(&BackendEvent::ListReplaced);
    let found = app.lock().list.len();
    tell(app, false, found, rejected);
    crate::settings::remember_folders(app);
    match unreadable {
        Some("unreadable") if new.len() == 1 => Err(AppError::new("folder_unreadable")),
        Some(_) | None => Ok(()),
    }
}

struct Read {
    sheets: Vec<Sheet>,
    /// How many articles each folder holds, or why none could be read.
    folders: Vec<(PathBuf, Result<usize, &'static str>)>,
    passed_over: Vec<Rejected>,
}

fn read_folders(folders: &[PathBuf], settings: Settings) -> Read {
    let mut read = Read { sheets: Vec::new(), folders: Vec::new(), passed_over: Vec::new() };
    let mut readable = Vec::new();
    for path in folders {
        match ichido_article::discover(std::slice::from_ref(path)) {
            Ok(found) => {
                read.folders.push((path.clone(), Ok(found.articles.len())));
                let deep = found.notes.iter().filter(|note| note.code == FindingCode::FolderTooDeep);
                read.passed_over.extend(deep.map(|note| reject(&note.file, "too_deep")));
                readable.push(path.clone());
            }
            Err(error) => read.folders.push((path.clone(), Err(code_of(&error)))),
        }
    }
    if !readable.is_empty() {
        match ichido_engine::check(&readable, settings) {
            Ok((loaded, _)) => read.sheets = loaded.iter().map(Sheet::of).collect(),
            Err(error) => tracing::warn!(%error, "a folder went away while it was read"),
        }
    }
    read
}

fn code_of(error: &DiscoverError) -> &'static str {
    match error {
        DiscoverError::NotFound { .. } => "not_found",
        DiscoverError::NotAnArticle { .. } | DiscoverError::Empty { .. } => "not_article",
        DiscoverError::Read { .. } => "unreadable",
    }
}

fn reject(path: &Path, code: &'static str) -> Rejected {
    Rejected { path: shown(path), code }
}

fn tell(app: &App, running: bool, found: usize, rejected: Vec<Rejected>) {
    app.lock().scan = ScanView { running, found, rejected };
    app.tell_folders();
}
