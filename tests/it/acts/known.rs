//! Acts on what was done, or is there: duplicates, trash, missing, renamed.

use ichido_core::act::{Act, Shut};
use ichido_core::operation::{HaltReason, State};
use ichido_engine::{ActError, CannotLink};
use ichido_practice::{Fault, When};
use ichido_tests::{Desk, Site, Who};

use super::{done, not_linked, not_offered, refused, typing};
use crate::contract::on_every_site;
use crate::faults::{CREATED, VERIFIED, article, expect, halted, register_one, sent_and_not_found, titled};

/// Registers one article to its good end. Returns its folder and the post's id.
async fn created(site: &Site, desk: &Desk, slug: &str) -> (std::path::PathBuf, u64) {
    let folder = article(desk, slug);
    let report = register_one(desk, &folder).await;
    expect(site, desk, &report, slug, CREATED).await;
    (folder, desk.record(slug).remote_id.expect("it was created").0)
}

on_every_site! {
    async fn duplicates_link_one(site: &Site) {
        let desk = Desk::at(site).await;
        let one = site.write_draft(Who::Author, "One", "記事", "<p>1</p>").await;
        let other = site.write_draft(Who::Author, "Other", "記事", "<p>2</p>").await;
        let folder = article(&desk, "記事");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Duplicates, 0)).await;
        not_offered(&desk, "記事", &[Act::SendAgain, Act::KeepSite, Act::NoneOfThese, Act::TryAgain]).await;
        not_linked(&desk, "記事", &[(999_999, CannotLink::NotThere)]).await;
        assert_eq!(done(&desk, "記事", Act::Link, Some(other)).await, State::Done);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED.with_posts(0)).await;
        assert_eq!((site.creates(), site.posts().await.len()), (0, 2));
        assert_ne!(desk.record("記事").remote_id.map(|id| id.0), Some(one));
    }

    async fn duplicates_of_ours_are_settled_by_linking_ours(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = sent_and_not_found(site, &desk, "記事").await;
        let other = site.write_draft(Who::Author, "Other", "記事", "<p>2</p>").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Duplicates, 1)).await;
        // A look does not choose for the person.
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Halted(HaltReason::Duplicates));
        assert_eq!(done(&desk, "記事", Act::Link, Some(id)).await, State::Done);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!((site.creates(), site.posts().await.iter().any(|post| post.id == other)), (1, true));
    }

    async fn in_trash_before_us_send_again(site: &Site) {
        let desk = Desk::at(site).await;
        let old = site.write_draft(Who::Author, "Old", "記事", "<p>x</p>").await;
        site.trash(old).await;
        let folder = article(&desk, "記事");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 0)).await;
        let unconfirmed = typing(&desk, "記事", Act::SendAgain, None, None).await;
        assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { .. })), "{unconfirmed:?}");
        assert_eq!(done(&desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_eq!((site.creates(), titled(site, "Old").await[0].status.as_str()), (1, "trash"));
    }

    async fn in_trash_before_us_and_taken_out_again_is_skipped(site: &Site) {
        let desk = Desk::at(site).await;
        let old = site.write_draft(Who::Author, "Old", "記事", "<p>x</p>").await;
        site.trash(old).await;
        let folder = article(&desk, "記事");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 0)).await;
        site.untrash(old).await;
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Skipped);
        let report = register_one(&desk, &folder).await;
        assert_eq!((report.tally.skipped, report.exit_status(), site.creates()), (1, 0, 0), "{report:?}");
    }

    async fn in_trash_of_ours_send_again_makes_a_new_one(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = created(site, &desk, "記事").await;
        let first = desk.record("記事").op_id;
        site.trash(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 1)).await;
        not_offered(&desk, "記事", &[Act::Link, Act::KeepSite, Act::AcceptSlug, Act::NoneOfThese]).await;
        // A site that does not answer does not say that it still lies there.
        // Three times, and once when it is asked about something else.
        site.inject(When::ANY, Fault::RefuseLookups(4));
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
        assert_eq!(site.faults_waiting(), 0);
        assert_eq!(done(&desk, "記事", Act::SendAgain, None).await, State::Planned);
        let old = desk.journal().operation(first).expect("records").expect("it is kept");
        assert_eq!(old.standing.state, State::Abandoned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED.with_posts(2)).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED.with_posts(2)).await;
        assert_eq!(site.creates(), 2);
    }

    async fn in_trash_of_ours_and_taken_out_again_is_verified(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = created(site, &desk, "記事").await;
        site.trash(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 1)).await;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Halted(HaltReason::InTrash));
        site.untrash(id).await;
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::NotNegative)), "{shut:?}");
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Done);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn in_trash_while_in_doubt_is_ours_and_can_be_sent_again(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = sent_and_not_found(site, &desk, "記事").await;
        site.trash(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 1)).await;
        // Its marker says that it arrived: nothing can come any more, so no window is waited for.
        assert_eq!(done(&desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED.with_posts(2)).await;
        assert_eq!(site.creates(), 2);
    }

    async fn in_trash_a_strangers_row_proves_nothing_about_ours(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = crate::faults::sent_in_vain(site, &desk, "記事").await;
        // Ours may still arrive: what someone wrote and threw away since is not ours.
        let id = site.write_draft(Who::Author, "By hand", "記事", "<p>By hand.</p>").await;
        site.trash(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::InTrash, 0)).await;
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(_)), "{shut:?}");
        assert_eq!(site.creates(), 1);
    }

    async fn missing_after_a_link_what_was_sent_may_still_arrive(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = crate::faults::sent_in_vain(site, &desk, "記事").await;
        let linked = site.write_draft(Who::Author, "By hand", "by-hand", "<p>By hand.</p>").await;
        assert_eq!(done(&desk, "記事", Act::Link, Some(linked)).await, State::Done);
        site.delete(linked).await;
        // The row that a person chose is gone, and tells nothing about the request.
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Missing, 0)).await;
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { .. } | Shut::NotLooked)), "{shut:?}");
        assert_eq!(
            done(&desk, "記事", Act::Look, None).await,
            State::Halted(HaltReason::OutcomeUnknown)
        );
        let shut = refused(&desk, "記事", Act::SendAgain, None).await;
        assert!(matches!(shut, ActError::Shut(Shut::Window { .. })), "{shut:?}");
        assert_eq!(site.creates(), 1);
    }

    async fn missing_send_again_makes_a_new_one(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = created(site, &desk, "記事").await;
        site.delete(id).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Missing, 0)).await;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Halted(HaltReason::Missing));
        not_offered(&desk, "記事", &[Act::Link, Act::KeepSite, Act::AcceptSlug, Act::NoneOfThese]).await;
        let unconfirmed = typing(&desk, "記事", Act::SendAgain, None, Some("other")).await;
        assert!(matches!(unconfirmed, Err(ActError::NotConfirmed { .. })), "{unconfirmed:?}");
        assert_eq!(done(&desk, "記事", Act::SendAgain, None).await, State::Planned);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 2);
    }

    async fn renamed_accept_the_sites_slug(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = created(site, &desk, "記事").await;
        let slug = site.rename(id, "別の名前").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Renamed, 1)).await;
        not_offered(&desk, "記事", &[Act::SendAgain, Act::Link, Act::KeepSite]).await;
        assert_eq!(done(&desk, "記事", Act::AcceptSlug, None).await, State::Done);
        assert_eq!(desk.record("記事").recorded.expect("it was read").slug, slug);
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", VERIFIED).await;
        assert_eq!(site.creates(), 1);
    }

    async fn renamed_back_settles_by_looking(site: &Site) {
        let desk = Desk::at(site).await;
        let (folder, id) = created(site, &desk, "記事").await;
        site.rename(id, "elsewhere").await;
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Renamed, 1)).await;
        site.rename(id, "記事").await;
        assert_eq!(done(&desk, "記事", Act::Look, None).await, State::Done);
    }
}
