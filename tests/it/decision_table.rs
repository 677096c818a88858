//! The decision table as the code has it, held against docs/decision-table.md.

use ichido_core::decide::{AdoptedBy, AfterAdopt, Decision, Local, Record, SkipNote, decide};
use ichido_core::evidence::{Accounted, AskFailure, ById, Evidence, Found, Looked, MarkerSeen};
use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/decision-table.md");

fn row() -> Found {
    Found {
        id: RemoteId(1),
        slug_matches: true,
        in_trash: false,
        mine: true,
        above_mark: true,
        marker: MarkerSeen::None,
        same_content: false,
        complete: true,
        accounted: Accounted::No,
    }
}

fn ours() -> Found {
    Found { marker: MarkerSeen::This, same_content: true, ..row() }
}

/// What a site can show, in words, beside the evidence that says it.
fn sights() -> Vec<(&'static str, Evidence, Local)> {
    let shows = |rows: Vec<Found>| Evidence::Looked(Looked { rows, ..Looked::default() });
    let by_id = |by_id| Evidence::Looked(Looked { by_id, ..Looked::default() });
    let second = |found: Found| Found { id: RemoteId(2), ..found };
    let same = Local { changed_since: false };
    let changed = Local { changed_since: true };
    vec![
        ("could not ask", Evidence::CouldNotAsk(AskFailure::Network), same),
        ("does not recognise our user", Evidence::CouldNotAsk(AskFailure::NotOurUser), same),
        ("in maintenance", Evidence::CouldNotAsk(AskFailure::Maintenance), same),
        ("not found", shows(vec![]), same),
        ("rows stay hidden", Evidence::Looked(Looked { hidden: true, ..Looked::default() }), same),
        ("our slug, other content, our author", shows(vec![row()]), same),
        ("our slug, other author", shows(vec![Found { mine: false, ..row() }]), same),
        (
            "our slug, title and content, our author, no marker",
            shows(vec![Found { same_content: true, ..row() }]),
            same,
        ),
        (
            "the same, older than the send",
            shows(vec![Found { same_content: true, above_mark: false, ..row() }]),
            same,
        ),
        ("our slug twice", shows(vec![row(), second(row())]), same),
        (
            "our slug, owned by another record",
            shows(vec![Found { accounted: Accounted::OtherRecord, ..row() }]),
            same,
        ),
        (
            "our slug, a marker this journal does not know",
            shows(vec![Found { marker: MarkerSeen::Unknown, ..row() }]),
            same,
        ),
        ("our slug in the trash", shows(vec![Found { in_trash: true, ..row() }]), same),
        (
            "a new row of ours at another slug, no marker",
            shows(vec![Found { slug_matches: false, ..row() }]),
            same,
        ),
        ("our marker", shows(vec![ours()]), same),
        ("our marker, terms or excerpt missing", shows(vec![Found { complete: false, ..ours() }]), same),
        ("our marker, article changed since", shows(vec![ours()]), changed),
        ("our marker in the trash", shows(vec![Found { in_trash: true, ..ours() }]), same),
        ("our marker twice", shows(vec![ours(), second(ours())]), same),
        (
            "our marker, and our slug on a stranger",
            shows(vec![ours(), second(Found { mine: false, ..row() })]),
            same,
        ),
        (
            "the marker of the operation that was given up",
            shows(vec![Found { marker: MarkerSeen::Predecessor, ..row() }]),
            same,
        ),
        ("by id: there, our slug", by_id(ById::There(Found { same_content: true, ..row() })), same),
        (
            "by id: there, article changed since",
            by_id(ById::There(Found { same_content: true, ..row() })),
            changed,
        ),
        ("by id: there, edited on the site", by_id(ById::There(row())), same),
        ("by id: there, another slug", by_id(ById::There(Found { slug_matches: false, ..row() })), same),
        ("by id: in the trash", by_id(ById::There(Found { in_trash: true, ..row() })), same),
        ("by id: gone", by_id(ById::Gone), same),
        (
            "by id: gone, and our marker on another row",
            Evidence::Looked(Looked { rows: vec![second(ours())], hidden: false, by_id: ById::Gone }),
            same,
        ),
        ("by id: not ours to see", by_id(ById::Forbidden), same),
        (
            "by id: there, and a second row at our slug",
            Evidence::Looked(Looked {
                rows: vec![second(row())],
                hidden: false,
                by_id: ById::There(Found { same_content: true, ..row() }),
            }),
            same,
        ),
    ]
}

