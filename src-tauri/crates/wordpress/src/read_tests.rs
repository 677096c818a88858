use std::collections::HashSet;

use super::*;
use crate::scripted::{Act, Scripted, client, client_at, json, parameter};

async fn ask(server: &Scripted) -> Result<Got<Value>, AskError> {
    client(server).get("/wp/v2/posts", &Query::default()).await
}

fn say(answer: String) -> Act {
    Act::Say(answer.into_bytes())
}

#[tokio::test]
async fn a_question_names_our_user_and_passes_caches_by() {
    let server = Scripted::site(|_| json(200, "X-WP-Total: 5\r\n", "[]")).await;
    let client = client(&server);
    for _ in 0..2 {
        let got: Got<Value> =
            client.get("/wp/v2/posts", &Query::default().with("context", "edit")).await.unwrap();
        assert_eq!((got.total, got.site_time), (Some(5), Some(Timestamp(1_796_083_200_000))));
    }
    let seen = server.seen();
    assert!(seen[0].contains("authorization: Basic YW5uOmFiY2RlZmdo\r\n"), "{}", seen[0]);
    assert!(seen[0].contains("accept: application/json\r\n"));
    let unused: HashSet<_> = seen.iter().map(|request| parameter(request, "exclude").unwrap()).collect();
    assert_eq!(unused.len(), 2);
    assert!(unused.iter().all(|id| id.parse::<u64>().unwrap() >= ids::UNUSED_FROM));
}

#[tokio::test]
async fn failures_that_pass_are_asked_again_and_no_others() {
    let fine = || say(json(200, "", "1"));
    for (act, asked) in [
        (Act::ReadThenClose, 2),
        (Act::ReadThenReset, 2),
        (say(json(500, "", "{}")), 2),
        (say(json(504, "", "<html>")), 2),
        (say(json(503, "", "")), 2),
        (say(json(503, "Retry-After: 7\r\n", "")), 1),
        (say(json(429, "", "")), 1),
        (say(json(404, "", "{}")), 1),
        (say(json(301, "Location: /x\r\n", "")), 1),
        (say(json(200, "", "<html>")), 1),
    ] {
        let server = Scripted::acts([act, fine()]).await;
        let result = ask(&server).await;
        assert_eq!((server.lines().len(), result.is_ok()), (asked, asked == 2));
    }
}

#[tokio::test]
async fn asking_again_ends() {
    let server = Scripted::site(|_| json(500, "", "{}")).await;
    assert!(matches!(ask(&server).await, Err(AskError::Status { status: 500, .. })));
    assert_eq!(server.lines().len(), 3);
}

