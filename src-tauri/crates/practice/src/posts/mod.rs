//! `wp/v2/posts`.

mod body;
mod meta;
mod write;

use std::collections::BTreeMap;

use serde_json::json;

pub(crate) use body::{address, body};
pub(crate) use meta::schema as meta_schema;
pub(crate) use write::{create, trash, untrash, update};

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Params;
use crate::callers::Caller;
use crate::fields::Fields;
use crate::list::{Collection, Wanted};
use crate::rows::{Post, Status};
use crate::site::Site;

fn was(post: &Post) -> Option<Status> {
    post.before_trash.as_ref().map(|(_, status)| *status)
}

/// Whether the caller may edit a post.
pub(crate) fn may_edit(caller: &Caller, post: &Post) -> bool {
    caller.can_edit(post.author, post.status, was(post))
}

/// Whether the caller may read a post.
pub(crate) fn may_read(caller: &Caller, post: &Post) -> bool {
    caller.can_read(post.author, post.status, was(post))
}

pub(crate) fn list(site: &mut Site, caller: &Caller, params: &Params) -> Reply {
    let wanted = Wanted::read(params, caller, Collection::Posts, site.gmt_offset_hours)?;
    let fields = Fields::read(params)?;
    let found = wanted.find(&mut site.posts);
    let mut items = Vec::new();
    for id in wanted.page_of(&found)? {
        let Some(post) = site.posts.get(&id) else { continue };
        let allowed = if wanted.edits { may_edit(caller, post) } else { may_read(caller, post) };
        if allowed {
            items.push(fields.cut(body(site, caller, post, wanted.edits)));
        }
    }
    Ok(wanted.answer(items, found.len()))
}

fn find(site: &Site, id: u64) -> Result<&Post, Refusal> {
    site.posts.get(&id).ok_or_else(|| Refusal::new(404, "rest_post_invalid_id"))
}

pub(crate) fn get(site: &Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let edits = params.edits()?;
    let post = find(site, id)?;
    if edits && !may_edit(caller, post) {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden_context"));
    }
    if !may_read(caller, post) {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden"));
    }
    Ok(Answer::json(200, &Fields::read(params)?.cut(body(site, caller, post, edits))))
}

pub(crate) fn delete(site: &mut Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let force = params.flag("force")?.unwrap_or(false);
    let post = find(site, id)?;
    if !caller.can_delete(post.author, post.status, was(post)) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_delete"));
    }
    if force {
        let previous = body(site, caller, post, true);
        site.posts.remove(&id);
        return Ok(Answer::json(200, &json!({ "deleted": true, "previous": previous })).changed());
    }
    if !site.trash {
        return Err(Refusal::new(501, "rest_trash_not_supported"));
    }
    if post.status == Status::Trash {
        return Err(Refusal::new(410, "rest_already_trashed"));
    }
    trash(site, id);
    let post = find(site, id)?;
    Ok(Answer::json(200, &body(site, caller, post, true)).changed())
}

/// Puts a published post and somebody else's draft on a new site.
pub(crate) fn seed(site: &mut Site) {
    let author = site.members.first().map_or(1, |member| member.user.id);
    let texts = [
        ("hello-world", "Hello world!", Status::Publish),
        ("draft-of-a-colleague", "下書き / Draft", Status::Draft),
    ];
    for (slug, title, status) in texts {
        let id = site.take_id();
        site.posts.insert(
            id,
            Post {
                id,
                slug: slug.to_owned(),
                status,
                title: title.to_owned(),
                content: "<!-- wp:paragraph -->\n<p>Ichido</p>\n<!-- /wp:paragraph -->".to_owned(),
                excerpt: String::new(),
                author,
                categories: vec![1],
                tags: Vec::new(),
                featured_media: 0,
                date: site.now,
                floating: status == Status::Draft,
                modified: site.now,
                meta: BTreeMap::new(),
                sticky: false,
                before_trash: None,
                hiding: None,
            },
        );
    }
}
