//! What the site stores. The public types are also the snapshots that tests look at.

use std::collections::BTreeMap;

use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::options::Role;

/// The status of a post or a media item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Visible to everybody.
    Publish,
    /// Will be published at its date.
    Future,
    /// A draft.
    Draft,
    /// Waiting for review.
    Pending,
    /// Visible to editors only.
    Private,
    /// In the trash.
    Trash,
    /// As visible as the post it hangs on (media).
    Inherit,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 7] = [
        Status::Publish,
        Status::Future,
        Status::Draft,
        Status::Pending,
        Status::Private,
        Status::Trash,
        Status::Inherit,
    ];

    /// The word that WordPress uses.
    pub fn word(self) -> &'static str {
        match self {
            Status::Publish => "publish",
            Status::Future => "future",
            Status::Draft => "draft",
            Status::Pending => "pending",
            Status::Private => "private",
            Status::Trash => "trash",
            Status::Inherit => "inherit",
        }
    }

    /// The status with this word.
    pub fn from_word(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether WordPress leaves slugs of this status alone when it makes them unique.
    pub(crate) fn is_unsettled(self) -> bool {
        matches!(self, Status::Draft | Status::Pending)
    }
}

/// How long a row is left out of look-ups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hiding {
    /// For this many look-ups that would have found it.
    Times(u32),
    /// Until somebody presses "show".
    UntilShown,
}

/// A post as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// The id; one sequence for posts and media.
    pub id: u64,
    /// The slug, percent-encoded as WordPress stores it; may be empty on drafts.
    pub slug: String,
    /// The status.
    pub status: Status,
    /// The title, raw.
    pub title: String,
    /// The content, raw.
    pub content: String,
    /// The excerpt, raw.
    pub excerpt: String,
    /// The id of the author.
    pub author: u64,
    /// Category ids.
    pub categories: Vec<u64>,
    /// Tag ids.
    pub tags: Vec<u64>,
    /// The id of the featured image, or 0.
    pub featured_media: u64,
    /// The date.
    pub date: DateTime<Utc>,
    /// Whether the date was never set and moves with each save.
    pub floating: bool,
    /// The moment of the last change.
    pub modified: DateTime<Utc>,
    /// Custom fields that were written.
    pub meta: BTreeMap<String, serde_json::Value>,
    /// Whether it is pinned to the front page.
    pub sticky: bool,
    /// Slug and status before it went to the trash.
    pub before_trash: Option<(String, Status)>,
    /// Whether look-ups leave it out.
    pub hiding: Option<Hiding>,
}

/// A media item as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// The id; one sequence for posts and media.
    pub id: u64,
    /// The slug, percent-encoded as WordPress stores it.
    pub slug: String,
    /// The status: inherit, private or trash.
    pub status: Status,
    /// The title, raw.
    pub title: String,
    /// The caption, raw.
    pub caption: String,
    /// The description, raw.
    pub description: String,
    /// The alternative text.
    pub alt_text: String,
    /// The id of the uploader.
    pub author: u64,
    /// The id of the post it is attached to, or 0.
    pub parent: u64,
    /// The date.
    pub date: DateTime<Utc>,
    /// The moment of the last change.
    pub modified: DateTime<Utc>,
    /// The name that the file was sent with.
    pub sent_name: String,
    /// The stored file's path below `wp-content/uploads/`.
    pub path: String,
    /// The type, by the file's first bytes.
    pub mime: &'static str,
    /// The bytes as uploaded.
    pub bytes: Bytes,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether a smaller copy for the web was made beside the original.
    pub scaled: bool,
    /// Whether the sizes are still to be made (the upload broke off half-way).
    pub unfinished: bool,
    /// Whether look-ups leave it out.
    pub hiding: Option<Hiding>,
}

/// A taxonomy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taxonomy {
    /// Categories.
    Category,
    /// Tags.
    Tag,
}

impl Taxonomy {
    /// The last part of the REST route.
    pub(crate) fn route(self) -> &'static str {
        match self {
            Taxonomy::Category => "categories",
            Taxonomy::Tag => "tags",
        }
    }

    /// The name inside WordPress.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Taxonomy::Category => "category",
            Taxonomy::Tag => "post_tag",
        }
    }
}

/// A category or a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The id; terms count for themselves.
    pub id: u64,
    /// Category or tag.
    pub taxonomy: Taxonomy,
    /// The name.
    pub name: String,
    /// The slug, percent-encoded as WordPress stores it.
    pub slug: String,
    /// The description.
    pub description: String,
    /// The id of the parent category, or 0.
    pub parent: u64,
}

/// A user, without the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: u64,
    /// The login name.
    pub login: String,
    /// The name that is shown.
    pub name: String,
    /// The role.
    pub role: Role,
}

/// What lists need to know of a row, whatever it is.
pub(crate) trait Row {
    fn id(&self) -> u64;
    fn slug(&self) -> &str;
    fn status(&self) -> Status;
    fn author(&self) -> u64;
    fn parent(&self) -> u64;
    fn title(&self) -> &str;
    fn date(&self) -> DateTime<Utc>;
    fn modified(&self) -> DateTime<Utc>;
    fn searched(&self) -> Vec<&str>;
    fn in_terms(&self, taxonomy: Taxonomy, ids: &[u64]) -> bool;
    fn sticky(&self) -> bool;
    fn hiding(&mut self) -> &mut Option<Hiding>;
}

impl Row for Post {
    fn id(&self) -> u64 {
        self.id
    }
    fn slug(&self) -> &str {
        &self.slug
    }
    fn status(&self) -> Status {
        self.status
    }
    fn author(&self) -> u64 {
        self.author
    }
    fn parent(&self) -> u64 {
        0
    }
    fn title(&self) -> &str {
        &self.title
    }
    fn date(&self) -> DateTime<Utc> {
        self.date
    }
    fn modified(&self) -> DateTime<Utc> {
        self.modified
    }
    fn searched(&self) -> Vec<&str> {
        vec![&self.title, &self.excerpt, &self.content]
    }
    fn in_terms(&self, taxonomy: Taxonomy, ids: &[u64]) -> bool {
        let own = match taxonomy {
            Taxonomy::Category => &self.categories,
            Taxonomy::Tag => &self.tags,
        };
        own.iter().any(|id| ids.contains(id))
    }
    fn sticky(&self) -> bool {
        self.sticky
    }
    fn hiding(&mut self) -> &mut Option<Hiding> {
        &mut self.hiding
    }
}

impl Row for Media {
    fn id(&self) -> u64 {
        self.id
    }
    fn slug(&self) -> &str {
        &self.slug
    }
    fn status(&self) -> Status {
        self.status
    }
    fn author(&self) -> u64 {
        self.author
    }
    fn parent(&self) -> u64 {
        self.parent
    }
    fn title(&self) -> &str {
        &self.title
    }
    fn date(&self) -> DateTime<Utc> {
        self.date
    }
    fn modified(&self) -> DateTime<Utc> {
        self.modified
    }
    fn searched(&self) -> Vec<&str> {
        vec![&self.title, &self.caption, &self.description, &self.path]
    }
    fn in_terms(&self, _: Taxonomy, _: &[u64]) -> bool {
        false
    }
    fn sticky(&self) -> bool {
        false
    }
    fn hiding(&mut self) -> &mut Option<Hiding> {
        &mut self.hiding
    }
}
