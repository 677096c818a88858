//! Registering a batch, and looking for what is in doubt.

use std::collections::HashSet;
use std::future::Future;
use std::time::Duration;

use ichido_article::Loaded;
use ichido_core::apply::Event as CoreEvent;
use ichido_core::decide::Decision;
use ichido_core::evidence::AskFailure;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::tally::{Barrier, Ending, Pause, Tally};
use ichido_journal::{Key, Note, Operation, Runner};
use ichido_wordpress::{AskError, Client, Credentials};

use crate::batch::{self, Manner, settle_old};
use crate::clock::Clock;
use crate::connection::Connection;
use crate::engine::{Batch, Engine};
use crate::errors::RunError;
use crate::event::{self, Event, Observer, WaitingFor};
use crate::failpoint::{Point, reach};
use crate::foresee::foresee;
use crate::item::{Item, POST_TYPE, refusal_of};
use crate::looks::Depth;
use crate::pause::pause_of;
use crate::preflight::name_of;
use crate::reconcile::{Digests, Turn, settle_by_looking};
use crate::report::Report;
use crate::set_aside;
use crate::stop::Stop;

impl Engine {
    /// Registers a batch.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time. What was sent until then is
    /// in the journal.
    pub async fn register(
        &self,
        batch: Batch,
        observer: &dyn Observer,
        stop: &Stop,
    ) -> Result<Report, RunError> {
        let connection = self.connect(&batch.site, batch.credentials.clone(), batch.wait, observer).await?;
        let work = self.run_on(&connection, batch, observer, stop);
        attended(&connection.client, observer, stop, work).await
    }

    async fn run_on(
        &self,
        connection: &Connection,
        batch: Batch,
        observer: &dyn Observer,
        stop: &Stop,
    ) -> Result<Report, RunError> {
        let Connection { runner, site, site_url, client, settings } = connection;
        let _site_lock = self.lock_site(runner, site, batch.wait, observer).await?;
        observer.hear(&Event::Started { site: site.name.clone(), articles: batch.articles.len() });
        let mut items = items_of(batch.articles, observer);
        set_aside::hold(runner, site.id, &mut items, observer)?;
        let identity = match client.identify().await {
            Ok(identity) => identity.value,
            Err(AskError::BrokenOff) => {
                find_records(connection, &mut items, WaitReason::Stopped)?;
                return self.finish(connection, &mut items, None, None, observer);
            }
            Err(error) => {
                let pause = tell_pause(&error, observer);
                find_records(connection, &mut items, pause.wait_reason())?;
                if !batch.dry_run {
                    leave_in_doubt(runner, &runner.in_doubt(Some(site.id))?, &error, self.clock.as_ref())?;
                }
                return self.finish(connection, &mut items, None, Some(pause), observer);
            }
        };
        let session = connection.session(&identity, self.clock.as_ref(), observer);
        let create_tags = batch.create_tags || settings.create_tags;
        if batch.dry_run {
            return foresee(&session, &mut items, create_tags).await;
        }
        let manner = Manner { create_tags, polls: batch.polls };
        let obstacles = Box::pin(batch::run(&session, &mut items, &manner, stop)).await?;
        reach(Point::BeforeCloseRun, "run");
        runner.close_run(&self.clock.moment(None))?;
        reach(Point::AfterCloseRun, "run");
        report(runner, &items, site_url, (obstacles.barrier, obstacles.pause), observer)
    }

    /// Looks for everything that needs attention on a site, and for nothing else. Sends nothing.
    ///
    /// # Errors
    /// Fails if the journal does, or another runner does not finish in time.
    pub async fn reconcile(
        &self,
        site: &str,
        credentials: Credentials,
        wait: Duration,
        observer: &dyn Observer,
    ) -> Result<Report, RunError> {
        let connection = self.connect(site, credentials, wait, observer).await?;
        let runner = &connection.runner;
        let before: Vec<Operation> = runner.needs_attention(Some(connection.site.id))?;
        let pause = attended(
            &connection.client,
            observer,
            &Stop::default(),
            self.look_again(&connection, &before, observer),
        )
        .await?;
        let mut after = runner.needs_attention(Some(connection.site.id))?;
        after.retain(|operation| before.iter().all(|before| before.op_id != operation.op_id));
        let mut items: Vec<Item> = before.into_iter().chain(after).map(Item::recorded).collect();
        self.finish(&connection, &mut items, None, pause, observer)
    }

