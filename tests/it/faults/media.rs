//! Images half-way (fault 31 and around it): uploads whose sizes are still to be made, pictures that are made smaller,
//! images that arrive although they were given up.

use std::path::PathBuf;

use ichido_core::act::Act;
use ichido_core::apply::Event as CoreEvent;
use ichido_core::digest::Digest;
use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::tally::Ending;
use ichido_engine::{Event, Note};
use ichido_journal::{Filter, Note as JournalNote, Operation, Owner, Page};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who, ending};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageEncoder, RgbImage};
use serde_json::{Value, json};

use super::images::{illustrated, image_records};
use super::{CREATED, VERIFIED, article, assert_sent_once, backstage, expect, register_one};
use crate::contract::on_every_site;
use crate::sight::{addresses, attributes, changing, sent};

/// A photograph of this size, as JPEG.
fn photograph(width: u32, height: u32, seed: u8) -> Vec<u8> {
    let picture = RgbImage::from_fn(width, height, |x, y| {
        let byte = |value: u32| u8::try_from(value % 256).expect("a byte");
        image::Rgb([byte(x / 8), byte(y * 3), seed])
    });
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90)
        .write_image(picture.as_raw(), width, height, DynamicImage::ImageRgb8(picture.clone()).color().into())
        .expect("a picture can be written");
    bytes
}

/// An article with this picture.
fn with_picture(desk: &Desk, slug: &str, name: &str, bytes: &[u8]) -> PathBuf {
    let folder = desk.write(slug, slug, &format!("本文です。\n\n![A picture]({name})"));
    std::fs::write(folder.join(name), bytes).expect("a file can be written");
    folder
}

/// The one image as an editor sees it.
async fn the_image(site: &Site) -> Value {
    let media = site.media().await;
    let [image] = media.as_slice() else { panic!("{media:?}") };
    let route = format!("wp/v2/media/{}", image.id);
    let seen = site.rest(Who::Administrator).get(&route, &[("context", "edit")]).await;
    assert_eq!(seen.status, 200, "{}", seen.text());
    seen.json
}

fn lacks_sizes(image: &Value) -> bool {
    // PHP writes an object once an entry was taken out of a list.
    let missing = &image["missing_image_sizes"];
    let count = missing.as_array().map(Vec::len).or_else(|| missing.as_object().map(serde_json::Map::len));
    count.unwrap_or_else(|| panic!("{image}")) > 0
}

fn later_sizes(desk: &Desk) -> Vec<Operation> {
    let filter = Filter { kind: Some(Kind::PostProcess), ..Filter::default() };
    desk.journal().list(&filter, Page { offset: 0, limit: 100 }).expect("a list")
}

fn was_told(desk: &Desk, wanted: impl Fn(&Note) -> bool) -> bool {
    desk.heard
        .lock()
        .expect("nobody panicked")
        .iter()
        .any(|event| matches!(event, Event::Noted { note, .. } if wanted(note)))
}

const SERVER_FAILS: Fault = Fault::StatusBeforeCommit { status: 500, code: None, html: true };

fn refused(status: u16, code: &str) -> Fault {
    Fault::StatusBeforeCommit { status, code: Some(code.to_owned()), html: false }
}

/// Gives the one image up, as a person who says "send again" after the settle window.
fn give_up(desk: &Desk) -> OpId {
    let journal = desk.journal();
    let runner =
        journal.lock(&Owner::this_process("test", "0"), ichido_core::time::Timestamp(0)).expect("the lock");
    let given_up = image_records(desk).pop().expect("an image");
    let successor = OpId::new(uuid::Uuid::now_v7());
    let note = JournalNote::by_person(ichido_core::time::Timestamp(1)).with_successor(successor, Vec::new());
    runner.apply(given_up.op_id, CoreEvent::Act(Act::SendAgain), note).expect("it is in doubt");
    given_up.op_id
}

/// The request that was given up is executed: what it was to make is there.
async fn arrive(site: &Site, given_up: &Operation, bytes: &[u8]) -> u64 {
    let (slug, title) = (given_up.slug.as_str(), given_up.title.as_str());
    let name = format!("{slug}.png");
    let made =
        site.rest(Who::Author).upload(&name, "image/png", bytes, &[("slug", slug), ("title", title)]).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.id()
}

/// What the halt of the image shows.
fn shown_of(image: &Operation) -> Vec<u64> {
    let rows = image.evidence.as_ref().and_then(|evidence| evidence["rows"].as_array().cloned());
    let mut ids: Vec<u64> = rows.unwrap_or_default().iter().filter_map(|row| row["id"].as_u64()).collect();
    ids.sort_unstable();
    ids
}

