//! A media item as the REST API shows it, and the files that are served for it.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::callers::Caller;
use crate::media::{files, may_edit};
use crate::options::{Permalinks, Release};
use crate::rows::Media;
use crate::site::Site;

/// Where the uploads lie.
const UPLOADS: &str = "wp-content/uploads";

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path of the full picture as readers get it.
fn full_path(item: &Media) -> String {
    if item.scaled { files::with_suffix(&item.path, "-scaled") } else { item.path.clone() }
}

fn url_of(site: &Site, path: &str) -> String {
    format!("{}/{UPLOADS}/{path}", site.url)
}

/// The address at which readers find the page of a media item.
fn address(site: &Site, item: &Media) -> String {
    match site.permalinks {
        Permalinks::Pretty => format!("{}/{}/", site.url, item.slug),
        Permalinks::Plain => format!("{}/?attachment_id={}", site.url, item.id),
    }
}

/// Every path below the uploads at which a media item's file is found. All of them hold the bytes that were sent.
fn paths(item: &Media) -> Vec<String> {
    let mut paths = vec![item.path.clone()];
    if item.scaled {
        paths.push(full_path(item));
    }
    if !item.unfinished {
        for (_, wide, high) in files::smaller(item.width, item.height) {
            paths.push(files::with_suffix(&item.path, &format!("-{wide}x{high}")));
        }
    }
    paths
}

/// Finds the uploaded file behind an address.
pub(crate) fn served(site: &Site, path: &str) -> Option<(&'static str, Bytes)> {
    let wanted = path.strip_prefix("/wp-content/uploads/")?;
    let item = site.media.values().find(|item| paths(item).iter().any(|path| path == wanted))?;
    Some((item.mime, item.bytes.clone()))
}

fn details(site: &Site, item: &Media) -> Value {
    let (width, height) = files::full(item.width, item.height, item.scaled);
    let full = full_path(item);
    let mut sizes = Map::new();
    if !item.unfinished {
        for (name, wide, high) in files::smaller(item.width, item.height) {
            let path = files::with_suffix(&item.path, &format!("-{wide}x{high}"));
            sizes.insert(
                name.to_owned(),
                json!({
                    "file": base(&path), "width": wide, "height": high, "filesize": item.bytes.len(),
                    "mime_type": item.mime, "source_url": url_of(site, &path),
                }),
            );
        }
        if !sizes.is_empty() {
            sizes.insert(
                "full".to_owned(),
                json!({
                    "file": base(&full), "width": width, "height": height,
                    "mime_type": item.mime, "source_url": url_of(site, &full),
                }),
            );
        }
    }
    let mut details = json!({
        "width": width, "height": height, "file": full, "filesize": item.bytes.len(), "sizes": sizes,
        "image_meta": { "aperture": "0", "camera": "", "caption": "", "title": "", "orientation": "0", "keywords": [] },
    });
    if item.scaled {
        details["original_image"] = json!(base(&item.path));
    }
    details
}

/// A media item as JSON; with `edits` everything that an editor needs.
pub(crate) fn body(site: &Site, caller: &Caller, item: &Media, edits: bool) -> Value {
    let rendered = |text: &str| if text.is_empty() { String::new() } else { format!("<p>{text}</p>\n") };
    let full = url_of(site, &full_path(item));
    let mut body = json!({
        "id": item.id,
        "date": site.local(item.date),
        "date_gmt": Site::gmt(item.date),
        "guid": { "rendered": url_of(site, &item.path) },
        "modified": site.local(item.modified),
        "modified_gmt": Site::gmt(item.modified),
        "slug": item.slug,
        "status": item.status.word(),
        "type": "attachment",
        "link": address(site, item),
        "title": { "rendered": item.title },
        "author": item.author,
        "comment_status": "open",
        "ping_status": "closed",
        "template": "",
        "meta": [],
        "description": { "rendered": rendered(&item.description), "raw": item.description },
        "caption": { "rendered": rendered(&item.caption), "raw": item.caption },
        "alt_text": item.alt_text,
        "media_type": "image",
        "mime_type": item.mime,
        "media_details": details(site, item),
        "post": if item.parent == 0 { Value::Null } else { json!(item.parent) },
        "source_url": full,
        "_links": {
            "self": [{ "href": site.rest_url(&format!("wp/v2/media/{}", item.id)) }],
            "collection": [{ "href": site.rest_url("wp/v2/media") }],
            "author": [{ "href": site.rest_url(&format!("wp/v2/users/{}", item.author)) }],
        },
    });
    if site.release >= Release::V7_1 {
        body["featured_media"] = json!(0);
        body["filename"] = json!(base(&item.path));
        body["filesize"] = json!(item.bytes.len());
        body["class_list"] = json!([format!("post-{}", item.id), "attachment", "type-attachment"]);
    }
    if edits {
        let missing = if item.unfinished { files::missing(item.width, item.height) } else { Vec::new() };
        body["title"]["raw"] = json!(item.title);
        body["guid"]["raw"] = json!(url_of(site, &item.path));
        body["missing_image_sizes"] = json!(missing);
        body["permalink_template"] = json!(address(site, item));
        body["generated_slug"] = json!(item.slug);
        if site.release >= Release::V7_1 {
            body["exif_orientation"] = json!(1);
            body["image_output_format"] = Value::Null;
            body["image_quality"] = json!({ "default": 82, "sizes": [] });
            body["image_save_progressive"] = json!(false);
        }
        if may_edit(caller, item) && caller.can("unfiltered_html") {
            body["_links"]["wp:action-unfiltered-html"] =
                json!([{ "href": site.rest_url(&format!("wp/v2/media/{}", item.id)) }]);
        }
    } else {
        for part in ["description", "caption"] {
            if let Some(map) = body[part].as_object_mut() {
                map.remove("raw");
            }
        }
    }
    body
}
