//! An article whose text is read, before its images are known for good.

use std::borrow::Cow;

use ichido_core::slug::Slug;
use sha2::{Digest, Sha256};

use crate::article::Article;
use crate::block::Block;
use crate::images::ArticleImage;
use crate::markdown::Notes;
use crate::meta::Meta;

/// An article before its images are known for good.
pub(crate) struct Draft<'t> {
    pub(crate) title: String,
    pub(crate) slug: Slug,
    pub(crate) meta: Meta,
    pub(crate) featured: Option<usize>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) notes: Option<Notes>,
    pub(crate) body: Cow<'t, str>,
}

impl Draft<'_> {
    pub(crate) fn finish(self, images: Vec<ArticleImage>) -> Article {
        let excerpt = self.meta.excerpt.unwrap_or_default();
        let mut digest = Fields::new();
        digest.field(self.title.as_bytes());
        digest.field(excerpt.as_bytes());
        digest.list(&self.meta.tags);
        digest.list(&self.meta.categories);
        // Nothing is added where there are none: what was sent before there were any has not changed.
        for (field, value) in &self.meta.custom_fields {
            digest.field(field.as_bytes());
            digest.field(value.digested().as_bytes());
        }
        digest.field(&self.featured.map_or([0; 8], |index| (index as u64 + 1).to_be_bytes()));
        digest.field(self.body.as_bytes());
        for image in &images {
            digest.field(&image.digest);
            digest.field(image.alt.as_bytes());
            digest.field(image.title.as_bytes());
            digest.field(image.caption.as_bytes());
        }
        Article {
            title: self.title,
            slug: self.slug,
            excerpt,
            tags: self.meta.tags,
            categories: self.meta.categories,
            custom_fields: self.meta.custom_fields,
            featured: self.featured,
            images,
            source_digest: digest.finish(),
            length: self.body.len() + self.blocks.len() * 64,
            blocks: self.blocks,
            notes: self.notes,
        }
    }
}

/// A digest over fields that cannot run into each other.
struct Fields(Sha256);

impl Fields {
    fn new() -> Self {
        Self(Sha256::new_with_prefix(b"ichido-source-1"))
    }

    fn field(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    fn list(&mut self, names: &[String]) {
        self.0.update((names.len() as u64).to_be_bytes());
        names.iter().for_each(|name| self.field(name.as_bytes()));
    }

    fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
