//! `watch`: articles that appear in a folder become drafts, where that was asked for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;

use ichido_core::tally::{Tally, exit_status};
use ichido_engine::{
    CredentialSource, DEFAULT_POLLS, Engine, Event, FolderState, FolderStatus, Noticing, Observer as _,
    Ownership, Report, RunError, Watch, WatchEnd, WatchListener, WatchOptions, WatchStatus, WatchedFolder,
};
use ichido_journal::Site;
use ichido_wordpress::Credentials;
use serde_json::{Value, json};

use crate::args;
use crate::failure::{COULD_NOT_RUN, Failure, HELD, NEEDS_WORK, NOT_ASKED, PERSON, REFUSED, USAGE};
use crate::find;
use crate::json::{Attention, summary};
use crate::listener::Listener;
use crate::out::Out;
use crate::report;
use crate::secrets;
use crate::tasks::register::signalled;
use crate::terminal;
use crate::time::local;

/// The words with which a person takes a folder over, whatever the language.
const WORDS: [&str; 2] = ["take over", "引き継ぐ"];
const ENDED_BY_SIGNAL: i32 = 130;

pub(crate) async fn run(out: &Out, engine: &Engine, watch: args::Watch) -> Result<u8, Failure> {
    let site = find::site(&engine.journal()?, watch.site.as_deref())?;
    let folder = watch.folder.canonicalize().ok().filter(|folder| folder.is_dir());
    let Some(folder) = folder else { return Err(Failure::NotAFolder { path: watch.folder }) };
    if watch.take_over {
        take_over(out, engine, &folder)?;
    }
    if watch.once && watch.register {
        // Whoever waits for the end is told at once what will not come by itself.
        secrets::of(&site)?;
    }
    let options = WatchOptions {
        folders: vec![WatchedFolder {
            site: site.name.clone(),
            folder: folder.clone(),
            automatic: watch.register,
        }],
        settle: watch.settle,
        polls: watch.poll.map_or_else(|| DEFAULT_POLLS.to_vec(), |polls| polls.0),
        create_tags: watch.create_tags,
        once: watch.once,
        ..WatchOptions::default()
    };
    let (handle, watcher) = Watch::new(options);
    let started = [("folder", &*folder.to_string_lossy()), ("site", &site.name)];
    out.say("watch.started", &started);
    if !watch.register {
        out.say("watch.not_automatic", &[]);
    }
    let listening =
        tokio::spawn(stop_on_signal(handle.clone(), out.texts.get("run.stopping").to_owned(), out.is_json()));
    let listener = Hearing { out, engine, batch: RefCell::default(), total: RefCell::default() };
    let mut changes = handle.changes();
    let mut told = Shown::default();
    let mut running = Box::pin(watcher.run(engine, &Keychain, &listener));
    let ended = loop {
        tokio::select! {
            biased;
            ended = &mut running => break ended,
            Ok(()) = changes.changed() => {
                let status = changes.borrow_and_update().clone();
                told.tell(out, &status);
            }
        }
    };
    listening.abort();
    let ended = ended?;
    told.tell(out, &ended.status);
    Ok(listener.finish(&ended, watch.once))
}

/// Makes this machine the one that registers from a folder, if a person says so.
fn take_over(out: &Out, engine: &Engine, folder: &Path) -> Result<(), Failure> {
    let owner = engine.folder_owner(folder)?;
    let shown = folder.to_string_lossy();
    match &owner {
        Ownership::Ours => {
            out.say("watch.ours", &[("folder", &shown)]);
            return Ok(());
        }
        Ownership::Nobody => {}
        Ownership::Elsewhere { by, .. } => {
            out.say(
                "watch.take_over",
                &[
                    ("folder", &shown),
                    ("machine", &by.machine),
                    ("since", &local(by.since)),
                    ("seen", &local(by.seen)),
                ],
            );
        }
        Ownership::Unusable => out.say("watch.owner_unusable", &[("folder", &shown)]),
    }
    if owner != Ownership::Nobody {
        if !terminal::is_there() {
            return Err(Failure::NeedsTerminalToTakeOver);
        }
        terminal::typed(out, out.texts.get("watch.ask_take_over"), &WORDS)?;
    }
    engine
        .take_over_folder(folder)
        .map_err(|source| Failure::TakeOver { path: folder.to_owned(), source })?;
    out.object(&json!({ "event": "taken_over", "folder": shown }));
    out.say("watch.taken_over", &[("folder", &shown)]);
    Ok(())
}

