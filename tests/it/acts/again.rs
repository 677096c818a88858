//! Sending again: only after the settle window by two clocks, from a negative look, with nothing left unexplained; and
//! what happens if the first request arrives after all.

use std::time::Duration;

use ichido_core::act::{Act, Shut};
use ichido_core::operation::{HaltReason, State};
use ichido_engine::ActError;
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who};

use super::{act_image, done, refused, typing};
use crate::faults::images::{illustrated, image_records};
use crate::faults::{
    CREATED, UNKNOWN, VERIFIED, article, assert_sent_once, backstage, expect, halted, register_one,
    sent_in_vain, shown, titled, with_time,
};

const WINDOW: Duration = Duration::from_secs(10 * 60);

/// Sends the article so that it arrives this much later.
async fn sent_late(site: &Site, desk: &Desk, slug: &str, late: Duration) -> std::path::PathBuf {
    let folder = article(desk, slug);
    site.inject(When::next(Request::CreatePost), Fault::CommitLater(late));
    let report = register_one(desk, &folder).await;
    expect(site, desk, &report, slug, UNKNOWN).await;
    folder
}

with_time! {
    async fn both_clocks_must_have_passed_the_window(site: &Site, desk: &Desk) {
        sent_in_vain(site, desk, "記事").await;
        desk.clock.advance(WINDOW / 2);
        let shut = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { remaining_ms: 1..=300_000 })), "{shut:?}");
        // This computer's clock alone.
        desk.clock.on_sleep(|_| {});
        desk.clock.advance(WINDOW);
        let shut = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { .. })), "{shut:?}");
        backstage(site).expect("a practice site").advance(WINDOW);
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
        assert_eq!(site.creates(), 1, "it is the next run that sends");
    }

    async fn the_sites_clock_alone_opens_nothing(site: &Site, desk: &Desk) {
        sent_in_vain(site, desk, "記事").await;
        backstage(site).expect("a practice site").advance(WINDOW * 10);
        let shut = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { .. })), "{shut:?}");
    }

    async fn the_slug_must_be_typed(site: &Site, desk: &Desk) {
        sent_in_vain(site, desk, "記事").await;
        desk.clock.advance(WINDOW);
        for typed in [None, Some(""), Some("記"), Some("other")] {
            let unconfirmed = typing(desk, "記事", Act::SendAgain, None, typed).await;
            assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { .. })), "{unconfirmed:?}");
        }
        assert_eq!(desk.state("記事"), UNKNOWN.state);
        assert_eq!(site.creates(), 1);
    }

    async fn what_the_look_before_it_finds_is_not_sent_again(site: &Site, desk: &Desk) {
        let folder = sent_late(site, desk, "記事", Duration::from_secs(9 * 60)).await;
        desk.clock.advance(WINDOW);
        let shut = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
        assert_eq!(done(desk, "記事", Act::Look, None).await, State::Done);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn a_site_that_cannot_be_asked_opens_nothing(site: &Site, desk: &Desk) {
        sent_in_vain(site, desk, "記事").await;
        desk.clock.advance(WINDOW);
        site.inject(When::ANY, Fault::RefuseLookups(3));
        let error = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(error, ActError::Shut(_)), "{error:?}");
        backstage(site).expect("a practice site").faults().clear();
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
    }

    async fn what_the_search_alone_finds_is_not_sent_again(site: &Site, desk: &Desk) {
        let old = site.write_draft(Who::Author, "Old", "old", "<p>x</p>").await;
        sent_in_vain(site, desk, "記事").await;
        // Someone moved its text into a draft that is older than the send: no list of new rows shows that.
        let marker = desk.record("記事").op_id;
        let text = format!("<!-- wp:paragraph {{\"ichido\":\"{marker}\"}} -->\n<p>x</p>\n<!-- /wp:paragraph -->");
        site.edit_content(old, &text).await;
        desk.clock.advance(WINDOW);
        let shut = refused(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
        assert_eq!(site.creates(), 1);
    }

    async fn candidates_keep_it_shut_until_each_was_dismissed(site: &Site, desk: &Desk) {
        let folder = sent_in_vain(site, desk, "記事").await;
        let one = site.write_draft(Who::Author, "One", "one", "<p>1</p>").await;
        let other = site.write_draft(Who::Author, "Other", "other", "<p>2</p>").await;
        desk.clock.advance(WINDOW);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", halted(HaltReason::Candidates, 0)).await;
        for id in [one, other] {
            let shut = refused(desk, "記事", Act::SendAgain, None).await;
            assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
            done(desk, "記事", Act::NoneOfThese, Some(id)).await;
        }
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        assert_eq!((site.creates(), site.posts().await.len()), (2, 3));
    }

    async fn the_first_arriving_before_the_second_leaves_is_not_sent_again(site: &Site, desk: &Desk) {
        let folder = sent_late(site, desk, "記事", WINDOW * 2).await;
        let first = desk.record("記事").op_id;
        desk.clock.advance(WINDOW);
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
        desk.clock.advance(WINDOW);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", halted(HaltReason::Duplicates, 1)).await;
        let post = &titled(site, "記事").await[0];
        assert!(post.content.contains(&first.to_string()));
        assert_eq!((site.creates(), shown(desk, "記事")), (1, vec![post.id]));
        assert_eq!(done(desk, "記事", Act::Link, Some(post.id)).await, State::Done);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    // Beyond the window nothing can prevent a second post; it is told, with both.
    async fn the_first_arriving_after_the_second_halts_with_both(site: &Site, desk: &Desk) {
        let folder = sent_late(site, desk, "記事", WINDOW * 2).await;
        desk.clock.advance(WINDOW);
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        let ours = desk.record("記事").remote_id.expect("it was created").0;
        desk.clock.advance(WINDOW * 2);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", halted(HaltReason::Duplicates, 2)).await;
        let (mut both, mut told) = (titled(site, "記事").await.iter().map(|post| post.id).collect::<Vec<_>>(), shown(desk, "記事"));
        both.sort_unstable();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told, both);
        assert_eq!(site.creates(), 2);
        assert_eq!(done(desk, "記事", Act::Link, Some(ours)).await, State::Done);
        // The person has seen the other one: it does not halt the article again.
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", VERIFIED.with_posts(2)).await;
    }

    async fn an_operation_can_be_given_up_twice(site: &Site, desk: &Desk) {
        let mut folder = sent_in_vain(site, desk, "記事").await;
        for _ in 0..2 {
            desk.clock.advance(WINDOW);
            assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
            folder = sent_in_vain(site, desk, "記事").await;
        }
        desk.clock.advance(WINDOW);
        assert_eq!(done(desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        assert_sent_once(site);
        assert_eq!(site.creates(), 4);
    }

    async fn an_image_is_sent_again_and_its_article_goes_on(site: &Site, desk: &Desk) {
        let folder = illustrated(desk, "記事", 1);
        site.inject(When::next(Request::UploadMedia), Fault::DropBeforeCommit);
        let report = register_one(desk, &folder).await;
        assert_eq!((report.tally.waiting, report.exit_status()), (1, 3), "{report:?}");
        let shut = act_image(desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, Err(ActError::Shut(Shut::Window { .. }))), "{shut:?}");
        desk.clock.advance(WINDOW);
        let again = act_image(desk, "記事", Act::SendAgain, None).await.expect("the window has passed");
        assert_eq!(again.standing.state, State::Planned);
        let report = register_one(desk, &folder).await;
        expect(site, desk, &report, "記事", CREATED).await;
        let states: Vec<_> = image_records(desk).iter().map(|image| image.standing.state).collect();
        assert_eq!(states, [State::Abandoned, State::Done]);
        assert_eq!((site.media().await.len(), site.creates()), (1, 3));
    }
}
