use super::*;
use crate::wording::MISSING;

use ichido_article::FindingCode;
use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{Barrier, Ending, Pause};
use ichido_engine::{FolderState, NoEvents};

const BOTH: [Language; 2] = [Language::Japanese, Language::English];

fn assert_known(keys: impl IntoIterator<Item = String>) {
    for key in keys {
        for language in BOTH {
            let text = table(language).get(&key);
            assert!(text.is_some_and(|text| !text.trim().is_empty()), "{language:?} has no text for {key}");
        }
    }
}

fn particulars(text: &str) -> std::collections::BTreeSet<String> {
    let named = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    // The word that goes with a number is no particular of its own.
    named.map(|(name, _)| name.split('?').next().unwrap_or(name).to_owned()).collect()
}

#[test]
fn both_languages_have_the_same_keys_with_the_same_particulars() {
    let [japanese, english] = BOTH.map(table);
    assert!(!japanese.is_empty());
    for (key, text) in japanese {
        let other = english.get(key).unwrap_or_else(|| panic!("no English text for {key}"));
        assert_eq!(particulars(text), particulars(other), "{key}");
    }
    assert_eq!(japanese.len(), english.len());
}

#[test]
fn no_key_stands_twice() {
    for (source, language) in [JAPANESE, ENGLISH].into_iter().zip(BOTH) {
        let lines = source.lines().filter(|line| line.trim_start().starts_with('"')).count();
        assert_eq!(lines, table(language).len(), "{language:?}");
    }
}

#[test]
fn every_code_has_a_sentence() {
    assert_known(FindingCode::ALL.iter().map(|code| format!("finding.{}", code.as_str())));
    assert_known(HaltReason::ALL.map(|reason| format!("halt.{}", reason.as_str())));
    assert_known(HaltReason::ALL.map(|reason| format!("reason.{}", reason.as_str())));
    assert_known(WaitReason::ALL.map(|reason| format!("wait.{}", reason.as_str())));
    assert_known(WaitReason::ALL.map(|reason| format!("reason.{}", reason.as_str())));
    assert_known(RefusalCode::ALL.iter().map(|code| format!("refusal.{}", code.as_str())));
    assert_known(State::all().into_iter().map(|state| format!("state.{}", state.as_str())));
    assert_known(
        State::all().into_iter().map(|state| format!("reason.{}", state.reason().unwrap_or(state.as_str()))),
    );
    assert_known(Act::ALL.map(|act| format!("history.{}", act.as_str())));
    assert_known(
        Act::ALL
            .into_iter()
            .filter(|act| act.is_a_persons())
            .map(|act| format!("resolve.ask.{}", act.as_str())),
    );
    assert_known(ichido_engine::Key::ALL.map(|key| format!("setting.{}", key.as_str())));
    let pauses = [
        Pause::NotOurUser,
        Pause::Refused,
        Pause::Redirected,
        Pause::UnknownInARow,
        Pause::Unreachable,
        Pause::Maintenance,
    ];
    assert_known(pauses.map(|pause| format!("pause.{}", pause.as_str())));
    let barriers = [Barrier::UncleanStop, Barrier::JournalLost, Barrier::SiteRestored];
    assert_known(barriers.map(|barrier| format!("barrier.{}", barrier.as_str())));
    assert_known(barriers.map(|barrier| format!("reason.{}", barrier.as_str())));
    let endings = [
        Ending::Created,
        Ending::Adopted,
        Ending::Verified,
        Ending::Skipped,
        Ending::Unknown,
        Ending::Halted,
        Ending::Waiting,
        Ending::Refused,
        Ending::NeedsWork,
        Ending::Left,
    ];
    assert_known(endings.map(|ending| format!("ending.{}", ending.as_str())));
    assert_known([Ending::Created, Ending::Adopted].map(|ending| format!("would.{}", ending.as_str())));
    let states = [
        FolderState::Away,
        FolderState::TooLarge,
        FolderState::Unreadable,
        FolderState::Offline { reason: Pause::Unreachable },
        FolderState::NeedsCredentials,
        FolderState::Refused { reason: Pause::Refused },
        FolderState::OtherRunner,
        FolderState::OtherWatcher,
        FolderState::Shut { reason: Barrier::UncleanStop },
        FolderState::OwnedElsewhere,
        FolderState::OwnerUnusable,
        FolderState::NoSite,
        FolderState::JournalFailed,
    ];
    assert_known(states.map(|state| format!("watch.{}", state.as_str())));
    assert_known(pauses.map(|pause| format!("watch.why.{}", pause.as_str())));
    let reasons = [NoEvents::Limit, NoEvents::Unsupported, NoEvents::Network];
    assert_known(reasons.map(|why| format!("watch.scanning.{}", why.as_str())));
    assert_known(MISSING.map(|code| format!("missing.{}", code.as_str())));
}

