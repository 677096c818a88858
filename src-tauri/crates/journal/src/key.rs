//! What makes two intended effects the same one.

use std::fmt;

use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::slug::Slug;

/// Identifies an effect among those of its kind on a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// A post: its slug.
    #[must_use]
    pub fn post(slug: &Slug) -> Self {
        Self(slug.as_str().to_owned())
    }

    /// An image: the digest of its original bytes, and the version of the preparation that they went
    /// through.
    #[must_use]
    pub fn image(original: Digest, preparation: u32) -> Self {
        Self(format!("{original}/{preparation}"))
    }

    /// A term: its taxonomy, the id of its parent (0 for none) and its name.
    #[must_use]
    pub fn term(taxonomy: &str, parent: u64, name: &str) -> Self {
        Self(format!("{taxonomy}/{parent}/{name}"))
    }

    /// Attaching an image to a post.
    #[must_use]
    pub fn attach(image: OpId, post: OpId) -> Self {
        Self(format!("{image}/{post}"))
    }

    /// Reads back which image is attached to which post; `None` for a key of another kind.
    #[must_use]
    pub fn attached(&self) -> Option<(OpId, OpId)> {
        let (image, post) = self.0.split_once('/')?;
        Some((OpId::parse(image)?, OpId::parse(post)?))
    }

    /// Writing the fields of a post.
    #[must_use]
    pub fn fields(post: OpId) -> Self {
        Self(post.to_string())
    }

    /// Reads back whose fields are written; `None` for a key of another kind.
    #[must_use]
    pub fn fields_of(&self) -> Option<OpId> {
        OpId::parse(&self.0)
    }

    /// Making the missing sizes of an image.
    #[must_use]
    pub fn post_process(media: RemoteId) -> Self {
        Self(media.to_string())
    }

    /// Returns the stored form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
