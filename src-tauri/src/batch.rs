//! A batch that runs: what the engine tells becomes rows and progress.

use std::sync::Arc;
use std::time::Duration;

use ichido_core::operation::WaitReason;
use ichido_core::tally::{Ending, Tally as CoreTally};
use ichido_engine::{
    ArticleName, Batch as EngineBatch, DEFAULT_POLLS, DEFAULT_WAIT, End, Event, Reason, Report, Step,
};

use crate::desk::{Place, SiteKey, now};
use crate::list::Live;
use crate::state::{App, Batch};
use crate::view::{AppError, BackendEvent, BatchState, RowStep, Tally};
use crate::{closing, notify};

/// The looks at a lost answer on the practice site, which has made up its mind when the connection closes.
const PRACTICE_POLLS: [Duration; 2] = [Duration::from_millis(400), Duration::from_millis(1500)];
/// Names other looks for real sites: seconds with commas between them, or `none`.
const POLLS_VARIABLE: &str = "ICHIDO_POLL";

/// Begins a batch of articles, each of which is ready.
pub(crate) fn begin(app: &Arc<App>, place: Place, ids: Vec<u32>) -> Result<(), AppError> {
    app.not_running()?;
    let journal = place.desk.journal();
    if !journal.barriers(Some(place.site.id))?.is_empty() {
        return Err(AppError::new("barrier"));
    }
    if ids.is_empty() {
        return Ok(());
    }
    let mut inner = app.lock();
    let earlier = inner.batch.take().filter(|batch| batch.key == place.key);
    let batch = Batch {
        key: place.key,
        ids: ids.clone(),
        ended_before: earlier.as_ref().map_or(0, |batch| batch.ended_before + batch.ended.len()),
        ended: Default::default(),
        started_at: earlier.as_ref().map_or(now().0, |batch| batch.started_at),
        state: BatchState::Running,
        current: None,
        stop: Default::default(),
        tally: earlier.map(|batch| batch.tally).unwrap_or_default(),
    };
    let view = batch.view();
    inner.batch = Some(batch);
    let queued = Live { step: None, images_done: 0 };
    let rows: Vec<_> = ids.iter().filter_map(|id| inner.list.step(*id, queued)).collect();
    let revision = inner.list.next_revision();
    app.tell(&BackendEvent::Rows { revision, rows });
    app.tell(&BackendEvent::Batch { batch: Some(view), tally: None });
    drop(inner);
    let running = Arc::clone(app);
    app.work.begin(move || async move { run(&running, &place, ids).await });
    Ok(())
}

async fn run(app: &Arc<App>, place: &Place, ids: Vec<u32>) {
    let turn = app.turn().await;
    let ran = register(app, place, &ids).await;
    drop(turn);
    if let Err(error) = ended(app, place, ids, ran) {
        app.tell_failed(error);
    }
    closing::settled(app);
}

async fn register(app: &Arc<App>, place: &Place, ids: &[u32]) -> Result<Report, AppError> {
    let engine = place.desk.engine();
    let settings = engine.settings(Some(&place.site.name))?;
    let credentials = app.passwords.of(&place.site).await?;
    let (stop, locations) = {
        let inner = app.lock();
        let locations: Vec<_> =
            ids.iter().filter_map(|id| Some(inner.list.by_id(*id)?.sheet.location.clone())).collect();
        (inner.batch.as_ref().map(|batch| batch.stop.clone()).unwrap_or_default(), locations)
    };
    let create_tags = place.key == SiteKey::Practice || settings.create_tags;
    let reading = tokio::task::spawn_blocking(move || ichido_engine::read_again(&locations, settings));
    let articles = reading.await.map_err(|error| AppError::internal(&error))?;
    let batch = EngineBatch {
        articles,
        site: place.site.name.clone(),
        credentials,
        create_tags,
        polls: polls(place.key),
        wait: DEFAULT_WAIT,
        dry_run: false,
    };
    let watch = |event: &Event| hear(app, place, event);
    Ok(engine.register(batch, &watch, &stop).await?)
}

pub(crate) fn polls(key: SiteKey) -> Vec<Duration> {
    let named = std::env::var(POLLS_VARIABLE).ok();
    let named: Option<Vec<u64>> = named.and_then(|text| match text.as_str() {
        "none" => Some(Vec::new()),
        seconds => seconds.split(',').map(|part| part.trim().parse().ok()).collect(),
    });
    match (key, named) {
        (SiteKey::Practice, _) => PRACTICE_POLLS.to_vec(),
        (SiteKey::Real(_), Some(seconds)) => seconds.into_iter().map(Duration::from_secs).collect(),
        (SiteKey::Real(_), None) => DEFAULT_POLLS.to_vec(),
    }
}

/// Takes one event of the engine.
pub(crate) fn hear(app: &Arc<App>, place: &Place, event: &Event) {
    match event {
        Event::Step { article, step } => stepped(app, article, *step),
        Event::Ended { article, end } => article_ended(app, place, article, end),
        Event::Noted { article, note } => {
            let mut inner = app.lock();
            let id = inner.list.by_path(&article.path).map(|entry| entry.row.id);
            let Some(entry) = id.and_then(|id| inner.list.by_id_mut(id)) else { return };
            if !entry.notes.contains(note) {
                entry.notes.push(note.clone());
                app.tell(&BackendEvent::Detail { id: entry.row.id });
            }
        }
        Event::Started { .. }
        | Event::Checked { .. }
        | Event::Foreseen { .. }
        | Event::Paused { .. }
        | Event::Barrier { .. }
        | Event::Waiting { .. } => {}
    }
}

