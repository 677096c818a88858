//! What needs a person, and what a person wants done about it.

use ichido_core::operation::{HaltReason, Kind};
use ichido_core::tally::Barrier;
use serde::{Deserialize, Serialize};

use super::{DifferenceField, LinkKind, LookBy, LookFound, LookPart, Params, PostStatus, ShutCode};

to_window! {
    struct LookResult {
        part: LookPart,
        result: LookFound,
        count: usize,
    }

    struct Look {
        at: i64,
        by: LookBy,
        /// Why nothing could be asked, if so: a code such as `network` or `timed_out`.
        failure: Option<String>,
        parts: Vec<LookResult>,
    }

    struct Sent {
        at: i64,
        slug: String,
        file: Option<String>,
        images_done: u32,
        images_total: u32,
        /// What became of the answer: `timed_out`, `connection_lost`, `status`, `unreadable`, `interrupted`, or
        /// null after an answer.
        lost: Option<&'static str>,
        params: Params,
    }

    struct Difference {
        field: DifferenceField,
        here: String,
        site: String,
    }

    struct Candidate {
        id: u64,
        title: String,
        slug: String,
        status: PostStatus,
        author: Option<String>,
        modified_at: Option<i64>,
        dismissed: bool,
        differences: Vec<Difference>,
    }

    struct SendAgain {
        open: bool,
        opens_at: Option<i64>,
        shut: Option<ShutCode>,
    }

    struct AttentionCard {
        op_id: String,
        #[cfg_attr(test, ts(type = "Kind"))]
        kind: Kind,
        article_id: Option<u32>,
        site_id: String,
        title: String,
        slug: String,
        #[cfg_attr(test, ts(type = "HaltReason"))]
        reason: HaltReason,
        left: bool,
        since: i64,
        params: Params,
        /// Articles that wait for this image.
        waiting: Vec<String>,
        sent: Option<Sent>,
        /// Newest first.
        looks: Vec<Look>,
        next_look_at: Option<i64>,
        send_again: Option<SendAgain>,
        candidates: Vec<Candidate>,
        differences: Vec<Difference>,
        #[cfg_attr(test, ts(type = "Act[]"))]
        acts: Vec<&'static str>,
        links: Vec<LinkKind>,
    }

    struct BarrierView {
        #[cfg_attr(test, ts(type = "BarrierCode"))]
        code: Barrier,
        site_id: Option<String>,
        at: Option<i64>,
        /// Who ran it: a computer's name, as the run row keeps it.
        owner: Option<String>,
        in_doubt: usize,
        settled: usize,
        articles: Vec<String>,
        /// Whether every article has been looked up, where that is asked first.
        may_release: bool,
    }
}

/// What a person wants done about a card.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActRequest {
    pub(crate) op_id: String,
    #[cfg_attr(test, ts(type = "Act"))]
    pub(crate) act: String,
    /// The row on the site, for `link` and `none`.
    #[cfg_attr(test, ts(optional))]
    pub(crate) id: Option<u64>,
    /// What the person typed, for acts that ask for it.
    #[cfg_attr(test, ts(optional))]
    pub(crate) typed: Option<String>,
}
