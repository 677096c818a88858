//! Adding a site as it calls itself, once it was found to be usable.

use ichido_journal::{Added, NewSite, Site};
use ichido_wordpress::{Asking, AuthorizeError, Credentials, Discovered, authorize, discover};

use crate::engine::{DEFAULT_WAIT, Engine, SITE_URL};
use crate::errors::{RunError, SetUpError};
use crate::event::Event;
use crate::sites::Checkup;

impl Engine {
    /// Prepares to ask a person in the browser for a password of the site at an address.
    ///
    /// # Errors
    /// Returns what kept the site from being found, or from being asked for one.
    pub async fn ask_in_browser(&self, address: &str) -> Result<Asking, AuthorizeError> {
        let discovered = discover(address, &self.http).await?;
        authorize(&discovered, &self.http).await
    }

    /// Finds the WordPress at an address and asks it who we are. It is recorded, under the name that it
    /// gives itself, only if drafts with images can be registered there.
    ///
    /// # Errors
    /// Returns what kept it from being found, asked or recorded.
    pub async fn welcome_site(
        &self,
        address: &str,
        credentials: Credentials,
    ) -> Result<(Option<(Site, Added)>, Checkup), SetUpError> {
        let user = credentials.user().to_owned();
        let checkup = self.check_address(address, credentials).await?;
        if !checkup.is_sufficient() {
            return Ok((None, checkup));
        }
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let sites = journal.sites().map_err(RunError::from)?;
        let new = NewSite {
            name: name_for(&checkup.discovered, &sites),
            home: checkup.discovered.home.clone(),
            rest_root: checkup.discovered.rest_root.clone(),
            user,
            user_id: Some(checkup.identity.id),
        };
        let added = runner.add_site(&new, self.clock.now())?;
        runner
            .set_setting(Some(added.0.id), SITE_URL, Some(&checkup.discovered.site_url))
            .map_err(RunError::from)?;
        Ok((Some(added), checkup))
    }
}

/// A name that no other site has.
fn name_for(discovered: &Discovered, sites: &[Site]) -> String {
    let address = discovered.home.split_once("://").map_or(discovered.home.as_str(), |(_, rest)| rest);
    let name = if discovered.name.trim().is_empty() { address } else { discovered.name.trim() };
    let taken = sites.iter().any(|site| site.name == name && site.home != discovered.home);
    if taken { format!("{name} ({address})") } else { name.to_owned() }
}
