//! Images (faults 30 to 32).

use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::tally::Ending;
use ichido_engine::{Event, Note};
use ichido_journal::{Filter, Operation, Page};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Place, Site, StoredMedia, Who};

use super::{CREATED, Comes, VERIFIED, article, expect, register_one};
use crate::contract::on_every_site;

/// An article that uses `a.png`, coloured by `seed`.
pub(crate) fn illustrated(desk: &Desk, slug: &str, seed: u8) -> std::path::PathBuf {
    let folder = desk.write(slug, slug, "本文です。\n\n![A picture](a.png)");
    desk.picture(slug, "a.png", seed);
    folder
}

/// The records of images, oldest first.
pub(crate) fn image_records(desk: &Desk) -> Vec<Operation> {
    let filter = Filter { kind: Some(Kind::Image), ..Filter::default() };
    let mut found = desk.journal().list(&filter, Page { offset: 0, limit: 100 }).expect("a list");
    found.sort_by_key(|operation| operation.op_id);
    found
}

/// The article waits, since a person must look at its image.
const WAITS_FOR_IMAGE: Comes =
    Comes { ending: Ending::Waiting, exit: 3, state: State::Waiting(WaitReason::ImageInDoubt), posts: 0 };
const REFUSED: Comes = Comes { ending: Ending::Refused, exit: 5, state: State::Refused, posts: 0 };

/// The one image is on the site, attached to the post of this article and shown by it.
async fn assert_used(site: &Site, desk: &Desk, slug: &str) -> StoredMedia {
    let (media, record) = (site.media().await, desk.record(slug));
    assert_eq!(media.len(), 1, "{media:?}");
    let posts = site.posts().await;
    let post = posts
        .iter()
        .find(|post| Some(post.id) == record.remote_id.map(|id| id.0))
        .expect("the post is there");
    assert_eq!(media[0].parent, post.id, "{media:?}");
    assert!(post.content.contains(&media[0].slug) && !post.content.contains("\"a.png\""), "{}", post.content);
    media[0].clone()
}

on_every_site! {
    async fn fault_30_a_lost_answer_to_an_upload_is_adopted_and_the_draft_follows(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 1);
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_used(site, &desk, "記事").await;
        assert_eq!((image_records(&desk)[0].standing.state, site.creates()), (State::Done, 2));
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 2);
    }

    async fn fault_30_an_upload_that_shows_late_lets_its_article_go_on_in_the_same_run(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 1);
        site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(3));
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_used(site, &desk, "記事").await;
        assert_eq!(site.creates(), 2);
    }

    async fn fault_30_an_upload_that_is_not_found_keeps_all_its_articles_back(site: &Site) {
        let desk = Desk::at(site).await;
        illustrated(&desk, "one", 7);
        illustrated(&desk, "other", 7);
        illustrated(&desk, "third", 8);
        site.inject(When::next(Request::UploadMedia), Fault::DropBeforeCommit);
        for _ in 0..2 {
            let report = desk.register().await;
            for slug in ["one", "other"] {
                expect(site, &desk, &report, slug, WAITS_FOR_IMAGE).await;
            }
            assert_eq!((site.posts().await.len(), site.media().await.len()), (1, 1), "the third goes on: {report:?}");
        }
        assert_eq!(image_records(&desk)[0].standing.state, State::Halted(HaltReason::OutcomeUnknown));
        assert_eq!(site.creates(), 3);
    }

    async fn fault_30_an_image_of_ours_is_used_again_and_never_sent_twice(site: &Site) {
        let desk = Desk::at(site).await;
        illustrated(&desk, "one", 7);
        illustrated(&desk, "other", 7);
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (2, 0), "{report:?}");
        assert_eq!((site.creates(), site.media().await.len()), (3, 1));
        let third = illustrated(&desk, "third", 7);
        let report = register_one(&desk, &third).await;
        expect(site, &desk, &report, "third", CREATED).await;
        assert_eq!((site.creates(), site.media().await.len()), (4, 1));
    }

    async fn fault_30_an_image_that_is_gone_is_uploaded_as_a_new_operation(site: &Site) {
        let desk = Desk::at(site).await;
        let one = illustrated(&desk, "one", 7);
        let report = register_one(&desk, &one).await;
        expect(site, &desk, &report, "one", CREATED).await;
        site.delete_media(site.media().await[0].id).await;
        let other = illustrated(&desk, "other", 7);
        let report = register_one(&desk, &other).await;
        expect(site, &desk, &report, "other", CREATED).await;
        assert_used(site, &desk, "other").await;
        let states: Vec<_> = image_records(&desk).iter().map(|image| image.standing.state).collect();
        assert_eq!(states, [State::Abandoned, State::Done]);
    }

    async fn fault_31_an_upload_that_broke_off_after_the_insert_is_finished(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 1);
        site.inject(When::next(Request::UploadMedia), Fault::MediaFatalAfterInsert);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let media = assert_used(site, &desk, "記事").await;
        let record = &image_records(&desk)[0];
        assert_eq!((record.remote_id.map(|id| id.0), record.needs_post_process), (Some(media.id), false));
        assert_eq!((record.standing.state, site.creates()), (State::Done, 2));
    }

    async fn fault_32_a_refused_image_stops_its_article_for_good(site: &Site) {
        let desk = Desk::at(site).await;
        let refusals = [
            (413, None, "payload_too_large"),
            (500, Some("rest_upload_unknown_error"), "rest_upload_unknown_error"),
            (400, Some("rest_upload_image_type_not_supported"), "rest_upload_image_type_not_supported"),
            (400, Some("rest_upload_limited_space"), "rest_upload_limited_space"),
            (400, Some("rest_upload_user_quota_exceeded"), "rest_upload_user_quota_exceeded"),
            (400, Some("rest_upload_file_too_big"), "rest_upload_file_too_big"),
        ];
        for (seed, (status, code, told)) in (1..).zip(refusals) {
            let folder = illustrated(&desk, told, seed);
            let code = code.map(str::to_owned);
            site.inject(When::next(Request::UploadMedia), Fault::StatusBeforeCommit { status, html: code.is_none(), code });
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, told, REFUSED).await;
            let refusal = image_records(&desk).pop().and_then(|image| image.refusal).map(|refusal| refusal.code.as_str());
            assert_eq!(refusal, Some(told));
        }
        let report = desk.register().await;
        assert_eq!((report.tally.refused, report.exit_status(), site.creates()), (6, 5, 6), "{report:?}");
        assert_eq!((site.posts().await.len(), site.media().await.len()), (0, 0));
    }

    async fn fault_32_an_image_refused_once_is_not_offered_again_by_the_next_article(site: &Site) {
        let desk = Desk::at(site).await;
        illustrated(&desk, "one", 7);
        illustrated(&desk, "other", 7);
        site.inject(When::next(Request::UploadMedia), Fault::StatusBeforeCommit { status: 413, code: None, html: true });
        let report = desk.register().await;
        for slug in ["one", "other"] {
            expect(site, &desk, &report, slug, REFUSED).await;
        }
        assert_eq!((site.creates(), site.media().await.len()), (1, 0));
    }

    async fn fault_32_a_user_who_may_not_upload_sends_no_image_and_texts_go_on(site: &Site) {
        let desk = Desk::at_as(site, Who::Contributor).await;
        illustrated(&desk, "one", 1);
        illustrated(&desk, "two", 2);
        article(&desk, "text");
        for _ in 0..2 {
            let report = desk.register().await;
            for slug in ["one", "two"] {
                expect(site, &desk, &report, slug, REFUSED).await;
            }
            assert_eq!((report.tally.refused, report.exit_status(), report.pause), (2, 5, None), "{report:?}");
            assert_eq!((site.creates(), site.posts().await.len(), site.media().await.len()), (1, 1, 0));
        }
    }
}

