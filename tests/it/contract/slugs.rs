use ichido_tests::{Site, Who};
use serde_json::json;

use super::{draft, draft_with, look_up, on_every_site};

/// What the site made of a slug, percent-decoded.
fn slug(reply: &ichido_tests::Reply) -> String {
    let slug = reply.json["slug"].as_str().expect("a post has a slug");
    percent_encoding::percent_decode_str(slug).decode_utf8_lossy().into_owned()
}

on_every_site! {
    async fn a_free_slug_is_kept(site: &Site) {
        let rest = site.rest(Who::Author);
        for wanted in ["plain", "under_score", "東京の天気", "page", "2024-report"] {
            assert_eq!(slug(&draft(&rest, wanted).await), wanted);
        }
    }

    async fn a_taken_slug_gets_a_number(site: &Site) {
        let rest = site.rest(Who::Author);
        assert_eq!(slug(&draft(&rest, "foo").await), "foo");
        assert_eq!(slug(&draft(&rest, "foo").await), "foo-2");
        assert_eq!(slug(&draft(&rest, "foo").await), "foo-3");
        assert_eq!(slug(&draft(&rest, "天気").await), "天気");
        assert_eq!(slug(&draft(&rest, "天気").await), "天気-2");
    }

    async fn a_slug_of_somebody_else_counts_as_taken(site: &Site) {
        draft(&site.rest(Who::OtherAuthor), "theirs").await;
        assert_eq!(slug(&draft(&site.rest(Who::Author), "theirs").await), "theirs-2");
    }

    async fn a_slug_is_made_unique_only_if_the_status_is_sent(site: &Site) {
        let rest = site.rest(Who::Author);
        draft(&rest, "twice").await;
        let again = rest.post("wp/v2/posts", json!({ "slug": "twice", "title": "Second" })).await;
        assert_eq!((again.status, slug(&again)), (201, "twice".to_owned()));
    }

    async fn a_slug_in_the_trash_is_free(site: &Site) {
        let rest = site.rest(Who::Author);
        let first = draft(&rest, "thrown").await.id();
        site.trash(first).await;
        assert_eq!(slug(&draft(&rest, "thrown").await), "thrown");
        let posts = site.posts().await;
        let slugs: Vec<_> = posts.iter().map(|post| (post.slug.as_str(), post.status.as_str())).collect();
        assert_eq!(slugs, [("thrown__trashed", "trash"), ("thrown", "draft")]);
    }

    async fn reserved_and_numeric_slugs_get_a_number(site: &Site) {
        let rest = site.rest(Who::Author);
        for wanted in ["feed", "rss", "rss2", "atom", "rdf", "embed", "123", "20240101"] {
            assert_eq!(slug(&draft(&rest, wanted).await), format!("{wanted}-2"));
        }
    }

    async fn a_slug_is_sanitised(site: &Site) {
        let rest = site.rest(Who::Author);
        for (sent, stored) in [
            ("Hello World", "hello-world"),
            ("A.b/c", "a-b-c"),
            ("--edge--", "edge"),
            ("ＡＢＣ", "ａｂｃ"),
            ("か\u{3099}っこう", "がっこう"),
            ("句読点、と。と！", "句読点、と。と！"),
            ("a  b", "a-b"),
            ("<b>bold</b>", "bold"),
            ("100% sure", "100-sure"),
        ] {
            assert_eq!(slug(&draft(&rest, sent).await), stored, "{sent}");
        }
    }

    async fn a_slug_is_cut_at_two_hundred_encoded_bytes(site: &Site) {
        let rest = site.rest(Who::Author);
        assert_eq!(slug(&draft(&rest, &"長".repeat(30)).await), "長".repeat(22));
        assert_eq!(slug(&draft(&rest, &"a".repeat(300)).await), "a".repeat(200));
        let numbered = slug(&draft(&rest, &"長".repeat(30)).await);
        assert_eq!(numbered, format!("{}-2", "長".repeat(22)));
    }

    async fn a_draft_without_a_slug_has_none(site: &Site) {
        let made = draft_with(&site.rest(Who::Author), json!({ "title": "No slug" })).await;
        assert_eq!(made.json["slug"], "");
        assert_eq!(made.json["generated_slug"], "no-slug");
    }

    async fn a_slug_may_change_when_it_is_published(site: &Site) {
        let author = site.credentials(Who::Author);
        let rest = site.rest(Who::Author);
        let mut ids = Vec::new();
        for title in ["First", "Second"] {
            ids.push(site.write_draft(Who::Author, title, "race-slug", "<p>Text</p>").await);
        }
        for (id, stored) in ids.iter().zip(["race-slug-2", "race-slug"]) {
            let published = rest.post(&format!("wp/v2/posts/{id}"), json!({ "status": "publish" })).await;
            assert_eq!((published.status, slug(&published)), (200, stored.to_owned()));
        }
        assert_eq!(site.posts().await.iter().filter(|post| post.author == author.login).count(), 2);
    }

    async fn two_posts_may_hold_one_slug_and_both_are_found(site: &Site) {
        let first = site.write_draft(Who::Author, "First", "same", "<p>a</p>").await;
        let second = site.write_draft(Who::Author, "Second", "same", "<p>b</p>").await;
        let mut found = look_up(&site.rest(Who::Author), "same").await.ids();
        found.sort_unstable();
        assert_eq!(found, [first, second]);
    }
}
