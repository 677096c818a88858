//! What a disk may hold after a power cut: what was synced, and of the rest whatever it likes.
//!
//! The strictest that POSIX allows: a file's content is durable after its own sync, its name after a sync of its folder.
//! What was not synced is there or not, in any order, in whole or by sectors; the sectors that were being written may hold
//! anything.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::random::Random;
use super::record::{Record, What};

/// What becomes of everything that was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// It is gone.
    Everything,
    /// It is all there: the program was killed, no more.
    Nothing,
    /// Each write is there or not.
    Writes,
    /// Each sector of this many bytes is there or not.
    Sectors(u64),
    /// Each sector of 512 bytes is there, or not, or holds anything.
    Garbage,
}

impl Loss {
    pub(super) const ALL: [Loss; 6] = [
        Loss::Everything,
        Loss::Nothing,
        Loss::Writes,
        Loss::Sectors(512),
        Loss::Sectors(4096),
        Loss::Garbage,
    ];
}

#[derive(Debug, Clone)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Truncate { to: u64 },
}

#[derive(Debug, Default)]
struct Content {
    durable: Vec<u8>,
    pending: Vec<Change>,
    /// How much of what is pending the sync that runs will make durable.
    syncing: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    /// Which content.
    File(usize),
}

#[derive(Debug, Clone)]
enum Naming {
    Made(PathBuf, Node),
    Renamed { from: PathBuf, to: PathBuf },
    Unlinked(PathBuf),
}

impl Naming {
    fn names(&self) -> Vec<&Path> {
        match self {
            Naming::Made(name, _) | Naming::Unlinked(name) => vec![name],
            Naming::Renamed { from, to } => vec![from, to],
        }
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        match self {
            Naming::Made(name, node) => drop(names.insert(name.clone(), *node)),
            Naming::Unlinked(name) => drop(names.remove(name)),
            Naming::Renamed { from, to } => {
                if let Some(node) = names.remove(from) {
                    names.insert(to.clone(), node);
                }
            }
        }
    }
}

/// A disk to which something happened: what is durable, and what is not yet.
#[derive(Debug, Default)]
pub(super) struct Disk {
    contents: Vec<Content>,
    /// Which content has which number of the file system.
    numbers: HashMap<u64, usize>,
    durable: BTreeMap<PathBuf, Node>,
    pending: Vec<Naming>,
    /// The names as the program saw them.
    live: BTreeMap<PathBuf, Node>,
    /// How much of what is pending the sync of a folder will make durable.
    syncing: HashMap<PathBuf, usize>,
}

impl Disk {
    /// An empty disk to which all this happened.
    pub(super) fn after(records: &[Record]) -> Disk {
        let mut disk = Disk::default();
        for record in records {
            disk.happen(record);
        }
        disk
    }

    fn happen(&mut self, record: &Record) {
        let path = &record.path;
        match &record.what {
            What::FileMade => {
                self.contents.push(Content::default());
                let content = self.contents.len() - 1;
                self.numbers.insert(record.file, content);
                self.name(Naming::Made(path.clone(), Node::File(content)));
            }
            What::FolderMade => self.name(Naming::Made(path.clone(), Node::Folder)),
            What::Renamed { to } => self.name(Naming::Renamed { from: path.clone(), to: to.clone() }),
            What::Unlinked => self.name(Naming::Unlinked(path.clone())),
            What::Written { at, bytes } => {
                self.content(record).pending.push(Change::Write { at: *at, bytes: bytes.clone() });
            }
            What::Truncated { to } => self.content(record).pending.push(Change::Truncate { to: *to }),
            What::SyncBegins if self.is_folder(record) => {
                self.syncing.insert(path.clone(), self.pending.len());
            }
            What::SyncBegins => {
                let content = self.content(record);
                content.syncing = content.pending.len();
            }
            What::Synced if self.is_folder(record) => self.names_are_synced(path),
            What::Synced => {
                let content = self.content(record);
                let count = std::mem::take(&mut content.syncing);
                for change in content.pending.drain(..count) {
                    change_whole(&mut content.durable, &change);
                }
            }
            What::Sent { .. } => {}
        }
    }

    fn name(&mut self, naming: Naming) {
        naming.apply(&mut self.live);
        self.pending.push(naming);
    }

    /// A number of a file that is gone may come again as a folder's.
    fn is_folder(&self, record: &Record) -> bool {
        self.live.get(&record.path) == Some(&Node::Folder) || !self.numbers.contains_key(&record.file)
    }

    fn content(&mut self, record: &Record) -> &mut Content {
        let content = self.numbers.get(&record.file);
        &mut self.contents[*content.unwrap_or_else(|| panic!("{} was made", record.path.display()))]
    }

