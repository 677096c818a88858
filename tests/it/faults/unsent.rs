//! Requests that were proved not to have been executed, and connections (faults 11 to 13).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State, WaitReason};
use ichido_core::outcome::{Outcome, UnknownCause};
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use ichido_core::tally::{Ending, Pause};
use ichido_engine::{Event, Step, Stop, WaitingFor};
use ichido_practice::{Fault, Kind as Request, Options, Permalinks, PracticeSite, Release, When};
use ichido_tests::{Desk, Site};
use ichido_wordpress::{Client, Credentials, DraftRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{CREATED, Comes, article, backstage, expect, register_hearing, register_one};
use crate::contract::on_every_site;

const WAITING: Comes =
    Comes { ending: Ending::Waiting, exit: 6, state: State::Waiting(WaitReason::CouldNotAsk), posts: 0 };

/// Tells the moment in which a draft is about to be sent.
fn is_draft(event: &Event) -> bool {
    matches!(event, Event::Step { step: Step::Draft, .. })
}

/// The listener goes between the look and the send, and the test waits until it has gone. On the practice site alone:
/// how a connection fails is the client's affair, and its kinds (name, handshake) are tested there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_11_a_refused_connection_leaves_the_article_waiting() {
    let (site, desk) = super::in_step(Release::V7_1).await;
    let folder = article(&desk, "記事");
    let Site::Practice { site, release, permalinks } = site else { panic!("a practice site") };
    let (handle, accounts, url) = (site.handle(), site.accounts().to_vec(), site.url().to_owned());
    let port: u16 = url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let running = Arc::new(Mutex::new(Some(site)));
    let going = Arc::clone(&running);
    let report = register_hearing(&desk, std::slice::from_ref(&folder), None, move |event| {
        if is_draft(event) {
            drop(going.lock().expect("nobody panicked").take());
            while std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                std::thread::yield_now();
            }
        }
    })
    .await;
    assert_eq!(report.tally.waiting, 1, "{report:?}");
    assert_eq!(desk.state("記事"), WAITING.state, "{report:?}");
    assert_eq!((report.exit_status(), report.pause), (6, Some(Pause::Unreachable)), "{report:?}");
    assert!(!desk.record("記事").standing.may_have_left, "proved not sent");
    assert!(handle.creates_by_operation().is_empty());
    let waits = desk
        .heard
        .lock()
        .expect("nobody panicked")
        .iter()
        .filter(|event| matches!(event, Event::Waiting { .. }))
        .count();
    assert!(waits >= 1, "it backs off before it asks again");
    // The site comes back.
    let options = Options { port, accounts, release, permalinks, ..Options::default() };
    let site = PracticeSite::start(options).await.expect("the port is free again");
    let site = Site::Practice { site, release, permalinks: Permalinks::Pretty };
    let report = register_one(&desk, &folder).await;
    expect(&site, &desk, &report, "記事", CREATED).await;
    assert_eq!(site.creates(), 1);
}

/// The door shuts between the look and the send: connections that are open are served, none is made. On the practice
/// site alone: how a connection fails is the client's affair.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_11_a_send_that_cannot_leave_is_tried_six_times_with_growing_waits() {
    let (site, desk) = super::in_step(Release::V7_1).await;
    let folder = article(&desk, "記事");
    let Site::Practice { site: practice, .. } = &site else { panic!("a practice site") };
    let port: u16 = practice.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
        if is_draft(event) {
            practice.shut_the_door();
            while std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                std::thread::yield_now();
            }
        }
    })
    .await;
    assert_eq!((report.tally.waiting, report.exit_status()), (1, 6), "{report:?}");
    assert_eq!(report.pause, Some(Pause::Unreachable), "{report:?}");
    let waits: Vec<u64> = desk
        .heard
        .lock()
        .expect("nobody panicked")
        .iter()
        .filter_map(|event| {
            let Event::Waiting { for_ms, why: WaitingFor::Site } = event else { return None };
            Some(*for_ms)
        })
        .collect();
    assert_eq!(waits, [1000, 2000, 4000, 8000, 16_000], "five attempts more, and no random in a test");
    assert_eq!(desk.state("記事"), WAITING.state);
    assert!(!desk.record("記事").standing.may_have_left, "proved not sent");
    let history = desk.journal().history_of(desk.record("記事").op_id).expect("a history");
    assert_eq!(history.iter().filter(|entry| entry.code == "begin_send").count(), 6);
    assert_eq!(site.creates(), 0);
}

