//! A password that would be noticed: whatever the program does with it, it stands in nothing that it writes, tells or is
//! started with, in no form in which it could be used.

mod hostile;

use std::process::Stdio;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use ichido_practice::{Account, Fault, Kind as Request, Language, Options, PracticeSite, Role, When};
use ichido_tests::png;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;

use crate::process::{Ended, Program, files_below};

/// As WordPress shows an application password.
const PASSWORD: &str = "cAnr yPa5 sW0r dThA tIsN ever";
const WRONG: &str = "wRnG yPa5 sW0r dThA tIsN ever";
const USER: &str = "author";

/// A computer of its own, with one article on it.
struct Computer {
    folder: TempDir,
    /// The forms in which the password could be used.
    forms: Vec<Vec<u8>>,
}

impl Computer {
    fn new() -> Computer {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let article = folder.path().join("articles/first");
        std::fs::create_dir_all(&article).expect("a folder can be made");
        let text = "---\ntitle: First\nslug: first\ntags: [fresh]\n---\n\n![A picture](a.png)\n";
        std::fs::write(article.join("index.md"), text).expect("a file can be written");
        std::fs::write(article.join("a.png"), png(1)).expect("a file can be written");
        let forms = [PASSWORD, WRONG].into_iter().flat_map(forms_of).collect();
        Computer { folder, forms }
    }

    fn program(&self, args: &[&str]) -> Program {
        let folder = self.folder.path();
        Program::new(args)
            .with("HOME", folder)
            .with("ICHIDO_DATA_DIR", folder.join("data"))
            .with("ICHIDO_STATE_DIR", folder.join("state"))
            .with("ICHIDO_LOG", "trace")
            .with("ICHIDO_PASSWORD", PASSWORD)
    }

    fn articles(&self) -> String {
        self.folder.path().join("articles").to_str().expect("a folder with a plain name").to_owned()
    }

    /// Runs a command and looks at all that it left.
    async fn run(&self, status: i32, args: &[&str]) -> Ended {
        self.ends(status, self.program(args)).await
    }

