//! Registering: foreseen, begun, paused, taken up again.

use std::sync::Arc;

use ichido_core::tally::Ending;
use ichido_engine::{Batch as EngineBatch, DEFAULT_WAIT, Event, Report, Stop};

use super::Shared;
use crate::batch;
use crate::desk::{Place, SiteKey};
use crate::state::App;
use crate::view::{AppError, BackendEvent, BatchState, DryRun, DryRunLine, Plan};

/// The most lines of a dry run that are shown.
const MOST_LINES: usize = 200;

/// Says what registering everything would do. Sends nothing.
#[tauri::command]
pub(crate) async fn dry_run(app: Shared<'_>, site_id: String) -> Result<DryRun, AppError> {
    let place = app.place_named(&site_id)?;
    app.not_running()?;
    let shared = Arc::clone(app.inner());
    let foreseen = app.work.wait(move || async move { foresee(&shared, &place).await }).await;
    let report = foreseen.ok_or_else(|| AppError::new("internal"))??;
    Ok(planned(app.inner(), &report))
}

async fn foresee(app: &Arc<App>, place: &Place) -> Result<Report, AppError> {
    let _turn = app.turn().await;
    let engine = place.desk.engine();
    let settings = engine.settings(Some(&place.site.name))?;
    let credentials = app.passwords.of(&place.site).await?;
    let locations: Vec<_> = app.lock().list.sheets().map(|sheet| sheet.location.clone()).collect();
    let create_tags = place.key == SiteKey::Practice || settings.create_tags;
    let reading = tokio::task::spawn_blocking(move || ichido_engine::read_again(&locations, settings));
    let batch = EngineBatch {
        articles: reading.await.map_err(|error| AppError::internal(&error))?,
        site: place.site.name.clone(),
        credentials,
        create_tags,
        polls: Vec::new(),
        wait: DEFAULT_WAIT,
        dry_run: true,
    };
    Ok(engine.register(batch, &|_: &Event| {}, &Stop::default()).await?)
}

fn planned(app: &App, report: &Report) -> DryRun {
    let inner = app.lock();
    let mut run = DryRun {
        create: 0,
        skip: 0,
        verified: 0,
        needs_work: 0,
        halt: 0,
        could_not_ask: 0,
        lines: Vec::new(),
    };
    for (name, end) in &report.articles {
        let plan = match end.ending {
            Ending::Created => Plan::Create,
            Ending::Skipped => Plan::Skip,
            Ending::Verified | Ending::Adopted => Plan::Verified,
            Ending::NeedsWork | Ending::Refused => Plan::NeedsWork,
            Ending::Halted | Ending::Unknown | Ending::Left => Plan::Halt,
            Ending::Waiting => Plan::CouldNotAsk,
        };
        *match plan {
            Plan::Create => &mut run.create,
            Plan::Skip => &mut run.skip,
            Plan::Verified => &mut run.verified,
            Plan::NeedsWork => &mut run.needs_work,
            Plan::Halt => &mut run.halt,
            Plan::CouldNotAsk => &mut run.could_not_ask,
        } += 1;
        if let Some(entry) = inner.list.by_path(&name.path).filter(|_| run.lines.len() < MOST_LINES) {
            let row = &entry.row;
            run.lines.push(DryRunLine { id: row.id, title: row.title.clone(), slug: row.slug.clone(), plan });
        }
    }
    run
}

/// Registers drafts; `ids` null stands for every article that is ready.
#[tauri::command]
pub(crate) async fn register(
    app: Shared<'_>,
    site_id: String,
    ids: Option<Vec<u32>>,
) -> Result<(), AppError> {
    let place = app.place_named(&site_id)?;
    let goes = app.lock().list.goes(ids.as_deref());
    batch::begin(app.inner(), place, goes)
}

/// Stops after the request in flight; what has not been sent waits.
#[tauri::command]
pub(crate) async fn pause(app: Shared<'_>) -> Result<(), AppError> {
    let mut inner = app.lock();
    let Some(batch) = inner.batch.as_mut().filter(|batch| batch.state == BatchState::Running) else {
        return Ok(());
    };
    batch.stop.request();
    batch.state = BatchState::Pausing;
    let view = batch.view();
    app.tell(&BackendEvent::Batch { batch: Some(view), tally: None });
    Ok(())
}

#[tauri::command]
pub(crate) async fn resume(app: Shared<'_>) -> Result<(), AppError> {
    let (key, ids) = {
        let inner = app.lock();
        let paused = inner.batch.as_ref().filter(|batch| batch.state == BatchState::Paused);
        let Some(batch) = paused else { return Ok(()) };
        (batch.key, batch.ids.clone())
    };
    let place = app.place(key)?;
    let goes = app.lock().list.goes(Some(&ids));
    batch::begin(app.inner(), place, goes)
}
