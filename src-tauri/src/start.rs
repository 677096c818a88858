//! Taking up, once a start, what was open last: with a window or without.

use std::sync::Arc;

use crate::desk::SiteKey;
use crate::state::App;
use crate::view::AppError;
use crate::{commands, looking, scan, settings, setup, watching};

/// Takes everything up, the first time that it is asked for.
pub(crate) async fn once(app: &Arc<App>) -> Result<(), AppError> {
    let begun = !app.lock().remembered;
    settings::recall(app)?;
    if begun {
        begin(app).await;
    }
    Ok(())
}

async fn begin(app: &Arc<App>) {
    let practice = app.lock().current == Some(SiteKey::Practice);
    if practice && let Err(error) = commands::begin_practice(app).await {
        // The window goes on without it.
        app.lock().current = None;
        app.tell_failed(error);
    }
    let counted = app.attention().and_then(|attention| Ok((attention, app.barriers()?.len())));
    if let Ok((attention, barriers)) = counted {
        let mut inner = app.lock();
        (inner.attention, inner.barriers) = (attention, barriers);
    }
    let opened = setup::named_paths(std::env::args_os().skip(1), std::env::current_dir().ok());
    let reading = Arc::clone(app);
    tauri::async_runtime::spawn(async move {
        let read = if opened.is_empty() {
            scan::read(&reading, Vec::new(), &[]).await
        } else {
            scan::open(&reading, opened).await
        };
        if let Err(error) = read {
            reading.tell_failed(error);
        }
        looking::start(&reading);
        watching::follow(&reading);
    });
}
