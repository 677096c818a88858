use serde_json::json;

use super::*;
use crate::{Permalinks, Release, Status, Taxonomy};

#[tokio::test]
async fn a_draft_is_created_and_read_back() {
    let bench = bench().await;
    let tag = bench.handle.add_term(Taxonomy::Tag, "旅");
    let sent = json!({
        "status": "draft", "slug": "はじめまして", "title": "はじめまして", "excerpt": "抜粋", "tags": [tag, 999],
        "categories": [2], "content": "<!-- wp:paragraph {\"ichido\":\"0190\"} -->\n<p>本文</p>\n<!-- /wp:paragraph -->",
    });
    let got = bench.post("practice", "posts", sent.clone()).await;
    assert_eq!(got.status, 201);
    let body = got.json();
    let id = got.id();
    assert_eq!(got.header("location"), format!("{}/wp-json/wp/v2/posts/{id}", bench.site.url()));
    assert!(got.header("cache-control").contains("no-cache"));
    assert_eq!(body["slug"], "%e3%81%af%e3%81%98%e3%82%81%e3%81%be%e3%81%97%e3%81%a6");
    assert_eq!(body["content"]["raw"], sent["content"]);
    assert_eq!(body["content"]["rendered"].as_str().unwrap().trim(), "<p>本文</p>");
    assert_eq!(body["tags"], json!([tag]));
    assert_eq!(body["categories"], json!([2]));
    assert_eq!(body["link"], format!("{}/?p={id}", bench.site.url()));
    assert_eq!(body["date"], "2026-01-15T12:00:00");
    assert_eq!(body["modified_gmt"], "2026-01-15T03:00:00");
    assert!(body["_links"].get("wp:action-publish").is_some());
    assert!(body["_links"].get("wp:action-unfiltered-html").is_none());
    let read = bench.get("practice", &format!("posts/{id}?context=edit")).await;
    assert_eq!(read.status, 200);
    assert_eq!(read.json(), body);
}

#[tokio::test]
async fn slugs_are_made_unique_only_with_an_explicit_status() {
    let bench = bench().await;
    assert_eq!(bench.draft("practice", "same").await.json()["slug"], "same");
    assert_eq!(bench.draft("other", "same").await.json()["slug"], "same-2");
    let got = bench.post("practice", "posts", json!({ "title": "x", "slug": "same" })).await;
    assert_eq!((got.json()["slug"].as_str(), got.json()["status"].as_str()), (Some("same"), Some("draft")));
    assert_eq!(bench.draft("practice", "feed").await.json()["slug"], "feed-2");
    assert_eq!(bench.draft("practice", "20240101").await.json()["slug"], "20240101-2");
    let pending =
        bench.post("contributor", "posts", json!({ "title": "x", "slug": "p", "status": "pending" })).await;
    assert_eq!(pending.json()["slug"], "");
}

#[tokio::test]
async fn what_wordpress_refuses_is_refused_before_anything_is_stored() {
    let bench = bench().await;
    let cases = [
        ("", json!({ "title": "x" }), 401, "rest_cannot_create"),
        ("subscriber", json!({ "title": "x" }), 403, "rest_cannot_create"),
        ("practice", json!({ "title": "" }), 400, "empty_content"),
        ("practice", json!({ "title": "x", "tags": ["words"] }), 400, "rest_invalid_param"),
        ("practice", json!({ "title": "x", "status": "trash" }), 400, "rest_invalid_param"),
        ("practice", json!({ "title": "x", "author": 1 }), 403, "rest_cannot_edit_others"),
        ("contributor", json!({ "title": "x", "status": "publish" }), 403, "rest_cannot_publish"),
        ("contributor", json!({ "title": "x", "sticky": true }), 403, "rest_cannot_assign_sticky"),
        ("practice", json!({ "title": "x", "date": "2026-13-01T00:00:00" }), 400, "rest_invalid_param"),
    ];
    for (user, body, status, code) in cases {
        let got = bench.post(user, "posts", body.clone()).await;
        assert_eq!((got.status, got.code().as_str()), (status, code), "{body}");
        assert_eq!(got.json()["data"]["status"], status);
    }
    let request =
        bench.request("practice", reqwest::Method::POST, "posts").header("content-type", "application/json");
    assert_eq!(read(request.body("{broken")).await.unwrap().code(), "rest_invalid_json");
    assert_eq!(bench.post("practice", "nothing", json!({})).await.code(), "rest_no_route");
    assert!(bench.handle.posts().is_empty());
    assert!(bench.handle.requests().iter().all(|request| request.effect == crate::Effect::None));
}

