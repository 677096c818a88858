//! What stops people is explained, and everything that speaks of it says the same: the codes of the core, the pages in both
//! languages, the acts that a halt offers, the words of the window, and the command line.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use ichido_core::act::{Act, acts_for};
use ichido_core::operation::HaltReason;
use ichido_core::tally::{Barrier, Pause};
use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const BARRIERS: [Barrier; 3] = [Barrier::UncleanStop, Barrier::JournalLost, Barrier::SiteRestored];
const SITE_PAUSED: &str = "site_paused";

/// One language's part of a page.
#[derive(Debug)]
struct Part {
    title: String,
    /// What happened, what is safe, what can be done.
    sections: [String; 3],
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Reads a page: Japanese, then English.
fn page(code: &str) -> [Part; 2] {
    let source = read(&format!("docs/halts/{code}.md"));
    let (head, rest) = source.split_once("\n## 日本語\n").expect(code);
    let (japanese, english) = rest.split_once("\n## English\n").expect(code);
    let (titles, told) = head.split_once("\n\nCode: ").expect(code);
    assert_eq!(told.trim(), format!("`{code}`"));
    let (ja, en) = titles.strip_prefix("# ").and_then(|titles| titles.split_once(" / ")).expect(code);
    [
        part(ja, japanese, ["何が起きたか", "安全のために", "できること"]),
        part(en, english, ["What happened", "What is safe", "What you can do"]),
    ]
}

fn part(title: &str, text: &str, headings: [&str; 3]) -> Part {
    let pieces: Vec<&str> = text.split("### ").skip(1).collect();
    assert_eq!(pieces.len(), 3, "{title}");
    let mut sections = headings.iter().zip(pieces).map(|(heading, piece)| {
        let body = piece.strip_prefix(heading).unwrap_or_else(|| panic!("{title}: no {heading}"));
        assert!(body.trim().len() > 20, "{title}: {heading} says nothing");
        body.to_owned()
    });
    let mut next = || sections.next().expect("three sections");
    Part { title: title.to_owned(), sections: [next(), next(), next()] }
}

/// The points of a page that name an act: its words, and the option or command in backquotes.
fn named(part: &Part) -> Vec<(String, String)> {
    let points = part.sections[2].lines().filter_map(|line| line.strip_prefix("- "));
    points
        .filter_map(|point| {
            let (_, rest) = point.split_once("**")?;
            let (label, rest) = rest.split_once("**")?;
            let (_, rest) = rest.split_once('`')?;
            Some((label.to_owned(), rest.split_once('`')?.0.to_owned()))
        })
        .collect()
}

fn window_words() -> [Value; 2] {
    ["ja", "en"].map(|language| serde_json::from_str(&read(&format!("ui/messages/{language}.json"))).unwrap())
}

fn cli_words() -> [Value; 2] {
    ["ja", "en"].map(|language| {
        let path = format!("src-tauri/crates/cli/src/messages/{language}.json");
        serde_json::from_str(&read(&path)).unwrap()
    })
}

fn words<'a>(catalogue: &'a Value, key: &str) -> &'a str {
    catalogue[key].as_str().unwrap_or_else(|| panic!("no text for {key}")).trim_end_matches('…')
}

#[test]
fn every_page_explains_what_exists_and_all_of_it_is_explained() {
    let known: BTreeSet<String> = HaltReason::ALL
        .map(HaltReason::as_str)
        .into_iter()
        .chain(BARRIERS.map(Barrier::as_str))
        .chain([SITE_PAUSED])
        .map(|code| format!("{code}.md"))
        .collect();
    let pages = std::fs::read_dir(Path::new(ROOT).join("docs/halts")).expect("the pages are there");
    let pages: BTreeSet<String> =
        pages.map(|entry| entry.expect("a page").file_name().into_string().expect("a name")).collect();
    assert_eq!(pages, known);
}

