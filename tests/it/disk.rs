//! A disk that fails under the journal, and one that is watched: nothing is sent without a durable record of it,
//! nothing is half said, and with a healthy disk everything ends as if nothing had been.
#![allow(clippy::print_stdout, reason = "how much was tried stands in the output of the tests")]

pub(crate) mod every;
mod image;
pub(crate) mod power;
pub(crate) mod random;
mod record;

use std::path::{Path, PathBuf};
use std::process::Command;

use ichido_practice::Release;
use ichido_tests::{Desk, Site};

use crate::faults::in_step;
use crate::process::Program;

/// The library that stands between the program and its disk, built once for each process of the tests.
fn shim() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/shim/faulty_disk.c");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libfaulty_disk.so");
    let written = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    if written(&library) > written(&source) {
        return library;
    }
    // Several tests may do this at once: each builds its own, and the last one stays.
    let own = library.with_extension(format!("so.{}", std::process::id()));
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .args([&own, &source])
        .args(["-ldl", "-pthread"])
        .status()
        .expect("these tests need a C compiler (Debian: apt install gcc)");
    assert!(built.success(), "the library is built");
    std::fs::rename(&own, &library).expect("a file can be renamed");
    library
}

/// A disk that fails.
#[derive(Debug, Clone, Copy)]
struct Faulty {
    /// `EROFS`, `EIO`, `ENOSPC`, or `SHORT` for a write that comes to half.
    fault: &'static str,
    /// The number of the operation that fails first.
    at: usize,
    /// Whether it stays so.
    for_ever: bool,
    /// Which operations count: of `w` (writes), `s` (syncs), `o` (opens and names).
    ops: &'static str,
}

/// Puts a program on a watched disk, which may fail.
fn on_disk(program: Program, root: &Path, trace: &Path, faulty: Option<Faulty>) -> Program {
    let root = root.canonicalize().expect("a folder that is there");
    let program =
        program.with("LD_PRELOAD", shim()).with("ICHIDO_DISK_ROOT", root).with("ICHIDO_DISK_TRACE", trace);
    let Some(faulty) = faulty else { return program };
    let how_long = if faulty.for_ever { "ever" } else { "once" };
    program
        .with("ICHIDO_DISK_FAULT", faulty.fault)
        .with("ICHIDO_DISK_AT", faulty.at.to_string())
        .with("ICHIDO_DISK_FOR", how_long)
        .with("ICHIDO_DISK_OPS", faulty.ops)
}

/// What the watched disk saw: what was done, to what, and the head of what was sent.
fn seen(trace: &Path) -> Vec<(String, String, String)> {
    let trace = std::fs::read_to_string(trace).unwrap_or_default();
    let parts = trace.lines().map(|line| {
        let mut parts = line.splitn(3, ' ').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        (next(), next(), next())
    });
    parts.collect()
}

/// The codes of failures that say that the disk is the reason.
const OF_THE_DISK: [&str; 7] = [
    "folder_unusable",
    "journal_migrate",
    "journal_unopenable",
    "journal_unreadable",
    "journal_unsafe",
    "journal_unwritable",
    "moved_on",
];

fn write_texts(desk: &Desk, count: usize) {
    for number in 0..count {
        let slug = format!("text-{number:02}");
        desk.write_with(&slug, &format!("title: {slug}\nslug: {slug}\nexcerpt: In short."), "Text.");
    }
}

