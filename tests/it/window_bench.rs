//! What the window costs, beside a blank page of the same WebKit in the same run: memory, processor time, and the time
//! to the first list. Prints ratios; no figure here decides whether a test passes.
//!
//! `scripts/bench window` builds what it needs and runs it.

#[path = "desktop/driver.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod driver;
#[path = "desktop/session.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod session;
#[path = "desktop/shell.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod shell;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ichido_engine::Engine;
use serde_json::json;

use driver::until;
use session::{Desktop, Keychain};
use shell::Shell;

/// How many articles the long list has.
const ROWS: usize = 100_000;
/// How many articles lie in the watched folder.
const WATCHED: usize = 200;
const ROUNDS: usize = 5;
/// How long the tray is looked at.
const LOOKED_AT: Duration = Duration::from_secs(60);
/// How long a program is given to come to rest.
const REST: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() {
    let articles = tempfile::tempdir().expect("a folder can be made");
    let (many, few) = (articles.path().join("many"), articles.path().join("few"));
    write(&many, ROWS);
    write(&few, WATCHED);

    let mut ratios = Vec::new();
    let mut blank_memory = 0;
    for round in 1..=ROUNDS {
        let (memory, blank) = start_blank().await;
        let (list, list_memory) = start_list(&few, WATCHED).await;
        println!(
            "round {round}: a blank page after {} ms with {memory} KiB, the list of {WATCHED} articles after {} ms with {list_memory} KiB",
            blank.as_millis(),
            list.as_millis()
        );
        blank_memory = memory;
        ratios.push(list.as_secs_f64() / blank.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    println!("cold start to the first list / blank page: {:.2} (median of {ROUNDS})", ratios[ROUNDS / 2]);

    let (read, memory) = start_list(&many, ROWS).await;
    println!("{ROWS} articles: listed after {:.1} s, {memory} KiB", read.as_secs_f64());
    println!("window with {ROWS} rows / blank page, memory: {:.2} (reach 1.5)", ratio(memory, blank_memory));

    let (ticks, memory) = tray(&few).await;
    println!("tray, {} s: {ticks} ticks of processor time (reach 0), {memory} KiB", LOOKED_AT.as_secs());
    println!("tray / blank page, memory: {:.2} (reach 0.35)", ratio(memory, blank_memory));
}

fn ratio(one: u64, other: u64) -> f64 {
    f64::from(u32::try_from(one).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(other.max(1)).unwrap_or(u32::MAX))
}

fn write(folder: &Path, count: usize) {
    for number in 0..count {
        let place = folder.join(format!("{:03}", number / 1000)).join(format!("article-{number}"));
        std::fs::create_dir_all(&place).expect("a folder can be made");
        let text =
            format!("---\ntitle: Article {number}\nexcerpt: In short.\n---\n\nText of article {number}.\n");
        std::fs::write(place.join("index.md"), text).expect("a file can be written");
    }
}

/// A blank page in a window of its own: its memory at rest, and how long it took to be there.
async fn start_blank() -> (u64, Duration) {
    let desktop = Desktop::new("en", Keychain::None);
    let program = std::env::var_os("ICHIDO_BLANK_PAGE").expect("scripts/bench names a blank page");
    let began = Instant::now();
    let mut child = quiet(desktop.command(program));
    until("a page is there", async || {
        pages(child.id()) == 1 && !shell::windows_named(&desktop, b"blank").is_empty()
    })
    .await;
    let took = began.elapsed();
    tokio::time::sleep(REST).await;
    let memory = memory(child.id());
    end(&mut child);
    (memory, took)
}

/// The window with a list: how long it took until all its rows were there, and its memory at rest.
async fn start_list(folder: &Path, rows: usize) -> (Duration, u64) {
    let desktop = Desktop::new("en", Keychain::None);
    set_up(&desktop, folder, false).await;
    let began = Instant::now();
    let window = desktop.open(&[]).await;
    let all = "return document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === String(arguments[0])";
    let patience = Instant::now();
    while window.script(all, json!([rows])).await != json!(true) {
        assert!(patience.elapsed() < Duration::from_secs(600), "the list never came");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let took = began.elapsed();
    tokio::time::sleep(REST).await;
    let memory = desktop.running().first().map_or(0, |process| memory(*process));
    window.close().await;
    (took, memory)
}

/// The program in the tray: its ticks over a while, and its memory.
async fn tray(folder: &Path) -> (u64, u64) {
    let desktop = Desktop::new("en", Keychain::None);
    let shell = Shell::start(&desktop, true).await;
    set_up(&desktop, folder, true).await;
    let mut child = quiet({
        let mut command = desktop.command(session::program());
        command.env_remove("ICHIDO_LOG");
        command
    });
    // With a window first, as a person has it: what is measured is what is left when it is closed.
    until("a window is there", async || shell::windows(&desktop).len() == 1).await;
    tokio::time::sleep(REST).await;
    shell::close(&desktop);
    until("the window is gone", async || shell::windows(&desktop).is_empty()).await;
    until("the tray is there", async || !shell.labels().await.is_empty()).await;
    tokio::time::sleep(REST).await;
    let before = ticks(child.id());
    tokio::time::sleep(LOOKED_AT).await;
    let figures = (ticks(child.id()) - before, memory(child.id()));
    end(&mut child);
    figures
}

async fn set_up(desktop: &Desktop, folder: &Path, watch: bool) {
    let folders =
        serde_json::to_string(&[folder.canonicalize().expect("it is there")]).expect("a path of text");
    let entries = [
        ("desktop_started", "1".to_owned()),
        ("desktop_language", "en".to_owned()),
        ("desktop_watch", if watch { "1" } else { "0" }.to_owned()),
        ("desktop_site", "practice".to_owned()),
        ("desktop_folders", folders),
    ];
    Engine::new(desktop.places(), "bench", "0").remember(&entries).await.expect("it is remembered");
}

fn quiet(mut command: Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

fn end(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

/// A process and everything below it.
fn family(root: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .expect("there are processes")
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|process: u32| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect();
    let mut family = vec![root];
    let mut at = 0;
    while at < family.len() {
        let parent = family[at];
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        at += 1;
    }
    family
}

fn pages(root: u32) -> usize {
    let is_page = |process: &u32| {
        std::fs::read_to_string(format!("/proc/{process}/comm"))
            .is_ok_and(|name| name.starts_with("WebKitWeb"))
    };
    family(root).iter().filter(|process| is_page(process)).count()
}

/// The memory of a process and those below it, each shared page counted in parts (PSS), in KiB.
fn memory(root: u32) -> u64 {
    let of = |process: &u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
        let line = text.lines().find(|line| line.starts_with("Pss:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    family(root).iter().filter_map(of).sum()
}

/// The processor time of a process and those below it, in ticks of the kernel (1/100 s).
fn ticks(root: u32) -> u64 {
    let of = |process: &u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    family(root).iter().filter_map(of).sum()
}
