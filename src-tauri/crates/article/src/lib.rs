//! Articles: from a folder or a file to blocks and images that can be sent, and what stands in the way.
//!
//! This crate reads folders and opens no socket. Content is hostile input: paths cannot leave the
//! folder that was named, sizes and depths are bounded, and markup is written from trees only.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use ichido_article::{Options, discover, load};
//!
//! let found = discover(&["articles".into()])?;
//! for location in &found.articles {
//!     let loaded = load(location, &Options::default());
//!     if let Some(article) = loaded.article {
//!         let content = article.compose(&[], None)?;
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod anchors;
mod article;
mod block;
mod bounds;
mod clash;
mod code;
mod compose;
mod content;
mod context;
mod discover;
mod draft;
mod elements;
mod embed;
mod fields;
mod file_names;
mod finding;
mod folder;
mod front_matter;
mod gates;
mod html;
mod image;
mod images;
mod kept;
mod keys;
mod link;
mod load;
mod markdown;
mod markup;
mod meta;
mod naming;
mod options;
mod phrasing;
mod picture;
mod places;
mod prepare;
mod preview;
mod reference;
mod root;
mod sources;
mod table;
mod text;

#[cfg(test)]
mod tests;

pub use article::{Article, Loaded, Named};
pub use clash::clashes;
pub use compose::{ComposeError, Editor, Footnote, PlacedImage};
pub use discover::{DiscoverError, Discovery, Location, discover};
pub use fields::FieldValue;
pub use finding::{Finding, FindingCode, Severity};
pub use images::ArticleImage;
pub use load::{load, load_all};
pub use naming::slug_of;
pub use options::{BareUrls, DescriptionIs, Gates, Limits, Marks, Obsidian, Options};
pub use prepare::{BIG_IMAGE, PREPARATION_VERSION, PrepareError, PreparedImage};
pub use preview::Preview;
