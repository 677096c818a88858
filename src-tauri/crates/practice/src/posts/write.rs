//! Creating, changing, trashing.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Params;
use crate::blocks;
use crate::callers::Caller;
use crate::kses;
use crate::list::moment;
use crate::options::Release;
use crate::posts::{body, may_edit, meta};
use crate::rows::{Post, Status, Taxonomy};
use crate::site::Site;
use crate::slugs;

/// What a request wants to set; none means that it says nothing about it.
struct Changes {
    title: Option<String>,
    content: Option<String>,
    excerpt: Option<String>,
    status: Option<Status>,
    slug: Option<String>,
    /// A date, or the wish (`null`) to let it float again.
    date: Option<Option<DateTime<Utc>>>,
    author: Option<u64>,
    categories: Option<Vec<u64>>,
    tags: Option<Vec<u64>>,
    featured_media: Option<u64>,
    sticky: Option<bool>,
    meta: meta::Wishes,
}

const STATUSES: [&str; 5] = ["publish", "future", "draft", "pending", "private"];

const FORMATS: [&str; 10] =
    ["standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"];

impl Changes {
    fn read(
        params: &Params,
        caller: &Caller,
        site: &Site,
        current: Option<Status>,
    ) -> Result<Changes, Refusal> {
        let (release, offset_hours) = (site.release, site.gmt_offset_hours);
        // A status that the post has already is never refused.
        let kept = current
            .filter(|status| params.text("status").is_ok_and(|sent| sent.as_deref() == Some(status.word())));
        let status = match kept {
            Some(kept) => Some(kept),
            None => params.choice("status", &STATUSES)?.and_then(|word| Status::from_word(&word)),
        };
        params.choice("format", &FORMATS)?;
        params.choice("comment_status", &["open", "closed"])?;
        params.choice("ping_status", &["open", "closed"])?;
        // What WordPress filters when a user without `unfiltered_html` saves.
        let filters = !caller.can("unfiltered_html");
        let meta = meta::read(params, site, filters)?;
        let text = |name: &str, filter: fn(&str) -> String| {
            params.raw(name).map(|text| if filters { filter(&text) } else { text })
        };
        let content = params.raw("content").map(|content| {
            // Newer releases write blocks again when a post is changed, and not when it is created.
            let rewrites = current.is_some() && release >= Release::V7_1;
            let content = if rewrites { blocks::reserialise(&content) } else { content };
            let content = if filters { kses::content(&content) } else { content };
            if release < Release::V7_1 { kses::noopener(&content) } else { content }
        });
        let date = if params.value("date").is_some_and(serde_json::Value::is_null) {
            Some(None)
        } else {
            let name = if params.has("date") { "date" } else { "date_gmt" };
            let hours = if name == "date" { offset_hours } else { 0 };
            match params.text(name)?.filter(|text| !text.is_empty()) {
                None => None,
                Some(text) => match moment(&text, hours) {
                    Some(at) => Some(Some(at)),
                    None => {
                        return Err(Refusal::parameter(
                            name,
                            "rest_invalid_date",
                            "Invalid date.".to_owned(),
                            serde_json::Value::Null,
                        ));
                    }
                },
            }
        };
        Ok(Changes {
            title: text("title", kses::title)
                .map(|title| title.trim_matches([' ', '\t', '\n', '\r']).to_owned()),
            content,
            excerpt: text("excerpt", kses::content),
            status,
            slug: params.text("slug")?.map(|slug| slugs::sanitise(&slug)),
            date,
            author: params.integer("author")?,
            categories: params.ids("categories")?,
            tags: params.ids("tags")?,
            featured_media: params.integer("featured_media")?,
            sticky: params.flag("sticky")?,
            meta,
        })
    }

    fn check_rights(&self, site: &Site, caller: &Caller) -> Result<(), Refusal> {
        let refuse = |code: &str| Err(Refusal::forbidden(caller.known(), code));
        if self.author.is_some_and(|author| author != 0 && author != caller.id()) {
            if !caller.can("edit_others_posts") {
                return refuse("rest_cannot_edit_others");
            }
            if !site.members.iter().any(|member| Some(member.user.id) == self.author) {
                return Err(Refusal::new(400, "rest_invalid_author"));
            }
        }
        let sticks =
            caller.can("edit_others_posts") || (site.release < Release::V7_1 && caller.can("publish_posts"));
        if self.sticky == Some(true) && !sticks {
            return refuse("rest_cannot_assign_sticky");
        }
        Ok(())
    }

