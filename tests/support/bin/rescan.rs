//! How long a watched folder of 10,000 unchanged articles takes to be read again, beside `find -printf`.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where it cannot go on"
)]

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ichido_engine::{
    CredentialSource, Event, Report, RunError, Watch, WatchListener, WatchOptions, WatchedFolder,
};
use ichido_tests::{Desk, Place, SITE, Site, png};
use ichido_wordpress::Credentials;

const ARTICLES: usize = 10_000;
const ROUNDS: usize = 5;

struct Nobody;

impl WatchListener for Nobody {
    fn hear(&self, _site: &str, _event: &Event) {}
    fn ended(&self, _site: &str, _report: &Report) {}
    fn failed(&self, _site: &str, _error: &RunError) {}
}

impl CredentialSource for Nobody {
    fn of<'a>(
        &'a self,
        _site: &'a ichido_journal::Site,
    ) -> Pin<Box<dyn Future<Output = Option<Credentials>> + 'a>> {
        Box::pin(async { None })
    }
}

#[tokio::main]
async fn main() {
    let site = Site::start(Place::PracticeNew).await;
    let desk = Desk::at(&site).await;
    for number in 0..ARTICLES {
        let name = format!("article-{number}");
        desk.write(&name, &format!("Article {number}"), "Text.\n\n![a](a.png)");
        std::fs::write(
            desk.articles.join(&name).join("a.png"),
            png(u8::try_from(number % 250).expect("small")),
        )
        .expect("a file can be written");
    }
    let folder = WatchedFolder { site: SITE.to_owned(), folder: desk.articles.clone(), automatic: false };
    let options = WatchOptions {
        folders: vec![folder],
        settle: Some(Duration::from_secs(1)),
        ..WatchOptions::default()
    };
    let engine = ichido_engine::Engine::new(desk.places.clone(), "ichido-rescan", "0");
    let (watch, watcher) = Watch::new(options);
    let mut changes = watch.changes();
    let measure = async {
        let whole = |status: &ichido_engine::WatchStatus| {
            status.folders.first().is_some_and(|folder| folder.counts.ready == ARTICLES)
        };
        changes.wait_for(whole).await.expect("everything is read");
        println!("{ARTICLES} articles of a text and an image, {ROUNDS} interleaved rounds");
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let find = find(&desk.articles);
            let before = watch.status().checked_at;
            let start = Instant::now();
            watch.check_now();
            changes.wait_for(|status| status.checked_at != before).await.expect("it is read again");
            let rescan = start.elapsed();
            let ratio = rescan.as_secs_f64() / find.as_secs_f64();
            println!("find {find:?}, rescan {rescan:?}: {ratio:.2}");
            ratios.push(ratio);
        }
        ratios.sort_by(f64::total_cmp);
        println!("rescan / find -printf: median {:.2} (reach 2.0)", ratios[ROUNDS / 2]);
        watch.stop();
    };
    let (ended, ()) = tokio::join!(watcher.run(&engine, &Nobody, &Nobody), measure);
    ended.expect("it watches");
}

fn find(folder: &Path) -> Duration {
    let start = Instant::now();
    let status = Command::new("find")
        .arg(folder)
        .args(["-printf", "%p %s %T@ %i\n"])
        .stdout(Stdio::null())
        .status()
        .expect("find runs");
    assert!(status.success());
    start.elapsed()
}
