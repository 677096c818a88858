//! Watching folders: articles that appear or change are registered by themselves, where a person switched that on.
//!
//! ```no_run
//! # async fn example(engine: ichido_engine::Engine, credentials: impl ichido_engine::CredentialSource,
//! #     listener: impl ichido_engine::WatchListener) -> Result<(), ichido_engine::WatchError> {
//! use ichido_engine::{PausedUntil, Watch, WatchOptions, WatchedFolder};
//!
//! let folder = WatchedFolder { site: "blog".to_owned(), folder: "/home/me/articles".into(), automatic: true };
//! let (watch, watcher) = Watch::new(WatchOptions { folders: vec![folder], ..WatchOptions::default() });
//! // The handle goes wherever it is needed; the watcher runs where the engine lives.
//! watch.pause(PausedUntil::Resumed);
//! let light = watch.status().light;
//! watcher.run(&engine, &credentials, &listener).await?;
//! # Ok(())
//! # }
//! ```
//!
//! What the system tells of changes is a hint, a scan is the truth (`settle` and `tree`). What is registered goes
//! through the same batch as one that a person begins; nothing that is halted, in doubt or done is in it. While
//! nothing changes nothing runs but a look at the folders' places once a minute.

mod articles;
mod back_off;
mod folder;
mod fs_events;
mod names;
mod owner;
mod round;
mod run;
mod settle;
mod sort;
mod status;
mod store;
mod tree;
mod watcher;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ichido_article::Options;
use ichido_journal::{Owner, Site};
use ichido_wordpress::Credentials;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot, watch};

use crate::engine::DEFAULT_POLLS;
use crate::errors::RunError;
use crate::event::Event;
use crate::report::Report;
use crate::settings::Settings;

pub use owner::{FolderOwner, OwnerError};
pub use status::{
    Counts, FolderState, FolderStatus, Light, NoEvents, Noticing, Ownership, PausedUntil, WatchStatus,
    Working,
};
pub use watcher::{WatchEnd, Watcher};

/// A folder that is watched for one site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WatchedFolder {
    /// The name of the site.
    pub site: String,
    /// The folder.
    pub folder: PathBuf,
    /// Whether articles without an error are registered by themselves. Where it is off, the folder is read and told
    /// of, and only what is *waiting* already goes on.
    pub automatic: bool,
}

/// How folders are watched.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// The folders.
    pub folders: Vec<WatchedFolder>,
    /// Until when nothing is registered, from the beginning.
    pub paused: Option<PausedUntil>,
    /// How long an article and its images must be quiet; else as set for the site.
    pub settle: Option<Duration>,
    /// After how long an unknown outcome is looked up again inside a batch.
    pub polls: Vec<Duration>,
    /// Whether unknown tags are made; else as set for the site.
    pub create_tags: bool,
    /// Whether what is in doubt is looked up when that is due. Off where somebody else does it.
    pub looks: bool,
    /// Whether to end once everything that was there was quiet and was tried once.
    pub once: bool,
    /// Held while a batch runs, so that a program's own batches and the watch's take turns.
    pub turn: Option<Arc<tokio::sync::Mutex<()>>>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            folders: Vec::new(),
            paused: None,
            settle: None,
            polls: DEFAULT_POLLS.to_vec(),
            create_tags: false,
            looks: true,
            once: false,
            turn: None,
        }
    }
}

/// Where the watch gets passwords from.
pub trait CredentialSource {
    /// Returns whom to be on a site; `None` where there is no password now. Asked anew before each batch.
    fn of<'a>(&'a self, site: &'a Site) -> Pin<Box<dyn Future<Output = Option<Credentials>> + 'a>>;
}

/// Hears what the watch does. Called from the task of [`Watcher::run`]; must not block for long.
///
/// What is shown at any time is in [`WatchStatus`]; this is for what happens once, such as notifications.
pub trait WatchListener {
    /// Hears one event of a batch.
    fn hear(&self, site: &str, event: &Event);
    /// Hears what a batch came to: one summary for a notification.
    fn ended(&self, site: &str, report: &Report);
    /// Hears that a batch could not be run to its end.
    fn failed(&self, site: &str, error: &RunError);
}

/// Failures that keep folders from being watched at all.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The journal failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Another program watches every one of the folders.
    #[error("watch {}: another program watches it", folder.display())]
    Watched {
        /// The first of the folders.
        folder: PathBuf,
        /// Who, where it could be told.
        owner: Option<Box<Owner>>,
    },
}

/// A handle on folders that are watched. Can be cloned, and used from any thread; no call waits.
#[derive(Clone, Debug)]
pub struct Watch {
    orders: mpsc::UnboundedSender<Order>,
    status: watch::Receiver<WatchStatus>,
}

/// What a handle asks for.
#[derive(Debug)]
pub(crate) enum Order {
    Pause(PausedUntil),
    Resume,
    CheckNow,
    Folders(Vec<WatchedFolder>),
    TakeOver(PathBuf, oneshot::Sender<Result<(), OwnerError>>),
    Stop,
}

impl Watch {
    /// Makes a handle, and the watcher that does the work once it is run.
    #[must_use]
    pub fn new(options: WatchOptions) -> (Self, Watcher) {
        let (orders, asked) = mpsc::unbounded_channel();
        let (tell, status) = watch::channel(WatchStatus::default());
        (Self { orders, status }, Watcher::new(options, asked, tell))
    }

    /// Returns what is known now.
    #[must_use]
    pub fn status(&self) -> WatchStatus {
        self.status.borrow().clone()
    }

    /// Returns the stream of what is known: a new value whenever anything changed. It ends with the watcher.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<WatchStatus> {
        self.status.clone()
    }

    /// Registers nothing until then. The request in flight is finished; folders are still read and told of.
    pub fn pause(&self, until: PausedUntil) {
        self.order(Order::Pause(until));
    }

    /// Goes on after a pause.
    pub fn resume(&self) {
        self.order(Order::Resume);
    }

    /// Reads all folders now, and tries at once what would be tried later: a person asks, or the network or a
    /// password is back.
    pub fn check_now(&self) {
        self.order(Order::CheckNow);
    }

    /// Watches these folders from now on, in place of those before: folders were added, taken away, or automatic
    /// registration was switched. A batch under way in a folder that is no longer among them ends after the request
    /// in flight.
    pub fn set_folders(&self, folders: Vec<WatchedFolder>) {
        self.order(Order::Folders(folders));
    }

    /// Makes this machine the one that registers from a folder, as a person said.
    ///
    /// # Errors
    /// Fails if the folder cannot be written to. A watcher that has ended counts as that.
    pub async fn take_over(&self, folder: PathBuf) -> Result<(), OwnerError> {
        let (tell, told) = oneshot::channel();
        self.order(Order::TakeOver(folder, tell));
        told.await.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::NotConnected).into()))
    }

    /// Ends the watcher: the request in flight is finished and written down, nothing more is sent.
    pub fn stop(&self) {
        self.order(Order::Stop);
    }

    fn order(&self, order: Order) {
        // A watcher that has ended has nothing left to do.
        drop(self.orders.send(order));
    }
}

/// How articles are read here: what lies in a cloud only is not fetched.
pub(crate) fn reading(settings: &Settings) -> Options {
    Options { fetch: false, ..settings.reading() }
}