/// WordPress itself says no to the type: only a plugin makes it do so.
async fn refused_by_wordpress(place: Place) {
    let site = Site::start(place).await;
    let desk = Desk::at(&site).await;
    let folder = illustrated(&desk, "記事", 1);
    let real = site.real().expect("a real site");
    real.install_plugin(
        "no-images",
        "add_filter('upload_mimes', function () { return ['txt' => 'text/plain']; });",
    );
    let report = register_one(&desk, &folder).await;
    expect(&site, &desk, &report, "記事", REFUSED).await;
    assert_eq!((site.creates(), site.media().await.len()), (1, 0));
    real.remove_plugin("no-images");
    // The site's change is not seen from here: a person says so.
    let report = register_one(&desk, &folder).await;
    expect(&site, &desk, &report, "記事", REFUSED).await;
    assert_eq!(site.creates(), 1);
}

#[tokio::test]
async fn fault_32_a_type_that_wordpress_does_not_take_on_real_old() {
    refused_by_wordpress(Place::RealOld).await;
}

#[tokio::test]
async fn fault_32_a_type_that_wordpress_does_not_take_on_real_new() {
    refused_by_wordpress(Place::RealNew).await;
}

/// A plugin publishes what was sent as a draft: only a plugin can.
async fn published_by_a_plugin(place: Place) {
    let site = Site::start(place).await;
    let desk = Desk::at(&site).await;
    let folder = article(&desk, "記事");
    site.real().expect("a real site").install_plugin(
        "publishes",
        "add_filter('wp_insert_post_data', function ($data) {
            if ($data['post_type'] === 'post' && $data['post_status'] === 'draft') { $data['post_status'] = 'publish'; }
            return $data;
        });",
    );
    let report = register_one(&desk, &folder).await;
    expect(&site, &desk, &report, "記事", CREATED).await;
    let heard = desk.heard.lock().expect("nobody panicked").clone();
    let told = |event: &Event| matches!(event, Event::Noted { note: Note::StatusGivenBySite { status }, .. } if status == "publish");
    assert!(heard.iter().any(told), "{heard:?}");
}

#[tokio::test]
async fn a_status_that_a_plugin_changed_is_told_on_real_old() {
    published_by_a_plugin(Place::RealOld).await;
}

#[tokio::test]
async fn a_status_that_a_plugin_changed_is_told_on_real_new() {
    published_by_a_plugin(Place::RealNew).await;
}
