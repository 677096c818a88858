//! The list of faults in the documents, held against the tests that there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The faults of what is there; those of publishing and of schedules come with them.
fn wanted() -> Vec<u32> {
    (1..=32).chain(35..=46).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of the table: number, tests, and where they run.
fn rows() -> Vec<(u32, Vec<String>, String)> {
    let text = std::fs::read_to_string(root().join("docs/faults.md")).expect("the list is there");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = cells.get(1)?.parse().ok()?;
        let tests = cells.get(3)?.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        Some((number, tests, (*cells.get(4)?).to_owned()))
    });
    rows.collect()
}

fn sources() -> BTreeMap<String, String> {
    let mut sources = BTreeMap::new();
    for folder in ["tests", "src-tauri/crates"] {
        for file in crate::process::files_below(&root().join(folder)) {
            if file.extension().is_some_and(|extension| extension == "rs") {
                let name = file.strip_prefix(root()).expect("below it").to_string_lossy().into_owned();
                sources.insert(name, std::fs::read_to_string(&file).expect("a source"));
            }
        }
    }
    sources
}

/// Tells whether a source makes a test of this name, as a function or as a line of a table of tests.
fn makes(source: &str, name: &str) -> bool {
    source.lines().map(str::trim_start).any(|line| {
        let function =
            line.trim_start_matches("pub(crate) ").trim_start_matches("async ").strip_prefix("fn ");
        let rest = function.unwrap_or(line).strip_prefix(name);
        rest.is_some_and(|rest| match function {
            Some(_) => rest.starts_with('('),
            None => [": ", " in ", " real: "].iter().any(|after| rest.starts_with(after)),
        })
    })
}

/// Finds the file of a test named `module::of::name`.
fn file_of<'s>(sources: &'s BTreeMap<String, String>, test: &str) -> Option<(&'s str, &'s str)> {
    let (modules, name) = test.rsplit_once("::")?;
    let lies_there = |file: &str| {
        let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        modules.split("::").all(|module| parts.contains(&module))
    };
    sources
        .iter()
        .find(|(file, source)| lies_there(file) && makes(source, name))
        .map(|(file, source)| (file.as_str(), source.as_str()))
}

#[test]
fn each_fault_has_its_tests_and_each_test_that_is_named_exists() {
    let (rows, sources) = (rows(), sources());
    let mut numbers: Vec<u32> = rows.iter().map(|(number, ..)| *number).collect();
    numbers.dedup();
    assert_eq!(numbers, wanted(), "each fault has a row, in order");
    let mut count = 0;
    for (number, tests, places) in &rows {
        assert!(!tests.is_empty(), "fault {number} has a test");
        for test in tests {
            let Some((file, source)) = file_of(&sources, test) else {
                panic!("fault {number}: no test {test}")
            };
            count += 1;
            let name = test.rsplit("::").next().expect("a name");
            let on_real = source.contains(&format!("    async fn {name}(site: &Site)"))
                || source.contains(&format!("    {name} real: "))
                || name.ends_with("real_old")
                || source.contains(&format!("    {name}: ")) && source.contains("in_parallel_on_every_site!");
            assert!(
                places != "every site" || on_real,
                "fault {number}: {test} in {file} is said to run on every site"
            );
        }
    }
    println!("proof: {} faults, {count} tests", numbers.len());
}

#[test]
fn a_name_that_no_test_has_is_noticed() {
    let sources = sources();
    assert!(file_of(&sources, "faults::table::a_name_that_no_test_has_is_noticed").is_some());
    assert!(file_of(&sources, "faults::table::a_name_that_no_test_has").is_none());
    assert!(file_of(&sources, "faults::lost::a_name_that_no_test_has_is_noticed").is_none());
}

/// A library that can speak HTTP/2 may send a refused stream again by itself.
#[test]
fn fault_13_http_2_is_in_no_library_of_the_program() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    assert!(lock.contains("name = \"hyper\""), "it is the right file");
    for library in ["h2", "h3", "quinn"] {
        assert!(!lock.contains(&format!("name = \"{library}\"")), "{library} is not in the tree");
    }
}
