//! Rows of a site, as its REST answers show them.

use ichido_core::digest::Digest;
use ichido_core::id::RemoteId;
use ichido_core::outcome::{Recorded, Stored};
use ichido_core::slug::Slug;
use serde::Deserialize;
use serde_json::Value;

use crate::{Class, ids, text};

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
            title: self.title.as_ref().map(|raw| Digest::of_bytes(raw.as_bytes())),
            content: self.content.as_ref().map(|raw| Digest::of_bytes(raw.as_bytes())),
            source_url: media.map(|media| media.source_url.clone()).filter(|url| !url.is_empty()),
            attached_to: media.map_or(0, |media| media.attached_to),
            file_size: media.and_then(|media| media.file_size),
            missing_sizes: media.is_some_and(|media| !media.missing_sizes.is_empty()),
        }
    }

    /// Returns the texts of a post that we may edit.
    #[must_use]
    pub fn stored(&self) -> Option<Stored> {
        let (title, content) = self.title.clone().zip(self.content.clone())?;
        self.media.is_none().then_some(Stored { title, content })
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

/// Fields of a row that a list of many carries.
pub(crate) const LIGHT_FIELDS: &str = "id,slug,status,author";

/// Fields of a row. Nested names are used only where every version of WordPress understands them:
/// those of media are tested by their top-level name.
pub(crate) const fn fields(class: Class) -> &'static str {
    match class {
        Class::Posts => {
            "id,type,slug,status,author,title.raw,content.raw,excerpt.raw,tags,categories,featured_media,date,modified_gmt,link"
        }
        Class::Media => {
            "id,type,slug,status,author,title,caption,description,alt_text,mime_type,media_details,post,source_url,missing_image_sizes,date,modified_gmt,link"
        }
    }
}

/// Reads one row; `None` if it lacks what every row has.
pub(crate) fn row(class: Class, json: &Value) -> Option<Row> {
    WireRow::deserialize(json).ok().map(|wire| wire.into_row(class))
}

/// A row as it stands in an answer. Everything but the first three may be missing: plugins drop
/// fields, and PHP writes an empty object as a list.
#[derive(Deserialize)]
pub(crate) struct WireRow {
    #[serde(deserialize_with = "ids::read")]
    id: u64,
    slug: String,
    status: String,
    author: Option<u64>,
    title: Option<Text>,
    content: Option<Text>,
    excerpt: Option<Text>,
    caption: Option<Text>,
    description: Option<Text>,
    tags: Option<Vec<u64>>,
    categories: Option<Vec<u64>>,
    featured_media: Option<u64>,
    date: Option<String>,
    modified_gmt: Option<String>,
    link: Option<String>,
    alt_text: Option<String>,
    mime_type: Option<String>,
    media_details: Option<Value>,
    post: Option<u64>,
    source_url: Option<String>,
    missing_image_sizes: Option<Value>,
}

/// A text with its raw form, which is there only where we may edit.
#[derive(Deserialize)]
struct Text {
    raw: Option<String>,
}

impl WireRow {
    pub(crate) const fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn into_row(self, class: Class) -> Row {
        let raw = |text: Option<Text>| text.and_then(|text| text.raw);
        let (content, excerpt) = match class {
            Class::Posts => (self.content, self.excerpt),
            Class::Media => (self.description, self.caption),
        };
        let media = (class == Class::Media).then(|| {
            let details = self.media_details.unwrap_or_default();
            let pixels = |name: &str| {
                details.get(name).and_then(Value::as_u64).and_then(|count| u32::try_from(count).ok())
            };
            MediaFacts {
                source_url: self.source_url.unwrap_or_default(),
                mime: self.mime_type.unwrap_or_default(),
                attached_to: self.post.unwrap_or(0),
                alt_text: self.alt_text.unwrap_or_default(),
                file_size: details.get("filesize").and_then(Value::as_u64),
                original_image: details.get("original_image").and_then(Value::as_str).map(str::to_owned),
                dimensions: pixels("width").zip(pixels("height")),
                missing_sizes: names(self.missing_image_sizes.as_ref()),
            }
        });
        Row {
            id: RemoteId(self.id),
            slug: Slug::from_site(&self.slug),
            status: Status::from_site(&self.status),
            author: self.author.unwrap_or(0),
            title: raw(self.title),
            content: raw(content),
            excerpt: raw(excerpt),
            tags: self.tags.unwrap_or_default(),
            categories: self.categories.unwrap_or_default(),
            featured_media: self.featured_media.unwrap_or(0),
            date: self.date.unwrap_or_default(),
            modified_gmt: self.modified_gmt.unwrap_or_default(),
            link: self.link.unwrap_or_default(),
            media,
        }
    }