#[test]
fn a_halts_page_names_the_acts_that_are_offered_in_the_words_of_the_window() {
    let window = window_words();
    for reason in HaltReason::ALL {
        for (part, window) in page(reason.as_str()).iter().zip(&window) {
            // Updating comes with publishing; neither the window nor the command line offers it yet.
            let offered: BTreeSet<String> = acts_for(reason)
                .iter()
                .filter(|act| **act != Act::Update)
                .map(|act| format!("--{}", act.as_str().replace('_', "-")))
                .collect();
            let text = &part.sections[2];
            let options: BTreeSet<String> =
                text.split('`').filter(|code| code.starts_with("--")).map(str::to_owned).collect();
            assert_eq!(options, offered, "{reason:?}: {}", part.title);
            for (label, option) in named(part) {
                let act = option.trim_start_matches("--").replace('-', "_");
                let mut labels = vec![words(window, &format!("act.{act}"))];
                match act.as_str() {
                    "link" => labels.push(words(window, "card.this_is_it")),
                    "none" => labels.push(words(window, "card.not_it")),
                    _ => {}
                }
                assert!(labels.contains(&label.as_str()), "{reason:?}: {label:?} is none of {labels:?}");
            }
        }
    }
}

#[test]
fn a_halt_has_one_name_on_its_page_in_the_window_and_on_the_command_line() {
    for reason in HaltReason::ALL {
        let pages = page(reason.as_str());
        for ((part, window), cli) in pages.iter().zip(window_words()).zip(cli_words()) {
            assert_eq!(part.title, words(&window, &format!("halt.{}.name", reason.as_str())), "{reason:?}");
            let cli = words(&cli, &format!("reason.{}", reason.as_str()));
            assert_eq!(part.title.to_lowercase(), cli.to_lowercase(), "{reason:?}");
        }
    }
}

#[test]
fn what_shuts_creating_names_the_button_and_the_command_that_go_on() {
    for barrier in BARRIERS {
        for (part, window) in page(barrier.as_str()).iter().zip(window_words()) {
            let go = (words(&window, "barrier.go").to_owned(), "ichido release".to_owned());
            assert!(named(part).contains(&go), "{barrier:?}: {part:?}");
            assert!(part.sections[2].contains(words(&window, "typed.word")), "{barrier:?}: the word to type");
        }
    }
}

#[test]
fn the_page_of_a_paused_site_names_every_cause_and_its_buttons() {
    let pauses = [
        Pause::NotOurUser,
        Pause::Refused,
        Pause::Redirected,
        Pause::UnknownInARow,
        Pause::Unreachable,
        Pause::Maintenance,
    ];
    for (part, window) in page(SITE_PAUSED).iter().zip(window_words()) {
        let in_backquotes = part.sections[2].split('`').skip(1).step_by(2);
        let codes: Vec<&str> = in_backquotes.filter(|code| !code.starts_with("ichido ")).collect();
        assert_eq!(codes, pauses.map(Pause::as_str), "{}", part.title);
        for key in ["sites.renew", "sites.check"] {
            let label = format!("**{}**", words(&window, key));
            assert!(part.sections[2].contains(&label), "{label}");
        }
    }
}

#[test]
fn the_card_the_banner_and_the_site_open_their_page_in_the_window() {
    for (file, code) in [
        ("HaltCard", "code={card.reason}"),
        ("BarrierBanner", "code={barrier.code}"),
        ("SitePanel", "code=\"site_paused\""),
    ] {
        let source = read(&format!("ui/src/lib/domain/{file}.svelte"));
        assert!(source.contains(&format!("<ExplainButton {code} />")), "{file}");
    }
}

#[test]
fn the_command_line_opens_every_page_in_both_languages() {
    let explain = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ichido-under-test"))
            .arg("explain")
            .args(args)
            .env_clear()
            .output()
            .expect("the program starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let (status, list) = explain(&["--json"]);
    let codes: Vec<String> = list
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|object| object["reason"].as_str().expect("a code").to_owned())
        .collect();
    assert_eq!((status, codes.len()), (Some(0), HaltReason::ALL.len() + BARRIERS.len() + 1));
    for code in &codes {
        for (language, part) in ["ja", "en"].into_iter().zip(page(code)) {
            let (status, text) = explain(&[code, "--lang", language]);
            assert_eq!(status, Some(0), "{code}");
            assert!(text.starts_with(&part.title), "{text}");
            for (label, option) in named(&part) {
                assert!(text.contains(&label) && text.contains(&option), "{code}, {language}: {label}");
            }
            assert!(!text.contains(['*', '`', '#']), "{text}");
        }
    }
}
