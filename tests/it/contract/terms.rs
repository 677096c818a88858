use ichido_practice::Taxonomy;
use ichido_tests::{Site, Who};
use serde_json::json;

use super::{draft_with, on_every_site};

on_every_site! {
    async fn a_tag_that_exists_is_told_with_its_id(site: &Site) {
        let rest = site.rest(Who::Author);
        let made = rest.post("wp/v2/tags", json!({ "name": "天気 ニュース" })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let again = rest.post("wp/v2/tags", json!({ "name": "天気 ニュース" })).await;
        assert_eq!((again.status, again.code()), (400, "term_exists"));
        assert_eq!(again.json["data"]["term_id"], made.id());
        assert_eq!(site.terms(Taxonomy::Tag).await, ["天気 ニュース"]);
    }

    async fn case_does_not_make_another_tag(site: &Site) {
        let rest = site.rest(Who::Author);
        let made = rest.post("wp/v2/tags", json!({ "name": "Rust" })).await.id();
        let again = rest.post("wp/v2/tags", json!({ "name": "rust" })).await;
        assert_eq!((again.code(), again.json["data"]["term_id"].as_u64()), ("term_exists", Some(made)));
    }

    async fn an_author_may_make_tags_but_no_categories(site: &Site) {
        let refused = site.rest(Who::Author).post("wp/v2/categories", json!({ "name": "Reviews" })).await;
        assert_eq!((refused.status, refused.code()), (403, "rest_cannot_create"));
        let made = site.rest(Who::Contributor).post("wp/v2/tags", json!({ "name": "Mine" })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let made = site.rest(Who::Editor).post("wp/v2/categories", json!({ "name": "Reviews" })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        assert!(site.terms(Taxonomy::Category).await.contains(&"Reviews".to_owned()));
    }

    async fn tags_are_found_by_slug_and_by_search(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = rest.post("wp/v2/tags", json!({ "name": "タグA" })).await.id();
        rest.post("wp/v2/tags", json!({ "name": "別のもの" })).await;
        let by_slug = rest.get("wp/v2/tags", &[("slug", "タグa"), ("per_page", "100")]).await;
        assert_eq!(by_slug.ids(), [id]);
        let by_name = rest.get("wp/v2/tags", &[("search", "タグA"), ("per_page", "100")]).await;
        assert_eq!(by_name.ids(), [id]);
        assert_eq!(by_name.json[0]["name"], "タグA");
    }

    async fn a_draft_carries_its_terms(site: &Site) {
        let rest = site.rest(Who::Editor);
        let tag = rest.post("wp/v2/tags", json!({ "name": "Tag" })).await.id();
        let category = rest.post("wp/v2/categories", json!({ "name": "Category" })).await.id();
        let made = draft_with(&rest, json!({ "slug": "t", "title": "T", "tags": [tag], "categories": [category] })).await;
        assert_eq!((made.json["tags"].clone(), made.json["categories"].clone()), (json!([tag]), json!([category])));
        let stored = &site.posts().await[0];
        assert_eq!((stored.tags.as_slice(), stored.categories.as_slice()), (&["Tag".to_owned()][..], &["Category".to_owned()][..]));
    }

    async fn a_name_is_escaped_in_the_answer(site: &Site) {
        let rest = site.rest(Who::Editor);
        let made = rest.post("wp/v2/tags", json!({ "name": "R & D" })).await;
        assert_eq!(made.json["name"], "R &amp; D");
        let again = rest.post("wp/v2/tags", json!({ "name": "R & D" })).await;
        assert_eq!(again.json["data"]["term_id"], made.id());
    }
}