#[tokio::test]
async fn what_is_sent_is_durable_before_its_first_byte_and_costs_one_sync() {
    const ARTICLES: usize = 20;
    let (site, desk) = in_step(Release::V7_1).await;
    write_texts(&desk, ARTICLES);
    let trace = desk.folder().join("trace");
    let ended = on_disk(Program::register(&desk, &site), desk.folder(), &trace, None).run().await;
    assert_eq!((ended.status, &ended.summary()["created"]), (Some(0), &ARTICLES.into()), "{ended:?}");
    let seen = seen(&trace);
    let is_log = |path: &str| path.ends_with("journal.sqlite3-wal");
    let (mut sends, mut synced_since, mut unsynced) = (0, 0, 0);
    let (mut first_send, mut last_send) = (None, 0);
    for (number, (what, path, head)) in seen.iter().enumerate() {
        match what.as_str() {
            "write" if is_log(path) => unsynced += 1,
            "synced" if is_log(path) => (unsynced, synced_since) = (0, synced_since + 1),
            "send" if head.starts_with("POST ") => {
                assert!(
                    unsynced == 0 && synced_since > 0,
                    "request {sends} left before its record was durable"
                );
                (sends, synced_since) = (sends + 1, 0);
                first_send.get_or_insert(number);
                last_send = number;
            }
            _ => {}
        }
    }
    assert_eq!(sends, ARTICLES, "every request was traced");
    let first_send = first_send.expect("requests");
    let synced = |what: &str, path: &str, ending: &str| what == "synced" && path.ends_with(ending);
    // The run is opened by the commit before its counter goes to the sidecar, and closed by the one after the last send.
    let vouched = seen
        .iter()
        .position(|(what, path, _)| synced(what, path, ".unfinished") && path.contains("/state/journal-"));
    let vouched = vouched.expect("the sidecar is written");
    let opened =
        seen[..vouched].iter().rposition(|(what, path, _)| synced(what, path, "-wal")).expect("a commit");
    let closed =
        seen[last_send..].iter().position(|(what, path, _)| synced(what, path, "-wal")).expect("a commit");
    let syncs = |part: &[(String, String, String)]| part.iter().filter(|(what, ..)| what == "synced").count();
    let (all, between) = (syncs(&seen), syncs(&seen[first_send..last_send]));
    let of_run = syncs(&seen[opened..=last_send + closed]);
    println!("durable syncs for {ARTICLES} articles: {of_run} from the opening of the run to its close");
    println!("{between} from the first request to the last, {all} with the start and the laying down");
    assert_eq!(between, ARTICLES - 1, "one for each request after the first");
    assert!(10 * of_run <= 12 * ARTICLES, "{of_run} durable syncs for {ARTICLES} articles");
}

/// Whoever cannot write is told so, in both languages, and nothing is sent.
async fn cannot_write(site: &Site, desk: &Desk, fault: &'static str, ops: &'static str) {
    let faulty = Faulty { fault, at: 1, for_ever: true, ops };
    for lang in ["ja", "en"] {
        let trace = desk.folder().join("trace");
        let register = Program::register(desk, site).and(&["--lang", lang]);
        let ended = on_disk(register, desk.folder(), &trace, Some(faulty)).run().await;
        assert_eq!(ended.status, Some(1), "{ended:?}");
        assert_said(&ended.stdout, lang);
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        assert!(seen(&trace).iter().any(|(what, ..)| what.starts_with("FAILED-")));
    }
    assert_eq!(site.creates(), 0);
}

/// The last line is an error that a person can use.
#[track_caller]
fn assert_said(stdout: &str, lang: &str) {
    let last: serde_json::Value =
        serde_json::from_str(stdout.lines().last().unwrap_or_default()).unwrap_or_default();
    let code = last["code"].as_str().unwrap_or_default();
    assert!(last["event"] == "error" && OF_THE_DISK.contains(&code), "{stdout}");
    let message = last["message"].as_str().unwrap_or_default();
    let japanese = message.chars().any(|letter| ('ぁ'..='ん').contains(&letter));
    assert!(message.chars().count() > 20 && japanese == (lang == "ja"), "{message}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told_and_harms_nothing() {
    let (site, desk) = in_step(Release::V7_1).await;
    write_texts(&desk, 2);
    cannot_write(&site, &desk, "EROFS", "wso").await;
    let ended = Program::register(&desk, &site).run().await;
    assert_eq!((ended.status, &ended.summary()["created"]), (Some(0), &2.into()), "{ended:?}");
}

#[tokio::test]
async fn a_full_disk_is_told_and_harms_nothing() {
    let (site, desk) = in_step(Release::V7_1).await;
    write_texts(&desk, 2);
    cannot_write(&site, &desk, "ENOSPC", "w").await;
    let ended = Program::register(&desk, &site).run().await;
    assert_eq!((ended.status, &ended.summary()["created"]), (Some(0), &2.into()), "{ended:?}");
}
