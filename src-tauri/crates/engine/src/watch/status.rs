//! What the watch shows: all that a tray, a top bar and a terminal need to say.

use std::path::PathBuf;

use ichido_core::tally::{Barrier, Pause};
use ichido_core::time::Timestamp;
use serde::Serialize;

use super::owner::FolderOwner;

/// How long nothing is to be registered by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "at")]
pub enum PausedUntil {
    /// Until this moment of the wall clock.
    Moment(Timestamp),
    /// Until a person resumes.
    Resumed,
}

/// The one thing that an icon can show; the first that holds, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// A person is needed: a halt, a barrier, a folder that another machine owns, a refusal, a failure.
    NeedsYou,
    /// A batch is being sent.
    Working,
    /// A person paused it.
    Paused,
    /// The site, the network or the credentials are not there; it goes on by itself when they are back.
    Offline,
    /// Everything is as it should be.
    Watching,
    /// No folder is watched.
    #[default]
    Off,
}

/// All that is known, as of now. A new one is told whenever anything in it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WatchStatus {
    /// What an icon shows.
    pub light: Light,
    /// Until when nothing is registered by itself, where a person paused it. Folders are still read.
    pub paused: Option<PausedUntil>,
    /// How many halts a person must look at: the rows of *Needs attention*, from the same query.
    pub attention: usize,
    /// The batch that is being sent.
    pub working: Option<Working>,
    /// When all folders that could be read had been read last: "last checked 14:02".
    pub checked_at: Option<Timestamp>,
    /// The folders, in the order in which they were named.
    pub folders: Vec<FolderStatus>,
}

/// A batch that the watch began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Working {
    /// The name of the site.
    pub site: String,
    /// How many articles have ended.
    pub ended: usize,
    /// How many articles the batch has; never 0.
    pub articles: usize,
}

/// One watched folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderStatus {
    /// The name of the site on which its articles are registered.
    pub site: String,
    /// The folder.
    pub folder: PathBuf,
    /// Whether articles without an error are registered by themselves. Off until a person switches it on.
    pub automatic: bool,
    /// What goes on in it.
    pub state: FolderState,
    /// How changes come to notice.
    pub noticing: Noticing,
    /// Which machine registers from it.
    pub owner: Ownership,
    /// What its articles are.
    pub counts: Counts,
    /// When it was read last.
    pub checked_at: Option<Timestamp>,
    /// When the next attempt follows by itself, where one failed.
    pub next_try_at: Option<Timestamp>,
}

/// What goes on in a watched folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum FolderState {
    /// It has not been read yet.
    Starting,
    /// Nothing is to be done, or automatic registration is off.
    Watching,
    /// Articles are still being written; they are taken once they are quiet.
    Settling,
    /// The folder is not there, or holds nothing where it held articles: a drive that is not mounted, a cloud that
    /// does not run. Nothing counts as deleted.
    Away,
    /// It holds more than can be watched.
    TooLarge,
    /// The folder cannot be read.
    Unreadable,
    /// The site cannot be asked. Goes on by itself.
    Offline {
        /// Why.
        reason: Pause,
    },
    /// There is no password, or the site does not take it. Goes on by itself once there is one.
    NeedsCredentials,
    /// The site refuses, sends elsewhere, or leaves outcomes unknown: a person must look at it.
    Refused {
        /// Why.
        reason: Pause,
    },
    /// Another batch is at work. Goes on by itself.
    OtherRunner,
    /// Another program watches it. Taken up when that one ends.
    OtherWatcher,
    /// Creating is shut until a person has checked (*Checked, go on*).
    Shut {
        /// Why.
        reason: Barrier,
    },
    /// Another machine registers from this folder; see [`FolderStatus::owner`].
    OwnedElsewhere,
    /// The file that says who registers cannot be read or written, so nothing is registered by itself.
    OwnerUnusable,
    /// No site of this name is known any more.
    NoSite,
    /// The journal failed. Tried again later.
    JournalFailed,
}

/// How changes in a folder come to notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "by")]
pub enum Noticing {
    /// The system tells of them.
    Events,
    /// The folder is read again and again.
    Scanning {
        /// Why.
        why: NoEvents,
        /// How often, in seconds.
        every_s: u64,
    },
}

/// Why the system does not tell of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoEvents {
    /// The system's limit of watched folders is reached (`fs.inotify.max_user_watches`).
    Limit,
    /// The system cannot watch this folder.
    Unsupported,
    /// The folder lies on a network drive, whose other users' changes the system does not tell.
    Network,
}

