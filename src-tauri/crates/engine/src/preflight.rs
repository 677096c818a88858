//! Finding and checking articles, before any network.

use std::path::PathBuf;

use ichido_article::{DiscoverError, Finding, FindingCode, Loaded, Location, Preview};
use ichido_core::digest::Digest;
use ichido_core::operation::Kind;
use ichido_journal::Operation;

use crate::event::ArticleName;
use crate::item::has_error;
use crate::reconcile::Digests;
use crate::settings::Settings;

/// Finds and checks articles, on all processors. No network. Articles that say themselves that they are
/// not to be published are among what was passed over.
///
/// # Errors
/// Fails if a path is missing or holds no article.
pub fn check(paths: &[PathBuf], settings: Settings) -> Result<(Vec<Loaded>, Vec<Finding>), DiscoverError> {
    let found = ichido_article::discover(paths)?;
    let (ignored, mut loaded): (Vec<Loaded>, Vec<Loaded>) =
        ichido_article::load_all(&found.articles, &settings.reading())
            .into_iter()
            .partition(Loaded::is_ignored);
    let said = ignored.into_iter().flat_map(|loaded| loaded.findings);
    let mut notes = found.notes;
    notes.extend(said.filter(|finding| finding.code == FindingCode::ArticleIgnored));
    for (index, finding) in ichido_article::clashes(&loaded) {
        if let Some(loaded) = loaded.get_mut(index).filter(|loaded| !loaded.findings.contains(&finding)) {
            loaded.findings.push(finding);
        }
    }
    Ok((loaded, notes))
}

/// Names a checked article.
#[must_use]
pub fn name_of(loaded: &Loaded) -> ArticleName {
    ArticleName {
        path: PathBuf::from(loaded.location.key()),
        slug: loaded.named.as_ref().map(|named| named.slug.as_str().to_owned()),
        title: loaded.named.as_ref().map(|named| named.title.clone()),
    }
}

/// Tells whether an article can be sent as far as its own content goes.
#[must_use]
pub fn is_sendable(loaded: &Loaded) -> bool {
    loaded.article.is_some() && !has_error(&loaded.findings)
}

/// Reads what the articles of these operations look like now, where they are still in their places.
pub(crate) fn digests_now<'a>(
    operations: impl Iterator<Item = &'a Operation>,
    settings: &Settings,
) -> Digests {
    let options = settings.reading();
    operations
        .filter(|operation| operation.kind == Kind::Post)
        .filter_map(|operation| {
            let found =
                ichido_article::discover(std::slice::from_ref(operation.source_path.as_ref()?)).ok()?;
            let [location] = found.articles.as_slice() else { return None };
            let article = ichido_article::load(location, &options).article?;
            Some((operation.op_id, Digest(article.source_digest)))
        })
        .collect()
}

/// Shows what of an article will be sent; nothing where an error keeps it back. Reads the article again.
#[must_use]
pub fn preview(location: &Location, settings: &Settings) -> Option<Preview> {
    Some(ichido_article::load(location, &settings.reading()).article?.preview())
}
