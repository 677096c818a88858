//! A password in memory.

use std::env;

use secrecy::zeroize::Zeroize;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// The environment variable for machines without a keychain.
pub const PASSWORD_VARIABLE: &str = "ICHIDO_PASSWORD";

/// A password: overwritten when it is dropped, neither printed nor written anywhere by itself.
///
/// WordPress shows application passwords in groups with spaces, and takes them with and without.
#[derive(Clone, Debug)]
pub struct Secret(SecretString);

/// A password that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("read a password that is no text")]
pub struct NotText;

impl Secret {
    /// Wraps a password.
    #[must_use]
    pub fn new(password: String) -> Self {
        Self(SecretString::from(password))
    }

    /// Wraps bytes that are a password.
    ///
    /// # Errors
    /// [`NotText`] if they are no UTF-8; they are overwritten.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, NotText> {
        String::from_utf8(bytes).map(Self::new).map_err(|error| {
            error.into_bytes().zeroize();
            NotText
        })
    }

    /// Takes the password from [`PASSWORD_VARIABLE`]; `None` if it is unset or empty.
    ///
    /// The variable stays in the environment of this process (taking it away is not safe while other
    /// threads run): whoever starts another program takes it out of that one's environment.
    ///
    /// # Errors
    /// [`NotText`] if the value is no UTF-8.
    pub fn from_env() -> Result<Option<Self>, NotText> {
        match env::var(PASSWORD_VARIABLE) {
            Ok(password) if password.is_empty() => Ok(None),
            Ok(password) => Ok(Some(Self::new(password))),
            Err(env::VarError::NotPresent) => Ok(None),
            Err(env::VarError::NotUnicode(_)) => Err(NotText),
        }
    }

    /// Shows the password to the one place that sends or stores it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Tells whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.expose().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_not_printed() {
        let secret = Secret::new("canary-4711".to_owned());
        assert_eq!(secret.expose(), "canary-4711");
        for printed in [format!("{secret:?}"), format!("{secret:#?}"), format!("{:?}", secret.clone())] {
            assert!(!printed.contains("canary"), "{printed}");
        }
    }

    #[test]
    fn takes_text_alone() {
        assert_eq!(Secret::from_bytes("秘密 の".into()).unwrap().expose(), "秘密 の");
        assert_eq!(Secret::from_bytes(vec![0xff, 0x61]).unwrap_err(), NotText);
        assert!(Secret::new(String::new()).is_empty());
    }
}
