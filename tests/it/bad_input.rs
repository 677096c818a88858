//! Input as it should not be: each time an exit status as promised, a sentence that names the cure in both languages,
//! and nothing lost.

use std::fs;
use std::path::PathBuf;

use ichido_practice::Release;
use ichido_tests::{Desk, SITE, Site};
use serde_json::Value;

use crate::faults::in_step;
use crate::process::{Ended, Program};

/// A site with one draft that the journal knows, so that something could be lost.
async fn at_work() -> (Site, Desk) {
    let (site, desk) = in_step(Release::V7_1).await;
    desk.write_with("kept", "title: kept\nslug: kept\nexcerpt: In short.", "Text.");
    let ended = Program::register(&desk, &site).run().await;
    assert_eq!((ended.status, &ended.summary()["created"]), (Some(0), &1.into()), "{ended:?}");
    (site, desk)
}

/// Runs a command in both languages, for people and for programs. Gives the code that programs are told.
async fn told(site: &Site, desk: &Desk, args: &[&str], status: i32, cure: [&str; 2]) -> String {
    let creates = site.creates();
    let password = site.credentials(desk.who()).password;
    let program = |more: &[&str]| Program::of(desk, args).and(more).with("ICHIDO_PASSWORD", &password);
    for (lang, cure) in ["ja", "en"].into_iter().zip(cure) {
        let ended = program(&["--lang", lang]).run().await;
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.status, Some(status), "{args:?} {ended:?}");
        assert!(said.contains(cure) && !said.contains("panicked"), "{cure} in {said}");
        assert!(
            !said.contains("error.") && !said.contains('{'),
            "every sentence is there and filled in: {said}"
        );
    }
    let ended = program(&["--json"]).run().await;
    assert_eq!(ended.status, Some(status), "{args:?} {ended:?}");
    assert_eq!(site.creates(), creates, "nothing was sent");
    last(&ended)["code"].as_str().unwrap_or_default().to_owned()
}

fn last(ended: &Ended) -> Value {
    serde_json::from_str(ended.stdout.lines().last().unwrap_or_default()).unwrap_or_default()
}

/// What was done before is still known, and nothing new is sent for it.
async fn assert_kept(site: &Site, desk: &Desk) {
    let (creates, kept) = (site.creates(), desk.articles.join("kept"));
    let register = ["register", kept.to_str().expect("a plain name"), "--site", SITE, "--json"];
    let password = site.credentials(desk.who()).password;
    let ended = Program::of(desk, &register).with("ICHIDO_PASSWORD", password).run().await;
    assert_eq!((ended.status, &ended.summary()["verified"]), (Some(0), &1.into()), "{ended:?}");
    assert_eq!((site.creates(), site.posts().await.len()), (creates, 1));
}

#[tokio::test]
async fn folders_that_hold_no_article() {
    let (site, desk) = at_work().await;
    let empty = desk.folder().join("empty");
    fs::create_dir(&empty).expect("a folder can be made");
    let [missing, empty] =
        [desk.folder().join("missing"), empty].map(|path: PathBuf| path.display().to_string());
    let code =
        told(&site, &desk, &["register", &missing, "--site", SITE], 2, ["パス", "Check the path"]).await;
    assert_eq!(code, "path_not_found");
    let code = told(&site, &desk, &["register", &empty, "--site", SITE], 2, [".md", ".md"]).await;
    assert_eq!(code, "no_article_in");
    assert_kept(&site, &desk).await;
}

#[tokio::test]
async fn front_matter_that_cannot_be_read() {
    let (site, desk) = at_work().await;
    let broken = desk.articles.join("broken");
    fs::create_dir(&broken).expect("a folder can be made");
    fs::write(broken.join("index.md"), "---\ntitle: [one\nslug: broken\n---\n\nText.\n")
        .expect("a file can be written");
    let args = ["register", broken.to_str().expect("a plain name"), "--site", SITE];
    told(&site, &desk, &args, 4, ["broken/index.md", "broken/index.md"]).await;
    let ended = Program::register(&desk, &site).run().await;
    let summary = ended.summary();
    assert_eq!((ended.status, &summary["needs_work"], &summary["verified"]), (Some(4), &1.into(), &1.into()));
    assert_kept(&site, &desk).await;
}

