//! Connecting a site in the browser: the site's own page asks, and the password comes back by itself where the site
//! sends it.

use std::time::Duration;

use ichido_credentials::Secret;
use ichido_wordpress::{Asking, AuthorizeError};
use secrecy::ExposeSecret as _;

use super::Shared;
use super::sites::welcome;
use crate::links;
use crate::view::{AppError, Connecting, SiteAdded};

/// How long a person is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// A connection that a person is to approve.
#[derive(Debug)]
pub(crate) struct Connect {
    address: String,
    asking: Asking,
}

/// Opens the site's page on which a person approves a new application password.
#[tauri::command]
pub(crate) async fn begin_connect(app: Shared<'_>, address: String) -> Result<Connecting, AppError> {
    app.not_running()?;
    let desk = app.real()?;
    let named = address.clone();
    let asked = app.work.wait(move || async move { desk.engine().ask_in_browser(&named).await }).await;
    let asking = asked.ok_or_else(|| AppError::new("internal"))??;
    let connecting = Connecting {
        sends_back: asking.sends_back(),
        opened: links::open_address(asking.page()).is_ok(),
        page: asking.page().to_owned(),
    };
    // Who was asked before is not waited for any more.
    app.connecting.give_up();
    if connecting.sends_back {
        app.lock().connect = Some(Connect { address, asking });
    }
    Ok(connecting)
}

/// Waits until a person has approved, and adds the site.
#[tauri::command]
pub(crate) async fn finish_connect(app: Shared<'_>) -> Result<SiteAdded, AppError> {
    let Connect { address, asking } =
        app.lock().connect.take().ok_or_else(|| AppError::new("connect_given_up"))?;
    let granted = tokio::select! {
        granted = asking.granted() => granted?,
        () = app.connecting.given_up() => return Err(AppError::new("connect_given_up")),
        () = tokio::time::sleep(PATIENCE) => return Err(AppError::new("connect_too_late")),
    };
    welcome(app.inner(), address, &granted.user, Secret::new(granted.password.expose_secret().to_owned()))
        .await
}

/// Waits no longer.
#[tauri::command]
pub(crate) async fn cancel_connect(app: Shared<'_>) -> Result<(), AppError> {
    app.lock().connect = None;
    app.connecting.give_up();
    Ok(())
}

/// Tells who waits for a person that nobody wants the answer any more.
#[derive(Debug, Default)]
pub(crate) struct GivenUp(tokio::sync::Notify);

impl GivenUp {
    fn give_up(&self) {
        self.0.notify_waiters();
    }

    async fn given_up(&self) {
        self.0.notified().await;
    }
}

impl From<AuthorizeError> for AppError {
    fn from(error: AuthorizeError) -> Self {
        match error {
            AuthorizeError::Ask(error) => ichido_engine::SetUpError::from(error).into(),
            AuthorizeError::NotOffered => Self::new("connect_not_offered"),
            AuthorizeError::Listen(_) => Self::internal(&error),
            AuthorizeError::NotSentBack | AuthorizeError::Rejected => Self::new("connect_rejected"),
            AuthorizeError::OtherSite => Self::new("connect_other_site"),
        }
    }
}
