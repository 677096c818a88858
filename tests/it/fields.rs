//! Custom fields and footnotes: written to the draft once it is there, and never instead of what somebody else wrote.

use ichido_core::operation::{Kind, State};
use ichido_engine::{Key, Note};
use ichido_journal::{Filter, Operation, Page};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, StoredPost, Who};
use serde_json::{Value, json};

use crate::contract::on_every_site;
use crate::sight::{assert_sent_once, changing, noted, sent, the_post};

/// The custom fields of a post, as the site shows them.
pub(crate) async fn shown(site: &Site, post: &StoredPost) -> Value {
    let route = format!("wp/v2/posts/{}", post.id);
    let read = site.rest(Who::Administrator).get(&route, &[("context", "edit")]).await;
    assert_eq!(read.status, 200, "{}", read.text());
    read.json["meta"].clone()
}

/// What stands in the journal of fields that were to be written.
fn records(desk: &Desk) -> Vec<Operation> {
    let filter = Filter { kind: Some(Kind::Fields), ..Filter::default() };
    desk.journal().list(&filter, Page { offset: 0, limit: 100 }).expect("a journal")
}

fn states(desk: &Desk) -> Vec<State> {
    records(desk).iter().map(|operation| operation.standing.state).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const FRONT: &str = "title: a\nmeta:\n  subtitle: 副題 & more\n  rating: 4\nacf:\n  sources: [one, two]";

on_every_site! {
    async fn fields_are_written_once_the_draft_is_there(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        desk.write_with("a", FRONT, "Text.");
        desk.write("plain", "Plain", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (2, 0), "{report:?}");
        let post = the_post(&site.posts().await, "a").clone();
        let fields = shown(site, &post).await;
        assert_eq!(
            (&fields["subtitle"], &fields["rating"], &fields["sources"]),
            (&json!("副題 & more"), &json!(4), &json!(["one", "two"])),
            "{fields}"
        );
        assert_eq!((post.status.as_str(), states(&desk)), ("draft", vec![State::Done]));
        assert_eq!((sent(site, Request::CreatePost), sent(site, Request::Update)), (2, 1));
        assert_sent_once(site);
        assert!(noted(&desk).is_empty(), "{:?}", noted(&desk));

        site.forget_requests();
        let again = desk.register().await;
        assert_eq!((again.tally.verified, changing(site)), (2, vec![]), "{again:?}");
        assert!(noted(&desk).is_empty(), "what was written is no change: {:?}", noted(&desk));
    }

    async fn keys_of_the_front_matter_can_be_fields(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        let fields = [(Key::CustomFields.as_str(), "副題=subtitle".to_owned())];
        desk.engine().remember(&fields).await.expect("it is set");
        desk.write_with("a", "title: a\n副題: 春", "Text.");
        let report = desk.register_as_set().await;
        assert_eq!(report.tally.created, 1, "{report:?}");
        assert_eq!(shown(site, the_post(&site.posts().await, "a")).await["subtitle"], "春");
    }

    async fn what_the_site_does_not_take_is_told_before_anything_is_sent(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        desk.write_with("a", "title: a\nmeta: {subtitel: x, rating: many}", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.needs_work, report.exit_status()), (1, 4), "{report:?}");
        let near = names(&["subtitle"]);
        assert!(noted(&desk).contains(&Note::FieldUnknown { name: "subtitel".into(), near }));
        assert!(noted(&desk).contains(&Note::FieldUnusable { name: "rating".into(), wants: "integer" }));
        assert_eq!(changing(site), Vec::<String>::new());

        desk.write_with("a", "title: a\nmeta: {subtitle: x, rating: 5}", "Text.");
        assert_eq!(desk.register().await.tally.created, 1);
    }

    async fn a_lost_answer_about_fields_is_found_by_reading(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        desk.write_with("a", FRONT, "Text.");
        site.inject(When::next(Request::Update), Fault::CommitThenDropResponse);
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!((sent(site, Request::CreatePost), sent(site, Request::Update)), (1, 1));
        assert_eq!(shown(site, the_post(&site.posts().await, "a")).await["rating"], 4);
        assert!(desk.journal().in_doubt(None).expect("a journal").is_empty());
        assert!(noted(&desk).is_empty(), "{:?}", noted(&desk));
    }

    async fn fields_that_did_not_arrive_are_written_by_the_next_run(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        desk.write_with("a", FRONT, "Text.");
        site.inject(When::next(Request::Update), Fault::DropBeforeCommit);
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
        let later = names(&["rating", "sources", "subtitle"]);
        assert!(noted(&desk).contains(&Note::FieldsLater { names: later }), "{:?}", noted(&desk));
        assert_eq!(desk.state("a"), State::Done);

        site.forget_requests();
        assert_eq!(desk.register().await.tally.verified, 1);
        assert_eq!((sent(site, Request::CreatePost), sent(site, Request::Update)), (0, 1));
        assert_eq!(shown(site, the_post(&site.posts().await, "a")).await["rating"], 4);
        assert_eq!(states(&desk), [State::Done]);
    }

    async fn what_somebody_changed_meanwhile_stays_as_it_is(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        for (slug, change) in [
            ("edited", json!({ "content": "<p>Theirs. <iframe src=\"https://example.com/\"></iframe></p>" })),
            ("filled", json!({ "meta": { "subtitle": "Theirs" } })),
            ("published", json!({ "status": "publish" })),
        ] {
            desk.write_with(slug, &format!("title: {slug}\nmeta: {{subtitle: Mine}}"), "Text.");
            site.inject(When::next(Request::Update), Fault::DropBeforeCommit);
            desk.register_paths(&[desk.articles.join(slug)]).await.expect("it runs");
            let id = the_post(&site.posts().await, slug).id;
            let done = site.rest(Who::Administrator).post(&format!("wp/v2/posts/{id}"), change).await;
            assert_eq!(done.status, 200, "{}", done.text());
            let before = site.posts().await;
            site.forget_requests();
            desk.heard.lock().expect("nobody panicked").clear();
            desk.register_paths(&[desk.articles.join(slug)]).await.expect("it runs");
            assert!(noted(&desk).contains(&Note::FieldsKept { names: names(&["subtitle"]) }), "{slug}");
            assert_eq!((site.posts().await, changing(site)), (before, vec![]), "{slug}");
        }
        let kept = shown(site, the_post(&site.posts().await, "filled")).await;
        assert_eq!(kept["subtitle"], "Theirs");
        assert_eq!(states(&desk), [State::Skipped; 3]);
    }

    async fn footnotes_are_the_editors_own_where_it_has_them(site: &Site) {
        for who in [Who::Author, Who::Editor, Who::Administrator] {
            let desk = Desk::at_as(site, who).await;
            let slug = format!("notes-{}", who.login());
            desk.write(&slug, "Notes", "One[^a] and two[^b].\n\n[^a]: First & **bold**.\n[^b]: Second.");
            let report = desk.register().await;
            assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
            let post = the_post(&site.posts().await, &slug).clone();
            if site.is_old() {
                assert!(!post.content.contains("wp:footnotes"), "{}", post.content);
                assert!(post.content.contains("<ol") && post.content.contains("Second."), "{}", post.content);
                assert_eq!(records(&desk), []);
            } else {
                assert!(post.content.contains("<!-- wp:footnotes /-->"), "{}", post.content);
                let fields = shown(site, &post).await;
                let notes: Value = serde_json::from_str(fields["footnotes"].as_str().expect("notes")).expect("JSON");
                assert_eq!(notes[0]["content"], "First &amp; <strong>bold</strong>.", "{notes}");
                for note in notes.as_array().expect("a list") {
                    let id = note["id"].as_str().expect("an id");
                    assert!(post.content.contains(&format!("data-fn=\"{id}\"")), "{id}: {}", post.content);
                }
                assert_eq!((notes.as_array().map(Vec::len), states(&desk)), (Some(2), vec![State::Done]));
            }
            assert!(noted(&desk).is_empty(), "{:?}", noted(&desk));
            let again = desk.register().await;
            assert_eq!(again.tally.verified, 1, "{again:?}");
            assert!(noted(&desk).is_empty(), "{:?}", noted(&desk));
        }
    }

    async fn a_dry_run_knows_the_fields_of_the_site(site: &Site) {
        site.register_fields();
        let desk = Desk::at(site).await;
        desk.write_with("a", "title: a\nmeta: {nowhere: x}", "Text.");
        desk.write_with("b", "title: b\nmeta: {subtitle: x}", "Text.");
        let (foretold, _) = crate::dry_run::foretell(&desk, site).await;
        assert_eq!((foretold.tally.needs_work, foretold.tally.created), (1, 1), "{foretold:?}");
    }
}

/// A field that is there and not ours to write ends with what the site says, and the draft is there all the same.
#[tokio::test]
async fn fields_that_the_site_refuses_are_told() {
    for place in [ichido_tests::Place::RealOld, ichido_tests::Place::RealNew] {
        let site = Site::start(place).await;
        let real = site.real().expect("a real one");
        real.install_plugin(
            "locked",
            "add_action('init', function () { register_post_meta('post', 'locked', ['type' => 'string', 'single' => true, \
             'show_in_rest' => true, 'auth_callback' => '__return_false']); });",
        );
        let desk = Desk::at(&site).await;
        desk.write_with("a", "title: a\nmeta: {locked: x}", "Text.");
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (1, 0), "{report:?}");
        assert!(
            noted(&desk).contains(&Note::FieldsRefused { names: names(&["locked"]) }),
            "{:?}",
            noted(&desk)
        );
        site.forget_requests();
        assert_eq!(desk.register().await.tally.verified, 1);
        assert_eq!(changing(&site), Vec::<String>::new(), "a refusal is an end");
    }
}
