//! Closing: the request in flight is finished and settled first.

use std::sync::Arc;

use crate::state::App;
use crate::view::{BackendEvent, BatchState};

/// How a wish to close was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Nothing is in flight.
    AtOnce,
    /// The window closes by itself when what is in flight has been settled.
    Later,
}

/// A person or the system wants the program to end. A second wish ends at once: what was in flight is then looked for
/// at the next start.
pub(crate) fn wished(app: &App) -> Wish {
    let mut inner = app.lock();
    if inner.closing {
        return Wish::AtOnce;
    }
    if let Some(watching) = &inner.watching {
        watching.stop();
    }
    if !inner.is_in_flight() {
        return Wish::AtOnce;
    }
    inner.closing = true;
    let batch = inner.batch.as_mut().filter(|batch| batch.state != BatchState::Paused);
    let view = batch.map(|batch| {
        batch.stop.request();
        batch.state = BatchState::Pausing;
        batch.view()
    });
    drop(inner);
    if view.is_some() {
        app.tell(&BackendEvent::Batch { batch: view, tally: None });
    }
    app.tell(&BackendEvent::Closing);
    Wish::Later
}

/// Ends the program once what is in flight has been settled.
pub(crate) fn quit(app: &App) {
    if wished(app) == Wish::AtOnce {
        leave(app);
    }
}

/// Something that was in flight has been settled: a program that is to end ends with the last of it.
pub(crate) fn settled(app: &App) {
    let ends = {
        let inner = app.lock();
        inner.closing && !inner.is_in_flight()
    };
    if ends {
        leave(app);
    }
}

/// Ends the program.
fn leave(app: &App) {
    app.handle().exit(0);
}

/// The system asks for an end, by a signal.
pub(crate) fn listen(app: Arc<App>) {
    #[cfg(unix)]
    tauri::async_runtime::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            return;
        };
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            quit(&app);
        }
    });
    #[cfg(not(unix))]
    drop(app);
}
