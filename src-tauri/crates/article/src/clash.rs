//! Articles of a batch that would have the same slug.

use std::collections::HashMap;

use crate::article::Loaded;
use crate::finding::{Finding, FindingCode};

/// Finds the articles whose slug another article of the batch has too: an error for each of them.
///
/// Answers the index of the article in the batch with its finding.
#[must_use]
pub fn clashes(batch: &[Loaded]) -> Vec<(usize, Finding)> {
    let mut by_slug: HashMap<&str, Vec<usize>> = HashMap::with_capacity(batch.len());
    for (at, loaded) in batch.iter().enumerate() {
        if let Some(article) = &loaded.article {
            by_slug.entry(article.slug.as_str()).or_default().push(at);
        }
    }
    let mut found: Vec<(usize, Finding)> = by_slug
        .into_iter()
        .filter(|(_, same)| same.len() > 1)
        .flat_map(|(slug, same)| {
            let (first, second) = (same[0], same[1]);
            same.into_iter().map(move |at| {
                let other = if at == first { second } else { first };
                let other = batch[other].location.shown().display().to_string();
                let finding = Finding::new(FindingCode::SlugClash, batch[at].location.shown());
                (at, finding.with("slug", slug).with("other", other))
            })
        })
        .collect();
    found.sort_by_key(|(at, _)| *at);
    found
}
