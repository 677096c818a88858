use super::*;

use proptest::prelude::*;

const QUIET: u64 = 1_000;

fn stamp(version: u64) -> Stamp {
    Stamp { size: 10 + version, modified_ns: u128::from(version), inode: 7, hollow: false }
}

fn path(name: &str) -> PathBuf {
    PathBuf::from("/r").join(name)
}

/// One thing that happens, at a time in milliseconds.
#[derive(Clone, Copy, Debug)]
enum Act {
    Changed(&'static str),
    Written(&'static str),
    Closed(&'static str),
    Missed,
    /// The scan sees these files, each as it looks in a version.
    Scan(&'static [(&'static str, u64)]),
}

/// Its name, what happens, whether the folders `a` and `b` are quiet after it, and when the next scan is due.
type Case = (&'static str, &'static [(u64, Act)], bool, bool, Option<u64>);

use Act::{Changed, Closed, Missed, Scan, Written};

/// A watcher that has seen these files long ago.
fn after(files: &[(&str, u64)]) -> Settle {
    let mut settle = Settle::new(QUIET);
    let seen: HashMap<_, _> = files.iter().map(|(name, version)| (path(name), stamp(*version))).collect();
    settle.look(&seen, 0);
    settle.look(&seen, QUIET);
    assert!(!settle.is_restless());
    settle
}

fn play(settle: &mut Settle, acts: &[(u64, Act)]) {
    for (at, act) in acts {
        match act {
            Changed(name) => settle.hear(Hint::Changed(path(name)), *at),
            Written(name) => settle.hear(Hint::Written(path(name)), *at),
            Closed(name) => settle.hear(Hint::Closed(path(name)), *at),
            Missed => settle.hear(Hint::Missed, *at),
            Scan(files) => {
                let seen = files.iter().map(|(name, version)| (path(name), stamp(*version))).collect();
                settle.look(&seen, *at);
            }
        }
    }
}

#[test]
fn an_article_is_quiet_once_nothing_was_told_of_it_for_the_settle_time_and_a_scan_has_seen_it() {
    const OLD: &[(&str, u64)] = &[("a/index.md", 0)];
    const NEW: &[(&str, u64)] = &[("a/index.md", 1)];
    const RENAMED: &[(&str, u64)] = &[("b/index.md", 0)];
    const TWO: &[(&str, u64)] = &[("a/index.md", 0), ("a/b.png", 0)];
    const TWO_LATER: &[(&str, u64)] = &[("a/index.md", 0), ("a/b.png", 1)];
    let cases: &[Case] = &[
        ("nothing", &[(9_000, Scan(OLD))], true, true, None),
        ("told, not seen yet", &[(5_000, Changed("a/index.md"))], false, true, Some(6_000)),
        ("seen too early", &[(5_000, Changed("a/index.md")), (5_900, Scan(NEW))], false, true, Some(6_000)),
        ("saved", &[(5_000, Changed("a/index.md")), (6_000, Scan(NEW))], true, true, None),
        (
            "saved again and again",
            &[(5_000, Changed("a/index.md")), (5_800, Changed("a/index.md")), (6_000, Scan(NEW))],
            false,
            true,
            Some(6_800),
        ),
        ("touched, the same", &[(5_000, Changed("a/index.md")), (6_000, Scan(OLD))], true, true, None),
        ("seen to change, not told", &[(5_000, Scan(NEW))], false, true, Some(6_000)),
        ("the same a while later", &[(5_000, Scan(NEW)), (6_000, Scan(NEW))], true, true, None),
        (
            "still growing",
            &[(5_000, Scan(NEW)), (6_000, Scan(&[("a/index.md", 2)]))],
            false,
            true,
            Some(7_000),
        ),
        (
            "told once, seen to go on after the last hint",
            &[(5_000, Changed("a/index.md")), (5_500, Scan(NEW)), (6_000, Scan(&[("a/index.md", 2)]))],
            false,
            true,
            Some(7_000),
        ),
        ("open", &[(5_000, Written("a/index.md")), (6_000, Scan(NEW))], false, true, Some(17_000)),
        (
            "open, then closed",
            &[(5_000, Written("a/index.md")), (5_400, Closed("a/index.md")), (6_400, Scan(NEW))],
            true,
            true,
            None,
        ),
        ("open for ever", &[(5_000, Written("a/index.md")), (17_000, Scan(NEW))], true, true, None),
        (
            "a temporary file renamed over it",
            &[
                (5_000, Written("a/index.md.new")),
                (5_001, Closed("a/index.md.new")),
                (5_002, Changed("a/index.md.new")),
                (5_002, Changed("a/index.md")),
                (6_002, Scan(NEW)),
            ],
            true,
            true,
            None,
        ),
        (
            "a folder renamed",
            &[(5_000, Changed("a")), (5_000, Changed("b")), (6_000, Scan(RENAMED))],
            true,
            false,
            Some(7_000),
        ),
        (
            "a folder renamed, and quiet",
            &[(5_000, Changed("a")), (5_000, Changed("b")), (6_000, Scan(RENAMED)), (7_000, Scan(RENAMED))],
            true,
            true,
            None,
        ),
        (
            "an image comes late",
            &[(5_000, Scan(TWO)), (5_900, Scan(TWO_LATER)), (6_000, Scan(TWO_LATER))],
            false,
            true,
            Some(6_900),
        ),
        ("deleted", &[(5_000, Changed("a/index.md")), (6_000, Scan(&[]))], true, true, None),
        ("deleted while open", &[(5_000, Written("a/index.md")), (6_000, Scan(&[]))], true, true, None),
        ("something was missed", &[(5_000, Missed)], true, true, Some(5_000)),
        ("and was looked for", &[(5_000, Missed), (5_000, Scan(NEW))], false, true, Some(6_000)),
    ];
    for (what, acts, a, b, due) in cases {
        let mut settle = after(OLD);
        play(&mut settle, acts);
        let quiet = (settle.is_quiet_below(&path("a")), settle.is_quiet_below(&path("b")));
        assert_eq!((quiet, settle.due()), ((*a, *b), *due), "{what}");
    }
}

#[test]
fn at_the_beginning_everything_must_be_quiet_first() {
    let mut settle = Settle::new(QUIET);
    play(&mut settle, &[(3_000, Scan(&[("a/index.md", 0), ("loose.md", 0)]))]);
    assert!(!settle.is_quiet(&path("loose.md")) && !settle.is_quiet_below(&path("a")));
    play(&mut settle, &[(4_000, Scan(&[("a/index.md", 1), ("loose.md", 0)]))]);
    assert!(settle.is_quiet(&path("loose.md")) && !settle.is_quiet_below(&path("a")));
}

#[test]
fn folders_of_like_names_are_told_apart() {
    let mut settle = after(&[("tea/index.md", 0), ("tea-2/index.md", 0)]);
    play(&mut settle, &[(5_000, Changed("tea-2/index.md"))]);
    assert!(settle.is_quiet_below(&path("tea")));
    assert!(!settle.is_quiet_below(&path("tea-2")));
}

/// A writer that changes one file of a few. Of the last one nothing is ever told.
#[derive(Clone, Debug)]
struct Write {
    after: u64,
    file: usize,
}

fn writes() -> impl Strategy<Value = Vec<Write>> {
    let write = (1..2_500_u64, 0..3_usize).prop_map(|(after, file)| Write { after, file });
    proptest::collection::vec(write, 1..25)
}

proptest! {
    /// Whatever is told or missed, whoever scans when a scan is due takes no file that changed within the settle time
    /// of a scan that saw it, and takes each in the end.
    #[test]
    fn nothing_is_taken_while_it_is_written_and_everything_is_taken_in_the_end(writes in writes()) {
        let files: Vec<PathBuf> = (0..3).map(|file| path(&format!("{file}/index.md"))).collect();
        let mut seen: HashMap<PathBuf, Stamp> = files.iter().map(|file| (file.clone(), stamp(0))).collect();
        let mut settle = Settle::new(QUIET);
        settle.look(&seen, 0);
        let (mut now, mut last_write) = (0, [0_u64; 3]);
        let check = |settle: &Settle, now: u64, seen: &HashMap<PathBuf, Stamp>, last_write: &[u64; 3]| {
            for (file, at) in files.iter().zip(last_write) {
                // What nobody told of is known by the next scan at the latest, and taken only as it was seen then.
                if settle.is_quiet(file) && settle.known.get(file) == seen.get(file) {
                    prop_assert!(now >= at + QUIET || now == 0, "{file:?} written at {at}, taken at {now}");
                }
            }
            Ok(())
        };
        let mut version = 0;
        for write in &writes {
            let until = now + write.after;
            while let Some(due) = settle.due().filter(|due| *due <= until) {
                now = now.max(due);
                settle.look(&seen, now);
                check(&settle, now, &seen, &last_write)?;
                prop_assert!(settle.due().is_none_or(|next| next > now), "a scan is never due at once again");
            }
            now = until;
            version += 1;
            seen.insert(files[write.file].clone(), stamp(version));
            last_write[write.file] = now;
            if write.file < 2 {
                settle.hear(Hint::Changed(files[write.file].clone()), now);
            }
        }
        settle.hear(Hint::Missed, now);
        let mut scans = 0;
        while let Some(due) = settle.due() {
            now = now.max(due);
            settle.look(&seen, now);
            check(&settle, now, &seen, &last_write)?;
            scans += 1;
            prop_assert!(scans < 10, "it comes to rest");
        }
        prop_assert!(!settle.is_restless());
        prop_assert!(files.iter().all(|file| settle.known.get(file) == seen.get(file)));
    }
}
