use secrecy::ExposeSecret as _;

use super::*;

async fn asking(site: &str) -> (Asking, String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let path = "/a-path-nobody-knows".to_owned();
    let listening =
        Listening { listener, host: host.clone(), path: path.clone(), site: Url::parse(site).unwrap() };
    (Asking { page: String::new(), listening: Some(listening) }, host, path)
}

/// Sends bytes, and returns what came back.
async fn send(host: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).await.unwrap();
    // A listener that turned away may have closed already.
    drop(stream.write_all(bytes).await);
    drop(stream.shutdown().await);
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer).await);
    String::from_utf8_lossy(&answer).into_owned()
}

async fn get(host: &str, target: &str) -> String {
    send(host, format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).await
}

const GOOD: &str = "site_url=https%3A%2F%2Fa.example%2Fblog&user_login=ann&password=abcd%20EFGH";

#[tokio::test]
async fn the_one_answer_is_taken_and_the_password_stands_in_no_address_after_it() {
    let (asking, host, path) = asking("https://a.example/blog").await;
    let waiting = tokio::spawn(asking.granted());
    let answer = get(&host, &format!("{path}?{GOOD}")).await;
    assert!(answer.starts_with("HTTP/1.1 303 ") && answer.contains("Location: /done\r\n"), "{answer}");
    assert!(
        !answer.contains("EFGH") && answer.contains("no-store") && answer.contains("no-referrer"),
        "{answer}"
    );
    let granted = waiting.await.unwrap().unwrap();
    assert_eq!((granted.user.as_str(), granted.password.expose_secret()), ("ann", "abcd EFGH"));
    assert!(!format!("{granted:?}").contains("EFGH"));
    assert!(get(&host, "/done").await.starts_with("HTTP/1.1 200 "), "the browser is led to a page");
    let again = get(&host, &format!("{path}?{GOOD}")).await;
    assert!(again.starts_with("HTTP/1.1 404 "), "one shot: {again}");
}

#[tokio::test]
async fn what_is_not_the_answer_is_turned_away_and_waiting_goes_on() {
    let (asking, host, path) = asking("https://a.example/blog").await;
    let waiting = tokio::spawn(asking.granted());
    let good = format!("{path}?{GOOD}");
    let huge = format!("GET {path}?{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(3 * LONGEST_REQUEST));
    for wrong in [
        format!("GET /?{GOOD} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET {path}/x?{GOOD} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("POST {good} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET {good} HTTP/1.1\r\nHost: rebound.example\r\n\r\n"),
        format!("GET {good} HTTP/1.1\r\nHost: {host}\r\nHost: rebound.example\r\n\r\n"),
        format!("GET {good} HTTP/1.1\r\n\r\n"),
        "GET\r\n\r\n".to_owned(),
        "\u{0}\u{1}\u{2}".to_owned(),
        String::new(),
        huge,
    ] {
        let answer = send(&host, wrong.as_bytes()).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 404 "), "{wrong:?}: {answer}");
        assert!(!waiting.is_finished(), "{wrong:?}");
    }
    get(&host, &good).await;
    assert_eq!(waiting.await.unwrap().unwrap().user, "ann");
}

#[tokio::test]
async fn a_refusal_and_an_answer_for_another_site_are_told() {
    for (query, other) in [
        ("success=false", false),
        ("user_login=ann&password=x", false),
        ("", false),
        ("site_url=https%3A%2F%2Fb.example&user_login=ann&password=x", true),
        ("site_url=https%3A%2F%2Fa.example%3A8443%2Fblog&user_login=ann&password=x", true),
        ("site_url=nowhere&user_login=ann&password=x", true),
    ] {
        let (asking, host, path) = asking("https://a.example/blog/").await;
        let waiting = tokio::spawn(asking.granted());
        let answer = get(&host, &format!("{path}?{query}")).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let told = waiting.await.unwrap();
        assert!(
            matches!(
                (&told, other),
                (Err(AuthorizeError::OtherSite), true) | (Err(AuthorizeError::Rejected), false)
            ),
            "{query}: {told:?}"
        );
    }
}

#[tokio::test]
async fn waiting_that_is_given_up_closes_the_port() {
    let (asking, host, _) = asking("https://a.example").await;
    let waiting = tokio::spawn(asking.granted());
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert!(TcpStream::connect(&host).await.is_err());
}
