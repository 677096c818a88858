//! What a site stored is compared with what was sent: what it will not keep is told before, what it changed is told
//! after, and by neither is anything halted.

use ichido_core::operation::State;
use ichido_engine::{Change, Note};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who};

use crate::contract::on_every_site;
use crate::sight::{assert_sent_once, changing, noted, the_post};

/// A page with what WordPress keeps for some users only.
const FRAMED: &str = "Before & after.\n\n<div style=\"position:fixed\"><iframe src=\"https://example.com/frame\"></iframe></div>\n\n<script>run()</script>\n\nThe *end*.";

fn changes(desk: &Desk) -> Vec<Change> {
    let mut told = Vec::new();
    for note in noted(desk) {
        if let Note::StoredOtherwise { changes } = note {
            told.extend(changes);
        }
    }
    told
}

fn foretold(desk: &Desk) -> Vec<String> {
    let mut told = Vec::new();
    for note in noted(desk) {
        if let Note::WillBeFiltered { parts } = note {
            told.extend(parts.iter().map(ichido_engine::Part::brief));
        }
    }
    told
}

fn takes_out(changes: &[Change], what: &str) -> bool {
    changes.iter().any(|change| change.sent.contains(what) && !change.stored.contains(what))
}

on_every_site! {
    async fn what_the_role_may_not_store_is_told_before_and_after(site: &Site) {
        for who in [Who::Author, Who::Editor, Who::Administrator] {
            let desk = Desk::at_as(site, who).await;
            let slug = format!("framed-{}", who.login());
            desk.write(&slug, "Framed", FRAMED);
            let (dry, _) = crate::dry_run::foretell(&desk, site).await;
            assert_eq!(dry.tally.created, 1, "{dry:?}");
            let report = desk.register().await;
            assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
            assert_eq!(desk.state(&slug), State::Done);
            let stored = the_post(&site.posts().await, &slug).content.clone();
            let is_author = who == Who::Author;
            assert_eq!(stored.contains("<iframe") && stored.contains("<script"), !is_author, "{stored}");
            let (told, changes) = (foretold(&desk), changes(&desk));
            if is_author {
                assert_eq!(told, ["8: <iframe>", "10: <script>"], "{:?}", noted(&desk));
                assert!(takes_out(&changes, "<iframe") && takes_out(&changes, "<script>"), "{changes:?}");
            } else {
                assert_eq!((told, changes), (vec![], vec![]), "{:?}", noted(&desk));
            }
            // It is no change, and no reason to look at anything again.
            site.forget_requests();
            let again = desk.register().await;
            assert_eq!((again.tally.verified, again.exit_status(), changing(site)), (1, 0, vec![]));
            assert!(!noted(&desk).contains(&Note::EditedOnSite), "{:?}", noted(&desk));
        }
    }

    async fn what_everybody_may_store_is_no_difference(site: &Site) {
        for who in [Who::Contributor, Who::Author, Who::Editor, Who::Administrator] {
            let desk = Desk::at_as(site, who).await;
            let slug = format!("plain-{}", who.login());
            desk.write(
                &slug,
                "R & D, \"now\"",
                "## Heading\n\n\"Quotes\" -- & 'more' 😀 [l](https://example.com/?a=1&b=2)  \nline\n\n- [x] one\n- two\n  1. three\n\n> quote\n\n```rust\nlet a = b[0] < 1 && c;\n```\n\n| a | b |\n|:-:|---|\n| 1 | `x` |\n\n---\n\n<ruby>漢字<rt>かんじ</rt></ruby>\n\n<a href=\"https://example.com/\" target=\"_blank\">away</a>",
            );
            let report = desk.register().await;
            assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
            assert_eq!((foretold(&desk), changes(&desk)), (vec![], vec![]), "{who:?}");
        }
    }

    async fn a_draft_whose_answer_was_lost_is_compared_too(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("a", "A", FRAMED);
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = desk.register().await;
        assert_eq!((report.tally.adopted, report.exit_status()), (1, 0), "{report:?}");
        assert!(takes_out(&changes(&desk), "<iframe"), "{:?}", noted(&desk));
        assert_eq!(desk.state("a"), State::Done);
        assert_sent_once(site);
    }
}
