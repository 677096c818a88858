//! The loop that watches: it waits for hints, orders and its own deadlines, and does one thing at a time.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use ichido_core::time::Timestamp;
use ichido_journal::{Journal, LockError, Owner, ReadError, WatchLock};
use tokio::sync::{mpsc, oneshot, watch};

use super::folder::Folder;
use super::fs_events::{Hints, SystemHints, Told};
use super::owner::{self, OwnerError};
use super::run::Looks;
use super::settle::Hint;
use super::status::{Light, PausedUntil, WatchStatus, Working};
use super::{CredentialSource, Order, WatchError, WatchListener, WatchOptions, WatchedFolder};
use crate::cards::attention;
use crate::engine::Engine;
use crate::report::Report;

/// How often the places of the folders are looked at, and the wall clock: a drive that goes away is told by nobody.
const HEARTBEAT_MS: u64 = 60_000;
/// How long what another program writes into the journal is let go on before it is read.
const JOURNAL_RESTS_MS: u64 = 2_000;
/// The number under which the journal's own folder is told of.
const JOURNAL: usize = usize::MAX;

/// Makes what tells of changes in a folder. Tests bring one of their own.
pub(super) type MakeHints = Box<dyn Fn(usize, &Path, mpsc::UnboundedSender<Told>) -> Box<dyn Hints> + Send>;

/// The watcher: made by [`Watch::new`](super::Watch::new), and at work while [`Watcher::run`] is.
pub struct Watcher {
    options: WatchOptions,
    orders: mpsc::UnboundedReceiver<Order>,
    status: watch::Sender<WatchStatus>,
    pub(super) make_hints: MakeHints,
}

/// What a watch came to that ended.
#[derive(Clone, Debug, Default)]
pub struct WatchEnd {
    /// What the last batch of each site came to, by the name of the site.
    pub reports: Vec<(String, Report)>,
    /// How everything stood.
    pub status: WatchStatus,
}

/// Everything that lives while the watcher runs.
pub(super) struct Watching<'a> {
    pub(super) options: WatchOptions,
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
    /// Orders that came while a batch ran, and are still to be followed.
    pub(super) put_off: Vec<Order>,
    pub(super) status: watch::Sender<WatchStatus>,
    pub(super) make_hints: MakeHints,
    pub(super) engine: &'a Engine,
    pub(super) credentials: &'a dyn CredentialSource,
    pub(super) listener: &'a dyn WatchListener,
    pub(super) journal: Journal,
    hints: mpsc::UnboundedReceiver<Told>,
    pub(super) tell: mpsc::UnboundedSender<Told>,
    /// The folders by number.
    pub(super) folders: Vec<(usize, Folder)>,
    next_number: usize,
    pub(super) paused: Option<PausedUntil>,
    pub(super) stopping: bool,
    pub(super) working: Option<Working>,
    /// When the journal is to be read again, by the monotonic clock.
    pub(super) journal_at: Option<u64>,
    pub(super) looks: Looks,
    pub(super) last: Vec<(String, Report)>,
}

/// What ends a wait.
enum Woken {
    Ordered(Option<Order>),
    Told(Told),
    Due,
}

impl Watcher {
    pub(super) fn new(
        options: WatchOptions,
        orders: mpsc::UnboundedReceiver<Order>,
        status: watch::Sender<WatchStatus>,
    ) -> Self {
        let make_hints: MakeHints =
            Box::new(|number, root, tell| Box::new(SystemHints::new(number, root, tell)));
        Self { options, orders, status, make_hints }
    }

    /// Watches until it is told to stop, or, with [`WatchOptions::once`], until everything that was there was tried.
    ///
    /// The future is not made to change threads: it belongs where the engine lives.
    ///
    /// # Errors
    /// Fails if the journal cannot be opened, or other programs watch all of the folders.
    pub async fn run(
        self,
        engine: &Engine,
        credentials: &dyn CredentialSource,
        listener: &dyn WatchListener,
    ) -> Result<WatchEnd, WatchError> {
        let Self { options, orders, status, make_hints } = self;
        let (tell, hints) = mpsc::unbounded_channel();
        let mut watching = Watching {
            paused: options.paused,
            journal: engine.journal()?,
            options,
            orders,
            put_off: Vec::new(),
            status,
            make_hints,
            engine,
            credentials,
            listener,
            hints,
            tell,
            folders: Vec::new(),
            next_number: 0,
            stopping: false,
            working: None,
            journal_at: None,
            looks: Looks::default(),
            last: Vec::new(),
        };
        watching.begin()?;
        let _journal_is_watched = watching.watch_journal();
        Box::pin(watching.go_on()).await;
        let status = watching.status.borrow().clone();
        // Whoever holds a handle sees that nothing is watched any more.
        watching.status.send_replace(WatchStatus::default());
        Ok(WatchEnd { reports: watching.last, status })
    }
}

