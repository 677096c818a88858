use ichido_core::id::OpId;

use super::*;
use crate::scripted::{Act, Scripted, client, client_at, json as answer, parameter};

const OP: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
const POST: &str = r#"{"id":7,"type":"post","slug":"a","status":"draft"}"#;
const IMAGE: &str = r#"{"id":8,"type":"attachment","slug":"a","status":"inherit"}"#;

#[expect(clippy::disallowed_methods, reason = "a test has no journal")]
fn permit(kind: Kind) -> SendPermit {
    SendPermit::after_durable_commit(OpId::parse(OP).unwrap(), kind)
}

fn draft() -> DraftRequest {
    DraftRequest {
        slug: Slug::sanitise("猫").unwrap(),
        title: "T \\ \"q\" $1 %s".into(),
        excerpt: String::new(),
        content: "<!-- wp:html -->\r\n\tx<!-- /wp:html -->".into(),
        tags: vec![3],
        categories: vec![],
        featured_media: Some(RemoteId(5)),
    }
}

fn upload() -> UploadRequest {
    UploadRequest {
        bytes: Bytes::from_static(b"\x89PNG bytes"),
        file_name: "a-0123456789ab.png".into(),
        mime: "image/png".into(),
        slug: Slug::sanitise("a-0123456789ab").unwrap(),
        title: "題".into(),
        alt_text: "alt".into(),
        caption: String::new(),
        private: true,
        md5_hex: "0123456789abcdef0123456789abcdef".into(),
        defer_sizes: false,
    }
}

async fn says(status: u16, headers: &'static str, body: &'static str) -> Scripted {
    Scripted::site(move |_| answer(status, headers, body)).await
}

fn id(sent: &Sent) -> Option<u64> {
    match &sent.outcome {
        Outcome::Created(created) => Some(created.id.0),
        Outcome::NotSent(_) | Outcome::Refused(_) | Outcome::Unknown(_) => None,
    }
}

#[tokio::test]
async fn a_draft_is_sent_whole_and_once() {
    let server = says(201, "", POST).await;
    let sent = client(&server).create_draft(permit(Kind::Post), &draft()).await;
    assert_eq!((sent.op_id.to_string().as_str(), id(&sent)), (OP, Some(7)));
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].starts_with("POST /wp-json/wp/v2/posts?_fields=id,type,"), "{}", seen[0]);
    for header in [
        &*format!("idempotency-key: \"{OP}\"\r\n"),
        "content-type: application/json\r\n",
        "authorization: Basic ",
    ] {
        assert!(seen[0].contains(header), "{header}: {}", seen[0]);
    }
    let (_, body) = seen[0].split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let draft = draft();
    assert_eq!(
        body,
        json!({"status": "draft", "slug": "猫", "title": draft.title, "content": draft.content, "tags": [3], "featured_media": 5})
    );
}

#[tokio::test]
async fn an_upload_is_one_form_with_its_digest() {
    let server = says(201, "", IMAGE).await;
    let client = client_at(&format!("http://{}/?rest_route=/", server.host));
    assert_eq!(id(&client.upload_image(permit(Kind::Image), &upload()).await), Some(8));
    let seen = server.seen().remove(0);
    assert!(seen.starts_with("POST /?rest_route=/wp/v2/media&_fields="), "{seen}");
    for part in [
        "content-md5: 0123456789abcdef0123456789abcdef\r\n",
        "name=\"slug\"\r\n\r\na-0123456789ab\r\n",
        "name=\"title\"\r\n\r\n題\r\n",
        "name=\"alt_text\"\r\n\r\nalt\r\n",
        "name=\"status\"\r\n\r\nprivate\r\n",
        "name=\"file\"; filename=\"a-0123456789ab.png\"\r\nContent-Type: image/png\r\n\r\n",
    ] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    assert!(!seen.contains("generate_sub_sizes"));
    let length = seen.split("content-length: ").nth(1).unwrap().split('\r').next().unwrap();
    assert!(length.parse::<usize>().unwrap() > 500);
}

