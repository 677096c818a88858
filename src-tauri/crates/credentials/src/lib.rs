//! Credentials: kept by the operating system's keychain, nowhere else.
//!
//! There is no plain file to fall back on: a machine without a keychain takes the password from the
//! environment ([`Secret::from_env`]) for as long as a process lives.
//!
//! All calls block, and may wait for a person whom the system asks to unlock the keychain;
//! asynchronous callers wrap them.

mod error;
mod keychain;
mod platform;
mod secret;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod session_tests;

pub use error::KeychainError;
pub use keychain::Keychain;
pub use secret::{NotText, PASSWORD_VARIABLE, Secret};