/// The first signal lets the request in flight be finished and settled; the second ends at once, which is safe as
/// well but leaves what was in flight to be looked for.
async fn stop_on_signal(watch: Watch, said: String, json: bool) {
    signalled().await;
    watch.stop();
    if !json {
        use std::io::Write as _;
        drop(writeln!(std::io::stderr(), "\n{said}"));
    }
    signalled().await;
    std::process::exit(ENDED_BY_SIGNAL);
}

/// Passwords from where the other commands have them.
struct Keychain;

impl CredentialSource for Keychain {
    fn of<'a>(&'a self, site: &'a Site) -> Pin<Box<dyn Future<Output = Option<Credentials>> + 'a>> {
        let site = site.clone();
        // A keychain may wait for a person.
        let asking = tokio::task::spawn_blocking(move || secrets::of(&site).ok());
        Box::pin(async move { asking.await.ok().flatten() })
    }
}

/// Hears the batches, each of which is told as one that a person begins.
struct Hearing<'a> {
    out: &'a Out,
    engine: &'a Engine,
    batch: RefCell<HashMap<String, Rc<Listener<'a>>>>,
    total: RefCell<(Tally, Vec<Attention>)>,
}

impl Hearing<'_> {
    /// Tells the last object, and returns the exit status.
    fn finish(&self, ended: &WatchEnd, once: bool) -> u8 {
        let (tally, attention) = &*self.total.borrow();
        self.out.object(&summary(tally, attention));
        if !once {
            return 0;
        }
        let last = |report: &Report| exit_status(&report.tally, report.barrier, report.pause);
        let of_batches = ended.reports.iter().map(|(_, report)| last(report));
        gravest(of_batches.chain(ended.status.folders.iter().map(status_of)))
    }
}

impl WatchListener for Hearing<'_> {
    fn hear(&self, site: &str, event: &Event) {
        let listener = {
            let mut batch = self.batch.borrow_mut();
            if matches!(event, Event::Started { .. }) {
                batch.remove(site);
            }
            Rc::clone(batch.entry(site.to_owned()).or_insert_with(|| Rc::new(Listener::new(self.out))))
        };
        listener.hear(event);
    }

    fn ended(&self, site: &str, report: &Report) {
        let listener =
            self.batch.borrow_mut().remove(site).unwrap_or_else(|| Rc::new(Listener::new(self.out)));
        let attention: Vec<Attention> = report.needs_attention().map(Attention::of).collect();
        let mut batch = summary(&report.tally, &attention);
        if let Value::Object(object) = &mut batch {
            // The last object of all is the summary.
            object.insert("event".to_owned(), json!("batch"));
            object.insert("site".to_owned(), json!(site));
        }
        self.out.object(&batch);
        let mut total = self.total.borrow_mut();
        report::add(&mut total.0, &report.tally);
        total.1.extend(attention);
        if self.out.is_json() {
            return;
        }
        let told = self.engine.journal().map_err(Failure::from).and_then(|journal| {
            report::tell(self.out, report, site, &listener, &journal).map_err(Failure::from)
        });
        if let Err(failure) = told {
            self.failed_to_tell(&failure);
        }
    }

    fn failed(&self, _site: &str, error: &RunError) {
        let told = crate::told::run(error);
        self.out.object(&json!({ "event": "failed", "code": told.code }));
        let particulars: Vec<(&str, &str)> =
            told.particulars.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.out.aside(&self.out.texts.say(&format!("error.{}", told.code), &particulars));
    }
}

impl Hearing<'_> {
    fn failed_to_tell(&self, failure: &Failure) {
        let told = failure.told();
        self.out.aside(self.out.texts.get(&format!("error.{}", told.code)));
    }
}

