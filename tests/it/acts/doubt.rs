//! Acts on what may have been executed: unknown, could not ask, candidates, and rows that look like it.

use ichido_core::act::{Act, Shut};
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use ichido_engine::{ActError, CannotLink, Event, Step};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who};
use serde_json::json;

use super::{done, not_linked, not_offered, refused, typing};
use crate::contract::on_every_site;
use crate::faults::{
    ADOPTED, CREATED, Comes, UNKNOWN, VERIFIED, article, backstage, expect, halted, register_hearing,
    register_one, sent_and_not_found, sent_in_vain, shown, titled,
};

const LEFT: Comes =
    Comes { ending: Ending::Left, exit: 0, state: State::Halted(HaltReason::OutcomeUnknown), posts: 0 };

on_every_site! {
    async fn unknown_look_again_adopts_what_is_there_by_now(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = sent_and_not_found(site, &desk, "記事").await;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Done);
        assert_eq!(desk.record("記事").remote_id.map(|id| id.0), Some(id));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn unknown_look_again_changes_nothing_while_it_is_not_there(site: &Site) {
        let desk = Desk::at(site).await;
        sent_in_vain(site, &desk, "記事").await;
        let first = desk.record("記事").first_negative;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, UNKNOWN.state);
        assert!(first.is_some() && desk.record("記事").first_negative == first, "the window counts from the first");
        not_offered(&desk, "記事", &[Act::NoneOfThese, Act::TryAgain, Act::KeepSite, Act::Update, Act::AcceptSlug, Act::Same, Act::New]).await;
        assert_eq!(site.creates(), 1);
    }

    async fn candidates_only_what_the_card_shows_is_none_of_these(site: &Site) {
        let desk = Desk::at(site).await;
        let older = site.write_draft(Who::Author, "Older", "older", "<p>x</p>").await;
        let folder = sent_in_vain(site, &desk, "記事").await;
        let candidate = site.write_draft(Who::Author, "Candidate", "candidate", "<p>x</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Candidates, 0)).await;
        for id in [older, 999_999] {
            let error = refused(&desk, "記事", Act::NoneOfThese, Some(id)).await;
            assert!(matches!(error, ActError::CannotLink { why: CannotLink::NotThere, .. }), "{error:?}");
        }
        assert_eq!(done(&desk, "記事", Act::NoneOfThese, Some(candidate)).await, UNKNOWN.state);
    }

    async fn unknown_it_is_there_link_it(site: &Site) {
        let desk = Desk::at(site).await;
        let other = article(&desk, "other");
        let report = register_one(&desk, &other).await;
        expect(site, &desk, &report, "other", CREATED).await;
        let folder = article(&desk, "記事");
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(1000));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", UNKNOWN.with_posts(1)).await;
        let id = titled(site, "記事").await[0].id;

        let trashed = site.write_draft(Who::Author, "Trashed", "trashed", "<p>x</p>").await;
        site.trash(trashed).await;
        let theirs = site.write_draft(Who::OtherAuthor, "Theirs", "theirs", "<p>x</p>").await;
        let owned = desk.record("other").remote_id.expect("it was created").0;
        not_linked(&desk, "記事", &[
            (999_999, CannotLink::NotThere),
            (trashed, CannotLink::InTrash),
            (theirs, CannotLink::Forbidden),
            (owned, CannotLink::OtherRecord),
        ])
        .await;
        for typed in [None, Some(""), Some("other"), Some("yes")] {
            let unconfirmed = typing(&desk, "記事", Act::Link, Some(id), typed).await;
            assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { ref expected }) if expected == "記事"), "{unconfirmed:?}");
        }
        let nothing = refused(&desk, "記事", Act::Link, None).await;
        assert!(matches!(nothing, ActError::NotOffered { .. }), "{nothing:?}");

        assert_eq!(done(&desk, "記事", Act::Link, Some(id)).await, State::Done);
        let record = desk.record("記事");
        assert_eq!(record.remote_id.map(|id| id.0), Some(id));
        assert_eq!(record.recorded.expect("the row was read").slug, "記事");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 2);
    }

    async fn unknown_leave_takes_it_out_of_the_exit_status_and_can_be_undone(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = sent_in_vain(site, &desk, "記事").await;
        // Neither needs a person's typing.
        typing(&desk, "記事", Act::Leave, None, None).await.expect("it can be left");
        for _ in 0..2 {
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, "記事", LEFT).await;
            assert_eq!((report.tally.left, report.needs_attention().count()), (1, 0));
        }
        typing(&desk, "記事", Act::Unleave, None, None).await.expect("it can be taken up again");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", UNKNOWN).await;
        assert_eq!(site.creates(), 1);
    }

    async fn unknown_what_was_left_is_adopted_all_the_same_when_it_shows(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, _) = sent_and_not_found(site, &desk, "記事").await;
        typing(&desk, "記事", Act::Leave, None, None).await.expect("it can be left");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", ADOPTED).await;
    }

    async fn could_not_ask_settles_by_itself_when_the_site_answers(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.polls.clear();
        let mut folders = Vec::new();
        for slug in ["by-itself", "by-looking"] {
            let folder = article(&desk, slug);
            site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
            let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
                if matches!(event, Event::Step { step: Step::Draft, .. }) {
                    // One question and its two repetitions.
                    site.inject(When::ANY, Fault::RefuseLookups(3));
                }
            })
            .await;
            let comes = Comes { exit: 6, state: State::Halted(HaltReason::CouldNotAsk), ..UNKNOWN.with_posts(1) };
            expect(site, &desk, &report, slug, comes).await;
            not_offered(&desk, slug, &[Act::SendAgain, Act::Link, Act::NoneOfThese, Act::TryAgain]).await;
            if slug == "by-looking" {
                assert_eq!(done(&desk, slug, Act::Look, None).await, State::Done);
            } else {
                let report = register_one(&desk, &folder).await;
                expect(site, &desk, &report, slug, ADOPTED).await;
            }
            folders.push(folder);
        }
        let report = desk.register().await;
        assert_eq!((report.tally.verified, report.exit_status(), site.creates()), (2, 0, 2), "{report:?}");
    }

    async fn candidates_are_dismissed_one_by_one(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = sent_in_vain(site, &desk, "記事").await;
        let one = site.write_draft(Who::Author, "One", "one-thing", "<p>1</p>").await;
        let other = site.write_draft(Who::Author, "Other", "other-thing", "<p>2</p>").await;
        site.write_draft(Who::OtherAuthor, "Theirs", "theirs", "<p>3</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Candidates, 0)).await;
        assert_eq!(shown(&desk, "記事"), [one, other]);
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(_)), "{shut:?}");
        let nothing = refused(&desk, "記事", Act::NoneOfThese, None).await;
        assert!(matches!(nothing, ActError::NotOffered { .. }), "{nothing:?}");

        assert_eq!(done(&desk, "記事", Act::NoneOfThese, Some(one)).await, State::Halted(HaltReason::Candidates));
        assert_eq!(done(&desk, "記事", Act::NoneOfThese, Some(other)).await, UNKNOWN.state);
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { .. })), "{shut:?}");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", UNKNOWN).await;
        assert_eq!(site.creates(), 1);
    }

    async fn candidates_this_one_is_it(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = sent_and_not_found(site, &desk, "記事").await;
        // Someone opened the draft in the editor, which dropped the marker, and gave it another slug.
        site.edit_content(id, "<p>By hand.</p>").await;
        let slug = site.rename(id, "edited-by-hand").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Candidates, 1)).await;
        assert_eq!(shown(&desk, "記事"), [id]);
        assert_eq!(done(&desk, "記事", Act::Link, Some(id)).await, State::Done);
        assert_eq!(desk.record("記事").recorded.expect("the row was read").slug, slug);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn content_differs_keep_the_sites(site: &Site) {
        let desk = Desk::at(site).await;
        // Found at the slug, ours, but not what was sent.
        let at_slug = sent_in_vain(site, &desk, "at-slug").await;
        let by_hand = site.write_draft(Who::Author, "By hand", "at-slug", "<p>By hand.</p>").await;
        // Found by its marker after the article had been changed here.
        let (changed, id) = sent_and_not_found(site, &desk, "changed").await;
        desk.write("changed", "changed", "Changed here.");
        for (slug, folder, id, posts) in [("at-slug", at_slug, by_hand, 0), ("changed", changed, id, 1)] {
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, slug, halted(HaltReason::ContentDiffers, posts)).await;
            not_offered(&desk, slug, &[Act::SendAgain, Act::Link, Act::TryAgain]).await;
            let not_yet = refused(&desk, slug, Act::Update, None).await;
            assert!(matches!(not_yet, ActError::UpdateNotYet), "{not_yet:?}");
            assert_eq!(done(&desk, slug, Act::KeepSite, None).await, State::Done);
            assert_eq!(desk.record(slug).remote_id.map(|id| id.0), Some(id));
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, slug, VERIFIED.with_posts(posts)).await;
        }
        assert_eq!(site.creates(), 2);
        let posts = site.posts().await;
        assert!(posts.iter().any(|post| post.content == "<p>By hand.</p>"), "{posts:?}");
    }

    async fn incomplete_keep_the_sites(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = desk.write_with("記事", "title: 記事\nslug: 記事\ntags: [札]", "本文です。");
        site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(8));
        site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", UNKNOWN.with_posts(1)).await;
        let id = titled(site, "記事").await[0].id;
        match (backstage(site), site.real()) {
            (Some(handle), _) => assert!(handle.edit_post(id, |post| post.tags.clear())),
            (None, Some(real)) => drop(real.php("return wp_set_post_tags($args, []);", json!(id)).await),
            (None, None) => panic!("a site is one or the other"),
        }
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Incomplete, 1)).await;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Halted(HaltReason::Incomplete));
        let not_yet = refused(&desk, "記事", Act::Update, None).await;
        assert!(matches!(not_yet, ActError::UpdateNotYet), "{not_yet:?}");
        assert_eq!(done(&desk, "記事", Act::KeepSite, None).await, State::Done);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 2, "the tag and the post");
    }

    async fn exists_not_ours_link_theirs(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = sent_in_vain(site, &desk, "記事").await;
        let id = site.write_draft(Who::OtherAuthor, "Theirs", "記事", "<p>Theirs.</p>").await;
        site.publish(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::ExistsNotOurs, 0)).await;
        not_offered(&desk, "記事", &[Act::SendAgain, Act::KeepSite, Act::NoneOfThese]).await;
        not_linked(&desk, "記事", &[(999_999, CannotLink::NotThere)]).await;
        assert_eq!(done(&desk, "記事", Act::Link, Some(id)).await, State::Done);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED.with_posts(0)).await;
        assert_eq!((site.creates(), titled(site, "Theirs").await[0].content.as_str()), (1, "<p>Theirs.</p>"));
    }
}
