//! Statuses instead of an answer (faults 14 to 19).

use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::outcome::UnknownCause;
use ichido_core::tally::{Ending, Pause};
use ichido_engine::Event;
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Site, Who, ending};

use super::{
    ADOPTED, CREATED, Comes, UNKNOWN, VERIFIED, article, assert_sent_once, backstage, expect, halted,
    register_one, titled,
};
use crate::contract::on_every_site;

fn no(status: u16, code: Option<&str>) -> Fault {
    Fault::StatusBeforeCommit { status, code: code.map(str::to_owned), html: code.is_none() }
}

fn pauses(desk: &Desk) -> usize {
    desk.heard
        .lock()
        .expect("nobody panicked")
        .iter()
        .filter(|event| matches!(event, Event::Paused { .. }))
        .count()
}

/// Dies with a status after the row was written, and before its terms are.
const DIES_BEFORE_THE_TERMS: &str = "add_action('rest_insert_post', function () {
    wp_send_json(['code' => 'plugin_says_no', 'message' => 'No.', 'data' => ['status' => 400]], 400);
});";

/// Asks for patience, for an hour.
const PATIENCE: &str = "add_filter('rest_pre_dispatch', function ($result, $server, $request) {
    if ($request->get_method() !== 'GET' || strpos($request->get_route(), '/wp/v2/posts') !== 0) { return $result; }
    $answer = new WP_REST_Response(['code' => 'too_many_requests', 'message' => 'Wait.'], 429);
    $answer->header('Retry-After', '3600');
    return $answer;
}, 10, 3);";

