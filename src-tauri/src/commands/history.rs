//! The history of the site in use: pages of it, whole in a file, and told without saying what is in it.

use std::io::{BufWriter, Write};
use std::path::Path;

use ichido_engine::{About, Form, HistoryLine as EngineLine};
use ichido_journal::{Journal, Page};
use tauri_plugin_dialog::DialogExt as _;

use super::Shared;
use crate::desk::{Desk, Place};
use crate::state::App;
use crate::view::{AppError, ExportForm, HistoryAbout, HistoryLine, HistoryPage, Params};

/// The most lines of one page.
const MOST_LINES: u32 = 200;

#[tauri::command]
pub(crate) async fn history(
    app: Shared<'_>,
    about: HistoryAbout,
    text: String,
    offset: u64,
    limit: u32,
) -> Result<HistoryPage, AppError> {
    let desk = desk(app.inner())?;
    let about = match about {
        HistoryAbout::All => About::All,
        HistoryAbout::Drafts => About::Drafts,
        HistoryAbout::Trouble => About::Trouble,
        HistoryAbout::People => About::People,
    };
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let page = Page { offset, limit: limit.min(MOST_LINES) };
    let (lines, total) = ichido_engine::history(desk.journal(), None, about, text, page)?;
    let names: Vec<_> = desk.journal().sites()?.into_iter().map(|site| (site.id, site.name)).collect();
    let lines = lines.into_iter().map(|line| {
        let site = line.entry.site.and_then(|id| names.iter().find(|(known, _)| *known == id));
        shown(line, site.map(|(_, name)| name.clone()))
    });
    Ok(HistoryPage { total, lines: lines.collect() })
}

/// The journal of the site in use; that of the real sites where none is.
fn desk(app: &App) -> Result<Desk, AppError> {
    match app.current_place() {
        Some(Place { desk, .. }) => Ok(desk),
        None => app.real(),
    }
}

fn shown(line: EngineLine, site: Option<String>) -> HistoryLine {
    let mut params = Params::new();
    let particulars = [("id", line.row.map(|row| row.to_string())), ("reason", line.reason)];
    for (name, value) in particulars {
        if let Some(value) = value {
            params.insert(name.to_owned(), value);
        }
    }
    HistoryLine {
        seq: line.entry.seq,
        at: line.entry.at.0,
        code: line.entry.code,
        by_person: line.entry.by == ichido_journal::By::Person,
        kind: line.kind,
        name: line.name,
        site,
        params,
    }
}

/// Writes everything that the journal holds into a file that the person chooses; false if none was chosen.
#[tauri::command]
pub(crate) async fn export_history(app: Shared<'_>, form: ExportForm) -> Result<bool, AppError> {
    let desk = desk(app.inner())?;
    let (form, extension) = match form {
        ExportForm::Csv => (Form::Csv, "csv"),
        ExportForm::Json => (Form::Json, "jsonl"),
    };
    let (tell, told) = tokio::sync::oneshot::channel();
    let dialog = app.handle().dialog().file().set_file_name(format!("ichido-history.{extension}"));
    dialog.add_filter(extension, &[extension]).save_file(move |chosen| drop(tell.send(chosen)));
    let chosen = told.await.ok().flatten().and_then(|chosen| chosen.into_path().ok());
    let Some(path) = chosen else { return Ok(false) };
    let writing = tokio::task::spawn_blocking(move || write(desk.journal(), form, &path));
    writing.await.map_err(|error| AppError::internal(&error))??;
    Ok(true)
}

fn write(journal: &Journal, form: Form, path: &Path) -> Result<(), AppError> {
    let failed = |error: std::io::Error| {
        tracing::warn!(%error, "the export could not be written");
        AppError::new("not_written")
    };
    // Written beside and moved: what stood there before goes only once the new file is whole.
    let folder = path.parent().ok_or_else(|| AppError::new("not_written"))?;
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut out = BufWriter::new(beside.as_file_mut());
    // Spreadsheets tell the encoding by this sign.
    let mut told = if form == Form::Csv { out.write_all("\u{feff}".as_bytes()) } else { Ok(()) };
    ichido_engine::export(journal, form, &mut |line| {
        if told.is_ok() {
            told = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
        }
        told.is_ok()
    })?;
    told.and_then(|()| out.flush()).map_err(failed)?;
    drop(out);
    beside.as_file().sync_all().map_err(failed)?;
    beside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Tells how the journal stands, in codes, counts and times alone.
#[tauri::command]
pub(crate) async fn diagnosis(app: Shared<'_>) -> Result<String, AppError> {
    Ok(ichido_engine::diagnosis(desk(app.inner())?.journal(), env!("CARGO_PKG_VERSION"))?)
}
