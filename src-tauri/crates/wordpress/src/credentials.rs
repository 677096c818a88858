//! A user's name and application password.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// The name of a user and an application password of theirs.
#[derive(Clone)]
pub struct Credentials {
    user: String,
    password: SecretString,
}

/// Why a name and a password cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CredentialsError {
    /// The name is empty.
    #[error("use an empty user name")]
    EmptyUser,
    /// The name holds a colon or a control character, which HTTP cannot carry in it.
    #[error("use a user name that holds a colon or a control character")]
    UnsendableUser,
    /// The password is empty.
    #[error("use an empty password")]
    EmptyPassword,
    /// The password holds a control character.
    #[error("use a password that holds a control character")]
    UnsendablePassword,
}

impl Credentials {
    /// Takes a user's name and application password. The spaces with which WordPress shows the
    /// password are left out.
    ///
    /// # Errors
    /// Returns which of the two cannot be sent. Neither is part of the error.
    pub fn new(user: &str, password: &SecretString) -> Result<Self, CredentialsError> {
        let user = user.trim();
        if user.is_empty() {
            return Err(CredentialsError::EmptyUser);
        }
        if user.chars().any(|character| character == ':' || character.is_control()) {
            return Err(CredentialsError::UnsendableUser);
        }
        let shown = password.expose_secret();
        let password = shown.chars().filter(|character| !character.is_whitespace()).collect::<String>();
        if password.is_empty() {
            return Err(CredentialsError::EmptyPassword);
        }
        if password.chars().any(char::is_control) {
            return Err(CredentialsError::UnsendablePassword);
        }
        Ok(Self { user: user.to_owned(), password: SecretString::from(password) })
    }

    /// Returns the user's name, as it was given.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    pub(crate) fn password(&self) -> &str {
        self.password.expose_secret()
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(user: &str, password: &str) -> Result<Credentials, CredentialsError> {
        Credentials::new(user, &SecretString::from(password))
    }

    #[test]
    fn spaces_of_an_application_password_are_left_out() {
        assert_eq!(take("ann", " abcd EFGH\u{a0}ijkl\n").unwrap().password(), "abcdEFGHijkl");
    }

    #[test]
    fn what_http_cannot_carry_is_refused() {
        assert_eq!(take(" ", "x").unwrap_err(), CredentialsError::EmptyUser);
        assert_eq!(take("a:b", "x").unwrap_err(), CredentialsError::UnsendableUser);
        assert_eq!(take("a\u{0}b", "x").unwrap_err(), CredentialsError::UnsendableUser);
        assert_eq!(take("a", " \t").unwrap_err(), CredentialsError::EmptyPassword);
        assert_eq!(take("a", "x\u{0}").unwrap_err(), CredentialsError::UnsendablePassword);
    }

    #[test]
    fn nothing_shows_the_password() {
        let shown = format!("{:?}", take("ann", "canary-secret").unwrap());
        assert!(shown.contains("ann") && !shown.contains("canary"), "{shown}");
    }
}
