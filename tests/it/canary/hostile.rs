//! A site that gives everything back that it was sent, where one would read it, print it or follow it.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// How a site echoes what it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Echo {
    /// An error of WordPress whose code and message hold it.
    Error(u16),
    /// A page with an error that holds it.
    Page(u16),
    /// A redirect to an address that holds it.
    Redirect(u16),
    /// Headers of other names hold it, and the status is a fine one.
    Headers,
    /// The facts about the user and about what was made hold it.
    Facts,
}

/// Those that are believed at once.
const ECHOES: [Echo; 8] = [
    Echo::Error(400),
    Echo::Error(401),
    Echo::Error(403),
    Echo::Page(403),
    Echo::Redirect(302),
    Echo::Redirect(308),
    Echo::Headers,
    Echo::Facts,
];

/// Answers everything in one way; the description of the site comes as it should.
async fn serve(listener: TcpListener, echo: Echo) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        tokio::spawn(answer(stream, echo));
    }
}

async fn answer(mut stream: TcpStream, echo: Echo) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).await? == 0 {
            return Ok(());
        }
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let field = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let sent = field("authorization").unwrap_or_default();
    let token = sent.trim_start_matches("Basic ").to_owned();
    let opened = BASE64_STANDARD.decode(&token).unwrap_or_default();
    let password = String::from_utf8_lossy(&opened).trim_start_matches(&format!("{USER}:")).to_owned();
    let home = format!("http://{}", field("host").unwrap_or_default());
    let mut length = field("content-length").and_then(|length| length.parse().ok()).unwrap_or(0_u64);
    let mut rest = [0; 4096];
    while length > 0 {
        let read = stream.read(&mut rest).await?;
        if read == 0 {
            return Ok(());
        }
        length = length.saturating_sub(read as u64);
    }
    let (status, headers, body) = if sent.is_empty() {
        let body = serde_json::json!({ "name": "Blog", "home": home, "url": home, "namespaces": ["wp/v2"],
            "routes": { "/wp/v2/posts": {} }, "authentication": {} });
        (200, format!("Link: <{home}/wp-json/>; rel=\"https://api.w.org/\"\r\n"), body.to_string())
    } else {
        match echo {
            Echo::Error(status) => {
                let body = serde_json::json!({ "code": format!("bad_{token}"), "message": format!("{sent} {password}"),
                    "data": { "status": status, "params": { "authorization": sent } } });
                (status, String::new(), body.to_string())
            }
            Echo::Page(status) => (status, String::new(), format!("<title>{sent}</title>{password}")),
            Echo::Redirect(status) => {
                (status, format!("Location: {home}/{token}?password={password}\r\n"), String::new())
            }
            Echo::Headers => (200, format!("X-Echo: {sent}\r\nX-Password: {password}\r\n"), "[]".to_owned()),
            Echo::Facts => {
                let body = serde_json::json!({ "id": 2, "name": password, "slug": USER, "username": USER, "roles": [token],
                    "capabilities": { "edit_posts": true, "upload_files": true } });
                (200, String::new(), body.to_string())
            }
        }
    };
    let answer = format!(
        "HTTP/1.1 {status} Echo\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// Sends a known site's requests to another address.
fn lead_astray(computer: &Computer, root: &str) {
    let journal =
        rusqlite::Connection::open(computer.folder.path().join("data/journal.sqlite3")).expect("a journal");
    let changed =
        journal.execute("UPDATE sites SET home = ?1, rest_root = ?1 || '/wp-json/'", [root]).expect("a site");
    assert_eq!(changed, 1);
}

/// Runs each command against each such site, and looks at all that it tells and leaves.
async fn gets_it_nowhere(echoes: &[Echo], commands: &[&str]) {
    let (site, computer) = (practice().await, Computer::new());
    computer.run(0, &["site", "add", "blog", site.url(), "--user", USER]).await;
    // Something in doubt, so that there is something to look for.
    let articles = computer.articles();
    site.handle().faults().push(When::next(Request::CreatePost), Fault::HideFromLookups(1000));
    site.handle().faults().push(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
    computer.run(3, &["register", &articles, "--create-tags", "--poll", "none"]).await;
    for echo in echoes {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
        let root = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(serve(listener, *echo));
        lead_astray(&computer, &root);
        for command in commands {
            let command = command.replace("ARTICLES", &articles).replace("ROOT", &root);
            let args: Vec<&str> = command.split(' ').collect();
            let ended = computer.program(&args).run().await;
            let place = format!("what {command:?} told about {echo:?}");
            computer.assert_unseen(&place, ended.stdout.as_bytes());
            computer.assert_unseen(&place, ended.stderr.as_bytes());
            computer.look_at_files();
            assert!(!ended.stderr.contains("panicked"), "{ended:?}");
            assert!(
                *echo == Echo::Facts || matches!(ended.status, Some(2 | 3 | 5 | 6)),
                "{command} {echo:?} {ended:?}"
            );
        }
        serving.abort();
    }
    assert_eq!(site.handle().posts().len(), 1);
}

const REGISTER: &str = "register ARTICLES --create-tags --poll none --json";

#[tokio::test]
async fn a_site_that_echoes_what_it_was_sent_gets_it_nowhere() {
    let add = "site add other ROOT --user author";
    gets_it_nowhere(&ECHOES, &["site check blog", REGISTER, "reconcile", "resolve first --look", add]).await;
}

#[tokio::test]
async fn nor_does_one_whose_errors_are_asked_again() {
    gets_it_nowhere(&[Echo::Error(500)], &[REGISTER]).await;
}

#[tokio::test]
async fn nor_does_one_whose_error_pages_are_asked_again() {
    gets_it_nowhere(&[Echo::Page(500)], &["reconcile"]).await;
}
