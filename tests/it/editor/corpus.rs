//! The whole corpus of articles on real sites, by users with different rights: what is stored is what was sent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ichido_article::{Article, Editor, FindingCode, Loaded, PlacedImage};
use ichido_core::content::{normalise, without_marker};
use ichido_engine::Settings;
use ichido_tests::{Desk, Place, Site, StoredPost, Who};
use serde_json::{Value, json};

use super::browser::Browser;

/// What WordPress takes out of the posts of authors, by article: each has such an element or attribute in it.
const TAKEN_FROM_AUTHORS: &[(&str, &str)] = &[];
/// The same for the oldest release, which lets authors keep fewer elements.
const TAKEN_FROM_AUTHORS_BEFORE: &[(&str, &str)] = &[];

#[tokio::test]
async fn an_administrator_finds_every_article_as_it_was_sent() {
    is_stored_as_sent(Place::RealNew, Who::Administrator).await;
}

#[tokio::test]
async fn an_editor_finds_every_article_as_it_was_sent() {
    is_stored_as_sent(Place::RealNew, Who::Editor).await;
}

#[tokio::test]
async fn an_author_finds_every_article_as_it_was_sent_but_for_what_authors_may_not_write() {
    is_stored_as_sent(Place::RealNew, Who::Author).await;
}

#[tokio::test]
async fn an_administrator_of_an_old_site_finds_every_article_as_it_was_sent() {
    is_stored_as_sent(Place::RealOld, Who::Administrator).await;
}

#[tokio::test]
async fn an_editor_of_an_old_site_finds_every_article_as_it_was_sent() {
    is_stored_as_sent(Place::RealOld, Who::Editor).await;
}

#[tokio::test]
async fn an_author_of_an_old_site_finds_every_article_as_it_was_sent_but_for_what_authors_may_not_write() {
    is_stored_as_sent(Place::RealOld, Who::Author).await;
}

/// The folders of the articles whose blocks are kept beside them.
fn corpus() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let blocks = std::fs::read_dir(fixtures.join("blocks")).expect("there are blocks");
    let names = blocks.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
    let names: BTreeSet<String> =
        names.map(|name| name.split('.').next().expect("a name").to_owned()).collect();
    let folders: Vec<PathBuf> = names.iter().map(|name| fixtures.join("articles").join(name)).collect();
    assert!(folders.len() >= 150, "{}", folders.len());
    folders
}

async fn is_stored_as_sent(place: Place, who: Who) {
    let site = Site::start(place).await;
    let desk = Desk::at_as(&site, who).await;
    let folders = corpus();
    for name in ["お知らせ", "News"] {
        drop(site.rest(Who::Administrator).post("wp/v2/categories", json!({ "name": name })).await);
    }
    let (loaded, _) = ichido_engine::check(&folders, Settings::default()).expect("there are articles");
    desk.register_paths(&folders).await.expect("it runs");
    let stored: BTreeMap<String, StoredPost> =
        site.posts().await.into_iter().map(|post| (post.slug.clone(), post)).collect();
    let places = places(&site).await;
    let mut differing = BTreeMap::new();
    let mut sendable = 0;
    for loaded in &loaded {
        let Some(article) = &loaded.article else { continue };
        sendable += 1;
        let Some(post) = stored.get(article.slug.as_str()) else {
            panic!("{} was not registered", article.slug.as_str())
        };
        let content = without_marker(&post.content);
        if !is_one_of(&sent(article, &places), &content, place, who) {
            differing.insert(article.slug.as_str().to_owned(), (loaded, content));
        }
    }
    assert_eq!((sendable, stored.len()), (loaded.len(), loaded.len()));
    let allowed: BTreeMap<&str, &str> = if who == Who::Author {
        let before = TAKEN_FROM_AUTHORS_BEFORE.iter().filter(|_| place == Place::RealOld);
        TAKEN_FROM_AUTHORS.iter().chain(before).copied().collect()
    } else {
        BTreeMap::new()
    };
    let found: BTreeSet<&str> = differing.keys().map(String::as_str).collect();
    let expected: BTreeSet<&str> = allowed.keys().copied().collect();
    let first = differing.iter().find(|(slug, _)| !expected.contains(slug.as_str()));
    if let Some((slug, (loaded, content))) = first {
        let sent = sent(loaded.article.as_ref().expect("an article"), &places);
        panic!("{slug}\n--- sent:\n{}\n--- stored:\n{content}\n{:?}", sent[0], found.difference(&expected));
    }
    assert_eq!(found, expected);
    for (slug, (loaded, _)) in &differing {
        told(slug, allowed[slug.as_str()], loaded);
    }
    if place == Place::RealNew {
        in_the_editor(&site, who, &stored).await;
    }
}

