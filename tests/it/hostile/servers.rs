//! Sites whose answers never end, are larger than anything, or are none.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ichido_practice::{Account, Language, Options, PracticeSite, Role};
use ichido_tests::png;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::nasty::{ALL, Nasty};
use super::{MORE, Ran, program, run};

const PASSWORD: &str = "abcd EFGH ijkl MNOP qrst UVWX";
const USER: &str = "author";

/// The requests that are answered so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Nothing,
    Identity,
    LookUps,
    Upload,
    Draft,
}

impl At {
    fn fits(self, method: &str, target: &str) -> bool {
        let reads = method == "GET";
        let collection = |name: &str| target.starts_with(&format!("/wp-json/wp/v2/{name}?"));
        match self {
            At::Nothing => false,
            At::Identity => target.contains("/users/me"),
            At::LookUps => reads && (collection("posts") || collection("media")),
            At::Upload => method == "POST" && collection("media"),
            At::Draft => method == "POST" && collection("posts"),
        }
    }
}

/// Stands before a site, hands on what comes, and answers some of it itself.
struct Relay {
    root: String,
    /// How many creating requests came.
    creating: Arc<AtomicUsize>,
    /// How many requests it answered itself.
    spoilt: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Relay {
    async fn before(site: &PracticeSite, at: At, nasty: Nasty) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
        let root = format!("http://{}", listener.local_addr().expect("an address"));
        let host = site.url().trim_start_matches("http://").to_owned();
        let (creating, spoilt) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = (Arc::clone(&creating), Arc::clone(&spoilt));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (host, counts) = (host.clone(), counts.clone());
                // Whoever has had enough hangs up, which is no error here.
                tokio::spawn(async move { relay(stream, &host, at, nasty, &counts).await.ok() });
            }
        });
        Relay { root, creating, spoilt, task }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn relay(
    mut stream: TcpStream,
    host: &str,
    at: At,
    nasty: Nasty,
    (creating, spoilt): &(Arc<AtomicUsize>, Arc<AtomicUsize>),
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut words = text.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let length = text
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    let creates = method == "POST" && (At::Upload.fits(method, target) || At::Draft.fits(method, target));
    creating.fetch_add(usize::from(creates), Ordering::SeqCst);
    if at.fits(method, target) {
        spoilt.fetch_add(1, Ordering::SeqCst);
        return nasty.write(&mut stream).await;
    }
    // One request a connection, so that each is seen; and the site takes requests under its own name alone.
    let named = text.lines().find(|line| line.to_ascii_lowercase().starts_with("host: ")).unwrap_or_default();
    let named = text.replacen(named, &format!("Host: {host}"), 1);
    let closing = named.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    let mut site = TcpStream::connect(host).await?;
    site.write_all(&[closing.as_bytes(), &body].concat()).await?;
    tokio::io::copy(&mut site, &mut stream).await?;
    stream.shutdown().await
}

/// A computer with an article and a picture on it, and a site that was added in peace.
struct Computer {
    folder: TempDir,
    site: PracticeSite,
}

impl Computer {
    async fn new() -> Computer {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let article = folder.path().join("articles/first");
        std::fs::create_dir_all(&article).expect("a folder can be made");
        let text = "---\ntitle: First\nslug: first\n---\n\n![A picture](a.png)\n";
        std::fs::write(article.join("index.md"), text).expect("a file can be written");
        std::fs::write(article.join("a.png"), png(1)).expect("a file can be written");
        let accounts = vec![Account::new(USER, Role::Author, PASSWORD)];
        let options = Options { language: Language::English, accounts, ..Options::default() };
        let site = PracticeSite::start(options).await.expect("a loopback port is free");
        let computer = Computer { folder, site };
        let add = ["site", "add", "blog", computer.site.url(), "--user", USER];
        let added = computer.run(&add).await;
        assert_eq!(added.ended.status, Some(0), "{:?}", added.ended);
        computer
    }

    async fn run(&self, args: &[&str]) -> Ran {
        run(&self.folder, program(&self.folder, args).with("ICHIDO_PASSWORD", PASSWORD)).await
    }

    /// Registers by way of the relay.
    async fn register(&self, relay: &Relay) -> Ran {
        let path = self.folder.path().join("data/journal.sqlite3");
        let journal = rusqlite::Connection::open(path).expect("a journal");
        let changed = journal.execute("UPDATE sites SET rest_root = ?1 || '/wp-json/'", [&relay.root]);
        assert_eq!(changed.expect("a site"), 1);
        drop(journal);
        let articles = self.folder.path().join("articles");
        let articles = articles.to_str().expect("a folder with a plain name");
        self.run(&["register", articles, "--poll", "none", "--json"]).await
    }
}

