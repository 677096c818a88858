//! Sites.

use ichido_core::tally::Pause;
use ichido_credentials::Secret;
use serde::{Deserialize, Deserializer, Serialize};

use super::{CredentialsKept, Params};

to_window! {
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

/// A person is asked in the browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Connecting {
    /// Whether the site sends the password by itself; else it is shown there, to be pasted.
    pub(crate) sends_back: bool,
    /// Whether the browser was opened.
    pub(crate) opened: bool,
    /// The page, for where the browser was not.
    pub(crate) page: String,
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
