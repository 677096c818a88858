//! The power goes out: whatever the disk kept of what was not synced, the journal is whole, and says `sending` wherever a
//! byte of a request had left.

use ichido_core::operation::Kind;
use ichido_core::time::Timestamp;
use ichido_journal::{Health, Journal, Owner};
use ichido_practice::{Fault, Kind as Request, Release, When};
use ichido_tests::{Desk, Site};
use rusqlite::Connection;

use super::every::complete;
use super::image::{Disk, Loss};
use super::random::{Random, asked};
use super::record::{Record, read, requests};
use super::shim;
use crate::faults::in_step;
use crate::process::{Program, journal_as_it_lies};

pub(crate) fn on_recorded_disk(program: Program, desk: &Desk) -> Program {
    let root = desk.folder().canonicalize().expect("a folder that is there");
    program
        .with("LD_PRELOAD", shim())
        .with("ICHIDO_DISK_ROOT", root)
        .with("ICHIDO_DISK_RECORD", record_of(desk))
}

fn record_of(desk: &Desk) -> std::path::PathBuf {
    desk.folder().join("record")
}

/// A site and a desk on which the very first start was recorded.
async fn started() -> (Site, Desk) {
    let (site, _) = in_step(Release::V7_1).await;
    let desk = started_at(&site).await;
    (site, desk)
}

async fn started_at(site: &Site) -> Desk {
    let desk = Desk::without_site_in_memory(site);
    let ended = on_recorded_disk(Program::add_site(&desk, site), &desk).run().await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
    desk
}

/// An article with a picture and a tag that is new, and one of text with a custom field.
pub(crate) fn write(desk: &Desk, name: &str, seed: u8) -> [String; 2] {
    let slugs = [format!("pictured-{name}"), format!("text-{name}")];
    let tags = [format!("tags: [tag-{name}]"), "meta: {subtitle: On the side}".to_owned()];
    for ((slug, tags), text) in slugs.iter().zip(tags).zip(["![A picture](a.png)", "Text."]) {
        desk.write_with(slug, &format!("title: {slug}\nslug: {slug}\nexcerpt: In short.\n{tags}"), text);
    }
    desk.picture(&slugs[0], "a.png", seed);
    slugs
}

/// Registers with every kind of request there is: of the picture, the sizes are missing at first.
async fn register_everything(site: &Site, desk: &Desk) {
    site.inject(When::next(Request::UploadMedia), Fault::MediaFatalAfterInsert);
    let ended = on_recorded_disk(Program::register(desk, site), desk).run().await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
}

/// Three starts: the first, one that sends everything, and one that sends more and finds the rest done.
async fn three_starts() -> (Site, Desk, Vec<Record>) {
    let (site, desk) = started().await;
    write(&desk, "one", 1);
    register_everything(&site, &desk).await;
    write(&desk, "two", 2);
    register_everything(&site, &desk).await;
    let records = read(&record_of(&desk));
    let sent = site.creates_by_operation().len();
    // Fields, attaching and making sizes create nothing.
    assert_eq!((requests(&records).len(), sent), (14, 8), "every request was recorded");
    (site, desk, records)
}

/// The kind and the state of an operation in a journal as it lies.
fn standing(journal: &Connection, operation: &str) -> Option<(String, String)> {
    let sql = "SELECT kind, state FROM operations WHERE op_id = ?1 AND may_have_left = 1";
    let mut asked = journal.prepare(sql).ok()?;
    asked.query_row([operation], |row| Ok((row.get(0)?, row.get(1)?))).ok()
}

#[tokio::test]
async fn each_kind_of_request_leaves_after_its_own_record_is_durable() {
    let (_site, desk, records) = three_starts().await;
    let mut kinds = Vec::new();
    for (number, operation) in requests(&records) {
        // The last moment before its first byte, with everything lost that may be lost.
        Disk::after(&records[..number]).lay_down(Loss::Everything, &mut Random::new(0));
        let (_copy, journal) = journal_as_it_lies(&desk);
        let (kind, state) = standing(&journal, &operation.to_string())
            .unwrap_or_else(|| panic!("{operation} left at {number}"));
        assert_eq!(state, "sending", "{kind} {operation}");
        kinds.push(kind);
    }
    println!("proof: {} requests, each after a durable record of its own: {kinds:?}", kinds.len());
    for kind in Kind::ALL {
        assert!(
            kinds.iter().filter(|known| *known == kind.as_str()).count() >= 2,
            "{kind:?} was sent: {kinds:?}"
        );
    }
}

