use std::time::Duration;

use serde_json::json;

use super::*;
use crate::{Effect, Fault, Hiding, Kind, Status, When, Which};

fn draft(slug: &str) -> serde_json::Value {
    json!({ "status": "draft", "title": slug, "slug": slug, "content": "<p>x</p>" })
}

async fn met(fault: Fault) -> (Bench, Result<Got, reqwest::Error>) {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), fault);
    let got = bench.try_post("practice", "posts", draft("a")).await;
    (bench, got)
}

#[tokio::test]
async fn a_lost_answer_leaves_the_post_behind() {
    let (bench, got) = met(Fault::CommitThenDropResponse).await;
    let error = got.unwrap_err();
    assert!(!error.is_connect() && !error.is_timeout(), "{error:?}");
    assert_eq!(bench.handle.posts().len(), 1);
    let seen = bench.handle.requests();
    assert_eq!((seen[0].effect, seen[0].answered, seen[0].created), (Effect::Committed, None, Some(1)));
    assert_eq!(bench.draft("practice", "b").await.status, 201);
}

#[tokio::test]
async fn who_watches_sees_every_request_and_may_choose_its_fault() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::EmptyBody);
    let mut seen = 0;
    bench.handle.watch(move |request| {
        seen += u32::from(request.kind == Kind::CreatePost);
        (seen == 1).then_some(Fault::DropBeforeCommit)
    });
    assert!(bench.try_post("practice", "posts", draft("a")).await.is_err());
    assert!(bench.handle.posts().is_empty());
    assert_eq!(bench.handle.faults().waiting().len(), 1, "what was chosen comes before what waits");
    let got = bench.try_post("practice", "posts", draft("a")).await.unwrap();
    assert_eq!((got.status, got.text.as_str(), bench.handle.posts().len()), (200, "", 1));
    let met: Vec<_> = bench.handle.requests().into_iter().map(|request| request.met).collect();
    assert_eq!(met, [Some(Fault::DropBeforeCommit), Some(Fault::EmptyBody)]);
}

#[tokio::test]
async fn a_dropped_request_leaves_nothing() {
    let (bench, got) = met(Fault::DropBeforeCommit).await;
    assert!(got.is_err());
    assert!(bench.handle.posts().is_empty());
    assert_eq!(bench.handle.requests()[0].effect, Effect::None);
}

#[tokio::test]
async fn a_late_commit_appears_when_its_time_has_come() {
    let (bench, got) = met(Fault::CommitLater(Duration::from_secs(30))).await;
    assert!(got.is_err());
    bench.handle.advance(Duration::from_secs(29));
    assert!(bench.handle.posts().is_empty());
    assert_eq!(bench.handle.requests()[0].effect, Effect::Later);
    bench.handle.advance(Duration::from_secs(1));
    let posts = bench.handle.posts();
    assert_eq!(posts[0].modified, start_of_time() + chrono::TimeDelta::seconds(30));
    assert_eq!(bench.handle.requests()[0].effect, Effect::Committed);
    assert_eq!(bench.get("practice", "posts?slug=a&status=any").await.ids(), [posts[0].id]);
}

#[tokio::test]
async fn statuses_after_and_before_the_commit() {
    for status in [500, 502, 503, 504] {
        let (bench, got) = met(Fault::CommitThenStatus(status)).await;
        assert_eq!(got.unwrap().status, status);
        assert_eq!(bench.handle.posts().len(), 1);
        let (bench, got) = met(Fault::StatusBeforeCommit { status, code: None, html: true }).await;
        assert_eq!(got.unwrap().status, status);
        assert!(bench.handle.posts().is_empty());
    }
    let code = Some("rest_forbidden".to_owned());
    let (bench, got) = met(Fault::StatusBeforeCommit { status: 403, code, html: false }).await;
    assert_eq!(got.unwrap().code(), "rest_forbidden");
    assert!(bench.handle.posts().is_empty());
    let (bench, got) =
        met(Fault::CommitThenError { status: 400, code: "rest_invalid_type".to_owned() }).await;
    assert_eq!(got.unwrap().code(), "rest_invalid_type");
    assert_eq!(bench.handle.posts().len(), 1);
}

