//! Where passwords come from: what was typed in this session, else the keychain. None goes back to the window.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ichido_credentials::{Keychain, KeychainError, Secret};
use ichido_journal::Site;
use ichido_wordpress::Credentials;
use secrecy::SecretString;

use crate::view::{AppError, CredentialsKept, KeychainState};

/// How long a keychain may take before it counts as locked: it may be asking a person.
const PATIENCE: Duration = Duration::from_secs(3);

/// The passwords of this session, by site and user.
#[derive(Debug, Default)]
pub(crate) struct Passwords {
    session: Mutex<HashMap<(String, String), Secret>>,
}

impl Passwords {
    /// Returns whom to be on a site.
    pub(crate) async fn of(&self, site: &Site) -> Result<Credentials, AppError> {
        let known = self.lock().get(&name_of(site)).cloned();
        let password = match known {
            Some(password) => password,
            None => {
                let (home, user) = name_of(site);
                off_thread(move || Keychain::new().load(&home, &user)).await??
            }
        };
        credentials(&site.user, &password)
    }

    /// Keeps a password: in the keychain, or for this session where there is none. Says which, and why.
    pub(crate) async fn keep(&self, site: &Site, password: Secret) -> Result<CredentialsKept, AppError> {
        let (home, user) = name_of(site);
        let kept = password.clone();
        let stored = off_thread(move || Keychain::new().store(&home, &user, &kept)).await?;
        if stored.is_ok() {
            self.lock().remove(&name_of(site));
            return Ok(CredentialsKept::Keychain);
        }
        self.keep_for_session(site, password);
        Ok(CredentialsKept::Session)
    }

    pub(crate) fn keep_for_session(&self, site: &Site, password: Secret) {
        self.lock().insert(name_of(site), password);
    }

    /// Forgets a password. That there is none is as good.
    pub(crate) async fn forget(&self, site: &Site) -> Result<(), AppError> {
        self.lock().remove(&name_of(site));
        let (home, user) = name_of(site);
        match off_thread(move || Keychain::new().delete(&home, &user)).await? {
            Ok(()) | Err(KeychainError::NotFound | KeychainError::NoKeychain { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Says where the password of a site is, without waiting for a person.
    pub(crate) async fn kept(&self, site: &Site) -> CredentialsKept {
        if self.lock().contains_key(&name_of(site)) {
            return CredentialsKept::Session;
        }
        let (home, user) = name_of(site);
        let loading = off_thread(move || Keychain::new().load(&home, &user).map(drop));
        match tokio::time::timeout(PATIENCE, loading).await {
            Ok(Ok(Ok(()))) => CredentialsKept::Keychain,
            Ok(Ok(Err(_)) | Err(_)) | Err(_) => CredentialsKept::Missing,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Secret>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says whether there is a keychain, without waiting for a person.
pub(crate) async fn keychain() -> KeychainState {
    let asking = off_thread(|| Keychain::new().load("https://ichido.invalid", "nobody").map(drop));
    match tokio::time::timeout(PATIENCE, asking).await {
        Ok(Ok(Ok(()) | Err(KeychainError::NotFound | KeychainError::Damaged))) => KeychainState::Ok,
        Ok(Ok(Err(KeychainError::Locked { .. } | KeychainError::Denied { .. }))) | Err(_) => {
            KeychainState::Locked
        }
        Ok(Ok(Err(
            KeychainError::NoKeychain { .. } | KeychainError::Unfit { .. } | KeychainError::Failed { .. },
        )))
        | Ok(Err(_)) => KeychainState::Missing,
    }
}

/// Puts a user's name and password together.
pub(crate) fn credentials(user: &str, password: &Secret) -> Result<Credentials, AppError> {
    Ok(Credentials::new(user, &SecretString::from(password.expose()))?)
}

fn name_of(site: &Site) -> (String, String) {
    (site.home.clone(), site.user.clone())
}

/// The keychain's calls block, and may wait for a person.
async fn off_thread<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
    tokio::task::spawn_blocking(ask).await.map_err(|error| AppError::internal(&error))
}
