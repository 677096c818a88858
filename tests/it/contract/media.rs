use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Reply, Rest, Site, Who, http};
use md5::{Digest, Md5};
use serde_json::json;

use super::{draft, draft_with, on_every_site};

/// A PNG of one pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x08, 0xd7, 0x63,
    0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];

fn md5(bytes: &[u8]) -> String {
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn upload(rest: &Rest, slug: &str) -> Reply {
    let made = rest.upload(&format!("{slug}.png"), "image/png", PIXEL, &[("slug", slug)]).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made
}

on_every_site! {
    async fn an_upload_is_answered_with_itself(site: &Site) {
        let rest = site.rest(Who::Author);
        let fields = [("slug", "photo-0123456789ab"), ("title", "題"), ("alt_text", "代替"), ("caption", "説明")];
        let made = rest.upload("photo-0123456789ab.png", "image/png", PIXEL, &fields).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let id = made.id();
        assert_eq!(made.header("location"), Some(format!("{}/wp-json/wp/v2/media/{id}", site.url()).as_str()));
        assert_eq!(made.header("x-wp-upload-attachment-id"), Some(id.to_string().as_str()));
        assert_eq!(made.json["slug"], "photo-0123456789ab");
        assert_eq!(made.json["type"], "attachment");
        assert_eq!(made.json["mime_type"], "image/png");
        assert_eq!(made.json["alt_text"], "代替");
        assert_eq!(made.json["title"]["raw"], "題");
        assert_eq!(made.json["caption"]["raw"], "説明");
        assert_eq!((made.json["media_details"]["width"].as_u64(), made.json["media_details"]["height"].as_u64()), (Some(1), Some(1)));
        let address = made.json["source_url"].as_str().expect("a file has an address");
        assert!(address.ends_with("/photo-0123456789ab.png"), "{address}");
        let file = http().get(address).send().await.expect("the file is served").bytes().await.expect("the file is whole");
        assert_eq!(file, PIXEL, "the original bytes are kept");
    }

    async fn a_digest_that_does_not_fit_is_refused(site: &Site) {
        let rest = site.rest(Who::Author);
        let wrong = rest.form("a.png", "image/png", PIXEL, &[("slug", "a")]).header("Content-MD5", md5(b"other"));
        let refused = Rest::send(wrong).await.expect("an answer comes");
        assert_eq!((refused.status, refused.code()), (412, "rest_upload_hash_mismatch"));
        assert_eq!(site.media().await, []);
        let right = rest.form("a.png", "image/png", PIXEL, &[("slug", "a")]).header("Content-MD5", md5(PIXEL));
        assert_eq!(Rest::send(right).await.expect("an answer comes").status, 201);
    }

    async fn a_file_that_is_no_image_is_refused(site: &Site) {
        let rest = site.rest(Who::Author);
        for (name, kind, bytes) in [
            ("a.svg", "image/svg+xml", &b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..]),
            ("a.exe", "application/octet-stream", &b"MZ"[..]),
            ("a.png", "image/png", &b"not a picture"[..]),
        ] {
            let refused = rest.upload(name, kind, bytes, &[]).await;
            assert_eq!((refused.status, refused.code()), (500, "rest_upload_unknown_error"), "{name}");
        }
        assert_eq!(site.media().await, []);
    }

    async fn a_contributor_may_not_upload(site: &Site) {
        let refused = site.rest(Who::Contributor).upload("a.png", "image/png", PIXEL, &[]).await;
        assert_eq!((refused.status, refused.code()), (403, "rest_cannot_create"));
        let allowed = |reply: &Reply| reply.header("allow").unwrap_or_default().contains("POST");
        assert!(allowed(&site.rest(Who::Author).options("wp/v2/media").await));
        assert!(!allowed(&site.rest(Who::Contributor).options("wp/v2/media").await));
    }

    async fn a_resend_makes_a_second_file(site: &Site) {
        let rest = site.rest(Who::Author);
        upload(&rest, "twice").await;
        let second = upload(&rest, "twice").await;
        assert_eq!(second.json["slug"], "twice-2");
        assert_eq!(site.media().await.len(), 2);
    }

    async fn media_are_found_by_slug(site: &Site) {
        let rest = site.rest(Who::Author);
        let id = upload(&rest, "found").await.id();
        let find = async |status: &str| rest.get("wp/v2/media", &[("slug", "found"), ("status", status), ("context", "edit")]).await;
        let found = find("inherit,private,trash").await;
        assert_eq!((found.ids(), found.total()), (vec![id], Some(1)));
        let refused = find("any").await;
        assert_eq!((refused.status, refused.code()), (400, "rest_invalid_param"));
        site.delete_media(id).await;
        let gone = find("inherit,private,trash").await;
        assert_eq!((gone.ids(), gone.total()), (vec![], Some(0)));
    }

    async fn media_are_found_by_id_and_parent(site: &Site) {
        let rest = site.rest(Who::Author);
        let post = draft(&rest, "parent").await.id();
        let id = upload(&rest, "child").await.id();
        let attached = rest.post(&format!("wp/v2/media/{id}"), json!({ "post": post })).await;
        assert_eq!((attached.status, attached.json["post"].as_u64()), (200, Some(post)));
        let found = rest.get("wp/v2/media", &[("parent", &post.to_string()), ("context", "edit")]).await;
        assert_eq!(found.ids(), [id]);
        let include = rest.get("wp/v2/media", &[("include", &id.to_string()), ("status", "inherit,private,trash"), ("context", "edit")]).await;
        assert_eq!(include.ids(), [id]);
        assert_eq!(site.media().await[0].parent, post);
    }

    async fn an_upload_may_be_private_until_it_is_attached(site: &Site) {
        let rest = site.rest(Who::Author);
        let post = draft(&rest, "with-picture").await.id();
        let made = rest.upload("p.png", "image/png", PIXEL, &[("slug", "p"), ("status", "private")]).await;
        assert_eq!((made.status, made.json["status"].as_str()), (201, Some("private")));
        let route = format!("wp/v2/media/{}", made.id());
        assert_eq!(site.rest_anonymous().get(&route, &[]).await.status, 401);
        let attached = rest.post(&route, json!({ "post": post, "status": "publish" })).await;
        assert_eq!(attached.status, 200, "{}", attached.text());
        assert_eq!(site.media().await[0].status, "inherit");
        assert_eq!(site.rest_anonymous().get(&route, &[]).await.status, 401, "its post is a draft");
    }

    async fn an_unattached_upload_is_open_to_strangers(site: &Site) {
        let id = upload(&site.rest(Who::Author), "open").await.id();
        assert_eq!(site.rest_anonymous().get(&format!("wp/v2/media/{id}"), &[]).await.status, 200);
    }

    async fn a_featured_image_is_set_with_the_post(site: &Site) {
        let rest = site.rest(Who::Author);
        let image = upload(&rest, "cover").await.id();
        let made = draft_with(&rest, json!({ "slug": "c", "title": "C", "featured_media": image })).await;
        assert_eq!(made.json["featured_media"], image);
        assert_eq!(site.posts().await[0].featured_media, image);
    }

    async fn a_half_done_upload_tells_its_id_and_can_be_finished(site: &Site) {
        let rest = site.rest(Who::Author);
        site.inject(When::next(Kind::UploadMedia), Fault::MediaFatalAfterInsert);
        let half = rest.upload("half.png", "image/png", PIXEL, &[("slug", "half")]).await;
        assert_eq!(half.status, 500);
        let id: u64 = half.header("x-wp-upload-attachment-id").expect("the id is told").parse().expect("it is a number");
        assert_eq!(site.media().await.iter().map(|media| media.id).collect::<Vec<_>>(), [id]);
        for _ in 0..2 {
            let route = format!("wp/v2/media/{id}/post-process");
            let finished = rest.post(&route, json!({ "action": "create-image-subsizes" })).await;
            assert_eq!((finished.status, finished.id()), (200, id));
        }
        assert_eq!(site.media().await.len(), 1);
    }

    async fn sizes_can_wait_where_the_site_says_so(site: &Site) {
        let rest = site.rest(Who::Author);
        let told = rest.options("wp/v2/media").await;
        let endpoints = told.json["endpoints"].as_array().expect("endpoints").clone();
        let post = endpoints.iter().find(|endpoint| endpoint["methods"] == json!(["POST"])).expect("uploads");
        assert_eq!(post["args"]["generate_sub_sizes"].is_object(), !site.is_old(), "{post}");
        let mut picture = Vec::new();
        image::DynamicImage::new_rgb8(900, 400)
            .write_to(&mut std::io::Cursor::new(&mut picture), image::ImageFormat::Png)
            .expect("a picture");
        let made = rest.upload("later.png", "image/png", &picture, &[("generate_sub_sizes", "false")]).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let lacks = |reply: &Reply| reply.json["missing_image_sizes"].as_array().is_some_and(|names| !names.is_empty());
        assert_eq!(lacks(&made), !site.is_old(), "{}", made.text());
        assert!(made.json["media_details"]["filesize"].is_u64(), "{}", made.text());
        let finished = rest.post(&format!("wp/v2/media/{}/post-process", made.id()), json!({ "action": "create-image-subsizes" })).await;
        assert_eq!((finished.status, lacks(&finished)), (200, false), "{}", finished.text());
        assert_eq!(finished.json["source_url"], made.json["source_url"], "the picture itself stays where it is");
    }

    async fn deleting_media_needs_force(site: &Site) {
        let rest = site.rest(Who::Author);
        let route = format!("wp/v2/media/{}", upload(&rest, "gone").await.id());
        let refused = rest.delete(&route, &[]).await;
        assert_eq!((refused.status, refused.code()), (501, "rest_trash_not_supported"));
        assert_eq!(rest.delete(&route, &[("force", "true")]).await.status, 200);
        assert_eq!(site.media().await, []);
    }
}
