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

/// What the editor of a site knows of the blocks that came late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Editor {
    /// The block `core/details`, from WordPress 6.3 on. Without it, the same elements stand in an HTML block.
    pub details: bool,
    /// The block `core/footnotes`, from WordPress 6.3 on, together with the field that holds the notes, so that
    /// what [`Article::footnotes`](crate::Article::footnotes) answers is sent too. Without it, the notes are a list.
    pub footnotes: bool,
}

impl Default for Editor {
    /// The editor of a site of which no more is known: of any age, and without a way for the notes.
    fn default() -> Self {
        Self { details: false, footnotes: false }
    }
}

/// A note of an article for the field `footnotes` of its post.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Footnote {
    /// The id: `fn-` and a UUID that the article's name and the note's label give.
    pub id: String,
    /// The text as HTML.
    pub content: String,
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