/// What the preflight has to say of an article from which something is taken.
fn told(slug: &str, taken: &str, loaded: &Loaded) {
    let elements = taken.split(' ').filter(|taken| !taken.starts_with('@'));
    for element in elements {
        let is_told = loaded.findings.iter().any(|found| {
            found.code == FindingCode::HtmlForUnfiltered
                && found.params.get("element").is_some_and(|told| told == element)
        });
        assert!(is_told, "{slug}: {element}");
    }
}

/// Where the site holds each image, by its slug.
async fn places(site: &Site) -> BTreeMap<String, PlacedImage> {
    let mut found = BTreeMap::new();
    for page in 1.. {
        let page = page.to_string();
        let query =
            [("per_page", "100"), ("page", &*page), ("context", "edit"), ("status", "inherit,private")];
        let reply = site.rest(Who::Administrator).get("wp/v2/media", &query).await;
        let rows = reply.json.as_array().cloned().unwrap_or_default();
        for row in &rows {
            let url = row["source_url"].as_str().expect("an address").to_owned();
            let slug = row["slug"].as_str().expect("a slug").to_owned();
            let id = row["id"].as_u64().expect("an id");
            found.insert(slug, PlacedImage { id, url, size: None });
        }
        if rows.len() < 100 {
            break;
        }
    }
    found
}

/// The content that an article comes to on this site, for editors of each age.
fn sent(article: &Article, places: &BTreeMap<String, PlacedImage>) -> [String; 3] {
    let images: Vec<PlacedImage> = article
        .images
        .iter()
        .map(|image| places.get(image.slug.as_str()).cloned().expect("every image is there"))
        .collect();
    [(true, true), (true, false), (false, false)].map(|(details, footnotes)| {
        article.compose_for(Editor { details, footnotes }, &images, None).expect("it can be composed")
    })
}

fn is_one_of(sent: &[String], stored: &str, place: Place, who: Who) -> bool {
    sent.iter().any(|sent| {
        let is_filtered = who == Who::Author || place == Place::RealOld;
        // Tags are closed in another way for authors, and old sites add `noopener` to links.
        sent == stored || (is_filtered && normalise(sent) == normalise(stored))
    })
}

/// The editor takes every content as valid, and would save it unchanged.
async fn in_the_editor(site: &Site, who: Who, stored: &BTreeMap<String, StoredPost>) {
    let real = site.real().expect("a real site");
    let browser = Browser::signed_in(real, who).await;
    let any = stored.values().next().expect("there is a post");
    browser.edit(real, any.id).await;
    let contents: Vec<Value> =
        stored.values().map(|post| json!([post.slug, without_marker(&post.content)])).collect();
    let code = "return arguments[0].flatMap(([slug, content]) => {
        const found = [];
        const visit = (blocks) => blocks.forEach((block) => {
            if (['core/freeform', 'core/missing'].includes(block.name)) found.push([slug, block.name, block.originalContent ?? '']);
            else if (!block.isValid) found.push([slug, block.name + ' is invalid', block.originalContent ?? '']);
            visit(block.innerBlocks);
        });
        const blocks = wp.blocks.parse(content);
        visit(blocks);
        const again = wp.blocks.serialize(blocks);
        if (again !== content) found.push([slug, 'saved otherwise', content, again]);
        return found;
    });";
    let problems = browser.driver.script(code, json!([contents])).await;
    assert_eq!(problems, json!([]), "{problems:#}");
    browser.close().await;
}
