//! One site, as one user.

use std::sync::atomic::AtomicBool;

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
}

impl Client {
    /// Makes a client for a site's REST root, as [`discover`](crate::discover) found it. Opens no
    /// connection.
    ///
    /// # Errors
    /// Returns what the address lacks, or what kept the HTTP clients from being set up.
    pub fn new(rest_root: &str, credentials: Credentials, options: Options) -> Result<Self, ClientError> {
        let root = RestRoot::parse(rest_root)?;
        let wire = Wire::new(root.is_encrypted(), &options)?;
        Ok(Self { root, credentials, options, wire, forbids_caching: AtomicBool::new(false) })
    }
}
