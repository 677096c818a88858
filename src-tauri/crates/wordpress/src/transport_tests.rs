use std::time::Duration;

use reqwest::Method;

use super::*;
use crate::scripted::{Act, Scripted, json};

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(20);

fn options() -> Options {
    let timeouts =
        Timeouts { connect: LONG, write_idle: LONG, first_byte: LONG, read_idle: LONG, whole_answer: LONG };
    Options {
        creating: timeouts,
        reading: timeouts,
        answer_cap: 64 * 1024,
        error_cap: 1024,
        ..Options::default()
    }
}

async fn post(address: &str, body: Vec<u8>, options: &Options) -> Result<Answer, TransportError> {
    let wire = Wire::new(&Url::parse(address).unwrap(), options).unwrap();
    let request = Request::new(Method::POST, address.parse().unwrap());
    let bounds =
        Bounds { timeouts: options.creating, answer_cap: options.answer_cap, error_cap: options.error_cap };
    exchange(&wire.creating, request, vec![Bytes::from(body)], bounds).await
}

async fn post_to(server: &Scripted, options: &Options) -> Result<Answer, TransportError> {
    post(&format!("http://{}/x", server.host), b"hello".to_vec(), options).await
}

fn stage(result: Result<Answer, TransportError>) -> NotSent {
    match result {
        Err(TransportError::NotSent { stage, .. }) => stage,
        other => panic!("not proved unsent: {other:?}"),
    }
}

#[tokio::test]
async fn a_refused_connection_was_not_sent() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/x", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(stage(post(&address, b"x".to_vec(), &options()).await), NotSent::Connect);
}

#[tokio::test]
async fn an_unknown_name_was_not_sent() {
    // A label of this length is refused by the resolver itself, without asking anybody. The clients are those of
    // another address: the names of this computer are not asked for, and a proxy would resolve the others.
    let (options, unknown) = (options(), format!("http://{}.invalid/x", "a".repeat(64)));
    let wire = Wire::new(&Url::parse("http://127.0.0.1/").unwrap(), &options).unwrap();
    let request = Request::new(Method::POST, unknown.parse().unwrap());
    let bounds = Bounds { timeouts: options.creating, answer_cap: 1024, error_cap: 1024 };
    let result = exchange(&wire.creating, request, vec![Bytes::from_static(b"x")], bounds).await;
    assert_eq!(stage(result), NotSent::Dns);
}

#[tokio::test]
async fn a_handshake_that_fails_in_any_way_was_not_sent() {
    for act in [
        Act::CloseAtOnce,
        Act::ResetAtOnce,
        Act::SayAtOnce(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()),
        // A fatal alert.
        Act::SayAtOnce(vec![21, 3, 3, 0, 2, 2, 40]),
    ] {
        let server = Scripted::acts([act]).await;
        let result = post(&format!("https://{}/x", server.host), b"x".to_vec(), &options()).await;
        assert_eq!(stage(result), NotSent::Tls);
    }
}

#[tokio::test]
async fn a_handshake_without_an_answer_was_not_sent() {
    let server = Scripted::acts([Act::NeverRead]).await;
    let mut options = options();
    options.creating.connect = SHORT;
    let result = post(&format!("https://{}/x", server.host), b"x".to_vec(), &options).await;
    assert!(matches!(result, Err(TransportError::NotSent { .. })), "{result:?}");
}

#[tokio::test]
async fn once_connected_nothing_is_proved_unsent_and_nothing_is_sent_twice() {
    for act in [
        Act::CloseAtOnce,
        Act::ResetAtOnce,
        Act::ReadThenClose,
        Act::ReadThenReset,
        Act::Say(b"HTTP/1.1 2".to_vec()),
    ] {
        let server = Scripted::acts([act, Act::ReadThenClose, Act::ReadThenClose]).await;
        let result = post_to(&server, &options()).await;
        assert!(matches!(result, Err(TransportError::Lost(_))), "{result:?}");
        assert!(server.seen().len() <= 1, "{:?}", server.seen());
    }
}

