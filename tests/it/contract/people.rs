use ichido_practice::{Permalinks, Taxonomy};
use ichido_tests::{Credentials, Place, Site, Who, http};
use serde_json::json;

use super::{draft, look_up, on_every_site};

on_every_site! {
    async fn a_user_is_told_who_he_is_and_what_he_may(site: &Site) {
        for (who, publish, upload, others) in [
            (Who::Administrator, true, true, true),
            (Who::Editor, true, true, true),
            (Who::Author, true, true, false),
            (Who::Contributor, false, false, false),
        ] {
            let me = site.rest(who).get("wp/v2/users/me", &[("context", "edit")]).await;
            assert_eq!(me.status, 200, "{}", me.text());
            assert_eq!(me.id(), site.credentials(who).id);
            let may = |capability: &str| me.json["capabilities"][capability].as_bool().unwrap_or(false);
            assert_eq!((may("publish_posts"), may("upload_files"), may("edit_others_posts")), (publish, upload, others), "{who:?}");
            assert!(may("edit_posts"));
        }
    }

    async fn a_wrong_password_makes_a_stranger(site: &Site) {
        let right = site.credentials(Who::Author);
        let wrong = site.rest_with(Some(Credentials { password: "xxxx xxxx xxxx xxxx xxxx xxxx".to_owned(), ..right }));
        let me = wrong.get("wp/v2/users/me", &[("context", "edit")]).await;
        assert_eq!((me.status, me.code()), (401, "rest_not_logged_in"));
        let list = wrong.get("wp/v2/posts", &[]).await;
        assert_eq!(list.status, 200, "reading goes on as a stranger");
        let made = wrong.post("wp/v2/posts", json!({ "title": "a", "status": "draft" })).await;
        assert_eq!((made.status, made.code()), (401, "rest_cannot_create"));
        assert_eq!(site.posts().await, []);
    }

    async fn a_revoked_password_is_a_wrong_one(site: &Site) {
        let rest = site.rest(Who::Author);
        assert_eq!(rest.get("wp/v2/users/me", &[]).await.status, 200);
        site.revoke_password(Who::Author).await;
        let me = rest.get("wp/v2/users/me", &[("context", "edit")]).await;
        assert_eq!((me.status, me.code()), (401, "rest_not_logged_in"));
    }

    async fn spaces_in_a_password_do_not_count(site: &Site) {
        let given = site.credentials(Who::Author);
        let bare: String = given.password.chars().filter(|character| !character.is_whitespace()).collect();
        let me = site.rest_with(Some(Credentials { password: bare, ..given })).get("wp/v2/users/me", &[]).await;
        assert_eq!(me.status, 200);
    }

    async fn a_person_in_the_editor_changes_what_is_seen(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = draft(&rest, "edited").await.id();
        site.edit_title(id, "By hand").await;
        site.edit_content(id, "<p>By hand</p>").await;
        assert_eq!(site.rename(id, "by-hand").await, "by-hand");
        let found = look_up(&rest, "by-hand").await;
        assert_eq!(found.json[0]["title"]["raw"], "By hand");
        assert_eq!(found.json[0]["content"]["raw"], "<p>By hand</p>");
        site.publish(id).await;
        assert_eq!(look_up(&rest, "by-hand").await.json[0]["status"], "publish");
        site.trash(id).await;
        site.untrash(id).await;
        assert_eq!(look_up(&rest, "by-hand").await.ids(), [id]);
        site.delete(id).await;
        assert_eq!(look_up(&rest, "by-hand,by-hand__trashed").await.total(), Some(0));
        assert_eq!(site.posts().await, []);
    }

    async fn the_index_tells_home_and_namespaces(site: &Site) {
        let index = site.rest_anonymous().get("", &[]).await;
        assert_eq!(index.status, 200);
        assert_eq!(index.json["home"], site.url());
        let namespaces = index.json["namespaces"].as_array().expect("there are namespaces");
        assert!(namespaces.contains(&json!("wp/v2")));
        assert!(index.json["authentication"]["application-passwords"]["endpoints"]["authorization"].is_string());
        assert_eq!(index.json["gmt_offset"].to_string().trim_matches('"'), "9");
    }

    async fn an_unknown_route_is_told(site: &Site) {
        let missing = site.rest(Who::Author).get("wp/v2/no-such-thing", &[]).await;
        assert_eq!((missing.status, missing.code()), (404, "rest_no_route"));
    }

    async fn a_site_begins_without_posts_media_and_tags(site: &Site) {
        assert!(site.terms(Taxonomy::Category).await.contains(&"Uncategorized".to_owned()));
        assert_eq!(site.terms(Taxonomy::Tag).await, Vec::<String>::new());
        assert_eq!(site.posts().await, []);
        assert_eq!(site.media().await, []);
    }
}

async fn the_front_page_leads_to_the_rest_root(place: Place, permalinks: Permalinks) {
    let site = Site::start_with(place, permalinks).await;
    let front = http().head(format!("{}/", site.url())).send().await.expect("the front page answers");
    let links: Vec<&str> =
        front.headers().get_all("link").iter().filter_map(|link| link.to_str().ok()).collect();
    let root = match permalinks {
        Permalinks::Pretty => format!("<{}/wp-json/>; rel=\"https://api.w.org/\"", site.url()),
        Permalinks::Plain => format!("<{}/index.php?rest_route=/>; rel=\"https://api.w.org/\"", site.url()),
    };
    assert!(links.iter().any(|link| link.contains(&root)), "{links:?}");
    let made = draft(&site.rest(Who::Author), "slug").await;
    let location = made.header("location").expect("201 has a Location");
    let expected = match permalinks {
        Permalinks::Pretty => format!("{}/wp-json/wp/v2/posts/{}", site.url(), made.id()),
        Permalinks::Plain => format!("{}/index.php?rest_route=/wp/v2/posts/{}", site.url(), made.id()),
    };
    assert_eq!(location, expected);
    assert_eq!(look_up(&site.rest(Who::Author), "slug").await.ids(), [made.id()]);
}

#[tokio::test]
async fn pretty_permalinks_practice() {
    the_front_page_leads_to_the_rest_root(Place::PracticeNew, Permalinks::Pretty).await;
}

#[tokio::test]
async fn pretty_permalinks_real_old() {
    the_front_page_leads_to_the_rest_root(Place::RealOld, Permalinks::Pretty).await;
}

#[tokio::test]
async fn pretty_permalinks_real_new() {
    the_front_page_leads_to_the_rest_root(Place::RealNew, Permalinks::Pretty).await;
}

#[tokio::test]
async fn plain_permalinks_practice() {
    the_front_page_leads_to_the_rest_root(Place::PracticeNew, Permalinks::Plain).await;
}

#[tokio::test]
async fn plain_permalinks_real_old() {
    the_front_page_leads_to_the_rest_root(Place::RealOld, Permalinks::Plain).await;
}

#[tokio::test]
async fn plain_permalinks_real_new() {
    the_front_page_leads_to_the_rest_root(Place::RealNew, Permalinks::Plain).await;
}
