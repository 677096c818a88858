use ichido_tests::{Site, Who};
use serde_json::json;

use super::{draft, draft_with, look_up, on_every_site};

on_every_site! {
    async fn not_found_is_an_empty_list_with_total_zero(site: &Site) {
        let found = look_up(&site.rest(Who::Author), "nothing").await;
        assert_eq!((found.ids(), found.total()), (vec![], Some(0)));
    }

    async fn a_slug_is_matched_exactly(site: &Site) {
        let rest = site.rest(Who::Author);
        let first = draft(&rest, "foo").await.id();
        let second = draft(&rest, "foo").await.id();
        assert_eq!(look_up(&rest, "foo").await.ids(), [first]);
        assert_eq!(look_up(&rest, "foo-2").await.ids(), [second]);
        assert_eq!(look_up(&rest, "foo,foo-2,foo-3").await.total(), Some(2));
    }

    async fn japanese_slugs_are_found_plain_and_encoded(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "東京の天気").await.id();
        assert_eq!(look_up(&rest, "東京の天気").await.ids(), [id]);
        assert_eq!(look_up(&rest, "%e6%9d%b1%e4%ba%ac%e3%81%ae%e5%a4%a9%e6%b0%97").await.ids(), [id]);
    }

    async fn a_lookup_does_not_compose_characters(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "か\u{3099}").await.id();
        assert_eq!(look_up(&rest, "が").await.ids(), [id]);
        assert_eq!(look_up(&rest, "か\u{3099}").await.ids(), Vec::<u64>::new());
    }

    async fn a_trashed_post_is_found_under_its_other_slug(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "binned").await.id();
        site.trash(id).await;
        assert_eq!(look_up(&rest, "binned").await.ids(), Vec::<u64>::new());
        assert_eq!(look_up(&rest, "binned__trashed").await.ids(), [id]);
        assert_eq!(look_up(&rest, "binned,binned__trashed").await.ids(), [id]);
        let any = rest.get("wp/v2/posts", &[("slug", "binned__trashed"), ("status", "any"), ("context", "edit")]).await;
        assert_eq!(any.ids(), Vec::<u64>::new(), "any leaves the trash out");
        let by_id = rest.get(&format!("wp/v2/posts/{id}"), &[("context", "edit")]).await;
        assert_eq!((by_id.status, by_id.json["status"].as_str(), by_id.json["slug"].as_str()), (200, Some("trash"), Some("binned__trashed")));
    }

    async fn a_total_counts_what_may_not_be_seen(site: &Site) {
        draft(&site.rest(Who::OtherAuthor), "hidden").await;
        let found = look_up(&site.rest(Who::Author), "hidden").await;
        assert_eq!((found.ids(), found.total()), (vec![], Some(1)));
        let seen = look_up(&site.rest(Who::Editor), "hidden").await;
        assert_eq!((seen.ids().len(), seen.total()), (1, Some(1)));
    }

    async fn somebody_elses_published_post_shows_in_the_view_context(site: &Site) {
        let id = draft(&site.rest(Who::OtherAuthor), "open").await.id();
        site.publish(id).await;
        let rest = site.rest(Who::Author);
        let edit = look_up(&rest, "open").await;
        assert_eq!((edit.ids(), edit.total()), (vec![], Some(1)));
        let view = rest.get("wp/v2/posts", &[("slug", "open"), ("status", "any,trash")]).await;
        assert_eq!(view.ids(), [id]);
    }

    async fn a_stranger_may_not_ask_for_all_states(site: &Site) {
        draft(&site.rest(Who::Author), "secret").await;
        let stranger = site.rest_anonymous();
        let plain = stranger.get("wp/v2/posts", &[("slug", "secret")]).await;
        assert_eq!((plain.status, plain.ids(), plain.total()), (200, vec![], Some(0)), "a false not-found");
        let all = stranger.get("wp/v2/posts", &[("slug", "secret"), ("status", "any,trash")]).await;
        assert_eq!((all.status, all.code()), (400, "rest_invalid_param"));
        let edit = stranger.get("wp/v2/posts", &[("slug", "secret"), ("context", "edit")]).await;
        assert_eq!((edit.status, edit.code()), (401, "rest_forbidden_context"));
    }

    async fn everything_of_ours_is_listed_by_falling_id(site: &Site) {
        let rest = site.rest(Who::Author);
        let me = site.credentials(Who::Author).id.to_string();
        let first = draft(&rest, "one").await.id();
        let old = draft_with(&rest, json!({ "slug": "two", "title": "Backdated", "date": "2001-01-01T00:00:00" })).await.id();
        draft(&site.rest(Who::OtherAuthor), "theirs").await;
        let third = draft(&rest, "three").await.id();
        site.trash(third).await;
        let query = [("author", me.as_str()), ("orderby", "id"), ("order", "desc"), ("status", "any,trash"), ("context", "edit"), ("per_page", "2")];
        let page = rest.get("wp/v2/posts", &query).await;
        assert_eq!((page.ids(), page.total()), (vec![third, old], Some(3)));
        assert_eq!(page.header("x-wp-totalpages"), Some("2"));
        let next = rest.get("wp/v2/posts", &[&query[..], &[("page", "2")]].concat()).await;
        assert_eq!(next.ids(), [first]);
        assert!(third > old && old > first);
    }

    async fn posts_are_found_by_their_ids(site: &Site) {
        let rest = site.rest(Who::Author);
        let first = draft(&rest, "a").await.id();
        let second = draft(&rest, "b").await.id();
        site.trash(second).await;
        let include = format!("{first},{second},9999");
        let query = [("include", include.as_str()), ("status", "any,trash"), ("context", "edit"), ("per_page", "100")];
        let mut found = rest.get("wp/v2/posts", &query).await.ids();
        found.sort_unstable();
        assert_eq!(found, [first, second]);
    }

    async fn a_marker_is_found_by_searching(site: &Site) {
        let rest = site.rest(Who::Author);
        let operation = "0190b0a0-1111-7000-8000-000000000002";
        let content = format!("<!-- wp:paragraph {{\"ichido\":\"{operation}\"}} -->\n<p>a</p>\n<!-- /wp:paragraph -->");
        let id = draft_with(&rest, json!({ "slug": "marked", "title": "M", "content": content })).await.id();
        draft(&rest, "other").await;
        let found = rest.get("wp/v2/posts", &[("search", operation), ("status", "any,trash"), ("context", "edit")]).await;
        assert_eq!(found.ids(), [id]);
    }

    async fn fields_narrow_an_answer(site: &Site) {
        let rest = site.rest(Who::Author);
        draft(&rest, "narrow").await;
        let query = [("slug", "narrow"), ("status", "any,trash"), ("context", "edit"), ("_fields", "id,slug,content.raw")];
        let row = rest.get("wp/v2/posts", &query).await.json[0].clone();
        let keys: Vec<&str> = row.as_object().expect("a row is an object").keys().map(String::as_str).collect();
        assert_eq!(keys, ["content", "id", "slug"]);
        assert_eq!(row["content"], json!({ "raw": "<p>Content of narrow</p>" }));
    }

    async fn a_hundred_rows_a_page_are_the_most(site: &Site) {
        let rest = site.rest(Who::Author);
        let refused = rest.get("wp/v2/posts", &[("per_page", "101")]).await;
        assert_eq!((refused.status, refused.code()), (400, "rest_invalid_param"));
        draft(&rest, "only").await;
        let beyond = rest.get("wp/v2/posts", &[("page", "2"), ("status", "any"), ("context", "edit")]).await;
        assert_eq!((beyond.status, beyond.code()), (400, "rest_post_invalid_page_number"));
    }

    async fn an_unknown_parameter_is_ignored(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "busted").await.id();
        let found = rest.get("wp/v2/posts", &[("slug", "busted"), ("status", "any,trash"), ("context", "edit"), ("ichido", "1")]).await;
        assert_eq!(found.ids(), [id]);
    }

    async fn by_id_tells_gone_from_forbidden(site: &Site) {
        let theirs = draft(&site.rest(Who::OtherAuthor), "theirs").await.id();
        let rest = site.rest(Who::Author);
        let forbidden = rest.get(&format!("wp/v2/posts/{theirs}"), &[("context", "edit")]).await;
        assert_eq!((forbidden.status, forbidden.code()), (403, "rest_forbidden_context"));
        let gone = rest.get("wp/v2/posts/99999", &[("context", "edit")]).await;
        assert_eq!((gone.status, gone.code()), (404, "rest_post_invalid_id"));
    }

    async fn answers_to_a_known_user_are_not_to_be_cached(site: &Site) {
        let known = look_up(&site.rest(Who::Author), "x").await;
        assert!(known.header("cache-control").is_some_and(|value| value.contains("no-cache")));
        let stranger = site.rest_anonymous().get("wp/v2/posts", &[]).await;
        assert_eq!(stranger.header("cache-control"), None);
    }
}
