//! What people do to drafts by hand, as the next run tells it.

use ichido_core::tally::{Ending, Pause};
use ichido_engine::{Event, Note, Stop};
use ichido_tests::{Desk, Site, Who, ending};

use crate::contract::on_every_site;
use crate::sight::changing;

/// What was noted, with the slugs of the articles.
fn notes(desk: &Desk) -> Vec<(Option<String>, Note)> {
    let heard = desk.heard.lock().expect("nobody panicked");
    let noted = heard.iter().filter_map(|event| {
        if let Event::Noted { article, note } = event {
            Some((article.slug.clone(), note.clone()))
        } else {
            None
        }
    });
    noted.collect()
}

on_every_site! {
    async fn what_a_person_did_to_a_draft_is_noted(site: &Site) {
        let desk = Desk::at(site).await;
        for name in ["content", "title", "published", "local"] {
            desk.write(name, name, "Text.");
        }
        desk.register().await;
        let posts = site.posts().await;
        let id = |slug: &str| posts.iter().find(|post| post.slug == slug).expect("a draft").id;
        site.edit_content(id("content"), "<p>Another hand.</p>").await;
        site.edit_title(id("title"), "Another title").await;
        site.publish(id("published")).await;
        desk.write("local", "local", "Edited here.");
        desk.forget();
        let report = desk.register().await;
        assert_eq!((report.tally.verified, report.exit_status()), (4, 0), "{report:?}");
        let heard = notes(&desk);
        for name in ["content", "title", "published", "local"] {
            let notes: Vec<_> = heard
                .iter()
                .filter(|(name_of, _)| name_of.as_deref() == Some(name))
                .map(|(_, note)| note.clone())
                .collect();
            let expected = if name == "local" { Note::ChangedSince } else { Note::EditedOnSite };
            assert_eq!(notes, [expected], "{name}");
        }
    }

    async fn a_renamed_folder_whose_slug_stands_in_its_text_is_the_same_article(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("kept-slug", "Kept", "Text.");
        desk.register().await;
        std::fs::rename(desk.articles.join("kept-slug"), desk.articles.join("elsewhere")).expect("it can be renamed");
        let report = desk.register().await;
        assert_eq!((report.tally.verified, report.exit_status()), (1, 0), "{report:?}");
        let path = desk.record("kept-slug").source_path.expect("a path");
        assert!(path.starts_with(desk.articles.join("elsewhere")), "{path:?}");
        // A copy at the old place would now be a second article of the same slug.
        desk.write("kept-slug", "Kept", "Another text.");
        let clash = desk.register_paths(&[desk.articles.join("kept-slug")]).await.expect("it runs");
        assert_eq!((clash.tally.needs_work, clash.exit_status()), (1, 4), "{clash:?}");
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn a_draft_that_an_editor_published_is_no_longer_a_contributors_to_edit(site: &Site) {
        let desk = Desk::at_as(site, Who::Contributor).await;
        desk.write("a", "A", "Text.");
        desk.register().await;
        site.publish(site.posts().await[0].id).await;
        let report = desk.register().await;
        assert_eq!((report.tally.verified, report.exit_status()), (1, 0), "{report:?}");
        let heard = notes(&desk);
        assert!(heard.iter().any(|(_, note)| *note == Note::NoLongerOurs), "{heard:?}");
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn a_revoked_password_stops_everything_and_changes_nothing(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("done", "Done", "Text.");
        desk.register().await;
        desk.write("new", "New", "Text.");
        site.revoke_password(Who::Author).await;
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.pause, report.exit_status()), (Some(Pause::NotOurUser), 5), "{report:?}");
        assert_eq!((ending(&report, "done"), ending(&report, "new")), (Ending::Verified, Ending::Waiting));
        assert_eq!(changing(site), Vec::<String>::new());
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn a_slug_that_somebody_takes_while_an_article_waits_is_left_to_them(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("wanted", "Ours", "Our text.");
        let stop = Stop::default();
        stop.request();
        let stopped = desk.register_until(std::slice::from_ref(&desk.articles), &stop).await.expect("it runs");
        assert_eq!((stopped.tally.waiting, stopped.exit_status()), (1, 6), "{stopped:?}");
        let theirs = site.write_draft(Who::OtherAuthor, "Theirs", "wanted", "<p>Their text.</p>").await;
        site.publish(theirs).await;
        let report = desk.register().await;
        assert_eq!((report.tally.skipped, report.exit_status()), (1, 0), "{report:?}");
        assert_eq!(site.creates(), 0);
        // Once it is free again, the article goes its way.
        site.delete(theirs).await;
        let later = desk.register().await;
        assert_eq!((later.tally.created, site.posts().await.len()), (1, 1), "{later:?}");
    }
}
