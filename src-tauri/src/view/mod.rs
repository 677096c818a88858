//! Everything that crosses between the window and the program. Plain data: codes, numbers, lists.
//!
//! The codes are those of the journal and of `--json`; sentences are in `ui/messages`. A test writes these types
//! down for the window, and fails where what is written there is not what stands here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

mod articles;
mod attention;
mod batch;
mod codes;
#[cfg(test)]
mod export;
mod history;
mod settings;
mod sites;
mod watch;

pub(crate) use articles::*;
pub(crate) use attention::*;
pub(crate) use batch::*;
pub(crate) use codes::*;
pub(crate) use history::*;
pub(crate) use settings::*;
pub(crate) use sites::*;
pub(crate) use watch::*;

/// Particulars of a code, by name.
pub(crate) type Params = BTreeMap<String, String>;

to_window! {
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
        watch: WatchView,
        /// Where the window is to lead, if it was opened for something.
        goal: Option<GoalView>,
    }

    /// A place in the window.
    struct GoalView {
        screen: Screen,
        /// The card to show there.
        op_id: Option<String>,
    }

    struct AppError {
        code: &'static str,
        params: Params,
    }
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
    Settings {
        settings: Settings,
    },
    Watch {
        watch: WatchView,
    },
    Go {
        goal: GoalView,
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
