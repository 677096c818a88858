//! When unknown outcomes are looked up again inside a run.

use std::time::Duration;

use ichido_core::id::OpId;

/// One operation that is to be looked up again.
#[derive(Clone, Debug)]
pub(crate) struct Poll {
    pub(crate) op_id: OpId,
    /// The article of the batch that it belongs to; none for an image.
    pub(crate) item: Option<usize>,
    since_ms: u64,
    due_ms: u64,
    turn: usize,
    turns: usize,
}

impl Poll {
    pub(crate) const fn is_last(&self) -> bool {
        self.turn + 1 >= self.turns
    }
}

/// Everything that is to be looked up again, each after the same waits since its request ended.
#[derive(Debug)]
pub(crate) struct Polls {
    waits_ms: Vec<u64>,
    open: Vec<Poll>,
}

impl Polls {
    pub(crate) fn new(waits: &[Duration]) -> Self {
        let waits_ms = waits.iter().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)).collect();
        Self { waits_ms, open: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.open.clear();
    }

    pub(crate) fn add(&mut self, op_id: OpId, item: Option<usize>, now_ms: u64) {
        if let Some(wait) = self.waits_ms.first() {
            let turns = self.waits_ms.len();
            self.open.push(Poll {
                op_id,
                item,
                since_ms: now_ms,
                due_ms: now_ms.saturating_add(*wait),
                turn: 0,
                turns,
            });
        }
    }

    /// Puts a poll back for its next turn, if it has one.
    pub(crate) fn again(&mut self, poll: &Poll, now_ms: u64) {
        if let Some(wait) = self.waits_ms.get(poll.turn + 1) {
            let due_ms = poll.since_ms.saturating_add(*wait).max(now_ms);
            self.open.push(Poll { due_ms, turn: poll.turn + 1, ..poll.clone() });
        }
    }

    pub(crate) fn next_due(&self) -> Option<u64> {
        self.open.iter().map(|poll| poll.due_ms).min()
    }

    pub(crate) fn take_due(&mut self, now_ms: u64) -> Vec<Poll> {
        let (due, later) = std::mem::take(&mut self.open).into_iter().partition(|poll| poll.due_ms <= now_ms);
        self.open = later;
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn each_is_looked_up_after_the_given_waits_and_then_no_more() {
        let mut polls = Polls::new(&[5, 20, 60].map(Duration::from_secs));
        let op_id = OpId::new(Uuid::nil());
        polls.add(op_id, Some(3), 1_000);
        let mut due = Vec::new();
        while let Some(at) = polls.next_due() {
            assert!(polls.take_due(at - 1).is_empty());
            let poll = polls.take_due(at).remove(0);
            due.push((at, poll.is_last()));
            polls.again(&poll, at);
        }
        assert_eq!(due, [(6_000, false), (21_000, false), (61_000, true)]);
    }

    #[test]
    fn without_waits_nothing_is_looked_up_again() {
        let mut polls = Polls::new(&[]);
        polls.add(OpId::new(Uuid::nil()), None, 0);
        assert!(polls.is_empty());
    }
}
