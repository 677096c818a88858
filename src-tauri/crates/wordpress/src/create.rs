//! The requests that make something. Each consumes a permit and leaves at most once.

use bytes::Bytes;
use ichido_core::id::RemoteId;
use ichido_core::outcome::Sent;
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;

use crate::client::Client;

/// A draft to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftRequest {
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub title: String,
    /// Its excerpt; empty for none.
    pub excerpt: String,
    /// Its content, with the marker.
    pub content: String,
    /// Ids of its tags.
    pub tags: Vec<u64>,
    /// Ids of its categories; the site adds its default one if there is none.
    pub categories: Vec<u64>,
    /// The id of its featured image.
    pub featured_media: Option<RemoteId>,
}

/// An image to be uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadRequest {
    /// The bytes of the file.
    pub bytes: Bytes,
    /// The name of the file: ASCII letters, digits, `-`, `_` and `.` only.
    pub file_name: String,
    /// The MIME type.
    pub mime: String,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub title: String,
    /// The text for those who cannot see it.
    pub alt_text: String,
    /// Its caption; empty for none.
    pub caption: String,
    /// Whether it is to be hidden from the public until it is attached.
    pub private: bool,
    /// MD5 of `bytes` in lower-case hexadecimal digits, taken when they were prepared.
    pub md5_hex: String,
    /// Whether the site is to make the smaller sizes later, by [`Client::post_process`] (7.1; older
    /// versions ignore it).
    pub defer_sizes: bool,
}

/// An image to be attached to a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attach {
    /// The image.
    pub media: RemoteId,
    /// The draft.
    pub post: RemoteId,
    /// Whether the image was uploaded as private and is to follow the draft's status from now on.
    pub publish: bool,
}

impl Client {
    /// Creates a draft.
    pub async fn create_draft(&self, permit: SendPermit, request: &DraftRequest) -> Sent {
        let _ = (permit, request);
        unimplemented!()
    }

    /// Uploads an image.
    pub async fn upload_image(&self, permit: SendPermit, request: &UploadRequest) -> Sent {
        let _ = (permit, request);
        unimplemented!()
    }

    /// Attaches an image to a draft. May be repeated. A refusal for this image alone (it is no longer
    /// ours to edit, or gone) carries [`RefusalCode::CannotEditOthers`](ichido_core::outcome::RefusalCode::CannotEditOthers)
    /// or [`RefusalCode::InvalidParam`](ichido_core::outcome::RefusalCode::InvalidParam).
    pub async fn attach(&self, permit: SendPermit, request: Attach) -> Sent {
        let _ = (permit, request);
        unimplemented!()
    }

    /// Makes the missing sizes of an image. May be repeated. Refusals as of [`Client::attach`].
    pub async fn post_process(&self, permit: SendPermit, media: RemoteId) -> Sent {
        let _ = (permit, media);
        unimplemented!()
    }
}
