//! Adding, checking and removing sites.

use ichido_journal::{Added, NewSite, Site};
use ichido_wordpress::{Client, ClientError, Credentials, Discovered, Identity, discover};

use crate::engine::{DEFAULT_WAIT, Engine, SITE_URL, find_site};
use crate::errors::{RunError, SetUpError};
use crate::event::Event;

/// What a site and our user on it were found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkup {
    /// The site, by its REST index.
    pub discovered: Discovered,
    /// Our user there.
    pub identity: Identity,
}

impl Checkup {
    /// Tells whether drafts with images can be registered.
    #[must_use]
    pub fn is_sufficient(&self) -> bool {
        self.identity.can.edit_posts() && self.identity.can.upload_files()
    }
}

impl Engine {
    /// Finds the WordPress at an address, asks it who we are, and records it. A site that is known by
    /// its canonical address is found again, with its records.
    ///
    /// # Errors
    /// Returns what kept it from being found, asked or recorded.
    pub async fn add_site(
        &self,
        name: &str,
        address: &str,
        credentials: Credentials,
    ) -> Result<(Site, Added, Checkup), SetUpError> {
        let checkup = self.check_address(address, credentials.clone()).await?;
        let (_, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let new = NewSite {
            name: name.to_owned(),
            home: checkup.discovered.home.clone(),
            rest_root: checkup.discovered.rest_root.clone(),
            user: credentials.user().to_owned(),
            user_id: Some(checkup.identity.id),
        };
        let (site, added) = runner.add_site(&new, self.clock.now())?;
        runner
            .set_setting(Some(site.id), SITE_URL, Some(&checkup.discovered.site_url))
            .map_err(RunError::from)?;
        Ok((site, added, checkup))
    }

    /// Asks a known site anew what it is and who we are there.
    ///
    /// # Errors
    /// Returns what kept it from being found or asked.
    pub async fn check_site(&self, name: &str, credentials: Credentials) -> Result<Checkup, SetUpError> {
        let journal = self.journal()?;
        let site = find_site(&journal, name)?;
        self.check_address(&site.home, credentials).await
    }

    pub(crate) async fn check_address(
        &self,
        address: &str,
        credentials: Credentials,
    ) -> Result<Checkup, SetUpError> {
        let discovered = discover(address, &self.http).await?;
        let client = Client::new(&discovered.rest_root, credentials, self.http.clone())
            .map_err(|error: ClientError| RunError::from(error))?;
        let identity = client.identify().await?.value;
        Ok(Checkup { discovered, identity })
    }

    /// Takes a site off the list. Its records stay, for when it is added again.
    ///
    /// # Errors
    /// Refused while anything sent to it is in doubt and has not been left.
    pub async fn remove_site(&self, name: &str) -> Result<Site, SetUpError> {
        let (journal, runner) = self.lock(DEFAULT_WAIT, &|_: &Event| {}).await?;
        let site = find_site(&journal, name)?;
        runner.remove_site(site.id, self.clock.now())?;
        Ok(site)
    }

    /// Returns the sites by name.
    ///
    /// # Errors
    /// Fails if the journal does.
    pub fn sites(&self) -> Result<Vec<Site>, RunError> {
        Ok(self.journal()?.sites()?)
    }
}
