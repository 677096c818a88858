//! Behind the scenes: faults, snapshots, and acts of a person on the site.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::faults::{Fault, When};
use crate::log::Request;
use crate::posts;
use crate::router::Shared;
use crate::rows::{Hiding, Media, Post, Row as _, Status, Taxonomy, Term, User};
use crate::slugs;

/// A way behind the scenes of a running site. Clones lead to the same site; it does not keep the site running.
#[derive(Debug, Clone)]
pub struct Handle {
    shared: Arc<Shared>,
}

/// The faults of a site.
#[derive(Debug, Clone)]
pub struct Faults {
    shared: Arc<Shared>,
}

impl Faults {
    /// Lets a fault wait for its request. Each meets one request; the first that fits is taken.
    pub fn push(&self, when: When, fault: Fault) {
        self.shared.site().faults.push(when, fault);
    }

    /// Takes all waiting faults back.
    pub fn clear(&self) {
        self.shared.site().faults.clear();
    }

    /// The faults that still wait.
    pub fn waiting(&self) -> Vec<(When, Fault)> {
        self.shared.site().faults.waiting().to_vec()
    }
}

impl Handle {
    pub(crate) fn new(shared: Arc<Shared>) -> Handle {
        Handle { shared }
    }

    /// The faults.
    pub fn faults(&self) -> Faults {
        Faults { shared: Arc::clone(&self.shared) }
    }

    /// Lets somebody see each request to the REST API before anything is done about it. The fault that they return
    /// meets the request, before any that waits. They must not use the handle: the site is busy.
    pub fn watch(&self, watcher: impl FnMut(&Request) -> Option<Fault> + Send + 'static) {
        self.shared.site().watcher = Some(Box::new(watcher));
    }

    /// All posts by id, hidden ones and those in the trash included.
    pub fn posts(&self) -> Vec<Post> {
        self.shared.site().posts.values().cloned().collect()
    }

    /// A post.
    pub fn post(&self, id: u64) -> Option<Post> {
        self.shared.site().posts.get(&id).cloned()
    }

    /// All media by id. The bytes are shared, not copied.
    pub fn media(&self) -> Vec<Media> {
        self.shared.site().media.values().cloned().collect()
    }

    /// All categories and tags by id.
    pub fn terms(&self) -> Vec<Term> {
        self.shared.site().terms.values().cloned().collect()
    }

    /// All users.
    pub fn users(&self) -> Vec<User> {
        self.shared.site().members.iter().map(|member| member.user.clone()).collect()
    }

    /// The requests to the REST API that reached the site, in their order (the last 20,000).
    pub fn requests(&self) -> Vec<Request> {
        self.shared.site().log.all()
    }

    /// How many creating requests came with each operation id.
    pub fn creates_by_operation(&self) -> BTreeMap<String, u32> {
        self.shared.site().log.creating()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.shared.site().log.clear();
    }

    /// Moves a manual clock on and carries out what becomes due.
    pub fn advance(&self, by: Duration) {
        let clock = self.shared.site().clock.clone();
        clock.advance(by);
        drop(self.shared.site());
    }

    /// Changes a post as a person would in the editor. False if there is no such post.
    pub fn edit_post(&self, id: u64, edit: impl FnOnce(&mut Post)) -> bool {
        let mut site = self.shared.site();
        let now = site.now;
        let Some(post) = site.posts.get_mut(&id) else { return false };
        edit(post);
        post.id = id;
        post.modified = now;
        site.take_id();
        true
    }

    /// Changes a media item as a person would in the library. False if there is no such item.
    pub fn edit_media(&self, id: u64, edit: impl FnOnce(&mut Media)) -> bool {
        let mut site = self.shared.site();
        let now = site.now;
        let Some(item) = site.media.get_mut(&id) else { return false };
        edit(item);
        item.id = id;
        item.modified = now;
        true
    }

