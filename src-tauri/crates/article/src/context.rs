//! What is gathered while a text is turned into blocks.

use crate::finding::Findings;
use crate::images::Images;
use crate::options::{Gates, Marks};

/// The images and findings of the article that is being read.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) images: Images,
    pub(crate) findings: Findings,
    pub(crate) gates: Gates,
    pub(crate) marks: Marks,
    /// The name of the article, by which ids in its text differ from those in others.
    pub(crate) name: String,
    /// Whether the file is MDX: Markdown with code and components.
    pub(crate) is_mdx: bool,
    /// The links to headings that were met, each with its line.
    pub(crate) links_to_headings: Vec<(String, Option<u32>)>,
}
