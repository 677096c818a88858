//! Who we are to the site, and what we may do there.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use serde::Deserialize;
use serde_json::Value;

use crate::address::Query;
use crate::client::Client;
use crate::errors::AskError;
use crate::ids;
use crate::read::Answered;
use crate::text;

const LONGEST_NAME: usize = 100;

/// Our user, as the site knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The id.
    pub id: u64,
    /// The login name.
    pub login: String,
    /// The name shown to readers.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// What the user may do.
    pub can: Capabilities,
}

/// What a user may do, of all that matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// All capabilities that are granted, by name.
    pub all: BTreeSet<String>,
}

impl Capabilities {
    /// Tells whether drafts may be written.
    #[must_use]
    pub fn edit_posts(&self) -> bool {
        self.all.contains("edit_posts")
    }

    /// Tells whether posts may be published.
    #[must_use]
    pub fn publish_posts(&self) -> bool {
        self.all.contains("publish_posts")
    }

    /// Tells whether files may be uploaded.
    #[must_use]
    pub fn upload_files(&self) -> bool {
        self.all.contains("upload_files")
    }

    /// Tells whether others' posts may be edited, so that lists need not be limited to our own.
    #[must_use]
    pub fn edit_others_posts(&self) -> bool {
        self.all.contains("edit_others_posts")
    }

    /// Tells whether categories may be created.
    #[must_use]
    pub fn manage_categories(&self) -> bool {
        self.all.contains("manage_categories")
    }

    /// Tells whether content is stored as it is sent. On multisites this says yes too often.
    #[must_use]
    pub fn unfiltered_html(&self) -> bool {
        self.all.contains("unfiltered_html")
    }
}

impl Client {
    /// Asks the site who we are. Comes before anything else in every batch and every reconcile, since
    /// revoked credentials silently become anonymous.
    ///
    /// # Errors
    /// Returns [`AskError::NotOurUser`] if the site names nobody or somebody else, or why it could not
    /// be asked.
    pub async fn identify(&self) -> Result<Answered<Identity>, AskError> {
        let query = Query::default()
            .with("context", "edit")
            .with("_fields", "id,username,email,name,roles,capabilities");
        let got = self.get::<WireUser>("/wp/v2/users/me", &query).await?;
        let user = got.value;
        if user.id == 0 || !user.is_called(self.credentials.user()) {
            return Err(AskError::NotOurUser { code: None });
        }
        self.user.store(user.id, Ordering::Relaxed);
        Ok(Answered { value: user.into_identity(), site_time: got.site_time })
    }
}

#[derive(Deserialize)]
struct WireUser {
    #[serde(deserialize_with = "ids::read_or_zero")]
    id: u64,
    username: String,
    email: Option<String>,
    name: Option<String>,
    roles: Option<Value>,
    capabilities: Option<Value>,
}

impl WireUser {
    /// WordPress takes the login name or the mail address, in any case.
    fn is_called(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.username.to_lowercase() == name
            || self.email.as_ref().is_some_and(|email| email.to_lowercase() == name)
    }

    fn into_identity(self) -> Identity {
        Identity {
            id: self.id,
            login: text::shortened(&self.username, LONGEST_NAME),
            name: text::shortened(&self.name.unwrap_or_default(), LONGEST_NAME),
            roles: granted(self.roles.as_ref()).into_iter().collect(),
            can: Capabilities { all: granted(self.capabilities.as_ref()) },
        }
    }
}

/// Reads names that are granted: a list of them, or an object that says yes or no to each. PHP writes
/// `true`, `1` and `"1"`, and an empty object as a list.
fn granted(json: Option<&Value>) -> BTreeSet<String> {
    let is_granted = |(name, yes): (&String, &Value)| {
        let yes = matches!(yes, Value::Bool(true))
            || yes.as_u64() == Some(1)
            || yes.as_str().is_some_and(|text| !matches!(text, "" | "0"));
        yes.then(|| name.clone())
    };
    let names: Vec<String> = match json {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        // Roles whose list lost an entry: {"1": "author"}.
        Some(Value::Object(names))
            if names.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit())) =>
        {
            names.values().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(Value::Object(names)) => names.iter().filter_map(is_granted).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    };
    names.iter().map(|name| text::shortened(name, LONGEST_NAME)).collect()
}

#[cfg(test)]
#[path = "users_tests.rs"]
mod tests;