    fn check_publishing(&self, caller: &Caller) -> Result<(), Refusal> {
        let publishes = matches!(self.status, Some(Status::Publish | Status::Future | Status::Private));
        if publishes && !caller.can("publish_posts") {
            return Err(Refusal::forbidden(caller.known(), "rest_cannot_publish"));
        }
        Ok(())
    }
}

/// The known ones among the ids; unknown ones are skipped without a word.
fn known_terms(site: &Site, taxonomy: Taxonomy, ids: &[u64]) -> Vec<u64> {
    let mut known: Vec<u64> = ids
        .iter()
        .copied()
        .filter(|id| site.terms.get(id).is_some_and(|term| term.taxonomy == taxonomy))
        .collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Publishing with a date ahead schedules; scheduling with a date behind publishes.
fn settle_status(status: Status, date: DateTime<Utc>, now: DateTime<Utc>) -> Status {
    let ahead = date - now >= TimeDelta::seconds(60);
    match status {
        Status::Publish if ahead => Status::Future,
        Status::Future if !ahead => Status::Publish,
        Status::Publish
        | Status::Future
        | Status::Draft
        | Status::Pending
        | Status::Private
        | Status::Trash
        | Status::Inherit => status,
    }
}

/// The slug under which a post is stored, as `wp_insert_post` decides it.
fn settle_slug(site: &Site, post: &Post, sent: Option<&str>, made_unique: bool, caller: &Caller) -> String {
    let taken = |slug: &str| site.post_slug_taken(slug, post.id);
    if post.status == Status::Pending && !caller.can("publish_posts") {
        return String::new();
    }
    let mut slug = sent.map_or_else(|| post.slug.clone(), str::to_owned);
    if slug.is_empty() && !post.status.is_unsettled() {
        slug = slugs::sanitise(&post.title);
        if slug.is_empty() {
            slug = post.id.to_string();
            return if taken(&slug) { slugs::unique(&slug, taken) } else { slug };
        }
    }
    if slug.is_empty() || (post.status.is_unsettled() && !made_unique) {
        return slug;
    }
    slugs::unique(&slug, taken)
}

pub(crate) fn create(site: &mut Site, caller: &Caller, params: &Params) -> Reply {
    let changes = Changes::read(params, caller, site, None)?;
    changes.check_rights(site, caller)?;
    if !caller.can("edit_posts") {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_create"));
    }
    changes.check_publishing(caller)?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    if text(&changes.title).is_empty()
        && text(&changes.content).is_empty()
        && text(&changes.excerpt).is_empty()
    {
        return Err(Refusal::new(400, "empty_content"));
    }
    if site.stored() > site.max_stored {
        return Err(Refusal::new(500, "db_insert_error"));
    }
    let date = changes.date.flatten();
    let id = site.take_id();
    let mut post = Post {
        id,
        slug: String::new(),
        status: settle_status(changes.status.unwrap_or(Status::Draft), date.unwrap_or(site.now), site.now),
        title: text(&changes.title),
        content: text(&changes.content),
        excerpt: text(&changes.excerpt),
        author: changes.author.filter(|author| *author != 0).unwrap_or(caller.id()),
        categories: changes
            .categories
            .as_deref()
            .map_or(vec![1], |ids| known_terms(site, Taxonomy::Category, ids)),
        tags: known_terms(site, Taxonomy::Tag, changes.tags.as_deref().unwrap_or_default()),
        featured_media: changes.featured_media.filter(|id| site.media.contains_key(id)).unwrap_or(0),
        date: date.unwrap_or(site.now),
        floating: date.is_none() && changes.status.is_none_or(Status::is_unsettled),
        modified: date.unwrap_or(site.now),
        sticky: changes.sticky.unwrap_or(false),
        meta: BTreeMap::new(),
        before_trash: None,
        hiding: None,
    };
    // Without an explicit status the slug of a draft is not made unique.
    let sent = changes.slug.clone().unwrap_or_default();
    post.slug = settle_slug(site, &post, Some(&sent), changes.status.is_some(), caller);
    site.posts.insert(id, post.clone());
    post.meta = changes.meta?;
    site.posts.insert(id, post.clone());
    let answer = Answer::json(201, &body(site, caller, &post, true));
    Ok(answer.with("location", site.rest_url(&format!("wp/v2/posts/{id}"))).made(id))
}

pub(crate) fn update(site: &mut Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let current = site.posts.get(&id).map(|post| post.status);
    let changes = Changes::read(params, caller, site, current)?;
    let Some(before) = site.posts.get(&id).cloned() else {
        return Err(Refusal::new(404, "rest_post_invalid_id"));
    };
    if !may_edit(caller, &before) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_edit"));
    }
    changes.check_rights(site, caller)?;
    if changes.status != Some(before.status) {
        changes.check_publishing(caller)?;
    }
    let mut post = before.clone();
    let mut sent_slug = changes.slug.clone();
    if before.status == Status::Trash
        && changes.status.is_some_and(|status| status != Status::Trash)
        && let Some((slug, _)) = post.before_trash.take()
    {
        // The slug from before the trash wins over one that is sent along.
        sent_slug = Some(slug);
    }
    post.title = changes.title.unwrap_or(post.title);
    post.content = changes.content.unwrap_or(post.content);
    post.excerpt = changes.excerpt.unwrap_or(post.excerpt);
    if post.title.is_empty() && post.content.is_empty() && post.excerpt.is_empty() {
        return Err(Refusal::new(400, "empty_content"));
    }
    post.author = changes.author.filter(|author| *author != 0).unwrap_or(post.author);
    post.sticky = changes.sticky.unwrap_or(post.sticky);
    if let Some(ids) = &changes.categories {
        post.categories = known_terms(site, Taxonomy::Category, ids);
    }
    if let Some(ids) = &changes.tags {
        post.tags = known_terms(site, Taxonomy::Tag, ids);
    }
    if let Some(image) = changes.featured_media {
        post.featured_media = if site.media.contains_key(&image) { image } else { 0 };
    }
    match changes.date {
        Some(Some(at)) => (post.date, post.floating) = (at, false),
        Some(None) => (post.date, post.floating) = (site.now, true),
        None if post.floating => post.date = site.now,
        None => {}
    }
    post.status = settle_status(changes.status.unwrap_or(post.status), post.date, site.now);
    post.floating = post.floating && post.status.is_unsettled();
    post.modified = site.now;
    let asked = changes.slug.is_some();
    post.slug = settle_slug(site, &post, sent_slug.as_deref(), asked, caller);
    if (&before.title, &before.content, &before.excerpt) != (&post.title, &post.content, &post.excerpt) {
        // The revision takes an id as well.
        site.take_id();
    }
    site.posts.insert(id, post.clone());
    post.meta.extend(changes.meta?);
    site.posts.insert(id, post.clone());
    Ok(Answer::json(200, &body(site, caller, &post, true)).changed())
}

/// Puts a post into the trash and its slug out of the way.
pub(crate) fn trash(site: &mut Site, id: u64) {
    let Some(post) = site.posts.get(&id) else { return };
    let slug = slugs::unique(&slugs::trashed(&post.slug), |slug| site.post_slug_taken(slug, id));
    let now = site.now;
    if let Some(post) = site.posts.get_mut(&id) {
        post.before_trash = Some((std::mem::replace(&mut post.slug, slug), post.status));
        post.status = Status::Trash;
        post.modified = now;
    }
}

/// Takes a post out of the trash, as a draft and without asking whether its slug is free.
pub(crate) fn untrash(site: &mut Site, id: u64) {
    let now = site.now;
    if let Some(post) = site.posts.get_mut(&id)
        && let Some((slug, _)) = post.before_trash.take()
    {
        post.slug = slug;
        post.status = Status::Draft;
        post.modified = now;
    }
}
