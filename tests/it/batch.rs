//! Batches as people have them: twenty articles with two pictures each, in Japanese and English.

use ichido_core::operation::{Kind as OperationKind, State};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::Pause;
use ichido_engine::{Event, Note, Reason};
use ichido_practice::{Kind as Request, Taxonomy};
use ichido_tests::{Desk, Site, Who, png};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::contract::on_every_site;
use crate::sight::{
    addresses, assert_marked_once, assert_sent_once, assert_well_formed, attributes, changing, sent,
    the_post, wire,
};

/// One article of the batch, and what the site must hold of it.
struct Wanted {
    slug: String,
    title: String,
    excerpt: String,
    tags: Vec<&'static str>,
    category: &'static str,
    pictures: [u8; 2],
}

const ARTICLES: usize = 20;

/// Makes the categories that the articles name: two parents with a child of the same name each, and one that stands
/// alone.
async fn make_categories(site: &Site) {
    let rest = site.rest(Who::Administrator);
    let make = async |name: &str, parent: u64| {
        let made = rest.post("wp/v2/categories", json!({ "name": name, "parent": parent })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        made.id()
    };
    make("News & Notes", 0).await;
    let journeys = make("旅行", 0).await;
    let books = make("Books", 0).await;
    make("日本", journeys).await;
    make("日本", books).await;
    make("散歩", journeys).await;
    let tag = rest.post("wp/v2/tags", json!({ "name": "港" })).await;
    assert_eq!(tag.status, 201, "{}", tag.text());
}

/// Writes the articles: every second one in Japanese, every fifth as HTML.
fn write_articles(desk: &Desk) -> Vec<Wanted> {
    (0..ARTICLES)
        .map(|number| {
            let japanese = number.is_multiple_of(2);
            let wanted = Wanted {
                slug: if japanese {
                    format!("日本語の記事-{number}")
                } else {
                    format!("article-{number}")
                },
                title: if japanese {
                    format!("港町を歩く「その{number}」")
                } else {
                    format!("Tea & toast, {number}")
                },
                excerpt: if japanese {
                    "潮の香りのする、短い旅の記録。".to_owned()
                } else {
                    format!("In short: {number}.")
                },
                tags: [vec!["港"], vec!["tea", "toast"], vec!["写真", "港"], vec![]][number % 4].clone(),
                category: ["日本", "News & Notes", "散歩"][number % 3],
                pictures: [2 * number, 2 * number + 1].map(|seed| u8::try_from(seed).expect("few articles")),
            };
            write_article(desk, number, &wanted);
            wanted
        })
        .collect()
}

fn write_article(desk: &Desk, number: usize, wanted: &Wanted) {
    let folder = format!("{number:02}");
    let category = match wanted.category {
        "日本" if number.is_multiple_of(2) => "旅行/日本",
        "日本" => "Books / 日本",
        other => other,
    };
    let front = format!(
        "title: {:?}\nslug: {:?}\nexcerpt: {:?}\ntags: {}\ncategories: [{category:?}]\nfeatured_image: 写真/表紙.png",
        wanted.title,
        wanted.slug,
        wanted.excerpt,
        json!(wanted.tags),
    );
    let text = if number % 5 == 3 {
        format!(
            "<!--\n---\n{front}\n---\n-->\n<h2>見出し {number}</h2>\n<p>One &amp; <strong>two</strong>.</p>\n\
             <p><img src=\"写真/表紙.png\" alt=\"表紙\"></p>\n<ul><li>a</li><li>b</li></ul>\n\
             <img src=\"b%20c.png\" alt=\"second\">\n"
        )
    } else {
        format!(
            "---\n{front}\n---\n\nはじめに{number}。**「強調」**です。\n\n![表紙](写真/表紙.png)\n\n## 見出し\n\n- a\n- b\n\n\
             > 引用\n\n```rust\nlet a = b[0];\n```\n\n| A | B |\n|---|:-:|\n| 1 | 2 |\n\n![second](<b c.png> \"b\")\n"
        )
    };
    let name = if number % 5 == 3 { "index.html" } else { "index.md" };
    desk.picture(&folder, "写真/表紙.png", wanted.pictures[0]);
    desk.picture(&folder, "b c.png", wanted.pictures[1]);
    std::fs::write(desk.articles.join(folder).join(name), text).expect("a file can be written");
}

fn sha256(seed: u8) -> String {
    Sha256::digest(png(seed)).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Registers twenty articles as somebody who may upload, looks at everything, and registers them again.
async fn twenty_articles(site: &Site, who: Who) {
    make_categories(site).await;
    site.forget_requests();
    let desk = Desk::at_as(site, who).await;
    let articles = write_articles(&desk);
    let report = desk.register().await;
    assert_eq!((report.tally.created, report.exit_status()), (ARTICLES, 0), "{report:?} {:?}", desk.heard);
    assert_sent_once(site);
    assert_eq!((sent(site, Request::CreatePost), sent(site, Request::UploadMedia)), (ARTICLES, 2 * ARTICLES));
    assert_eq!(sent(site, Request::CreateTerm), 3, "tea, toast and 写真");

    let (posts, media, places) = (site.posts().await, site.media().await, addresses(site).await);
    assert_eq!((posts.len(), media.len()), (ARTICLES, 2 * ARTICLES));
    for wanted in &articles {
        let post = the_post(&posts, &wanted.slug);
        assert_eq!((post.status.as_str(), post.author.as_str()), ("draft", who.login()));
        let title = post.title.replace("&amp;", "&");
        assert_eq!((title.as_str(), post.excerpt.as_str()), (wanted.title.as_str(), wanted.excerpt.as_str()));
        let mut tags: Vec<String> = wanted.tags.iter().map(|tag| (*tag).to_owned()).collect();
        tags.sort();
        assert_eq!(post.tags, tags, "{}", wanted.slug);
        let categories: Vec<String> = post.categories.iter().map(|name| name.replace("&amp;", "&")).collect();
        assert_eq!(categories, [wanted.category], "{}", wanted.slug);

        let mine: Vec<_> = wanted
            .pictures
            .iter()
            .map(|seed| {
                let found: Vec<_> = media.iter().filter(|media| media.sha256 == sha256(*seed)).collect();
                let [image] = found.as_slice() else {
                    panic!("{} of picture {seed}: {media:?}", found.len())
                };
                assert_eq!((image.parent, image.status.as_str()), (post.id, "inherit"), "{image:?}");
                assert_eq!(image.author, who.login());
                *image
            })
            .collect();
        assert_eq!(post.featured_media, mine[0].id);
        assert_eq!((mine[0].alt_text.as_str(), mine[1].alt_text.as_str()), ("表紙", "second"));
        assert_well_formed(&post.content);
        assert_marked_once(&desk, &wanted.slug, &post.content);
        let urls: Vec<&str> = mine.iter().map(|image| places[&image.id].as_str()).collect();
        assert_eq!(attributes(&post.content, "src"), urls, "{}", post.content);
        assert!(urls.iter().all(|url| url.starts_with(&site.url())), "{urls:?}");
        for image in &mine {
            assert!(post.content.contains(&format!("wp-image-{}", image.id)), "{}", post.content);
        }
        for local in ["写真/", "表紙.png", "b c.png", "b%20c.png", &*desk.articles.to_string_lossy()] {
            assert!(!post.content.contains(local), "{local} in {}", post.content);
        }
    }
    for (taxonomy, names) in [(Taxonomy::Tag, vec!["tea", "toast", "写真", "港"])] {
        assert_eq!(site.terms(taxonomy).await, names);
    }

    site.forget_requests();
    desk.forget();
    let again = desk.register().await;
    assert_eq!((again.tally.verified, again.exit_status()), (ARTICLES, 0), "{again:?}");
    assert_eq!(changing(site), Vec::<String>::new(), "registering again changes nothing");
    let notes: Vec<_> = noted(&desk);
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(site.posts().await, posts);
    assert_eq!(site.media().await, media);
}

/// What was noted, beside what the articles' own findings say.
fn noted(desk: &Desk) -> Vec<Note> {
    let heard = desk.heard.lock().expect("nobody panicked");
    heard
        .iter()
        .filter_map(|event| if let Event::Noted { note, .. } = event { Some(note.clone()) } else { None })
        .collect()
}

on_every_site! {
    async fn twenty_articles_with_forty_images_as_an_author(site: &Site) {
        twenty_articles(site, Who::Author).await;
    }

    async fn twenty_articles_with_forty_images_as_an_editor(site: &Site) {
        twenty_articles(site, Who::Editor).await;
    }

    async fn twenty_articles_with_forty_images_as_an_administrator(site: &Site) {
        twenty_articles(site, Who::Administrator).await;
    }

    async fn a_contributor_sends_texts_and_is_told_that_images_are_refused(site: &Site) {
        make_categories(site).await;
        let desk = Desk::at_as(site, Who::Contributor).await;
        let articles = write_articles(&desk);
        desk.write("文だけ", "文だけ", "文だけの記事です。");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.refused, report.tally.created, report.exit_status()), (ARTICLES, 1, 5), "{report:?}");
        for wanted in &articles {
            let end = report.articles.iter().find(|(name, _)| name.slug.as_deref() == Some(wanted.slug.as_str()));
            let (_, end) = end.expect("every article is in the report");
            assert_eq!(end.reason, Some(Reason::Refusal(RefusalCode::CannotCreate)), "{end:?}");
        }
        assert_eq!(sent(site, Request::UploadMedia), 0, "nobody asks twenty times for what is not allowed");
        let posts = site.posts().await;
        assert_eq!((posts.len(), site.media().await.len()), (1, 0));
        assert_eq!(the_post(&posts, "文だけ").status, "draft");
        let again = desk.register().await;
        assert_eq!((again.tally.refused, again.tally.verified), (ARTICLES, 1), "{again:?}");
        assert_eq!(site.posts().await.len(), 1);
        assert_sent_once(site);
    }

    async fn a_subscriber_sends_nothing(site: &Site) {
        let desk = Desk::at_as(site, Who::Subscriber).await;
        desk.write("a", "A", "Text.");
        desk.write("b", "B", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.waiting, report.exit_status()), (2, 5), "{report:?}");
        assert_eq!(report.pause, Some(Pause::Refused), "{report:?}");
        assert_eq!(changing(site), Vec::<String>::new());
    }

    async fn an_unknown_category_is_found_before_anything_is_created(site: &Site) {
        make_categories(site).await;
        let desk = Desk::at(site).await;
        desk.write_with("ok", "title: ok\ntags: [new]\ncategories: [news-notes]", "Text.");
        desk.write_with("unknown", "title: unknown\ntags: [never]\ncategories: [Nowhere]", "![p](p.png)");
        desk.picture("unknown", "p.png", 9);
        desk.write_with("ambiguous", "title: ambiguous\ncategories: [日本]", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.tally.needs_work, report.exit_status()), (1, 2, 4), "{report:?}");
        assert_eq!(desk.state("unknown"), State::NeedsWork);
        let notes = noted(&desk);
        assert!(notes.contains(&Note::CategoryUnknown { name: "Nowhere".into(), near: vec![] }), "{notes:?}");
        assert!(notes.contains(&Note::CategoryAmbiguous { name: "日本".into() }), "{notes:?}");
        assert_eq!((sent(site, Request::UploadMedia), sent(site, Request::CreatePost)), (0, 1));
        assert_eq!(site.terms(Taxonomy::Tag).await, ["new", "港"], "no tag of an article that is not sent");

        // Put right on the site: it goes on by itself.
        let rest = site.rest(Who::Administrator);
        assert_eq!(rest.post("wp/v2/categories", json!({ "name": "Nowhere" })).await.status, 201);
        let again = desk.register().await;
        assert_eq!((again.tally.created, again.tally.verified, again.tally.needs_work), (1, 1, 1), "{again:?}");
        assert_eq!(the_post(&site.posts().await, "unknown").categories, ["Nowhere"]);
    }

    async fn an_unknown_tag_is_not_made_without_consent(site: &Site) {
        let mut desk = Desk::at(site).await;
        desk.create_tags = false;
        desk.write_with("a", "title: a\ntags: [未知]", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.needs_work, report.exit_status()), (1, 4), "{report:?}");
        assert!(noted(&desk).contains(&Note::TagUnknown { name: "未知".into() }));
        assert_eq!(changing(site), Vec::<String>::new());
        desk.create_tags = true;
        let again = desk.register().await;
        assert_eq!(again.tally.created, 1, "{again:?}");
        assert_eq!(site.posts().await[0].tags, ["未知"]);
    }
}

#[tokio::test]
async fn a_hundred_texts_need_hardly_more_than_a_request_each() {
    for japanese in [false, true] {
        let site = Site::start(ichido_tests::Place::PracticeNew).await;
        let desk = Desk::at(&site).await;
        for number in 0..100 {
            let slug = if japanese {
                format!("日本語の記事の題名です-{number}")
            } else {
                format!("article-{number}")
            };
            let front = format!("title: {slug}\nslug: {slug}\ncategories: [uncategorized]");
            desk.write_with(&format!("{number:03}"), &front, "Text.");
        }
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!(report.tally.created, 100, "{report:?}");
        let requests = wire(&site);
        let others: Vec<_> = requests.iter().filter(|(.., kind)| *kind != Request::CreatePost).collect();
        assert!(requests.len() <= 110, "{} requests for 100 articles: {others:?}", requests.len());
        site.forget_requests();
        let again = desk.register().await;
        assert_eq!(again.tally.verified, 100, "{again:?}");
        assert!(wire(&site).len() <= 5, "{:?}", wire(&site));
        assert_eq!(
            desk.journal()
                .counts(None)
                .expect("counts")
                .iter()
                .filter(|count| count.kind == OperationKind::Post)
                .count(),
            1
        );
    }
}
