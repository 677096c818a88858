use serde_json::{Value, json};

use super::*;
use crate::scripted::{Scripted, client, list, parameter};

/// A site with these terms: id, stored name, slug, parent. Its search finds every name that holds the
/// text.
async fn site(terms: Vec<(u64, &'static str, &'static str, u64)>) -> Scripted {
    Scripted::site(move |request| {
        let slugs = parameter(request, "slug");
        let search = parameter(request, "search");
        let found: Vec<Value> = terms
            .iter()
            .filter(|term| slugs.as_ref().is_none_or(|slugs| slugs.split(',').any(|slug| slug == term.2)))
            .filter(|term| {
                search.as_ref().is_none_or(|text| term.1.to_lowercase().contains(&text.to_lowercase()))
            })
            .map(|(id, name, slug, parent)| json!({"id": id, "name": name, "slug": slug, "parent": parent}))
            .collect();
        list(found.len(), &json!(found).to_string())
    })
    .await
}

async fn found(server: &Scripted, names: &[&str]) -> Vec<Vec<u64>> {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let found = client(server).terms(Taxonomy::Tag, &names).await.unwrap().value;
    assert_eq!(found.iter().map(|term| &term.asked).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    found.into_iter().map(|term| term.matches.into_iter().map(|term| term.id).collect()).collect()
}

#[tokio::test]
async fn exact_names_are_found_at_once_and_similar_ones_are_not() {
    let server = site(vec![(1, "Rust", "rust", 0), (2, "Rust入門", "rust入門", 0), (3, "猫", "猫", 0)]).await;
    assert_eq!(found(&server, &["rust", "猫"]).await, [vec![1], vec![3]]);
    assert_eq!(server.lines().len(), 1);
    assert_eq!(parameter(&server.seen()[0], "context").as_deref(), Some("view"));
    assert_eq!(found(&server, &["入門"]).await, [Vec::<u64>::new()]);
}

#[tokio::test]
async fn a_name_that_no_term_can_have_is_not_searched_for() {
    let server = site(vec![(1, "Rust", "rust", 0)]).await;
    let (longest, longer) = ("あ".repeat(200), "あ".repeat(201));
    assert_eq!(found(&server, &[&longest, &longer]).await, [Vec::<u64>::new(), vec![]]);
    let searched: Vec<_> = server.seen().iter().filter_map(|request| parameter(request, "search")).collect();
    assert_eq!(searched, [longest]);
}

#[tokio::test]
async fn a_name_with_another_slug_is_found_by_searching() {
    let server = site(vec![(1, "R&amp;D", "research", 0), (2, "News", "oshirase", 0)]).await;
    assert_eq!(found(&server, &["R&D", "news"]).await, [vec![1], vec![2]]);
}

#[tokio::test]
async fn a_slug_stands_for_its_term_where_no_name_does() {
    let server =
        site(vec![(1, "ニュース", "news", 0), (2, "Cats", "cats", 0), (3, "news", "other", 0)]).await;
    assert_eq!(found(&server, &["news", "CATS"]).await, [vec![3], vec![2]]);
    let server = site(vec![(1, "ニュース", "news", 0)]).await;
    assert_eq!(found(&server, &["news"]).await, [vec![1]]);
}

#[tokio::test]
async fn what_only_becomes_the_same_slug_is_another_name() {
    let server = site(vec![(1, "C", "c", 0), (2, "Éclair", "eclair", 0), (3, "タグ", "タグ", 0)]).await;
    assert_eq!(found(&server, &["C++", "C#", "c", "C"]).await, [vec![], vec![], vec![1], vec![1]]);
    assert_eq!(found(&server, &["éclair", "eclair", "Eclair"]).await, [vec![], vec![2], vec![2]]);
    assert_eq!(found(&server, &["ﾀｸﾞ", "たぐ", "タグ"]).await, [vec![], vec![], vec![3]]);
}

#[tokio::test]
async fn names_are_compared_as_the_site_stores_them() {
    let server =
        site(vec![(1, "Q&amp;A, 100 &gt; 1", "q", 0), (2, "a b", "x", 0), (3, "ＡＢＣ", "ａｂｃ", 0)]).await;
    assert_eq!(
        found(&server, &["Q&A, 100 > 1", "a  b", " A B ", "ABC"]).await,
        [vec![1], vec![2], vec![2], vec![]]
    );
}

#[test]
fn names_that_the_site_would_change_are_known() {
    for name in ["Rust", "R&D", "a, b", "C++", "100%", "５０％", "a > b", "\"x\""] {
        assert!(is_kept_as_written(name), "{name}");
    }
    for name in ["", " ", "<b>", "a<b", "50%ab", "a\u{7}", &"あ".repeat(201)] {
        assert!(!is_kept_as_written(name), "{name}");
    }
}

#[tokio::test]
async fn categories_of_one_name_are_all_told() {
    let server = site(vec![(1, "A", "a", 0), (2, "A", "a-2", 9)]).await;
    let told = client(&server).terms(Taxonomy::Category, &["A".into()]).await.unwrap().value;
    assert_eq!(told[0].matches.iter().map(|term| term.id).collect::<Vec<_>>(), [1, 2]);
    // Tags stand side by side: one of a name is all there is.
    assert_eq!(found(&server, &["A"]).await, [vec![1]]);
}

#[tokio::test]
async fn rows_that_do_not_add_up_are_no_answer() {
    let server = Scripted::site(|_| list(3, "[]")).await;
    let result = client(&server).terms(Taxonomy::Category, &["a".into()]).await;
    assert!(matches!(result, Err(AskError::Incomplete)), "{result:?}");
}

#[tokio::test]
async fn an_empty_name_is_never_asked_for() {
    let server = site(vec![(1, "A", "a", 0)]).await;
    assert_eq!(found(&server, &["", " ", "..."]).await, [vec![], vec![], Vec::<u64>::new()]);
    assert!(server.lines().iter().all(|line| parameter(line, "search").as_deref() == Some("...")));
}

#[tokio::test]
async fn many_names_that_are_not_there_cost_few_requests() {
    let server = site(vec![(1, "R&amp;D", "research", 0), (2, "Two", "two", 0)]).await;
    let names: Vec<String> = (0..3000).map(|n| format!("new {n}")).chain(["R&D".to_owned()]).collect();
    let found = client(&server).terms(Taxonomy::Tag, &names).await.unwrap().value;
    assert_eq!(found.len(), names.len());
    let there: Vec<_> = found.iter().filter(|found| !found.matches.is_empty()).collect();
    assert_eq!(there.iter().map(|found| found.matches[0].id).collect::<Vec<_>>(), [1]);
    let searched = server.seen().iter().filter(|request| parameter(request, "search").is_some()).count();
    assert_eq!(searched, 0);
    assert!(server.lines().len() <= 40, "{} requests", server.lines().len());
}
