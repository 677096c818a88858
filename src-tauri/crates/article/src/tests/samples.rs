//! The sample articles that come with the program.

use std::path::Path;

use super::reparse;
use super::support::placed;
use crate::{FindingCode, Options, discover, load};

#[test]
fn samples_can_be_sent_as_they_are() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../samples");
    let found = discover(&[samples]).unwrap();
    assert_eq!(found.notes, []);
    assert!(found.articles.len() >= 4);
    for location in &found.articles {
        let loaded = load(location, &Options::default());
        assert!(
            loaded.findings.iter().all(|found| found.code == FindingCode::CategoriesMissing),
            "{:#?}",
            loaded.findings
        );
        let article = loaded.article.unwrap();
        assert!(article.categories.iter().all(|name| ["お知らせ", "News"].contains(&name.as_str())));
        let content = article.compose(&placed(article.images.len()), Some("0190")).unwrap();
        assert!(reparse::check(&content).len() >= 5);
        for image in &article.images {
            assert!(!image.alt.is_empty(), "{}", image.reference);
            assert!(image.prepare(&Options::default(), false).unwrap().bytes.len() < 60_000);
        }
    }
}
