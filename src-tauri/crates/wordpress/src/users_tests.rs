use serde_json::json;

use super::*;
use crate::scripted::{self, Scripted, client};

async fn identify(status: u16, body: Value) -> Result<Identity, AskError> {
    let server = Scripted::site(move |_| scripted::json(status, "", &body.to_string())).await;
    let identity = client(&server).identify().await.map(|answered| answered.value);
    let line = server.lines().remove(0);
    assert!(line.starts_with("GET /wp-json/wp/v2/users/me?context=edit&"), "{line}");
    identity
}

#[tokio::test]
async fn our_user_is_known_by_login_or_mail() {
    for user in [
        json!({"id": 3, "username": "Ann", "name": "A", "roles": ["author"], "capabilities": {"edit_posts": true, "upload_files": "1", "publish_posts": false}}),
        json!({"id": 3, "username": "a.n", "email": "ANN", "name": "A", "roles": {"1": "author"}, "capabilities": {"edit_posts": 1, "upload_files": true}}),
    ] {
        let identity = identify(200, user).await.unwrap();
        assert_eq!((identity.id, identity.roles), (3, vec!["author".to_owned()]));
        let can = identity.can;
        assert!(can.edit_posts() && can.upload_files());
        assert!(
            !can.publish_posts()
                && !can.edit_others_posts()
                && !can.manage_categories()
                && !can.unfiltered_html()
        );
    }
}

#[tokio::test]
async fn anybody_else_is_not_our_user() {
    for (status, body) in [
        (200, json!({"id": 4, "username": "bob", "email": "bob@example.com"})),
        (200, json!({"id": 0, "username": "ann"})),
        (401, json!({"code": "rest_not_logged_in"})),
        (401, json!({"code": "incorrect_password"})),
    ] {
        let error = identify(status, body.clone()).await.unwrap_err();
        assert!(matches!(error, AskError::NotOurUser { .. }), "{body}: {error:?}");
    }
}

#[tokio::test]
async fn an_answer_without_a_user_is_unreadable() {
    for body in [json!([]), json!({}), json!({"id": 3, "name": "ann"})] {
        let error = identify(200, body.clone()).await.unwrap_err();
        assert!(matches!(error, AskError::Unreadable(_)), "{body}: {error:?}");
    }
}
