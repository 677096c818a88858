//! What a list shows of an article, without its text: light enough for tens of thousands.

use std::path::PathBuf;

use ichido_article::{Finding, Loaded, Location, Severity};
use ichido_core::digest::Digest;
use ichido_core::slug::Slug;

use crate::settings::Settings;

/// An article as it was when it was read last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Where it lies.
    pub location: Location,
    /// Its path, as the engine names it.
    pub path: PathBuf,
    /// Its title; empty where none could be read.
    pub title: String,
    /// Its slug, where it has a valid one.
    pub slug: Option<Slug>,
    /// Its excerpt; empty if none.
    pub excerpt: String,
    /// The names of its tags.
    pub tags: Vec<String>,
    /// The names of its categories.
    pub categories: Vec<String>,
    /// How many local images it uses.
    pub images: u32,
    /// What its check found.
    pub findings: Vec<Finding>,
    /// Digest of its text and images, where it could be read.
    pub digest: Option<Digest>,
}

impl Sheet {
    /// Takes what a list shows from a checked article.
    #[must_use]
    pub fn of(loaded: &Loaded) -> Self {
        let path = PathBuf::from(loaded.location.key());
        let Loaded { location, article, named, findings, files: _ } = loaded.clone();
        // What is wrong with it takes neither its title nor its slug away.
        let (title, slug) = named.map(|named| (named.title, named.slug)).unzip();
        let empty = Self {
            location,
            path,
            title: title.unwrap_or_default(),
            slug,
            excerpt: String::new(),
            tags: Vec::new(),
            categories: Vec::new(),
            images: 0,
            findings,
            digest: None,
        };
        let Some(article) = article else { return empty };
        Self {
            images: u32::try_from(article.images.len()).unwrap_or(u32::MAX),
            title: article.title,
            slug: Some(article.slug),
            excerpt: article.excerpt,
            tags: article.tags,
            categories: article.categories,
            digest: Some(Digest(article.source_digest)),
            ..empty
        }
    }

    /// Counts the findings of one weight.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u32 {
        let count = self.findings.iter().filter(|finding| finding.code.severity() == severity).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Tells whether it can be sent as far as its own content goes.
    #[must_use]
    pub fn is_sendable(&self) -> bool {
        self.slug.is_some() && self.count(Severity::Error) == 0
    }
}

/// Reads articles again, just before they are sent.
#[must_use]
pub fn read_again(locations: &[Location], settings: Settings) -> Vec<Loaded> {
    ichido_article::load_all(locations, &settings.reading())
}