/// What was told last of each folder, so that nothing is told twice.
#[derive(Default)]
struct Shown {
    states: HashMap<(String, std::path::PathBuf), (&'static str, bool)>,
}

impl Shown {
    fn tell(&mut self, out: &Out, status: &WatchStatus) {
        if out.is_json() {
            let mut object = serde_json::to_value(status).unwrap_or_else(|_| json!({}));
            if let Value::Object(object) = &mut object {
                object.insert("event".to_owned(), json!("watch"));
            }
            out.object(&object);
            return;
        }
        for folder in &status.folders {
            let key = (folder.site.clone(), folder.folder.clone());
            let scans = matches!(folder.noticing, Noticing::Scanning { .. });
            let now = (folder.state.as_str(), scans);
            let before = self.states.insert(key, now);
            if before.is_none_or(|(_, before)| !before) && scans {
                tell_scanning(out, folder);
            }
            if before.map(|(state, _)| state) != Some(now.0) {
                tell_state(out, folder);
            }
        }
        for folder in status.folders.iter().filter(|folder| is_at_rest(folder.state)) {
            let counts = folder.counts;
            let counts = [
                ("articles", counts.articles.to_string()),
                ("settling", counts.settling.to_string()),
                ("needs_work", counts.needs_work.to_string()),
                ("set_aside", counts.set_aside.to_string()),
                ("ready", counts.ready.to_string()),
                ("waiting", counts.waiting.to_string()),
                ("settled", counts.settled.to_string()),
                ("at", folder.checked_at.map(local).unwrap_or_default()),
            ];
            let counts: Vec<(&str, &str)> =
                counts.iter().map(|(name, count)| (*name, count.as_str())).collect();
            out.progress(&out.texts.say("watch.counts", &counts));
        }
    }
}

const fn is_at_rest(state: FolderState) -> bool {
    matches!(state, FolderState::Watching | FolderState::Settling)
}

fn tell_scanning(out: &Out, folder: &FolderStatus) {
    if let Noticing::Scanning { why, every_s } = folder.noticing {
        out.say(&format!("watch.scanning.{}", why.as_str()), &[("seconds", &every_s.to_string())]);
    }
}

/// Tells what a person should know or do; what goes on by itself says so.
fn tell_state(out: &Out, folder: &FolderStatus) {
    // What is in order is shown as progress.
    if is_at_rest(folder.state) || folder.state == FolderState::Starting {
        return;
    }
    let mut particulars =
        vec![("folder", folder.folder.to_string_lossy().into_owned()), ("site", folder.site.clone())];
    if let Some(at) = folder.next_try_at {
        particulars.push(("at", local(at)));
    }
    match folder.state {
        FolderState::Offline { reason } | FolderState::Refused { reason } => {
            particulars.push(("reason", out.texts.get(&format!("watch.why.{}", reason.as_str())).to_owned()));
        }
        FolderState::Shut { reason } => {
            particulars.push(("reason", out.texts.get(&format!("reason.{}", reason.as_str())).to_owned()));
        }
        FolderState::OwnedElsewhere => {
            if let Ownership::Elsewhere { by, .. } = &folder.owner {
                particulars.push(("machine", by.machine.clone()));
                particulars.push(("since", local(by.since)));
                particulars.push(("seen", local(by.seen)));
            }
        }
        FolderState::Starting
        | FolderState::Watching
        | FolderState::Settling
        | FolderState::Away
        | FolderState::TooLarge
        | FolderState::Unreadable
        | FolderState::NeedsCredentials
        | FolderState::OtherRunner
        | FolderState::OtherWatcher
        | FolderState::OwnerUnusable
        | FolderState::NoSite
        | FolderState::JournalFailed => {}
    }
    let particulars: Vec<(&str, &str)> =
        particulars.iter().map(|(name, value)| (*name, value.as_str())).collect();
    out.say(&format!("watch.{}", folder.state.as_str()), &particulars);
}

/// Returns the exit status that a folder calls for.
fn status_of(folder: &FolderStatus) -> u8 {
    let of_state = match folder.state {
        FolderState::Starting | FolderState::Watching | FolderState::Settling => 0,
        FolderState::TooLarge
        | FolderState::Unreadable
        | FolderState::OwnerUnusable
        | FolderState::JournalFailed => COULD_NOT_RUN,
        FolderState::NoSite => USAGE,
        FolderState::OtherRunner | FolderState::OtherWatcher => HELD,
        FolderState::Shut { .. } | FolderState::OwnedElsewhere => PERSON,
        FolderState::Refused { .. } => REFUSED,
        FolderState::Away | FolderState::Offline { .. } | FolderState::NeedsCredentials => NOT_ASKED,
    };
    let counts = &folder.counts;
    let of_counts = match (counts.waiting, counts.needs_work) {
        (0, 0) => 0,
        (0, _) => NEEDS_WORK,
        _ => NOT_ASKED,
    };
    gravest([of_state, of_counts].into_iter())
}

/// Where several hold, the first of 1, 2, 7, 3, 5, 6, 4.
fn gravest(statuses: impl Iterator<Item = u8>) -> u8 {
    const ORDER: [u8; 7] = [COULD_NOT_RUN, USAGE, HELD, PERSON, REFUSED, NOT_ASKED, NEEDS_WORK];
    let held: Vec<u8> = statuses.collect();
    ORDER.into_iter().find(|status| held.contains(status)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_status_is_given() {
        assert_eq!(gravest([0, 4, 6].into_iter()), 6);
        assert_eq!(gravest([4, 3, 7].into_iter()), 7);
        assert_eq!(gravest([7, 1].into_iter()), 1);
        assert_eq!(gravest([0, 0].into_iter()), 0);
    }
}
