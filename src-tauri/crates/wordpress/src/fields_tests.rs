use ichido_core::id::OpId;
use ichido_core::outcome::Outcome;
use serde_json::json;

use super::*;
use crate::scripted::{self, Scripted, client};

async fn says(status: u16, body: Value) -> Scripted {
    Scripted::site(move |_| scripted::json(status, "", &body.to_string())).await
}

#[tokio::test]
async fn the_site_describes_its_fields() {
    let server = says(
        200,
        json!({"namespace": "wp/v2", "schema": {"properties": {"meta": {"type": "object", "properties": {
            "footnotes": {"type": "string", "default": ""},
            "rating": {"type": "integer", "default": 3},
            "price": {"type": ["null", "number"]},
            "shown": {"type": "boolean"},
            "sources": {"type": "array", "items": {"type": "string"}, "default": []},
            "map": {"type": "object"},
            "pairs": {"type": "array", "items": {"type": "object"}},
            "given": {"type": "string", "readonly": true},
            "bad\u{1b}name": {"type": "string"},
        }}}}}),
    )
    .await;
    let fields = client(&server).post_fields().await.unwrap();
    let kinds: Vec<_> = fields.iter().map(|(name, field)| (name.as_str(), field.kind.clone())).collect();
    assert_eq!(
        kinds,
        [
            ("footnotes", FieldKind::Text),
            ("map", FieldKind::Other),
            ("pairs", FieldKind::Other),
            ("price", FieldKind::Number),
            ("rating", FieldKind::Integer),
            ("shown", FieldKind::Flag),
            ("sources", FieldKind::List(Box::new(FieldKind::Text))),
        ]
    );
    assert_eq!((&fields["rating"].unset, &fields["shown"].unset), (&json!(3), &Value::Null));
    assert!(server.lines()[0].starts_with("OPTIONS /wp-json/wp/v2/posts?"), "{:?}", server.lines());
}

#[tokio::test]
async fn a_site_without_fields_or_with_another_answer_has_none() {
    for body in [
        json!({"schema": {"properties": {"meta": {"properties": []}}}}),
        json!({"schema": {"properties": {}}}),
        json!({"namespace": "wp/v2"}),
        json!([]),
    ] {
        let server = says(200, body.clone()).await;
        assert_eq!(client(&server).post_fields().await.unwrap(), BTreeMap::new(), "{body}");
    }
    assert!(client(&says(500, json!({"code": "x"})).await).post_fields().await.is_err());
}

const POST: &str =
    r#"{"id":7,"type":"post","slug":"a","status":"draft","author":2,"content":{"raw":"x"},"meta":{"k":"v"}}"#;

#[tokio::test]
async fn fields_are_read_of_the_post_that_was_asked_for() {
    let server = says(200, serde_json::from_str(POST).unwrap()).await;
    let read = client(&server).fields_of(RemoteId(7)).await.unwrap().unwrap().value;
    assert_eq!((read.row.content.as_deref(), &read.values["k"]), (Some("x"), &json!("v")));
    assert!(client(&server).fields_of(RemoteId(8)).await.is_err(), "another post");
    let gone = says(404, json!({"code": "rest_post_invalid_id"})).await;
    assert_eq!(client(&gone).fields_of(RemoteId(7)).await.unwrap(), None);
    let page = Scripted::site(|_| scripted::json(403, "", "<html>")).await;
    assert!(client(&page).fields_of(RemoteId(7)).await.is_err(), "a firewall's page says nothing");
}

#[expect(clippy::disallowed_methods, reason = "a test has no journal")]
fn permit(kind: Kind) -> SendPermit {
    let op_id = OpId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
    SendPermit::after_durable_commit(op_id, kind)
}

#[tokio::test]
async fn fields_are_written_and_nothing_else() {
    let server = says(200, serde_json::from_str(POST).unwrap()).await;
    let request =
        FieldsRequest { post: RemoteId(7), values: BTreeMap::from([("k".to_owned(), json!(["v", "w"]))]) };
    let sent = client(&server).write_fields(permit(Kind::Fields), &request).await;
    assert!(matches!(&sent.outcome, Outcome::Created(created) if created.id == RemoteId(7)), "{sent:?}");
    let seen = &server.seen()[0];
    assert!(seen.starts_with("POST /wp-json/wp/v2/posts/7?"), "{seen}");
    assert!(seen.ends_with(r#"{"meta":{"k":["v","w"]}}"#), "{seen}");
    let sent = client(&server).write_fields(permit(Kind::Attach), &request).await;
    assert!(matches!(sent.outcome, Outcome::NotSent(_)), "a permit of another kind: {sent:?}");
    assert_eq!(server.seen().len(), 1);
}
