//! How many articles are found, read and checked in a second, on all processors.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where it cannot go on"
)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use ichido_article::{Options, clashes, discover, load_all};

const ARTICLES: usize = 10_000;
const ROUNDS: usize = 5;

fn main() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let bytes: usize = (0..ARTICLES).map(|number| write(place.path(), number)).sum();
    let (processors, mean) = (std::thread::available_parallelism().map_or(1, usize::from), bytes / ARTICLES);
    println!("{ARTICLES} articles of {mean} bytes, {processors} processors, {ROUNDS} rounds");
    let mut rates: Vec<f64> = (0..ROUNDS).map(|_| round(place.path())).collect();
    rates.sort_by(f64::total_cmp);
    println!("preflight: median {:.0} articles/s (reach 5000)", rates[ROUNDS / 2]);
}

fn round(folder: &Path) -> f64 {
    let start = Instant::now();
    let found = discover(&[folder.to_owned()]).expect("there are articles");
    let discovered = start.elapsed();
    let loaded = load_all(&found.articles, &Options::default());
    let clashing = clashes(&loaded).len();
    let passed = start.elapsed();
    assert_eq!((loaded.iter().filter(|loaded| loaded.article.is_some()).count(), clashing), (ARTICLES, 0));
    let rate = 10_000.0 / passed.as_secs_f64();
    println!("  found in {discovered:.2?}, read and checked in {passed:.2?}: {rate:.0} articles/s");
    rate
}

/// A text as blogs have them: front matter, headings, a list, a table, code, links; about 3 kB.
fn write(folder: &Path, number: usize) -> usize {
    let paragraph =
        "これは**強調**のある段落で、[リンク](https://example.com/?a=1&b=2)と`コード`があります。\n\n";
    let text = format!(
        "---\ntitle: 記事 {number}\nslug: article-{number}\nexcerpt: 短い説明\ntags: [猫, 犬, Rust]\ncategories: [お知らせ]\n\
         date: 2026-11-30\n---\n\n## はじめに\n\n{}- 一つ\n- 二つ\n  - 内側\n\n| 名 | 値 |\n| -- | --: |\n| a | 1 |\n\n\
         ```rust\nfn main() {{}}\n```\n\n## おわりに\n\n{}",
        paragraph.repeat(10),
        paragraph.repeat(10)
    );
    let folder = folder.join(format!("{:02}", number % 100)).join(format!("article-{number}"));
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("index.md"), &text).expect("a file can be written");
    text.len()
}
