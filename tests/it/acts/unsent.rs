//! Acts on what never left: changed slugs, hidden rows, refusals, articles that need work.

use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use ichido_engine::{ActError, CannotLink};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who, ending};

use super::{done, not_linked, not_offered, refused, typing};
use crate::contract::on_every_site;
use crate::faults::{CREATED, Comes, VERIFIED, article, expect, halted, register_one, titled};

/// Writes an article into this folder whose slug and title are `slug`.
fn named(desk: &Desk, folder: &str, slug: &str) -> std::path::PathBuf {
    desk.write_with(folder, &format!("title: {slug}\nslug: {slug}"), "本文です。")
}

on_every_site! {
    async fn slug_changed_it_is_the_same_article(site: &Site) {
        let desk = Desk::at(site).await;
        let report = register_one(&desk, &named(&desk, "folder", "before")).await;
        expect(site, &desk, &report, "before", CREATED).await;
        let id = desk.record("before").remote_id;
        let folder = named(&desk, "folder", "after");
        for _ in 0..2 {
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, "after", halted(HaltReason::SlugChanged, 0)).await;
        }
        not_offered(&desk, "after", &[Act::SendAgain, Act::Link, Act::KeepSite, Act::TryAgain]).await;
        let unconfirmed = typing(&desk, "after", Act::Same, None, Some("before")).await;
        assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { .. })), "{unconfirmed:?}");
        assert_eq!(done(&desk, "after", Act::Same, None).await, State::Done);
        assert_eq!(desk.record("after").remote_id, id);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", VERIFIED.with_posts(0)).await;
        assert_eq!((site.creates(), titled(site, "before").await[0].slug.as_str()), (1, "before"));
    }

    async fn slug_changed_it_is_a_new_article(site: &Site) {
        let desk = Desk::at(site).await;
        let report = register_one(&desk, &named(&desk, "folder", "before")).await;
        expect(site, &desk, &report, "before", CREATED).await;
        let folder = named(&desk, "folder", "after");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", halted(HaltReason::SlugChanged, 0)).await;
        assert_eq!(done(&desk, "after", Act::New, None).await, State::Planned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", CREATED).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", VERIFIED).await;
        assert_eq!((site.creates(), titled(site, "before").await.len()), (2, 1));
    }

    async fn slug_changed_and_put_back_settles_by_itself(site: &Site) {
        let desk = Desk::at(site).await;
        let report = register_one(&desk, &named(&desk, "folder", "before")).await;
        expect(site, &desk, &report, "before", CREATED).await;
        let folder = named(&desk, "folder", "after");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", halted(HaltReason::SlugChanged, 0)).await;
        named(&desk, "folder", "before");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "before", VERIFIED).await;
        let open = desk.journal().needs_attention(None).expect("a journal");
        assert_eq!(open, [], "nobody has to look any more");
        // Changed once more, it is asked about once more.
        named(&desk, "folder", "after");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "after", halted(HaltReason::SlugChanged, 0)).await;
        assert_eq!((site.creates(), site.posts().await.len()), (1, 1));
    }

    async fn slug_changed_by_renaming_the_folder(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = desk.write_with("eins", "title: Title", "本文です。");
        let report = register_one(&desk, &folder).await;
        assert_eq!((ending(&report, "eins"), report.exit_status()), (Ending::Created, 0), "{report:?}");
        let renamed = desk.articles.join("zwei");
        std::fs::rename(&folder, &renamed).expect("a folder can be renamed");
        let report = register_one(&desk, &renamed).await;
        expect(site, &desk, &report, "zwei", halted(HaltReason::SlugChanged, 0)).await;
        assert_eq!((site.creates(), site.posts().await.len()), (1, 1));
        assert_eq!(done(&desk, "zwei", Act::Same, None).await, State::Done);
        let report = register_one(&desk, &renamed).await;
        expect(site, &desk, &report, "zwei", VERIFIED.with_posts(0)).await;
        assert_eq!((site.creates(), site.posts().await.len()), (1, 1));
    }

    async fn hidden_is_looked_at_again_and_cannot_be_linked(site: &Site) {
        let desk = Desk::at(site).await;
        let theirs = site.write_draft(Who::OtherAuthor, "Theirs", "hidden", "<p>x</p>").await;
        let folder = named(&desk, "folder", "hidden");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "hidden", halted(HaltReason::Hidden, 0)).await;
        not_offered(&desk, "hidden", &[Act::SendAgain, Act::NoneOfThese, Act::KeepSite]).await;
        not_linked(&desk, "hidden", &[(theirs, CannotLink::Forbidden)]).await;
        assert_eq!(done(&desk, "hidden", Act::Look, None).await, State::Halted(HaltReason::Hidden));
        assert_eq!(site.creates(), 0);
        // The slug is changed in the article: it is another one, and nothing stands in its way.
        let report = register_one(&desk, &named(&desk, "folder", "elsewhere")).await;
        expect(site, &desk, &report, "elsewhere", CREATED).await;
        // Or theirs goes.
        site.delete(theirs).await;
        assert_eq!(done(&desk, "hidden", Act::Look, None).await, State::Planned);
        assert_eq!(site.creates(), 1, "looking sends nothing");
    }

    async fn refused_is_tried_again_when_a_person_says_so(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let no = || Fault::StatusBeforeCommit { status: 400, code: Some("rest_invalid_param".into()), html: false };
        let comes = Comes { ending: Ending::Refused, exit: 5, state: State::Refused, posts: 0 };
        site.inject(When::next(Request::CreatePost), no());
        for _ in 0..2 {
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, "記事", comes).await;
        }
        assert_eq!(site.creates(), 1);
        not_offered(&desk, "記事", &[Act::SendAgain, Act::Link, Act::KeepSite, Act::New]).await;
        let unconfirmed = typing(&desk, "記事", Act::TryAgain, None, None).await;
        assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { .. })), "{unconfirmed:?}");
        assert_eq!(done(&desk, "記事", Act::TryAgain, None).await, State::Planned);
        // From here on a person's word stands behind a further request.
        site.forget_requests();
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn refused_goes_on_by_itself_when_the_article_was_changed(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let no = Fault::StatusBeforeCommit { status: 400, code: Some("rest_invalid_param".into()), html: false };
        site.inject(When::next(Request::CreatePost), no);
        let report = register_one(&desk, &folder).await;
        assert_eq!(report.tally.refused, 1, "{report:?}");
        desk.write("記事", "記事", "Put right.");
        site.forget_requests();
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
    }

    async fn needs_work_goes_on_when_the_article_was_changed(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.create_tags = false;
        let folder = desk.write_with("記事", "title: 記事\nslug: 記事\ncategories: [No such thing]", "本文です。");
        let report = register_one(&desk, &folder).await;
        let comes = Comes { ending: Ending::NeedsWork, exit: 4, state: State::NeedsWork, posts: 0 };
        expect(site, &desk, &report, "記事", comes).await;
        assert_eq!(done(&desk, "記事", Act::TryAgain, None).await, State::Planned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", comes).await;
        assert_eq!(site.creates(), 0);
        desk.write_with("記事", "title: 記事\nslug: 記事", "本文です。");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
    }

    async fn nothing_can_be_done_about_what_is_done(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        not_offered(&desk, "記事", &Act::ALL).await;
        let unknown = desk.act("no-such-article", Act::Look, None).await;
        assert!(matches!(unknown, Err(ActError::NoSuchArticle { .. })), "{unknown:?}");
        let error = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(error, ActError::NotOffered { .. }), "{error:?}");
        assert_eq!(site.creates(), 1);
    }
}
