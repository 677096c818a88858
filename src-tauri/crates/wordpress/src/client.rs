//! One site, as one user.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use tokio::sync::watch;

use crate::address::RestRoot;
use crate::credentials::Credentials;
use crate::errors::ClientError;
use crate::options::Options;
use crate::transport::Wire;

/// Speaks to one site as one user. Holds two HTTP clients: one for reading, one for creating.
#[derive(Debug)]
pub struct Client {
    pub(crate) root: RestRoot,
    pub(crate) credentials: Credentials,
    pub(crate) options: Options,
    pub(crate) wire: Wire,
    /// Whether the site was seen to forbid caching, so that an answer without that is a cache's.
    pub(crate) forbids_caching: AtomicBool,
    /// The id of our user, once the site has told it; 0 before.
    pub(crate) user: AtomicU64,
    pub(crate) waits: watch::Sender<Option<Duration>>,
    pub(crate) hurried: watch::Sender<bool>,
}

impl Client {
    /// Makes a client for a site's REST root, as [`discover`](crate::discover) found it. Opens no
    /// connection.
    ///
    /// # Errors
    /// Returns what the address lacks, or what kept the HTTP clients from being set up.
    pub fn new(rest_root: &str, credentials: Credentials, options: Options) -> Result<Self, ClientError> {
        let root = RestRoot::parse(rest_root)?;
        let wire = Wire::new(root.address(), &options)?;
        Ok(Self {
            root,
            credentials,
            options,
            wire,
            forbids_caching: AtomicBool::new(false),
            user: AtomicU64::new(0),
            waits: watch::Sender::new(None),
            hurried: watch::Sender::new(false),
        })
    }

    /// Tells each time that the client waits before it asks again, and for how long.
    #[must_use]
    pub fn waits(&self) -> watch::Receiver<Option<Duration>> {
        self.waits.subscribe()
    }

    /// Gives up the look-up that is under way and repeats none from now on: the run is to end. Creating requests
    /// are not touched.
    pub fn hurry(&self) {
        self.hurried.send_replace(true);
    }
}
