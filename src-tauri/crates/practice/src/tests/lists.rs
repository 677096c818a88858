use serde_json::json;

use super::*;

#[tokio::test]
async fn slugs_are_matched_exactly_and_several_at_once() {
    let bench = bench().await;
    let a = bench.draft("practice", "foo").await.id();
    let b = bench.draft("practice", "foo").await.id();
    let c = bench.draft("practice", "日本").await.id();
    let trashed = bench.draft("practice", "gone").await.id();
    bench.handle.trash_post(trashed);
    let find = |query: &str| format!("posts?context=edit&orderby=id&order=asc&{query}");
    assert_eq!(bench.get("practice", &find("slug=foo&status=any")).await.ids(), [a]);
    assert_eq!(bench.get("practice", &find("slug=foo,foo-2&status=any")).await.ids(), [a, b]);
    assert_eq!(bench.get("practice", &find("slug[]=foo&slug[]=foo-2&status=any")).await.ids(), [a, b]);
    assert_eq!(bench.get("practice", &find("slug=日本&status=any")).await.ids(), [c]);
    assert_eq!(
        bench.get("practice", &find("slug=%25e6%2597%25a5%25e6%259c%25ac&status=any")).await.ids(),
        [c]
    );
    assert_eq!(bench.get("practice", &find("slug=gone__trashed&status=any")).await.ids(), [0; 0]);
    assert_eq!(bench.get("practice", &find("slug=gone__trashed&status=any,trash")).await.ids(), [trashed]);
    assert_eq!(bench.get("practice", &find("slug=&status=any")).await.ids(), [a, b, c]);
    assert_eq!(bench.get("practice", "posts?slug=foo").await.ids(), [0; 0]);
}

#[tokio::test]
async fn totals_count_what_may_not_be_seen() {
    let bench = bench().await;
    bench.draft("other", "theirs").await;
    let got = bench.get("practice", "posts?slug=theirs&status=any&context=edit").await;
    assert_eq!(
        (got.json(), got.header("x-wp-total"), got.header("x-wp-totalpages")),
        (json!([]), "1".to_owned(), "1".to_owned())
    );
    let got = bench.get("editor", "posts?slug=theirs&status=any&context=edit").await;
    assert_eq!(got.json().as_array().unwrap().len(), 1);
    let own = bench.get("practice", "posts?author=3&status=any&context=edit").await;
    assert_eq!(own.header("x-wp-total"), "0");
}

#[tokio::test]
async fn strangers_and_wrong_passwords_see_the_public_list_only() {
    let bench = bench().await;
    let id = bench.draft("practice", "a").await.id();
    let wrong = || {
        bench
            .client
            .get(format!("{}/wp-json/wp/v2/posts", bench.site.url()))
            .basic_auth("practice", Some("wrong"))
    };
    let got = read(wrong().query(&[("slug", "a")])).await.unwrap();
    assert_eq!((got.status, got.json()), (200, json!([])));
    assert_eq!(got.header("cache-control"), "");
    let got = read(wrong().query(&[("slug", "a"), ("status", "any")])).await.unwrap();
    assert_eq!((got.status, got.code().as_str()), (400, "rest_invalid_param"));
    assert_eq!(got.json()["data"]["details"]["status"]["code"], "rest_forbidden_status");
    let got = read(wrong().query(&[("context", "edit")])).await.unwrap();
    assert_eq!((got.status, got.code().as_str()), (401, "rest_forbidden_context"));
    bench.handle.publish_post(id);
    assert_eq!(bench.get("", "posts?slug=a").await.ids(), [id]);
}

#[tokio::test]
async fn order_pages_and_bounds() {
    let bench = bench().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(bench.draft("practice", &format!("p{}", 4 - number)).await.id());
    }
    let newest_first: Vec<u64> = ids.iter().rev().copied().collect();
    let find = |query: &str| format!("posts?status=any&context=edit&{query}");
    let got = bench.get("practice", &find("orderby=id&order=desc&per_page=2&page=2")).await;
    assert_eq!(got.ids(), newest_first[2..4]);
    assert_eq!((got.header("x-wp-total"), got.header("x-wp-totalpages")), ("5".to_owned(), "3".to_owned()));
    assert_eq!(bench.get("practice", &find("orderby=slug&order=asc")).await.ids(), newest_first);
    let listed = format!("include={},{}&orderby=include", ids[3], ids[1]);
    assert_eq!(bench.get("practice", &find(&listed)).await.ids(), [ids[3], ids[1]]);
    let without = format!("exclude={},999&orderby=id&order=asc", ids[0]);
    assert_eq!(bench.get("practice", &find(&without)).await.ids(), ids[1..]);
    assert_eq!(bench.get("practice", &find("offset=4&orderby=id&order=asc")).await.ids(), ids[4..]);
    assert_eq!(
        bench.get("practice", &find("per_page=2&page=4")).await.code(),
        "rest_post_invalid_page_number"
    );
    assert_eq!(bench.get("practice", &find("slug=none&page=2")).await.status, 200);
    for query in
        ["per_page=101", "per_page=0", "orderby=colour", "status=unknown", "include=x", "context=all"]
    {
        assert_eq!(
            bench.get("practice", &format!("posts?{query}")).await.code(),
            "rest_invalid_param",
            "{query}"
        );
    }
    assert_eq!(bench.get("practice", "posts?orderby=relevance").await.code(), "rest_no_search_term_defined");
    assert_eq!(
        bench.get("practice", "posts?orderby=include").await.code(),
        "rest_orderby_include_missing_include"
    );
}

#[tokio::test]
async fn searching_covers_markers_in_block_comments() {
    let bench = bench().await;
    let content = "<!-- wp:paragraph {\"ichido\":\"0190abcd\"} --><p>x</p><!-- /wp:paragraph -->";
    let id = bench
        .post("practice", "posts", json!({ "status": "draft", "title": "T", "content": content }))
        .await
        .id();
    let other = bench.draft("practice", "other").await.id();
    let find = |query: &str| format!("posts?status=any&context=edit&orderby=id&order=asc&search={query}");
    assert_eq!(bench.get("practice", &find("0190ABCD")).await.ids(), [id]);
    assert_eq!(bench.get("practice", &find("0190abcd+nothing")).await.ids(), [0; 0]);
    assert_eq!(bench.get("practice", &find("-0190abcd")).await.ids(), [other]);
    assert_eq!(bench.get("practice", &find("%3C!--+0190abcd+--%3E")).await.ids(), [id, other]);
}

#[tokio::test]
async fn fields_cut_answers_down() {
    let bench = bench().await;
    bench.draft("practice", "a").await;
    let got = bench.get("practice", "posts?status=any&context=edit&_fields=id,slug,content.raw").await;
    assert_eq!(got.json(), json!([{ "id": 1, "slug": "a", "content": { "raw": "<p>x</p>" } }]));
    let got = bench.get("practice", "posts/1?_fields[]=id&_fields[]=content.raw").await;
    assert_eq!(got.json(), json!({ "id": 1, "content": {} }));
}

#[tokio::test]
async fn dates_bound_lists() {
    let bench = bench().await;
    let old = json!({ "status": "draft", "title": "old", "date_gmt": "2020-01-01T00:00:00" });
    let old = bench.post("practice", "posts", old).await.id();
    let new = bench.draft("practice", "new").await.id();
    let find = |query: &str| format!("posts?status=any&context=edit&{query}");
    assert_eq!(bench.get("practice", &find("before=2021-01-01T00:00:00")).await.ids(), [old]);
    assert_eq!(bench.get("practice", &find("modified_after=2026-01-15T02:00:00Z")).await.ids(), [new]);
}
