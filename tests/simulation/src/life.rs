//! The program's life: where it is killed, and what of it outlives that.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use ichido_journal::Places;

/// What a power switch leaves behind of the journal and what vouches for it.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    journal: Vec<(PathBuf, Vec<u8>)>,
    sidecar: Vec<(PathBuf, Vec<u8>)>,
}

/// Where the journal is kept.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    places: Places,
}

impl Disk {
    pub(crate) fn new(places: Places) -> Self {
        Self { places }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.places.data_dir.join("journal.sqlite3")
    }

    /// Copies everything that another start of the program would find.
    pub(crate) fn copy(&self) -> Copy {
        let journal = ["journal.sqlite3", "journal.sqlite3-wal"].map(|name| self.places.data_dir.join(name));
        let journal = journal.into_iter().filter_map(|path| Some((path.clone(), fs::read(path).ok()?)));
        let sidecar = files(&self.places.sidecar_dir).into_iter();
        let sidecar = sidecar.filter_map(|path| Some((path.clone(), fs::read(path).ok()?)));
        Copy { journal: journal.collect(), sidecar: sidecar.collect() }
    }

    pub(crate) fn put_back(&self, copy: &Copy) {
        self.put_back_journal(copy);
        self.remove_sidecar();
        write(&copy.sidecar);
    }

    /// Puts the journal back without what vouches for it, as restoring one folder does.
    pub(crate) fn put_back_journal(&self, copy: &Copy) {
        self.remove_journal();
        write(&copy.journal);
    }

    pub(crate) fn remove_journal(&self) {
        for name in ["journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm"] {
            remove(&self.places.data_dir.join(name));
        }
    }

    pub(crate) fn remove_sidecar(&self) {
        for path in files(&self.places.sidecar_dir) {
            remove(&path);
        }
    }

    /// Damages the journal in its middle.
    pub(crate) fn damage_journal(&self) {
        let path = self.database();
        let Ok(mut bytes) = fs::read(&path) else { return };
        let middle = bytes.len() / 2;
        for byte in bytes.iter_mut().skip(middle).take(4096) {
            *byte ^= 0xa5;
        }
        fs::write(&path, bytes).expect("the journal can be written");
        remove(&self.places.data_dir.join("journal.sqlite3-wal"));
        remove(&self.places.data_dir.join("journal.sqlite3-shm"));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn write(files: &[(PathBuf, Vec<u8>)]) {
    for (path, bytes) in files {
        fs::write(path, bytes).expect("a copy can be put back");
    }
}

fn remove(path: &Path) {
    if path.exists() {
        fs::remove_file(path).expect("a file can be removed");
    }
}

/// Where the program is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillAt {
    /// When it tells something, reads the clock or makes an id for the n-th time: around every write to the journal.
    Step(u64),
    /// When the site has got the n-th request, before it does anything about it.
    Arrived(u64),
    /// When the site has carried the n-th request out, and no byte of the answer has been read.
    CarriedOut(u64),
}

#[derive(Debug, Default)]
struct State {
    kill: Option<KillAt>,
    dead: bool,
    left_behind: Option<Copy>,
    waker: Option<Waker>,
    deaths: Vec<KillAt>,
}

/// The life of the program from one start to the next.
#[derive(Debug)]
pub(crate) struct Life {
    disk: Disk,
    state: Mutex<State>,
}

/// Unwinds what is killed.
struct Killed;

/// What the site does about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtRequest {
    GoesOn,
    DiesBefore,
    DiesAfter,
}

impl Life {
    pub(crate) fn new(disk: Disk) -> Self {
        Self { disk, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    pub(crate) fn arm(&self, at: KillAt) {
        self.state().kill = Some(at);
    }

    pub(crate) fn disarm(&self) {
        self.state().kill = None;
    }

    /// What the program was killed by so far.
    pub(crate) fn deaths(&self) -> Vec<KillAt> {
        self.state().deaths.clone()
    }

    fn die(&self, of: KillAt) {
        let left_behind = self.disk.copy();
        let mut state = self.state();
        state.deaths.push(of);
        state.dead = true;
        state.left_behind = Some(left_behind);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    /// The program does something that can be seen from outside.
    pub(crate) fn step(&self) {
        let dies = {
            let mut state = self.state();
            match state.kill {
                Some(KillAt::Step(left)) if !state.dead => {
                    state.kill = (left > 1).then(|| KillAt::Step(left - 1));
                    left <= 1
                }
                Some(_) | None => false,
            }
        };
        if dies {
            self.die(KillAt::Step(0));
            resume_unwind(Box::new(Killed));
        }
    }

    /// A request has come to the site.
    pub(crate) fn request(&self) -> AtRequest {
        let at = {
            let mut state = self.state();
            let (left, at) = match state.kill {
                Some(KillAt::Arrived(left)) => (left, AtRequest::DiesBefore),
                Some(KillAt::CarriedOut(left)) => (left, AtRequest::DiesAfter),
                Some(KillAt::Step(_)) | None => return AtRequest::GoesOn,
            };
            if left > 1 {
                state.kill = Some(match at {
                    AtRequest::DiesBefore => KillAt::Arrived(left - 1),
                    AtRequest::DiesAfter | AtRequest::GoesOn => KillAt::CarriedOut(left - 1),
                });
                return AtRequest::GoesOn;
            }
            state.kill = None;
            at
        };
        self.die(if at == AtRequest::DiesBefore { KillAt::Arrived(0) } else { KillAt::CarriedOut(0) });
        at
    }

    /// Lets the program run until it ends or is killed; then what another start finds is what it had written.
    pub(crate) async fn live<F: Future>(&self, run: F) -> Option<F::Output> {
        let mut run = Box::pin(run);
        let ended = std::future::poll_fn(|context| {
            {
                let mut state = self.state();
                if state.dead {
                    return Poll::Ready(None);
                }
                state.waker = Some(context.waker().clone());
            }
            match catch_unwind(AssertUnwindSafe(|| run.as_mut().poll(context))) {
                Ok(_) if self.state().dead => Poll::Ready(None),
                Ok(polled) => polled.map(Some),
                Err(payload) if payload.is::<Killed>() => Poll::Ready(None),
                Err(payload) => resume_unwind(payload),
            }
        })
        .await;
        // Whatever ending in order writes is undone below: a killed program ends in no order.
        drop(run);
        let mut state = self.state();
        state.waker = None;
        if state.dead {
            state.dead = false;
            if let Some(left_behind) = state.left_behind.take() {
                self.disk.put_back(&left_behind);
            }
        }
        ended
    }
}
