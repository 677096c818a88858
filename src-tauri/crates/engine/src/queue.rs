//! The queue of a batch: what is sent next, what waits for a look, and what a look sets free.

use std::collections::VecDeque;
use std::time::Duration;

use ichido_core::apply::Blocked;
use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State, WaitReason};
use ichido_core::tally::{DoneBy, Pause};
use ichido_journal::Operation;

use crate::batch::{Batch, tell_notes};
use crate::errors::RunError;
use crate::event::{Event, WaitingFor};
use crate::item::{Item, block, refresh, tell_end};
use crate::looks::Depth;
use crate::reconcile::{Digests, Turn, settle_by_looking};
use crate::send::{self, Sending};

/// How many outcomes in a row may stay unknown before nothing more is sent.
const UNKNOWN_IN_A_ROW: usize = 2;

impl Batch<'_> {
    /// Sends what is cleared, one after the other, until nothing is left to send or to wait for.
    pub(crate) async fn send_all(&mut self, items: &mut [Item]) -> Result<(), RunError> {
        let mut queue: VecDeque<usize> = VecDeque::new();
        for (index, item) in items.iter().enumerate() {
            if item.is_cleared() { queue.push_back(index) } else { tell_end(self.session, item) }
        }
        loop {
            let Some(index) = queue.pop_front() else {
                let freed = self.wait_for_looks(items).await?;
                if freed.is_empty() && self.polls.is_empty() {
                    return Ok(());
                }
                queue.extend(freed);
                continue;
            };
            if let Some(reason) = self.shut() {
                match items.get_mut(index) {
                    Some(item) if item.may_be_sent() => {
                        block(self.session, item, Blocked::Wait(reason))?;
                    }
                    // A fresh look for everything in the queue has halted or skipped it meanwhile.
                    Some(item) => tell_end(self.session, item),
                    None => {}
                }
                continue;
            }
            if self.unknown_in_a_row >= UNKNOWN_IN_A_ROW {
                // Two in a row are no accident: nothing more leaves until looking has settled them.
                queue.push_front(index);
                let freed = self.wait_for_looks(items).await?;
                queue.extend(freed);
                if self.unknown_in_a_row >= UNKNOWN_IN_A_ROW && self.polls.is_empty() {
                    self.pause(Pause::UnknownInARow, None)?;
                }
                continue;
            }
            let freed = self.due_looks(items).await?;
            queue.extend(freed);
            self.freshen(items, index, &queue).await?;
            if items.get(index).is_some_and(Item::is_cleared) {
                self.send_one(items, index).await?;
            } else if let Some(item) = items.get(index) {
                tell_end(self.session, item);
            }
        }
    }

    async fn send_one(&mut self, items: &mut [Item], index: usize) -> Result<(), RunError> {
        let Some(item) = items.get_mut(index) else { return Ok(()) };
        let sent = send::article(self, item).await?;
        match sent {
            Sending::Done => self.unknown_in_a_row = 0,
            Sending::Ended => {}
            Sending::Unknown => {
                if let Some(operation) = &item.operation {
                    self.polls.add(operation.op_id, Some(index), self.session.clock.monotonic_ms());
                }
                self.unknown_in_a_row += 1;
            }
            Sending::ImageUnknown(image) => {
                self.polls.add(image, None, self.session.clock.monotonic_ms());
                self.parked.entry(image).or_default().push(index);
                self.unknown_in_a_row += 1;
                block(self.session, item, Blocked::Wait(WaitReason::ImageInDoubt))?;
            }
            Sending::ImageInDoubt(image) => {
                self.parked.entry(image).or_default().push(index);
                block(self.session, item, Blocked::Wait(WaitReason::ImageInDoubt))?;
            }
            Sending::Shut => block(self.session, item, Blocked::Wait(WaitReason::ReleaseNeeded))?,
            Sending::Pause(pause, detail) => {
                self.pause(pause, detail)?;
                if item.may_be_sent() {
                    block(self.session, item, Blocked::Wait(pause.wait_reason()))?;
                }
            }
        }
        self.find_barrier()
    }

    /// Waits until the next look is due, and looks. Returns the articles that can go on.
    async fn wait_for_looks(&mut self, items: &mut [Item]) -> Result<Vec<usize>, RunError> {
        let now = self.session.clock.monotonic_ms();
        let Some(due) = self.polls.next_due() else { return Ok(Vec::new()) };
        if self.stop.is_requested() {
            self.polls.clear();
            return Ok(Vec::new());
        }
        if due > now {
            self.session.tell(&Event::Waiting { for_ms: due - now, why: WaitingFor::NextLook });
            let wait = self.session.clock.sleep(Duration::from_millis(due - now));
            tokio::select! {
                () = wait => {}
                () = self.stop.requested() => return Ok(Vec::new()),
            }
        }
        self.due_looks(items).await
    }

    /// Looks for what is due. Returns the articles that can go on.
    async fn due_looks(&mut self, items: &mut [Item]) -> Result<Vec<usize>, RunError> {
        let due = self.polls.take_due(self.session.clock.monotonic_ms());
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let mut freed = Vec::new();
        for (turn, polled) in [
            (Turn::Early, due.iter().filter(|poll| !poll.is_last()).collect::<Vec<_>>()),
            (Turn::Last, due.iter().filter(|poll| poll.is_last()).collect()),
        ] {
            let mut operations = Vec::new();
            for poll in &polled {
                if let Some(operation) = self.session.runner.operation(poll.op_id)? {
                    operations.push(operation);
                }
            }
            if operations.is_empty() {
                continue;
            }
            let asked: Vec<&Operation> = operations.iter().collect();
            let nothing = Digests::new();
            let judged =
                settle_by_looking(self.session, &asked, &nothing, &nothing, Depth::AsNeeded, turn).await?;
            for poll in polled {
                if let (Some(item), Some(judged)) =
                    (poll.item.and_then(|index| items.get(index)), judged.get(&poll.op_id))
                {
                    tell_notes(self.session, item, judged);
                }
                freed.extend(self.after_look(items, poll.op_id, poll.item)?);
                let still = self.session.runner.operation(poll.op_id)?;
                if still.is_some_and(|operation| operation.standing.state.is_in_doubt()) {
                    self.polls.again(poll, self.session.clock.monotonic_ms());
                }
            }
        }
        Ok(freed)
    }

    fn after_look(
        &mut self,
        items: &mut [Item],
        op_id: OpId,
        item: Option<usize>,
    ) -> Result<Vec<usize>, RunError> {
        let Some(operation) = self.session.runner.operation(op_id)? else { return Ok(Vec::new()) };
        if operation.standing.state.is_in_doubt() {
            return Ok(Vec::new());
        }
        self.unknown_in_a_row = self.unknown_in_a_row.saturating_sub(1);
        if let Some(item) = item.and_then(|index| items.get_mut(index)) {
            refresh(self.session, item)?;
            if item.is_in(State::Done) {
                item.done_by = DoneBy::Adoption;
            }
            tell_end(self.session, item);
        }
        if operation.kind == Kind::Image {
            self.images.insert(operation.key.as_str().to_owned(), operation);
        }
        Ok(self.parked.remove(&op_id).unwrap_or_default())
    }

    /// Returns why nothing may be sent just now.
    fn shut(&self) -> Option<WaitReason> {
        if self.obstacles.barrier.is_some() {
            Some(WaitReason::ReleaseNeeded)
        } else if let Some(pause) = self.obstacles.pause {
            Some(pause.wait_reason())
        } else if self.stop.is_requested() {
            Some(WaitReason::Stopped)
        } else {
            None
        }
    }
}
