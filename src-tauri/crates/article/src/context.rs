//! What is gathered while a text is turned into blocks.

use crate::finding::Findings;
use crate::images::Images;

/// The images and findings of the article that is being read.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) images: Images,
    pub(crate) findings: Findings,
}
