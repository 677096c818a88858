//! What an article is called, whatever else is wrong with it.

use ichido_core::slug::Slug;

use crate::discover::Location;
use crate::finding::Findings;
use crate::folder::Folder;
use crate::load;
use crate::options::{Limits, Options};
use crate::{front_matter, meta, text};

/// Reads the slug of an article and nothing else: its images may be missing, its text may be empty.
/// Nothing if the text or its front matter cannot be read, or nothing of the slug is left.
#[must_use]
pub fn slug_of(location: &Location) -> Option<Slug> {
    let folder = Folder::open(location.root.path()).ok()?;
    let file = location.below_root().join(&location.file);
    let bytes = folder.read(&file, Limits::default().text_bytes).ok()?;
    let text = text::decode(&bytes).ok()?;
    let entries = front_matter::split(&text).ok()?.entries;
    let mut unheard = Findings::of(location.shown());
    let meta = meta::read(&entries, &Options::default(), &mut unheard);
    load::slug(location, meta.slug.as_ref(), &mut unheard)
}
