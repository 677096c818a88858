//! Storing, loading and deleting passwords.

use std::collections::HashMap;

use keyring_core::Entry;

use crate::error::KeychainError;
use crate::platform;
use crate::secret::Secret;

/// The operating system's keychain.
///
/// It is reached anew for every call: a keychain that was missing or locked a moment ago may be there
/// now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keychain {
    _private: (),
}

impl Keychain {
    /// Names the keychain; nothing is reached yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { _private: () }
    }

    /// Stores the password of a user of a site, in the place of an earlier one, and reads it back.
    ///
    /// # Errors
    /// [`KeychainError::Damaged`] if another password is read back than was stored; else as
    /// [`KeychainError`] says.
    pub fn store(&self, site_home: &str, user: &str, password: &Secret) -> Result<(), KeychainError> {
        entry(site_home, user)?.set_secret(password.expose().as_bytes())?;
        let kept = self.load(site_home, user)?;
        if kept.expose() == password.expose() { Ok(()) } else { Err(KeychainError::Damaged) }
    }

    /// Loads the password of a user of a site.
    ///
    /// # Errors
    /// [`KeychainError::NotFound`] if none is stored; else as [`KeychainError`] says.
    pub fn load(&self, site_home: &str, user: &str) -> Result<Secret, KeychainError> {
        let bytes = entry(site_home, user)?.get_secret()?;
        Secret::from_bytes(bytes).map_err(|_| KeychainError::Damaged)
    }

    /// Deletes the password of a user of a site.
    ///
    /// # Errors
    /// [`KeychainError::NotFound`] if none is stored; else as [`KeychainError`] says.
    pub fn delete(&self, site_home: &str, user: &str) -> Result<(), KeychainError> {
        Ok(entry(site_home, user)?.delete_credential()?)
    }
}

fn entry(site_home: &str, user: &str) -> Result<Entry, KeychainError> {
    let store = platform::reach()?;
    let label = format!("Ichido: {user} @ {site_home}");
    let modifiers: HashMap<_, _> = platform::label(&label).into_iter().collect();
    let modifiers = (!modifiers.is_empty()).then_some(&modifiers);
    Ok(store.build(&format!("ichido {site_home}"), user, modifiers)?)
}