    async fn ends(&self, status: i32, program: Program) -> Ended {
        let ended = program.run().await;
        self.assert_unseen("stdout", ended.stdout.as_bytes());
        self.assert_unseen("stderr", ended.stderr.as_bytes());
        self.look_at_files();
        assert_eq!(ended.status, Some(status), "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        ended
    }

    fn look_at_files(&self) {
        for path in files_below(self.folder.path()) {
            self.assert_unseen(&path.display().to_string(), &std::fs::read(&path).unwrap_or_default());
        }
    }

    fn assert_unseen(&self, place: &str, bytes: &[u8]) {
        for form in &self.forms {
            let seen = bytes.windows(form.len()).any(|window| window == form);
            assert!(
                !seen,
                "{} stands in {place}: {}",
                String::from_utf8_lossy(form),
                String::from_utf8_lossy(bytes)
            );
        }
    }
}

/// The password as it is given, as it is sent, and encoded as headers and addresses have it.
fn forms_of(password: &str) -> Vec<Vec<u8>> {
    let bare: String = password.chars().filter(|letter| *letter != ' ').collect();
    let mut forms =
        vec![password.to_owned(), bare.clone(), password.replace(' ', "+"), password.replace(' ', "%20")];
    for password in [password, &bare] {
        let pair = format!("{USER}:{password}");
        forms.extend([BASE64_STANDARD.encode(&pair), BASE64_URL_SAFE.encode(&pair)]);
        // Without what may be appended to the end.
        forms.push(BASE64_STANDARD.encode(&pair).trim_end_matches('=').to_owned());
    }
    forms.into_iter().map(String::into_bytes).collect()
}

async fn practice() -> PracticeSite {
    let accounts = vec![Account::new(USER, Role::Author, PASSWORD)];
    let options = Options { language: Language::English, accounts, ..Options::default() };
    PracticeSite::start(options).await.expect("a loopback port is free")
}

#[tokio::test]
async fn no_command_leaves_the_password_anywhere() {
    let (site, computer) = (practice().await, Computer::new());
    let (url, articles) = (site.url().to_owned(), computer.articles());
    computer.run(0, &["site", "add", "blog", &url, "--user", USER]).await;
    computer.run(0, &["site", "list", "--json"]).await;
    computer.run(0, &["site", "check", "blog"]).await;
    computer.run(0, &["check", &articles]).await;
    computer.run(0, &["register", &articles, "--create-tags", "--dry-run"]).await;

    // Its arguments, and its files while it is at work, the write-ahead log among them.
    let register = ["register", articles.as_str(), "--create-tags", "--poll", "none"];
    let mut running = computer.program(&register).with("ICHIDO_FAILPOINT", "post:before_settle").start();
    running.stands_at("post:before_settle").await;
    let arguments = std::fs::read(format!("/proc/{}/cmdline", running.id())).expect("it runs");
    assert!(arguments.windows(8).any(|window| window == b"register"), "these are its arguments");
    computer.assert_unseen("the arguments", &arguments);
    let log = computer.folder.path().join("data/journal.sqlite3-wal");
    assert!(log.metadata().expect("a write-ahead log").len() > 0);
    computer.look_at_files();
    running.kill().await;

    site.handle().faults().push(When::ANY, Fault::RefuseLookups(1));
    computer.program(&register).run().await;
    computer.run(0, &register).await;
    computer.run(0, &["status"]).await;
    computer.run(0, &["reconcile"]).await;
    computer.run(2, &["resolve", "first", "--look"]).await;
    computer.run(0, &["release"]).await;
    computer.run(0, &["set", "window", "20"]).await;
    let history = computer.run(0, &["history"]).await;
    assert!(!history.stdout.is_empty());
    for export in [&["export"][..], &["export", "--csv"]] {
        let export = computer.run(0, export).await;
        assert!(export.stdout.contains("first"), "{export:?}");
    }
    computer.run(0, &["site", "remove", "blog"]).await;
    assert_eq!(site.handle().posts().len(), 1);
}

#[tokio::test]
async fn a_password_that_is_wrong_or_reaches_nobody_stands_nowhere_either() {
    let (site, computer) = (practice().await, Computer::new());
    let url = site.url().to_owned();
    let add = ["site", "add", "blog", url.as_str(), "--user", USER];
    computer.ends(5, computer.program(&add).with("ICHIDO_PASSWORD", WRONG)).await;
    computer.run(0, &add).await;
    let articles = computer.articles();
    for args in [&["register", articles.as_str()][..], &["site", "check", "blog"], &["reconcile"]] {
        computer.ends(5, computer.program(args).with("ICHIDO_PASSWORD", WRONG)).await;
    }
    // Where a name and a password stand in the address, they are refused before they go anywhere.
    let bare = PASSWORD.replace(' ', "");
    let with_password = url.replace("http://", &format!("http://{USER}:{bare}@"));
    computer.run(2, &["site", "add", "other", &with_password, "--user", USER]).await;
    drop(site);
    computer.run(6, &["site", "check", "blog"]).await;
}

#[tokio::test]
async fn a_password_in_the_keychain_stands_nowhere_else() {
    let (site, computer) = (practice().await, Computer::new());
    // The password comes on stdin and is kept by the shell alone, which needs no argument to pass it on.
    let script = r#"
        read -r password
        printf secret | gnome-keyring-daemon --daemonize --unlock --components=secrets >/dev/null 2>&1
        printf '%s\n' "$password" | "$PROGRAM" site add blog "$URL" --user "$WHO"
        "$PROGRAM" register "$ARTICLES" --create-tags --json
        "$PROGRAM" site check blog
        "$PROGRAM" export
    "#;
    let runtime = computer.folder.path().join("runtime");
    std::fs::create_dir(&runtime).expect("a folder can be made");
    let mut child = tokio::process::Command::new("dbus-run-session")
        .args(["--", "sh", "-euc", script])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", computer.folder.path())
        .env("XDG_RUNTIME_DIR", &runtime)
        .env("PROGRAM", env!("CARGO_BIN_EXE_ichido-under-test"))
        .env("ICHIDO_DATA_DIR", computer.folder.path().join("data"))
        .env("ICHIDO_STATE_DIR", computer.folder.path().join("state"))
        .env("ICHIDO_LOG", "trace")
        .env("URL", site.url())
        .env("WHO", USER)
        .env("ARTICLES", computer.articles())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("this test needs dbus-run-session and gnome-keyring-daemon (Debian: apt install dbus gnome-keyring)");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{PASSWORD}\n").as_bytes()).await.expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().await.expect("it ends");
    computer.assert_unseen("stdout", &output.stdout);
    computer.assert_unseen("stderr", &output.stderr);
    computer.look_at_files();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let requests = site.handle().requests();
    assert!(
        requests.iter().any(|request| request.kind == Request::CreatePost),
        "the password was found and used"
    );
}