#[tokio::test]
async fn silence_ends_after_the_wait_for_the_first_byte() {
    let server = Scripted::acts([Act::ReadThenSilence]).await;
    let mut options = options();
    options.creating.first_byte = SHORT;
    assert!(matches!(post_to(&server, &options).await, Err(TransportError::TimedOut)));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn an_upload_is_given_up_only_when_it_stands_still() {
    let server = Scripted::acts([Act::NeverRead]).await;
    let mut options = options();
    // More than all buffers on the way hold.
    let body = vec![0; 64 * 1024 * 1024];
    options.creating.write_idle = SHORT;
    options.creating.first_byte = Duration::from_secs(3600);
    let result = post(&format!("http://{}/x", server.host), body, &options).await;
    assert!(matches!(result, Err(TransportError::TimedOut)), "{result:?}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_head() {
    let head = "HTTP/1.1 201 X\r\nLocation: /wp/v2/posts/7\r\nContent-Length: 90\r\n\r\n{\"id\":";
    let server = Scripted::acts([Act::Say(head.into())]).await;
    let answer = post_to(&server, &options()).await.unwrap();
    assert_eq!((answer.status, answer.header("location")), (201, Some("/wp/v2/posts/7")));
    assert!(matches!(answer.body, Err(TransportError::Lost(_))), "{:?}", answer.body);
}

#[tokio::test]
async fn an_answer_is_bounded_in_size_and_time() {
    let head = b"HTTP/1.1 200 X\r\nContent-Length: 99999999999\r\n\r\n".to_vec();
    let server = Scripted::acts([
        Act::SayForEver(head.clone()),
        Act::SayThenSilence(head.clone()),
        Act::SayThenSilence(head),
    ])
    .await;
    let answer = post_to(&server, &options()).await.unwrap();
    assert!(matches!(answer.body, Err(TransportError::TooLong)), "{:?}", answer.body);

    let mut idle = options();
    idle.creating.read_idle = SHORT;
    let answer = post_to(&server, &idle).await.unwrap();
    assert!(matches!(answer.body, Err(TransportError::TimedOut)), "{:?}", answer.body);

    let mut whole = options();
    whole.creating.whole_answer = SHORT;
    let answer = post_to(&server, &whole).await.unwrap();
    assert!(matches!(answer.body, Err(TransportError::TooLong)), "{:?}", answer.body);
}

#[tokio::test]
async fn each_creating_request_has_a_connection_of_its_own_and_no_redirect_is_followed() {
    let moved =
        |status: u16| json(status, "Location: /elsewhere\r\n", "").replace("Connection: close\r\n", "");
    let server = Scripted::acts(
        [301, 302, 303, 307, 308].map(|status| Act::SayThenSilence(moved(status).into_bytes())),
    )
    .await;
    let wire = Wire::new(&Url::parse("http://127.0.0.1/").unwrap(), &options()).unwrap();
    for status in [301, 302, 303, 307, 308] {
        let request = Request::new(Method::POST, format!("http://{}/x", server.host).parse().unwrap());
        let bounds = Bounds { timeouts: options().creating, answer_cap: 1024, error_cap: 1024 };
        let answer = exchange(&wire.creating, request, vec![Bytes::from_static(b"x")], bounds).await.unwrap();
        assert_eq!(answer.status, status);
    }
    assert_eq!(server.lines(), vec!["POST /x HTTP/1.1"; 5]);
}

#[tokio::test]
async fn a_request_says_how_long_it_is_and_little_else() {
    let server = Scripted::acts([Act::Say(json(200, "", "{}").into_bytes())]).await;
    let answer = post_to(&server, &options()).await.unwrap();
    assert_eq!(answer.body.unwrap(), b"{}");
    let request = server.seen().remove(0).to_ascii_lowercase();
    assert!(
        request.contains("content-length: 5\r\n") && request.contains("accept: application/json\r\n"),
        "{request}"
    );
    for absent in ["transfer-encoding", "accept-encoding", "cookie", "referer", "authorization", "expect"] {
        assert!(!request.contains(absent), "{request}");
    }
}

#[tokio::test]
async fn an_error_shows_no_address() {
    let server = Scripted::acts([Act::ReadThenClose]).await;
    let address = format!("http://{}/canary-address?canary", server.host);
    let error = post(&address, b"x".to_vec(), &options()).await.unwrap_err();
    assert!(!format!("{error:?}{error}").contains("canary"), "{error:?}");
}
