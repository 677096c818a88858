//! The pages that explain a halt, and what else stops people: built in, from `docs/halts`.

use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::tally::Barrier;

use crate::language::Language;

/// One page, in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) code: &'static str,
    pub(crate) title: String,
    /// Plain text: headings, paragraphs, points.
    pub(crate) text: String,
}

/// Every pause of a site is explained on one page: its reasons stand there with their cures.
pub(crate) const SITE_PAUSED: &str = "site_paused";

macro_rules! sources {
    ($($code:literal),* $(,)?) => {
        [$(($code, include_str!(concat!("../../../../docs/halts/", $code, ".md")))),*]
    };
}

const SOURCES: [(&str, &str); 16] = sources![
    "outcome_unknown",
    "could_not_ask",
    "candidates",
    "content_differs",
    "incomplete",
    "exists_not_ours",
    "duplicates",
    "in_trash",
    "missing",
    "renamed",
    "slug_changed",
    "hidden",
    "unclean_stop",
    "journal_lost",
    "site_restored",
    "site_paused",
];

/// Returns the codes of all pages.
pub(crate) fn codes() -> [&'static str; 16] {
    SOURCES.map(|(code, _)| code)
}

/// Returns the page of a code.
pub(crate) fn page(code: &str, language: Language) -> Option<Page> {
    let (code, source) = SOURCES.into_iter().find(|(known, _)| *known == code)?;
    let (japanese, english) = source.lines().next()?.strip_prefix("# ")?.split_once(" / ")?;
    let (title, heading) = match language {
        Language::Japanese => (japanese, "## 日本語"),
        Language::English => (english, "## English"),
    };
    let lines = source.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<String> = lines.take_while(|line| !line.starts_with("## ")).map(plain).collect();
    Some(Page { code, title: title.to_owned(), text: lines.join("\n").trim().to_owned() })
}

/// Takes the marks off that a terminal does not show.
fn plain(line: &str) -> String {
    line.strip_prefix("### ").unwrap_or(line).replace("**", "").replace('`', "")
}

/// Returns the page that explains where a record stands, if it needs explaining.
pub(crate) fn of_state(state: State) -> Option<&'static str> {
    match state {
        State::Halted(reason) => Some(reason.as_str()),
        State::Sending => Some(HaltReason::OutcomeUnknown.as_str()),
        State::Waiting(reason) => match reason {
            WaitReason::ReleaseNeeded => Some(Barrier::UncleanStop.as_str()),
            WaitReason::CouldNotAsk
            | WaitReason::NotSent
            | WaitReason::Maintenance
            | WaitReason::SitePaused
            | WaitReason::Credentials => Some(SITE_PAUSED),
            WaitReason::ImageInDoubt | WaitReason::Stopped => None,
        },
        State::Planned
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Done
        | State::Abandoned => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_stops_people_has_a_page_in_both_languages() {
        let barriers = [Barrier::UncleanStop, Barrier::JournalLost, Barrier::SiteRestored];
        let wanted = HaltReason::ALL.map(HaltReason::as_str).into_iter();
        let wanted = wanted.chain(barriers.map(Barrier::as_str)).chain([SITE_PAUSED]);
        let mut count = 0;
        for code in wanted {
            for (language, part) in
                [(Language::Japanese, "できること"), (Language::English, "What you can do")]
            {
                let page = page(code, language).unwrap_or_else(|| panic!("{code} has no page"));
                assert!(page.text.contains(part), "{code}: {}", page.text);
                assert!(!page.text.contains(['*', '`', '#']), "{code}: {}", page.text);
            }
            count += 1;
        }
        assert_eq!(count, codes().len(), "a page explains nothing that exists");
        assert_eq!(page("made_up", Language::English), None);
    }

    #[test]
    fn whatever_a_record_needs_a_person_for_is_explained() {
        for state in State::all() {
            let needs = matches!(state, State::Halted(_) | State::Sending);
            assert!(!needs || of_state(state).is_some_and(|code| codes().contains(&code)), "{state:?}");
        }
    }
}
