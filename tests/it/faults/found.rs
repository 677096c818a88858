//! What a look finds beside or instead of our own post (faults 25 to 29).

use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use ichido_engine::{Event, Note};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who, ending};

use super::{
    ADOPTED, CREATED, Comes, VERIFIED, article, assert_sent_once, backstage, expect, halted, register_one,
    sent_and_not_found, sent_in_vain, shown, titled,
};
use crate::contract::on_every_site;

/// Changes what was written before the second look: by a plugin at once, or on the practice site behind its back.
fn rewrite(site: &Site, desk: &Desk, php: &str, practice: impl Fn(&str) -> String + Send + 'static) {
    match (backstage(site), site.real()) {
        (Some(handle), _) => {
            site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(2));
            desk.clock.on_sleep(move |_| {
                for post in handle.posts() {
                    handle.edit_post(post.id, |post| post.content = practice(&post.content));
                }
            });
        }
        (None, Some(real)) => real.install_plugin(
            "rewrites",
            &format!(
                "add_filter('wp_insert_post_data', function ($data) {{
                    $content = wp_unslash($data['post_content']);
                    $data['post_content'] = wp_slash({php});
                    return $data;
                }});"
            ),
        ),
        (None, None) => panic!("a site is one or the other"),
    }
    site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
}

on_every_site! {
    async fn fault_25_what_lies_in_the_trash_is_not_created_again(site: &Site) {
        let desk = Desk::at(site).await;
        let old = site.write_draft(Who::Author, "Old", "old", "<p>x</p>").await;
        site.trash(old).await;
        let folder = article(&desk, "old");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "old", halted(HaltReason::InTrash, 0)).await;
        assert_eq!((site.creates(), shown(&desk, "old")), (0, vec![old]));
        let (folder, id) = sent_and_not_found(site, &desk, "lost").await;
        site.trash(id).await;
        for _ in 0..2 {
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, "lost", halted(HaltReason::InTrash, 1)).await;
        }
        assert_eq!((site.creates(), shown(&desk, "lost")), (1, vec![id]));
    }

    async fn fault_26_two_posts_at_the_slug_halt_with_both(site: &Site) {
        let desk = Desk::at(site).await;
        let one = site.write_draft(Who::Author, "One", "two", "<p>1</p>").await;
        let other = site.write_draft(Who::Author, "Other", "two", "<p>2</p>").await;
        let folder = article(&desk, "two");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "two", halted(HaltReason::Duplicates, 0)).await;
        assert_eq!((site.creates(), shown(&desk, "two")), (0, vec![one, other]));
        let folder = sent_in_vain(site, &desk, "in-vain").await;
        let one = site.write_draft(Who::Author, "One", "in-vain", "<p>1</p>").await;
        let other = site.write_draft(Who::Author, "Other", "in-vain", "<p>2</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "in-vain", halted(HaltReason::Duplicates, 0)).await;
        assert_eq!((site.creates(), shown(&desk, "in-vain")), (1, vec![one, other]));
    }

    async fn fault_26_ours_is_known_by_its_marker_and_the_second_is_told(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = sent_and_not_found(site, &desk, "記事").await;
        let other = site.write_draft(Who::Author, "Other", "記事", "<p>2</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Duplicates, 1)).await;
        assert_eq!(desk.record("記事").remote_id.map(|id| id.0), Some(id));
        assert!([id, other].iter().all(|id| shown(&desk, "記事").contains(id)), "{:?}", shown(&desk, "記事"));
        assert_eq!(site.creates(), 1);
    }

    async fn fault_27_what_someone_else_made_is_never_overwritten(site: &Site) {
        let desk = Desk::at(site).await;
        let theirs = async |slug: &str| {
            let id = site.write_draft(Who::OtherAuthor, "Theirs", slug, "<p>Theirs.</p>").await;
            site.publish(id).await;
        };
        theirs("before").await;
        let folder = article(&desk, "before");
        let report = register_one(&desk, &folder).await;
        let skipped = Comes { ending: Ending::Skipped, exit: 0, state: State::Skipped, posts: 0 };
        expect(site, &desk, &report, "before", skipped).await;
        let told = |event: &Event| matches!(event, Event::Noted { note: Note::DiffersFromSite, .. });
        assert!(desk.heard.lock().expect("nobody panicked").iter().any(told));
        assert_eq!(site.creates(), 0);

        let folder = sent_in_vain(site, &desk, "after").await;
        theirs("after").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", halted(HaltReason::ExistsNotOurs, 0)).await;

        let folder = sent_in_vain(site, &desk, "mine").await;
        site.write_draft(Who::Author, "Another", "mine", "<p>Other words.</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "mine", halted(HaltReason::ContentDiffers, 0)).await;
        assert_eq!(site.creates(), 2);
        let contents: Vec<_> = titled(site, "Theirs").await.into_iter().map(|post| post.content).collect();
        assert_eq!(contents, ["<p>Theirs.</p>", "<p>Theirs.</p>"]);
    }

    async fn fault_28_content_that_the_site_changed_is_known_by_its_marker(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        rewrite(site, &desk, "str_replace('です。', 'です！', $content)", |content| content.replace("です。", "です！"));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", ADOPTED).await;
        let post = &titled(site, "記事").await[0];
        assert!(post.content.contains("です！") && post.content.contains("ichido"), "{}", post.content);
        // What the site made of it is what it is compared with from now on.
        desk.forget();
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        let noted = |event: &Event| matches!(event, Event::Noted { .. });
        assert!(!desk.heard.lock().expect("nobody panicked").iter().any(noted), "nothing to be said");
    }

    async fn fault_28_without_its_marker_the_same_content_is_adopted_with_a_note(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        rewrite(site, &desk, "preg_replace('/ \\{\"ichido\":\"[^\"]*\"\\}/', '', $content)", ichido_core::content::without_marker);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", ADOPTED).await;
        assert!(!titled(site, "記事").await[0].content.contains("ichido"));
        let told = |event: &Event| matches!(event, Event::Noted { note: Note::AdoptedByContent, .. });
        assert!(desk.heard.lock().expect("nobody panicked").iter().any(told), "it is noted");
    }

    async fn fault_29_what_became_of_a_finished_post_is_told_and_nothing_is_made_anew(site: &Site) {
        let desk = Desk::at(site).await;
        for slug in ["deleted", "renamed", "trashed", "published", "edited", "kept"] {
            article(&desk, slug);
        }
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.exit_status()), (6, 0), "{report:?}");
        let id = |slug: &str| desk.record(slug).remote_id.expect("it was created").0;
        site.delete(id("deleted")).await;
        assert_eq!(site.rename(id("renamed"), "elsewhere").await, "elsewhere");
        site.trash(id("trashed")).await;
        site.publish(id("published")).await;
        site.edit_content(id("edited"), "<p>By hand.</p>").await;
        for _ in 0..2 {
            let report = desk.register().await;
            expect(site, &desk, &report, "deleted", halted(HaltReason::Missing, 0)).await;
            expect(site, &desk, &report, "renamed", halted(HaltReason::Renamed, 1)).await;
            expect(site, &desk, &report, "trashed", halted(HaltReason::InTrash, 1)).await;
            for slug in ["published", "edited", "kept"] {
                assert_eq!(ending(&report, slug), Ending::Verified, "{slug}: {report:?}");
            }
            assert_eq!(site.creates(), 6);
        }
        assert_sent_once(site);
        assert_eq!(CREATED.posts * 5, site.posts().await.len());
    }
}
