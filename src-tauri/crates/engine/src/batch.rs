//! Registers a batch of articles on one site: from the plan to the last look.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use ichido_core::digest::Digest;
use ichido_core::id::OpId;
use ichido_core::operation::State;
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{Barrier, DoneBy, Pause};
use ichido_core::time::Timestamp;
use ichido_journal::Operation;

use crate::attach;
use crate::errors::RunError;
use crate::event::{Event, Step};
use crate::failpoint::{Point, reach};
use crate::fidelity;
use crate::fields::{self, Fields};
use crate::item::{Item, plan, refresh, tell_end};
use crate::looks::Depth;
use crate::lost;
use crate::marks;
use crate::polls::Polls;
use crate::preflight::digests_now;
use crate::reconcile::{Digests, Judged, Turn, settle_by_looking};
use crate::session::Session;
use crate::stop::Stop;
use crate::terms::{self, Terms};

/// How a batch is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    pub(crate) create_tags: bool,
    /// After how long an unknown outcome is looked up again inside the run.
    pub(crate) polls: Vec<Duration>,
}

/// What stood in the way of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Obstacles {
    pub(crate) barrier: Option<Barrier>,
    pub(crate) pause: Option<Pause>,
}

/// Runs a batch: everything of it is in the journal and in `items` afterwards.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) async fn run(
    session: &Session<'_>,
    items: &mut [Item],
    manner: &Manner,
    stop: &Stop,
) -> Result<Obstacles, RunError> {
    plan(session, items)?;
    let now_here = digests_of(items);
    let settled = settle_old(session, &now_here).await?;
    session.runner.lift_settled_stops(session.now())?;
    let mut batch = Batch {
        session,
        manner,
        stop,
        terms: Terms::default(),
        fields: Fields::default(),
        polls: Polls::new(&manner.polls),
        parked: HashMap::new(),
        images: HashMap::new(),
        cleared_images: HashSet::new(),
        refused_images: HashSet::new(),
        images_looked_at: 0,
        unknown_in_a_row: 0,
        obstacles: Obstacles::default(),
        defers_sizes: None,
    };
    batch.first_look(items, &now_here, &settled).await?;
    batch.note_stop(items)?;
    batch.find_barrier()?;
    batch.prepare(items).await?;
    batch.send_all(items).await?;
    batch.close(items).await?;
    lost::note_looks(session, items)?;
    Ok(batch.obstacles)
}

/// How long after it was sent again an image is looked at by every run: 7 days.
const GIVEN_UP_FOR_MS: i64 = 7 * 24 * 3600 * 1000;

/// Settles what earlier runs left in doubt.
pub(crate) async fn settle_old(
    session: &Session<'_>,
    now_here: &Digests,
) -> Result<HashMap<OpId, Judged>, RunError> {
    attach::take_up_interrupted(session)?;
    let mut old: Vec<Operation> = session
        .runner
        .in_doubt(Some(session.site.id))?
        .into_iter()
        .filter(|operation| operation.kind.must_not_repeat())
        .collect();
    // An image's request that was given up may be executed after all: only looking at its slugs tells.
    let since = Timestamp(session.now().0 - GIVEN_UP_FOR_MS);
    old.extend(session.runner.images_sent_again(session.site.id, since)?);
    if old.is_empty() {
        return Ok(HashMap::new());
    }
    // What is in doubt may belong to articles that the batch does not name.
    let mut now_here = now_here.clone();
    let elsewhere = digests_now(
        old.iter().filter(|operation| !now_here.contains_key(&operation.op_id)),
        &session.settings,
    );
    now_here.extend(elsewhere);
    let old: Vec<&Operation> = old.iter().collect();
    settle_by_looking(session, &old, &now_here, &Digests::new(), Depth::AsNeeded, Turn::Last).await
}

/// Says what is worth saying about what a look decided.
pub(crate) fn tell_notes(session: &Session<'_>, item: &Item, judged: &Judged) {
    for note in &judged.notes {
        session.tell(&Event::Noted { article: item.name.clone(), note: note.clone() });
    }
}

fn digests_of(items: &[Item]) -> Digests {
    items
        .iter()
        .filter_map(|item| {
            Some((item.operation.as_ref()?.op_id, Digest(item.article.as_ref()?.source_digest)))
        })
        .collect()
}

/// One batch while it runs.
pub(crate) struct Batch<'a> {
    pub(crate) session: &'a Session<'a>,
    manner: &'a Manner,
    pub(crate) stop: &'a Stop,
    terms: Terms,
    fields: Fields,
    pub(crate) polls: Polls,
    /// Articles that wait for an image in doubt, by its operation.
    pub(crate) parked: HashMap<OpId, Vec<usize>>,
    /// The images of the batch as last read from the journal, by the key of their operation.
    pub(crate) images: HashMap<String, Operation>,
    /// Images that the last look allows to be uploaded.
    pub(crate) cleared_images: HashSet<OpId>,
    /// When that look was made, by the monotonic clock.
    pub(crate) images_looked_at: u64,
    /// Images that the site refused in this run.
    pub(crate) refused_images: HashSet<OpId>,
    pub(crate) unknown_in_a_row: usize,
    pub(crate) obstacles: Obstacles,
    /// Whether the site can make an image's sizes later, once it was asked.
    pub(crate) defers_sizes: Option<bool>,
}

