//! The five scenes of a lost answer, and the checks that anyone who registers articles should make.

use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::{Barrier, Ending};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, SITE, Site, ending};

use crate::contract::on_every_site;

/// Every operation's creating request was on the wire at most once.
#[track_caller]
fn assert_sent_once(site: &Site) {
    for (operation, count) in site.creates_by_operation() {
        assert_eq!(count, 1, "{operation}");
    }
}

fn one_article(desk: &Desk) {
    desk.write("first-article", "First article", "Text with a picture.\n\n![A picture](a.png)");
    desk.picture("first-article", "a.png", 1);
}

on_every_site! {
    async fn scene_1_registering_again_after_success_sends_nothing(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        let first = desk.register().await;
        assert_eq!((first.tally.created, first.exit_status()), (1, 0), "{first:?}");
        assert_eq!((site.posts().await.len(), site.media().await.len()), (1, 1));
        site.forget_requests();
        let second = desk.register().await;
        assert_eq!((second.tally.verified, second.exit_status()), (1, 0), "{second:?}");
        assert_eq!(site.creates(), 0);
        assert_eq!((site.posts().await.len(), site.media().await.len()), (1, 1));
    }

    async fn scene_2_a_lost_answer_is_found_and_adopted(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = desk.register().await;
        assert_eq!((report.tally.adopted, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!(desk.state("first-article"), State::Done);
        let again = desk.register().await;
        assert_eq!(again.tally.verified, 1, "{again:?}");
        assert_eq!(site.posts().await.len(), 1);
        assert_sent_once(site);
    }

    async fn scene_3_a_lost_answer_that_no_look_finds_halts_and_is_adopted_later(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = desk.register().await;
        assert_eq!((report.tally.unknown, report.exit_status()), (1, 3), "{report:?}");
        assert_eq!(desk.state("first-article"), State::Halted(HaltReason::OutcomeUnknown));
        let (_, end) = report.needs_attention().next().expect("it needs a person");
        assert!(end.links.as_ref().is_some_and(|links| links.drafts.contains("edit.php")), "{end:?}");
        let again = desk.register().await;
        assert_eq!((again.tally.unknown, again.exit_status()), (1, 3), "{again:?}");
        assert_eq!(site.posts().await.len(), 1);
        assert_sent_once(site);
    }

    async fn scene_4_the_record_removed_ends_as_journal_lost(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        desk.register().await;
        std::fs::remove_dir_all(&desk.places.data_dir).expect("the journal can be removed");
        let credentials = desk.credentials();
        desk.engine().add_site(SITE, &site.url(), credentials).await.expect("the site can be added anew");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!(report.barrier, Some(Barrier::JournalLost), "{report:?}");
        assert_eq!((report.tally.waiting, report.exit_status()), (1, 3), "{report:?}");
        assert_eq!(site.creates(), 0, "no second request");
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn scene_5_a_lost_answer_to_an_image_keeps_the_draft_back(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        let report = desk.register().await;
        assert_eq!(report.tally.waiting, 1, "{report:?}");
        assert_eq!(site.posts().await.len(), 0, "no draft without its image");
        let again = desk.register().await;
        assert_eq!(again.tally.waiting, 1, "{again:?}");
        assert_eq!((site.posts().await.len(), site.media().await.len()), (0, 1));
        assert_sent_once(site);
    }

    async fn condition_2_when_the_site_cannot_be_asked_nothing_is_sent(site: &Site) {
        let desk = Desk::at(site).await;
        one_article(&desk);
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        site.inject(When::next(Request::LookUp), Fault::RefuseLookups(0));
        desk.register().await;
        let first = site.creates();
        site.inject(When::next(Request::LookUp), Fault::RefuseLookups(1000));
        let report = desk.register().await;
        assert_eq!(site.creates(), first, "{report:?}");
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn condition_3_the_same_slug_with_other_content_while_in_doubt_is_not_overwritten(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.write("second-article", "Second", "As it was.");
        desk.polls.clear();
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(3));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let first = desk.register().await;
        assert_eq!(ending(&first, "second-article"), Ending::Unknown);
        desk.write("second-article", "Second", "As it was changed.");
        let mut report = desk.register().await;
        for _ in 0..5 {
            if ending(&report, "second-article") != Ending::Unknown {
                break;
            }
            report = desk.register().await;
        }
        assert_eq!(desk.state("second-article"), State::Halted(HaltReason::ContentDiffers), "{report:?}");
        let posts = site.posts().await;
        assert_eq!(posts.len(), 1);
        assert!(posts[0].content.contains("As it was."), "{:?}", posts[0].content);
        assert_sent_once(site);
    }

    async fn what_someone_else_made_is_skipped(site: &Site) {
        let id = site.write_draft(ichido_tests::Who::OtherAuthor, "Theirs", "first-article", "<p>Theirs.</p>").await;
        site.publish(id).await;
        let desk = Desk::at(site).await;
        one_article(&desk);
        let report = desk.register().await;
        assert_eq!((report.tally.skipped, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!(site.creates(), 0);
        assert_eq!(desk.journal().site_by_name(SITE).expect("sites").map(|site| site.name), Some(SITE.to_owned()));
    }
}