    /// Looks for what is in doubt or halted. Returns why the site could not be asked.
    async fn look_again(
        &self,
        connection: &Connection,
        before: &[Operation],
        observer: &dyn Observer,
    ) -> Result<Option<Pause>, RunError> {
        let runner = &connection.runner;
        match connection.client.identify().await {
            Ok(identity) => {
                let session = connection.session(&identity.value, self.clock.as_ref(), observer);
                settle_old(&session, &Digests::new()).await?;
                let halted: Vec<&Operation> =
                    before.iter().filter(|operation| !operation.standing.state.is_in_doubt()).collect();
                let nothing = Digests::new();
                settle_by_looking(&session, &halted, &nothing, &nothing, Depth::AsNeeded, Turn::Last).await?;
                runner.lift_settled_stops(self.clock.now())?;
                Ok(None)
            }
            Err(error) => {
                leave_in_doubt(runner, before, &error, self.clock.as_ref())?;
                Ok(Some(tell_pause(&error, observer)))
            }
        }
    }

    /// Tells how everything ended, from the journal as it now is.
    fn finish(
        &self,
        connection: &Connection,
        items: &mut [Item],
        barrier: Option<Barrier>,
        pause: Option<Pause>,
        observer: &dyn Observer,
    ) -> Result<Report, RunError> {
        let Connection { runner, site, site_url, .. } = connection;
        for item in items.iter_mut() {
            if let Some(operation) = &item.operation {
                item.operation = runner.operation(operation.op_id)?;
            }
            if pause.is_some() && item.is_in(State::Done) {
                observer.hear(&Event::Noted { article: item.name.clone(), note: event::Note::AsRecorded });
            }
            observer.hear(&Event::Ended { article: item.name.clone(), end: item.end(site_url) });
        }
        runner.close_run(&self.clock.moment(None))?;
        let standing = runner.barriers(Some(site.id))?.first().map(|entry| entry.barrier);
        report(runner, items, site_url, (barrier.or(standing), pause), observer)
    }
}

/// Does a run's work while what its look-ups wait for is told, and a stop cuts them short.
async fn attended<T>(
    client: &Client,
    observer: &dyn Observer,
    stop: &Stop,
    work: impl Future<Output = T>,
) -> T {
    let mut waits = client.waits();
    // A whole run is too large a thing for a stack.
    let mut work = Box::pin(work);
    // What was to end before it began is asked, once, so that everything has its record.
    let mut hurried = stop.is_requested();
    if hurried {
        client.hurry();
    }
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = stop.requested(), if !hurried => {
                hurried = true;
                client.hurry();
            }
            Ok(()) = waits.changed() => {
                if let Some(wait) = *waits.borrow_and_update() {
                    let for_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
                    observer.hear(&Event::Waiting { for_ms, why: WaitingFor::Site });
                }
            }
        }
    }
}

fn items_of(articles: Vec<Loaded>, observer: &dyn Observer) -> Vec<Item> {
    let clashes = ichido_article::clashes(&articles);
    let mut items = Vec::with_capacity(articles.len());
    for (index, mut loaded) in articles.into_iter().enumerate() {
        for (_, finding) in clashes.iter().filter(|(at, _)| *at == index) {
            if !loaded.findings.contains(finding) {
                loaded.findings.push(finding.clone());
            }
        }
        let name = name_of(&loaded);
        observer.hear(&Event::Checked { article: name.clone(), findings: loaded.findings.clone() });
        items.push(Item::of(loaded, name));
    }
    items
}

fn tell_pause(error: &AskError, observer: &dyn Observer) -> Pause {
    let reason = pause_of(error);
    observer.hear(&Event::Paused { reason, detail: Some(error.failure().as_str().to_owned()) });
    reason
}

