//! The REST index and the post type.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Params;
use crate::callers::Caller;
use crate::options::Language;
use crate::site::Site;

/// The name that the site goes by.
pub(crate) fn site_name(language: Language) -> &'static str {
    match language {
        Language::Japanese => "Ichido 練習サイト",
        Language::English => "Ichido practice site",
    }
}

/// The REST index.
pub(crate) fn index(site: &Site) -> Answer {
    let mut routes = Map::new();
    for route in ["posts", "media", "categories", "tags", "users/me", "types"] {
        routes.insert(format!("/wp/v2/{route}"), json!({ "namespace": "wp/v2" }));
    }
    let zone = if site.gmt_offset_hours == 9 { "Asia/Tokyo" } else { "" };
    Answer::json(
        200,
        &json!({
            "name": site_name(site.language), "description": "", "url": site.url, "home": site.url,
            "gmt_offset": site.gmt_offset_hours, "timezone_string": zone,
            "namespaces": ["oembed/1.0", "wp/v2"],
            "authentication": {
                "application-passwords": {
                    "endpoints": { "authorization": format!("{}/wp-admin/authorize-application.php", site.url) },
                },
            },
            "routes": routes, "site_logo": 0, "site_icon": 0,
            "_links": { "help": [{ "href": "https://developer.wordpress.org/rest-api/" }] },
        }),
    )
}

/// The post type `post`, with its capability names for those who may edit.
pub(crate) fn post_type(site: &Site, caller: &Caller, params: &Params) -> Reply {
    let edits = params.edits()?;
    if edits && !caller.can("edit_posts") {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden_context"));
    }
    let name = match site.language {
        Language::Japanese => "投稿",
        Language::English => "Posts",
    };
    let mut body = json!({
        "description": "", "hierarchical": false, "has_archive": false, "name": name, "slug": "post",
        "taxonomies": ["category", "post_tag"], "rest_base": "posts", "rest_namespace": "wp/v2",
    });
    if edits {
        let names =
            ["edit_post", "read_post", "delete_post", "edit_posts", "edit_others_posts", "publish_posts"];
        let capabilities: Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), json!(name))).collect();
        body["capabilities"] = Value::Object(capabilities);
        body["viewable"] = json!(true);
        body["supports"] = json!({ "title": true, "editor": true, "author": true, "thumbnail": true, "excerpt": true, "revisions": true });
    }
    Ok(Answer::json(200, &body))
}
