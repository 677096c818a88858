//! The faults themselves: the practice site and the proxy in front of a real one spoil answers in the same way.

use std::time::Duration;

use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Reply, Rest, Site, Who};
use serde_json::json;

use super::{look_up, on_every_site};

/// Sends one draft into a fault.
async fn create_into(site: &Site, fault: Fault) -> Result<Reply, reqwest::Error> {
    site.inject(When::next(Kind::CreatePost), fault);
    create(site).await
}

async fn create(site: &Site) -> Result<Reply, reqwest::Error> {
    let rest = site.rest(Who::Author);
    let request = rest
        .json("wp/v2/posts", json!({ "slug": "faulty", "title": "Faulty", "status": "draft" }))
        .header("Idempotency-Key", "\"0190b0a0-0000-7000-8000-00000000000f\"");
    Rest::send(request).await
}

/// How many posts the site holds, and how often the create was on the wire.
async fn counts(site: &Site) -> (usize, u32) {
    let sent = site.creates_by_operation().values().sum();
    (site.posts().await.len(), sent)
}

on_every_site! {
    async fn a_lost_answer_leaves_the_post(site: &Site) {
        assert!(create_into(site, Fault::CommitThenDropResponse).await.is_err());
        assert_eq!(counts(site).await, (1, 1));
        assert_eq!(site.faults_waiting(), 0);
    }

    async fn a_lost_request_leaves_nothing(site: &Site) {
        assert!(create_into(site, Fault::DropBeforeCommit).await.is_err());
        assert_eq!(counts(site).await, (0, 1));
    }

    async fn a_late_request_arrives_after_all(site: &Site) {
        assert!(create_into(site, Fault::CommitLater(Duration::from_millis(300))).await.is_err());
        assert_eq!(counts(site).await, (0, 1));
        let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
        let rest = site.rest(Who::Author);
        while look_up(&rest, "faulty").await.ids().is_empty() {
            assert!(tokio::time::Instant::now() < deadline, "the post never came");
        }
        assert_eq!(counts(site).await, (1, 1));
    }

    async fn a_status_may_come_after_the_insert(site: &Site) {
        for (number, status) in [500, 502, 503, 504].into_iter().enumerate() {
            let reply = create_into(site, Fault::CommitThenStatus(status)).await.expect("an answer comes");
            assert_eq!((reply.status, reply.json.is_null()), (status, true));
            assert_eq!(site.posts().await.len(), number + 1);
        }
    }

    async fn a_status_may_come_before_the_insert(site: &Site) {
        let code = Some("rest_forbidden".to_owned());
        let reply = create_into(site, Fault::StatusBeforeCommit { status: 403, code, html: false }).await.expect("an answer comes");
        assert_eq!((reply.status, reply.code()), (403, "rest_forbidden"));
        let reply = create_into(site, Fault::StatusBeforeCommit { status: 502, code: None, html: true }).await.expect("an answer comes");
        assert_eq!((reply.status, reply.code()), (502, ""));
        assert_eq!(site.posts().await, []);
    }

    async fn an_error_may_come_after_the_insert(site: &Site) {
        let fault = Fault::CommitThenError { status: 400, code: "rest_invalid_type".to_owned() };
        let reply = create_into(site, fault).await.expect("an answer comes");
        assert_eq!((reply.status, reply.code()), (400, "rest_invalid_type"));
        assert_eq!(counts(site).await, (1, 1));
    }

    async fn a_cut_body_is_an_error_of_the_connection(site: &Site) {
        assert!(create_into(site, Fault::TruncateBody).await.is_err());
        assert_eq!(counts(site).await, (1, 1));
    }

    async fn what_stands_before_the_json_leaves_the_headers_right(site: &Site) {
        for fault in [Fault::NoticeBeforeJson, Fault::BomBeforeJson] {
            let reply = create_into(site, fault).await.expect("an answer comes");
            assert_eq!((reply.status, reply.json.is_null()), (201, true));
            let location = reply.header("location").expect("201 has a Location");
            let id = site.posts().await.last().expect("the post is there").id;
            assert!(location.ends_with(&format!("/{id}")), "{location}");
        }
    }

    async fn something_else_may_come_instead_of_the_object(site: &Site) {
        let html = create_into(site, Fault::HtmlInsteadOfJson).await.expect("an answer comes");
        assert_eq!((html.status, html.json.is_null()), (200, true));
        let list = create_into(site, Fault::EmptyListInsteadOfObject).await.expect("an answer comes");
        assert_eq!((list.status, list.json), (200, json!([])));
        let empty = create_into(site, Fault::EmptyBody).await.expect("an answer comes");
        assert_eq!((empty.status, empty.body.len()), (200, 0));
        assert_eq!(site.posts().await.len(), 3);
    }

    async fn a_redirect_never_reaches_wordpress(site: &Site) {
        let fault = Fault::Redirect { status: 302, location: format!("{}/elsewhere", site.url()) };
        let reply = create_into(site, fault).await.expect("an answer comes");
        assert_eq!((reply.status, reply.header("location").map(str::to_owned)), (302, Some(format!("{}/elsewhere", site.url()))));
        assert_eq!(counts(site).await, (0, 1));
    }

    async fn a_row_can_be_hidden_from_lookups(site: &Site) {
        site.inject(When::next(Kind::CreatePost), Fault::HideFromLookups(2));
        assert!(create_into(site, Fault::CommitThenDropResponse).await.is_err());
        let rest = site.rest(Who::Author);
        for _ in 0..2 {
            let hidden = look_up(&rest, "faulty").await;
            assert_eq!((hidden.ids(), hidden.total()), (vec![], Some(0)));
        }
        let id = site.posts().await[0].id;
        let shown = look_up(&rest, "faulty").await;
        assert_eq!((shown.ids(), shown.total()), (vec![id], Some(1)));
    }

    async fn lookups_can_be_refused(site: &Site) {
        site.inject(When::ANY, Fault::RefuseLookups(2));
        let rest = site.rest(Who::Author);
        for expected in [503, 503, 200] {
            assert_eq!(rest.get("wp/v2/posts", &[]).await.status, expected);
        }
    }

    async fn maintenance_is_told_and_nothing_is_carried_out(site: &Site) {
        site.maintenance(true);
        let reply = create(site).await.expect("an answer comes");
        assert_eq!((reply.status, reply.code(), reply.header("retry-after")), (503, "wp_die", Some("600")));
        let me = site.rest(Who::Author).get("wp/v2/users/me", &[("context", "edit")]).await;
        assert_eq!((me.status, me.code()), (503, "wp_die"));
        site.maintenance(false);
        assert_eq!(site.posts().await, []);
        assert_eq!(create(site).await.expect("an answer comes").status, 201);
    }

    async fn silence_ends_with_the_patience_of_the_client(site: &Site) {
        for (fault, posts) in [(Fault::SilenceBeforeCommit, 0), (Fault::CommitThenSilence, 1)] {
            site.inject(When::next(Kind::CreatePost), fault);
            let waited = tokio::time::timeout(Duration::from_millis(700), create(site)).await;
            assert!(waited.is_err(), "an answer came");
            assert_eq!(site.posts().await.len(), posts);
        }
    }

    async fn a_body_can_be_spoilt_in_many_ways(site: &Site) {
        let deep = create_into(site, Fault::DeepJson(100_000)).await.expect("an answer comes");
        assert!(deep.status == 201 && deep.json.is_null() && deep.body.len() >= 100_000);
        let bad = create_into(site, Fault::InvalidUtf8).await.expect("an answer comes");
        assert!(bad.status == 201 && String::from_utf8(bad.body).is_err());
        for fault in [Fault::EndlessBody, Fault::SlowBody(Duration::from_secs(1))] {
            site.inject(When::next(Kind::CreatePost), fault);
            assert!(tokio::time::timeout(Duration::from_millis(700), create(site)).await.is_err(), "the body ended");
        }
        assert_eq!(site.posts().await.len(), 4);
    }
}