    /// Everything that happened to the names of a folder before its sync began is durable.
    fn names_are_synced(&mut self, folder: &Path) {
        let count = self.syncing.remove(folder).expect("the sync began");
        let mut later = Vec::new();
        for (number, naming) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            if number < count && naming.names().iter().all(|name| name.parent() == Some(folder)) {
                naming.apply(&mut self.durable);
            } else {
                later.push(naming);
            }
        }
        self.pending = later;
    }

    /// Lays down what the disk may hold after a power cut, in place of what it held before.
    pub(super) fn lay_down(&self, loss: Loss, random: &mut Random) {
        for path in self.live.keys().chain(self.durable.keys()) {
            if path.is_dir() {
                std::fs::remove_dir_all(path).expect("it can be taken away");
            } else if path.exists() {
                std::fs::remove_file(path).expect("it can be taken away");
            }
        }
        let mut names = self.durable.clone();
        let mut without = HashSet::new();
        for naming in &self.pending {
            let keeps = match loss {
                Loss::Everything => false,
                Loss::Nothing => true,
                Loss::Writes | Loss::Sectors(_) | Loss::Garbage => random.one_in(2),
            };
            // What happened to a name happens in its order.
            if keeps && !naming.names().iter().any(|name| without.contains(*name)) {
                naming.apply(&mut names);
            } else {
                without.extend(naming.names());
            }
        }
        // Folders come before what is in them.
        for (path, node) in &names {
            let there = path.parent().is_some_and(Path::is_dir);
            match node {
                _ if !there => {}
                Node::Folder => std::fs::create_dir(path).expect("a folder can be made"),
                Node::File(content) => {
                    let bytes = self.contents[*content].after(loss, random);
                    std::fs::write(path, bytes).expect("a file can be written");
                }
            }
        }
    }
}

impl Content {
    fn after(&self, loss: Loss, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        for change in &self.pending {
            match (loss, change) {
                (Loss::Everything, _) => {}
                (Loss::Nothing, change) => change_whole(&mut bytes, change),
                (Loss::Writes, change) | (_, change @ Change::Truncate { .. }) => {
                    if random.one_in(2) {
                        change_whole(&mut bytes, change);
                    }
                }
                (Loss::Sectors(size), Change::Write { at, bytes: written }) => {
                    change_sectors(&mut bytes, *at, written, size, false, random);
                }
                (Loss::Garbage, Change::Write { at, bytes: written }) => {
                    change_sectors(&mut bytes, *at, written, 512, true, random);
                }
            }
        }
        bytes
    }
}

fn change_whole(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Write { at, bytes: written } => put(bytes, *at, written),
        Change::Truncate { to } => bytes.resize(usize::try_from(*to).expect("a small file"), 0),
    }
}

fn put(bytes: &mut Vec<u8>, at: u64, written: &[u8]) {
    let at = usize::try_from(at).expect("a small file");
    if bytes.len() < at + written.len() {
        bytes.resize(at + written.len(), 0);
    }
    bytes[at..at + written.len()].copy_from_slice(written);
}

fn change_sectors(
    bytes: &mut Vec<u8>,
    at: u64,
    written: &[u8],
    size: u64,
    garbage: bool,
    random: &mut Random,
) {
    let end = at + written.len() as u64;
    let mut from = at;
    while from < end {
        let to = ((from / size + 1) * size).min(end);
        let part =
            &written[usize::try_from(from - at).expect("small")..usize::try_from(to - at).expect("small")];
        match random.below(if garbage { 3 } else { 2 }) {
            0 => {}
            1 => put(bytes, from, part),
            _ => {
                let anything: Vec<u8> = part.iter().map(|_| random.byte()).collect();
                put(bytes, from, &anything);
            }
        }
        from = to;
    }
}

#[test]
fn what_was_synced_is_there_whatever_is_lost() {
    let made = |path: &str, file| Record { file, path: path.into(), what: What::FileMade };
    let of = |file, what| Record { file, path: "/x".into(), what };
    let write = |at, text: &str| What::Written { at, bytes: text.as_bytes().to_vec() };
    let root = tempfile::tempdir().expect("a folder");
    let at = |name: &str| root.path().join(name);
    let (kept, lost) = (at("kept").to_string_lossy().into_owned(), at("lost").to_string_lossy().into_owned());
    let folder = |what| Record { file: 9, path: root.path().to_owned(), what };
    let records = [
        made(&kept, 1),
        folder(What::SyncBegins),
        of(1, write(0, "synced")),
        of(1, What::SyncBegins),
        of(1, write(2, "NOT")),
        of(1, What::Synced),
        folder(What::Synced),
        made(&lost, 2),
        of(2, write(0, "also")),
        of(2, What::SyncBegins),
        of(2, What::Synced),
    ];
    let disk = Disk::after(&records);
    let mut seen = HashSet::new();
    for seed in 0..200 {
        for loss in Loss::ALL {
            disk.lay_down(loss, &mut Random::new(seed));
            let content = std::fs::read(at("kept")).expect("its name was synced");
            assert_eq!((&content[..2], content[5], content.len()), (&b"sy"[..], b'd', 6));
            if loss == Loss::Everything {
                assert_eq!((content.as_slice(), at("lost").exists()), (&b"synced"[..], false));
            }
            seen.insert((content == b"synced", at("lost").exists()));
        }
    }
    assert_eq!(seen.len(), 4, "all that may be is: {seen:?}");
}
