//! A post as the REST API shows it.

use serde_json::{Map, Value, json};

use crate::blocks;
use crate::callers::Caller;
use crate::options::{Permalinks, Release};
use crate::posts::{may_edit, meta};
use crate::rows::{Post, Status};
use crate::site::Site;
use crate::slugs;

/// The address at which readers find a post.
pub(crate) fn address(site: &Site, post: &Post) -> String {
    let pretty = site.permalinks == Permalinks::Pretty
        && !matches!(post.status, Status::Draft | Status::Pending | Status::Future | Status::Trash);
    if pretty { format!("{}/{}/", site.url, post.slug) } else { format!("{}/?p={}", site.url, post.id) }
}

/// A post as JSON; with `edits` everything that an editor needs.
pub(crate) fn body(site: &Site, caller: &Caller, post: &Post, edits: bool) -> Value {
    let raw = match site.release {
        Release::V6_1 => post.content.clone(),
        Release::V7_1 => blocks::reserialise(&post.content),
    };
    let mut title = json!({ "rendered": post.title });
    let mut content = json!({ "rendered": blocks::rendered(&post.content), "protected": false });
    let excerpt_html =
        if post.excerpt.is_empty() { String::new() } else { format!("<p>{}</p>\n", post.excerpt) };
    let mut excerpt = json!({ "rendered": excerpt_html, "protected": false });
    let mut guid = json!({ "rendered": format!("{}/?p={}", site.url, post.id) });
    if edits {
        title["raw"] = json!(post.title);
        content["raw"] = json!(raw);
        content["block_version"] = json!(u8::from(post.content.contains("<!-- wp:")));
        excerpt["raw"] = json!(post.excerpt);
        guid["raw"] = guid["rendered"].clone();
    }
    let mut item = json!({
        "id": post.id,
        "date": site.local(post.date),
        "date_gmt": Site::gmt(post.date),
        "guid": guid,
        "modified": site.local(post.modified),
        "modified_gmt": Site::gmt(post.modified),
        "slug": post.slug,
        "status": post.status.word(),
        "type": "post",
        "link": address(site, post),
        "title": title,
        "content": content,
        "excerpt": excerpt,
        "author": post.author,
        "featured_media": post.featured_media,
        "comment_status": "open",
        "ping_status": "open",
        "sticky": post.sticky,
        "template": "",
        "format": "standard",
        "meta": meta::shown(site, &post.meta),
        "categories": post.categories,
        "tags": post.tags,
        "_links": links(site, caller, post, edits),
    });
    if site.release >= Release::V7_1 {
        item["class_list"] = json!([format!("post-{}", post.id), "post", "type-post"]);
    }
    if edits {
        item["password"] = json!("");
        item["permalink_template"] = json!(match site.permalinks {
            Permalinks::Pretty => format!("{}/%postname%/", site.url),
            Permalinks::Plain => format!("{}/?p={}", site.url, post.id),
        });
        let from_title = slugs::sanitise(&post.title);
        let wanted = if from_title.is_empty() { post.id.to_string() } else { from_title };
        let generated = slugs::unique(&wanted, |slug| site.post_slug_taken(slug, post.id));
        item["generated_slug"] = json!(generated);
    }
    item
}

fn links(site: &Site, caller: &Caller, post: &Post, edits: bool) -> Value {
    let own = site.rest_url(&format!("wp/v2/posts/{}", post.id));
    let mut links = Map::new();
    let mut link = |name: &str, href: String| {
        links.insert(name.to_owned(), json!([{ "href": href }]));
    };
    link("self", own.clone());
    link("collection", site.rest_url("wp/v2/posts"));
    link("about", site.rest_url("wp/v2/types/post"));
    link("author", site.rest_url(&format!("wp/v2/users/{}", post.author)));
    link("wp:attachment", site.rest_url(&format!("wp/v2/media?parent={}", post.id)));
    if post.featured_media > 0 {
        link("wp:featuredmedia", site.rest_url(&format!("wp/v2/media/{}", post.featured_media)));
    }
    if edits && may_edit(caller, post) {
        let rights: [(&str, bool); 8] = [
            ("wp:action-publish", caller.can("publish_posts")),
            ("wp:action-unfiltered-html", caller.can("unfiltered_html")),
            ("wp:action-sticky", caller.can("edit_others_posts") && caller.can("publish_posts")),
            ("wp:action-assign-author", caller.can("edit_others_posts")),
            ("wp:action-create-categories", caller.can("manage_categories")),
            ("wp:action-assign-categories", caller.can("edit_posts")),
            ("wp:action-create-tags", caller.can("edit_posts")),
            ("wp:action-assign-tags", caller.can("edit_posts")),
        ];
        for (name, granted) in rights {
            if granted {
                link(name, own.clone());
            }
        }
    }
    links.insert(
        "curies".to_owned(),
        json!([{ "name": "wp", "href": "https://api.w.org/{rel}", "templated": true }]),
    );
    Value::Object(links)
}