/// On a site that cannot even say who we are, what is done stays so, and the rest waits.
fn find_records(connection: &Connection, items: &mut [Item], waits: WaitReason) -> Result<(), RunError> {
    for item in items {
        if let Some(article) = &item.article {
            let key = Key::post(&article.slug);
            item.operation = connection.runner.by_key(connection.site.id, Kind::Post, POST_TYPE, &key)?;
        }
        match &item.operation {
            None if item.held.is_none() => {
                item.held = Some(Ending::Waiting);
                item.waits = Some(waits);
            }
            Some(operation) if operation.standing.state == State::Refused => {
                item.refused = refusal_of(&connection.runner, operation)?;
                // What an image was refused for may be settled by now: then the article goes on by itself.
                if item.refused.is_none() {
                    item.held = Some(Ending::Waiting);
                    item.waits = Some(waits);
                }
            }
            None | Some(_) => {}
        }
    }
    Ok(())
}

/// What is in doubt stays so while the site cannot be asked, and says that this is the reason.
fn leave_in_doubt(
    runner: &Runner,
    operations: &[Operation],
    error: &AskError,
    clock: &dyn Clock,
) -> Result<(), RunError> {
    let failure: AskFailure = error.failure();
    for operation in operations.iter().filter(|operation| operation.standing.state == State::Sending) {
        if operation.kind.must_not_repeat() {
            let decision = Decision::StayInDoubt(failure);
            runner.apply(operation.op_id, CoreEvent::Decided(&decision), Note::at(clock.now()))?;
        }
    }
    Ok(())
}

fn report(
    runner: &Runner,
    items: &[Item],
    site_url: &str,
    (barrier, pause): (Option<Barrier>, Option<Pause>),
    observer: &dyn Observer,
) -> Result<Report, RunError> {
    let halted_images = halted_images(runner, items)? + images_there_twice(runner, items, observer)?;
    let mut tally = Tally { halted_images, ..Tally::default() };
    let mut articles = Vec::with_capacity(items.len());
    for item in items {
        item.count(&mut tally);
        articles.push((item.name.clone(), item.end(site_url)));
    }
    Ok(Report { articles, tally, barrier, pause })
}

/// Counts the images that articles of the batch use and that turned up a second time, and says so.
fn images_there_twice(runner: &Runner, items: &[Item], observer: &dyn Observer) -> Result<usize, RunError> {
    let mut twice = 0;
    for image in runner.needs_attention(None)? {
        let is_twice =
            image.standing.state == State::Halted(HaltReason::Duplicates) && image.remote_id.is_some();
        if image.kind != Kind::Image || !is_twice {
            continue;
        }
        let using: HashSet<_> = runner.posts_using(image.op_id)?.into_iter().map(|used| used.post).collect();
        let mut used_here = false;
        for item in items.iter().filter(|item| item.is_in(State::Done)) {
            if item.operation.as_ref().is_some_and(|operation| using.contains(&operation.op_id)) {
                used_here = true;
                let image = image.source_path.clone().unwrap_or_default();
                observer.hear(&Event::Noted {
                    article: item.name.clone(),
                    note: event::Note::ImageTwice { image },
                });
            }
        }
        twice += usize::from(used_here);
    }
    Ok(twice)
}

/// Counts the images that keep articles of the batch waiting until a person has looked.
fn halted_images(runner: &Runner, items: &[Item]) -> Result<usize, RunError> {
    let mut halted = HashSet::new();
    for item in items.iter().filter(|item| item.is_in(State::Waiting(WaitReason::ImageInDoubt))) {
        let Some(operation) = &item.operation else { continue };
        for used in runner.images_of(operation.op_id)? {
            let Some(image) = runner.operation(used.image)? else { continue };
            let settles_by_itself = image.standing.state == State::Halted(HaltReason::CouldNotAsk);
            if matches!(image.standing.state, State::Halted(_)) && !image.standing.left && !settles_by_itself
            {
                halted.insert(image.op_id);
            }
        }
    }
    Ok(halted.len())
}
