//! Finding the REST interface of a site from the address that a person typed.

use crate::errors::DiscoverError;
use crate::options::Options;

/// A WordPress, as its REST index describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// The canonical address of the site, without a slash at its end: the site's identity.
    pub home: String,
    /// Where WordPress itself is, without a slash at its end: the base of `wp-admin`.
    pub site_url: String,
    /// The root of the REST interface, to be given to [`Client::new`](crate::Client::new).
    pub rest_root: String,
    /// The name of the site.
    pub name: String,
    /// The name of its time zone; empty where only an offset is set.
    pub timezone: String,
    /// Its offset from UTC in seconds.
    pub gmt_offset_s: i32,
    /// The namespaces of its REST interface.
    pub namespaces: Vec<String>,
    /// Where a person approves an application password; `None` where the site does not offer them.
    pub application_passwords: Option<String>,
}

/// Finds the WordPress at an address.
///
/// Asks the page for its `Link` header, then `/wp-json/`, `/?rest_route=/` and `/index.php/wp-json/`.
/// Never leaves the host that was named: an address that leads elsewhere is an error that tells the
/// other address. No credentials are sent.
///
/// # Errors
/// Returns what kept the site from being found.
pub async fn discover(address: &str, options: &Options) -> Result<Discovered, DiscoverError> {
    let _ = (address, options);
    unimplemented!()
}
