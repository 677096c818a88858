//! The keychain of each system, and what its errors mean.

use std::error::Error as StdError;
use std::sync::Arc;

use keyring_core::CredentialStore;

use crate::error::KeychainError;

type Cause = Box<dyn StdError + Send + Sync>;

/// Reaches the system's keychain anew: one that was missing, locked or restarted a moment ago may be
/// there now.
#[cfg(target_os = "linux")]
pub(crate) fn reach() -> Result<Arc<CredentialStore>, KeychainError> {
    use keyring_core::Error as StoreError;
    match zbus_secret_service_keyring_store::Store::new() {
        Ok(store) => Ok(store),
        // Before anything was asked for, there is nothing else that could be wrong.
        Err(StoreError::PlatformFailure(source)) => Err(KeychainError::NoKeychain { source: Some(source) }),
        Err(error) => Err(error.into()),
    }
}

/// Reaches the system's keychain.
#[cfg(target_os = "macos")]
pub(crate) fn reach() -> Result<Arc<CredentialStore>, KeychainError> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

/// Reaches the system's keychain.
#[cfg(target_os = "windows")]
pub(crate) fn reach() -> Result<Arc<CredentialStore>, KeychainError> {
    Ok(windows_native_keyring_store::Store::new()?)
}

/// Says which modifiers an entry has here: a label, where people see one in their keychain.
pub(crate) fn label(text: &str) -> Option<(&'static str, &str)> {
    cfg!(target_os = "linux").then_some(("label", text))
}

/// Explains a failure.
#[cfg(target_os = "linux")]
pub(crate) fn explain(source: Cause) -> KeychainError {
    use secret_service::Error as ServiceError;
    match source.downcast_ref::<ServiceError>() {
        Some(ServiceError::Locked | ServiceError::PromptDisconnected) => KeychainError::Locked { source },
        Some(ServiceError::Prompt) => KeychainError::Denied { source },
        // There is a service, but no collection that it would use.
        Some(ServiceError::Unavailable | ServiceError::NoResult) => {
            KeychainError::NoKeychain { source: Some(source) }
        }
        Some(ServiceError::Zbus(error)) => match named(error) {
            Some(Named::Locked) => KeychainError::Locked { source },
            Some(Named::Denied) => KeychainError::Denied { source },
            Some(Named::NoService) => KeychainError::NoKeychain { source: Some(source) },
            None => KeychainError::Failed { source: Some(source) },
        },
        Some(_) | None => KeychainError::Failed { source: Some(source) },
    }
}

/// Explains a refusal.
#[cfg(target_os = "linux")]
pub(crate) fn explain_refusal(source: Cause) -> KeychainError {
    let explained = explain(source);
    if let KeychainError::Failed { source: Some(source) } = explained {
        KeychainError::Denied { source }
    } else {
        explained
    }
}

/// Explains a failure.
#[cfg(not(target_os = "linux"))]
pub(crate) fn explain(source: Cause) -> KeychainError {
    KeychainError::Failed { source: Some(source) }
}

/// Explains a refusal.
#[cfg(not(target_os = "linux"))]
pub(crate) fn explain_refusal(source: Cause) -> KeychainError {
    KeychainError::Denied { source }
}

#[cfg(target_os = "linux")]
enum Named {
    Locked,
    Denied,
    NoService,
}

/// Reads the name of an error that came over the bus.
#[cfg(target_os = "linux")]
#[expect(clippy::wildcard_enum_match_arm, reason = "the enumeration of the bus library may grow")]
fn named(error: &zbus::Error) -> Option<Named> {
    let name = match error {
        zbus::Error::MethodError(name, ..) => name.as_str().to_owned(),
        zbus::Error::FDO(error) => format!("org.freedesktop.DBus.Error.{}", fdo_name(error)),
        zbus::Error::InputOutput(_) => return Some(Named::NoService),
        _ => return None,
    };
    match name.as_str() {
        "org.freedesktop.Secret.Error.IsLocked" => Some(Named::Locked),
        "org.freedesktop.DBus.Error.AccessDenied" | "org.freedesktop.DBus.Error.AuthFailed" => {
            Some(Named::Denied)
        }
        "org.freedesktop.DBus.Error.ServiceUnknown"
        | "org.freedesktop.DBus.Error.NameHasNoOwner"
        | "org.freedesktop.DBus.Error.NoReply"
        | "org.freedesktop.DBus.Error.Disconnected" => Some(Named::NoService),
        _ => None,
    }
}

#[cfg(target_os = "linux")]
#[expect(clippy::wildcard_enum_match_arm, reason = "the enumeration of the bus library may grow")]
fn fdo_name(error: &zbus::fdo::Error) -> &'static str {
    match error {
        zbus::fdo::Error::AccessDenied(_) => "AccessDenied",
        zbus::fdo::Error::AuthFailed(_) => "AuthFailed",
        zbus::fdo::Error::ServiceUnknown(_) => "ServiceUnknown",
        zbus::fdo::Error::NameHasNoOwner(_) => "NameHasNoOwner",
        zbus::fdo::Error::NoReply(_) => "NoReply",
        zbus::fdo::Error::Disconnected(_) => "Disconnected",
        _ => "",
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use secret_service::Error as ServiceError;

    use super::*;

    #[test]
    fn what_the_service_says_is_told_apart() {
        let code = |error| explain(Box::new(error)).code();
        assert_eq!(code(ServiceError::Locked), "keychain_locked");
        assert_eq!(code(ServiceError::Prompt), "keychain_denied");
        assert_eq!(code(ServiceError::NoResult), "no_keychain");
        assert_eq!(code(ServiceError::Unavailable), "no_keychain");
        assert_eq!(code(ServiceError::Crypto("x")), "keychain_failed");
        let over_the_bus = |error| code(ServiceError::Zbus(zbus::Error::FDO(Box::new(error))));
        assert_eq!(over_the_bus(zbus::fdo::Error::AccessDenied(String::new())), "keychain_denied");
        assert_eq!(over_the_bus(zbus::fdo::Error::ServiceUnknown(String::new())), "no_keychain");
        assert_eq!(over_the_bus(zbus::fdo::Error::NoMemory(String::new())), "keychain_failed");
        assert_eq!(explain_refusal(Box::new(ServiceError::Crypto("x"))).code(), "keychain_denied");
        assert_eq!(explain_refusal(Box::new(ServiceError::Locked)).code(), "keychain_locked");
    }
}
