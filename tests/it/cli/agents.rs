//! What `docs/for-agents.md` tells scripts and agents is what the program does.

use std::collections::BTreeSet;

use ichido_practice::{Fault, Kind};
use serde_json::Value;

use super::{Bench, text};

const DOCUMENT: &str = include_str!("../../../docs/for-agents.md");

/// What stands in the document's fences of one language.
fn fences(language: &str) -> Vec<&'static str> {
    let opens = format!("```{language}\n");
    DOCUMENT.split(opens.as_str()).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The objects that the document shows, by their event.
fn told(event: &str) -> Value {
    let objects = fences("json").into_iter().map(|json| serde_json::from_str::<Value>(json).expect("JSON"));
    objects.into_iter().find(|object| object["event"] == event).unwrap_or_else(|| panic!("no {event}"))
}

#[test]
fn the_events_have_the_keys_that_agents_are_told() {
    let bench = Bench::new();
    let article = bench.article("tea", "---\ntitle: Tea\n---\n\nText.\n\n![](pot.jpg)\n");
    let checked = bench.run(&["check", text(&article), "--json"]).ends(4).objects();
    let checked = checked.iter().find(|object| object["event"] == "checked").expect("it was checked");
    let shown = told("checked");
    assert_eq!(keys(checked), keys(&shown));
    let findings = checked["findings"].as_array().expect("findings");
    let wanted = &shown["findings"][0];
    let found = findings.iter().find(|found| found["code"] == wanted["code"]).expect("the same finding");
    for key in ["severity", "file", "line", "params"] {
        assert_eq!(found[key], wanted[key], "{key}");
    }
    assert_eq!(keys(found), keys(wanted));

    let article = bench.plain("pot");
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    let lost = bench.run(&["register", text(&article), "--poll", "none", "--json"]).ends(3).summary();
    let shown = told("summary");
    assert_eq!(keys(&lost), keys(&shown));
    assert_eq!(keys(&lost["needs_attention"][0]), keys(&shown["needs_attention"][0]));
}

#[test]
fn the_commands_that_agents_are_told_can_be_given() {
    let bench = Bench::without_site();
    let lines = fences("sh").into_iter().flat_map(str::lines);
    let commands: Vec<&str> = lines.filter(|line| line.starts_with("ichido ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().skip(1).collect();
        // All that is wrong here is that there is neither the site nor the folder.
        let ran = bench.run(&args);
        assert!(!ran.stderr.contains("Usage:"), "{command}: {}", ran.stderr);
    }
    let mut help = bench.run(&["--help"]).ends(0).stdout;
    for command in ["register", "resolve", "check", "status", "release", "explain", "set", "watch"] {
        help += &bench.run(&[command, "--help"]).ends(0).stdout;
    }
    let words = DOCUMENT.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
    for flag in words.filter(|word| word.starts_with("--") && word.len() > 3) {
        assert!(help.contains(flag), "{flag} is told and not there");
    }
}

#[test]
fn the_notes_that_agents_are_told_are_those_that_there_are() {
    let known = include_str!("../../../src-tauri/crates/cli/src/messages/en.json");
    let section = DOCUMENT.split("### Notes that come").nth(1).expect("it tells of notes");
    let section = section.split("\n## ").next().unwrap_or_default();
    let codes: BTreeSet<&str> =
        section.split('`').skip(1).step_by(2).filter(|word| word.contains('_')).collect();
    assert!(codes.len() > 12, "{codes:?}");
    for code in codes {
        assert!(known.contains(&format!("\"note.{code}\"")), "{code}");
    }
}