#[tokio::test]
async fn each_refusal_has_its_meaning() {
    use ichido_core::evidence::AskFailure as Is;
    let forbidden_status = r#"{"code":"rest_invalid_param","data":{"status":400,"details":{"status":{"code":"rest_forbidden_status"}}}}"#;
    for (status, headers, body, failure, wait) in [
        (401, "", r#"{"code":"rest_not_logged_in"}"#, Is::NotOurUser, None),
        (400, "", forbidden_status, Is::NotOurUser, None),
        (400, "", r#"{"code":"rest_invalid_param"}"#, Is::Status(400), None),
        (403, "", "<html>", Is::Forbidden, None),
        (404, "", "{}", Is::Status(404), None),
        (302, "Location: https://elsewhere.example/\r\n", "", Is::Redirected, None),
        (429, "Retry-After: 120\r\n", "", Is::RateLimited, Some(120)),
        (429, "Retry-After: 999999\r\n", "", Is::RateLimited, Some(3600)),
        (429, "Retry-After: Tue, 01 Dec 2026 00:01:30 GMT\r\n", "", Is::RateLimited, Some(90)),
        (429, "Retry-After: soon\r\n", "", Is::RateLimited, Some(DEFAULT_WAIT_S)),
        (503, "Retry-After: 600\r\n", r#"{"code":"wp_die"}"#, Is::Maintenance, Some(600)),
        (503, "Retry-After: 5\r\n", "", Is::RateLimited, Some(5)),
        (200, "", "{\"a\":", Is::Unreadable, None),
        (200, "X-LiteSpeed-Cache: hit\r\n", "[]", Is::CacheHit, None),
        (200, "CF-Cache-Status: HIT\r\n", "[]", Is::CacheHit, None),
        (200, "X-Cache: HIT from proxy\r\n", "[]", Is::CacheHit, None),
        (404, "Age: 3\r\n", "{}", Is::CacheHit, None),
    ] {
        let server = Scripted::site(move |_| json(status, headers, body)).await;
        let error = ask(&server).await.err().unwrap();
        assert_eq!((error.failure(), error.retry_after_s()), (failure, wait), "{status} {headers}{body}");
    }
}

#[tokio::test]
async fn caches_that_missed_are_no_obstacle() {
    for headers in ["Age: 0\r\n", "X-Cache: MISS\r\n", "CF-Cache-Status: DYNAMIC\r\n"] {
        let server = Scripted::site(move |_| json(200, headers, "[]")).await;
        assert!(ask(&server).await.is_ok(), "{headers}");
    }
}

#[tokio::test]
async fn an_answer_that_may_be_cached_is_none_where_the_site_forbids_it() {
    let open = |status| say(json(status, "", "[]").replace("Cache-Control: no-cache\r\n", ""));
    let server = Scripted::acts([
        open(200),
        say(json(200, "", "[]")),
        open(200),
        open(404),
        open(401),
        say(json(404, "", "[]")),
    ])
    .await;
    let client = client(&server);
    let mut failures = Vec::new();
    for _ in 0..6 {
        let result: Result<Got<Value>, _> = client.get("/wp/v2/posts", &Query::default()).await;
        failures.push(result.err().map(|error| error.failure().as_str()));
    }
    assert_eq!(
        failures,
        [None, None, Some("cache_hit"), Some("cache_hit"), Some("not_our_user"), Some("status")]
    );
}

#[tokio::test]
async fn a_byte_order_mark_is_passed_over_and_other_text_is_not() {
    let server = Scripted::acts([say(json(200, "", "\u{feff}[1]")), say(json(200, "", "Notice[1]"))]).await;
    assert!(ask(&server).await.is_ok());
    let error = ask(&server).await.err().unwrap();
    assert_eq!(error.failure().as_str(), "unreadable");
    assert!(!format!("{error:?}").contains("Notice"));
}

#[tokio::test]
async fn no_error_shows_the_password_or_the_address() {
    let client = client_at("http://127.0.0.1:1/canary/");
    let error = client.get::<Value>("/x", &Query::default()).await.err().unwrap();
    let shown = format!("{error:?} {client:?}").replace("http://127.0.0.1:1/canary/", "");
    // The client itself shows its root, which is no secret.
    for secret in ["abcdefgh", "YW5uOmFiY2RlZmdo"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(!format!("{error:?}").contains("canary"), "{error:?}");
}

#[test]
fn waits_are_lengthened_by_a_quarter_at_most() {
    let wait = Duration::from_secs(8);
    for _ in 0..1000 {
        assert!(jitter(wait) < wait / 4);
    }
}

#[tokio::test]
async fn a_wait_is_told_and_hurry_ends_it() {
    let server = Scripted::site(|_| json(502, "", "<html>")).await;
    let mut client = client(&server);
    client.options.back_off = vec![Duration::from_secs(3600)];
    let mut waits = client.waits();
    let asked = async { client.get::<Value>("/x", &Query::default()).await };
    let ear = async {
        waits.changed().await.unwrap();
        let told = *waits.borrow();
        client.hurry();
        told
    };
    let (answer, told) = tokio::join!(asked, ear);
    assert!(matches!(answer, Err(AskError::Status { status: 502, .. })), "{:?}", answer.err());
    assert!(told.is_some_and(|wait| wait >= Duration::from_secs(3600)), "{told:?}");
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn hurry_gives_up_the_look_under_way_and_later_ones_are_asked_once() {
    let server = Scripted::acts([Act::ReadThenSilence, say(json(500, "", "{}"))]).await;
    let client = client(&server);
    let asked = async { client.get::<Value>("/x", &Query::default()).await };
    let hurry = async {
        while server.lines().is_empty() {
            tokio::task::yield_now().await;
        }
        client.hurry();
    };
    let (answer, ()) = tokio::join!(asked, hurry);
    assert!(matches!(answer, Err(AskError::BrokenOff)), "{:?}", answer.err());
    let answer = client.get::<Value>("/x", &Query::default()).await;
    assert!(matches!(answer, Err(AskError::Status { status: 500, .. })), "{:?}", answer.err());
    assert_eq!(server.lines().len(), 2);
}
