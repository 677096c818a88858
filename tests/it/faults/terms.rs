//! Answers lost while a tag is made: it may be repeated, since the site answers with the one that is there.

use ichido_core::operation::{State, WaitReason};
use ichido_core::tally::Ending;
use ichido_practice::{Fault, Kind as Request, Taxonomy, When};
use ichido_tests::{Desk, Site};

use super::{CREATED, Comes, expect, register_one, titled};
use crate::contract::on_every_site;

fn tagged(desk: &Desk) -> std::path::PathBuf {
    desk.write_with("記事", "title: 記事\nslug: 記事\ntags: [札]", "本文です。")
}

on_every_site! {
    async fn a_lost_answer_to_a_tag_is_looked_up_and_the_draft_has_it(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = tagged(&desk);
        site.inject(When::next(Request::CreateTerm), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!(titled(site, "記事").await[0].tags, ["札"]);
        assert_eq!((site.terms(Taxonomy::Tag).await, site.creates()), (vec!["札".to_owned()], 2));
    }

    async fn a_tag_that_was_not_made_lets_its_article_wait_and_is_made_by_the_next_run(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = tagged(&desk);
        site.inject(When::next(Request::CreateTerm), Fault::DropBeforeCommit);
        let report = register_one(&desk, &folder).await;
        let waiting = Comes { ending: Ending::Waiting, exit: 6, state: State::Waiting(WaitReason::CouldNotAsk), posts: 0 };
        expect(site, &desk, &report, "記事", waiting).await;
        site.forget_requests();
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!(titled(site, "記事").await[0].tags, ["札"]);
        assert_eq!(site.terms(Taxonomy::Tag).await, ["札"]);
    }
}