#[tokio::test]
async fn addresses_at_which_there_is_no_site() {
    let (site, desk) = at_work().await;
    let closed =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let served = plain.local_addr().expect("an address");
    let serving = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        while let Ok((mut stream, _)) = plain.accept().await {
            let mut head = [0; 4096];
            let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\nConnection: close\r\n\r\n<p>Hi</p>";
            if stream.read(&mut head).await.is_ok() {
                drop(stream.write_all(page.as_bytes()).await);
            }
        }
    });
    for (address, status, code, cure) in [
        (format!("http://{closed}"), 6, "no_connection", ["アドレス", "Check the address"]),
        (format!("http://{served}"), 2, "not_wordpress", ["アドレス", "address"]),
        ("http://example.com".to_owned(), 2, "plain_http", ["https://", "https://"]),
        ("https://someone:secret@example.com".to_owned(), 2, "address_with_password", ["--user", "--user"]),
        ("https://".to_owned(), 2, "not_an_address", ["https://", "https://"]),
    ] {
        assert_eq!(
            told(&site, &desk, &["site", "add", "other", &address, "--user", "author"], status, cure).await,
            code
        );
    }
    serving.abort();
    assert_kept(&site, &desk).await;
}

#[tokio::test]
async fn a_password_that_is_wrong_and_a_site_that_is_gone() {
    let (site, desk) = at_work().await;
    let articles = desk.articles.display().to_string();
    desk.write("new", "new", "Text.");
    for (lang, cure) in [("ja", "アプリケーションパスワード"), ("en", "application password")] {
        let register = Program::of(&desk, &["register", &articles, "--site", SITE, "--lang", lang]);
        let ended = register.with("ICHIDO_PASSWORD", "wrong wrong wrong wrong wron").run().await;
        assert_eq!(ended.status, Some(5), "{ended:?}");
        assert!(ended.stdout.contains(cure) && !ended.stderr.contains("panicked"), "{ended:?}");
    }
    assert_eq!(site.creates(), 1);
    assert_kept(&site, &desk).await;
    let register = Program::register(&desk, &site);
    drop(site);
    let ended = register.run().await;
    let summary = ended.summary();
    assert_eq!(
        (ended.status, &summary["waiting"], &summary["verified"]),
        (Some(6), &1.into(), &1.into()),
        "{ended:?}"
    );
}

#[tokio::test]
async fn a_journal_of_a_newer_version_is_read_and_left_alone() {
    let (site, desk) = at_work().await;
    let path = desk.places.data_dir.join("journal.sqlite3");
    let version = |version: Option<i32>| {
        let journal = rusqlite::Connection::open(&path).expect("a journal");
        let known: i32 =
            journal.pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version");
        journal.pragma_update(None, "user_version", version.unwrap_or(known)).expect("a version");
        known
    };
    let known = version(Some(9999));
    let before = fs::read(&path).expect("a journal");
    let articles = desk.articles.display().to_string();
    let args = ["register", articles.as_str(), "--site", SITE];
    assert_eq!(told(&site, &desk, &args, 1, ["新しく", "Update Ichido"]).await, "journal_newer");
    let status = Program::of(&desk, &["status", "--json"]).run().await;
    assert_eq!((status.status, last(&status)["verified"].as_u64()), (Some(0), Some(1)), "{status:?}");
    assert_eq!(fs::read(&path).expect("a journal"), before, "it was left alone");
    version(Some(known));
    assert_kept(&site, &desk).await;
}

#[tokio::test]
async fn a_damaged_journal_is_moved_aside_and_shuts_creating() {
    let (site, desk) = at_work().await;
    let path = desk.places.data_dir.join("journal.sqlite3");
    let mut damaged = fs::read(&path).expect("a journal");
    damaged[4096..12_288].fill(0xa5);
    fs::write(&path, &damaged).expect("a file can be written");
    desk.write("new", "new", "Text.");
    let articles = desk.articles.display().to_string();
    let args = ["register", articles.as_str(), "--site", SITE];
    let cure = ["ichido release", "ichido release"];
    assert_eq!(told(&site, &desk, &args, 3, cure).await, "sites_lost");
    assert_eq!(told(&site, &desk, &["register", &articles], 3, cure).await, "sites_lost");
    let aside = crate::process::files_below(&desk.places.data_dir);
    assert!(
        aside.iter().any(|file| fs::read(file).is_ok_and(|bytes| bytes == damaged)),
        "it is kept: {aside:?}"
    );
    let login = desk.who().login();
    let url = site.url();
    let add = Program::of(&desk, &["site", "add", SITE, &url, "--user", login]);
    assert_eq!(
        add.with("ICHIDO_PASSWORD", site.credentials(desk.who()).password).run().await.status,
        Some(0)
    );
    told(&site, &desk, &args, 3, cure).await;
    let ended = Program::register(&desk, &site).run().await;
    let summary = ended.summary();
    assert_eq!(
        (ended.status, &summary["waiting"], &summary["skipped"]),
        (Some(3), &1.into(), &1.into()),
        "{ended:?}"
    );
    assert_eq!((site.creates(), site.posts().await.len()), (1, 1));
}
