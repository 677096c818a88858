//! Each operation on the disk fails once in its turn, once or from then on.

use std::time::Duration;

use ichido_core::act::Act;
use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State};
use ichido_engine::{Event, Wish, confirmation};
use ichido_journal::Health;
use ichido_practice::Release;
use ichido_tests::{Desk, SITE, Site};

use super::{Faulty, assert_said, on_disk, seen};
use crate::faults::{backstage, in_step, titled};
use crate::process::{Ended, Program, sending_in_whole_journal};

/// How many desks work on one practice site, which grows with each.
const DESKS_A_SITE: usize = 40;

/// An article with a picture, and one of text alone.
fn write(desk: &Desk, name: &str, seed: u8) -> [String; 2] {
    let slugs = [format!("pictured-{name}"), format!("text-{name}")];
    for (slug, text) in slugs.iter().zip(["![A picture](a.png)", "Text."]) {
        desk.write_with(slug, &format!("title: {slug}\nslug: {slug}\nexcerpt: In short."), text);
    }
    desk.picture(&slugs[0], "a.png", seed);
    slugs
}

/// What the program does while its disk fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// A batch.
    Register,
    /// The very first start, which makes the journal.
    FirstStart,
}

async fn run(work: Work, site: &Site, desk: &Desk, faulty: Option<Faulty>) -> Ended {
    let trace = desk.folder().join("trace");
    drop(std::fs::remove_file(&trace));
    let program = match work {
        Work::Register => Program::register(desk, site),
        Work::FirstStart => Program::add_site(desk, site),
    };
    on_disk(program, desk.folder(), &trace, faulty).run().await
}

async fn desk_for(work: Work, site: &Site) -> Desk {
    match work {
        Work::Register => Desk::in_memory(site).await,
        Work::FirstStart => Desk::without_site_in_memory(site),
    }
}

/// How many operations the disk has seen.
fn operations(desk: &Desk) -> usize {
    let seen = seen(&desk.folder().join("trace"));
    seen.iter().filter(|(what, ..)| what != "send" && what != "synced").count()
}

/// Counts the operations of a healthy run.
async fn count(work: Work, ops: &'static str) -> usize {
    let (site, _) = in_step(Release::V7_1).await;
    let desk = desk_for(work, &site).await;
    write(&desk, "counted", 0);
    // Nothing fails at operation 0; only what is asked for is counted.
    let ended = run(work, &site, &desk, Some(Faulty { fault: "EIO", at: 0, for_ever: false, ops })).await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
    operations(&desk)
}

/// Lets each operation fail in its turn, of those with these remainders: every one is in one of the tests.
async fn sweep(work: Work, fault: &'static str, for_ever: bool, ops: &'static str, part: usize, of: usize) {
    let total = count(work, ops).await;
    assert!(total > 20, "the disk is watched: {total}");
    let numbers: Vec<usize> = (1..=total).filter(|number| number % of == part).collect();
    let how_long = if for_ever { "from then on" } else { "once" };
    let (mut refused, mut met) = (0, 0);
    for some in numbers.chunks(DESKS_A_SITE) {
        let (site, _) = in_step(Release::V7_1).await;
        for (seed, at) in some.iter().enumerate() {
            let desk = desk_for(work, &site).await;
            site.forget_requests();
            let slugs = write(&desk, &at.to_string(), u8::try_from(seed).expect("few desks"));
            let ended = run(work, &site, &desk, Some(Faulty { fault, at: *at, for_ever, ops })).await;
            let context = format!("{fault} {how_long} at {at} of {ops}: {ended:?}");
            let failed =
                seen(&desk.folder().join("trace")).iter().any(|(what, ..)| what.starts_with("FAILED-"));
            // One run may do a little less than another; never may an operation go by unharmed.
            assert!(failed || operations(&desk) < *at, "{context}");
            met += usize::from(failed);
            let stopped = match work {
                Work::Register => judge(&site, &desk, &slugs, &ended, &context).await,
                Work::FirstStart => judge_first_start(&site, &desk, &ended, &context).await,
            };
            refused += usize::from(stopped);
            complete(&site, &desk, &slugs, &context).await;
        }
    }
    println!(
        "proof: {fault} {how_long}: {met} of {} operations ({ops}) failed, {refused} stopped the run",
        numbers.len()
    );
    assert!(met * 10 >= numbers.len() * 9, "nearly all were met: {met} of {}", numbers.len());
    assert!(refused * 3 > met, "many operations matter: {refused} of {met}");
}

/// A first start that fails says so and has sent nothing; the next one goes on from whatever it left.
async fn judge_first_start(site: &Site, desk: &Desk, ended: &Ended, context: &str) -> bool {
    assert!(!ended.stderr.contains("panicked"), "{context}");
    assert_eq!(site.creates(), 0, "{context}");
    let stopped = ended.status != Some(0);
    if stopped {
        assert_eq!(ended.status, Some(1), "{context}");
        assert_said(&ended.stdout, "en");
    }
    let again = Program::add_site(desk, site).run().await;
    assert_eq!(again.status, Some(0), "{again:?} after {context}");
    assert_eq!(desk.journal().health().expect("a journal"), Health::Sound, "{again:?} after {context}");
    stopped
}

