//! Looking again by itself for what is in doubt: at the start, and when the journal says that it is time.

use std::sync::Arc;
use std::time::Duration;

use ichido_engine::{DEFAULT_WAIT, Event};

use crate::desk::{Place, SiteKey, now};
use crate::setup;
use crate::state::App;
use crate::view::{AppError, CredentialsKept};

/// How often the journal is asked whether a look is due.
const EVERY: Duration = Duration::from_secs(15);
/// How often the journals are asked whether another program wrote into them.
const NOTICE_EVERY: Duration = Duration::from_secs(2);

/// Begins to look, and goes on while the program runs.
pub(crate) fn start(app: &Arc<App>) {
    let (app, noticing) = (Arc::clone(app), Arc::clone(app));
    app.clone().work.begin(move || async move {
        look(&app, true).await;
        loop {
            tokio::time::sleep(EVERY).await;
            look(&app, false).await;
        }
    });
    let app = Arc::clone(&noticing);
    noticing.work.begin(move || async move {
        loop {
            notice(&app).await;
            tokio::time::sleep(NOTICE_EVERY).await;
        }
    });
}

/// Takes in at once what another program wrote, since the person comes back to the window.
pub(crate) fn notice_now(app: &Arc<App>) {
    let app = Arc::clone(app);
    app.clone().work.begin(move || async move { notice(&app).await });
}

/// Takes in what another program, such as the command line, wrote into the journals meanwhile.
async fn notice(app: &App) {
    // What a batch of this window writes is told as it happens; without a window there is nobody to tell.
    if setup::is_open(app)
        && app.not_running().is_ok()
        && let Err(error) = take_in(app).await
    {
        tracing::warn!(code = error.code, "what was written meanwhile could not be read");
    }
}

async fn take_in(app: &App) -> Result<(), AppError> {
    let mut changed = false;
    for (desk, practice) in app.marked_desks()? {
        // A run that ended without a word may have left something in doubt.
        let seen = (desk.journal().version()?, desk.journal().is_at_work());
        let before = app.lock().versions.insert(practice, seen);
        changed |= before.is_some_and(|before| before != seen);
    }
    if !changed {
        return Ok(());
    }
    for site in app.real()?.journal().sites()? {
        let key = SiteKey::Real(site.id);
        let known = app.lock().facts.get(&key).and_then(|facts| facts.kept);
        if matches!(known, None | Some(CredentialsKept::Missing)) {
            let kept = app.passwords.kept(&site).await;
            app.lock().facts.entry(key).or_default().kept = Some(kept);
        }
    }
    tell(app)?;
    app.tell_sites()
}

async fn look(app: &Arc<App>, everything: bool) {
    if app.not_running().is_err() {
        return;
    }
    let places = match due(app, everything) {
        Ok(places) => places,
        Err(error) => {
            tracing::warn!(code = error.code, "nobody knows what is due");
            return;
        }
    };
    for place in places {
        // Without a password nothing can be asked; the site's panel says so.
        let Ok(credentials) = app.passwords.of(&place.site).await else { continue };
        let turn = app.turn().await;
        let looked =
            place.desk.engine().reconcile(&place.site.name, credentials, DEFAULT_WAIT, &|_: &Event| {}).await;
        drop(turn);
        let told = looked.map(drop).map_err(AppError::from).and_then(|()| tell(app));
        if let Err(error) = told {
            tracing::warn!(code = error.code, "a look that was due failed");
        }
    }
}

/// The sites for which a look is due, or at which anything is in doubt.
fn due(app: &App, everything: bool) -> Result<Vec<Place>, AppError> {
    let mut places: Vec<Place> = Vec::new();
    for (desk, practice) in app.marked_desks()? {
        let journal = desk.journal();
        let operations = if everything { journal.in_doubt(None)? } else { journal.due_looks(now())? };
        for operation in operations {
            let key = if practice { SiteKey::Practice } else { SiteKey::Real(operation.site) };
            if !places.iter().any(|place| place.key == key) {
                places.push(app.place(key)?);
            }
        }
    }
    places.retain(|place| place.site.removed_at.is_none());
    Ok(places)
}

fn tell(app: &App) -> Result<(), AppError> {
    app.refresh_rows()?;
    app.refresh_attention(None)?;
    app.tell_barriers()
}
