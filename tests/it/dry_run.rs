//! Saying what a run would do: rightly, and without doing any of it. (What becomes of articles that ran before is
//! foretold in `life`.)

use std::time::Duration;

use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::tally::{Ending, Pause};
use ichido_engine::{Batch, Event, Note, Reason, Report, Settings, Stop};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, SITE, Site, Who, ending};

use crate::contract::on_every_site;
use crate::sight::changing;

/// Foretells what registering everything would come to, and sees to it that nothing happens.
pub(crate) async fn foretell(desk: &Desk, site: &Site) -> (Report, Vec<Event>) {
    let known = || {
        let journal = desk.journal();
        (
            journal.operations_after(None, 1000).expect("records"),
            journal.history_after(0, 1000).expect("a history"),
        )
    };
    let (before, sent) = (known(), changing(site));
    let (articles, _) = ichido_engine::check(std::slice::from_ref(&desk.articles), Settings::default())
        .expect("there are articles");
    let batch = Batch {
        articles,
        site: SITE.to_owned(),
        credentials: desk.credentials(),
        create_tags: desk.create_tags,
        polls: desk.polls.clone(),
        wait: Duration::ZERO,
        dry_run: true,
    };
    let heard = std::sync::Mutex::new(Vec::new());
    let hear = |event: &Event| heard.lock().expect("nobody panicked").push(event.clone());
    let report = desk.engine().register(batch, &hear, &Stop::default()).await.expect("it runs");
    assert_eq!(known(), before, "nothing is written down");
    assert_eq!(changing(site), sent, "nothing is sent");
    (report, heard.into_inner().expect("nobody panicked"))
}

#[track_caller]
fn assert_came_true(foretold: &Report, report: &Report) {
    assert_eq!(foretold.tally, report.tally, "{foretold:?} {report:?}");
    for ((name, foretold), (_, end)) in foretold.articles.iter().zip(&report.articles) {
        assert_eq!((foretold.ending, foretold.reason), (end.ending, end.reason), "{name:?}");
    }
    assert_eq!(foretold.exit_status(), report.exit_status());
}

on_every_site! {
    async fn a_new_batch(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.create_tags = false;
        let theirs = site.write_draft(Who::OtherAuthor, "Theirs", "taken", "<p>Theirs.</p>").await;
        site.publish(theirs).await;
        let trashed = site.write_draft(Who::Author, "Mine", "thrown-away", "<p>Mine.</p>").await;
        site.trash(trashed).await;
        desk.write("new", "New", "![a](a.png)");
        desk.picture("new", "a.png", 1);
        desk.write("taken", "Taken", "Text.");
        desk.write("thrown-away", "Thrown away", "Text.");
        desk.write_with("category", "title: Category\ncategory: Nowhere", "Text.");
        desk.write_with("tag", "title: Tag\ntags: [unknown]", "Text.");
        desk.write_with("one", "title: One\nslug: same", "Text.");
        desk.write_with("two", "title: Two\nslug: same", "Text.");
        desk.write_with("broken", "title: Broken", "![gone](gone.png)");
        let (foretold, heard) = foretell(&desk, site).await;
        for (slug, wanted) in [
            ("new", Ending::Created),
            ("taken", Ending::Skipped),
            ("thrown-away", Ending::Halted),
            ("category", Ending::NeedsWork),
            ("tag", Ending::NeedsWork),
            ("same", Ending::NeedsWork),
        ] {
            assert_eq!(ending(&foretold, slug), wanted, "{slug} in {foretold:?}");
        }
        let notes: Vec<_> = heard
            .iter()
            .filter_map(|event| if let Event::Noted { note, .. } = event { Some(note.clone()) } else { None })
            .collect();
        for note in [
            Note::CategoryUnknown { name: "Nowhere".into(), near: vec![] },
            Note::TagUnknown { name: "unknown".into() },
            Note::DiffersFromSite,
        ] {
            assert!(notes.contains(&note), "{note:?} in {notes:?}");
        }
        let report = desk.register().await;
        assert_came_true(&foretold, &report);

        // What needs work is looked for afresh: the tag may be made now, and the slug of the other is taken by now.
        desk.create_tags = true;
        let other = site.write_draft(Who::OtherAuthor, "Theirs too", "category", "<p>Theirs.</p>").await;
        site.publish(other).await;
        let (foretold, _) = foretell(&desk, site).await;
        assert_eq!((ending(&foretold, "tag"), ending(&foretold, "category")), (Ending::Created, Ending::Skipped));
        assert_came_true(&foretold, &desk.register().await);
    }

    async fn articles_that_wait_for_an_image_in_doubt(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.polls.clear();
        desk.write("a", "A", "![a](a.png)");
        desk.picture("a", "a.png", 1);
        site.inject(When::next(Request::UploadMedia), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::UploadMedia), Fault::CommitThenDropResponse);
        desk.register().await;
        desk.write("b", "B", "![the same](b.png)");
        desk.picture("b", "b.png", 1);
        desk.write("c", "C", "Text.");
        let (foretold, _) = foretell(&desk, site).await;
        let waiting = |slug: &str| foretold.articles.iter().any(|(name, end)| {
            name.slug.as_deref() == Some(slug) && end.reason == Some(Reason::Wait(WaitReason::ImageInDoubt))
        });
        assert!(waiting("a") && waiting("b") && !waiting("c"), "{foretold:?}");
        let report = desk.register().await;
        assert_eq!(foretold.tally, report.tally, "{foretold:?} {report:?}");
    }

    async fn what_a_contributor_may_not_do(site: &Site) {
        let desk = Desk::at_as(site, Who::Contributor).await;
        desk.write("picture", "Picture", "![a](a.png)");
        desk.picture("picture", "a.png", 1);
        desk.write("text", "Text", "Text.");
        let (foretold, _) = foretell(&desk, site).await;
        assert_eq!((ending(&foretold, "picture"), ending(&foretold, "text")), (Ending::Refused, Ending::Created));
        assert_came_true(&foretold, &desk.register().await);
        // Refused for want of a right: it stays so, and says why.
        let (again, _) = foretell(&desk, site).await;
        assert_came_true(&again, &desk.register().await);
    }

    async fn without_the_right_password(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.polls.clear();
        desk.write("doubt", "Doubt", "Text.");
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        desk.register().await;
        assert_eq!(desk.state("doubt"), State::Halted(HaltReason::OutcomeUnknown));
        desk.write("new", "New", "Text.");
        desk.use_password("not the password");
        let (foretold, _) = foretell(&desk, site).await;
        assert_eq!((ending(&foretold, "doubt"), ending(&foretold, "new")), (Ending::Unknown, Ending::Waiting));
        assert_eq!(foretold.pause, Some(Pause::NotOurUser));
        assert_came_true(&foretold, &desk.register().await);
    }

    async fn a_lost_journal(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("a", "A", "Text.");
        desk.register().await;
        std::fs::remove_dir_all(&desk.places.data_dir).expect("the journal can be removed");
        let credentials = desk.credentials();
        desk.engine().add_site(SITE, &site.url(), credentials).await.expect("the site can be added anew");
        desk.write("b", "B", "Text.");
        let (foretold, _) = foretell(&desk, site).await;
        assert_eq!((ending(&foretold, "a"), ending(&foretold, "b")), (Ending::Skipped, Ending::Waiting));
        assert_came_true(&foretold, &desk.register().await);
    }
}
