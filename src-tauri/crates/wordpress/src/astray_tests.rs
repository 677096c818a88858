//! Sites that send us elsewhere, or say that elsewhere is where one logs in. The password goes to the scheme, host and
//! port that were set, and there in one header alone; nothing at all goes anywhere else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::outcome::Outcome;
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::scripted::{Scripted, client_at};
use crate::{
    Attach, Class, Client, DraftRequest, MediaFacts, Options, Scope, Taxonomy, TermRequest, UploadRequest,
    discover,
};

/// What [`client_at`] sends as its user, in the form in which it is sent.
const TOKEN: &str = "YW5uOmFiY2RlZmdo";
const PASSWORD: &str = "abcdefgh";

/// Another server, which counts whoever comes.
struct Elsewhere {
    host: String,
    came: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Elsewhere {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let came = Arc::new(AtomicUsize::new(0));
        let counted = came.clone();
        let task = tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { host, came, task }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer that leads away: its status, its headers, and its body. `OTHER` is another server, `OWN` the host that
/// was asked, `PORT` its port.
type Lure = (u16, &'static str, &'static str);

const LURES: &[Lure] = &[
    // Redirects to another host.
    (300, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (301, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (302, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (303, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (304, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (305, "Location: http://OTHER/", ""),
    (306, "Location: http://OTHER/", ""),
    (307, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (308, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    (399, "Location: http://OTHER/wp-json/wp/v2/posts", ""),
    // In other words.
    (307, "Location: //OTHER/wp-json/wp/v2/posts", ""),
    (307, "Location: \\\\OTHER\\wp-json\\wp\\v2\\posts", ""),
    (307, "Location: /\\OTHER/wp-json/wp/v2/posts", ""),
    (307, "Location: http:\\\\OTHER/wp-json", ""),
    (307, "Location: http:/OTHER/wp-json", ""),
    (307, "Location:\thttp://OTHER/wp-json", ""),
    (307, "Location: HTTP://OTHER/wp-json", ""),
    (307, "Location: http://ann:abcdefgh@OTHER/wp-json", ""),
    (307, "Location: http://OWN@OTHER/wp-json", ""),
    (307, "Location: http://OTHER#@OWN/wp-json", ""),
    (307, "Location: http://OTHER\r\nLocation: http://OWN/wp-json/", ""),
    (307, "Location: http://OWN/wp-json/\r\nLocation: http://OTHER/", ""),
    (307, "Location: ftp://OTHER/", ""),
    (307, "Location: ws://OTHER/", ""),
    (307, "Location: file:///etc/passwd", ""),
    (307, "Location: data:text/html,x", ""),
    (307, "URI: http://OTHER/\r\nRefresh: 0; url=http://OTHER/", ""),
    // The same computer by another name, port or scheme, and the same site: not followed either.
    (301, "Location: http://localhost:PORT/wp-json/wp/v2/posts", ""),
    (302, "Location: http://localhost:PORT/wp-json/wp/v2/posts", ""),
    (307, "Location: http://localhost:PORT/wp-json/wp/v2/posts", ""),
    (308, "Location: http://127.1:PORT/wp-json/wp/v2/posts", ""),
    (308, "Location: http://2130706433:PORT/wp-json/wp/v2/posts", ""),
    (308, "Location: http://[::ffff:127.0.0.1]:PORT/wp-json/wp/v2/posts", ""),
    (308, "Location: https://OWN/wp-json/wp/v2/posts", ""),
    (308, "Location: http://OWN/wp-json/wp/v2/posts", ""),
    (307, "Location: /wp-json/wp/v2/posts", ""),
    (307, "Location: ?again", ""),
    (307, "Location: ", ""),
    // Questions for credentials.
    (401, "WWW-Authenticate: Basic realm=\"x\"", r#"{"code":"rest_not_logged_in"}"#),
    (401, "WWW-Authenticate: Basic realm=\"x\"\r\nLocation: http://OTHER/", ""),
    (401, "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\", domain=\"http://OTHER/\"", ""),
    (401, "WWW-Authenticate: NTLM", ""),
    (401, "WWW-Authenticate: Negotiate", ""),
    (401, "WWW-Authenticate: Bearer authorization_uri=\"http://OTHER/\"", ""),
    (403, "WWW-Authenticate: Basic realm=\"http://OTHER/\"", "<form action='http://OTHER/'>"),
    (407, "Proxy-Authenticate: Basic realm=\"x\"\r\nVia: 1.1 OTHER", ""),
    (511, "Location: http://OTHER/login", "<meta http-equiv=refresh content='0;url=http://OTHER/'>"),
    (200, "WWW-Authenticate: Basic realm=\"x\"\r\nSet-Cookie: a=b; Domain=OTHER", "[]"),
    (421, "Location: http://OTHER/", ""),
    // Addresses of elsewhere in answers that are fine.
    (
        200,
        "X-WP-Total: 500\r\nX-WP-TotalPages: 5\r\nLink: <http://OTHER/wp-json/wp/v2/posts?page=2>; rel=\"next\"",
        "[]",
    ),
    (200, "Link: <http://OTHER/wp-json/>; rel=\"https://api.w.org/\"", "[]"),
    (200, "Link: <http://OTHER/a.css>; rel=preload; as=style", "[]"),
    (200, "Content-Location: http://OTHER/\r\nX-Accel-Redirect: http://OTHER/", "[]"),
    (200, "Alt-Svc: http/1.1=\"OTHER\"; ma=999999; persist=1", "[]"),
    (
        200,
        "X-WP-Total: 1\r\nX-WP-Nonce: x\r\nX-WP-Root: http://OTHER/",
        r#"[{"id":7,"slug":"a","status":"draft","_links":{"self":[{"href":"http://OTHER/wp-json/wp/v2/posts/7"}]}}]"#,
    ),
    (
        200,
        "X-WP-Total: 1\r\nX-WP-Upload-Attachment-ID: 8",
        r#"[{"id":8,"slug":"a","status":"inherit","source_url":"http://OTHER/a.png","guid":{"raw":"http://OTHER/a.png"},"link":"http://OTHER/"}]"#,
    ),
    (200, "Content-Type: application/vnd.api+json; profile=\"http://OTHER/\"", "[]"),
    (200, "X-HTTP-Method-Override: PUT\r\nX-Original-URL: http://OTHER/", "[]"),
    (
        201,
        "Location: http://OTHER/wp-json/wp/v2/posts/7",
        r#"{"id":7,"type":"post","slug":"a","status":"draft","link":"http://OTHER/?p=7"}"#,
    ),
    (201, "Location: http://OTHER/wp-json/wp/v2/posts/7", "{\"id\":7,\"type\":"),
    (201, "Location: http://localhost:PORT/wp-json/wp/v2/media/8\r\nX-WP-Upload-Attachment-ID: 8", ""),
    (
        201,
        "X-WP-Upload-Attachment-ID: http://OTHER/8",
        r#"{"id":8,"type":"attachment","slug":"a","status":"inherit","source_url":"http://OTHER/a.png"}"#,
    ),
    (201, "X-WP-Upload-Attachment-ID: 8@OTHER", ""),
    (500, "X-WP-Upload-Attachment-ID: 8\r\nLocation: http://OTHER/", ""),
    (
        400,
        "",
        r#"{"code":"term_exists","message":"<a href='http://OTHER/'>","data":{"status":400,"term_id":3,"redirect":"http://OTHER/"}}"#,
    ),
    (503, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nLocation: http://OTHER/", ""),
    // Before the answer.
    (103, "Link: <http://OTHER/>; rel=preconnect\r\n\r\nHTTP/1.1 302 X\r\nLocation: http://OTHER/", ""),
    (103, "Location: http://OTHER/\r\n\r\nHTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"", ""),
    (101, "Connection: Upgrade\r\nUpgrade: h2c", ""),
    (101, "Connection: Upgrade\r\nUpgrade: websocket\r\nLocation: ws://OTHER/", ""),
];

async fn site(lure: Lure, elsewhere: &Elsewhere) -> Scripted {
    let other = elsewhere.host.clone();
    Scripted::site(move |request| {
        let own = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        let filled = |text: &str| {
            text.replace("OTHER", &other)
                .replace("OWN", own)
                .replace("PORT", own.rsplit(':').next().unwrap_or_default())
        };
        let (status, headers, body) = (lure.0, filled(lure.1), filled(lure.2));
        let end = if headers.is_empty() { "" } else { "\r\n" };
        format!(
            "HTTP/1.1 {status} X\r\n{headers}{end}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    })
    .await
}

#[expect(clippy::disallowed_methods, reason = "a test has no journal")]
fn permit(kind: Kind) -> SendPermit {
    SendPermit::after_durable_commit(OpId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap(), kind)
}

/// Asks for everything that can be asked for.
async fn look(client: &Client, elsewhere: &Elsewhere) {
    let (slug, id) = (Slug::sanitise("a").unwrap(), RemoteId(7));
    client.identify().await.ok();
    for class in [Class::Posts, Class::Media] {
        client.newest_id(class, Scope::All).await.ok();
        client.above(class, RemoteId(1), Scope::Mine(2)).await.ok();
        client.by_slugs(class, std::slice::from_ref(&slug)).await.ok();
        client.by_live_slugs(class, std::slice::from_ref(&slug)).await.ok();
        client.by_ids(class, &[id]).await.ok();
        client.search(class, permit(Kind::Post).op_id()).await.ok();
    }
    client.terms(Taxonomy::Tag, &["x".to_owned()]).await.ok();
    client.used_terms(Taxonomy::Category).await.ok();
    client.defers_sizes().await.ok();
    for source_url in [
        format!("http://{}/a.png", elsewhere.host),
        format!("//{}/a.png", elsewhere.host),
        format!("http://ann@{}/a.png", elsewhere.host),
    ] {
        let media = MediaFacts { source_url, ..MediaFacts::default() };
        assert_eq!(client.uploaded_file(&media, 100).await, None);
    }
}

/// Sends everything that can be sent.
async fn send(client: &Client) -> Vec<Outcome> {
    let slug = Slug::sanitise("a").unwrap();
    let draft = DraftRequest {
        slug: slug.clone(),
        title: "T".into(),
        excerpt: String::new(),
        content: "x".into(),
        tags: vec![],
        categories: vec![],
        featured_media: None,
    };
    let upload = UploadRequest {
        bytes: Bytes::from_static(b"x"),
        file_name: "a.png".into(),
        mime: "image/png".into(),
        slug,
        title: "T".into(),
        alt_text: String::new(),
        caption: String::new(),
        private: false,
        md5_hex: "0123456789abcdef0123456789abcdef".into(),
        defer_sizes: false,
    };
    let attach = Attach { media: RemoteId(8), post: RemoteId(7), publish: false };
    let term = TermRequest { taxonomy: Taxonomy::Tag, name: "x".into(), parent: 0 };
    vec![
        client.create_draft(permit(Kind::Post), &draft).await.outcome,
        client.upload_image(permit(Kind::Image), &upload).await.outcome,
        client.attach(permit(Kind::Attach), attach).await.outcome,
        client.post_process(permit(Kind::PostProcess), RemoteId(8)).await.outcome,
        client.create_term(permit(Kind::Term), &term).await.outcome,
    ]
}

/// What was sent to a site names that site, and holds the password in the one header where it belongs.
#[track_caller]
fn assert_kept(server: &Scripted, lure: &Lure) {
    for request in server.seen() {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let hosts: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix("host: ")).collect();
        assert_eq!(hosts, [server.host.as_str()], "{lure:?}");
        let first = head.lines().next().unwrap();
        assert!(first.split(' ').nth(1).is_some_and(|target| target.starts_with('/')), "{first}");
        for line in head.lines().chain(body.lines()) {
            let is_place = line == format!("authorization: Basic {TOKEN}");
            assert!(is_place || (!line.contains(TOKEN) && !line.contains(PASSWORD)), "{lure:?}: {line}");
        }
        for header in ["cookie:", "referer:", "proxy-authorization:", "origin:"] {
            assert!(!head.to_ascii_lowercase().contains(header), "{lure:?}: {head}");
        }
    }
}

#[tokio::test]
async fn no_answer_leads_the_password_elsewhere() {
    let elsewhere = Elsewhere::new().await;
    let distinct: std::collections::HashSet<&Lure> = LURES.iter().collect();
    assert!(distinct.len() == LURES.len() && LURES.len() >= 60, "{}", LURES.len());
    for lure in LURES {
        let server = site(*lure, &elsewhere).await;
        let client = client_at(&format!("http://{}/wp-json/", server.host));
        look(&client, &elsewhere).await;
        assert!(!server.seen().is_empty());
        assert_kept(&server, lure);

        let server = site(*lure, &elsewhere).await;
        let client = client_at(&format!("http://{}/wp-json/", server.host));
        let outcomes = send(&client).await;
        assert_kept(&server, lure);
        // One request each, whatever came back; an id alone is looked up on the site itself.
        let posted = server.lines().iter().filter(|line| line.starts_with("POST ")).count();
        assert_eq!(posted, outcomes.len(), "{lure:?}");
        for outcome in outcomes {
            let redirected = (300..=399).contains(&lure.0);
            assert!(!redirected || matches!(outcome, Outcome::Unknown(_)), "{lure:?}: {outcome:?}");
            assert!(!matches!(outcome, Outcome::NotSent(_)), "{lure:?}: {outcome:?}");
        }
        assert_eq!(elsewhere.came.load(Ordering::SeqCst), 0, "{lure:?}");
    }
    println!("proof: {} answers that lure elsewhere, to each kind of request", LURES.len());
}

#[tokio::test]
async fn finding_a_site_takes_no_password_along_and_goes_nowhere_else() {
    let elsewhere = Elsewhere::new().await;
    let index = |home: &str| {
        format!(
            r#"{{"namespaces":["wp/v2"],"home":"{home}","url":"{home}","authentication":{{"application-passwords":{{"endpoints":{{"authorization":"{home}/wp-admin/authorize-application.php"}}}}}}}}"#
        )
    };
    let of_another: &'static str = index("http://OTHER").leak();
    let of_another_name: &'static str = index("http://localhost:PORT").leak();
    let lures = LURES.iter().copied().chain([(200, "", of_another), (200, "", of_another_name)]);
    for lure in lures {
        let server = site(lure, &elsewhere).await;
        let found = discover(&server.host, &Options::default()).await;
        assert!(found.is_err(), "{lure:?}: {found:?}");
        let seen = server.seen().concat().to_ascii_lowercase();
        assert!(!seen.is_empty() && !seen.contains("authorization"), "{lure:?}: {seen}");
        assert_kept(&server, &lure);
        assert_eq!(elsewhere.came.load(Ordering::SeqCst), 0, "{lure:?}");
    }
}