/// The most memory that the run takes where nothing is wrong.
async fn in_peace() -> u64 {
    let computer = Computer::new().await;
    let relay = Relay::before(&computer.site, At::Nothing, ALL[0]).await;
    let ran = computer.register(&relay).await;
    assert_eq!(ran.ended.status, Some(0), "{:?}", ran.ended);
    assert_eq!((computer.site.handle().posts().len(), relay.creating.load(Ordering::SeqCst)), (1, 2));
    ran.peak_kib
}

/// Meets every such answer at this place: the exit status, and how many creating requests left.
#[expect(clippy::print_stdout, reason = "the figure is worth more than that it is small enough")]
async fn meets(at: At, status: i32, creating: usize) {
    let peace = in_peace().await;
    let mut worst = 0;
    for nasty in ALL {
        let computer = Computer::new().await;
        let relay = Relay::before(&computer.site, at, *nasty).await;
        let ran = computer.register(&relay).await;
        let about = format!("{nasty:?}").chars().take(200).collect::<String>();
        assert_eq!(ran.ended.status, Some(status), "{about}: {:?}", ran.ended);
        assert!(relay.spoilt.load(Ordering::SeqCst) > 0, "{about} was met");
        assert_eq!(relay.creating.load(Ordering::SeqCst), creating, "{about}");
        assert_eq!(computer.site.handle().posts().len(), 0, "{about}");
        let summary = ran.ended.summary();
        let unknown = usize::from(matches!(at, At::Draft));
        assert_eq!(
            (&summary["created"], &summary["unknown"]),
            (&0.into(), &unknown.into()),
            "{about}: {summary}"
        );
        let more = ran.peak_kib.saturating_sub(peace);
        assert!(more <= MORE, "{about}: {more} KiB more than the {peace} KiB in peace");
        worst = worst.max(more);
    }
    println!(
        "proof: {at:?}: at most {worst} KiB more than the {peace} KiB in peace, over {} answers",
        ALL.len()
    );
}

#[tokio::test]
async fn no_answer_to_who_we_are_fills_the_memory_or_lasts_for_ever() {
    meets(At::Identity, 6, 0).await;
}

#[tokio::test]
async fn no_answer_to_a_look_up_does_and_nothing_is_sent() {
    meets(At::LookUps, 6, 0).await;
}

#[tokio::test]
async fn no_answer_to_an_upload_does_and_it_is_sent_once() {
    meets(At::Upload, 3, 1).await;
}

#[tokio::test]
async fn no_answer_to_a_draft_does_and_it_is_sent_once() {
    meets(At::Draft, 3, 2).await;
}

/// A list that goes on for ever, each page of which is fine.
#[tokio::test]
async fn a_list_without_end_is_given_up() {
    let peace = in_peace().await;
    let computer = Computer::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let host = computer.site.url().trim_start_matches("http://").to_owned();
    let creating = Arc::new(AtomicUsize::new(0));
    let pages = tokio::spawn(endless_pages(listener, host, Arc::clone(&creating)));
    let relay = Relay { root, creating, spoilt: Arc::default(), task: pages };
    let ran = computer.register(&relay).await;
    assert_eq!(ran.ended.status, Some(6), "{:?}", ran.ended);
    assert_eq!(relay.creating.load(Ordering::SeqCst), 0);
    let more = ran.peak_kib.saturating_sub(peace);
    assert!(more <= MORE, "{more} KiB more than the {peace} KiB in peace");
}

/// Answers each list with a full page of rows and a count that no page reaches; the rest goes to the site.
async fn endless_pages(listener: TcpListener, host: String, creating: Arc<AtomicUsize>) {
    let number = Arc::new(AtomicUsize::new(0));
    while let Ok((stream, _)) = listener.accept().await {
        let (host, number, creating) = (host.clone(), Arc::clone(&number), Arc::clone(&creating));
        let answering = async move {
            let first = 8_000_000 - number.fetch_add(1, Ordering::SeqCst) * 100;
            let rows: Vec<String> = (0..100)
                .map(|row| format!(r#"{{"id":{},"slug":"a","status":"draft","author":2}}"#, first - row))
                .collect();
            let page = format!(
                "HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nX-WP-Total: 5000000\r\nConnection: close\r\n\r\n[{}]",
                rows.join(",")
            );
            let nasty = Nasty::Bytes(page.leak().as_bytes());
            relay(stream, &host, At::LookUps, nasty, &(creating, Arc::default())).await.ok()
        };
        tokio::spawn(answering);
    }
}