    /// Writes a draft as a person would in the editor, and gives its id. The slug is taken as it is.
    pub fn write_draft(&self, author: u64, title: &str, slug: &str, content: &str) -> u64 {
        let mut site = self.shared.site();
        let id = site.take_id();
        let post = Post {
            id,
            slug: slugs::sanitise(slug),
            status: Status::Draft,
            title: title.to_owned(),
            content: content.to_owned(),
            excerpt: String::new(),
            author,
            categories: vec![1],
            tags: Vec::new(),
            featured_media: 0,
            date: site.now,
            floating: true,
            modified: site.now,
            meta: BTreeMap::new(),
            sticky: false,
            before_trash: None,
            hiding: None,
        };
        site.posts.insert(id, post);
        id
    }

    /// Puts a post into the trash.
    pub fn trash_post(&self, id: u64) {
        posts::trash(&mut self.shared.site(), id);
    }

    /// Takes a post out of the trash.
    pub fn untrash_post(&self, id: u64) {
        posts::untrash(&mut self.shared.site(), id);
    }

    /// Deletes a post for good.
    pub fn delete_post(&self, id: u64) {
        drop(self.shared.site().posts.remove(&id));
    }

    /// Deletes a media item for good.
    pub fn delete_media(&self, id: u64) {
        drop(self.shared.site().media.remove(&id));
    }

    /// Publishes a post; its slug is made unique as WordPress does it.
    pub fn publish_post(&self, id: u64) {
        let mut site = self.shared.site();
        let Some(post) = site.posts.get(&id) else { return };
        let wanted = if post.slug.is_empty() { slugs::sanitise(&post.title) } else { post.slug.clone() };
        let slug = slugs::unique(&wanted, |slug| site.post_slug_taken(slug, id));
        let now = site.now;
        if let Some(post) = site.posts.get_mut(&id) {
            post.slug = slug;
            post.status = Status::Publish;
            post.date = if post.floating { now } else { post.date };
            post.floating = false;
            post.modified = now;
        }
    }

    /// Gives a post another slug, made unique as WordPress does it. Gives the slug back.
    pub fn rename_post(&self, id: u64, slug: &str) -> Option<String> {
        let mut site = self.shared.site();
        let unique = slugs::unique(&slugs::sanitise(slug), |slug| site.post_slug_taken(slug, id));
        let now = site.now;
        let post = site.posts.get_mut(&id)?;
        post.slug.clone_from(&unique);
        post.modified = now;
        Some(unique)
    }

    /// Creates a category or tag and gives its id.
    pub fn add_term(&self, taxonomy: Taxonomy, name: &str) -> u64 {
        crate::terms::insert(
            &mut self.shared.site(),
            taxonomy,
            &crate::kses::name(name),
            &slugs::sanitise(name),
            "",
            0,
        )
    }

    /// Gives a user another application password: the old one is revoked. False if there is no such user.
    pub fn change_password(&self, login: &str, password: &str) -> bool {
        let mut site = self.shared.site();
        let member = site.members.iter_mut().find(|member| member.user.login == login);
        member.map(|member| member.password = password.to_owned()).is_some()
    }

    /// Gives a user another role. False if there is no such user.
    pub fn change_role(&self, login: &str, role: crate::options::Role) -> bool {
        let mut site = self.shared.site();
        let member = site.members.iter_mut().find(|member| member.user.login == login);
        member.map(|member| member.user.role = role).is_some()
    }

    /// Switches the maintenance mode: everything is answered with 503 and nothing carried out.
    pub fn maintenance(&self, on: bool) {
        self.shared.site().maintenance = on;
    }

    /// Leaves a post out of look-ups.
    pub fn hide_post(&self, id: u64, hiding: Hiding) {
        if let Some(post) = self.shared.site().posts.get_mut(&id) {
            *post.hiding() = Some(hiding);
        }
    }

    /// Leaves new drafts out of look-ups from now on, or no longer. Those hidden before stay so until they are shown.
    pub fn hide_new_drafts(&self, on: bool) {
        self.shared.site().hide_new_drafts = on;
    }

    /// Tells whether new drafts are left out of look-ups.
    pub fn hides_new_drafts(&self) -> bool {
        self.shared.site().hide_new_drafts
    }

    /// Shows everything again that look-ups leave out.
    pub fn show_hidden(&self) {
        self.shared.site().show_hidden();
    }
}
