//! Where references lead: beside the article, to the top of a site's sources, or anywhere in a vault.

use std::os::unix::fs::symlink;

use super::support::{Place, telling};
use crate::image::samples::png;
use crate::{FindingCode, Loaded, Options, discover, load, slug_of};

/// Reads the article with this file name below a folder of the place.
fn article(place: &Place, named: &str, file: &str) -> Loaded {
    let found = discover(&[place.path().join(named)]).unwrap();
    let location = found.articles.iter().find(|location| location.file.ends_with(file)).unwrap();
    load(location, &Options::default())
}

fn widths(loaded: &Loaded) -> Vec<u32> {
    let article = loaded.article.as_ref().unwrap_or_else(|| panic!("{:#?}", loaded.findings));
    article.images.iter().map(|image| image.width).collect()
}

fn with_image(reference: &str) -> Vec<u8> {
    format!("---\ntitle: T\n---\n![x]({reference})\n").into_bytes()
}

#[test]
fn references_may_lead_anywhere_in_the_folder_that_was_named_and_no_farther() {
    let place = Place::with(&[
        ("all/a/index.md", &with_image("../shared/x.png")),
        ("all/b/index.md", &with_image("../../secret.png")),
        ("all/shared/x.png", &png(7, 1)),
        ("secret.png", &png(9, 9)),
    ]);
    assert_eq!(widths(&article(&place, "all", "index.md")), [7]);
    assert_eq!(telling(&article(&place, "all/a", "index.md")), [(FindingCode::ImageOutside, Some(4))]);
    assert_eq!(
        telling(&article(&place, "all/a/index.md", "index.md")),
        [(FindingCode::ImageOutside, Some(4))]
    );
    assert_eq!(telling(&article(&place, "all/b", "index.md")), [(FindingCode::ImageOutside, Some(4))]);
    symlink("../../secret.png", place.path().join("all/shared/out.png")).unwrap();
    place.put("all/a/index.md", &with_image("../shared/out.png"));
    assert_eq!(telling(&article(&place, "all", "index.md")), [(FindingCode::ImageOutside, Some(4))]);
}

#[test]
fn references_from_the_top_lead_to_the_folders_that_generators_serve() {
    for (file, served, reference) in [
        ("content/posts/a.md", "static/img/x.png", "/img/x.png"),
        ("content/posts/a/index.md", "static/img/x.png", "/img/x.png"),
        ("articles/a.md", "images/a/x.png", "/images/a/x.png"),
        ("_posts/2026-11-30-a.md", "assets/x.png", "/assets/x.png"),
        ("_posts/2026-11-30-a.md", "assets/x.png", "{{site.baseurl}}/assets/x.png"),
        ("src/content/blog/a.md", "public/x.png", "/x.png"),
        ("source/_posts/a.md", "source/images/x.png", "/images/x.png"),
        ("a.md", "images/日本 語.png", "/images/%E6%97%A5%E6%9C%AC%20%E8%AA%9E.png"),
    ] {
        let place =
            Place::with(&[(file, &with_image(reference)), (served, &png(7, 1)), ("outside.png", &png(9, 9))]);
        let found = discover(&[place.path().to_owned()]).unwrap();
        let loaded = load(&found.articles[0], &Options::default());
        assert_eq!(widths(&loaded), [7], "{file} {reference}");
    }
    for reference in ["/etc/passwd", "//images/x.png", "/../x.png", "/images/../../x.png", "/images/gone.png"]
    {
        let place = Place::with(&[("all/articles/a.md", &with_image(reference)), ("x.png", &png(7, 1))]);
        assert_eq!(
            telling(&article(&place, "all", "a.md")),
            [(FindingCode::ImageAbsolute, Some(4))],
            "{reference}"
        );
    }
}

#[test]
fn an_article_has_its_name_even_where_its_images_cannot_be_reached() {
    let place =
        Place::with(&[("all/content/first.md", &with_image("/x.png")), ("all/static/x.png", &png(7, 1))]);
    let whole = discover(&[place.path().join("all")]).unwrap();
    let alone = discover(&[place.path().join("all/content/first.md")]).unwrap();
    assert!(load(&alone.articles[0], &Options::default()).article.is_none());
    for location in whole.articles.iter().chain(&alone.articles) {
        assert_eq!(slug_of(location).unwrap().as_str(), "first");
    }
    place.put("all/content/first.md", b"---\nslug: [broken\n---\nx\n");
    assert_eq!(slug_of(&alone.articles[0]), None);
}

#[test]
fn the_nearest_top_of_a_site_comes_first() {
    let place = Place::with(&[
        ("one/package.json", b"{}"),
        ("one/articles/a.md", &with_image("/images/x.png")),
        ("one/images/x.png", &png(7, 1)),
        ("images/x.png", &png(9, 1)),
    ]);
    assert_eq!(widths(&article(&place, "", "a.md")), [7]);
}

#[test]
fn names_in_a_vault_are_found_wherever_they_lie() {
    let place = Place::with(&[
        (".obsidian/app.json", b"{}"),
        ("日記/a.md", &with_image("x.png")),
        ("attachments/deep/x.png", &png(7, 1)),
        ("two/y.png", &png(1, 1)),
        ("three/y.png", &png(2, 1)),
        ("日記/z.png", &png(3, 1)),
        ("z.png", &png(4, 1)),
    ]);
    let read = |reference: &str| {
        place.put("日記/a.md", &with_image(reference));
        article(&place, "", "a.md")
    };
    assert_eq!(widths(&read("x.png")), [7]);
    assert_eq!(widths(&read("deep/x.png")), [7]);
    assert_eq!(widths(&read("z.png")), [3]);
    assert_eq!(widths(&read("three/y.png")), [2]);
    let several = read("y.png");
    assert_eq!(telling(&several), [(FindingCode::ImageAmbiguous, Some(4))]);
    let found = several.findings.iter().find(|found| found.code == FindingCode::ImageAmbiguous).unwrap();
    assert_eq!(
        (found.params["first"].as_str(), found.params["second"].as_str()),
        ("three/y.png", "two/y.png")
    );
    assert_eq!(telling(&read("gone.png")), [(FindingCode::ImageNotFound, Some(4))]);
}

#[test]
fn outside_of_a_vault_a_name_is_no_path() {
    let place = Place::with(&[("a/index.md", &with_image("x.png")), ("b/x.png", &png(7, 1))]);
    assert_eq!(telling(&article(&place, "", "index.md")), [(FindingCode::ImageNotFound, Some(4))]);
}

#[test]
fn the_top_that_typora_writes_down_holds() {
    let text = "---\ntitle: T\ntypora-root-url: ../static\n---\n![x](/img/x.png)\n";
    let place = Place::with(&[
        ("notes/a.md", text.as_bytes()),
        ("static/img/x.png", &png(7, 1)),
        ("img/x.png", &png(8, 1)),
    ]);
    let loaded = article(&place, "", "a.md");
    assert_eq!((widths(&loaded), telling(&loaded)), (vec![7], vec![]));
}