    pub(crate) fn into_light(self) -> Light {
        Light {
            id: RemoteId(self.id),
            slug: Slug::from_site(&self.slug),
            status: Status::from_site(&self.status),
            author: self.author.unwrap_or(0),
        }
    }
}

/// Reads a list of names, which PHP writes as an object once an entry was taken out of it.
fn names(json: Option<&Value>) -> Vec<String> {
    match json {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::Object(names)) => names.values().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    }
}

impl Status {
    fn from_site(name: &str) -> Self {
        match name {
            "draft" => Self::Draft,
            "pending" => Self::Pending,
            "future" => Self::Future,
            "private" => Self::Private,
            "publish" => Self::Publish,
            "inherit" => Self::Inherit,
            "trash" => Self::Trash,
            name => Self::Custom(text::shortened(name, 40)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_post_is_read_and_recorded() {
        let json = json!({
            "id": 3, "slug": "%e7%8c%ab", "status": "trash", "author": 2, "title": {"raw": "T", "rendered": "t"},
            "content": {"raw": "abc"}, "excerpt": {"raw": "e"}, "tags": [1], "categories": [2, 3], "featured_media": 9,
            "date": "2026-01-02T03:04:05", "modified_gmt": "2026-01-02T03:04:06", "link": "https://example.com/?p=3"
        });
        let row = row(Class::Posts, &json).unwrap();
        assert_eq!((row.slug.as_str(), row.status.clone(), row.in_trash()), ("猫", Status::Trash, true));
        assert_eq!(
            (row.title.as_deref(), row.content.as_deref(), row.excerpt.as_deref()),
            (Some("T"), Some("abc"), Some("e"))
        );
        let recorded = row.recorded();
        assert_eq!((recorded.slug.as_str(), recorded.status.as_str()), ("猫", "trash"));
        assert_eq!((recorded.tags, recorded.categories, recorded.featured_media), (vec![1], vec![2, 3], 9));
        assert_eq!(recorded.content, Some(Digest::of_bytes(b"abc")));
        assert_eq!(recorded.source_url, None);
    }

    #[test]
    fn a_file_is_read_and_recorded() {
        let json = json!({
            "id": 4, "slug": "a-0123456789ab", "status": "inherit", "author": 2, "title": {"raw": "T"},
            "caption": {"raw": "c"}, "description": {"raw": ""}, "alt_text": "alt", "mime_type": "image/jpeg",
            "media_details": {"width": 2560, "height": 1440, "filesize": 77, "original_image": "a.jpg", "sizes": {}},
            "post": 12, "source_url": "https://example.com/a-scaled.jpg", "missing_image_sizes": {"1": "large"}
        });
        let row = row(Class::Media, &json).unwrap();
        let media = row.media.clone().unwrap();
        assert_eq!(
            (media.attached_to, media.file_size, media.dimensions),
            (12, Some(77), Some((2560, 1440)))
        );
        assert_eq!(
            (media.original_image.as_deref(), media.missing_sizes),
            (Some("a.jpg"), vec!["large".to_owned()])
        );
        assert_eq!(row.excerpt.as_deref(), Some("c"));
        let recorded = row.recorded();
        assert_eq!((recorded.attached_to, recorded.file_size, recorded.missing_sizes), (12, Some(77), true));
    }

    #[test]
    fn fields_that_are_missing_or_empty_in_the_manner_of_php_are_no_obstacle() {
        let json = json!({"id": 4, "slug": "", "status": "x\u{1b}y", "post": null, "media_details": [], "missing_image_sizes": false});
        let row = row(Class::Media, &json).unwrap();
        assert_eq!(row.media, Some(MediaFacts::default()));
        assert_eq!(row.status, Status::Custom("xy".into()));
        assert_eq!((row.title.clone(), row.recorded().content), (None, None));
        // No address is none: nothing can be composed with it.
        assert_eq!(row.recorded().source_url, None);
    }

    #[test]
    fn what_every_row_has_must_be_there() {
        for json in [
            json!({}),
            json!([]),
            json!({"id": 1}),
            json!({"id": "1", "slug": "a", "status": "draft"}),
            json!({"id": -1, "slug": "a", "status": "draft"}),
            json!({"id": 0, "slug": "a", "status": "draft"}),
            json!({"id": 1.0, "slug": "a", "status": "draft"}),
            json!({"id": 1_u64 << 63, "slug": "a", "status": "draft"}),
        ] {
            assert_eq!(row(Class::Posts, &json), None, "{json}");
        }
    }
}