#[tokio::test]
async fn a_body_cut_off_has_its_head_and_its_length() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::TruncateBody);
    let response =
        bench.request("practice", reqwest::Method::POST, "posts").json(&draft("a")).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 201);
    assert!(response.headers()["location"].to_str().unwrap().ends_with("/posts/1"));
    let mut response = response;
    let mut size = 0;
    let error = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => size += chunk.len(),
            Ok(None) => panic!("the body ended well"),
            Err(error) => break error,
        }
    };
    assert!(size > 0, "{error}");
    assert_eq!(bench.handle.posts().len(), 1);
}

#[tokio::test]
async fn spoiled_bodies_follow_a_commit() {
    let (_, got) = met(Fault::NoticeBeforeJson).await;
    let got = got.unwrap();
    assert!(got.text.starts_with("<br />") && got.text.contains("{\"_links\"") && got.status == 201);
    assert!(got.header("location").ends_with("/posts/1"));
    let (_, got) = met(Fault::BomBeforeJson).await;
    assert!(got.unwrap().text.starts_with('\u{feff}'));
    let (_, got) = met(Fault::HtmlInsteadOfJson).await;
    let got = got.unwrap();
    assert!(got.status == 200 && got.header("content-type").starts_with("text/html"));
    let (_, got) = met(Fault::EmptyListInsteadOfObject).await;
    assert_eq!(got.unwrap().text, "[]");
    let (_, got) = met(Fault::EmptyBody).await;
    assert_eq!(got.unwrap().text, "");
    let (_, got) = met(Fault::DeepJson(100_000)).await;
    assert_eq!(got.unwrap().text.len(), 100_000);
    let (bench, got) = met(Fault::InvalidUtf8).await;
    assert!(got.unwrap().text.contains('\u{fffd}'));
    assert_eq!(bench.handle.posts().len(), 1);
}

#[tokio::test]
async fn endless_and_silent_answers_do_not_end() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::EndlessBody);
    let mut response =
        bench.request("practice", reqwest::Method::POST, "posts").json(&draft("a")).send().await.unwrap();
    let mut size = 0;
    while size < 4 * 1024 * 1024 {
        size += response.chunk().await.unwrap().unwrap().len();
    }
    drop(response);
    for (fault, rows) in [(Fault::CommitThenSilence, 2), (Fault::SilenceBeforeCommit, 2)] {
        bench.handle.faults().push(When::next(Kind::CreatePost), fault);
        let request = bench.request("practice", reqwest::Method::POST, "posts").json(&draft("b"));
        let error = read(request.timeout(Duration::from_millis(200))).await.unwrap_err();
        assert!(error.is_timeout());
        assert_eq!(bench.handle.posts().len(), rows);
    }
}

#[tokio::test]
async fn redirects_are_made_by_the_server_and_not_followed() {
    let location = "http://127.0.0.1:1/elsewhere".to_owned();
    let (bench, got) = met(Fault::Redirect { status: 307, location: location.clone() }).await;
    let got = got.unwrap();
    assert_eq!((got.status, got.header("location")), (307, location));
    assert!(bench.handle.posts().is_empty());
}

#[tokio::test]
async fn hidden_rows_come_back_after_so_many_lookups() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::HideFromLookups(2));
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::CommitThenDropResponse);
    assert!(bench.try_post("practice", "posts", draft("a")).await.is_err());
    for route in ["posts?slug=a&status=any,trash&context=edit", "posts?orderby=id&status=any&author=3"] {
        let got = bench.get("practice", route).await;
        assert_eq!((got.ids().len(), got.header("x-wp-total")), (0, "0".to_owned()));
    }
    assert_eq!(bench.get("practice", "posts?slug=other&status=any").await.ids().len(), 0);
    assert_eq!(bench.get("practice", "posts?slug=a&status=any").await.ids(), [1]);
    bench.handle.hide_post(1, Hiding::UntilShown);
    assert!(bench.get("practice", "posts?slug=a&status=any").await.ids().is_empty());
    assert_eq!(bench.get("practice", "posts/1").await.status, 200);
    bench.handle.show_hidden();
    assert_eq!(bench.get("practice", "posts?slug=a&status=any").await.ids(), [1]);
}

#[tokio::test]
async fn refused_lookups_are_no_answer() {
    let bench = bench().await;
    bench.handle.faults().push(When::ANY, Fault::RefuseLookups(2));
    assert_eq!(bench.get("practice", "users/me").await.status, 200);
    assert_eq!(bench.get("practice", "posts").await.status, 503);
    assert_eq!(bench.get("practice", "media").await.status, 503);
    assert_eq!(bench.get("practice", "posts").await.status, 200);
    assert!(bench.handle.faults().waiting().is_empty());
}