on_every_site! {
    async fn fault_31_sizes_that_could_not_be_made_are_made_by_the_next_run(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = with_picture(&desk, "記事", "a.jpg", &photograph(900, 400, 1));
        site.inject(When::next(Request::UploadMedia), Fault::MediaFatalAfterInsert);
        // At once, and at the end of the batch.
        for _ in 0..2 {
            site.inject(When::next(Request::Update), SERVER_FAILS);
        }
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert!(image_records(&desk)[0].needs_post_process);
        assert_eq!(later_sizes(&desk)[0].standing.state, State::Waiting(WaitReason::CouldNotAsk));
        assert!(was_told(&desk, |note| matches!(note, Note::SizesMissing { .. })));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert!(!image_records(&desk)[0].needs_post_process);
        assert_eq!((later_sizes(&desk)[0].standing.state, site.creates()), (State::Done, 2));
        assert_eq!(site.media().await.len(), 1);
    }

    async fn fault_31_a_site_that_cannot_make_sizes_later_is_told_once(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = with_picture(&desk, "記事", "a.jpg", &photograph(900, 400, 1));
        site.inject(When::next(Request::UploadMedia), Fault::MediaFatalAfterInsert);
        site.inject(When::next(Request::Update), refused(404, "rest_no_route"));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!(later_sizes(&desk)[0].standing.state, State::Refused);
        assert!(was_told(&desk, |note| matches!(note, Note::SizesMissing { .. })));
        let asked = sent(site, Request::Update);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!((sent(site, Request::Update), site.creates()), (asked, 2));
    }

    async fn fault_31_an_image_that_is_adopted_without_its_sizes_gets_them(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = with_picture(&desk, "記事", "a.jpg", &photograph(900, 400, 1));
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let image = the_image(site).await;
        assert!(!lacks_sizes(&image), "{image}");
        assert!(image["media_details"]["sizes"]["medium"].is_object(), "{image}");
        let later = later_sizes(&desk);
        assert_eq!(later.len(), usize::from(!site.is_old()), "the new ones make them later: {later:?}");
        assert!(!image_records(&desk)[0].needs_post_process);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
    }

    async fn a_large_picture_is_made_smaller_where_the_site_makes_its_sizes_later(site: &Site) {
        let desk = Desk::at(site).await;
        let original = photograph(2700, 90, 1);
        let folder = with_picture(&desk, "one", "a.jpg", &original);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "one", CREATED).await;
        assert_eq!(std::fs::read(folder.join("a.jpg")).expect("the file"), original, "the file here stays");
        let (image, record) = (the_image(site).await, image_records(&desk).remove(0));
        let details = &image["media_details"];
        assert!(!lacks_sizes(&image), "{image}");
        assert_eq!((details["width"].as_u64(), details["height"].as_u64()), (Some(2560), Some(85)), "{image}");
        let expected = record.expected.as_ref().expect("what was sent is kept");
        assert_eq!(expected["shrunk"], json!(!site.is_old()), "{expected}");
        assert_eq!(expected["preparation"], json!(2));
        assert_eq!(details["original_image"].is_string(), site.is_old(), "{image}");
        // What was sent is what the site keeps as the original, whoever made it smaller.
        assert_eq!(site.media().await[0].sha256, record.sent_digest.expect("it was sent").to_string());
        let digest = record.source_digest.expect("a digest").to_string();
        assert_eq!(digest, Digest::of_bytes(&original).to_string(), "it is known by the original");
        let content = &site.posts().await[0].content;
        assert_eq!(attributes(content, "src"), [addresses(site).await[&site.media().await[0].id].as_str()]);
        // The same picture in another article is the same image.
        let other = with_picture(&desk, "other", "b.jpg", &original);
        site.forget_requests();
        let report = register_one(&desk, &other).await;
        expect(site, &desk, &report, "other", CREATED).await;
        assert_eq!((site.creates(), site.media().await.len()), (1, 1), "{:?}", changing(site));
    }

    async fn a_large_picture_whose_answer_was_lost_is_known_by_its_bytes(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = with_picture(&desk, "記事", "a.jpg", &photograph(2700, 90, 2));
        site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(8));
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        assert_eq!(ending(&report, "記事"), Ending::Waiting, "{report:?}");
        assert_eq!(image_records(&desk)[0].standing.state, State::Halted(HaltReason::OutcomeUnknown));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!((site.media().await.len(), site.creates()), (1, 2));
        assert!(!lacks_sizes(&the_image(site).await));
    }

    async fn a_large_picture_stays_as_it_is_where_a_person_wants_it_so(site: &Site) {
        let desk = Desk::at(site).await;
        let key = ichido_engine::Key::ShrinkImages;
        desk.engine().set(None, key, "off").await.expect("a journal").expect("a value");
        let folder = with_picture(&desk, "記事", "a.jpg", &photograph(2700, 90, 3));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let image = the_image(site).await;
        assert!(image["media_details"]["original_image"].is_string(), "the site makes it smaller: {image}");
        assert!(!lacks_sizes(&image), "{image}");
        assert_eq!(later_sizes(&desk).len(), 0);
    }

    async fn an_image_is_private_until_it_is_attached_whoever_may_publish(site: &Site) {
        for (seed, who) in (1..).zip([Who::Administrator, Who::Editor, Who::Author]) {
            let desk = Desk::at_as(site, who).await;
            let slug = who.login();
            let folder = illustrated(&desk, slug, seed);
            site.inject(When::next(Request::CreatePost), refused(400, "rest_invalid_param"));
            let report = register_one(&desk, &folder).await;
            assert_eq!(ending(&report, slug), Ending::Refused, "{report:?}");
            let id = image_records(&desk)[0].remote_id.expect("it went up").0;
            let now = async || site.media().await.into_iter().find(|media| media.id == id).expect("it is there");
            assert_eq!((now().await.status.as_str(), now().await.parent), ("private", 0), "{who:?}");
            let route = format!("wp/v2/media/{id}");
            assert_eq!(site.rest_anonymous().get(&route, &[]).await.status, 401, "{who:?}");
            desk.act(slug, Act::TryAgain, None).await.expect("it was refused");
            // The refused draft is sent once more.
            site.forget_requests();
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, slug, CREATED).await;
            let post = desk.record(slug).remote_id.expect("it is there").0;
            assert_eq!((now().await.status.as_str(), now().await.parent), ("inherit", post), "{who:?}");
            assert_eq!(site.rest_anonymous().get(&route, &[]).await.status, 401, "its post is a draft");
            site.publish(post).await;
            assert_eq!(site.rest_anonymous().get(&route, &[]).await.status, 200, "{who:?}");
        }
    }

    async fn an_image_that_may_not_be_attached_is_a_note(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 1);
        site.inject(When::next(Request::Update), refused(403, "rest_cannot_edit"));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert!(was_told(&desk, |note| matches!(note, Note::NotAttached { .. })));
        assert_eq!(site.media().await[0].parent, 0);
    }

    async fn an_image_that_arrives_after_it_was_sent_again_is_there_twice_and_a_person_looks(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 7);
        site.inject(When::next(Request::UploadMedia), Fault::DropBeforeCommit);
        register_one(&desk, &folder).await;
        let given_up = give_up(&desk);
        let given_up = desk.journal().operation(given_up).expect("a journal").expect("a record");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let second = image_records(&desk).pop().and_then(|image| image.remote_id).expect("it went up").0;
        assert_eq!(register_one(&desk, &folder).await.exit_status(), 0);
        let late = arrive(site, &given_up, &ichido_tests::png(7)).await;
        let report = register_one(&desk, &folder).await;
        assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Verified, 3), "{report:?}");
        assert!(was_told(&desk, |note| matches!(note, Note::ImageTwice { .. })));
        let image = image_records(&desk).pop().expect("an image");
        assert_eq!(image.standing.state, State::Halted(HaltReason::Duplicates));
        assert_eq!(shown_of(&image), [second, late], "both are shown");
        // The person says which; nothing was deleted or sent.
        crate::acts::act_image(&desk, "記事", Act::Link, Some(second)).await.expect("it is there");
        let report = register_one(&desk, &folder).await;
        assert_eq!((report.exit_status(), site.media().await.len()), (0, 2), "{report:?}");
        assert_sent_once(site);
    }

    async fn an_image_that_arrives_before_it_is_sent_again_is_not_sent_again(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 7);
        site.inject(When::next(Request::UploadMedia), Fault::DropBeforeCommit);
        register_one(&desk, &folder).await;
        let given_up = give_up(&desk);
        let given_up = desk.journal().operation(given_up).expect("a journal").expect("a record");
        let late = arrive(site, &given_up, &ichido_tests::png(7)).await;
        site.forget_requests();
        let report = register_one(&desk, &folder).await;
        assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Waiting, 3), "{report:?}");
        assert_eq!(site.creates(), 0);
        let image = image_records(&desk).pop().expect("an image");
        assert_eq!((image.standing.state, shown_of(&image)), (State::Halted(HaltReason::Duplicates), vec![late]));
        crate::acts::act_image(&desk, "記事", Act::Link, Some(late)).await.expect("it is there");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!((site.creates(), site.media().await.len()), (1, 1));
    }

    async fn an_image_of_the_same_name_that_a_person_uploaded_is_no_late_arrival(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = illustrated(&desk, "記事", 7);
        site.inject(When::next(Request::UploadMedia), Fault::DropBeforeCommit);
        register_one(&desk, &folder).await;
        give_up(&desk);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let theirs = site.rest(Who::Author).upload("a.png", "image/png", &ichido_tests::png(9), &[]).await;
        assert_eq!(theirs.status, 201);
        let report = register_one(&desk, &folder).await;
        assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Verified, 0), "{report:?}");
    }

    async fn one_article_whose_slug_a_firewall_dislikes_keeps_no_other_back(site: &Site) {
        let desk = Desk::at(site).await;
        for slug in ["a", "b", "c", "d", "union-select", "e"] {
            article(&desk, slug);
        }
        illustrated(&desk, "with-image", 1);
        let folder = desk.write("bad-image", "bad-image", "本文です。\n\n![x](union-select.png)");
        desk.picture("bad-image", "union-select.png", 2);
        assert!(folder.exists());
        firewall(site);
        let report = desk.register().await;
        for slug in ["a", "b", "c", "d", "e", "with-image"] {
            assert_eq!(ending(&report, slug), Ending::Created, "{slug}: {report:?}");
        }
        for slug in ["union-select", "bad-image"] {
            assert_eq!(ending(&report, slug), Ending::Waiting, "{slug}: {report:?}");
        }
        assert_eq!((report.tally.created, report.tally.waiting, report.pause), (6, 2, None), "{report:?}");
        assert_eq!((report.exit_status(), site.posts().await.len(), site.media().await.len()), (6, 6, 1));
        assert_eq!(desk.state("union-select"), State::Waiting(WaitReason::CouldNotAsk));
        let report = desk.register().await;
        assert_eq!((report.tally.verified, report.tally.waiting), (6, 2), "{report:?}");
        assert_sent_once(site);
    }
}

