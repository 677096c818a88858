//! `wp/v2/media`.

mod body;
mod files;
mod upload;

use serde_json::json;

pub(crate) use body::{body, served};
pub(crate) use upload::create;

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::{Params, not_one_of};
use crate::callers::Caller;
use crate::fields::Fields;
use crate::kses;
use crate::list::{Collection, Wanted};
use crate::rows::{Media, Status};
use crate::site::Site;
use crate::slugs;

/// Whether the caller may edit a media item.
pub(crate) fn may_edit(caller: &Caller, item: &Media) -> bool {
    caller.can_edit(item.author, item.status, None)
}

/// Whether the caller may read a media item.
pub(crate) fn may_read(site: &Site, caller: &Caller, item: &Media) -> bool {
    if item.status != Status::Inherit {
        return caller.can_read(item.author, item.status, None);
    }
    match site.parent_of(item) {
        _ if caller.known() && item.author == caller.id() => true,
        Some((author, status, was)) => caller.can_read(author, status, was),
        None => true,
    }
}

pub(crate) fn list(site: &mut Site, caller: &Caller, params: &Params) -> Reply {
    let wanted = Wanted::read(params, caller, Collection::Media, site.gmt_offset_hours)?;
    let fields = Fields::read(params)?;
    let found = wanted.find(&mut site.media);
    let mut items = Vec::new();
    for id in wanted.page_of(&found)? {
        let Some(item) = site.media.get(&id) else { continue };
        let allowed = if wanted.edits { may_edit(caller, item) } else { may_read(site, caller, item) };
        if allowed {
            items.push(fields.cut_media(body(site, caller, item, wanted.edits)));
        }
    }
    Ok(wanted.answer(items, found.len()))
}

fn find(site: &Site, id: u64) -> Result<&Media, Refusal> {
    site.media.get(&id).ok_or_else(|| Refusal::new(404, "rest_post_invalid_id"))
}

pub(crate) fn get(site: &Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let edits = params.edits()?;
    let item = find(site, id)?;
    if edits && !may_edit(caller, item) {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden_context"));
    }
    if !may_read(site, caller, item) {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden"));
    }
    Ok(Answer::json(200, &Fields::read(params)?.cut_media(body(site, caller, item, edits))))
}

/// The words of a request that describe a file, filtered as the caller's rights demand.
struct Words {
    title: Option<String>,
    caption: Option<String>,
    description: Option<String>,
    alt_text: Option<String>,
    slug: Option<String>,
    status: Option<Status>,
    parent: Option<u64>,
}

impl Words {
    fn read(params: &Params, caller: &Caller, current: Option<Status>) -> Result<Words, Refusal> {
        const STATUSES: [&str; 5] = ["publish", "future", "draft", "pending", "private"];
        let filters = !caller.can("unfiltered_html");
        let text =
            |name: &str| params.raw(name).map(|text| if filters { kses::content(&text) } else { text });
        let title = params.raw("title").map(|text| if filters { kses::title(&text) } else { text });
        // A status that the item has already is never refused.
        let kept = current
            .is_some_and(|now| params.text("status").is_ok_and(|sent| sent.as_deref() == Some(now.word())));
        let status = if kept { None } else { params.choice("status", &STATUSES)? };
        if params.value("meta").is_some_and(serde_json::Value::is_number) {
            return Err(not_one_of("meta", &["object"]));
        }
        Ok(Words {
            title: title.map(|title| title.trim().to_owned()),
            caption: text("caption"),
            description: text("description"),
            alt_text: params.text("alt_text")?.map(|text| kses::text_only(&text)),
            slug: params.text("slug")?.map(|slug| slugs::sanitise(&slug)),
            // Media know no other status than private and "as the post".
            status: status.map(|word| if word == "private" { Status::Private } else { Status::Inherit }),
            parent: params.integer("post")?,
        })
    }

    /// Refuses a status that the caller may not use.
    fn check(&self, caller: &Caller, params: &Params) -> Result<(), Refusal> {
        let publishes = params
            .text("status")?
            .is_some_and(|word| matches!(word.as_str(), "publish" | "private" | "future"));
        if publishes && !caller.can("publish_posts") {
            return Err(Refusal::forbidden(caller.known(), "rest_cannot_publish"));
        }
        Ok(())
    }

    /// Refuses to upload to a post that the caller may not edit. Attaching later is not asked about.
    fn check_parent(&self, site: &Site, caller: &Caller) -> Result<(), Refusal> {
        let Some(parent) = self.parent.filter(|parent| *parent > 0) else { return Ok(()) };
        let allowed = site.posts.get(&parent).is_some_and(|post| crate::posts::may_edit(caller, post));
        if allowed { Ok(()) } else { Err(Refusal::forbidden(caller.known(), "rest_cannot_edit")) }
    }
}

pub(crate) fn update(site: &mut Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let current = site.media.get(&id).map(|item| item.status);
    let words = Words::read(params, caller, current)?;
    let item = find(site, id)?;
    if !may_edit(caller, item) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_edit"));
    }
    words.check(caller, params)?;
    let mut item = item.clone();
    item.title = words.title.unwrap_or(item.title);
    item.caption = words.caption.unwrap_or(item.caption);
    item.description = words.description.unwrap_or(item.description);
    item.alt_text = words.alt_text.unwrap_or(item.alt_text);
    item.status = words.status.unwrap_or(item.status);
    item.parent = words.parent.unwrap_or(item.parent);
    if let Some(slug) = words.slug.filter(|slug| !slug.is_empty()) {
        item.slug = slugs::unique_media(&slug, |slug| site.any_slug_taken(slug, id));
    }
    item.modified = site.now;
    site.media.insert(id, item.clone());
    Ok(Answer::json(200, &body(site, caller, &item, true)).changed())
}

pub(crate) fn post_process(site: &mut Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let Some(action) = params.text("action")? else {
        return Err(Refusal::new(400, "rest_missing_callback_param").with("params", json!(["action"])));
    };
    if action != "create-image-subsizes" {
        return Err(not_one_of("action", &["create-image-subsizes"]));
    }
    let item = find(site, id)?;
    if !may_edit(caller, item) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_edit"));
    }
    if let Some(item) = site.media.get_mut(&id) {
        item.unfinished = false;
        item.scaled = item.scaled || files::is_scaled(item.mime, item.width, item.height, site.release);
    }
    let item = find(site, id)?;
    Ok(Answer::json(200, &body(site, caller, item, true)).changed())
}

pub(crate) fn delete(site: &mut Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let force = params.flag("force")?.unwrap_or(false);
    let item = find(site, id)?;
    if !caller.can_delete(item.author, item.status, None) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_delete"));
    }
    if !force {
        return Err(Refusal::new(501, "rest_trash_not_supported"));
    }
    let previous = body(site, caller, item, true);
    site.media.remove(&id);
    for post in site.posts.values_mut().filter(|post| post.featured_media == id) {
        post.featured_media = 0;
    }
    Ok(Answer::json(200, &json!({ "deleted": true, "previous": previous })).changed())
}