impl Watching<'_> {
    fn begin(&mut self) -> Result<(), WatchError> {
        let named = std::mem::take(&mut self.options.folders);
        let first = named.first().map(|watched| watched.folder.clone());
        let refused = self.set_folders(named);
        if let (Some(folder), Some(owner)) = (first, refused)
            && self.folders.iter().all(|(_, folder)| folder.lock.is_none())
        {
            return Err(WatchError::Watched { folder, owner: owner.map(Box::new) });
        }
        Ok(())
    }

    /// Notices what other programs write into the journal: a person's act, a release, another batch.
    fn watch_journal(&mut self) -> Box<dyn Hints> {
        let folder = &self.engine.places.data_dir;
        let mut hints = (self.make_hints)(JOURNAL, folder, self.tell.clone());
        if let Err(why) = hints.watch(folder, std::slice::from_ref(folder)) {
            tracing::warn!(
                why = why.as_str(),
                "what other programs write into the journal comes to notice late"
            );
        }
        hints
    }

    async fn go_on(&mut self) {
        self.tell_status();
        while !self.stopping {
            self.work().await;
            if self.stopping || (self.options.once && self.is_through()) {
                return;
            }
            if !self.put_off.is_empty() {
                continue;
            }
            match self.wait().await {
                Woken::Ordered(Some(order)) => self.follow(order),
                Woken::Ordered(None) => self.stopping = true,
                Woken::Told(told) => {
                    self.hear(told);
                    while let Ok(told) = self.hints.try_recv() {
                        self.hear(told);
                    }
                    for (_, folder) in &mut self.folders {
                        folder.note_settling();
                    }
                    self.tell_status();
                }
                Woken::Due => {}
            }
        }
    }

    /// Whether everything that was there when it began was tried.
    fn is_through(&self) -> bool {
        self.folders.iter().all(|(_, folder)| folder.tried && !folder.to_sort)
    }

    async fn wait(&mut self) -> Woken {
        let now = self.engine.clock.monotonic_ms();
        let wait = Duration::from_millis(self.due(now).saturating_sub(now));
        let sleep = self.engine.clock.sleep(wait);
        tokio::select! {
            biased;
            order = self.orders.recv() => Woken::Ordered(order),
            Some(told) = self.hints.recv() => Woken::Told(told),
            () = sleep => Woken::Due,
        }
    }

    /// Returns when something is to be done, by the monotonic clock.
    fn due(&self, now: u64) -> u64 {
        let sends = self.paused.is_none();
        let mut due = now.saturating_add(HEARTBEAT_MS);
        for (_, folder) in &self.folders {
            due = due.min(folder.due(sends));
        }
        if let Some(PausedUntil::Moment(at)) = self.paused {
            due = due.min(now.saturating_add(self.until(at)));
        }
        if let Some(at) = self.next_look() {
            due = due.min(now.saturating_add(self.until(at)).max(self.looks.not_before));
        }
        self.journal_at.map_or(due, |at| due.min(at)).max(now)
    }

    /// Returns how many milliseconds are left until a moment of the wall clock.
    fn until(&self, at: Timestamp) -> u64 {
        u64::try_from(at.0.saturating_sub(self.engine.clock.now().0)).unwrap_or(0)
    }

    fn hear(&mut self, (number, hint): Told) {
        let now = self.engine.clock.monotonic_ms();
        if number == JOURNAL {
            if is_of_journal(&hint) {
                self.journal_at.get_or_insert(now.saturating_add(JOURNAL_RESTS_MS));
            }
            return;
        }
        if let Some((_, folder)) = self.folders.iter_mut().find(|(known, _)| *known == number) {
            folder.hear(hint, now);
        }
    }

    /// Does what a handle asks for.
    pub(super) fn follow(&mut self, order: Order) {
        match order {
            Order::Pause(until) => self.paused = Some(until),
            Order::Resume => {
                self.paused = None;
                self.try_all_now();
            }
            Order::CheckNow => {
                for (_, folder) in &mut self.folders {
                    folder.next_scan = 0;
                }
                self.try_all_now();
            }
            Order::Folders(named) => {
                self.set_folders(named);
            }
            Order::TakeOver(folder, tell) => self.take_over(&folder, tell),
            Order::Stop => self.stopping = true,
        }
        self.tell_status();
    }

    pub(super) fn try_all_now(&mut self) {
        for (_, folder) in &mut self.folders {
            folder.next_try = None;
            folder.back_off.reset();
            folder.to_sort = true;
        }
    }

    fn take_over(&mut self, path: &Path, tell: oneshot::Sender<Result<(), OwnerError>>) {
        let taken = self.engine.machine(&self.journal).and_then(|me| owner::take_over(path, &me));
        for (_, folder) in &mut self.folders {
            folder.to_sort = true;
            folder.next_try = None;
        }
        // Whoever asked may have given up.
        drop(tell.send(taken));
    }

    /// Takes up folders that are new, and lets go of those that are not named. Returns who watches one already.
    fn set_folders(&mut self, named: Vec<WatchedFolder>) -> Option<Option<Owner>> {
        let mut before = std::mem::take(&mut self.folders);
        let mut refused = None;
        for watched in named {
            let is_it = |(_, folder): &(usize, Folder)| {
                folder.watched.site == watched.site && folder.watched.folder == watched.folder
            };
            if let Some(at) = before.iter().position(is_it) {
                let (number, mut folder) = before.swap_remove(at);
                folder.watched.automatic = watched.automatic;
                folder.to_sort = true;
                folder.next_try = None;
                self.folders.push((number, folder));
                continue;
            }
            let number = self.next_number;
            self.next_number += 1;
            let mut folder = Folder::new(watched);
            let shared = self.lock_of(&folder.watched.folder);
            if let Err(LockError::HeldBy { owner }) =
                folder.take_lock(&self.journal, &self.engine.owner, shared)
            {
                refused = Some(owner);
            }
            self.folders.push((number, folder));
        }
        refused
    }

    /// Returns the lock of a folder that is watched for another site already.
    pub(super) fn lock_of(&self, path: &Path) -> Option<Rc<WatchLock>> {
        self.folders
            .iter()
            .filter(|(_, folder)| folder.watched.folder == path)
            .find_map(|(_, folder)| folder.lock.clone())
    }

    /// Counts what a person must look at.
    fn attention(&self) -> Result<usize, ReadError> {
        let (halted, all) = (attention(&self.journal, false)?, attention(&self.journal, true)?);
        // Whether somebody sends is asked only where it matters: asking takes the runner lock for a moment.
        Ok(if all == halted || self.journal.is_at_work() { halted } else { all })
    }

    /// Tells what is known, if anything in it changed.
    pub(super) fn tell_status(&self) {
        let attention = self.attention().unwrap_or_else(|error| {
            tracing::warn!(%error, "what needs attention could not be counted");
            self.status.borrow().attention
        });
        let read = self.folders.iter().filter_map(|(_, folder)| folder.checked_at);
        let status = WatchStatus {
            light: Light::Off,
            paused: self.paused,
            attention,
            working: self.working.clone(),
            checked_at: read.min(),
            folders: self.folders.iter().map(|(_, folder)| folder.status()).collect(),
        };
        let status = status.with_light();
        self.status.send_if_modified(|known| {
            let changed = *known != status;
            if changed {
                *known = status;
            }
            changed
        });
    }
}

/// Whether a hint in the folder of the journal is about the journal.
fn is_of_journal(hint: &Hint) -> bool {
    let name = hint.path().map(|path| path.file_name().and_then(|name| name.to_str()));
    name.is_none_or(|name| name.is_some_and(|name| name.starts_with("journal.sqlite3")))
}