on_every_site! {
    async fn fault_14_a_redirect_is_not_followed_and_pauses_the_site(site: &Site) {
        let desk = Desk::at(site).await;
        for (number, status) in [301, 302, 303, 307, 308].into_iter().enumerate() {
            let folders = ["a", "b"].map(|name| article(&desk, &format!("{name}-{status}")));
            desk.forget();
            site.inject(When::next(Request::CreatePost), Fault::Redirect { status, location: "/elsewhere".into() });
            let report = desk.register_paths(&folders).await.expect("the batch runs");
            expect(site, &desk, &report, &format!("a-{status}"), UNKNOWN).await;
            expect(site, &desk, &report, &format!("b-{status}"), Comes {
                ending: Ending::Waiting,
                state: State::Waiting(WaitReason::SitePaused),
                ..UNKNOWN
            })
            .await;
            assert_eq!(desk.record(&format!("a-{status}")).unknown, Some(UnknownCause::Redirect { status }));
            assert_eq!((report.pause, pauses(&desk)), (Some(Pause::Redirected), 1), "{report:?}");
            assert_eq!(site.creates(), number + 1);
        }
    }

    async fn fault_15_a_server_error_after_the_insert_is_adopted(site: &Site) {
        let desk = Desk::at(site).await;
        for status in [500, 502, 503, 504] {
            let slug = format!("after-{status}");
            let folder = article(&desk, &slug);
            site.inject(When::next(Request::CreatePost), Fault::CommitThenStatus(status));
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, &slug, ADOPTED).await;
        }
        assert_eq!(site.creates(), 4);
    }

    async fn fault_16_a_server_error_before_the_insert_halts_and_is_never_sent_again(site: &Site) {
        let desk = Desk::at(site).await;
        for status in [500, 502, 503, 504] {
            let slug = format!("before-{status}");
            let folder = article(&desk, &slug);
            site.inject(When::next(Request::CreatePost), no(status, None));
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, &slug, UNKNOWN).await;
            assert_eq!(desk.record(&slug).unknown, Some(UnknownCause::Status { status, code: None }));
        }
        let again = desk.register().await;
        assert_eq!((again.tally.unknown, again.exit_status(), site.creates()), (4, 3, 4), "{again:?}");
    }

    async fn fault_17_an_error_after_the_insert_is_found_and_what_is_missing_is_told(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = desk.write_with("記事", "title: 記事\nslug: 記事\ntags: [札]", "本文です。");
        match (backstage(site), site.real()) {
            (Some(handle), _) => {
                // The row is there, its terms never come: they go before the second look.
                site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(2));
                let error = Fault::CommitThenError { status: 400, code: "plugin_says_no".into() };
                site.inject(When::next(Request::CreatePost), error);
                desk.clock.on_sleep(move |_| {
                    for post in handle.posts() {
                        handle.edit_post(post.id, |post| post.tags.clear());
                    }
                });
            }
            (None, Some(real)) => real.install_plugin("dies", DIES_BEFORE_THE_TERMS),
            (None, None) => panic!("a site is one or the other"),
        }
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", halted(HaltReason::Incomplete, 1)).await;
        let record = desk.record("記事");
        let post = &titled(site, "記事").await[0];
        assert_eq!((record.remote_id.map(|id| id.0), post.tags.len()), (Some(post.id), 0));
        let cause = UnknownCause::Status { status: 400, code: Some("plugin_says_no".into()) };
        assert_eq!(record.unknown, Some(cause));
        if let Some(real) = site.real() {
            real.remove_plugin("dies");
        }
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "記事", halted(HaltReason::Incomplete, 1)).await;
    }

    async fn fault_18_a_refusal_of_one_article_stops_that_article_alone(site: &Site) {
        let desk = Desk::at(site).await;
        let refusals = [
            (400, "rest_invalid_param"),
            (400, "rest_missing_callback_param"),
            (400, "empty_content"),
            (403, "rest_cannot_publish"),
            (403, "rest_cannot_assign_term"),
        ];
        for (status, code) in refusals {
            let refused = article(&desk, code);
            site.inject(When::next(Request::CreatePost), no(status, Some(code)));
            let report = register_one(&desk, &refused).await;
            let comes = Comes { ending: Ending::Refused, exit: 5, state: State::Refused, posts: 0 };
            expect(site, &desk, &report, code, comes).await;
            assert_eq!(desk.record(code).refusal.map(|refusal| refusal.code.as_str()), Some(code));
            assert_eq!(report.pause, None, "{code}");
        }
        article(&desk, "good");
        let report = desk.register().await;
        assert_eq!((report.tally.refused, report.tally.created, report.exit_status()), (5, 1, 5), "{report:?}");
        assert_eq!(site.creates(), 6, "what was refused is not sent again");
        assert_sent_once(site);
    }

    async fn fault_18_a_refusal_of_the_user_pauses_the_site_once(site: &Site) {
        let desk = Desk::at(site).await;
        let refusals =
            [(401, "rest_not_logged_in"), (403, "rest_cannot_create"), (403, "rest_forbidden"), (404, "rest_no_route")];
        for (number, (status, code)) in refusals.into_iter().enumerate() {
            let folders = ["a", "b", "c"].map(|name| article(&desk, &format!("{name}-{status}-{number}")));
            desk.forget();
            site.inject(When::next(Request::CreatePost), no(status, Some(code)));
            let report = desk.register_paths(&folders).await.expect("the batch runs");
            assert_eq!((report.tally.refused, report.tally.waiting, report.exit_status()), (1, 2, 5), "{report:?}");
            assert_eq!((report.pause, pauses(&desk)), (Some(Pause::Refused), 1), "{report:?}");
            assert_eq!(desk.state(&format!("a-{status}-{number}")), State::Refused);
            assert_eq!(desk.state(&format!("b-{status}-{number}")), State::Waiting(WaitReason::SitePaused));
            assert_eq!((site.creates(), site.posts().await.len()), (number + 1, 0));
        }
        // What waited goes on by itself.
        let report = desk.register().await;
        assert_eq!((report.tally.refused, report.tally.created), (4, 8), "{report:?}");
        assert_sent_once(site);
    }

    async fn fault_18_other_errors_are_looked_into_first(site: &Site) {
        let desk = Desk::at(site).await;
        let errors = [(403, None), (404, Some("rest_post_invalid_id")), (409, Some("conflict")), (429, None), (400, Some("new_in_9_0"))];
        for (status, code) in errors {
            for (place, fault) in [("before", no(status, code)), ("after", after(status, code))] {
                let slug = format!("{place}-{status}");
                let folder = article(&desk, &slug);
                site.inject(When::next(Request::CreatePost), fault);
                let report = register_one(&desk, &folder).await;
                expect(site, &desk, &report, &slug, if place == "after" { ADOPTED } else { UNKNOWN }).await;
            }
        }
        assert_eq!(site.creates(), 10);
    }

    async fn fault_18_a_revoked_password_stops_everything_before_anything_is_sent(site: &Site) {
        let desk = Desk::at(site).await;
        let known = article(&desk, "known");
        let report = register_one(&desk, &known).await;
        expect(site, &desk, &report, "known", CREATED).await;
        site.revoke_password(Who::Author).await;
        article(&desk, "new-one");
        article(&desk, "new-two");
        desk.forget();
        let report = desk.register().await;
        assert_eq!((report.pause, pauses(&desk), report.exit_status()), (Some(Pause::NotOurUser), 1, 5), "{report:?}");
        assert_eq!((report.tally.waiting, report.tally.verified, report.tally.total()), (2, 1, 3), "{report:?}");
        assert_eq!(site.creates(), 1);
    }

    async fn fault_19_a_site_that_asks_for_patience_is_not_sent_anything(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        match site.real() {
            Some(real) => real.install_plugin("patience", PATIENCE),
            None => (0..20).for_each(|_| site.inject(When::next(Request::LookUp), no(429, Some("too_many_requests")))),
        }
        let report = register_one(&desk, &folder).await;
        let waiting = Comes { ending: Ending::Waiting, exit: 6, state: State::Waiting(WaitReason::CouldNotAsk), posts: 0 };
        expect(site, &desk, &report, "記事", waiting).await;
        assert_eq!(site.creates(), 0);
        match site.real() {
            Some(real) => real.remove_plugin("patience"),
            None => backstage(site).expect("a practice site").faults().clear(),
        }
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", CREATED).await;
    }

    async fn fault_19_one_look_that_is_put_off_is_no_look(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let id = site.write_draft(Who::OtherAuthor, "Theirs", "記事", "<p>Theirs.</p>").await;
        site.publish(id).await;
        // Everything after the first question is answered.
        site.inject(When::next(Request::LookUp), no(429, None));
        let report = register_one(&desk, &folder).await;
        assert_eq!(site.creates(), 0, "nothing is sent on a look that failed: {report:?}");
        assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Waiting, 6), "{report:?}");
        let report = register_one(&desk, &folder).await;
        assert_eq!((ending(&report, "記事"), report.exit_status()), (Ending::Skipped, 0), "{report:?}");
        assert_eq!(site.creates(), 0);
    }

    async fn fault_19_when_a_create_is_put_off_the_site_is_looked_at_first(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        site.inject(When::next(Request::CreatePost), no(429, Some("too_many_requests")));
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "記事", UNKNOWN).await;
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "記事", UNKNOWN).await;
    }

    async fn two_unknown_outcomes_in_a_row_pause_the_site(site: &Site) {
        let desk = Desk::at(site).await;
        for slug in ["a", "b", "c", "d"] {
            article(&desk, slug);
        }
        for _ in 0..2 {
            site.inject(When::next(Request::CreatePost), no(500, None));
        }
        desk.forget();
        let report = desk.register().await;
        assert_eq!((report.tally.unknown, report.tally.waiting, report.exit_status()), (2, 2, 3), "{report:?}");
        assert_eq!((report.pause, pauses(&desk)), (Some(Pause::UnknownInARow), 1));
        assert_eq!((site.creates(), site.posts().await.len()), (2, 0));
        let report = desk.register().await;
        assert_eq!((report.tally.unknown, report.tally.created, report.exit_status()), (2, 2, 3), "{report:?}");
        assert_sent_once(site);
        let verified = desk.register().await;
        expect(site, &desk, &verified, "c", Comes { exit: 3, ..VERIFIED }).await;
    }
}

fn after(status: u16, code: Option<&str>) -> Fault {
    match code {
        Some(code) => Fault::CommitThenError { status, code: code.to_owned() },
        None => Fault::CommitThenStatus(status),
    }
}
