//! Acts on an image: once for all its articles, which go on.

use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use ichido_engine::{ActError, CannotLink};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who, ending, png};

use super::act_image;
use crate::contract::on_every_site;
use crate::faults::images::{illustrated, image_records};
use crate::faults::{CREATED, assert_sent_once, expect};

/// Two articles share an image whose upload is unknown.
async fn two_that_wait(site: &Site, fault: Fault) -> Desk {
    let desk = Desk::at(site).await;
    illustrated(&desk, "one", 7);
    illustrated(&desk, "other", 7);
    site.inject(When::next(Request::UploadMedia), fault);
    let report = desk.register().await;
    assert_eq!((report.tally.waiting, report.exit_status()), (2, 3), "{report:?}");
    assert_eq!(report.needs_attention().count(), 2, "{report:?}");
    assert_eq!(image_records(&desk)[0].standing.state, State::Halted(HaltReason::OutcomeUnknown));
    assert_eq!((site.posts().await.len(), site.creates()), (0, 1));
    desk
}

/// Uploads the same picture by hand. Returns its id.
async fn by_hand(site: &Site, seed: u8) -> u64 {
    let made = site.rest(Who::Author).upload("by-hand.png", "image/png", &png(seed), &[]).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.id()
}

on_every_site! {
    async fn an_image_that_was_uploaded_by_hand_is_linked_and_both_articles_go_on(site: &Site) {
        let desk = two_that_wait(site, Fault::DropBeforeCommit).await;
        let id = by_hand(site, 7).await;
        let report = desk.register().await;
        assert_eq!((report.tally.waiting, report.exit_status()), (2, 3), "{report:?}");
        assert_eq!(image_records(&desk)[0].standing.state, State::Halted(HaltReason::Candidates));
        for (id, why) in [(999_999, CannotLink::NotThere)] {
            let error = act_image(&desk, "one", Act::Link, Some(id)).await;
            assert!(matches!(error, Err(ActError::CannotLink { why: said, .. }) if said == why), "{error:?}");
        }
        let linked = act_image(&desk, "one", Act::Link, Some(id)).await.expect("it is there");
        assert_eq!(linked.standing.state, State::Done);
        site.forget_requests();
        let report = desk.register().await;
        for slug in ["one", "other"] {
            expect(site, &desk, &report, slug, CREATED).await;
        }
        assert_eq!((site.creates(), site.media().await.len()), (2, 1));
    }

    async fn an_image_of_another_is_none_of_these(site: &Site) {
        let desk = two_that_wait(site, Fault::DropBeforeCommit).await;
        let id = by_hand(site, 99).await;
        let looked = act_image(&desk, "other", Act::Look, None).await.expect("the site answers");
        assert_eq!(looked.standing.state, State::Halted(HaltReason::Candidates));
        let dismissed = act_image(&desk, "other", Act::NoneOfThese, Some(id)).await.expect("it is a candidate");
        assert_eq!(dismissed.standing.state, State::Halted(HaltReason::OutcomeUnknown));
        let shut = act_image(&desk, "other", Act::SendAgain, None).await;
        assert!(matches!(shut, Err(ActError::Shut(_))), "{shut:?}");
    }

    async fn an_image_that_is_there_by_now_is_found_by_looking(site: &Site) {
        site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(8));
        let desk = two_that_wait(site, Fault::CommitThenDropResponse).await;
        let found = act_image(&desk, "one", Act::Look, None).await.expect("the site answers");
        assert_eq!(found.standing.state, State::Done);
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (2, 0), "{report:?}");
        assert_sent_once(site);
        assert_eq!((site.creates(), site.media().await.len()), (3, 1));
    }

    async fn an_image_that_is_left_keeps_its_articles_waiting_and_asks_for_nobody(site: &Site) {
        let desk = two_that_wait(site, Fault::DropBeforeCommit).await;
        act_image(&desk, "one", Act::Leave, None).await.expect("it can be left");
        let report = desk.register().await;
        assert_eq!((ending(&report, "one"), report.exit_status()), (Ending::Waiting, 6), "{report:?}");
        act_image(&desk, "one", Act::Unleave, None).await.expect("it can be taken up again");
        let report = desk.register().await;
        assert_eq!((ending(&report, "one"), report.exit_status()), (Ending::Waiting, 3), "{report:?}");
        assert_eq!((site.creates(), site.posts().await.len()), (1, 0));
    }

    async fn a_refused_image_is_tried_again_with_its_article(site: &Site) {
        let desk = Desk::at(site).await;
        illustrated(&desk, "one", 7);
        site.inject(When::next(Request::UploadMedia), Fault::StatusBeforeCommit { status: 413, code: None, html: true });
        for _ in 0..2 {
            let report = desk.register().await;
            assert_eq!((report.tally.refused, report.exit_status(), site.creates()), (1, 5, 1), "{report:?}");
        }
        desk.act("one", Act::TryAgain, None).await.expect("it was refused");
        site.forget_requests();
        let report = desk.register().await;
        expect(site, &desk, &report, "one", CREATED).await;
        assert_eq!((site.creates(), site.media().await.len()), (2, 1));
    }
}
