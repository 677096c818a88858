//! Each operation on the disk fails once in its turn, once or from then on.

use std::time::Duration;

use ichido_core::act::Act;
use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State};
use ichido_engine::{Event, Wish, confirmation};
use ichido_practice::Release;
use ichido_tests::{Desk, SITE, Site};

use super::{Faulty, assert_said, on_disk, seen};
use crate::faults::{backstage, in_step, titled};
use crate::process::{Ended, Program, sending_in_whole_journal};

/// How many desks work on one practice site, which grows with each.
const DESKS_A_SITE: usize = 40;

fn write(desk: &Desk, slug: &str, seed: u8) {
    desk.write_with(slug, &format!("title: {slug}\nslug: {slug}\nexcerpt: In short."), "![A picture](a.png)");
    desk.picture(slug, "a.png", seed);
}

async fn register(site: &Site, desk: &Desk, faulty: Option<Faulty>) -> Ended {
    let trace = desk.folder().join("trace");
    drop(std::fs::remove_file(&trace));
    on_disk(Program::register(desk, site), desk.folder(), &trace, faulty).run().await
}

/// Counts the operations of a healthy run.
async fn count(ops: &'static str) -> usize {
    let (site, desk) = in_step(Release::V7_1).await;
    write(&desk, "counted", 0);
    // Nothing fails at operation 0; only what is asked for is counted.
    let ended = register(&site, &desk, Some(Faulty { fault: "EIO", at: 0, for_ever: false, ops })).await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let counted = seen(&desk.folder().join("trace"));
    counted.iter().filter(|(what, ..)| what != "send" && what != "synced").count()
}

/// Lets every `stride`th operation fail.
async fn sweep(fault: &'static str, for_ever: bool, ops: &'static str, stride: usize) {
    let total = count(ops).await;
    let numbers: Vec<usize> = (1..=total).step_by(stride).collect();
    println!(
        "{fault} {}: {} of {total} operations ({ops})",
        if for_ever { "from then on" } else { "once" },
        numbers.len()
    );
    let mut refused = 0;
    for some in numbers.chunks(DESKS_A_SITE) {
        let (site, _) = in_step(Release::V7_1).await;
        for (seed, at) in some.iter().enumerate() {
            let desk = Desk::at(&site).await;
            site.forget_requests();
            let slug = format!("article-{at}");
            write(&desk, &slug, u8::try_from(seed).expect("few desks"));
            let ended = register(&site, &desk, Some(Faulty { fault, at: *at, for_ever, ops })).await;
            let context =
                format!("{fault} at {at} for {}: {ended:?}", if for_ever { "ever" } else { "once" });
            assert!(
                seen(&desk.folder().join("trace")).iter().any(|(what, ..)| what.starts_with("FAILED-")),
                "{context}"
            );
            refused += usize::from(judge(&site, &desk, &slug, &ended, &context).await);
            complete(&site, &desk, &slug, &context).await;
        }
    }
    println!("{refused} of them stopped the run");
    assert!(refused * 2 > numbers.len(), "most operations matter: {refused} of {}", numbers.len());
}

/// What was told is true, and nothing was sent that the journal does not know of. Tells whether the run stopped.
async fn judge(site: &Site, desk: &Desk, slug: &str, ended: &Ended, context: &str) -> bool {
    assert!(!ended.stderr.contains("panicked"), "{context}");
    sending_in_whole_journal(desk);
    let journal = desk.journal();
    for (operation, count) in site.creates_by_operation() {
        let id = OpId::parse(operation.trim_matches('"')).expect("an operation");
        let known = journal.operation(id).expect("a journal");
        assert!(known.is_some_and(|known| known.standing.may_have_left), "sent without a record: {context}");
        assert_eq!(count, 1, "{context}");
    }
    let posts = titled(site, slug).await.len();
    assert!(posts <= 1, "{context}");
    match ended.status {
        Some(0) => {
            assert_eq!((posts, &ended.summary()["created"]), (1, &1.into()), "{context}");
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
async fn complete(site: &Site, desk: &Desk, slug: &str, context: &str) {
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
            let wish = Wish {
                article: slug.into(),
                image: doubted.source_path.clone().filter(|_| doubted.kind == Kind::Image),
                act: Act::SendAgain,
                id: None,
                typed: Some(confirmation(&doubted).to_owned()),
            };
            desk.engine()
                .act(SITE, desk.credentials(), &wish, &|_: &Event| {})
                .await
                .expect("the window has passed");
        }
        ended = Program::register(desk, site).run().await;
    }
    assert_eq!(ended.status, Some(0), "{ended:?} after {context}");
    let posts = titled(site, slug).await;
    assert_eq!(posts.len(), 1, "{posts:?} after {context}");
    let pictures = site.media().await.into_iter().filter(|media| media.parent == posts[0].id).count();
    assert_eq!(pictures, 1, "after {context}");
    sending_in_whole_journal(desk);
}

/// Makes each fault a test of its own; the prime strides meet other operations in each.
macro_rules! sweeps {
    ($($name:ident: $fault:expr, $for_ever:expr, $ops:expr, $stride:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            sweep($fault, $for_ever, $ops, $stride).await;
        }
    )*};
}

sweeps! {
    eio_from_then_on: "EIO", true, "wso", 3;
    eio_once: "EIO", false, "wso", 7;
    a_sync_fails_once: "EIO", false, "s", 2;
    erofs_from_then_on: "EROFS", true, "wso", 11;
    enospc_from_then_on: "ENOSPC", true, "w", 7;
    enospc_once: "ENOSPC", false, "w", 11;
    a_short_write_and_a_full_disk: "SHORT", true, "w", 11;
    a_short_write_once: "SHORT", false, "w", 13;
}