fn records() -> Vec<(String, Record)> {
    let record = |kind, state, may_have_left| Record { kind, state, may_have_left, may_arrive: false };
    let mut records = vec![
        ("post: no record, or planned".to_owned(), record(Kind::Post, State::Planned, false)),
        ("post: waiting".to_owned(), record(Kind::Post, State::Waiting(WaitReason::CouldNotAsk), false)),
        ("post: sending".to_owned(), record(Kind::Post, State::Sending, true)),
        ("post: done".to_owned(), record(Kind::Post, State::Done, true)),
    ];
    for reason in HaltReason::ALL {
        let sent = reason != HaltReason::SlugChanged;
        records.push((
            format!("post: halted, {}", reason.as_str()),
            record(Kind::Post, State::Halted(reason), sent),
        ));
    }
    records.push((
        "post: halted before any send, in_trash".to_owned(),
        record(Kind::Post, State::Halted(HaltReason::InTrash), false),
    ));
    for reason in [HaltReason::Missing, HaltReason::InTrash] {
        records.push((
            format!("post: linked by a person, and halted, {}", reason.as_str()),
            Record { may_arrive: true, ..record(Kind::Post, State::Halted(reason), true) },
        ));
    }
    for (name, state) in [
        ("skipped", State::Skipped),
        ("refused", State::Refused),
        ("needs work", State::NeedsWork),
        ("abandoned", State::Abandoned),
    ] {
        records.push((format!("post: {name}"), record(Kind::Post, state, state == State::Abandoned)));
    }
    records.push(("image: no record, or planned".to_owned(), record(Kind::Image, State::Planned, false)));
    records.push(("image: sending".to_owned(), record(Kind::Image, State::Sending, true)));
    records.push(("image: done".to_owned(), record(Kind::Image, State::Done, true)));
    records.push((
        "image: linked by a person, and done".to_owned(),
        Record { may_arrive: true, ..record(Kind::Image, State::Done, true) },
    ));
    records
}

/// What is looked up by id needs an id, and our own marker needs a request that may have left.
fn can_be_seen(record: &Record, sight: &str) -> bool {
    let has_id = record.may_have_left && !record.state.is_in_doubt();
    let is_done = record.state == State::Done;
    if sight.starts_with("by id") {
        has_id
    } else if is_done {
        sight.contains("could not ask")
            || sight.starts_with("does not")
            || sight.starts_with("in maintenance")
    } else {
        record.may_have_left || !sight.starts_with("our marker")
    }
}

fn words(decision: &Decision) -> String {
    match decision {
        Decision::Create => "**create**".into(),
        Decision::Skip { note, .. } => match note {
            SkipNote::Same => "skip".into(),
            SkipNote::Differs => "skip (note: differs)".into(),
            SkipNote::OtherJournal => "skip (note: another journal's)".into(),
        },
        Decision::Adopt { by, then, .. } => {
            let by = match by {
                AdoptedBy::Marker => "adopt",
                AdoptedBy::Content => "adopt (note: by content)",
            };
            match then {
                AfterAdopt::Done => by.into(),
                AfterAdopt::Halt(reason) => format!("{by}, then halt `{}`", reason.as_str()),
            }
        }
        Decision::Verified(note) => {
            let mut notes = Vec::new();
            if note.changed_since {
                notes.push("changed since");
            }
            if note.edited_on_site {
                notes.push("edited on the site");
            }
            if note.no_longer_ours {
                notes.push("no longer ours");
            }
            if notes.is_empty() {
                "verified".into()
            } else {
                format!("verified (note: {})", notes.join(", "))
            }
        }
        Decision::Replace => "upload anew".into(),
        Decision::Halt(reason) => format!("halt `{}`", reason.as_str()),
        Decision::Wait(reason) => format!("wait `{}`", reason.as_str()),
        Decision::StayInDoubt(_) => "stay in doubt".into(),
        Decision::Keep => "as it is".into(),
    }
}

fn table() -> String {
    let mut text = String::from(
        "# The decision table\n\n\
         What Ichido does, for everything that the journal can hold and everything that a site can show.\n\
         This file is made from the code by a test, which fails when they differ; `ICHIDO_BLESS=1` makes it anew.\n",
    );
    for (name, record) in records() {
        text.push_str(&format!("\n## {name}\n\n| the site | decision |\n|---|---|\n"));
        for (sight, evidence, local) in sights().into_iter().filter(|(sight, ..)| can_be_seen(&record, sight))
        {
            text.push_str(&format!("| {sight} | {} |\n", words(&decide(record, &evidence, local))));
        }
    }
    text
}

#[test]
fn the_document_says_what_the_code_does() {
    let table = table();
    if std::env::var_os("ICHIDO_BLESS").is_some() {
        std::fs::write(FILE, &table).expect("the document can be written");
    }
    let written = std::fs::read_to_string(FILE).expect("docs/decision-table.md is there");
    assert!(
        written == table,
        "docs/decision-table.md differs from the code; look at the change, then ICHIDO_BLESS=1"
    );
}
