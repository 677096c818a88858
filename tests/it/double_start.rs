//! Two starts at once, the same key with other content, and errors that no repetition puts right.

use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use ichido_core::operation::{Kind as OperationKind, State};
use ichido_core::tally::{Ending, Pause};
use ichido_core::time::Timestamp;
use ichido_engine::{Batch, Engine, Event, Note, Report, RunError, Settings, Stop, WaitingFor};
use ichido_journal::{Key, NewOperation, Owner, SendFacts};
use ichido_practice::Kind as Request;
use ichido_tests::{Desk, Place, SITE, Site, Who, ending};

use crate::contract::on_every_site;
use crate::process::Program;
use crate::sight::{assert_sent_once, changing, sent, the_post, wire};

fn three_articles(desk: &Desk) {
    for name in ["a", "b", "三つ目"] {
        desk.write(name, name, "Text.\n\n![a](a.png)");
    }
    for (seed, name) in [(1, "a"), (2, "b"), (3, "三つ目")] {
        desk.picture(name, "a.png", seed);
    }
}

fn batch(desk: &Desk, wait: Duration) -> Batch {
    let (articles, _) = ichido_engine::check(std::slice::from_ref(&desk.articles), Settings::default())
        .expect("there are articles");
    Batch {
        articles,
        site: SITE.to_owned(),
        credentials: desk.credentials(),
        create_tags: true,
        polls: Vec::new(),
        wait,
        dry_run: false,
    }
}

/// Starts each desk in a thread of its own at the same moment, by the real clock.
fn all_at_once(desks: &[&Desk], wait: Duration) -> Vec<Result<Report, RunError>> {
    let together = Barrier::new(desks.len());
    std::thread::scope(|scope| {
        let starts: Vec<_> = desks
            .iter()
            .map(|desk| {
                let (places, batch) = (desk.places.clone(), batch(desk, wait));
                let together = &together;
                scope.spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .enable_all()
                        .build()
                        .expect("a runtime");
                    let engine = Engine::new(places, "ichido-tests", "0");
                    together.wait();
                    runtime.block_on(engine.register(batch, &|_: &Event| {}, &Stop::default()))
                })
            })
            .collect();
        starts.into_iter().map(|start| start.join().expect("it does not panic")).collect()
    })
}

async fn in_threads(desks: &[&Desk], wait: Duration) -> Vec<Result<Report, RunError>> {
    // The practice site lives in this thread's runtime: it must go on answering.
    tokio::task::block_in_place(|| all_at_once(desks, wait))
}

