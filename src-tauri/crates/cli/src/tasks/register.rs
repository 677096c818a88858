//! `register`: articles become drafts.

use ichido_engine::{Batch, DEFAULT_POLLS, DEFAULT_WAIT, Engine, Stop};

use crate::args::Register;
use crate::failure::Failure;
use crate::find;
use crate::json::finding;
use crate::listener::Listener;
use crate::out::Out;
use crate::report;
use crate::secrets;
use crate::terminal;
use crate::text::clean;
use crate::wording::found;

pub(crate) async fn run(out: &Out, engine: &Engine, register: Register) -> Result<u8, Failure> {
    let site = find::site(&engine.journal()?, register.site.as_deref())?;
    let settings = engine.settings(Some(&site.name))?;
    let makes_tags = settings.create_tags;
    let (articles, notes) = ichido_engine::check(&register.paths, settings)?;
    for note in &notes {
        out.object(&serde_json::json!({ "event": "passed_over", "findings": [finding(out.texts, note)] }));
        out.line(&found(out.texts, note));
    }
    let credentials = secrets::of(&site)?;
    let wait = register.wait.unwrap_or(DEFAULT_WAIT);
    let listener = Listener::new(out).foreseeing(register.dry_run);
    let mut create_tags = register.create_tags || makes_tags;
    if !create_tags && !register.dry_run && !out.is_json() && terminal::is_there() {
        let new = engine.new_tags(&site.name, credentials.clone(), &articles, wait, &listener).await?;
        create_tags = !new.is_empty() && consents(out, &new);
    }
    let listener = listener.consented(create_tags);
    let stop = Stop::default();
    let listening =
        tokio::spawn(stop_on_signal(stop.clone(), out.texts.get("run.stopping").to_owned(), out.is_json()));
    let batch = Batch {
        articles,
        site: site.name.clone(),
        credentials,
        create_tags,
        polls: register.poll.map_or_else(|| DEFAULT_POLLS.to_vec(), |polls| polls.0),
        wait,
        dry_run: register.dry_run,
    };
    let report = engine.register(batch, &listener, &stop).await;
    listening.abort();
    let report = report?;
    report::tell(out, &report, &site.name, &listener, &engine.journal()?)?;
    if listener.warnings() > 0 {
        out.say("run.warnings", &[("count", &listener.warnings().to_string())]);
    }
    Ok(report.exit_status())
}

/// Shows the tags that the site does not have, and asks whether they may be made.
fn consents(out: &Out, new: &[String]) -> bool {
    out.say("register.new_tags", &[("count", &new.len().to_string())]);
    for name in new {
        out.line(&format!("    {}", clean(name)));
    }
    terminal::says_yes(out, out.texts.get("register.ask_tags"))
}

/// The first signal lets the request in flight be finished and settled; the second ends at once, which
/// is safe as well but leaves what was in flight to be looked for.
async fn stop_on_signal(stop: Stop, said: String, json: bool) {
    const ENDED_BY_SIGNAL: i32 = 130;
    signalled().await;
    stop.request();
    if !json {
        use std::io::Write as _;
        drop(writeln!(std::io::stderr(), "\n{said}"));
    }
    signalled().await;
    std::process::exit(ENDED_BY_SIGNAL);
}

/// Waits for the person or the system to ask for an end.
pub(crate) async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = terminate.recv() => {}
                    () = interrupted() => {}
                }
            }
            Err(_) => interrupted().await,
        }
    }
    #[cfg(not(unix))]
    interrupted().await;
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // No signal can be heard: then none will come.
        std::future::pending::<()>().await;
    }
}
