use serde_json::json;

use super::*;
use crate::Taxonomy;

#[tokio::test]
async fn a_tag_is_created_once() {
    let bench = bench().await;
    let got = bench.post("contributor", "tags", json!({ "name": "旅 日記" })).await;
    assert_eq!(got.status, 201);
    assert_eq!(got.json()["slug"], "%e6%97%85-%e6%97%a5%e8%a8%98");
    assert!(got.header("location").ends_with(&format!("/tags/{}", got.id())));
    let again = bench.post("practice", "tags", json!({ "name": "旅 日記" })).await;
    assert_eq!((again.status, again.code().as_str()), (400, "term_exists"));
    assert_eq!(again.json()["data"], json!({ "status": 400, "term_id": got.id() }));
    assert_eq!(bench.get("", "tags?slug=旅-日記").await.ids(), [got.id()]);
    assert_eq!(bench.post("practice", "tags", json!({})).await.code(), "rest_missing_callback_param");
    let escaped = bench.post("practice", "tags", json!({ "name": "<b>R</b> & D" })).await;
    assert_eq!(
        (escaped.json()["name"].as_str(), escaped.json()["slug"].as_str()),
        (Some("R &amp; D"), Some("r-d"))
    );
    let twin = bench.post("practice", "tags", json!({ "name": "R & D" })).await;
    assert_eq!(twin.json()["data"]["term_id"], escaped.id());
    assert_eq!(bench.post("subscriber", "tags", json!({ "name": "x" })).await.code(), "rest_cannot_create");
}

#[tokio::test]
async fn categories_need_an_editor_and_know_parents() {
    let bench = bench().await;
    assert_eq!(
        bench.post("practice", "categories", json!({ "name": "x" })).await.code(),
        "rest_cannot_create"
    );
    let parent = bench.post("editor", "categories", json!({ "name": "Parent" })).await.id();
    let child = bench.post("editor", "categories", json!({ "name": "Child", "parent": parent })).await;
    assert_eq!(child.json()["parent"], parent);
    let twin = bench.post("editor", "categories", json!({ "name": "Child" })).await;
    assert_eq!(
        (twin.status, twin.json()["slug"].as_str().map(str::to_owned)),
        (201, Some("child-2".to_owned()))
    );
    assert_eq!(bench.get("", &format!("categories?parent={parent}")).await.ids(), [child.id()]);
    assert_eq!(
        bench.post("editor", "categories", json!({ "name": "x", "parent": 999 })).await.code(),
        "rest_term_invalid"
    );
    assert_eq!(
        bench.post("editor", "tags", json!({ "name": "x", "parent": 1 })).await.code(),
        "rest_taxonomy_not_hierarchical"
    );
}

#[tokio::test]
async fn terms_are_listed_searched_and_counted() {
    let bench = bench().await;
    let names = bench.get("", "categories?orderby=id").await;
    assert_eq!(names.json()[0]["name"], "未分類");
    assert_eq!(names.json()[0]["id"], 1);
    assert_eq!(bench.get("", "categories?search=お知").await.json()[0]["slug"], "oshirase");
    let tag = bench.handle.add_term(Taxonomy::Tag, "Tag");
    bench.handle.add_term(Taxonomy::Tag, "Unused");
    let post = bench
        .post("practice", "posts", json!({ "status": "publish", "title": "x", "tags": [tag] }))
        .await
        .id();
    assert_eq!(bench.get("", "tags?hide_empty=true").await.ids(), [tag]);
    assert_eq!(bench.get("", &format!("tags?post={post}")).await.json()[0]["count"], 1);
    let page = bench.get("", "tags?per_page=1&page=2").await;
    assert_eq!((page.ids().len(), page.header("x-wp-total")), (1, "2".to_owned()));
    assert_eq!(bench.get("practice", "tags?context=edit").await.code(), "rest_forbidden_context");
    assert_eq!(bench.get("", &format!("categories/{tag}")).await.code(), "rest_term_invalid");
}

#[tokio::test]
async fn options_tell_what_may_be_created() {
    let bench = bench().await;
    let allowed = async |user: &str, route: &str| {
        read(bench.request(user, reqwest::Method::OPTIONS, route)).await.unwrap().header("allow")
    };
    assert_eq!(allowed("practice", "tags").await, "GET, POST");
    assert_eq!(allowed("practice", "categories").await, "GET");
    assert_eq!(allowed("practice", "media").await, "GET, POST");
    assert_eq!(allowed("contributor", "media").await, "GET");
    assert_eq!(allowed("", "posts").await, "GET");
}
