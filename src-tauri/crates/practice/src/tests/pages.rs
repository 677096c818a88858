use super::*;
use crate::{Fault, Status};

const HOSTILE: &str = "<script>alert(1)</script>\"'&";

#[tokio::test]
async fn pages_speak_two_languages_and_escape_all() {
    let bench = bench().await;
    let id = bench.handle.write_draft(3, HOSTILE, "日本", HOSTILE);
    for path in [
        "/wp-admin/edit.php?post_status=draft&s=".to_owned(),
        format!("/wp-admin/post.php?post={id}&action=edit"),
        format!("/?p={id}&preview=true"),
        "/wp-admin/edit.php?s=%3Cscript%3Ealert(1)".to_owned(),
        "/wp-admin/upload.php?search=x".to_owned(),
        "/".to_owned(),
    ] {
        let japanese = bench.page(&path, "ja,en;q=0.5").await;
        let english = bench.page(&path, "en-US").await;
        assert_eq!((japanese.status, english.status), (200, 200), "{path}");
        assert!(japanese.text.contains("練習サイト") && japanese.text.contains("lang=\"ja\""), "{path}");
        assert!(english.text.contains("Practice site") && !english.text.contains("練習"), "{path}");
        assert!(!japanese.text.contains("<script"), "{path}");
        assert!(japanese.header("content-security-policy").contains("frame-ancestors 'none'"));
    }
    assert!(bench.page(&format!("/wp-admin/post.php?post={id}"), "en").await.text.contains("日本"));
    assert_eq!(bench.page("/wp-admin/post.php?post=99&action=edit", "en").await.status, 404);
    assert_eq!(bench.page("/nothing/", "en").await.status, 404);
    assert!(bench.page("/practice/style.css", "en").await.header("content-type").starts_with("text/css"));
}

#[tokio::test]
async fn lists_show_what_is_asked_for() {
    let bench = bench().await;
    bench.draft("practice", "alpha").await;
    let published = bench.draft("practice", "beta").await.id();
    bench.handle.publish_post(published);
    let drafts = bench.page("/wp-admin/edit.php?post_status=draft", "en").await.text;
    assert!(drafts.contains(">alpha</a>") && !drafts.contains(">beta</a>"));
    let found = bench.page("/wp-admin/edit.php?s=BETA", "en").await.text;
    assert!(found.contains(">beta</a>") && !found.contains(">alpha</a>"));
    assert!(bench.page("/beta/", "en").await.text.contains("<h1>beta</h1>"));
}

#[tokio::test]
async fn switches_work_from_the_overview_only() {
    let bench = bench().await;
    let press = async |act: &str, origin: Option<&str>| {
        let request =
            bench.client.post(format!("{}/practice/switch", bench.site.url())).form(&[("act", act)]);
        let request = match origin {
            Some(origin) => request.header("origin", origin),
            None => request,
        };
        read(request).await.unwrap().status
    };
    let own = bench.site.url().to_owned();
    assert_eq!(press("lose", None).await, 403);
    assert_eq!(press("lose", Some("https://example.com")).await, 403);
    assert_eq!(press("lose", Some("null")).await, 403);
    assert!(bench.handle.faults().waiting().is_empty());
    assert_eq!(press("lose", Some(&own)).await, 303);
    assert_eq!(bench.handle.faults().waiting()[0].1, Fault::CommitThenDropResponse);
    assert!(bench.page("/", "en").await.text.contains("Trouble to come"));
    assert_eq!(press("clear", Some(&own)).await, 303);
    assert_eq!(press("hide", Some(&own)).await, 303);
    bench.draft("practice", "a").await;
    assert!(bench.get("practice", "posts?status=any").await.ids().is_empty());
    assert!(bench.page("/wp-admin/edit.php", "en").await.text.contains("hidden from look-ups"));
    assert_eq!(press("show", Some(&own)).await, 303);
    assert_eq!(bench.get("practice", "posts?status=any").await.ids(), [1]);
    assert_eq!(press("broken", Some(&own)).await, 303);
    let got = bench.post("practice", "posts", serde_json::json!({ "status": "draft", "title": "b" })).await;
    assert_eq!((got.status, bench.handle.posts().len()), (502, 2));
}

#[tokio::test]
async fn other_names_for_this_computer_are_turned_away() {
    let bench = bench().await;
    for (host, status) in [("evil.example", 403), ("127.0.0.1:1", 403), ("", 403)] {
        let request = bench.client.get(format!("{}/wp-json/", bench.site.url())).header("host", host);
        assert_eq!(read(request).await.unwrap().status, status, "{host}");
    }
    let port = bench.site.url().rsplit(':').next().unwrap().to_owned();
    let request = bench
        .client
        .get(format!("{}/wp-json/", bench.site.url()))
        .header("host", format!("localhost:{port}"));
    assert_eq!(read(request).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_seeded_site_has_something_to_look_at() {
    let bench = bench_with(Options { seed_posts: true, ..options() }).await;
    let statuses: Vec<Status> = bench.handle.posts().iter().map(|post| post.status).collect();
    assert_eq!(statuses, [Status::Publish, Status::Draft]);
    assert_eq!(bench.get("", "posts").await.ids(), [1]);
}
