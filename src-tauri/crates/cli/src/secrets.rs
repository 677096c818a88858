//! Where passwords come from: `ICHIDO_PASSWORD`, a prompt or stdin, the keychain. Never an argument.

use std::io::{IsTerminal as _, Read as _};

use ichido_credentials::{Keychain, KeychainError, Secret};
use ichido_journal::Site;
use ichido_wordpress::Credentials;
use secrecy::SecretString;

use crate::failure::Failure;
use crate::text::Texts;

/// Where a password for a new site came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// The environment: it is there for the next command too, and is not kept.
    ByEnvironment,
    /// A person or a pipe: it goes to the keychain.
    ByPerson,
}

/// Longer input than this is no password.
const LONGEST: u64 = 4096;

/// Returns whom to be on a site.
pub(crate) fn of(site: &Site) -> Result<Credentials, Failure> {
    let password = match from_env()? {
        Some(password) => password,
        None => match Keychain::new().load(&site.home, &site.user) {
            Ok(password) => password,
            Err(KeychainError::NotFound) => return Err(Failure::NoPassword { site: site.name.clone() }),
            Err(error) => return Err(error.into()),
        },
    };
    credentials(&site.user, &password)
}

/// Puts a user's name and password together.
pub(crate) fn credentials(user: &str, password: &Secret) -> Result<Credentials, Failure> {
    Ok(Credentials::new(user, &SecretString::from(password.expose()))?)
}

fn from_env() -> Result<Option<Secret>, Failure> {
    Secret::from_env().map_err(|_| Failure::PasswordUnusable)
}

/// Asks for the password of a new site.
pub(crate) fn ask(texts: Texts) -> Result<(Secret, Given), Failure> {
    if let Some(password) = from_env()? {
        return Ok((password, Given::ByEnvironment));
    }
    if std::io::stdin().is_terminal() {
        let typed =
            rpassword::prompt_password(texts.get("site.ask_password")).map_err(Failure::PasswordUnread)?;
        return Ok((Secret::new(typed), Given::ByPerson));
    }
    let mut piped = Vec::new();
    std::io::stdin().take(LONGEST).read_to_end(&mut piped).map_err(Failure::PasswordUnread)?;
    while piped.last().is_some_and(|last| matches!(last, b'\r' | b'\n')) {
        piped.pop();
    }
    let password =
        Secret::from_bytes(piped).map_err(|_| ichido_wordpress::CredentialsError::UnsendablePassword)?;
    Ok((password, Given::ByPerson))
}

/// Keeps a password.
pub(crate) fn store(site: &Site, password: &Secret) -> Result<(), Failure> {
    Ok(Keychain::new().store(&site.home, &site.user, password)?)
}

/// Forgets a password. That there is none is as good.
pub(crate) fn forget(site: &Site) -> Result<(), Failure> {
    match Keychain::new().delete(&site.home, &site.user) {
        Ok(()) | Err(KeychainError::NotFound) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
