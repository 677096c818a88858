//! A batch, foreseen and running.

use serde::Serialize;

use super::{BatchState, Plan};

to_window! {
    struct BatchView {
        site_id: String,
        total: usize,
        /// Articles that have ended, whichever way.
        ended: usize,
        started_at: i64,
        state: BatchState,
        current_id: Option<u32>,
    }

    /// Disjoint counts of how the articles of a batch ended.
    #[derive(Copy, Default)]
    struct Tally {
        created: usize,
        adopted: usize,
        verified: usize,
        skipped: usize,
        unknown: usize,
        halted: usize,
        waiting: usize,
        refused: usize,
        needs_work: usize,
        left: usize,
    }

    struct DryRunLine {
        id: u32,
        title: String,
        slug: String,
        plan: Plan,
    }

    struct DryRun {
        create: usize,
        skip: usize,
        verified: usize,
        needs_work: usize,
        halt: usize,
        could_not_ask: usize,
        /// At most 200 lines.
        lines: Vec<DryRunLine>,
    }
}
