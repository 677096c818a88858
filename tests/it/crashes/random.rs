//! The program is killed at moments that nobody chose, some of them with an answer lost as well, and again while it recovers.
#![allow(clippy::print_stdout, reason = "how much was tried stands in the output of the tests")]

use std::time::Duration;

use ichido_core::id::OpId;
use ichido_practice::{Fault, Kind as Request, Release, When};
use ichido_tests::{Desk, Site};

use crate::disk::every::complete;
use crate::disk::power::{on_recorded_disk, write};
use crate::disk::random::{Random, asked};
use crate::faults::{backstage, in_step};
use crate::process::{Program, sending_in_whole_journal};

/// How many desks work on one practice site, which grows with each.
const DESKS_A_SITE: u64 = 20;

/// Longer than a run takes by far, in microseconds.
const LONGEST: usize = 250_000;

/// More than a run changes on its disk and sends.
const MOST_RECORDS: usize = 420;

/// Kills the program after so many changes to its disk and bytes on its sockets, or after some time.
async fn kill_somewhere(site: &Site, desk: &Desk, random: &mut Random) {
    let register = Program::register(desk, site);
    if random.one_in(2) {
        let cut = 1 + random.below(MOST_RECORDS);
        on_recorded_disk(register, desk).with("ICHIDO_DISK_CUT", cut.to_string()).run().await;
    } else {
        let running = register.start();
        // Not to wait for anything: this is the moment.
        tokio::time::sleep(Duration::from_micros(random.below(LONGEST) as u64)).await;
        running.kill_or_end().await;
    }
}

fn lose_something(site: &Site, random: &mut Random) {
    let requests = [Request::CreateTerm, Request::UploadMedia, Request::CreatePost, Request::Update];
    let faults = [
        Fault::CommitThenDropResponse,
        Fault::DropBeforeCommit,
        Fault::CommitThenStatus(502),
        Fault::MediaFatalAfterInsert,
    ];
    let request = requests[random.below(requests.len())];
    let fault = faults[random.below(faults.len())].clone();
    if fault != Fault::MediaFatalAfterInsert || request == Request::UploadMedia {
        site.inject(When::next(request), fault);
    }
}

async fn survive(seed: u64, site: &Site) -> usize {
    let mut random = Random::new(seed);
    let desk = Desk::in_memory(site).await;
    site.forget_requests();
    let slugs = write(&desk, &seed.to_string(), u8::try_from(seed % 250).expect("small"));
    if random.one_in(2) {
        lose_something(site, &mut random);
    }
    let kills = 1 + random.below(3);
    for _ in 0..kills {
        kill_somewhere(site, &desk, &mut random).await;
        if !desk.places.data_dir.join("journal.sqlite3").exists() {
            continue;
        }
        sending_in_whole_journal(&desk);
    }
    let journal = desk.journal();
    for (operation, count) in site.creates_by_operation() {
        let id = OpId::parse(operation.trim_matches('"')).expect("an operation");
        let known = journal.operation(id).expect("a journal").expect("what was sent is in the journal");
        assert!(count == 1 || !known.kind.must_not_repeat(), "seed {seed}: {known:?} was sent {count} times");
    }
    backstage(site).expect("a practice site").faults().clear();
    complete(site, &desk, &slugs, &format!("seed {seed}, {kills} kills")).await;
    kills
}

async fn many(part: u64, of: u64) {
    let (first, count) = (asked("ICHIDO_KILLS_SEED", 1), asked("ICHIDO_KILLS", 60));
    let mut site = in_step(Release::V7_1).await.0;
    let (mut kills, mut desks) = (0, 0);
    for seed in (first..first + count).filter(|seed| seed % of == part) {
        if desks % DESKS_A_SITE == DESKS_A_SITE - 1 {
            let release = if seed % 4 < 2 { Release::V6_1 } else { Release::V7_1 };
            site = in_step(release).await.0;
        }
        desks += 1;
        kills += survive(seed, &site).await;
    }
    println!(
        "proof: {kills} kills at random moments in {desks} runs, seeds {first} to {}",
        first + count - 1
    );
}

#[tokio::test]
async fn killed_at_random_moments_everything_ends_as_one_part_1() {
    many(0, 2).await;
}

#[tokio::test]
async fn killed_at_random_moments_everything_ends_as_one_part_2() {
    many(1, 2).await;
}