/// On the practice site alone: silence of a whole site.
#[tokio::test]
async fn fault_11_what_is_waited_for_is_told_and_a_stop_ends_a_look_at_once() {
    let (site, desk) = super::in_step(Release::V7_1).await;
    article(&desk, "one");
    article(&desk, "two");
    let stop = Stop::default();
    let asked = stop.clone();
    backstage(&site).expect("a practice site").watch(move |request| {
        (request.kind == Request::LookUp).then(|| {
            asked.request();
            Fault::SilenceBeforeCommit
        })
    });
    let report =
        desk.register_until(std::slice::from_ref(&desk.articles), &stop).await.expect("the batch ends");
    // Had the look gone on, it would have ended in a time-out and a paused site.
    assert_eq!((report.tally.waiting, report.pause, report.exit_status()), (2, None, 6), "{report:?}");
    for slug in ["one", "two"] {
        assert_eq!(desk.state(slug), State::Waiting(WaitReason::Stopped));
    }
    backstage(&site).expect("a practice site").watch(|_| None);
    site.inject(When::ANY, Fault::RefuseLookups(1));
    let report = desk.register().await;
    assert_eq!((report.tally.created, report.exit_status()), (2, 0), "{report:?}");
    let heard = desk.heard.lock().expect("nobody panicked");
    let told = |event: &&Event| matches!(event, Event::Waiting { why: WaitingFor::Site, .. });
    assert_eq!(heard.iter().filter(told).count(), 1, "the look that was repeated");
}

#[tokio::test]
async fn fault_11_a_site_that_cannot_be_reached_at_all_halts_nothing() {
    let (site, desk) = super::in_step(Release::V6_1).await;
    let folder = article(&desk, "記事");
    drop(site);
    let report = register_one(&desk, &folder).await;
    assert_eq!((report.tally.waiting, report.exit_status()), (1, 6), "{report:?}");
    assert_eq!(report.pause, Some(Pause::Unreachable));
}

/// On real WordPress by a plugin, since the file that switches maintenance on would meet every site of its version.
const MAINTENANCE: &str =
    "if ($_SERVER['REQUEST_METHOD'] === 'POST' && strpos($_SERVER['REQUEST_URI'], '/wp-json/') === 0) {
    http_response_code(503);
    header('Retry-After: 600');
    header('Content-Type: text/html');
    echo 'Briefly unavailable for scheduled maintenance. Check back in a minute.';
    exit;
}";

on_every_site! {
    async fn fault_11_maintenance_proves_that_nothing_was_executed(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
            if is_draft(event) {
                match (backstage(site), site.real()) {
                    (Some(handle), _) => handle.maintenance(true),
                    (None, Some(real)) => real.install_plugin("maintenance", MAINTENANCE),
                    (None, None) => panic!("a site is one or the other"),
                }
            }
        })
        .await;
        let waiting = Comes { state: State::Waiting(WaitReason::Maintenance), ..WAITING };
        expect(site, &desk, &report, "記事", waiting).await;
        assert_eq!(report.pause, Some(Pause::Maintenance));
        assert!(!desk.record("記事").standing.may_have_left);
        match (backstage(site), site.real()) {
            (Some(handle), _) => handle.maintenance(false),
            (None, Some(real)) => real.remove_plugin("maintenance"),
            (None, None) => panic!("a site is one or the other"),
        }
        site.forget_requests();
        // The one request before was proved not to have been executed.
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
    }

    // The servers close each connection after its answer, or keep it as they like: creating asks for a fresh one.
    async fn fault_12_connections_that_the_server_closed_swallow_nothing(site: &Site) {
        let desk = Desk::at(site).await;
        for slug in ["one", "two", "three"] {
            article(&desk, slug);
        }
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (3, 0), "{report:?}");
        for slug in ["one", "two", "three"] {
            expect(site, &desk, &report, slug, CREATED).await;
        }
        assert_eq!(site.creates(), 3);
    }
}

/// A server that speaks HTTP/2 although nobody asked for it; neither kind of site can.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "there is no journal here")]
async fn fault_13_a_server_that_goes_away_in_http_2_is_not_asked_a_second_time() {
    const GOAWAY: &[u8] = &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
    const REFUSED_STREAM: &[u8] = &[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7];
    for frame in [GOAWAY, REFUSED_STREAM] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a loopback port is free");
        let root = format!("http://{}/wp-json/", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("it connects");
            let mut head = Vec::new();
            while !head.windows(4).any(|window| window == b"\r\n\r\n") {
                assert_ne!(stream.read_buf(&mut head).await.expect("it sends"), 0);
            }
            stream.write_all(frame).await.expect("it reads");
            drop(stream);
            (String::from_utf8_lossy(&head).into_owned(), listener)
        });
        let credentials = Credentials::new("author", &"a password".into()).expect("they can be sent");
        let client = Client::new(&root, credentials, ichido_wordpress::Options::default()).expect("a root");
        let op_id = OpId::new(uuid::Uuid::now_v7());
        let request = DraftRequest {
            slug: Slug::sanitise("a").expect("a slug"),
            title: "A".into(),
            excerpt: String::new(),
            content: "x".into(),
            tags: Vec::new(),
            categories: Vec::new(),
            featured_media: None,
        };
        let sent = client.create_draft(SendPermit::after_durable_commit(op_id, Kind::Post), &request).await;
        assert!(matches!(sent.outcome, Outcome::Unknown(UnknownCause::ConnectionLost)), "{sent:?}");
        let (head, listener) = serving.await.expect("it serves");
        assert!(head.starts_with("POST ") && head.contains(" HTTP/1.1\r\n"), "{head}");
        let second = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
        assert!(second.is_err(), "nothing else connects");
    }
}