/// Every text that the sources ask for by its whole key, and every code that a failure is told by.
#[test]
fn every_key_that_the_sources_name_is_known() {
    let sources = [
        include_str!("lib.rs"),
        include_str!("help.rs"),
        include_str!("listener.rs"),
        include_str!("report.rs"),
        include_str!("secrets.rs"),
        include_str!("tasks/check.rs"),
        include_str!("tasks/explain.rs"),
        include_str!("tasks/history.rs"),
        include_str!("tasks/practice.rs"),
        include_str!("tasks/reconcile.rs"),
        include_str!("tasks/register.rs"),
        include_str!("tasks/release.rs"),
        include_str!("tasks/resolve.rs"),
        include_str!("tasks/site.rs"),
        include_str!("tasks/status.rs"),
        include_str!("tasks/watch.rs"),
    ];
    let groups: std::collections::BTreeSet<&str> = table(Language::English)
        .keys()
        .filter_map(|key| key.split_once('.'))
        .map(|(group, _)| group)
        .collect();
    let is_key = |word: &&str| {
        let form = |character: char| character.is_ascii_lowercase() || character == '.' || character == '_';
        word.split_once('.')
            .is_some_and(|(group, rest)| groups.contains(group) && !rest.is_empty() && !rest.ends_with('.'))
            && word.chars().all(form)
    };
    let named: Vec<String> =
        sources.iter().flat_map(|source| source.split('"')).filter(is_key).map(str::to_owned).collect();
    assert!(named.len() > 60, "{}", named.len());
    assert_known(named);
    for source in [include_str!("told.rs"), include_str!("secrets.rs")] {
        let codes = source.split("Told::new(\"").skip(1).filter_map(|rest| rest.split_once('"'));
        assert_known(codes.map(|(code, _)| format!("error.{code}")));
    }
    for other in [
        "link_not_there",
        "link_forbidden",
        "link_in_trash",
        "link_other_record",
        "maintenance",
        "rate_limited",
    ] {
        assert_known([format!("error.{other}")]);
    }
}

#[test]
fn an_unknown_outcome_is_never_called_a_failure_and_says_what_to_do() {
    for reason in ["halt.outcome_unknown", "halt.could_not_ask"] {
        let japanese = Texts::of(Language::Japanese).get(reason).to_owned();
        for part in
            ["結果不明", "失敗ではありません", "二重投稿を防ぐため自動では再送しません", "ichido reconcile"]
        {
            assert!(japanese.contains(part), "{reason}: {part}");
        }
        let english = Texts::of(Language::English).get(reason).to_owned();
        for part in [
            "Outcome unknown",
            "not a failure",
            "Not resent automatically, to avoid duplicates",
            "ichido reconcile",
        ] {
            assert!(english.contains(part), "{reason}: {part}");
        }
    }
    assert!(Texts::of(Language::English).get("halt.outcome_unknown").contains("ichido resolve"));
}

#[test]
fn particulars_are_put_in_and_parts_without_theirs_left_out() {
    let both = [("a", "1"), ("b", "2")];
    assert_eq!(fill("x {a}[ and {b}] y", &both), "x 1 and 2 y");
    assert_eq!(fill("x {a}[ and {b}] y[ {c}]", &both[..1]), "x 1 y");
    assert_eq!(fill("{a}", &[("a", "{b} [c]\u{1b}[0m\n")]), "{b} [c]\u{fffd}[0m ");
    assert_eq!(fill("unclosed { and [", &[]), "unclosed { and ");
    for (number, expected) in
        [("0", "0 warnings"), ("1", "1 warning"), ("2", "2 warnings"), ("11", "11 warnings")]
    {
        assert_eq!(fill("{n} {n?warning|warnings}", &[("n", number)]), expected);
    }
}
