//! Who may lean on whom: the floors of ARCHITECTURE.md, held against the workspace's real edges.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Each crate with the crates of ours that it may use (normal dependencies).
const FLOORS: &[(&str, &[&str])] = &[
    ("ichido-core", &[]),
    ("ichido-article", &["ichido-core"]),
    ("ichido-journal", &["ichido-core"]),
    ("ichido-wordpress", &["ichido-core"]),
    ("ichido-credentials", &["ichido-core"]),
    ("ichido-practice", &["ichido-core"]),
    ("ichido-engine", &["ichido-core", "ichido-article", "ichido-journal", "ichido-wordpress"]),
    (
        "ichido-cli",
        &[
            "ichido-core",
            "ichido-article",
            "ichido-journal",
            "ichido-wordpress",
            "ichido-credentials",
            "ichido-engine",
            "ichido-practice",
        ],
    ),
    (
        "ichido-desktop",
        &[
            "ichido-core",
            "ichido-article",
            "ichido-journal",
            "ichido-wordpress",
            "ichido-credentials",
            "ichido-engine",
            "ichido-practice",
        ],
    ),
];

/// What may use all, and nobody uses.
const TESTS: &[&str] = &["ichido-model", "ichido-simulation", "ichido-tests"];

fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let uses = package["dependencies"]
                .as_array()
                .expect("dependencies")
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .filter_map(|dependency| dependency["name"].as_str())
                .filter(|name| name.starts_with("ichido-"))
                .map(str::to_owned)
                .collect();
            (package["name"].as_str().expect("name").to_owned(), uses)
        })
        .collect()
}

#[test]
fn no_crate_leans_on_one_that_stands_above_or_beside_it() {
    let allowed: BTreeMap<_, BTreeSet<_>> =
        FLOORS.iter().map(|(name, uses)| (*name, uses.iter().copied().collect())).collect();
    for (name, uses) in edges() {
        if TESTS.contains(&name.as_str()) {
            continue;
        }
        let allowed = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} stands on no floor"));
        for used in &uses {
            assert!(allowed.contains(used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn every_crate_of_the_floors_exists_and_nobody_uses_the_tests() {
    let edges = edges();
    for (name, _) in FLOORS {
        assert!(edges.contains_key(*name), "{name} is missing");
    }
    for (name, uses) in &edges {
        assert!(TESTS.iter().all(|tests| !uses.contains(*tests)), "{name} must not use the tests");
    }
}