#[tokio::test]
async fn authors_are_filtered_and_editors_are_not() {
    let bench = bench().await;
    let sent = json!({ "status": "draft", "title": "R & D", "content": "<p onclick=\"a()\">x</p><script>alert(1)</script>" });
    let got = bench.post("practice", "posts", sent.clone()).await.json();
    assert_eq!(got["content"]["raw"], "<p>x</p>alert(1)");
    assert_eq!(got["title"]["raw"], "R &amp; D");
    let got = bench.post("editor", "posts", sent.clone()).await.json();
    assert_eq!(got["content"]["raw"], sent["content"]);
    assert!(got["_links"].get("wp:action-unfiltered-html").is_some());
}

#[tokio::test]
async fn newer_releases_rewrite_block_comments_in_answers_only() {
    let sent =
        json!({ "status": "draft", "title": "x", "content": "<!-- wp:image { \"alt\": \"a & b\" } /-->" });
    let new = bench().await;
    let got = new.post("editor", "posts", sent.clone()).await;
    assert_eq!(got.json()["content"]["raw"], "<!-- wp:image {\"alt\":\"a \\u0026 b\"} /-->");
    assert_eq!(new.handle.post(got.id()).unwrap().content, sent["content"].as_str().unwrap());
    let old = bench_with(Options { release: Release::V6_1, ..options() }).await;
    assert_eq!(old.post("editor", "posts", sent.clone()).await.json()["content"]["raw"], sent["content"]);
}

#[tokio::test]
async fn reading_by_id_tells_trashed_gone_and_forbidden_apart() {
    let bench = bench().await;
    let id = bench.draft("practice", "mine").await.id();
    assert_eq!(
        bench.get("other", &format!("posts/{id}?context=edit")).await.code(),
        "rest_forbidden_context"
    );
    assert_eq!(bench.get("other", &format!("posts/{id}")).await.code(), "rest_forbidden");
    assert_eq!(bench.get("", &format!("posts/{id}")).await.status, 401);
    assert_eq!(bench.get("editor", &format!("posts/{id}?context=edit")).await.status, 200);
    let trashed = bench.delete("practice", &format!("posts/{id}")).await;
    assert_eq!((trashed.status, trashed.json()["slug"].as_str()), (200, Some("mine__trashed")));
    let read = bench.get("practice", &format!("posts/{id}?context=edit")).await.json();
    assert_eq!((read["status"].as_str(), read["slug"].as_str()), (Some("trash"), Some("mine__trashed")));
    assert_eq!(bench.delete("practice", &format!("posts/{id}")).await.code(), "rest_already_trashed");
    assert_eq!(bench.draft("practice", "mine").await.json()["slug"], "mine");
    assert_eq!(bench.delete("practice", &format!("posts/{id}?force=true")).await.json()["deleted"], true);
    assert_eq!(
        bench.get("practice", &format!("posts/{id}?context=edit")).await.code(),
        "rest_post_invalid_id"
    );
}

#[tokio::test]
async fn updates_publish_schedule_and_rename() {
    let bench = bench().await;
    let first = bench.post("practice", "posts", json!({ "title": "a", "slug": "race" })).await.id();
    let second = bench.post("practice", "posts", json!({ "title": "b", "slug": "race" })).await.id();
    let route = |id: u64| format!("posts/{id}");
    assert_eq!(
        bench.post("practice", &route(first), json!({ "status": "publish" })).await.json()["slug"],
        "race-2"
    );
    assert_eq!(
        bench.post("practice", &route(second), json!({ "status": "publish" })).await.json()["slug"],
        "race"
    );
    let ahead = json!({ "status": "publish", "date_gmt": "2026-02-01T00:00:00" });
    assert_eq!(bench.post("practice", &route(first), ahead).await.json()["status"], "future");
    let near = json!({ "status": "future", "date_gmt": "2026-01-15T03:00:30" });
    assert_eq!(bench.post("practice", &route(first), near).await.json()["status"], "publish");
    let put =
        bench.request("practice", reqwest::Method::PUT, &route(first)).json(&json!({ "slug": "New Name" }));
    let renamed = read(put).await.unwrap().json();
    assert_eq!(renamed["slug"], "new-name");
    assert_eq!(renamed["link"], format!("{}/new-name/", bench.site.url()));
    assert_eq!(
        bench.post("contributor", &route(first), json!({ "title": "y" })).await.code(),
        "rest_cannot_edit"
    );
    assert_eq!(bench.post("practice", "posts/999", json!({ "title": "y" })).await.status, 404);
}

