//! One article, read and checked.

use std::path::PathBuf;

use ichido_core::slug::Slug;

use crate::block::{Block, Writer};
use crate::compose::{ComposeError, Editor, Footnote, PlacedImage};
use crate::discover::Location;
use crate::fields::FieldValue;
use crate::finding::{Finding, FindingCode};
use crate::images::ArticleImage;
use crate::markdown::Notes;

/// What came of reading one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Where it lies.
    pub location: Location,
    /// The article; nothing if a finding is an error.
    pub article: Option<Article>,
    /// How the article calls itself, where that could be read although something else is wrong.
    pub named: Option<Named>,
    /// What was found, in the order of reading.
    pub findings: Vec<Finding>,
    /// The files here that were read for it, the text first: as long as none of them changes, nor any name in the
    /// folder that was named, it is read as the same.
    pub files: Vec<PathBuf>,
}

/// How an article calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The title, one line.
    pub title: String,
    /// The slug as WordPress stores it.
    pub slug: Slug,
}

/// An article that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// The title, one line.
    pub title: String,
    /// The slug as WordPress stores it.
    pub slug: Slug,
    /// The excerpt, empty if none.
    pub excerpt: String,
    /// The names of the tags.
    pub tags: Vec<String>,
    /// The names, slugs or paths of the categories, as written.
    pub categories: Vec<String>,
    /// The custom fields of the post, each with its value.
    pub custom_fields: Vec<(String, FieldValue)>,
    /// The index of the featured image in `images`.
    pub featured: Option<usize>,
    /// The local images that the text and the featured image use, each once.
    pub images: Vec<ArticleImage>,
    /// SHA-256 over everything that is sent but the slug: whether the article has changed here.
    pub source_digest: [u8; 32],
    pub(crate) blocks: Vec<Block>,
    pub(crate) notes: Option<Notes>,
    /// A guess at the length of the composed content.
    pub(crate) length: usize,
}

impl Loaded {
    /// Whether the article says itself that it is not to be published.
    #[must_use]
    pub fn is_ignored(&self) -> bool {
        self.findings.iter().any(|found| found.code == FindingCode::ArticleIgnored)
    }
}

impl Article {
    /// Composes the content with the site's images, given in the order of [`Article::images`].
    ///
    /// The marker becomes an attribute of the first block that is neither *more* nor a page break.
    ///
    /// # Errors
    /// When the places do not fit the images, or no block can carry the marker.
    pub fn compose(&self, images: &[PlacedImage], marker: Option<&str>) -> Result<String, ComposeError> {
        self.compose_for(Editor::default(), images, marker)
    }

    /// Composes the content as [`Article::compose`] does, for an editor of which more is known.
    ///
    /// # Errors
    /// When the places do not fit the images, or no block can carry the marker.
    pub fn compose_for(
        &self,
        editor: Editor,
        images: &[PlacedImage],
        marker: Option<&str>,
    ) -> Result<String, ComposeError> {
        self.placed(images)?;
        let editor = Editor { footnotes: editor.footnotes && self.has_native_notes(), ..editor };
        let notes = self.notes.iter().flat_map(|notes| notes.blocks(editor));
        Writer::new(images, editor, self.length).document(self.blocks.iter().chain(notes), marker)
    }

    /// The notes for the post's field `footnotes`, where the content was composed for an editor that has the block;
    /// none where they are a list in the content all the same.
    ///
    /// # Errors
    /// When the places do not fit the images.
    pub fn footnotes(&self, images: &[PlacedImage]) -> Result<Vec<Footnote>, ComposeError> {
        self.placed(images)?;
        let native = self.notes.iter().flat_map(|notes| notes.native());
        native
            .map(|(id, content)| {
                let content = Writer::new(images, Editor::default(), 0).markup(content)?;
                Ok(Footnote { id: id.clone(), content })
            })
            .collect()
    }

    /// Whether the content depends on what the editor of the site knows: see [`Editor`].
    #[must_use]
    pub fn depends_on_the_editor(&self) -> bool {
        self.has_native_notes() || self.blocks.iter().any(|block| block.holds("details"))
    }

    fn has_native_notes(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| !notes.native().is_empty())
    }

    fn placed(&self, images: &[PlacedImage]) -> Result<(), ComposeError> {
        if images.len() == self.images.len() {
            return Ok(());
        }
        Err(ComposeError::WrongNumberOfImages { needed: self.images.len(), given: images.len() })
    }

    /// Composes the content for the classic editor: the same markup without block delimiters, so
    /// without a marker.
    ///
    /// # Errors
    /// When the places do not fit the images.
    pub fn compose_classic(&self, images: &[PlacedImage]) -> Result<String, ComposeError> {
        self.placed(images)?;
        let editor = Editor::default();
        let notes = self.notes.iter().flat_map(|notes| notes.blocks(editor));
        Writer::new(images, editor, self.length).classic(self.blocks.iter().chain(notes))
    }
}
