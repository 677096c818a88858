//! Tags and categories: the one that is meant, and no other.

use ichido_engine::{Event, Note, Settings, check};
use ichido_practice::Taxonomy;
use ichido_tests::{Desk, Site, Who};
use serde_json::json;

use crate::contract::on_every_site;
use crate::sight::{changing, noted, the_post};

async fn make(site: &Site, taxonomy: &str, name: &str, slug: Option<&str>, parent: u64) -> u64 {
    let mut term = json!({ "name": name });
    if let Some(slug) = slug {
        term["slug"] = json!(slug);
    }
    if parent != 0 {
        term["parent"] = json!(parent);
    }
    let made = site.rest(Who::Administrator).post(&format!("wp/v2/{taxonomy}"), term).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.id()
}

fn plain(names: &[String]) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|name| name.replace("&amp;", "&")).collect();
    names.sort();
    names
}

on_every_site! {
    async fn names_that_look_alike_are_different_tags(site: &Site) {
        for name in ["タグ", "C", "R&D", "a, b", "Rust"] {
            make(site, "tags", name, None, 0).await;
        }
        make(site, "tags", "ニュース", Some("news"), 0).await;
        let desk = Desk::at(site).await;
        desk.write_with(
            "a",
            "title: a\ntags: [タグ, ﾀｸﾞ, たぐ, C++, c, 'R&D', 'a, b', RUST, news, ＲＵＳＴ]",
            "Text.",
        );
        let report = desk.register().await;
        assert_eq!(report.tally.created, 1, "{report:?}");
        let mut wanted = ["C", "C++", "R&D", "Rust", "a, b", "たぐ", "タグ", "ニュース", "ﾀｸﾞ", "ＲＵＳＴ"].map(str::to_owned);
        wanted.sort();
        assert_eq!(plain(&the_post(&site.posts().await, "a").tags), wanted);
        assert_eq!(plain(&site.terms(Taxonomy::Tag).await), wanted, "nothing is made that is there");

        // The same names again find what was made, and nothing is made twice.
        desk.write_with("b", "title: b\ntags: [C++, ﾀｸﾞ, 'A, B', 'r&d']", "Text.");
        assert_eq!(desk.register().await.tally.created, 1);
        assert_eq!(plain(&the_post(&site.posts().await, "b").tags), ["C++", "R&D", "a, b", "ﾀｸﾞ"]);
        assert_eq!(plain(&site.terms(Taxonomy::Tag).await), wanted);
    }

    async fn a_tag_that_the_site_would_store_under_another_name_is_not_made(site: &Site) {
        make(site, "tags", "C", None, 0).await;
        let desk = Desk::at(site).await;
        desk.write_with("a", "title: a\ntags: ['C<b>']", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!((report.tally.created, report.tally.needs_work), (0, 1), "{report:?}");
        assert!(noted(&desk).contains(&Note::TagRefused { name: "C<b>".into() }), "{:?}", noted(&desk));
        assert_eq!(changing(site), Vec::<String>::new());
    }

    async fn categories_are_found_by_name_slug_and_path(site: &Site) {
        let journeys = make(site, "categories", "旅行", Some("journeys"), 0).await;
        let books = make(site, "categories", "Books & Films", None, 0).await;
        make(site, "categories", "日本", Some("japan"), journeys).await;
        make(site, "categories", "日本", Some("japan-books"), books).await;
        make(site, "categories", "AC/DC", None, 0).await;
        let desk = Desk::at(site).await;
        for (folder, category, wanted) in [
            ("name", "Books & Films", "Books & Films"),
            ("case", "BOOKS & FILMS", "Books & Films"),
            ("slug", "journeys", "旅行"),
            ("slash", "AC/DC", "AC/DC"),
        ] {
            desk.write_with(folder, &format!("title: {folder}\ncategories: ['{category}']"), "Text.");
            assert_eq!(desk.register().await.tally.created, 1, "{category}");
            assert_eq!(plain(&the_post(&site.posts().await, folder).categories), [wanted], "{category}");
        }
        for (folder, category) in [("path", "旅行/日本"), ("slugs", "journeys/japan"), ("spaced", "Books & Films / 日本")] {
            desk.write_with(folder, &format!("title: {folder}\ncategories: ['{category}']"), "Text.");
            assert_eq!(desk.register().await.tally.created, 1, "{category}");
            assert_eq!(plain(&the_post(&site.posts().await, folder).categories), ["日本"], "{category}");
        }
    }

    async fn an_unknown_category_comes_with_those_that_may_be_meant(site: &Site) {
        make(site, "categories", "催し物のご案内", Some("events"), 0).await;
        make(site, "categories", "Travel", None, 0).await;
        let desk = Desk::at(site).await;
        desk.write_with("a", "title: a\ncategories: [催し物]", "Text.");
        desk.write_with("b", "title: b\ncategories: [Tarvel]", "Text.");
        site.forget_requests();
        let report = desk.register().await;
        assert_eq!(report.tally.needs_work, 2, "{report:?}");
        let notes = noted(&desk);
        for (name, near) in [("催し物", "催し物のご案内"), ("Tarvel", "Travel")] {
            let note = Note::CategoryUnknown { name: name.into(), near: vec![near.into()] };
            assert!(notes.contains(&note), "{notes:?}");
        }
        assert_eq!(changing(site), Vec::<String>::new());
    }

    async fn what_would_be_made_is_listed_before(site: &Site) {
        make(site, "tags", "old", None, 0).await;
        let desk = Desk::at(site).await;
        desk.write_with("a", "title: a\ntags: [old, ば, あ]", "Text.");
        desk.write_with("b", "title: b\ntags: [あ, c]", "Text.");
        desk.write_with("c", "title: c\ntags: [never]\ncategories: [Nowhere]", "Text.");
        desk.write_with("d", "title: d\ntags: [never]", "![gone](gone.png)");
        desk.write_with("e", "title: e\ntags: ['C<b>', never]", "Text.");
        let listed = async || {
            let (articles, _) = check(std::slice::from_ref(&desk.articles), Settings::default()).expect("articles");
            let engine = desk.engine();
            engine
                .new_tags(ichido_tests::SITE, desk.credentials(), &articles, std::time::Duration::ZERO, &|_: &Event| {})
                .await
                .expect("it can be asked")
        };
        site.forget_requests();
        assert_eq!(listed().await, ["c", "あ", "ば"]);
        assert_eq!(changing(site), Vec::<String>::new());
        assert_eq!(desk.register().await.tally.created, 2);
        assert_eq!(listed().await, Vec::<String>::new());
        assert_eq!(site.terms(Taxonomy::Tag).await, ["c", "old", "あ", "ば"]);
    }
}