/// One image in this process's folder, and what must hold in it. Tells how much had been sent by then.
fn check(desk: &Desk, records: &[Record], seed: u64) -> usize {
    let mut random = Random::new(seed);
    let cut = random.below(records.len() + 1);
    let loss = Loss::ALL[random.below(Loss::ALL.len())];
    let old_time = random.one_in(2);
    let context = format!("seed {seed}: cut after {cut} of {} records, {loss:?} lost", records.len());
    // An earlier image may have had folders that this one has not.
    for folder in [&desk.places.data_dir, &desk.places.sidecar_dir] {
        if folder.is_dir() {
            std::fs::remove_dir_all(folder).expect("it can be taken away");
        }
    }
    Disk::after(&records[..cut]).lay_down(loss, &mut random);
    if old_time {
        set_time_as_sealed(desk);
    }
    let sent = requests(&records[..cut]);
    if sent.is_empty() && !desk.places.data_dir.join("journal.sqlite3").exists() {
        // Nothing has begun.
    } else {
        let (_copy, journal) = journal_as_it_lies(desk);
        let whole: String =
            journal.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it can be checked");
        assert_eq!(whole, "ok", "{context}");
        for (_, operation) in &sent {
            let standing = standing(&journal, &operation.to_string());
            assert!(standing.is_some(), "a byte of {operation} had left: {context}");
        }
    }
    let journal = Journal::open(&desk.places).unwrap_or_else(|error| panic!("{error:?}: {context}"));
    assert_eq!(journal.health().expect("a journal"), Health::Sound, "{context}");
    let runner = journal.lock(&Owner::this_process("test", "0"), Timestamp(0)).expect("nobody is at work");
    let in_doubt = runner.in_doubt(None).expect("a journal");
    let stopped = runner.unclean_stop().map(|stop| stop.operations.len()).unwrap_or_default();
    assert_eq!(in_doubt.len(), stopped, "what is in doubt shuts creating: {context}");
    assert!(in_doubt.len() <= 1, "one request at a time: {context}");
    sent.len()
}

/// The time of a file may be lost where its content is not: the journal looks as it was laid down.
fn set_time_as_sealed(desk: &Desk) {
    let entries = std::fs::read_dir(&desk.places.sidecar_dir).into_iter().flatten().flatten();
    let sidecar = entries.map(|entry| entry.path()).find(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("journal-") && path.extension().is_some_and(|ext| ext == "json")
    });
    let sealed = sidecar
        .and_then(|path| std::fs::read(path).ok())
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok())
        .and_then(|sidecar| sidecar["seal"]["modified_ns"].as_u64());
    let database = desk.places.data_dir.join("journal.sqlite3");
    if let Some(ns) = sealed
        && let Ok(file) = std::fs::File::options().write(true).open(database)
    {
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(ns);
        file.set_modified(at).expect("a time can be set");
    }
}

#[tokio::test]
async fn a_power_cut_at_any_moment_leaves_a_whole_journal_that_knows_what_left() {
    let (first, count) = (asked("ICHIDO_POWER_SEED", 1), asked("ICHIDO_POWER_IMAGES", 500));
    let (_site, desk, records) = three_starts().await;
    println!("power cuts: seeds {first} to {} over {} records", first + count - 1, records.len());
    let (mut sent, mut with_sends) = (0, 0);
    for seed in first..first + count {
        let before = check(&desk, &records, seed);
        sent += before;
        with_sends += usize::from(before > 0);
    }
    println!(
        "proof: {count} images, {with_sends} of them after a request; {sent} records of requests, all there"
    );
    assert!(with_sends * 2 > usize::try_from(count).expect("a count"), "most cuts come after a request");
}

/// The program dies in the middle, its disk keeps what it likes, and it starts again on the site as it was left.
async fn cut_and_start_again(part: usize, of: usize) {
    let count = usize::try_from(asked("ICHIDO_POWER_STARTS", 60)).expect("a count");
    let (site, desk) = started().await;
    let of_start = read(&record_of(&desk)).len();
    let slugs = write(&desk, "whole", 255);
    let ended = on_recorded_disk(Program::register(&desk, &site), &desk).run().await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let total = read(&record_of(&desk)).len() - of_start;
    complete(&site, &desk, &slugs, "a healthy run").await;
    let (mut site, mut desks) = (site, 0_usize);
    for seed in (0..count).filter(|seed| seed % of == part) {
        desks += 1;
        if desks % 30 == 0 {
            site = in_step(Release::V7_1).await.0;
        }
        let mut random = Random::new(seed as u64);
        // Evenly spread, so that every part of a run is met.
        let cut = 1 + seed * total / count + random.below(total / count + 1);
        let loss = Loss::ALL[random.below(Loss::ALL.len())];
        let context = format!("seed {seed}: cut after record {cut} of {total}, {loss:?} lost");
        let desk = started_at(&site).await;
        site.forget_requests();
        let slugs = write(&desk, &seed.to_string(), u8::try_from(seed % 250).expect("small"));
        let register = Program::register(&desk, &site).with("ICHIDO_DISK_CUT", cut.to_string());
        let ended = on_recorded_disk(register, &desk).run().await;
        assert!(ended.status.is_none() || cut + 10 > total, "it was killed: {ended:?} {context}");
        let records = read(&record_of(&desk));
        Disk::after(&records).lay_down(loss, &mut random);
        let sent = requests(&records);
        for (operation, count) in site.creates_by_operation() {
            assert!(
                sent.iter().any(|(_, sent)| sent.to_string() == operation.trim_matches('"')),
                "{operation} was recorded"
            );
            assert_eq!(count, 1, "{context}");
        }
        complete(&site, &desk, &slugs, &context).await;
    }
    println!("proof: power cuts of a running program: {desks} of {count}");
}

#[tokio::test]
async fn after_a_power_cut_the_next_start_ends_with_one_of_each_part_1() {
    cut_and_start_again(0, 2).await;
}

#[tokio::test]
async fn after_a_power_cut_the_next_start_ends_with_one_of_each_part_2() {
    cut_and_start_again(1, 2).await;
}