#[tokio::test]
async fn untrashing_by_update_gives_the_slug_back() {
    let bench = bench().await;
    let id = bench.draft("practice", "back").await.id();
    bench.handle.trash_post(id);
    let got = bench.post("practice", &format!("posts/{id}"), json!({ "status": "draft" })).await.json();
    assert_eq!((got["slug"].as_str(), got["status"].as_str()), (Some("back"), Some("draft")));
    assert_eq!(bench.handle.post(id).unwrap().status, Status::Draft);
}

#[tokio::test]
async fn backdated_drafts_are_modified_at_their_date_and_floating_ones_move() {
    let bench = bench().await;
    let dated = json!({ "status": "draft", "title": "x", "date": "2020-05-01T09:00:00" });
    let got = bench.post("practice", "posts", dated).await.json();
    assert_eq!(
        (got["date_gmt"].as_str(), got["modified_gmt"].as_str()),
        (Some("2020-05-01T00:00:00"), Some("2020-05-01T00:00:00"))
    );
    let id = bench.draft("practice", "floats").await.id();
    bench.handle.advance(std::time::Duration::from_secs(3600));
    let got = bench.post("practice", &format!("posts/{id}"), json!({ "excerpt": "e" })).await;
    assert_eq!(got.json()["date_gmt"], "2026-01-15T04:00:00");
    assert_eq!(got.header("date"), "Thu, 15 Jan 2026 04:00:00 GMT");
}

#[tokio::test]
async fn plain_permalinks_answer_at_rest_route_only() {
    let bench = bench_with(Options { permalinks: Permalinks::Plain, ..options() }).await;
    let url = format!("{}/?rest_route=/wp/v2/posts", bench.site.url());
    let request = bench
        .client
        .post(url)
        .basic_auth("practice", Some(PASSWORD))
        .json(&json!({ "title": "x", "status": "draft" }));
    let got = read(request).await.unwrap();
    assert_eq!(got.status, 201);
    assert_eq!(
        got.header("location"),
        format!("{}/index.php?rest_route=/wp/v2/posts/{}", bench.site.url(), got.id())
    );
    assert_eq!(bench.get("practice", "posts").await.status, 404);
    let front = bench.page("/", "ja").await;
    assert_eq!(
        front.header("link"),
        format!("<{}/index.php?rest_route=/>; rel=\"https://api.w.org/\"", bench.site.url())
    );
}

#[tokio::test]
async fn texts_count_against_the_store_as_well() {
    let bench = bench_with(Options { max_stored: 100, ..options() }).await;
    let big = json!({ "status": "draft", "title": "x", "content": "y".repeat(200) });
    assert_eq!(bench.post("practice", "posts", big.clone()).await.status, 201);
    let got = bench.post("practice", "posts", big).await;
    assert_eq!((got.status, got.code().as_str()), (500, "db_insert_error"));
    assert_eq!(bench.handle.posts().len(), 1);
}

#[tokio::test]
async fn registered_fields_are_stored_and_others_dropped() {
    let fields = vec![
        ("subtitle".to_owned(), json!({ "type": "string" })),
        ("rating".to_owned(), json!({ "type": "integer", "default": 3 })),
    ];
    let bench = bench_with(Options { fields, ..options() }).await;
    let sent = json!({ "title": "t", "status": "draft", "meta": { "subtitle": "s", "other": "x" } });
    let made = bench.post("practice", "posts", sent).await;
    assert_eq!(made.status, 201);
    assert_eq!(made.json()["meta"], json!({ "footnotes": "", "rating": 3, "subtitle": "s" }));
    let route = format!("posts/{}", made.id());
    // What is of another kind is refused, with the post stored all the same.
    let refused = bench.post("practice", &route, json!({ "title": "u", "meta": { "rating": "many" } })).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "rest_invalid_type"));
    let notes = r#"[{"id":"fn-1","content":"a <script>b</script>"}]"#;
    let written = bench.post("practice", &route, json!({ "meta": { "footnotes": notes } })).await.json();
    assert_eq!(written["title"]["raw"], "u");
    let stored: Value = serde_json::from_str(written["meta"]["footnotes"].as_str().unwrap()).unwrap();
    assert_eq!(stored, json!([{ "id": "fn-1", "content": "a b" }]), "filtered for an author");
    let told = read(bench.request("practice", reqwest::Method::OPTIONS, "posts")).await.unwrap().json();
    let properties = &told["schema"]["properties"]["meta"]["properties"];
    assert_eq!(
        (&properties["rating"]["default"], &properties["footnotes"]["type"]),
        (&json!(3), &json!("string"))
    );
}
