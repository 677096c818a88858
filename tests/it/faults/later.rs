//! Requests that the site finishes later, or never (faults 8 and 9 with the time that they take).

use std::time::Duration;

use ichido_core::act::{Act, Shut};
use ichido_engine::ActError;
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site};

use super::{
    ADOPTED, CREATED, UNKNOWN, VERIFIED, article, assert_sent_once, expect, register_one, titled, with_time,
};

with_time! {
    async fn fault_8_a_request_that_is_executed_later_is_found_and_never_sent_again(site: &Site, desk: &Desk) {
        for seconds in [30, 50, 4 * 60, 9 * 60] {
            let slug = format!("after-{seconds}");
            let folder = article(desk, &slug);
            let late = Duration::from_secs(seconds);
            site.inject(When::next(Request::CreatePost), Fault::CommitLater(late));
            let mut report = register_one(desk, &folder).await;
            if seconds > 60 {
                expect(site, desk, &report, &slug, UNKNOWN).await;
                let shut = desk.act(&slug, Act::SendAgain, None).await;
                assert!(matches!(shut, Err(ActError::Shut(Shut::Window { .. }))), "{shut:?}");
                desk.clock.advance(late);
                report = register_one(desk, &folder).await;
            }
            expect(site, desk, &report, &slug, ADOPTED).await;
        }
        let again = desk.register().await;
        assert_eq!((again.tally.verified, site.creates()), (4, 4), "{again:?}");
    }

    async fn fault_9_after_the_window_a_person_sends_again_and_there_is_one(site: &Site, desk: &Desk) {
        let folder = article(desk, "記事");
        site.inject(When::next(Request::CreatePost), Fault::DropBeforeCommit);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", UNKNOWN).await;
        let first = desk.record("記事").op_id;
        desk.clock.advance(Duration::from_secs(10 * 60));
        // Time alone opens nothing: only a person does.
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", UNKNOWN).await;
        let again = desk.act("記事", Act::SendAgain, None).await.expect("the window has passed");
        assert_ne!(again.op_id, first);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        assert_eq!(site.creates(), 2);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", VERIFIED).await;
        assert_sent_once(site);
        assert!(titled(site, "記事").await[0].content.contains(&again.op_id.to_string()));
    }
}