impl Batch<'_> {
    /// Says once what shuts creating; an answer or a look can bring that to light at any time.
    pub(crate) fn find_barrier(&mut self) -> Result<(), RunError> {
        if self.obstacles.barrier.is_some() {
            return Ok(());
        }
        let barriers = self.session.runner.barriers(Some(self.session.site.id))?;
        self.obstacles.barrier = barriers.first().map(|entry| entry.barrier);
        if let Some(reason) = self.obstacles.barrier {
            self.session.tell(&Event::Barrier { reason });
        }
        Ok(())
    }

    /// Reads the high-water marks and resolves the terms, once for the whole batch.
    async fn prepare(&mut self, items: &mut [Item]) -> Result<(), RunError> {
        if !self.session.identity.can.edit_posts() && items.iter().any(Item::may_be_sent) {
            return self.pause(Pause::Refused, Some(RefusalCode::CannotCreate.as_str().to_owned()));
        }
        let stopped = self.stop.is_requested();
        if stopped || self.obstacles.barrier.is_some() || !items.iter().any(Item::is_cleared) {
            return Ok(());
        }
        let with_images = !self.images.is_empty();
        match marks::read(self.session, with_images).await? {
            marks::Reading::Read => {}
            marks::Reading::CouldNotAsk(pause) => return self.pause(pause, None),
            marks::Reading::Restored => return self.find_barrier(),
        }
        match terms::resolve(self.session, items, self.manner.create_tags).await? {
            Ok(terms) => self.terms = terms,
            Err(pause) => return self.pause(pause, None),
        }
        let to_be_sent = items.iter().filter(|item| item.may_be_sent());
        match Fields::find(self.session, to_be_sent.filter_map(|item| item.article.as_ref())).await {
            Ok(fields) => self.fields = fields,
            Err(pause) => self.pause(pause, None)?,
        }
        Ok(())
    }

    /// Stops creating for the rest of this run and says so once.
    pub(crate) fn pause(&mut self, reason: Pause, detail: Option<String>) -> Result<(), RunError> {
        // A look that a stop cut short says nothing about the site.
        let cut_short = reason == Pause::Unreachable && self.stop.is_requested();
        if self.obstacles.pause.is_none() && !cut_short {
            self.obstacles.pause = Some(reason);
            self.session.tell(&Event::Paused { reason, detail });
        }
        Ok(())
    }

    pub(crate) const fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(crate) const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Attaches what has to be, and looks once more for everything that this run made or found.
    async fn close(&mut self, items: &mut [Item]) -> Result<(), RunError> {
        self.find_barrier()?;
        if self.obstacles.barrier.is_some() {
            // What was brought to light may be that an article settled before has lost its row.
            for item in items.iter_mut().filter(|item| item.is_in(State::Done)) {
                refresh(self.session, item)?;
                if !item.is_in(State::Done) {
                    tell_end(self.session, item);
                }
            }
        }
        for item in
            items.iter().filter(|item| item.standing().is_some_and(|standing| standing.state.is_in_doubt()))
        {
            tell_end(self.session, item);
        }
        for item in items.iter().filter(|item| item.is_in(State::Done)) {
            if let Some(operation) = &item.operation {
                fields::plan(self.session, operation)?;
                attach::plan(self.session, operation)?;
            }
        }
        if self.obstacles.barrier.is_none() && self.obstacles.pause.is_none() && !self.stop.is_requested() {
            let has_images =
                |item: &&Item| item.article.as_ref().is_some_and(|article| !article.images.is_empty());
            let made = |item: &&Item| item.done_by != DoneBy::Earlier && item.is_in(State::Done);
            for item in items.iter().filter(made).filter(has_images) {
                self.session.tell(&Event::Step { article: item.name.clone(), step: Step::Attaching });
            }
            reach(Point::BeforeAttach, "run");
            fields::run(self.session, items).await?;
            attach::run(self.session, items).await?;
        }
        let made: Vec<usize> = (0..items.len())
            .filter(|index| {
                items
                    .get(*index)
                    .is_some_and(|item| item.done_by != DoneBy::Earlier && item.is_in(State::Done))
            })
            .collect();
        for index in &made {
            if let Some(item) = items.get_mut(*index).filter(|item| item.done_by == DoneBy::Adoption)
                && !self.stop.is_requested()
            {
                fidelity::tell_later(self.session, item).await;
            }
        }
        let operations: Vec<Operation> =
            made.iter().filter_map(|index| items.get(*index)?.operation.clone()).collect();
        let asked: Vec<&Operation> = operations.iter().collect();
        if !asked.is_empty() && !self.stop.is_requested() {
            settle_by_looking(
                self.session,
                &asked,
                &Digests::new(),
                &Digests::new(),
                Depth::WithDuplicates,
                Turn::Last,
            )
            .await?;
        }
        for index in made {
            let Some(item) = items.get_mut(index) else { continue };
            refresh(self.session, item)?;
            if !item.is_in(State::Done) {
                tell_end(self.session, item);
            }
        }
        self.tell_what_moved(items)
    }

    /// What a look at something else moved on after its end was told is told again.
    fn tell_what_moved(&self, items: &mut [Item]) -> Result<(), RunError> {
        for item in items.iter_mut().filter(|item| item.held.is_none()) {
            let told = item.standing();
            refresh(self.session, item)?;
            if item.standing() == told {
                continue;
            }
            if item.is_in(State::Done) {
                item.done_by = DoneBy::Adoption;
            }
            tell_end(self.session, item);
        }
        Ok(())
    }
}
