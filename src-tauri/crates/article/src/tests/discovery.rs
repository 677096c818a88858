//! Which files are articles, and what they are called.

use std::path::PathBuf;

use super::support::{Place, telling};
use crate::image::samples::png;
use crate::{DiscoverError, FindingCode, Options, clashes, discover, load};

const TEXT: &[u8] = b"---\ntitle: T\n---\nx\n";

/// The slugs of the articles below a folder, in the order of finding.
fn slugs(place: &Place) -> Vec<String> {
    let found = discover(&[place.path().to_owned()]).unwrap();
    found
        .articles
        .iter()
        .map(|location| load(location, &Options::default()).article.unwrap().slug.as_str().to_owned())
        .collect()
}

#[test]
fn folders_and_loose_files_are_articles() {
    let place = Place::with(&[
        ("2026-11-30-first/index.md", TEXT),
        ("2026-11-30-first/other.md", TEXT),
        ("日本語の記事/article.html", TEXT),
        ("readme-only/README.md", TEXT),
        ("single/2026-01-02-name-of-file.md", TEXT),
        ("single/images/a.png", &png(1, 1)),
        ("section/_index.md", TEXT),
        ("section/deep/index.markdown", TEXT),
        ("section/loose.htm", TEXT),
        ("Title 0123456789abcdef0123456789abcdef.md", TEXT),
        ("README.md", TEXT),
        ("node_modules/x/index.md", TEXT),
        (".obsidian/x.md", TEXT),
        (".remote/x.md", TEXT),
        ("~$x.md", TEXT),
        ("x.md.tmp", TEXT),
        ("a (conflicted copy 2026-11-30).md", TEXT),
        ("notes.txt", TEXT),
    ]);
    let mut found = slugs(&place);
    found.sort();
    assert_eq!(found, ["deep", "first", "loose", "name-of-file", "readme-only", "title", "日本語の記事"]);
    let notes: Vec<_> =
        discover(&[place.path().to_owned()]).unwrap().notes.into_iter().map(|note| note.code).collect();
    assert_eq!(
        notes,
        [FindingCode::ConflictedCopyIgnored, FindingCode::OtherTextIgnored, FindingCode::OtherTextIgnored]
    );
}

#[test]
fn the_named_folder_follows_the_same_rule() {
    let place = Place::with(&[("my-post/index.md", TEXT), ("my-post/sub/index.md", TEXT)]);
    let found = discover(&[place.path().join("my-post")]).unwrap();
    assert_eq!(found.articles.len(), 1);
    assert_eq!(found.articles[0].shown(), PathBuf::from("my-post/index.md"));
    let by_file = discover(&[place.path().join("my-post/index.md")]).unwrap();
    assert_eq!(by_file.articles, found.articles);
}

#[test]
fn the_same_article_is_found_once() {
    let place = Place::with(&[("a/index.md", TEXT), ("b.md", TEXT)]);
    let paths = [
        place.path().to_owned(),
        place.path().join("a"),
        place.path().join("b.md"),
        place.path().join("a/../b.md"),
    ];
    let found = discover(&paths).unwrap();
    assert_eq!(found.articles.len(), 2);
    assert!(found.articles.iter().all(|location| location.key().starts_with('/')));
}

#[test]
fn what_cannot_be_found_is_an_error_with_its_path() {
    let place = Place::with(&[("empty/a.txt", b"x"), ("a.png", &png(1, 1))]);
    let path = |name: &str| place.path().join(name);
    let error = |name: &str| discover(&[path(name)]).unwrap_err();
    assert!(matches!(error("none"), DiscoverError::NotFound { path: named } if named == path("none")));
    assert!(matches!(error("a.png/x"), DiscoverError::NotFound { .. }));
    assert!(matches!(error("empty"), DiscoverError::Empty { path: named } if named == path("empty")));
    assert!(matches!(error("a.png"), DiscoverError::NotAnArticle { .. }));
}

#[test]
fn depth_is_bounded() {
    let place = Place::with(&[("1/2/3/4/5/6/7/8/index.md", TEXT), ("a/2/3/4/5/6/7/8/9/index.md", TEXT)]);
    let found = discover(&[place.path().to_owned()]).unwrap();
    assert_eq!(found.articles.len(), 1);
    assert_eq!(found.notes.iter().map(|note| note.code).collect::<Vec<_>>(), [FindingCode::FolderTooDeep]);
}

#[test]
fn the_picture_of_a_folder_is_its_featured_image() {
    let place = Place::with(&[("p/index.md", TEXT), ("p/cover.png", &png(2, 2)), ("p/z.png", &png(3, 3))]);
    assert_eq!(place.load().article.unwrap().featured, Some(0));
    let shared = Place::with(&[("a.md", TEXT), ("b.md", TEXT), ("cover.png", &png(2, 2))]);
    let found = discover(&[shared.path().to_owned()]).unwrap();
    assert!(
        found.articles.iter().all(|location| load(location, &Options::default())
            .article
            .unwrap()
            .featured
            .is_none())
    );
}

#[test]
fn equal_slugs_in_a_batch_are_errors_for_each() {
    let place = Place::with(&[("a/Same Name.md", TEXT), ("b/same-name.md", TEXT), ("c/other.md", TEXT)]);
    let found = discover(&[place.path().to_owned()]).unwrap();
    let batch: Vec<_> = found.articles.iter().map(|location| load(location, &Options::default())).collect();
    let clashing = clashes(&batch);
    assert_eq!(
        clashing.iter().map(|(at, finding)| (*at, finding.code)).collect::<Vec<_>>(),
        [(0, FindingCode::SlugClash), (1, FindingCode::SlugClash)]
    );
    assert_eq!(clashing[0].1.params["slug"], "same-name");
}

#[test]
fn the_digest_follows_the_content_and_not_the_slug() {
    let digest = |folder: &str, text: &str, picture: &[u8]| {
        Place::with(&[
            (&format!("{folder}/index.md"), text.as_bytes()),
            (&format!("{folder}/a.png"), picture),
        ])
        .load()
        .article
        .unwrap()
        .source_digest
    };
    let (text, one) = ("---\ntitle: T\n---\n![](a.png)\n", png(1, 1));
    let base = digest("x", text, &one);
    assert_eq!(digest("renamed", text, &one), base);
    assert_eq!(digest("x", "---\nslug: other\ntitle: T\ndate: 2026-11-30\n---\n![](a.png)\n", &one), base);
    assert_ne!(digest("x", text, &png(1, 2)), base);
    assert_ne!(digest("x", "---\ntitle: U\n---\n![](a.png)\n", &one), base);
    assert_ne!(digest("x", "---\ntitle: T\ntags: a\n---\n![](a.png)\n", &one), base);
    assert_ne!(digest("x", "---\ntitle: T\n---\n![](a.png)\n!\n", &one), base);
}

#[test]
fn texts_are_bounded() {
    let place = Place::with(&[("index.md", &vec![b'x'; (5 << 20) + 1])]);
    assert_eq!(telling(&place.load()), [(FindingCode::TextTooLarge, None)]);
}
