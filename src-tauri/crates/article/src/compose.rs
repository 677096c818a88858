//! The content of a post from an article and the site's images.

/// An image as the site holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedImage {
    /// The id of the attachment.
    pub id: u64,
    /// The URL to show: the site's `source_url`, or that of a size.
    pub url: String,
    /// The name of the size that `url` shows, when it is not the full one.
    pub size: Option<String>,
}

impl PlacedImage {
    pub(crate) fn size_slug(&self) -> &str {
        self.size.as_deref().unwrap_or("full")
    }
}

/// Why the content cannot be composed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// The site's place of an image is not given.
    #[error("compose the content without the place of image {index}")]
    ImageNotPlaced {
        /// The image's index in the article.
        index: usize,
    },
    /// More or fewer places than the article has images.
    #[error("compose the content with {given} places for {needed} images")]
    WrongNumberOfImages {
        /// Images of the article.
        needed: usize,
        /// Places given.
        given: usize,
    },
    /// No block can carry the marker.
    #[error("compose the content without a block that can carry the marker")]
    NoPlaceForMarker,
}
