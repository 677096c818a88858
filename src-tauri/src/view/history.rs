//! The history.

use ichido_core::operation::Kind;
use serde::Serialize;

use super::Params;

to_window! {
    struct HistoryLine {
        seq: i64,
        at: i64,
        code: String,
        by_person: bool,
        #[cfg_attr(test, ts(type = "Kind | null"))]
        kind: Option<Kind>,
        /// What it concerns: a title or a file's name; empty where it concerns a site or everything.
        name: String,
        /// The name of the site.
        site: Option<String>,
        params: Params,
    }

    struct HistoryPage {
        total: u64,
        lines: Vec<HistoryLine>,
    }
}
