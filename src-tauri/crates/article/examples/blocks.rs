//! How long Markdown takes to become the content of a draft, beside comrak's own HTML of the same text.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where it cannot go on"
)]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use ichido_article::{Location, Options, discover, load};

const ROUNDS: usize = 9;

fn main() {
    let place = tempfile::tempdir().expect("a folder can be made");
    for (name, sections, times) in [("article", 2, 400), ("book", 200, 6)] {
        compare(&place.path().join(name), sections, times);
    }
}

/// Compares both ways over one text, round by round in turn.
fn compare(folder: &Path, sections: usize, times: usize) {
    let text = text(sections);
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(folder.join("index.md"), &text).expect("a file can be written");
    let found = discover(&[folder.to_owned()]).expect("there is an article");
    let location = &found.articles[0];
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(timed(times, || blocks(location)));
        theirs.push(timed(times, || html(&folder.join("index.md"))));
    }
    let mut ratios: Vec<f64> =
        ours.iter().zip(&theirs).map(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, median, most) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
    println!(
        "{} bytes, {ROUNDS} rounds: file to blocks {:.1?}, file to comrak's HTML {:.1?}; ratio {median:.2} ({least:.2} to {most:.2}), reach 2.50",
        text.len(),
        middle(&mut ours),
        middle(&mut theirs),
    );
}

fn timed(times: usize, work: impl Fn() -> usize) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        black_box(work());
    }
    start.elapsed() / u32::try_from(times).unwrap_or(u32::MAX)
}

fn middle(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn blocks(location: &Location) -> usize {
    let loaded = load(location, &Options::default());
    loaded.article.expect("an article").compose(&[], None).expect("it can be composed").len()
}

fn html(file: &Path) -> usize {
    let text = fs::read_to_string(file).expect("a file can be read");
    let mut options = comrak::Options::default();
    options.extension.front_matter_delimiter = Some("---".to_owned());
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.cjk_friendly_emphasis = true;
    options.render.r#unsafe = true;
    comrak::markdown_to_html(&text, &options).len()
}

/// A text as blogs have them: headings, emphasis, links, lists, a table, code, a quote, a little HTML.
fn text(sections: usize) -> String {
    let section = "## 見出し **強い**\n\nこれは**強調**のある段落で、[リンク](https://example.com/?a=1&b=2)と`コード`があります。\n\
        二行目の*斜体*と~~取り消し~~、脚注のない文。 An English sentence with \"quotes\" & <b>bold</b> HTML.\n\n\
        - 一つ\n- 二つ\n  - 内側 [x](/y/)\n  - もう一つ\n- 三つ\n\n1. first\n2. second\n\n\
        | 名 | 値 | a |\n| -- | --: | :-: |\n| a | 1 | **b** |\n| c | 2 | `d` |\n\n\
        > 引用の文。\n> 続き。\n\n```rust\nfn main() {\n    let a = b[0] < c && d;\n}\n```\n\n---\n\n";
    format!(
        "---\ntitle: 記事\nexcerpt: 短い説明\ntags: [猫]\ncategories: [お知らせ]\n---\n\n{}",
        section.repeat(sections)
    )
}
