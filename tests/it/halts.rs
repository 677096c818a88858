//! Every reason for a halt has a page in both languages, and no page is without its reason.

use std::collections::BTreeSet;
use std::path::Path;

use ichido_core::operation::HaltReason;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/halts");

#[test]
fn every_reason_has_a_page_in_both_languages() {
    for reason in HaltReason::ALL {
        let path = Path::new(FOLDER).join(format!("{}.md", reason.as_str()));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
        for part in [
            "## 日本語",
            "**何が起きたか**",
            "**できること**",
            "## English",
            "**What happened**",
            "**What you can do**",
            reason.as_str(),
        ] {
            assert!(page.contains(part), "{} lacks {part}", path.display());
        }
    }
}

#[test]
fn no_page_is_without_its_reason() {
    let known: BTreeSet<_> = HaltReason::ALL.iter().map(|reason| format!("{}.md", reason.as_str())).collect();
    for entry in std::fs::read_dir(FOLDER).expect("the pages are there") {
        let name = entry.expect("a page").file_name().into_string().expect("a plain name");
        assert!(known.contains(&name), "{name} explains no reason that exists");
    }
}