/// Puts a firewall before the site that answers with a page wherever an address holds these words.
fn firewall(site: &Site) {
    const WORDS: &str = "union-select";
    match (backstage(site), site.real()) {
        (Some(handle), _) => handle.watch(|request| {
            let disliked = request.method == "GET" && request.query.contains(WORDS);
            disliked.then_some(Fault::StatusBeforeCommit { status: 403, code: None, html: true })
        }),
        (None, Some(real)) => real.install_plugin(
            "firewall",
            "if ($_SERVER['REQUEST_METHOD'] === 'GET' && strpos($_SERVER['REQUEST_URI'], 'union-select') !== false) {
                http_response_code(403);
                header('Content-Type: text/html');
                echo '<html><h1>Forbidden</h1></html>';
                exit;
            }",
        ),
        (None, None) => panic!("a site is one or the other"),
    }
}

/// On the practice site alone: a person cannot change the bytes of a file through WordPress.
#[tokio::test]
async fn a_scaled_picture_of_other_bytes_is_not_taken_for_ours() {
    let site = Site::start(ichido_tests::Place::PracticeOld).await;
    let desk = Desk::at(&site).await;
    let folder = with_picture(&desk, "記事", "a.jpg", &photograph(2700, 90, 2));
    site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(8));
    site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
    register_one(&desk, &folder).await;
    let handle = backstage(&site).expect("a practice site");
    let id = handle.media()[0].id;
    handle.edit_media(id, |media| media.bytes = photograph(2700, 90, 99).into());
    let report = register_one(&desk, &folder).await;
    assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Waiting, 3), "{report:?}");
    assert_eq!(image_records(&desk)[0].standing.state, State::Halted(HaltReason::ContentDiffers));
    assert_eq!(site.creates(), 1);
}

/// On the practice site alone: what is sent is the same, and its server reads no animations.
#[tokio::test]
async fn a_large_animation_is_sent_as_it_is_and_told() {
    let site = Site::start(ichido_tests::Place::PracticeNew).await;
    let desk = Desk::at(&site).await;
    let mut gif = b"GIF89a".to_vec();
    for side in [2700_u16, 4] {
        gif.extend(side.to_le_bytes());
    }
    gif.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    for _ in 0..2 {
        gif.extend([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
    }
    gif.push(0x3B);
    let folder = with_picture(&desk, "記事", "a.gif", &gif);
    let report = register_one(&desk, &folder).await;
    expect(&site, &desk, &report, "記事", CREATED).await;
    assert!(was_told(&desk, |note| matches!(note, Note::ImageKeptLarge { .. })));
    assert_eq!(site.media().await[0].sha256, Digest::of_bytes(&gif).to_string());
}
