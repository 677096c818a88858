//! The proxy and the real sites themselves.

use ichido_practice::Kind;
use ichido_tests::{Place, RealWordPress, Site, Version, Who};
use serde_json::{Value, json};

#[tokio::test]
async fn two_real_versions_are_run_and_named() {
    let (old, new) = (RealWordPress::start(Version::Old).await, RealWordPress::start(Version::New).await);
    println!("WordPress {} and {}", old.version(), new.version());
    assert!(old.version().starts_with("6.") || old.version() == new.version());
    assert_eq!(old.php_log() + &new.php_log(), "", "PHP complains of nothing");
}

#[tokio::test]
async fn every_creating_request_is_counted_by_its_operation() {
    let site = Site::start(Place::RealNew).await;
    let rest = site.rest(Who::Author);
    for (key, tag) in [("\"one\"", "a"), ("\"two\"", "b"), ("\"one\"", "c")] {
        let request = rest.json("wp/v2/tags", json!({ "name": tag })).header("Idempotency-Key", key);
        ichido_tests::Rest::send(request).await.expect("an answer comes");
    }
    rest.get("wp/v2/tags", &[]).await;
    let counts = site.creates_by_operation();
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("one".to_owned(), 2), ("two".to_owned(), 1)]);
    let proxy = site.real().expect("a real site").proxy();
    assert_eq!((proxy.count(Kind::CreateTerm), proxy.count(Kind::LookUp)), (3, 1));
    assert!(proxy.seen().iter().all(|seen| seen.forwarded && seen.answered.is_some()));
}

#[tokio::test]
async fn a_plugin_can_die_after_the_insert() {
    let site = Site::start(Place::RealNew).await;
    let real = site.real().expect("a real site");
    real.install_plugin("dies", "add_action('wp_insert_post', function () { no_such_function(); });");
    let rest = site.rest(Who::Author);
    let died = rest.post("wp/v2/posts", json!({ "slug": "a", "title": "A", "status": "draft" })).await;
    assert_eq!((died.status, died.code()), (500, "internal_server_error"));
    real.remove_plugin("dies");
    assert_eq!(site.posts().await.len(), 1);
    assert_eq!(real.php("return $args + 1;", json!(41)).await, json!(42));
    assert_eq!(real.php("return null;", Value::Null).await, Value::Null);
}
