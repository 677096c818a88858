//! Faults of the practice site by name.

use std::str::FromStr;
use std::time::Duration;

use ichido_practice::{Fault, Kind, When, Which};

/// A fault and the request that it waits for, as `[KIND:]FAULT[@N]`: after N other such requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arming {
    pub(crate) when: When,
    pub(crate) fault: Fault,
}

/// A fault that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("find the fault")]
pub(crate) struct UnknownFault;

impl FromStr for Arming {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let (text, skip) = match text.split_once('@') {
            Some((text, skip)) => (text, skip.parse().map_err(|_| UnknownFault)?),
            None => (text, 0),
        };
        let (which, name) = match text.split_once(':') {
            Some(("post", name)) => (Which::Kind(Kind::CreatePost), name),
            Some(("image", name)) => (Which::Kind(Kind::UploadMedia), name),
            Some(("term", name)) => (Which::Kind(Kind::CreateTerm), name),
            Some(("look", name)) => (Which::Kind(Kind::LookUp), name),
            Some(_) => return Err(UnknownFault),
            None => (Which::Creating, text),
        };
        let fault =
            NAMES.iter().find(|(known, _)| *known == name).map(|(_, fault)| fault()).ok_or(UnknownFault)?;
        Ok(Self { when: When { which, skip }, fault })
    }
}

/// Returns the names of all faults.
pub(crate) fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

type Named = (&'static str, fn() -> Fault);

/// How late a late effect comes.
const LATE: Duration = Duration::from_secs(30);

const NAMES: [Named; 21] = [
    ("commit-then-drop-response", || Fault::CommitThenDropResponse),
    ("drop-before-commit", || Fault::DropBeforeCommit),
    ("commit-later", || Fault::CommitLater(LATE)),
    ("commit-then-500", || Fault::CommitThenStatus(500)),
    ("commit-then-502", || Fault::CommitThenStatus(502)),
    ("commit-then-503", || Fault::CommitThenStatus(503)),
    ("commit-then-504", || Fault::CommitThenStatus(504)),
    ("500-before-commit", || Fault::StatusBeforeCommit { status: 500, code: None, html: true }),
    ("403-page-before-commit", || Fault::StatusBeforeCommit { status: 403, code: None, html: true }),
    ("truncate-body", || Fault::TruncateBody),
    ("notice-before-json", || Fault::NoticeBeforeJson),
    ("bom-before-json", || Fault::BomBeforeJson),
    ("html-instead-of-json", || Fault::HtmlInsteadOfJson),
    ("empty-list-instead-of-object", || Fault::EmptyListInsteadOfObject),
    ("empty-body", || Fault::EmptyBody),
    ("hide-from-lookups", || Fault::HideFromLookups(1)),
    ("hide-for-long", || Fault::HideFromLookups(1_000_000)),
    ("refuse-lookups", || Fault::RefuseLookups(1)),
    ("media-fatal-after-insert", || Fault::MediaFatalAfterInsert),
    ("commit-then-silence", || Fault::CommitThenSilence),
    ("silence-before-commit", || Fault::SilenceBeforeCommit),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_armed_by_name_kind_and_number() {
        for (text, which, skip) in [
            ("commit-then-drop-response", Which::Creating, 0),
            ("post:commit-then-drop-response@2", Which::Kind(Kind::CreatePost), 2),
            ("image:commit-then-drop-response", Which::Kind(Kind::UploadMedia), 0),
        ] {
            let arming = Arming { when: When { which, skip }, fault: Fault::CommitThenDropResponse };
            assert_eq!(text.parse(), Ok(arming), "{text}");
        }
        for text in ["", "x", "post:", "page:empty-body", "empty-body@", "empty-body@-1", "EmptyBody"] {
            assert_eq!(text.parse::<Arming>(), Err(UnknownFault), "{text}");
        }
    }

    #[test]
    fn every_name_can_be_used() {
        for (name, fault) in NAMES {
            assert_eq!(name.parse::<Arming>().map(|arming| arming.fault), Ok(fault()));
        }
    }
}
