//! The looks that a batch's sends rest on.

use std::collections::{HashMap, VecDeque};

use ichido_core::apply::{Blocked, Event as CoreEvent};
use ichido_core::decide::Decision;
use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State, WaitReason};
use ichido_core::tally::DoneBy;
use ichido_journal::{Note as JournalNote, Operation};

use crate::batch::{Batch, tell_notes};
use crate::errors::RunError;
use crate::item::{Item, refresh, visible_digest};
use crate::looks::Depth;
use crate::reconcile::{Digests, Judged, Turn, settle_by_looking};

/// How old a look may be that a send rests on: 60 s.
const FRESH_MS: u64 = 60_000;

impl Batch<'_> {
    /// Looks for everything named in the batch, posts and images, and writes down what follows.
    pub(crate) async fn first_look(
        &mut self,
        items: &mut [Item],
        now_here: &Digests,
        settled: &HashMap<OpId, Judged>,
    ) -> Result<(), RunError> {
        for item in items.iter_mut() {
            if let Some(judged) = item.operation.as_ref().and_then(|operation| settled.get(&operation.op_id))
            {
                tell_notes(self.session, item, judged);
            }
            // What was in doubt may just have been adopted.
            let was_in_doubt = item.standing().is_some_and(|standing| standing.state.is_in_doubt());
            refresh(self.session, item)?;
            if was_in_doubt && item.is_in(State::Done) {
                item.done_by = DoneBy::Adoption;
            }
        }
        let wanted: Vec<usize> =
            (0..items.len()).filter(|index| is_to_be_looked_for(items.get(*index))).collect();
        self.look_for(items, &wanted, now_here).await?;
        self.look_for_images(items).await
    }

    async fn look_for(
        &mut self,
        items: &mut [Item],
        wanted: &[usize],
        now_here: &Digests,
    ) -> Result<(), RunError> {
        let operations: Vec<&Operation> =
            wanted.iter().filter_map(|index| items.get(*index)?.operation.as_ref()).collect();
        if operations.is_empty() {
            return Ok(());
        }
        let visible: Digests = wanted
            .iter()
            .filter_map(|index| {
                let item = items.get(*index)?;
                let operation =
                    item.operation.as_ref().filter(|operation| !operation.standing.may_have_left)?;
                Some((operation.op_id, visible_digest(item.article.as_ref()?)?))
            })
            .collect();
        let judged =
            settle_by_looking(self.session, &operations, now_here, &visible, Depth::AsNeeded, Turn::Last)
                .await?;
        let looked_at = self.session.clock.monotonic_ms();
        for index in wanted {
            let Some(item) = items.get_mut(*index) else { continue };
            item.cleared_at = None;
            let Some(judged) = item.operation.as_ref().and_then(|operation| judged.get(&operation.op_id))
            else {
                continue;
            };
            tell_notes(self.session, item, judged);
            if judged.adopted {
                item.done_by = DoneBy::Adoption;
            }
            item.cleared_at = (judged.decision == Decision::Create).then_some(looked_at);
            refresh(self.session, item)?;
        }
        Ok(())
    }

    /// Looks for the images of what may be sent; images that were gone get a new operation.
    async fn look_for_images(&mut self, items: &[Item]) -> Result<(), RunError> {
        for item in items.iter().filter(|item| item.is_cleared()) {
            let Some(operation) = &item.operation else { continue };
            for image in self.session.runner.images_of(operation.op_id)? {
                if let Some(image) = self.session.runner.operation(image.image)? {
                    self.images.insert(image.key.as_str().to_owned(), image);
                }
            }
        }
        let images: Vec<&Operation> = self.images.values().collect();
        if images.is_empty() {
            return Ok(());
        }
        let judged = settle_by_looking(
            self.session,
            &images,
            &Digests::new(),
            &Digests::new(),
            Depth::AsNeeded,
            Turn::Last,
        )
        .await?;
        self.images_looked_at = self.session.clock.monotonic_ms();
        self.cleared_images = judged
            .into_iter()
            .filter_map(|(op_id, judged)| (judged.decision == Decision::Create).then_some(op_id))
            .collect();
        let keys: Vec<_> = self.images.values().map(|image| image.key.clone()).collect();
        let now = self.session.runner.by_keys(self.session.site.id, Kind::Image, "", &keys)?;
        self.images = now.into_iter().map(|(key, image)| (key.as_str().to_owned(), image)).collect();
        Ok(())
    }

    /// What could not be looked for since the run was stopped waits for that reason.
    pub(crate) fn note_stop(&self, items: &mut [Item]) -> Result<(), RunError> {
        if !self.stop.is_requested() {
            return Ok(());
        }
        for item in items.iter_mut().filter(|item| item.may_be_sent() && !item.is_cleared()) {
            if let Some(operation) = &item.operation {
                let stopped = CoreEvent::Blocked(Blocked::Wait(WaitReason::Stopped));
                let note = JournalNote::at(self.session.now());
                self.session.runner.apply(operation.op_id, stopped, note)?;
                refresh(self.session, item)?;
            }
        }
        Ok(())
    }

    /// Whether the site can make an image's sizes after it stored the image. Asked once, before the first upload; a
    /// site that does not say so is taken to be unable.
    pub(crate) async fn defers_sizes(&mut self) -> bool {
        if let Some(known) = self.defers_sizes {
            return known;
        }
        let can = self.session.client.defers_sizes().await.unwrap_or_else(|error| {
            tracing::info!(%error, "the site did not say what uploads take");
            false
        });
        self.defers_sizes = Some(can);
        can
    }

    /// Whether a send may still rest on a look that was made then.
    pub(crate) fn is_fresh(&self, looked_at: Option<u64>) -> bool {
        looked_at.is_some_and(|at| self.session.clock.monotonic_ms().saturating_sub(at) <= FRESH_MS)
    }

    /// Whether the last look allows an image to be uploaded and is recent enough.
    pub(crate) fn is_cleared_image(&self, image: OpId) -> bool {
        self.cleared_images.contains(&image) && self.is_fresh(Some(self.images_looked_at))
    }

    /// Looks again for what is about to be sent if the last look is too old to rest a send on.
    pub(crate) async fn freshen(
        &mut self,
        items: &mut [Item],
        index: usize,
        queue: &VecDeque<usize>,
    ) -> Result<(), RunError> {
        if items.get(index).is_some_and(|item| self.is_fresh(item.cleared_at)) {
            return Ok(());
        }
        let mut wanted = vec![index];
        wanted.extend(queue.iter().copied().take(99));
        wanted.retain(|index| items.get(*index).is_some_and(Item::may_be_sent));
        self.look_for(items, &wanted, &Digests::new()).await?;
        self.look_for_images(items).await
    }
}

fn is_to_be_looked_for(item: Option<&Item>) -> bool {
    item.is_some_and(|item| {
        item.held.is_none()
            && item.standing().is_some_and(|standing| match standing.state {
                State::Planned | State::Waiting(_) | State::Skipped | State::Done => true,
                State::Halted(reason) => !reason.is_doubt() || !standing.may_have_left,
                // Settled by looking a moment ago, together with everything else in doubt.
                State::Sending => false,
                State::NeedsWork | State::Refused | State::Abandoned => false,
            })
    })
}
