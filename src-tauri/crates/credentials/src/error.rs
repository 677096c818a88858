//! What can keep a password from being stored or found, each with a cure of its own.

use std::error::Error as StdError;

use keyring_core::Error as StoreError;
use thiserror::Error;

use crate::platform;

/// Failures of the keychain. None of them carries a password.
#[derive(Debug, Error)]
pub enum KeychainError {
    /// The system has no keychain that can be reached: no session bus, no secret service, no default
    /// collection in it.
    #[error("reach a keychain")]
    NoKeychain {
        /// What the system said.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// The keychain is locked, and nobody could be asked to unlock it.
    #[error("open the locked keychain")]
    Locked {
        /// What the system said.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A person, or the system's rules, refused.
    #[error("get leave to use the keychain")]
    Denied {
        /// What the system said.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// No password is stored for this site and user.
    #[error("find the password")]
    NotFound,
    /// What the keychain holds is not what was stored: no text, several entries, or another value.
    #[error("read back the password as it was stored")]
    Damaged,
    /// The keychain does not take this site or user as a name.
    #[error("store a password under this name: {attribute} does not fit")]
    Unfit {
        /// The attribute that does not fit.
        attribute: String,
    },
    /// The keychain failed in another way.
    #[error("use the keychain")]
    Failed {
        /// What the system said.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
}

impl KeychainError {
    /// Returns the stable code, for messages.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoKeychain { .. } => "no_keychain",
            Self::Locked { .. } => "keychain_locked",
            Self::Denied { .. } => "keychain_denied",
            Self::NotFound => "password_not_found",
            Self::Damaged => "password_damaged",
            Self::Unfit { .. } => "keychain_name_unfit",
            Self::Failed { .. } => "keychain_failed",
        }
    }
}

/// Errors of a store that hold the stored bytes are not passed on.
impl From<StoreError> for KeychainError {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the enumeration may grow, and what it holds then is not passed on"
    )]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoEntry => Self::NotFound,
            StoreError::PlatformFailure(source) => platform::explain(source),
            StoreError::NoStorageAccess(source) => platform::explain_refusal(source),
            StoreError::BadEncoding(_)
            | StoreError::BadDataFormat(..)
            | StoreError::BadStoreFormat(_)
            | StoreError::Ambiguous(_) => Self::Damaged,
            StoreError::TooLong(attribute, _) | StoreError::Invalid(attribute, _) => {
                Self::Unfit { attribute }
            }
            StoreError::NoDefaultStore => Self::NoKeychain { source: None },
            _ => Self::Failed { source: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_carries_what_was_stored() {
        let stored = b"canary-4711".to_vec();
        let failure = || Box::new(std::io::Error::other("no")) as Box<dyn StdError + Send + Sync>;
        for error in [
            StoreError::BadEncoding(stored.clone()),
            StoreError::BadDataFormat(stored, failure()),
            StoreError::BadStoreFormat("canary-4711".to_owned()),
            StoreError::NotSupportedByStore("canary-4711".to_owned()),
        ] {
            let printed = format!("{:?}", KeychainError::from(error));
            assert!(!printed.contains("canary") && !printed.contains("99, 97, 110"), "{printed}");
        }
    }

    #[test]
    fn each_failure_has_a_code_of_its_own() {
        let failure = || Box::new(std::io::Error::other("no")) as Box<dyn StdError + Send + Sync>;
        let all = [
            KeychainError::NoKeychain { source: None },
            KeychainError::Locked { source: failure() },
            KeychainError::Denied { source: failure() },
            KeychainError::NotFound,
            KeychainError::Damaged,
            KeychainError::Unfit { attribute: "user".to_owned() },
            KeychainError::Failed { source: None },
        ];
        let codes: std::collections::HashSet<_> = all.iter().map(KeychainError::code).collect();
        assert_eq!(codes.len(), all.len());
    }
}
