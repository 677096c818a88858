//! The list, and one article of it.

use ichido_core::operation::{HaltReason, WaitReason};
use ichido_core::tally::Ending;
use ichido_engine::RowState;
use serde::Serialize;

use super::{LinkKind, Params, RowStep, TimelineTone};

to_window! {
    struct ArticleRow {
        id: u32,
        title: String,
        slug: String,
        #[cfg_attr(test, ts(type = "RowState"))]
        state: RowState,
        #[cfg_attr(test, ts(type = "WaitReason | null"))]
        wait_reason: Option<WaitReason>,
        #[cfg_attr(test, ts(type = "HaltReason | null"))]
        halt_reason: Option<HaltReason>,
        /// The site's own code, where it refused.
        refusal: Option<&'static str>,
        /// Whether a person set it aside.
        set_aside: bool,
        left: bool,
        /// How a done article came to be so.
        #[cfg_attr(test, ts(type = "Ending | null"))]
        ending: Option<Ending>,
        /// Whether a person said which post of the site it is.
        linked: bool,
        step: Option<RowStep>,
        images_done: u32,
        images_total: u32,
        errors: u32,
        warnings: u32,
        /// Changed here since it was registered.
        changed: bool,
        /// Milliseconds since 1970 of the last thing that happened to it.
        at: Option<i64>,
    }

    /// A part of the list; the whole list is read in parts so that no message is large.
    struct ArticlePage {
        /// Counts up with every change; events older than the page are dropped.
        revision: u64,
        total: usize,
        rows: Vec<ArticleRow>,
    }

    struct Finding {
        #[cfg_attr(test, ts(type = "Severity"))]
        severity: ichido_article::Severity,
        code: String,
        file: String,
        line: Option<u32>,
        params: Params,
    }

    struct TimelineEntry {
        at: i64,
        code: String,
        params: Params,
        tone: TimelineTone,
    }

    struct ArticleDetail {
        id: u32,
        op_id: Option<String>,
        /// Path as shown, with the home folder as `~`.
        path: String,
        excerpt: Option<String>,
        tags: Vec<String>,
        categories: Vec<String>,
        remote_id: Option<u64>,
        findings: Vec<Finding>,
        timeline: Vec<TimelineEntry>,
        links: Vec<LinkKind>,
    }

    struct FolderView {
        path: String,
        /// Whether its articles are registered by themselves while it is watched.
        automatic: bool,
        /// A single file is not watched.
        watchable: bool,
        articles: usize,
        scanned_at: Option<i64>,
    }

    struct Rejected {
        path: String,
        code: &'static str,
    }

    struct ScanView {
        running: bool,
        found: usize,
        rejected: Vec<Rejected>,
    }

    /// What of an article will be sent, to be shown.
    struct Preview {
        /// Markup that runs nothing, asks for nothing and leads nowhere.
        html: String,
        pictures_left_out: usize,
        /// Whether the text goes on beyond what is shown.
        cut: bool,
    }
}