/// Each case on every site, with threads enough for the site and the starts.
macro_rules! in_parallel_on_every_site {
    ($($name:ident: $case:ident;)*) => {$(
        mod $name {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn practice_old() {
                $case(&Site::start(Place::PracticeOld).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn practice_new() {
                $case(&Site::start(Place::PracticeNew).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn real_old() {
                $case(&Site::start(Place::RealOld).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn real_new() {
                $case(&Site::start(Place::RealNew).await).await;
            }
        }
    )*};
}

in_parallel_on_every_site! {
    four_starts_at_one_data_folder_send_once: one_folder;
    four_starts_that_do_not_wait_send_once: one_folder_at_once;
    two_data_folders_of_one_user_send_once: two_folders;
    the_same_slug_with_other_content_is_a_conflict: other_content;
    processes_started_at_once_send_once: processes;
}

async fn one_folder(site: &Site) {
    let desk = Desk::at(site).await;
    three_articles(&desk);
    let reports = in_threads(&[&desk; 4], Duration::from_secs(100)).await;
    let tallies: Vec<_> =
        reports.into_iter().map(|report| report.expect("each gets its turn").tally).collect();
    let (created, verified): (Vec<_>, Vec<_>) =
        tallies.iter().map(|tally| (tally.created, tally.verified)).unzip();
    assert_eq!((created.iter().sum::<usize>(), verified.iter().sum::<usize>()), (3, 9), "{tallies:?}");
    assert_eq!((site.posts().await.len(), site.media().await.len()), (3, 3));
    assert_eq!((sent(site, Request::CreatePost), sent(site, Request::UploadMedia)), (3, 3));
    assert_sent_once(site);
}

async fn one_folder_at_once(site: &Site) {
    let desk = Desk::at(site).await;
    three_articles(&desk);
    let reports = in_threads(&[&desk; 4], Duration::ZERO).await;
    let created: usize = reports.iter().flatten().map(|report| report.tally.created).sum();
    assert_eq!(created, 3, "{reports:?}");
    for report in reports {
        assert!(matches!(report, Ok(_) | Err(RunError::HeldBy { .. })), "{report:?}");
    }
    assert_eq!(site.posts().await.len(), 3);
    assert_sent_once(site);
}

/// Two journals that know nothing of each other, and one lock of the site.
async fn two_desks(site: &Site) -> (Desk, Desk) {
    let one = Desk::at(site).await;
    let mut other = Desk::at(site).await;
    other.places.lock_dir = one.places.lock_dir.clone();
    (one, other)
}

async fn two_folders(site: &Site) {
    let (one, mut other) = two_desks(site).await;
    three_articles(&one);
    other.articles = one.articles.clone();
    let reports = in_threads(&[&one, &other], Duration::from_secs(100)).await;
    let tallies: Vec<_> =
        reports.into_iter().map(|report| report.expect("each gets its turn").tally).collect();
    let (created, skipped): (Vec<_>, Vec<_>) =
        tallies.iter().map(|tally| (tally.created, tally.skipped)).unzip();
    assert_eq!((created.iter().sum::<usize>(), skipped.iter().sum::<usize>()), (3, 3), "{tallies:?}");
    assert_eq!((site.posts().await.len(), site.media().await.len()), (3, 3));
    assert_sent_once(site);
}

async fn other_content(site: &Site) {
    let (one, other) = two_desks(site).await;
    one.write("same-key", "One", "The text of one.");
    other.write("same-key", "Other", "The text of the other.");
    let reports = in_threads(&[&one, &other], Duration::from_secs(100)).await;
    let endings: Vec<_> = reports
        .iter()
        .map(|report| ending(report.as_ref().expect("each gets its turn"), "same-key"))
        .collect();
    let first = endings.iter().position(|ending| *ending == Ending::Created).expect("one is created");
    assert_eq!(endings[1 - first], Ending::Skipped, "{reports:?}");
    let posts = site.posts().await;
    let (title, text) = [("One", "The text of one."), ("Other", "The text of the other.")][first];
    let post = the_post(&posts, "same-key");
    assert!(post.title == title && post.content.contains(text), "{post:?}");
    assert_eq!(posts.len(), 1);
    assert_sent_once(site);
}

async fn processes(site: &Site) {
    let desk = Desk::at(site).await;
    three_articles(&desk);
    let running: Vec<_> = (0..3).map(|_| Program::register(&desk, site).start()).collect();
    let mut statuses = Vec::new();
    for process in running {
        statuses.push(process.end().await.status);
    }
    assert!(statuses.contains(&Some(0)), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, Some(0 | 7))), "{statuses:?}");
    assert_eq!((site.posts().await.len(), site.media().await.len()), (3, 3));
    assert_eq!(sent(site, Request::CreatePost), 3);
    assert_sent_once(site);
}

on_every_site! {
    async fn a_second_runner_waits_and_then_names_the_holder(site: &Site) {
        let desk = Desk::at(site).await;
        three_articles(&desk);
        let holder = Owner::this_process("the-other", "1");
        let runner = desk.journal().lock(&holder, Timestamp(0)).expect("nobody else is at work");
        site.forget_requests();
        let (from, mut batch) = (ichido_engine::Clock::monotonic_ms(&*desk.clock), batch(&desk, Duration::from_secs(60)));
        let heard = Mutex::new(Vec::new());
        let hear = |event: &Event| heard.lock().expect("nobody panicked").push(event.clone());
        let refused = desk.engine().register(batch.clone(), &hear, &Stop::default()).await;
        let Err(RunError::HeldBy { owner: Some(owner) }) = refused else { panic!("{refused:?}") };
        assert_eq!((owner.program.as_str(), owner.pid), ("the-other", std::process::id()));
        assert!(ichido_engine::Clock::monotonic_ms(&*desk.clock) - from >= 60_000, "it waited");
        let waits = |heard: &[Event]| {
            heard.iter().filter(|event| matches!(event, Event::Waiting { why: WaitingFor::OtherRunner, .. })).count()
        };
        assert_eq!(waits(&heard.lock().expect("nobody panicked")), 1, "it says so once");
        assert!(wire(site).is_empty(), "who does not run asks nothing");

        let runner = Arc::new(Mutex::new(Some(runner)));
        let held = Arc::clone(&runner);
        desk.clock.on_sleep(move |_| drop(held.lock().expect("nobody panicked").take()));
        batch.wait = Duration::from_secs(60);
        let report = desk.engine().register(batch, &hear, &Stop::default()).await.expect("its turn has come");
        assert_eq!(report.tally.created, 3, "{report:?}");
    }

    async fn the_lock_of_a_site_keeps_other_data_folders_away(site: &Site) {
        let (one, other) = two_desks(site).await;
        three_articles(&other);
        let runner = one.journal().lock(&Owner::this_process("the-other", "1"), Timestamp(0)).expect("it is free");
        let home = one.journal().site_by_name(SITE).expect("sites").expect("the site").home;
        let lock = runner.lock_site(&home).expect("it is free");
        site.forget_requests();
        let heard = Mutex::new(Vec::new());
        let hear = |event: &Event| heard.lock().expect("nobody panicked").push(event.clone());
        let refused =
            other.engine().register(batch(&other, Duration::from_secs(5)), &hear, &Stop::default()).await;
        assert!(matches!(refused, Err(RunError::HeldBy { owner: Some(_) })), "{refused:?}");
        let waits = heard.lock().expect("nobody panicked").len();
        assert_eq!(waits, 1, "it says once that it waits");
        assert!(wire(site).is_empty());
        drop(lock);
        let report = other.register().await;
        assert_eq!(report.tally.created, 3, "{report:?}");
    }

    async fn two_articles_of_one_slug_are_put_right_by_people(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write_with("one", "title: One\nslug: same", "The text of one.");
        desk.write_with("two", "title: Two\nslug: same", "The text of two.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.needs_work, report.exit_status()), (2, 4), "{report:?}");
        assert_eq!(changing(site), Vec::<String>::new());

        let first = desk.register_paths(&[desk.articles.join("one")]).await.expect("it runs");
        assert_eq!(first.tally.created, 1, "{first:?}");
        let later = desk.register_paths(&[desk.articles.join("two")]).await.expect("it runs");
        assert_eq!((later.tally.needs_work, later.exit_status()), (1, 4), "{later:?}");
        let first_folder = desk.articles.join("one");
        let told = desk.heard.lock().expect("nobody panicked").iter().any(|event| {
            matches!(event, Event::Noted { note: Note::SlugTaken { other }, .. } if other.starts_with(&first_folder))
        });
        assert!(told, "it says which article has the slug: {:?}", desk.heard);
        let posts = site.posts().await;
        assert!(the_post(&posts, "same").content.contains("The text of one."), "{posts:?}");
        assert_eq!(posts.len(), 1);
    }

    async fn articles_that_swapped_their_slugs_are_put_right_by_people(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write_with("one", "title: One\nslug: first", "The text of one.");
        desk.write_with("two", "title: Two\nslug: second", "The text of two.");
        desk.register().await;
        desk.write_with("one", "title: One\nslug: second", "The text of one.");
        desk.write_with("two", "title: Two\nslug: first", "The text of two.");
        let report = desk.register().await;
        assert_eq!((report.tally.needs_work, report.exit_status()), (2, 4), "{report:?}");
        assert_eq!(site.posts().await.len(), 2);
        assert_sent_once(site);
    }

    async fn a_wrong_password_costs_one_request(site: &Site) {
        let desk = Desk::at(site).await;
        three_articles(&desk);
        desk.use_password("not the password");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.waiting, report.pause, report.exit_status()), (3, Some(Pause::NotOurUser), 5), "{report:?}");
        assert_eq!(wire(site).len(), 1, "{:?}", wire(site));
    }
}

/// The password is revoked while the batch runs.
#[tokio::test]
async fn a_password_revoked_in_the_middle_stops_at_the_next_request() {
    let site = Site::start(Place::PracticeNew).await;
    let Site::Practice { site: practice, .. } = &site else { panic!("it is the practice site") };
    let handle = practice.handle();
    let desk = Desk::at(&site).await;
    for name in ["a", "b", "c", "d"] {
        desk.write(name, name, "Text.");
    }
    site.forget_requests();
    let hear = |event: &Event| {
        if matches!(event, Event::Ended { end, .. } if end.ending == Ending::Created) {
            handle.change_password(Who::Author.login(), "another password");
        }
    };
    let report =
        desk.engine().register(batch(&desk, Duration::ZERO), &hear, &Stop::default()).await.expect("it runs");
    assert_eq!((report.tally.created, report.exit_status()), (1, 5), "{report:?}");
    assert_eq!(report.tally.refused + report.tally.waiting, 3, "{report:?}");
    assert_eq!((site.creates(), site.posts().await.len()), (2, 1), "the first refusal is the last request");
    desk.use_password("another password");
    let later = desk.register().await;
    assert_eq!((later.tally.created, later.tally.verified), (report.tally.waiting, 1), "{later:?}");
}

/// Eight claims of one operation at the same moment: one is a permit.
#[tokio::test]
async fn a_claim_is_won_by_exactly_one() {
    let site = Site::start(Place::PracticeNew).await;
    let desk = Desk::at(&site).await;
    let runner =
        desk.journal().lock(&Owner::this_process("ichido-tests", "0"), Timestamp(0)).expect("it is free");
    let here = runner.site_by_name(SITE).expect("sites").expect("the site").id;
    let slug = ichido_core::slug::Slug::sanitise("claimed").expect("a slug");
    let new = NewOperation {
        op_id: ichido_engine::Clock::new_op_id(&*desk.clock),
        site: here,
        kind: OperationKind::Post,
        post_type: "post".to_owned(),
        key: Key::post(&slug),
        slug: "claimed".to_owned(),
        title: "Claimed".to_owned(),
        source_path: None,
        source_digest: None,
        images: Vec::new(),
    };
    let operation = runner.plan(&new, Timestamp(0)).expect("it is written down");
    let facts = SendFacts {
        slug: "claimed".to_owned(),
        title: "Claimed".to_owned(),
        source_path: None,
        source_digest: None,
        sent_digest: None,
        normaliser: None,
        mark: None,
        expected: None,
    };
    let now = ichido_engine::Clock::moment(&*desk.clock, None);
    let together = Barrier::new(8);
    let won = std::thread::scope(|scope| {
        let claims: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    together.wait();
                    runner.begin_send(operation.op_id, &facts, &now).is_ok()
                })
            })
            .collect();
        claims.into_iter().map(|claim| claim.join().expect("it does not panic")).filter(|won| *won).count()
    });
    assert_eq!(won, 1);
    assert_eq!(desk.state("claimed"), State::Sending);
}
