use ichido_tests::{Site, Who};
use serde_json::json;

use super::{draft, draft_with, on_every_site};

on_every_site! {
    async fn a_created_draft_is_answered_with_itself(site: &Site) {
        let rest = site.rest(Who::Author);
        let made = draft_with(&rest, json!({ "slug": "whole", "title": "Title", "content": "<p>Content</p>", "excerpt": "Excerpt" })).await;
        let id = made.id();
        let location = made.header("location").expect("201 has a Location");
        assert_eq!(location, format!("{}/wp-json/wp/v2/posts/{id}", site.url()));
        assert_eq!(made.json["status"], "draft");
        assert_eq!(made.json["type"], "post");
        assert_eq!(made.json["title"]["raw"], "Title");
        assert_eq!(made.json["content"]["raw"], "<p>Content</p>");
        assert_eq!(made.json["excerpt"]["raw"], "Excerpt");
        assert_eq!(made.json["author"], site.credentials(Who::Author).id);
        assert_eq!(made.json["featured_media"], 0);
        assert!(made.json["modified_gmt"].is_string());
        let stored = site.posts().await;
        assert_eq!(stored.len(), 1);
        assert_eq!((stored[0].id, stored[0].status.as_str(), stored[0].title.as_str()), (id, "draft", "Title"));
    }

    async fn a_draft_without_categories_gets_the_default_one(site: &Site) {
        let rest = site.rest(Who::Author);
        let made = draft(&rest, "default").await;
        assert_eq!(made.json["categories"], json!([1]));
        let none = draft_with(&rest, json!({ "slug": "none", "title": "None", "categories": [] })).await;
        assert_eq!(none.json["categories"], json!([]));
    }

    async fn an_empty_post_is_refused(site: &Site) {
        let rest = site.rest(Who::Author);
        let refused = rest.post("wp/v2/posts", json!({ "slug": "empty", "status": "draft" })).await;
        assert_eq!((refused.status, refused.code()), (400, "empty_content"));
        assert_eq!(site.posts().await, []);
    }

    async fn what_is_wrong_is_refused_before_anything_is_stored(site: &Site) {
        let rest = site.rest(Who::Author);
        let other = site.credentials(Who::OtherAuthor).id;
        for (fields, status, code) in [
            (json!({ "title": "a", "status": "nonsense" }), 400, "rest_invalid_param"),
            (json!({ "title": "a", "status": "draft", "tags": ["a name"] }), 400, "rest_invalid_param"),
            (json!({ "title": "a", "status": "draft", "date": "2030-13-01T00:00:00" }), 400, "rest_invalid_param"),
            (json!({ "title": "a", "status": "draft", "author": other }), 403, "rest_cannot_edit_others"),
        ] {
            let refused = rest.post("wp/v2/posts", fields.clone()).await;
            assert_eq!((refused.status, refused.code()), (status, code), "{fields}");
        }
        let request = rest.json("wp/v2/posts", json!({})).body("{\"title\": ");
        let refused = ichido_tests::Rest::send(request).await.expect("an answer comes");
        assert_eq!((refused.status, refused.code()), (400, "rest_invalid_json"));
        assert_eq!(site.posts().await, []);
    }

    async fn publishing_needs_the_right_to(site: &Site) {
        let rest = site.rest(Who::Contributor);
        let refused = rest.post("wp/v2/posts", json!({ "title": "a", "status": "publish" })).await;
        assert_eq!((refused.status, refused.code()), (403, "rest_cannot_publish"));
        let refused = site.rest(Who::Subscriber).post("wp/v2/posts", json!({ "title": "a", "status": "draft" })).await;
        assert_eq!((refused.status, refused.code()), (403, "rest_cannot_create"));
        assert_eq!(site.posts().await, []);
    }

    async fn a_resend_makes_a_second_post(site: &Site) {
        let rest = site.rest(Who::Author);
        for _ in 0..2 {
            let request = rest
                .json("wp/v2/posts", json!({ "slug": "again", "title": "Again", "status": "draft" }))
                .header("Idempotency-Key", "\"0190b0a0-0000-7000-8000-000000000001\"");
            let made = ichido_tests::Rest::send(request).await.expect("an answer comes");
            assert_eq!(made.status, 201);
        }
        assert_eq!(site.posts().await.len(), 2);
        let counts: Vec<u32> = site.creates_by_operation().into_values().collect();
        assert_eq!(counts, [2], "the double request is seen on the wire");
    }

    async fn an_unknown_featured_image_is_passed_over(site: &Site) {
        let made = draft_with(&site.rest(Who::Author), json!({ "slug": "f", "title": "F", "featured_media": 9999 })).await;
        assert_eq!(made.json["featured_media"], 0);
    }

    async fn unknown_terms_are_passed_over(site: &Site) {
        let made = draft_with(&site.rest(Who::Author), json!({ "slug": "t", "title": "T", "tags": [9999] })).await;
        assert_eq!(made.json["tags"], json!([]));
    }

    async fn content_of_an_author_is_filtered(site: &Site) {
        let sent = "<p onclick=\"x()\">a</p><script>alert(1)</script><iframe src=\"https://example.invalid\"></iframe><br/>";
        let made = draft_with(&site.rest(Who::Author), json!({ "slug": "k", "title": "A & B", "content": sent })).await;
        let raw = made.json["content"]["raw"].as_str().expect("raw content comes").to_owned();
        assert_eq!(raw, "<p>a</p>alert(1)<br />");
        assert_eq!(made.json["title"]["raw"], "A &amp; B");
        assert_eq!(site.posts().await[0].content, raw);
        let kept = draft_with(&site.rest(Who::Administrator), json!({ "slug": "k", "title": "A & B", "content": sent })).await;
        assert_eq!(kept.json["content"]["raw"], sent);
        assert_eq!(kept.json["title"]["raw"], "A & B");
    }

    async fn the_marker_survives_for_every_role(site: &Site) {
        let marked = "<!-- wp:paragraph {\"ichido\":\"0190b0a0-0000-7000-8000-000000000001\"} -->\n<p>本文</p>\n<!-- /wp:paragraph -->";
        for who in [Who::Administrator, Who::Editor, Who::Author, Who::Contributor] {
            let made = draft_with(&site.rest(who), json!({ "slug": who.login(), "title": "M", "content": marked })).await;
            assert_eq!(made.json["content"]["raw"], marked, "{who:?}");
            let read = site.rest(who).get(&format!("wp/v2/posts/{}", made.id()), &[("context", "edit")]).await;
            assert_eq!(read.json["content"]["raw"], marked, "{who:?}");
            assert!(!read.json["content"]["rendered"].as_str().expect("it is rendered").contains("ichido"));
        }
        assert!(site.posts().await.iter().all(|post| post.content == marked));
    }

    async fn backslashes_quotes_and_emoji_survive(site: &Site) {
        let sent = "<p>C:\\path \\\\ $1 %s 'a' \"b\" 😀 𠮷 &amp; &lt;</p>\r\n\r\n<p>\tend</p>\n";
        let made = draft_with(&site.rest(Who::Editor), json!({ "slug": "b", "title": "a\\b 'c'", "content": sent })).await;
        assert_eq!(made.json["content"]["raw"], sent);
        assert_eq!(made.json["title"]["raw"], "a\\b 'c'");
    }

    async fn an_update_changes_what_it_names(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "up").await.id();
        let changed = rest.post(&format!("wp/v2/posts/{id}"), json!({ "title": "New title" })).await;
        assert_eq!((changed.status, changed.id()), (200, id));
        let stored = &site.posts().await[0];
        assert_eq!((stored.title.as_str(), stored.content.as_str()), ("New title", "<p>Content of up</p>"));
    }

    async fn what_a_user_may_do_is_told_with_the_post(site: &Site) {
        let author = draft(&site.rest(Who::Author), "links-author").await;
        assert!(author.json["_links"]["wp:action-publish"].is_array());
        assert!(author.json["_links"]["wp:action-unfiltered-html"].is_null());
        let editor = draft(&site.rest(Who::Editor), "links-editor").await;
        assert!(editor.json["_links"]["wp:action-unfiltered-html"].is_array());
        let contributor = draft(&site.rest(Who::Contributor), "links-contributor").await;
        assert!(contributor.json["_links"]["wp:action-publish"].is_null());
    }

    async fn deleting_goes_to_the_trash_first(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "del").await.id();
        let route = format!("wp/v2/posts/{id}");
        let trashed = rest.delete(&route, &[]).await;
        assert_eq!((trashed.status, trashed.json["status"].as_str()), (200, Some("trash")));
        let again = rest.delete(&route, &[]).await;
        assert_eq!((again.status, again.code()), (410, "rest_already_trashed"));
        let gone = rest.delete(&route, &[("force", "true")]).await;
        assert_eq!(gone.status, 200);
        let missing = rest.get(&route, &[("context", "edit")]).await;
        assert_eq!((missing.status, missing.code()), (404, "rest_post_invalid_id"));
    }
}