/// What was told is true, and nothing was sent that the journal does not know of. Tells whether the run stopped.
async fn judge(site: &Site, desk: &Desk, slugs: &[String], ended: &Ended, context: &str) -> bool {
    assert!(!ended.stderr.contains("panicked"), "{context}");
    sending_in_whole_journal(desk);
    let journal = desk.journal();
    for (operation, count) in site.creates_by_operation() {
        let id = OpId::parse(operation.trim_matches('"')).expect("an operation");
        let known = journal.operation(id).expect("a journal");
        assert!(known.is_some_and(|known| known.standing.may_have_left), "sent without a record: {context}");
        assert_eq!(count, 1, "{context}");
    }
    let mut posts = 0;
    for slug in slugs {
        let found = titled(site, slug).await.len();
        assert!(found <= 1, "{context}");
        posts += found;
    }
    match ended.status {
        Some(0) => {
            assert_eq!((posts, &ended.summary()["created"]), (slugs.len(), &slugs.len().into()), "{context}");
            false
        }
        // The text of an article could not be read.
        Some(4) if context.contains(" of r:") => {
            let summary = ended.summary();
            assert_eq!(
                (posts, &summary["created"], &summary["needs_work"]),
                (1, &1.into(), &1.into()),
                "{context}"
            );
            false
        }
        Some(1) => {
            assert_said(&ended.stdout, "en");
            assert!(!ended.stdout.contains("\"summary\""), "{context}");
            true
        }
        _ => panic!("{context}"),
    }
}

/// With a healthy disk it goes on; what is in doubt after all is looked at by a person, who sends it again.
pub(crate) async fn complete(site: &Site, desk: &Desk, slugs: &[String], context: &str) {
    let mut ended = Program::register(desk, site).run().await;
    for _ in 0..2 {
        if ended.status == Some(0) {
            break;
        }
        assert_eq!(ended.status, Some(3), "{ended:?} after {context}");
        for barrier in desk.journal().barriers(None).expect("a journal") {
            desk.engine().release(barrier.barrier).await.expect("it can be released");
        }
        let window = Duration::from_secs(601);
        desk.clock.advance(window);
        backstage(site).expect("a practice site").advance(window);
        for doubted in desk.journal().in_doubt(None).expect("a journal") {
            assert!(matches!(doubted.standing.state, State::Halted(_)), "{doubted:?} after {context}");
            let pictured = doubted.kind == Kind::Image;
            let wish = Wish {
                article: if pictured { slugs[0].clone() } else { doubted.slug.clone() }.into(),
                image: doubted.source_path.clone().filter(|_| pictured),
                act: Act::SendAgain,
                id: None,
                typed: Some(confirmation(&doubted).to_owned()),
            };
            let acted = desk.engine().act(SITE, desk.credentials(), &wish, &|_: &Event| {}).await;
            let now = desk.journal().operation(doubted.op_id).expect("a journal").expect("it stays");
            // The look before it may have found what arrived late.
            assert!(acted.is_ok() || now.standing.state == State::Done, "{acted:?} after {context}");
        }
        ended = Program::register(desk, site).run().await;
    }
    assert_eq!(ended.status, Some(0), "{ended:?} after {context}");
    for slug in slugs {
        let posts = titled(site, slug).await;
        assert_eq!(posts.len(), 1, "{posts:?} after {context}");
        let pictures = site.media().await.into_iter().filter(|media| media.parent == posts[0].id).count();
        assert_eq!(pictures, usize::from(*slug == slugs[0]), "after {context}");
    }
    sending_in_whole_journal(desk);
}

/// Makes each fault some tests, one for each part of the operations.
macro_rules! sweeps {
    (@parts $work:expr, $fault:expr, $for_ever:expr, $ops:expr, $of:expr, $($part:ident $number:expr),*) => {$(
        #[tokio::test]
        async fn $part() {
            sweep($work, $fault, $for_ever, $ops, $number, $of).await;
        }
    )*};
    (@of 2, $($rest:tt)*) => { sweeps!(@parts $($rest)*, 2, part_1 0, part_2 1); };
    (@of 4, $($rest:tt)*) => { sweeps!(@parts $($rest)*, 4, part_1 0, part_2 1, part_3 2, part_4 3); };
    ($($name:ident in $of:tt: $work:expr, $fault:expr, $for_ever:expr, $ops:expr;)*) => {$(
        mod $name {
            use super::*;

            sweeps!(@of $of, $work, $fault, $for_ever, $ops);
        }
    )*};
}

sweeps! {
    eio_once in 4: Work::Register, "EIO", false, "wso";
    eio_from_then_on in 4: Work::Register, "EIO", true, "wso";
    erofs_from_then_on in 4: Work::Register, "EROFS", true, "wso";
    enospc_once in 4: Work::Register, "ENOSPC", false, "w";
    enospc_from_then_on in 4: Work::Register, "ENOSPC", true, "w";
    a_short_write_once in 4: Work::Register, "SHORT", false, "w";
    a_short_write_and_a_full_disk in 4: Work::Register, "SHORT", true, "w";
    a_read_fails_once in 2: Work::Register, "EIO", false, "r";
    reads_fail_from_then_on in 2: Work::Register, "EIO", true, "r";
    first_start_eio_once in 2: Work::FirstStart, "EIO", false, "wsor";
    first_start_enospc_from_then_on in 2: Work::FirstStart, "ENOSPC", true, "wso";
}
