use serde_json::json;

use super::*;
use crate::{Fault, Kind, Release, When};

fn form(name: &str, bytes: Vec<u8>) -> reqwest::multipart::Form {
    reqwest::multipart::Form::new()
        .part("file", reqwest::multipart::Part::bytes(bytes).file_name(name.to_owned()))
}

impl Bench {
    async fn upload(&self, user: &str, form: reqwest::multipart::Form) -> Got {
        read(self.request(user, reqwest::Method::POST, "media").multipart(form)).await.unwrap()
    }
}

#[tokio::test]
async fn a_picture_is_uploaded_with_its_words_and_served() {
    let bench = bench().await;
    let sum = {
        use md5::Digest as _;
        md5::Md5::digest(png()).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let form = form("Photo.PNG", png())
        .text("slug", "photo-0123456789ab")
        .text("title", "写真")
        .text("alt_text", "空")
        .text("caption", "夕方")
        .text("status", "private");
    let request =
        bench.request("practice", reqwest::Method::POST, "media").header("content-md5", &sum).multipart(form);
    let got = read(request).await.unwrap();
    assert_eq!(got.status, 201, "{}", got.text);
    let body = got.json();
    assert_eq!(body["slug"], "photo-0123456789ab");
    assert_eq!(body["status"], "private");
    assert_eq!(
        (body["title"]["raw"].as_str(), body["alt_text"].as_str(), body["caption"]["raw"].as_str()),
        (Some("写真"), Some("空"), Some("夕方"))
    );
    assert_eq!(body["media_details"]["width"], 1);
    assert_eq!(body["media_details"]["filesize"], png().len());
    assert_eq!((body["post"].is_null(), body["mime_type"].as_str()), (true, Some("image/png")));
    assert_eq!(body["source_url"], format!("{}/wp-content/uploads/2026/01/Photo.png", bench.site.url()));
    assert!(got.header("location").ends_with(&format!("/media/{}", got.id())));
    let served = bench.client.get(body["source_url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(served.headers()["content-type"], "image/png");
    assert_eq!(served.bytes().await.unwrap(), png());
}

#[tokio::test]
async fn raw_bodies_are_named_by_their_disposition() {
    let bench = bench().await;
    let send = |disposition: &'static str, bytes: Vec<u8>| {
        let request = bench.request("practice", reqwest::Method::POST, "media?title=Raw&alt_text=x");
        read(
            request
                .header("content-type", "image/png")
                .header("content-disposition", disposition)
                .body(bytes),
        )
    };
    let got = send("attachment; filename=\"wrong.jpg\"", png()).await.unwrap().json();
    assert_eq!(
        (got["title"]["raw"].as_str(), got["slug"].as_str(), got["alt_text"].as_str()),
        (Some("Raw"), Some("raw"), Some("x"))
    );
    assert!(got["source_url"].as_str().unwrap().ends_with("/wrong.png"));
    assert_eq!(
        send("attachment; filename*=UTF-8''x.png", png()).await.unwrap().code(),
        "rest_upload_invalid_disposition"
    );
    assert_eq!(
        send("attachment; filename=a.png", b"text".to_vec()).await.unwrap().code(),
        "rest_upload_sideload_error"
    );
    assert_eq!(bench.handle.media().len(), 1);
}

#[tokio::test]
async fn refused_uploads_leave_nothing() {
    let bench = bench_with(Options { max_upload: 1000, ..options() }).await;
    assert_eq!(bench.upload("contributor", form("a.png", png())).await.code(), "rest_cannot_create");
    assert_eq!(bench.upload("", form("a.png", png())).await.status, 401);
    let svg = bench.upload("practice", form("a.svg", b"<svg/>".to_vec())).await;
    assert_eq!((svg.status, svg.code().as_str()), (500, "rest_upload_unknown_error"));
    assert_eq!(bench.upload("practice", form("a.exe", png())).await.status, 500);
    let big = [png(), vec![0; 2000]].concat();
    assert_eq!(bench.upload("practice", form("a.png", big)).await.status, 413);
    let huge = [png(), vec![0; 600_000]].concat();
    assert_eq!(bench.upload("practice", form("a.png", huge)).await.status, 413);
    let request = bench.request("practice", reqwest::Method::POST, "media").header("content-md5", "AAAA");
    let got = read(request.multipart(form("a.png", png()))).await.unwrap();
    assert_eq!((got.status, got.code().as_str()), (412, "rest_upload_hash_mismatch"));
    let nothing = bench.upload("practice", reqwest::multipart::Form::new().text("title", "x")).await;
    assert_eq!(nothing.code(), "rest_upload_no_data");
    assert!(bench.handle.media().is_empty());
}

#[tokio::test]
async fn the_store_is_bounded() {
    let bench = bench_with(Options { max_stored: 50, ..options() }).await;
    assert_eq!(bench.upload("practice", form("a.png", png())).await.status, 201);
    assert_eq!(bench.upload("practice", form("b.png", png())).await.code(), "rest_upload_limited_space");
}

#[tokio::test]
async fn media_slugs_are_unique_over_posts_as_well() {
    let bench = bench().await;
    bench.draft("practice", "au").await;
    let got = bench.upload("practice", form("au.png", png())).await;
    assert_eq!(got.json()["slug"], "au-2");
    let again = bench.upload("practice", form("au.png", png())).await;
    assert_eq!(again.json()["slug"], "au-3");
    assert!(again.json()["source_url"].as_str().unwrap().ends_with("/au-1.png"));
    assert_eq!(bench.draft("practice", "au-2").await.json()["slug"], "au-2");
}

#[tokio::test]
async fn media_are_looked_up_by_slug_status_parent_and_words() {
    let bench = bench().await;
    let post = bench.draft("practice", "p").await.id();
    let other = bench.draft("other", "q").await.id();
    let private = bench.upload("practice", form("a.png", png()).text("status", "private")).await.id();
    let attached = bench.upload("practice", form("b.png", png()).text("post", post.to_string())).await.id();
    let foreign = bench.upload("practice", form("c.png", png()).text("post", other.to_string())).await;
    assert_eq!((foreign.status, foreign.code().as_str()), (403, "rest_cannot_edit"));
    let find = |query: &str| format!("media?context=edit&orderby=id&order=asc&{query}");
    assert_eq!(bench.get("practice", &find("status=inherit,private,trash")).await.ids(), [private, attached]);
    assert_eq!(bench.get("practice", &find("slug=a")).await.ids(), [0; 0]);
    assert_eq!(bench.get("practice", &find("slug=a&status=private")).await.ids(), [private]);
    assert_eq!(bench.get("practice", &find(&format!("parent={post}"))).await.ids(), [attached]);
    assert_eq!(
        bench.get("practice", &find(&format!("include={private}&status=private"))).await.ids(),
        [private]
    );
    assert_eq!(bench.get("practice", &find("search=b.png")).await.ids(), [attached]);
    assert_eq!(bench.get("practice", &find("status=any")).await.code(), "rest_invalid_param");
    assert_eq!(bench.get("", &format!("media/{attached}")).await.status, 401);
    let free = bench.upload("practice", form("d.png", png())).await.id();
    assert_eq!(bench.get("", &format!("media/{free}")).await.status, 200);
    let nested = bench.get("practice", &format!("media/{free}?_fields=id,media_details.sizes")).await.json();
    assert_eq!(nested, json!({ "id": free }));
}

#[tokio::test]
async fn updating_attaches_and_opens() {
    let bench = bench().await;
    let post = bench.draft("practice", "p").await.id();
    let id = bench.upload("practice", form("a.png", png()).text("status", "private")).await.id();
    let route = format!("media/{id}");
    let got = bench
        .post("practice", &route, json!({ "post": post, "status": "publish", "alt_text": "neu" }))
        .await
        .json();
    assert_eq!(
        (got["post"].as_u64(), got["status"].as_str(), got["alt_text"].as_str()),
        (Some(post), Some("inherit"), Some("neu"))
    );
    assert_eq!(bench.post("other", &route, json!({ "alt_text": "x" })).await.code(), "rest_cannot_edit");
    assert_eq!(bench.post("practice", &route, json!({ "status": "inherit" })).await.status, 200);
    assert_eq!(
        bench.post("practice", &route, json!({ "status": "trash" })).await.code(),
        "rest_invalid_param"
    );
    let draft = json!({ "status": "draft", "title": "f", "featured_media": id });
    assert_eq!(bench.post("practice", "posts", draft).await.json()["featured_media"], id);
    let unknown = json!({ "status": "draft", "title": "f", "featured_media": 999 });
    assert_eq!(bench.post("practice", "posts", unknown).await.json()["featured_media"], 0);
    assert_eq!(bench.delete("practice", &route).await.code(), "rest_trash_not_supported");
    assert_eq!(bench.delete("practice", &format!("{route}?force=true")).await.json()["deleted"], true);
    assert_eq!(bench.get("practice", &route).await.status, 404);
}

#[tokio::test]
async fn a_broken_upload_is_there_and_can_be_finished() {
    let bench = bench().await;
    bench.handle.faults().push(When::next(Kind::UploadMedia), Fault::MediaFatalAfterInsert);
    let got = bench.upload("practice", form("a.png", png_of(3000, 1000))).await;
    assert_eq!((got.status, got.code().as_str()), (500, "internal_server_error"));
    let id: u64 = got.header("x-wp-upload-attachment-id").parse().unwrap();
    let before = bench.get("practice", &format!("media/{id}?context=edit")).await.json();
    assert_eq!(before["missing_image_sizes"].as_array().unwrap().len(), 6);
    for _ in 0..2 {
        let done = bench
            .post(
                "practice",
                &format!("media/{id}/post-process"),
                json!({ "action": "create-image-subsizes" }),
            )
            .await;
        assert_eq!(done.json()["missing_image_sizes"], json!([]));
        assert_eq!(done.json()["media_details"]["original_image"], "a.png");
        assert!(done.json()["source_url"].as_str().unwrap().ends_with("a-scaled.png"));
    }
    assert_eq!(bench.handle.media().len(), 1);
    assert_eq!(
        bench.post("practice", &format!("media/{id}/post-process"), json!({})).await.code(),
        "rest_missing_callback_param"
    );
}

#[tokio::test]
async fn large_pictures_get_smaller_ones_that_are_served() {
    let bench = bench_with(Options { release: Release::V6_1, ..options() }).await;
    let got = bench.upload("practice", form("a.png", png_of(3000, 1000))).await.json();
    assert!(got["media_details"].get("original_image").is_none());
    assert_eq!(got["media_details"]["width"], 3000);
    let medium = got["media_details"]["sizes"]["medium"].clone();
    assert_eq!((medium["width"].as_u64(), medium["height"].as_u64()), (Some(300), Some(100)));
    assert_eq!(
        bench.client.get(medium["source_url"].as_str().unwrap()).send().await.unwrap().status().as_u16(),
        200
    );
    assert_eq!(bench.page("/wp-content/uploads/2026/01/none.png", "en").await.status, 404);
}
