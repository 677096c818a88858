//! Sites: added, checked, chosen, taken off the list; the practice site.

use std::sync::Arc;

use ichido_credentials::Secret;
use ichido_engine::{Checkup, SetUpError};

use super::Shared;
use crate::checks::{checks, of_failure};
use crate::desk::{SiteKey, now};
use crate::passwords::credentials;
use crate::practice::Practice;
use crate::settings;
use crate::state::{App, Facts};
use crate::view::{
    AppError, BackendEvent, CredentialsKept, NewSite, Password, PermissionCheck, PracticeSwitch, SiteAdded,
};
use crate::watching;

#[tauri::command]
pub(crate) async fn add_site(app: Shared<'_>, site: NewSite) -> Result<SiteAdded, AppError> {
    app.not_running()?;
    welcome(app.inner(), site.address, &site.user, site.password.0).await
}

/// Adds a site if drafts can be registered there, and keeps its password.
pub(super) async fn welcome(
    app: &Arc<App>,
    address: String,
    user: &str,
    password: Secret,
) -> Result<SiteAdded, AppError> {
    let desk = app.real()?;
    let known = credentials(user, &password)?;
    let shared = Arc::clone(app);
    let welcomed = app.work.wait(move || async move {
        let _turn = shared.turn().await;
        desk.engine().welcome_site(&address, known).await
    });
    let welcomed = welcomed.await.ok_or_else(|| AppError::new("internal"))?;
    let (added, checkup) = match welcomed {
        Ok(welcomed) => welcomed,
        Err(error) => return Ok(SiteAdded { site: None, checks: of_failure(error)? }),
    };
    let checks = checks(&checkup);
    let Some((added, _)) = added else { return Ok(SiteAdded { site: None, checks }) };
    let kept = app.passwords.keep(&added, password).await?;
    let key = SiteKey::Real(added.id);
    app.drop_paused();
    app.lock().current = Some(key);
    app.know(key, |facts| *facts = facts_of(&checkup, kept))?;
    settings::remember_site(app);
    app.refresh_rows()?;
    let view = app.site_views()?.into_iter().find(|view| view.id == key.to_string());
    Ok(SiteAdded { site: view, checks })
}

fn facts_of(checkup: &Checkup, kept: CredentialsKept) -> Facts {
    Facts {
        kept: Some(kept),
        role: checkup.identity.roles.first().cloned(),
        pause: None,
        checked_at: Some(now().0),
        checks: checks(checkup),
    }
}

#[tauri::command]
pub(crate) async fn check_site(app: Shared<'_>, site_id: String) -> Result<Vec<PermissionCheck>, AppError> {
    let place = app.place_named(&site_id)?;
    let known = app.passwords.of(&place.site).await?;
    checked(app.inner(), place.key, None, known).await
}

/// Asks a site what works, and keeps a new password if it does.
async fn checked(
    app: &Arc<App>,
    key: SiteKey,
    password: Option<Secret>,
    known: ichido_wordpress::Credentials,
) -> Result<Vec<PermissionCheck>, AppError> {
    let place = app.place(key)?;
    let (desk, name) = (place.desk.clone(), place.site.name.clone());
    let asked = app.work.wait(move || async move { desk.engine().check_site(&name, known).await }).await;
    let found: Vec<PermissionCheck> = match asked.ok_or_else(|| AppError::new("internal"))? {
        Ok(checkup) => {
            let kept = match password {
                Some(password) => Some(app.passwords.keep(&place.site, password).await?),
                None => None,
            };
            if kept.is_some() {
                watching::try_now(app);
            }
            app.know(key, |facts| {
                let kept = kept.or(facts.kept).unwrap_or(CredentialsKept::Session);
                *facts = facts_of(&checkup, kept);
            })?;
            return Ok(checks(&checkup));
        }
        Err(error @ (SetUpError::Discover(_) | SetUpError::Identify(_))) => of_failure(error)?,
        Err(error @ (SetUpError::Run(_) | SetUpError::Site(_))) => return Err(error.into()),
    };
    app.know(key, |facts| {
        facts.checks.clone_from(&found);
        facts.checked_at = Some(now().0);
    })?;
    Ok(found)
}

#[tauri::command]
pub(crate) async fn renew_password(
    app: Shared<'_>,
    site_id: String,
    password: Password,
) -> Result<Vec<PermissionCheck>, AppError> {
    let place = app.place_named(&site_id)?;
    let known = credentials(&place.site.user, &password.0)?;
    checked(app.inner(), place.key, Some(password.0), known).await
}

#[tauri::command]
pub(crate) async fn remove_site(app: Shared<'_>, site_id: String) -> Result<(), AppError> {
    app.not_running()?;
    let place = app.place_named(&site_id)?;
    if place.key == SiteKey::Practice {
        return Err(AppError::new("internal"));
    }
    let shared = Arc::clone(app.inner());
    let (desk, name) = (place.desk.clone(), place.site.name.clone());
    let removed = app.work.wait(move || async move {
        let _turn = shared.turn().await;
        desk.engine().remove_site(&name).await
    });
    removed.await.ok_or_else(|| AppError::new("internal"))??;
    let forgotten = app.passwords.forget(&place.site).await;
    let was_current = {
        let mut inner = app.lock();
        inner.facts.remove(&place.key);
        let was = inner.current == Some(place.key);
        if was {
            inner.current = None;
        }
        was
    };
    if was_current {
        settings::remember_site(app.inner());
        app.refresh_rows()?;
    }
    app.tell_sites()?;
    forgotten
}

#[tauri::command]
pub(crate) async fn use_site(app: Shared<'_>, site_id: String) -> Result<(), AppError> {
    app.not_running()?;
    let key = app.place_named(&site_id)?.key;
    in_use(app.inner(), key)
}

/// Another site means another record of every article.
fn in_use(app: &Arc<App>, key: SiteKey) -> Result<(), AppError> {
    app.drop_paused();
    app.lock().current = Some(key);
    settings::remember_site(app);
    app.refresh_rows()?;
    app.tell(&BackendEvent::ListReplaced);
    app.tell_sites()
}

#[tauri::command]
pub(crate) async fn start_practice(app: Shared<'_>) -> Result<(), AppError> {
    begin_practice(app.inner()).await?;
    in_use(app.inner(), SiteKey::Practice)
}

/// Starts the practice site unless it runs.
pub(crate) async fn begin_practice(app: &Arc<App>) -> Result<(), AppError> {
    let language = {
        let inner = app.lock();
        if inner.practice.is_some() {
            return Ok(());
        }
        inner.settings.language
    };
    let practice = Practice::start(app, language).await?;
    app.lock().practice.get_or_insert(Arc::new(practice));
    let place = app.place(SiteKey::Practice)?;
    let known = app.passwords.of(&place.site).await?;
    checked(app, SiteKey::Practice, None, known).await?;
    Ok(())
}

#[tauri::command]
pub(crate) async fn set_switch(app: Shared<'_>, switch: PracticeSwitch, on: bool) -> Result<(), AppError> {
    let practice = app.lock().practice.clone().ok_or_else(|| AppError::new("internal"))?;
    practice.switch(switch, on);
    app.tell_sites()
}
