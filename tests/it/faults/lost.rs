//! Answers that never come (faults 8 to 10 and 24).

use ichido_core::act::{Act, Shut};
use ichido_core::outcome::UnknownCause;
use ichido_engine::ActError;
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site};

use super::{
    ADOPTED, UNKNOWN, VERIFIED, article, assert_sent_once, expect, impatient, register_hearing, register_one,
};
use crate::contract::on_every_site;

on_every_site! {
    async fn fault_8_a_timed_out_request_that_was_executed_is_adopted(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        site.inject(When::next(Request::CreatePost), Fault::CommitThenSilence);
        let report = register_hearing(&desk, std::slice::from_ref(&folder), Some(impatient(site)), |_| {}).await;
        expect(site, &desk, &report, "記事", ADOPTED).await;
        assert_eq!(desk.record("記事").unknown, Some(UnknownCause::TimedOut));
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "記事", VERIFIED).await;
    }

    async fn fault_9_a_timed_out_request_that_was_not_executed_halts(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        site.inject(When::next(Request::CreatePost), Fault::SilenceBeforeCommit);
        let report = register_hearing(&desk, std::slice::from_ref(&folder), Some(impatient(site)), |_| {}).await;
        expect(site, &desk, &report, "記事", UNKNOWN).await;
        assert_eq!(desk.record("記事").unknown, Some(UnknownCause::TimedOut));
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "記事", UNKNOWN).await;
        let shut = desk.act("記事", Act::SendAgain, None).await;
        assert!(matches!(shut, Err(ActError::Shut(Shut::Window { remaining_ms: 1.. }))), "{shut:?}");
        assert_eq!(site.creates(), 1);
    }

    async fn fault_10_a_connection_that_breaks_after_the_request_is_settled_by_looking(site: &Site) {
        let desk = Desk::at(site).await;
        let done = article(&desk, "done");
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &done).await;
        expect(site, &desk, &report, "done", ADOPTED).await;
        let lost = article(&desk, "lost");
        site.inject(When::next(Request::CreatePost), Fault::DropBeforeCommit);
        let report = register_one(&desk, &lost).await;
        expect(site, &desk, &report, "lost", UNKNOWN).await;
        for slug in ["done", "lost"] {
            assert_eq!(desk.record(slug).unknown, Some(UnknownCause::ConnectionLost), "{slug}");
        }
        let again = desk.register().await;
        expect(site, &desk, &again, "lost", UNKNOWN).await;
        assert_eq!((again.tally.verified, site.creates()), (1, 2), "{again:?}");
    }

    async fn fault_24_look_ups_that_hide_the_post_never_lead_to_a_second_request(site: &Site) {
        let desk = Desk::at(site).await;
        // Each look asks for two lists, and a run looks four times.
        for times in [1, 2, 5] {
            let slug = format!("hidden-{times}");
            let folder = article(&desk, &slug);
            site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(times));
            site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, &slug, ADOPTED).await;
        }
        let folder = article(&desk, "long-hidden");
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(8));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "long-hidden", UNKNOWN.with_posts(1)).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "long-hidden", ADOPTED).await;
        assert_sent_once(site);
        assert_eq!(site.creates(), 4);
    }
}
