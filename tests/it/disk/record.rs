//! What a watched disk wrote down: everything that changed it, with its bytes, and what was sent meanwhile.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ichido_core::id::OpId;

/// One thing that happened, in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// The file, as the file system numbers it.
    pub(super) file: u64,
    /// Its path at that moment.
    pub(super) path: PathBuf,
    pub(super) what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    FileMade,
    FolderMade,
    Written {
        at: u64,
        bytes: Vec<u8>,
    },
    Truncated {
        to: u64,
    },
    SyncBegins,
    Synced,
    Renamed {
        to: PathBuf,
    },
    Unlinked,
    /// Bytes were given to a socket: the head of them.
    Sent {
        head: Vec<u8>,
    },
}

/// Reads what was written down. A program that was killed may have left the last of it unfinished.
pub(super) fn read(file: &Path) -> Vec<Record> {
    let bytes = std::fs::read(file).expect("it was recorded");
    let mut rest = bytes.as_slice();
    let mut records = Vec::new();
    while let Some((record, after)) = one(rest) {
        records.push(record);
        rest = after;
    }
    records
}

fn one(bytes: &[u8]) -> Option<(Record, &[u8])> {
    let (kind, bytes) = bytes.split_first()?;
    let (file, bytes) = bytes.split_first_chunk::<8>()?;
    let (at, bytes) = bytes.split_first_chunk::<8>()?;
    let (of_path, bytes) = bytes.split_first_chunk::<4>()?;
    let (count, bytes) = bytes.split_first_chunk::<4>()?;
    let (path, bytes) = bytes.split_at_checked(u32::from_ne_bytes(*of_path) as usize)?;
    let (data, bytes) = bytes.split_at_checked(u32::from_ne_bytes(*count) as usize)?;
    let text = |bytes: &[u8]| PathBuf::from(String::from_utf8(bytes.to_vec()).expect("a plain path"));
    let at = u64::from_ne_bytes(*at);
    let what = match kind {
        b'C' => What::FileMade,
        b'D' => What::FolderMade,
        b'W' => What::Written { at, bytes: data.to_vec() },
        b'T' => What::Truncated { to: at },
        b'S' => What::SyncBegins,
        b's' => What::Synced,
        b'R' => What::Renamed { to: text(data) },
        b'U' => What::Unlinked,
        b'X' => What::Sent { head: data.to_vec() },
        other => panic!("no record is of kind {other}"),
    };
    Some((Record { file: u64::from_ne_bytes(*file), path: text(path), what }, bytes))
}

/// The creating requests of which a byte has left: the number of the record, and the operation.
pub(super) fn requests(records: &[Record]) -> Vec<(usize, OpId)> {
    let mut found = Vec::new();
    // A head may come in more than one piece; each socket goes on where it stopped.
    let mut heads: HashMap<&Path, (usize, Vec<u8>)> = HashMap::new();
    for (number, record) in records.iter().enumerate() {
        let What::Sent { head } = &record.what else { continue };
        let begun =
            [&b"POST "[..], b"PUT ", b"PATCH ", b"DELETE "].iter().any(|method| head.starts_with(method));
        let known = heads.entry(&record.path).or_default();
        if begun || head.starts_with(b"GET ") {
            *known = (number, head.clone());
        } else {
            known.1.extend_from_slice(head);
        }
        let text = String::from_utf8_lossy(&known.1);
        if !text.starts_with("GET ")
            && let Some(id) = operation(&text)
        {
            found.push((known.0, id));
            heads.remove(record.path.as_path());
        }
    }
    found
}

/// The operation that a request names in its head.
fn operation(head: &str) -> Option<OpId> {
    let key = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("idempotency-key").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    Some(OpId::parse(&key).expect("an operation"))
}
