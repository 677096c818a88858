//! Everything that crosses between the window and the program. Plain data: codes, numbers, lists.
//!
//! The codes are those of the journal and of `--json`; sentences are in `ui/messages`. A test writes these types
//! down for the window, and fails where what is written there is not what stands here.

use std::collections::BTreeMap;

use ichido_core::operation::{HaltReason, Kind, WaitReason};
use ichido_core::tally::{Barrier, Ending, Pause};
use ichido_credentials::Secret;
use ichido_engine::RowState;
use serde::{Deserialize, Deserializer, Serialize};

#[cfg(test)]
#[path = "view_export.rs"]
mod export;

/// Declares types that go to the window.
macro_rules! to_window {
    ($($(#[$meta:meta])* struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {
        $($(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name { $($(#[$field_meta])* pub(crate) $field: $type,)* })*
    };
}

/// Particulars of a code, by name.
pub(crate) type Params = BTreeMap<String, String>;

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

    struct PermissionCheck {
        code: &'static str,
        ok: bool,
        /// What is wrong, if anything: names the cure.
        problem: Option<&'static str>,
        params: Params,
    }

    struct SiteView {
        id: String,
        name: String,
        /// The canonical home, without the scheme.
        home: String,
        user: String,
        role: Option<String>,
        practice: bool,
        running: bool,
        switches: Option<PracticeSwitches>,
        /// Whether the password is in the keychain, kept for this session only, or missing.
        credentials: CredentialsKept,
        #[cfg_attr(test, ts(type = "PauseCode | null"))]
        pause: Option<Pause>,
        checked_at: Option<i64>,
        checks: Vec<PermissionCheck>,
    }

    struct SiteAdded {
        /// Null where something red must be put right first.
        site: Option<SiteView>,
        checks: Vec<PermissionCheck>,
    }

    struct FolderView {
        path: String,
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

    struct Bootstrap {
        version: &'static str,
        first_start: bool,
        settings: Settings,
        keychain: KeychainState,
        sites: Vec<SiteView>,
        current_site: Option<String>,
        folders: Vec<FolderView>,
        barriers: Vec<BarrierView>,
        batch: Option<BatchView>,
        attention: usize,
    }

    struct AppError {
        code: &'static str,
        params: Params,
    }
}

/// Declares codes that are the window's own.
macro_rules! codes {
    ($($(#[$meta:meta])* enum $name:ident { $($variant:ident,)* })*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $name { $($variant,)* })*
    };
}

codes! {
    enum Language { Ja, En, }
    enum Theme { System, Light, Dark, }
    /// What is being done with an article right now.
    enum RowStep { Check, Images, Draft, Verify, }
    enum TimelineTone { Plain, Ok, Alert, }
    /// Places on the site or this computer that the program can open.
    enum LinkKind { Edit, Drafts, Media, Folder, Profile, Releases, }
    enum BatchState { Running, Pausing, Paused, }
    enum LookPart { AboveMark, Slug, Marker, ById, }
    enum LookFound { None, Found, Hidden, CouldNotAsk, NotAsked, }
    enum LookBy { Program, Person, }
    enum DifferenceField { Title, Slug, Excerpt, Content, Terms, Featured, Author, Status, Type, }
    enum PostStatus { Draft, Publish, Pending, Private, Future, Trash, Inherit, Other, }
    enum ShutCode { NotLooked, Window, NotNegative, Candidates, }
    enum CredentialsKept { Keychain, Session, Missing, }
    enum KeychainState { Ok, Missing, Locked, }
    /// One switch of the practice site.
    enum PracticeSwitch { LoseNextAnswer, HideNewDrafts, Answer502, }
    enum Plan { Create, Skip, Verified, NeedsWork, Halt, CouldNotAsk, }
}

/// The switches of the practice site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PracticeSwitches {
    pub(crate) lose_next_answer: bool,
    pub(crate) hide_new_drafts: bool,
    pub(crate) answer502: bool,
}

/// What a person can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    pub(crate) settle_window_minutes: u64,
    pub(crate) strip_camera_data: bool,
    /// Whether tags that the site does not have are made there.
    pub(crate) create_tags: bool,
}

/// A password on its way in: never shown, never sent back.
#[derive(Debug)]
pub(crate) struct Password(pub(crate) Secret);

impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Secret::new(text)))
    }
}

/// A site to be added.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewSite {
    pub(crate) address: String,
    pub(crate) user: String,
    #[cfg_attr(test, ts(type = "string"))]
    pub(crate) password: Password,
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

/// What a link leads to.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkTarget {
    pub(crate) kind: LinkKind,
    /// The operation, article or site that the link belongs to.
    #[cfg_attr(test, ts(optional))]
    pub(crate) op_id: Option<String>,
    #[cfg_attr(test, ts(optional))]
    pub(crate) article_id: Option<u32>,
    #[cfg_attr(test, ts(optional))]
    pub(crate) site_id: Option<String>,
    #[cfg_attr(test, ts(optional))]
    pub(crate) remote_id: Option<u64>,
}

/// The one stream of states.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum BackendEvent {
    Rows {
        revision: u64,
        rows: Vec<ArticleRow>,
    },
    ListReplaced,
    Scan {
        scan: ScanView,
        folders: Vec<FolderView>,
    },
    Batch {
        batch: Option<BatchView>,
        tally: Option<Tally>,
    },
    Attention {
        count: usize,
        halted_title: Option<String>,
    },
    Detail {
        id: u32,
    },
    Sites {
        sites: Vec<SiteView>,
        current_site: Option<String>,
    },
    Barriers {
        barriers: Vec<BarrierView>,
    },
    Drag {
        paths: Option<usize>,
    },
    Failed {
        error: AppError,
    },
    /// The window closes as soon as the request in flight has been settled.
    Closing,
}