#[tokio::test]
async fn faults_wait_for_their_request_and_can_be_taken_back() {
    let bench = bench().await;
    let faults = bench.handle.faults();
    faults.push(When::after(Kind::CreatePost, 1), Fault::DropBeforeCommit);
    faults.push(When { which: Which::Creating, skip: 0 }, Fault::CommitThenStatus(502));
    assert_eq!(bench.post("practice", "tags", json!({ "name": "t" })).await.status, 502);
    assert_eq!(bench.draft("practice", "a").await.status, 201);
    faults.clear();
    assert_eq!(bench.draft("practice", "b").await.status, 201);
}

#[tokio::test]
async fn creating_requests_are_counted_by_operation() {
    let bench = bench().await;
    for _ in 0..2 {
        let request =
            bench.request("practice", reqwest::Method::POST, "posts").header("idempotency-key", "\"op-1\"");
        read(request.json(&draft("a"))).await.unwrap();
    }
    bench.get("practice", "posts").await;
    assert_eq!(bench.handle.creates_by_operation().into_iter().collect::<Vec<_>>(), [("op-1".to_owned(), 2)]);
    let seen = bench.handle.requests();
    assert_eq!(seen.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((seen[0].user.as_deref(), seen[2].kind), (Some("practice"), Kind::LookUp));
    bench.handle.forget_requests();
    assert!(bench.handle.requests().is_empty());
}

#[tokio::test]
async fn maintenance_is_the_answer_that_proves_nothing_was_done() {
    let bench = bench().await;
    bench.handle.maintenance(true);
    let got = bench.post("practice", "posts", draft("a")).await;
    assert_eq!(
        (got.status, got.code(), got.header("retry-after")),
        (503, "wp_die".to_owned(), "600".to_owned())
    );
    let page = bench.page("/", "ja").await;
    assert!(page.status == 503 && page.header("content-type").starts_with("text/html"));
    bench.handle.maintenance(false);
    assert!(bench.handle.posts().is_empty());
    assert_eq!(bench.draft("practice", "a").await.status, 201);
}

#[tokio::test]
async fn a_person_can_act_on_the_site() {
    let bench = bench().await;
    let (a, b) = (bench.draft("practice", "a").await.id(), bench.draft("practice", "b").await.id());
    let handle = &bench.handle;
    assert!(handle.edit_post(a, |post| post.content = "edited".to_owned()));
    assert_eq!(
        bench.get("practice", &format!("posts/{a}?context=edit")).await.json()["content"]["raw"],
        "edited"
    );
    assert_eq!(handle.rename_post(b, "a").as_deref(), Some("a-2"));
    handle.publish_post(b);
    assert_eq!(bench.get("", "posts?slug=a-2").await.ids(), [b]);
    handle.trash_post(a);
    assert_eq!(handle.post(a).unwrap().slug, "a__trashed");
    handle.untrash_post(a);
    assert_eq!((handle.post(a).unwrap().slug.as_str(), handle.post(a).unwrap().status), ("a", Status::Draft));
    handle.delete_post(a);
    assert_eq!(bench.get("practice", &format!("posts/{a}")).await.status, 404);
    assert!(handle.change_password("practice", "other"));
    assert_eq!(bench.get("practice", "users/me").await.code(), "rest_not_logged_in");
}

#[tokio::test]
async fn a_slow_body_arrives_whole_in_the_end() {
    let (bench, got) = met(Fault::SlowBody(Duration::from_micros(10))).await;
    assert_eq!(got.unwrap().json()["slug"], "a");
    assert_eq!(bench.handle.requests()[0].answered, Some(201));
}

#[tokio::test]
async fn a_late_row_can_be_hidden_too() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::CommitLater(Duration::from_secs(5)));
    bench.handle.faults().push(When::next(Kind::CreatePost), Fault::HideFromLookups(1));
    assert!(bench.try_post("practice", "posts", draft("a")).await.is_err());
    // The password is asked for when the request comes, not when it is carried out.
    bench.handle.change_password("practice", "another");
    bench.handle.advance(Duration::from_secs(5));
    assert_eq!(bench.handle.posts().len(), 1);
    assert!(bench.get("editor", "posts?slug=a&status=any").await.ids().is_empty());
    assert_eq!(bench.get("editor", "posts?slug=a&status=any").await.ids(), [1]);
}