fn stepped(app: &App, article: &ArticleName, step: Step) {
    let mut inner = app.lock();
    let Some((id, images)) =
        inner.list.by_path(&article.path).map(|entry| (entry.row.id, entry.sheet.images))
    else {
        return;
    };
    let live = match step {
        Step::Image { number, .. } => Live {
            step: Some(RowStep::Images),
            images_done: u32::try_from(number.saturating_sub(1)).unwrap_or(u32::MAX),
        },
        Step::Draft => Live { step: Some(RowStep::Draft), images_done: images },
        Step::Looking | Step::Attaching => Live { step: Some(RowStep::Verify), images_done: images },
    };
    if let Some(row) = inner.list.step(id, live) {
        let revision = inner.list.next_revision();
        app.tell(&BackendEvent::Rows { revision, rows: vec![row] });
    }
    let Some(batch) = &mut inner.batch else { return };
    if batch.current != Some(id) {
        batch.current = Some(id);
        let view = batch.view();
        app.tell(&BackendEvent::Batch { batch: Some(view), tally: None });
    }
}

fn article_ended(app: &Arc<App>, place: &Place, article: &ArticleName, end: &End) {
    let mut inner = app.lock();
    let Some(entry) = inner.list.by_path(&article.path) else { return };
    let (id, title) = (entry.row.id, entry.row.title.clone());
    if let Some(entry) = inner.list.by_id_mut(id) {
        entry.live = None;
    }
    drop(inner);
    app.refresh_row(place.desk.journal(), place.site.id, id, Some(end.ending));
    let mut inner = app.lock();
    if let Some(batch) = &mut inner.batch
        && !is_stopped(end)
        && batch.ended.insert(id)
    {
        let view = batch.view();
        app.tell(&BackendEvent::Batch { batch: Some(view), tally: None });
    }
    drop(inner);
    let halted = matches!(end.ending, Ending::Halted | Ending::Unknown).then_some(title);
    let before = app.lock().attention;
    let notified = halted.clone();
    if let Err(error) = app.refresh_attention(halted) {
        tracing::warn!(code = error.code, "what needs attention could not be counted");
    }
    if let Some(title) = notified.filter(|_| app.lock().attention > before) {
        notify::halted(app, &title, end.op_id);
    }
}

fn is_stopped(end: &End) -> bool {
    end.ending == Ending::Waiting && end.reason == Some(Reason::Wait(WaitReason::Stopped))
}

/// Takes what a batch came to.
fn ended(
    app: &Arc<App>,
    place: &Place,
    ids: Vec<u32>,
    ran: Result<Report, AppError>,
) -> Result<(), AppError> {
    let mut inner = app.lock();
    inner.list.rest();
    let batch = inner.batch.take();
    let closing = inner.closing;
    let event = match (&ran, batch) {
        (Ok(report), Some(mut batch)) => {
            let left: Vec<u32> = report
                .articles
                .iter()
                .filter(|(_, end)| is_stopped(end))
                .filter_map(|(name, _)| Some(inner.list.by_path(&name.path)?.row.id))
                .collect();
            let mut tally = report.tally;
            add(&mut tally, &batch.tally);
            if batch.stop.is_requested() && !left.is_empty() && !closing {
                tally.waiting = tally.waiting.saturating_sub(left.len());
                batch.ended_before += ids.len().saturating_sub(left.len());
                batch.ended.clear();
                (batch.ids, batch.tally, batch.state, batch.current) =
                    (left, tally, BatchState::Paused, None);
                let view = batch.view();
                inner.batch = Some(batch);
                BackendEvent::Batch { batch: Some(view), tally: None }
            } else {
                BackendEvent::Batch { batch: None, tally: Some(counts(&tally)) }
            }
        }
        (Ok(_) | Err(_), _) => BackendEvent::Batch { batch: None, tally: None },
    };
    drop(inner);
    app.refresh_rows()?;
    app.tell(&event);
    app.refresh_attention(None)?;
    app.tell_barriers()?;
    if let Ok(report) = &ran {
        notify::ended(app, place.key, report);
    }
    let pause = ran.as_ref().ok().and_then(|report| report.pause);
    app.know(place.key, |facts| facts.pause = pause)?;
    ran.map(drop)
}

pub(crate) fn counts(tally: &CoreTally) -> Tally {
    Tally {
        created: tally.created,
        adopted: tally.adopted,
        verified: tally.verified,
        skipped: tally.skipped,
        unknown: tally.unknown,
        halted: tally.halted,
        waiting: tally.waiting,
        refused: tally.refused,
        needs_work: tally.needs_work,
        left: tally.left,
    }
}

fn add(to: &mut CoreTally, more: &CoreTally) {
    for (to, more) in [
        (&mut to.created, more.created),
        (&mut to.adopted, more.adopted),
        (&mut to.verified, more.verified),
        (&mut to.skipped, more.skipped),
        (&mut to.unknown, more.unknown),
        (&mut to.halted, more.halted),
        (&mut to.waiting, more.waiting),
        (&mut to.refused, more.refused),
        (&mut to.needs_work, more.needs_work),
        (&mut to.left, more.left),
    ] {
        *to += more;
    }
}