/// Which machine registers from a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "owner")]
pub enum Ownership {
    /// No machine has ever registered from it by itself.
    #[default]
    Nobody,
    /// This one.
    Ours,
    /// Another one. Nothing is registered by itself until a person takes the folder over.
    Elsewhere {
        /// Which.
        by: FolderOwner,
        /// Whether nothing was heard of it for days.
        stale: bool,
    },
    /// The file that says so cannot be read or understood. A person may take the folder over.
    Unusable,
}

/// What the articles of a folder are. Each is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All.
    pub articles: usize,
    /// Still being written, or their images are.
    pub settling: usize,
    /// With an error.
    pub needs_work: usize,
    /// Only in a cloud, or a copy that a synchronising program made of a conflict: never read.
    pub set_aside: usize,
    /// Without an error and never registered.
    pub ready: usize,
    /// Proved not sent; they go on by themselves.
    pub waiting: usize,
    /// Everything else: registered, skipped, halted, refused.
    pub settled: usize,
}

impl WatchStatus {
    /// Chooses what the icon shows.
    pub(super) fn with_light(mut self) -> Self {
        let of = |folder: &FolderStatus| folder.state.light(folder.automatic);
        let worst = self.folders.iter().map(of).min();
        self.light = match worst {
            None => Light::Off,
            Some(_) if self.attention > 0 => Light::NeedsYou,
            Some(Light::NeedsYou) => Light::NeedsYou,
            Some(_) if self.working.is_some() => Light::Working,
            Some(_) if self.paused.is_some() => Light::Paused,
            Some(light) => light,
        };
        self
    }
}

impl FolderState {
    const fn light(self, automatic: bool) -> Light {
        match self {
            Self::TooLarge
            | Self::Unreadable
            | Self::Refused { .. }
            | Self::Shut { .. }
            | Self::NoSite
            | Self::JournalFailed => Light::NeedsYou,
            Self::OwnedElsewhere | Self::OwnerUnusable if automatic => Light::NeedsYou,
            Self::Away | Self::Offline { .. } | Self::NeedsCredentials => Light::Offline,
            Self::Starting
            | Self::Watching
            | Self::Settling
            | Self::OtherRunner
            | Self::OtherWatcher
            | Self::OwnedElsewhere
            | Self::OwnerUnusable => Light::Watching,
        }
    }

    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Watching => "watching",
            Self::Settling => "settling",
            Self::Away => "away",
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
            Self::Offline { .. } => "offline",
            Self::NeedsCredentials => "needs_credentials",
            Self::Refused { .. } => "refused",
            Self::OtherRunner => "other_runner",
            Self::OtherWatcher => "other_watcher",
            Self::Shut { .. } => "shut",
            Self::OwnedElsewhere => "owned_elsewhere",
            Self::OwnerUnusable => "owner_unusable",
            Self::NoSite => "no_site",
            Self::JournalFailed => "journal_failed",
        }
    }
}

impl NoEvents {
    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
            Self::Network => "network",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(state: FolderState, automatic: bool) -> FolderStatus {
        FolderStatus {
            site: "blog".to_owned(),
            folder: "/articles".into(),
            automatic,
            state,
            noticing: Noticing::Events,
            owner: Ownership::Nobody,
            counts: Counts::default(),
            checked_at: None,
            next_try_at: None,
        }
    }

    #[test]
    fn the_icon_shows_the_gravest_thing() {
        let light = |states: &[(FolderState, bool)], attention, paused: bool, working: bool| {
            let status = WatchStatus {
                attention,
                paused: paused.then_some(PausedUntil::Resumed),
                working: working.then(|| Working { site: "blog".to_owned(), ended: 0, articles: 1 }),
                folders: states.iter().map(|(state, automatic)| folder(*state, *automatic)).collect(),
                ..WatchStatus::default()
            };
            status.with_light().light
        };
        let offline = FolderState::Offline { reason: Pause::Unreachable };
        let shut = FolderState::Shut { reason: Barrier::UncleanStop };
        let calm = (FolderState::Watching, true);
        assert_eq!(light(&[], 3, false, false), Light::Off);
        assert_eq!(light(&[calm], 0, false, false), Light::Watching);
        assert_eq!(light(&[calm, (offline, true)], 0, false, false), Light::Offline);
        assert_eq!(light(&[calm, (offline, true)], 0, true, false), Light::Paused);
        assert_eq!(light(&[calm, (offline, true)], 0, true, true), Light::Working);
        assert_eq!(light(&[calm, (shut, false)], 0, true, true), Light::NeedsYou);
        assert_eq!(light(&[calm], 1, true, true), Light::NeedsYou);
        // Where nothing is to be registered, it is no matter who does it elsewhere.
        assert_eq!(light(&[(FolderState::OwnedElsewhere, false)], 0, false, false), Light::Watching);
        assert_eq!(light(&[(FolderState::OwnedElsewhere, true)], 0, false, false), Light::NeedsYou);
    }
}
