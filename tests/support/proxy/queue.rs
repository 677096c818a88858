//! The faults that wait for their request, and the rows that look-ups do not show.

use ichido_practice::{Fault, Kind, When, Which};
use serde_json::Value;

use super::wire::Answer;

/// Faults in the order in which they were asked for. Each meets one request, as on the practice site.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: Vec<(When, Fault)>,
    hidden: Vec<(u64, u32)>,
}

/// What meets one request.
#[derive(Debug, Default)]
pub(crate) struct Met {
    pub(crate) fault: Option<Fault>,
    pub(crate) hide: Option<u32>,
}

impl Queue {
    pub(crate) fn push(&mut self, when: When, fault: Fault) {
        self.waiting.push((when, fault));
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn meet(&mut self, kind: Kind) -> Met {
        let mut met = Met::default();
        let mut kept = Vec::new();
        for (mut when, fault) in self.waiting.drain(..) {
            let fits = kind != Kind::Page
                && match when.which {
                    Which::Any => true,
                    Which::Creating => kind.creates(),
                    Which::Kind(wanted) => wanted == kind,
                };
            if fits && when.skip > 0 {
                when.skip -= 1;
                kept.push((when, fault));
                continue;
            }
            if let Fault::HideFromLookups(times) = fault {
                if fits && kind.creates() && met.hide.is_none() {
                    met.hide = Some(times);
                } else {
                    kept.push((when, fault));
                }
            } else if let Fault::RefuseLookups(times) = fault {
                if kind != Kind::LookUp || met.fault.is_some() {
                    kept.push((when, fault));
                    continue;
                }
                if times > 1 {
                    kept.push((when, Fault::RefuseLookups(times - 1)));
                }
                met.fault = Some(Fault::RefuseLookups(times));
            } else if fits && met.fault.is_none() {
                met.fault = Some(fault);
            } else {
                kept.push((when, fault));
            }
        }
        self.waiting = kept;
        met
    }

    /// Leaves a row out of the next `times` lists that would show it.
    pub(crate) fn hide(&mut self, id: u64, times: u32) {
        self.hidden.push((id, times));
    }

    /// Takes hidden rows out of a list, and out of its total, as a stale cache would.
    pub(crate) fn censor(&mut self, answer: &mut Answer) {
        if self.hidden.is_empty() {
            return;
        }
        let Ok(Value::Array(mut rows)) = serde_json::from_slice(&answer.body) else { return };
        let before = rows.len();
        for (id, times) in &mut self.hidden {
            let shown = rows.len();
            rows.retain(|row| *times == 0 || row.get("id").and_then(Value::as_u64) != Some(*id));
            if rows.len() < shown {
                *times -= 1;
            }
        }
        let taken = before - rows.len();
        if taken == 0 {
            return;
        }
        let total: usize = answer.header("x-wp-total").and_then(|total| total.parse().ok()).unwrap_or(before);
        let left = total.saturating_sub(taken);
        let kind = answer.header("content-type").unwrap_or("application/json").to_owned();
        answer.replace(answer.status, &kind, Value::Array(rows).to_string().into_bytes());
        answer.set_header("X-WP-Total", &left.to_string());
        if left == 0 {
            answer.set_header("X-WP-TotalPages", "0");
        }
    }
}