#[tokio::test]
async fn changes_name_their_file() {
    let server = says(200, "", IMAGE).await;
    let client = client(&server);
    let attach = Attach { media: RemoteId(8), post: RemoteId(7), publish: true };
    assert_eq!(id(&client.attach(permit(Kind::Attach), attach).await), Some(8));
    assert_eq!(id(&client.post_process(permit(Kind::PostProcess), RemoteId(8)).await), Some(8));
    let seen = server.seen();
    assert!(
        seen[0].starts_with("POST /wp-json/wp/v2/media/8?")
            && seen[0].ends_with(r#"{"post":7,"status":"publish"}"#),
        "{}",
        seen[0]
    );
    assert!(
        seen[1].starts_with("POST /wp-json/wp/v2/media/8/post-process?")
            && seen[1].ends_with(r#"{"action":"create-image-subsizes"}"#)
    );
}

#[tokio::test]
async fn what_cannot_be_written_or_is_not_permitted_opens_no_connection() {
    let server = says(201, "", IMAGE).await;
    let client = client(&server);
    let wrong = [
        UploadRequest { file_name: "a\"\r\nX: y.png".into(), ..upload() },
        UploadRequest { mime: "image/png\r\nX: y".into(), ..upload() },
        UploadRequest { md5_hex: "a\nb".into(), ..upload() },
    ];
    let mut sents = vec![
        client.create_draft(permit(Kind::Image), &draft()).await,
        client.upload_image(permit(Kind::Post), &upload()).await,
    ];
    for request in &wrong {
        sents.push(client.upload_image(permit(Kind::Image), request).await);
    }
    for sent in sents {
        assert_eq!(sent.outcome, Outcome::NotSent(NotSent::NotPrepared));
    }
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn no_failure_sends_a_second_time() {
    let unknown = |cause| Outcome::Unknown(cause);
    let head = "HTTP/1.1 201 X\r\nContent-Length: 90\r\n\r\n{\"id\":";
    for (act, outcome) in [
        (Act::ReadThenClose, unknown(UnknownCause::ConnectionLost)),
        (Act::ReadThenReset, unknown(UnknownCause::ConnectionLost)),
        (Act::Say(head.into()), unknown(UnknownCause::ConnectionLost)),
        (Act::Say(answer(500, "", "{}").into()), unknown(UnknownCause::Status { status: 500, code: None })),
        (
            Act::Say(answer(503, "Retry-After: 1\r\n", "").into()),
            unknown(UnknownCause::Status { status: 503, code: None }),
        ),
        (
            Act::Say(answer(307, "Location: /wp-json/wp/v2/posts\r\n", "").into()),
            unknown(UnknownCause::Redirect { status: 307 }),
        ),
        (Act::Say(answer(200, "", "[]").into()), unknown(UnknownCause::Unreadable { status: 200 })),
        (Act::Say(answer(201, "", "").into()), unknown(UnknownCause::Unreadable { status: 201 })),
    ] {
        let server = Scripted::acts([
            act,
            Act::Say(answer(201, "", POST).into()),
            Act::Say(answer(201, "", POST).into()),
        ])
        .await;
        let sent = client(&server).create_draft(permit(Kind::Post), &draft()).await;
        assert_eq!(sent.outcome, outcome);
        assert_eq!(server.lines().len(), 1);
    }
}

#[tokio::test]
async fn a_site_that_cannot_be_reached_was_sent_nothing() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let root = format!("http://{}/wp-json/", listener.local_addr().unwrap());
    drop(listener);
    let sent = client_at(&root).create_draft(permit(Kind::Post), &draft()).await;
    assert_eq!(sent.outcome, Outcome::NotSent(NotSent::Connect));
}

#[tokio::test]
async fn a_failing_database_is_a_refusal_only_where_a_character_explains_it() {
    let server = says(500, "", r#"{"code":"db_insert_error"}"#).await;
    let client = client(&server);
    let plain = client.create_draft(permit(Kind::Post), &draft()).await;
    assert!(matches!(plain.outcome, Outcome::Unknown(_)));
    let four =
        client.create_draft(permit(Kind::Post), &DraftRequest { content: "𩸽".into(), ..draft() }).await;
    assert!(matches!(four.outcome, Outcome::Refused(_)));
}

#[tokio::test]
async fn only_fields_that_are_recorded_are_asked_back() {
    let server = says(201, "", POST).await;
    let sent = client(&server).create_draft(permit(Kind::Post), &draft()).await;
    assert_eq!(id(&sent), Some(7));
    let fields = parameter(&server.seen()[0], "_fields").unwrap();
    assert!(fields.split(',').any(|field| field == "content.raw") && !fields.contains("rendered"));
}

/// Sends what is answered with a `Location` and half a body; the site then shows this row.
async fn located(row: serde_json::Value, image: bool) -> Outcome {
    let body = serde_json::json!([row]).to_string();
    let server = Scripted::site(move |request| {
        if request.starts_with("POST") {
            let collection = if image { "media" } else { "posts" };
            format!("HTTP/1.1 201 X\r\nLocation: /wp/v2/{collection}/7\r\nContent-Length: 90\r\nConnection: close\r\n\r\n{{")
        } else {
            crate::scripted::list(1, &body)
        }
    })
    .await;
    let client = client(&server);
    client.user.store(3, Ordering::Relaxed);
    let posts = |lines: Vec<String>| lines.iter().filter(|line| line.starts_with("POST")).count();
    let outcome = if image {
        client.upload_image(permit(Kind::Image), &upload()).await.outcome
    } else {
        let permit = permit(Kind::Post);
        let content = format!("<!-- wp:paragraph {{\"ichido\":\"{}\"}} -->", permit.op_id());
        client.create_draft(permit, &DraftRequest { content, ..draft() }).await.outcome
    };
    assert_eq!(posts(server.lines()), 1);
    outcome
}

#[tokio::test]
async fn an_id_that_only_the_head_tells_is_believed_where_the_row_is_ours() {
    use serde_json::json;
    let op_id = permit(Kind::Post).op_id();
    let (slug, title) = (upload().slug.as_str().to_owned(), upload().title);
    let post = |content: &str, author: u64| json!({"id": 7, "slug": "s", "status": "draft", "author": author, "content": {"raw": content}});
    let image = |slug: &str, title: &str, author: u64| json!({"id": 7, "slug": slug, "status": "private", "author": author, "title": {"raw": title}});
    let ours = format!("before {op_id} after");
    for (row, is_image, believed) in [
        (post(&ours, 3), false, true),
        (post(&ours, 4), false, false),
        (post("of somebody else", 3), false, false),
        (image(&slug, &title, 3), true, true),
        (image(&format!("{slug}-2"), &title, 3), true, true),
        (image(&format!("{slug}-two"), &title, 3), true, false),
        (image(&slug, "other", 3), true, false),
        (image(&slug, &title, 4), true, false),
    ] {
        let outcome = located(row.clone(), is_image).await;
        if let Outcome::Created(created) = outcome {
            assert!(believed && created.row.is_some() && created.id == RemoteId(7), "{row}");
        } else {
            assert_eq!(outcome, Outcome::Unknown(UnknownCause::Unreadable { status: 201 }), "{row}");
            assert!(!believed, "{row}");
        }
    }
}
