//! Images in batches: shared, gone from the site, refused, and those that went up although their article did not.

use ichido_core::outcome::RefusalCode;
use ichido_core::tally::Ending;
use ichido_engine::Reason;
use ichido_practice::{
    Account, Fault, Kind as Request, Options, Permalinks, PracticeSite, Release, Role, When,
};
use ichido_tests::{Desk, Site, Who, ending, png};
use serde_json::json;

use crate::contract::on_every_site;
use crate::sight::{addresses, assert_sent_once, attributes, changing, sent, the_post};

/// Asks for a draft to be refused.
fn refuse_a_draft(site: &Site) {
    let code = Some("rest_invalid_param".to_owned());
    site.inject(
        When::next(Request::CreatePost),
        Fault::StatusBeforeCommit { status: 400, code, html: false },
    );
}

on_every_site! {
    async fn one_image_of_three_articles_is_uploaded_and_attached_once(site: &Site) {
        let desk = Desk::at(site).await;
        for name in ["a", "b", "c"] {
            desk.write(name, name, "![shared](shared.png)");
            desk.picture(name, "shared.png", 7);
        }
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (3, 0), "{report:?}");
        assert_eq!((sent(site, Request::UploadMedia), sent(site, Request::Update)), (1, 1));
        let media = site.media().await;
        let [image] = media.as_slice() else { panic!("{media:?}") };
        let first = site.posts().await[0].id;
        assert_eq!((image.parent, image.status.as_str()), (first, "inherit"));

        desk.write("d", "d", "![shared](other-name.png)");
        desk.picture("d", "other-name.png", 7);
        site.forget_requests();
        let later = desk.register().await;
        assert_eq!((later.tally.created, later.tally.verified), (1, 3), "{later:?}");
        assert_eq!(changing(site).len(), 1, "only the draft: {:?}", changing(site));
        assert_eq!(site.media().await, media);
        for post in site.posts().await {
            assert!(post.content.contains(&format!("wp-image-{}\"", image.id)), "{}", post.content);
        }
        assert_sent_once(site);
    }

    async fn an_image_that_is_gone_from_the_site_is_uploaded_anew_for_the_next_article(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("a", "a", "![shared](shared.png)");
        desk.picture("a", "shared.png", 7);
        desk.register().await;
        let old = site.media().await[0].id;
        site.delete_media(old).await;
        desk.write("b", "b", "![shared](shared.png)");
        desk.picture("b", "shared.png", 7);
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.tally.verified), (1, 1), "{report:?}");
        let (media, posts) = (site.media().await, site.posts().await);
        let [image] = media.as_slice() else { panic!("{media:?}") };
        assert_ne!(image.id, old);
        let b = the_post(&posts, "b");
        assert_eq!((image.parent, image.status.as_str()), (b.id, "inherit"));
        assert_eq!(attributes(&b.content, "src"), [addresses(site).await[&image.id].as_str()]);
        assert_sent_once(site);
    }

    async fn an_image_that_went_up_before_its_article_was_refused_is_used_again(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("a", "a", "![a](a.png)");
        desk.picture("a", "a.png", 7);
        refuse_a_draft(site);
        let refused = desk.register().await;
        assert_eq!((refused.tally.refused, refused.exit_status()), (1, 5), "{refused:?}");
        let media = site.media().await;
        assert_eq!((site.posts().await.len(), media.len(), media[0].parent), (0, 1, 0));
        desk.write("a", "a", "Put right.\n\n![a](a.png)");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!(sent(site, Request::UploadMedia), 0);
        let (post, now) = (&site.posts().await[0], site.media().await);
        assert_eq!((now.len(), now[0].id, now[0].parent, now[0].status.as_str()), (1, media[0].id, post.id, "inherit"));
    }

    async fn an_image_that_a_person_uses_elsewhere_by_now_is_not_moved(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("a", "a", "![a](a.png)");
        desk.picture("a", "a.png", 7);
        refuse_a_draft(site);
        desk.register().await;
        let image = site.media().await[0].id;
        let theirs = site.write_draft(Who::Editor, "Theirs", "theirs", "<p>Theirs.</p>").await;
        site.publish(theirs).await;
        let rest = site.rest(Who::Administrator);
        let fields = json!({ "post": theirs, "status": "publish" });
        let moved = rest.post(&format!("wp/v2/media/{image}"), fields).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
        desk.write("a", "a", "Put right.\n\n![a](a.png)");
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!(site.media().await[0].parent, theirs, "readers of the published post would lose it");
        assert!(the_post(&site.posts().await, "a").content.contains(&format!("wp-image-{image}\"")));
        let sent = changing(site);
        desk.register().await;
        assert_eq!(changing(site), sent, "it is not tried again and again");
    }
}

#[tokio::test]
async fn a_refused_image_refuses_its_article_until_that_changes() {
    let options = Options {
        max_upload: 2000,
        accounts: vec![Account::new("author", Role::Author, "a password of tests")],
        ..Options::default()
    };
    let site = PracticeSite::start(options).await.expect("it starts");
    let site = Site::Practice { site, release: Release::V7_1, permalinks: Permalinks::Pretty };
    let desk = Desk::at(&site).await;
    desk.write("big", "Big", "![big](big.png)");
    let mut big = png(1);
    // Whatever follows the picture's end belongs to the file.
    big.truncate(big.len() - 12);
    big.extend(chunk_of_noise(4000));
    big.extend(&png(1)[png(1).len() - 12..]);
    std::fs::write(desk.articles.join("big/big.png"), big).expect("a file can be written");
    desk.write("small", "Small", "![small](small.png)");
    desk.picture("small", "small.png", 2);
    let report = desk.register().await;
    assert_eq!(ending(&report, "big"), Ending::Refused, "{report:?}");
    assert_eq!(ending(&report, "small"), Ending::Created, "{report:?}");
    assert_eq!((report.exit_status(), site.posts().await.len(), site.media().await.len()), (5, 1, 1));
    let (uploads, end) = (sent(&site, Request::UploadMedia), &report.articles);
    assert!(
        end.iter().any(|(_, end)| end.reason == Some(Reason::Refusal(RefusalCode::PayloadTooLarge))),
        "{end:?}"
    );
    let again = desk.register().await;
    assert_eq!((again.tally.refused, again.tally.verified), (1, 1), "{again:?}");
    assert_eq!(sent(&site, Request::UploadMedia), uploads, "what was refused is not tried again by itself");
    desk.picture("big", "big.png", 1);
    let changed = desk.register().await;
    assert_eq!((changed.tally.created, changed.tally.verified), (1, 1), "{changed:?}");
    assert_eq!(site.posts().await.len(), 2);
}

/// A chunk that decoders pass over and that cleaning keeps: the colours of a palette that nobody uses.
fn chunk_of_noise(length: u32) -> Vec<u8> {
    let mut chunk = length.to_be_bytes().to_vec();
    chunk.extend(b"prVt");
    chunk.extend(vec![7; length as usize]);
    chunk.extend([0; 4]);
    chunk
}
