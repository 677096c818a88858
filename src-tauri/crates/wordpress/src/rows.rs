//! Rows of a site, as its REST answers show them.

use ichido_core::digest::Digest;
use ichido_core::id::RemoteId;
use ichido_core::outcome::Recorded;
use ichido_core::slug::Slug;

/// The status of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A draft.
    Draft,
    /// Waiting for review.
    Pending,
    /// To be published at a set time.
    Future,
    /// Visible to some users only.
    Private,
    /// Published.
    Publish,
    /// That of the post that a file is attached to.
    Inherit,
    /// In the trash.
    Trash,
    /// One that a plugin defines.
    Custom(String),
}

/// One post or file. Text is as the site sent it and must be shown as text only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its id.
    pub id: RemoteId,
    /// Its slug, readable form. In the trash it ends with `__trashed`.
    pub slug: Slug,
    /// Its status.
    pub status: Status,
    /// The id of its author; 0 if the site does not say.
    pub author: u64,
    /// Its raw title; `None` where we may see the row but not edit it.
    pub title: Option<String>,
    /// Its raw content; `None` where we may not edit it, and for files.
    pub content: Option<String>,
    /// Its raw excerpt, or a file's caption; `None` where we may not edit it.
    pub excerpt: Option<String>,
    /// Ids of its tags.
    pub tags: Vec<u64>,
    /// Ids of its categories.
    pub categories: Vec<u64>,
    /// Id of its featured image; 0 for none.
    pub featured_media: u64,
    /// When it was made or is to appear, in the site's zone, as the site writes it.
    pub date: String,
    /// When it was last modified (UTC, no zone), as the site writes it.
    pub modified_gmt: String,
    /// Its public or preview address.
    pub link: String,
    /// What only files have.
    pub media: Option<MediaFacts>,
}

/// What only files of the media library have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaFacts {
    /// The address of the file.
    pub source_url: String,
    /// The MIME type.
    pub mime: String,
    /// The id of the post that it is attached to; 0 for none.
    pub attached_to: u64,
    /// The text for those who cannot see it.
    pub alt_text: String,
    /// The size of the file at `source_url` in bytes, where the site tells it.
    pub file_size: Option<u64>,
    /// The name of the file that was uploaded, where the site put a smaller one in its place.
    pub original_image: Option<String>,
    /// Width and height in pixels, where the site tells them.
    pub dimensions: Option<(u32, u32)>,
    /// Names of the sizes that are still to be made.
    pub missing_sizes: Vec<String>,
}

/// The few fields of a row that a long list carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Light {
    /// Its id.
    pub id: RemoteId,
    /// Its slug, readable form.
    pub slug: Slug,
    /// Its status.
    pub status: Status,
    /// The id of its author; 0 if the site does not say.
    pub author: u64,
}

impl Row {
    /// Returns what is to be recorded of this row.
    #[must_use]
    pub fn recorded(&self) -> Recorded {
        let media = self.media.as_ref();
        Recorded {
            slug: self.slug.as_str().to_owned(),
            status: self.status.as_str().to_owned(),
            link: self.link.clone(),
            tags: self.tags.clone(),
            categories: self.categories.clone(),
            featured_media: self.featured_media,
            modified_gmt: self.modified_gmt.clone(),
            content: self.content.as_ref().map(|raw| Digest::of_bytes(raw.as_bytes())),
            source_url: media.map(|media| media.source_url.clone()),
            attached_to: media.map_or(0, |media| media.attached_to),
            file_size: media.and_then(|media| media.file_size),
            missing_sizes: media.is_some_and(|media| !media.missing_sizes.is_empty()),
        }
    }

    /// Tells whether the row is in the trash.
    #[must_use]
    pub fn in_trash(&self) -> bool {
        self.status == Status::Trash
    }
}

impl Status {
    /// Returns the name as WordPress spells it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Draft => "draft",
            Self::Pending => "pending",
            Self::Future => "future",
            Self::Private => "private",
            Self::Publish => "publish",
            Self::Inherit => "inherit",
            Self::Trash => "trash",
            Self::Custom(name) => name,
        }
    }
}
