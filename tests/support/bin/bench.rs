//! Figures as ratios in one run, on a real WordPress: a batch against a bare loop of the same POSTs, interleaved.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where it cannot go on"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ichido_practice::Kind;
use ichido_tests::{Desk, Place, Site, Who};
use serde_json::json;

const ARTICLES: usize = 100;
const ROUNDS: usize = 5;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    if let Some(count) = std::env::args().nth(1) {
        return one_batch(count.parse().expect("a number of articles")).await;
    }
    let site = Site::start(Place::RealNew).await;
    let desk = Desk::at(&site).await;
    // Both sides once before anything counts: caches of the site and of this computer are warm then.
    batch(&desk, &articles(&desk, "warm")).await;
    bare_loop(&site, &articles(&desk, "warm-bare")).await;
    let version = site.real().expect("a real site").version().to_owned();
    println!("WordPress {version}, {ARTICLES} text articles, {ROUNDS} interleaved rounds");
    let mut ratios = Vec::new();
    let mut requests = Vec::new();
    for round in 0..ROUNDS {
        let (ours, bare) = (articles(&desk, &format!("a{round}")), articles(&desk, &format!("b{round}")));
        site.forget_requests();
        let (whole, loop_alone) = if round % 2 == 0 {
            let whole = batch(&desk, &ours).await;
            requests.push(site.real().expect("a real site").proxy().seen().len());
            (whole, bare_loop(&site, &bare).await)
        } else {
            let loop_alone = bare_loop(&site, &bare).await;
            site.forget_requests();
            let whole = batch(&desk, &ours).await;
            requests.push(site.real().expect("a real site").proxy().seen().len());
            (whole, loop_alone)
        };
        let ratio = whole.as_secs_f64() / loop_alone.as_secs_f64();
        println!("  round {}: batch {whole:.2?}, bare loop {loop_alone:.2?}, ratio {ratio:.3}", round + 1);
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ROUNDS / 2).copied().expect("rounds were made");
    println!("batch / bare loop: median {median:.3} (reach 1.10)");
    requests.sort_unstable();
    let most = requests.last().copied().expect("rounds were made");
    println!("requests per article: {:.3} (reach 1.10)", ratio_of(most, ARTICLES));
    site.forget_requests();
    let again = batch(&desk, &desk.articles.join("a0")).await;
    let asked = site.real().expect("a real site").proxy().seen().len();
    println!(
        "registering {ARTICLES} done articles again: {asked} requests, {again:.2?}, none of them creating: {}",
        { site.real().expect("a real site").proxy().count(Kind::CreatePost) == 0 }
    );
}

/// Runs one batch on the practice site and nothing else, for counting the syncs of the process from outside.
async fn one_batch(count: usize) {
    let site = Site::start(Place::PracticeNew).await;
    let desk = Desk::at(&site).await;
    batch(&desk, &some_articles(&desk, "count", count)).await;
}

fn ratio_of(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).expect("few")) / f64::from(u32::try_from(whole).expect("few"))
}

fn articles(desk: &Desk, folder: &str) -> PathBuf {
    some_articles(desk, folder, ARTICLES)
}

fn some_articles(desk: &Desk, folder: &str, count: usize) -> PathBuf {
    for number in 0..count {
        desk.write(
            &format!("{folder}/{folder}-article-{number}"),
            &format!("Article {number}"),
            &text(folder, number),
        );
    }
    desk.articles.join(folder)
}

/// Texts that differ from folder to folder: the same text under another slug would halt as a renamed article.
fn text(folder: &str, number: usize) -> String {
    format!("Paragraph {number} of {folder} of some length, as articles have them.\n\n").repeat(20)
}

async fn batch(desk: &Desk, folder: &Path) -> Duration {
    let start = Instant::now();
    let report = desk.register_paths(&[folder.to_path_buf()]).await.expect("the batch runs");
    let passed = start.elapsed();
    assert_eq!(report.exit_status(), 0, "{:?}", report.tally);
    passed
}

/// The same POSTs with the same content and nothing around them.
async fn bare_loop(site: &Site, folder: &Path) -> Duration {
    let (loaded, _) = ichido_engine::check(&[folder.to_path_buf()], ichido_engine::Settings::default())
        .expect("there are articles");
    let bodies: Vec<_> = loaded
        .iter()
        .filter_map(|loaded| loaded.article.as_ref())
        .map(|article| {
            let content = article.compose(&[], Some("01890a5d-ac96-774b-bcce-b302099a8057")).expect("it composes");
            json!({ "status": "draft", "slug": article.slug.as_str(), "title": article.title, "content": content })
        })
        .collect();
    assert_eq!(bodies.len(), ARTICLES);
    let rest = site.rest(Who::Author);
    let start = Instant::now();
    for body in bodies {
        let made = rest.post("wp/v2/posts", body).await;
        assert_eq!(made.status, 201);
    }
    start.elapsed()
}
