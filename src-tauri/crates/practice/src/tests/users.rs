use serde_json::json;

use super::*;
use crate::{Account, Role};

#[tokio::test]
async fn users_learn_who_they_are_and_what_they_may() {
    let bench = bench().await;
    let me = bench.get("practice", "users/me?context=edit").await;
    assert_eq!(me.json()["roles"], json!(["author"]));
    assert_eq!(me.json()["username"], "practice");
    assert_eq!(me.json()["capabilities"]["publish_posts"], true);
    assert!(me.json()["capabilities"].get("edit_others_posts").is_none());
    let spaceless = PASSWORD.replace(' ', "");
    let request = bench.client.get(format!("{}/wp-json/wp/v2/users/me", bench.site.url()));
    assert_eq!(read(request.basic_auth("practice", Some(spaceless))).await.unwrap().status, 200);
    let stranger = bench.get("", "users/me?context=edit").await;
    assert_eq!((stranger.status, stranger.code().as_str()), (401, "rest_not_logged_in"));
    assert_eq!(bench.get("practice", "users/1?context=edit").await.status, 403);
    assert_eq!(bench.get("practice", "users/me/application-passwords/introspect").await.status, 200);
}

#[tokio::test]
async fn the_index_names_the_site() {
    let bench = bench().await;
    let got = read(bench.client.get(format!("{}/wp-json/", bench.site.url()))).await.unwrap().json();
    assert_eq!((got["home"].as_str(), got["url"].as_str()), (Some(bench.site.url()), Some(bench.site.url())));
    assert_eq!((got["gmt_offset"].as_i64(), got["timezone_string"].as_str()), (Some(9), Some("Asia/Tokyo")));
    assert!(got["namespaces"].as_array().unwrap().contains(&json!("wp/v2")));
    let asks = got["authentication"]["application-passwords"]["endpoints"]["authorization"].as_str().unwrap();
    assert!(asks.ends_with("/wp-admin/authorize-application.php"));
    let front = bench.client.head(format!("{}/", bench.site.url())).send().await.unwrap();
    assert_eq!(
        front.headers()["link"],
        format!("<{}/wp-json/>; rel=\"https://api.w.org/\"", bench.site.url())
    );
    assert_eq!(bench.get("practice", "types/post?context=edit").await.json()["rest_base"], "posts");
}

#[tokio::test]
async fn a_site_lives_as_long_as_it_is_held() {
    let bench = bench().await;
    let url = bench.site.url().to_owned();
    bench.site.stop().await;
    assert!(bench.client.get(&url).send().await.unwrap_err().is_connect());
    assert_eq!(bench.handle.users().len(), 6);
}

#[test]
fn passwords_are_random_and_do_not_show() {
    let (one, two) = (Account::practice(), Account::practice());
    assert_ne!(one.password, two.password);
    assert!(!format!("{one:?}").contains(&one.password));
    assert_eq!((one.password.len(), one.role), (24, Role::Author));
}
