use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::scripted::{self, Scripted, client, client_at, list, parameter};

fn light(id: u64) -> serde_json::Value {
    json!({"id": id, "slug": format!("s{id}"), "status": "draft", "author": 3})
}

/// A site whose list holds these ids, newest first, of which some are hidden in the view of editors
/// and some in both.
async fn site(ids: Vec<u64>, not_editable: Vec<u64>, hidden: Vec<u64>) -> Scripted {
    Scripted::site(move |request| {
        let number = |name: &str| parameter(request, name).unwrap().parse::<usize>().unwrap();
        let (page, per_page) = (number("page"), number("per_page"));
        let edit = parameter(request, "context").unwrap() == "edit";
        let rows: Vec<_> = ids
            .iter()
            .skip((page - 1) * per_page)
            .take(per_page)
            .filter(|id| !hidden.contains(id) && (!edit || !not_editable.contains(id)))
            .map(|id| light(*id))
            .collect();
        list(ids.len(), &json!(rows).to_string())
    })
    .await
}

fn ids(listing: &Listing) -> Vec<u64> {
    listing.rows.iter().map(|row| row.id.0).collect()
}

async fn above(server: &Scripted, mark: u64) -> Listing {
    client(server).above(Class::Posts, RemoteId(mark), Scope::Mine(3)).await.unwrap().value
}

#[tokio::test]
async fn everything_above_the_mark_is_listed_and_no_page_more_is_read() {
    let server = site((1..=250).rev().collect(), vec![], vec![]).await;
    let listing = above(&server, 149).await;
    assert_eq!((ids(&listing), listing.hidden), ((150..=250).rev().collect(), 0));
    assert_eq!(server.lines().len(), 2);
    let request = &server.seen()[0];
    for (name, value) in [
        ("context", "edit"),
        ("status", "any,trash"),
        ("orderby", "id"),
        ("order", "desc"),
        ("per_page", "100"),
        ("author", "3"),
        ("_fields", "id,slug,status,author"),
    ] {
        assert_eq!(parameter(request, name).as_deref(), Some(value), "{name}");
    }
}

#[tokio::test]
async fn files_are_listed_with_those_in_the_trash_and_everybody_without_an_author() {
    let server = site(vec![5], vec![], vec![]).await;
    client(&server).above(Class::Media, RemoteId(5), Scope::All).await.unwrap();
    let request = &server.seen()[0];
    assert_eq!(parameter(request, "status").as_deref(), Some("inherit,private,trash"));
    assert_eq!(parameter(request, "author"), None);
}

#[tokio::test]
async fn rows_that_may_be_read_but_not_edited_are_listed() {
    let server = site(vec![9, 8, 7], vec![8], vec![]).await;
    let listing = above(&server, 7).await;
    assert_eq!((ids(&listing), listing.hidden), (vec![9, 8], 0));
}

#[tokio::test]
async fn rows_that_nobody_shows_are_counted() {
    let server = site(vec![9, 8, 7], vec![], vec![8]).await;
    let listing = above(&server, 7).await;
    assert_eq!((ids(&listing), listing.hidden), (vec![9], 1));
}

#[tokio::test]
async fn a_site_that_sorts_by_its_own_rule_is_read_to_the_end() {
    let mut ids_of_site: Vec<u64> = (1..=150).collect();
    ids_of_site.push(500);
    let server = site(ids_of_site, vec![], vec![]).await;
    assert_eq!(ids(&above(&server, 149).await), [500, 150]);
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_read_is_read_anew() {
    let totals = Mutex::new([300, 299, 299, 299, 299].into_iter());
    let server = Scripted::site(move |request| {
        let total: u64 = totals.lock().unwrap().next().unwrap();
        let page: u64 = parameter(request, "page").unwrap().parse().unwrap();
        let rows: Vec<_> =
            (1..=total).rev().skip(usize::try_from((page - 1) * 100).unwrap()).take(100).map(light).collect();
        list(usize::try_from(total).unwrap(), &json!(rows).to_string())
    })
    .await;
    assert_eq!(above(&server, 0).await.rows.len(), 299);
    assert_eq!(server.lines().len(), 5);
}

#[tokio::test]
async fn a_list_that_never_holds_still_is_incomplete() {
    let count = Mutex::new(1000);
    let server = Scripted::site(move |_| {
        let mut count = count.lock().unwrap();
        *count += 1;
        let rows: Vec<_> = (500..600).rev().map(light).collect();
        list(*count, &json!(rows).to_string())
    })
    .await;
    let result = client(&server).above(Class::Posts, RemoteId(0), Scope::All).await;
    assert!(matches!(result, Err(AskError::Incomplete)), "{result:?}");
}

#[tokio::test]
async fn a_count_without_end_does_not_keep_us_asking() {
    let server = Scripted::site(|_| {
        let rows: Vec<_> = (500..600).rev().map(light).collect();
        list(usize::MAX, &json!(rows).to_string())
    })
    .await;
    let client = client(&server);
    let above = client.above(Class::Posts, RemoteId(0), Scope::All).await;
    assert!(matches!(above, Err(AskError::Incomplete)), "{above:?}");
    let asked = server.lines().len();
    assert_eq!(asked, usize::try_from(MOST_PAGES).unwrap());
    let by_slugs = client.by_slugs(Class::Posts, &[ichido_core::slug::Slug::from_site("s500")]).await;
    assert!(matches!(by_slugs, Err(AskError::Incomplete)), "{by_slugs:?}");
    assert_eq!(server.lines().len(), asked + 1);
}

#[tokio::test]
async fn without_a_count_nothing_is_complete() {
    let server = Scripted::site(|_| scripted::json(200, "", "[]")).await;
    let result = client(&server).above(Class::Posts, RemoteId(0), Scope::All).await;
    assert!(matches!(result, Err(AskError::Incomplete)), "{result:?}");
}

#[tokio::test]
async fn the_newest_row_is_found_behind_one_that_may_not_be_edited() {
    let newest = async |server: &Scripted| {
        client(server).newest_id(Class::Posts, Scope::Mine(3)).await.unwrap().value.id
    };
    assert_eq!(newest(&site(vec![9, 8], vec![], vec![]).await).await, Some(RemoteId(9)));
    assert_eq!(newest(&site(vec![9, 8], vec![9], vec![]).await).await, Some(RemoteId(9)));
    assert_eq!(newest(&site(vec![9, 8], vec![], vec![9]).await).await, Some(RemoteId(8)));
    assert_eq!(newest(&site(vec![], vec![], vec![]).await).await, None);
}

#[tokio::test]
async fn sites_without_readable_permalinks_are_asked_by_parameter() {
    let server = site(vec![9], vec![], vec![]).await;
    let client = client_at(&format!("http://{}/?rest_route=/", server.host));
    client.newest_id(Class::Media, Scope::All).await.unwrap();
    assert!(
        server.lines()[0].starts_with("GET /?rest_route=/wp/v2/media&context=edit&"),
        "{:?}",
        server.lines()
    );
}

#[tokio::test]
async fn lists_that_are_larger_than_they_should_be_are_given_up() {
    let row = |id: u64| format!(r#"{{"id":{id},"slug":"","status":"draft"}}"#);
    // More rows on each page than were asked for, and rows that are long.
    let many: String = (1..10_000).map(row).collect::<Vec<_>>().join(",");
    let long = format!(r#"{{"id":1,"slug":"{}","status":"draft"}}"#, "a".repeat(7 << 20));
    for rows in [many, long] {
        let page = crate::scripted::json(200, "X-WP-Total: 100000\r\n", &format!("[{rows}]"));
        let server = Scripted::site(move |_| page.clone()).await;
        let client = client(&server);
        let above = client.above(Class::Posts, RemoteId(0), Scope::All).await;
        assert!(
            matches!(above, Err(AskError::Incomplete)),
            "{:?}",
            above.map(|listing| listing.value.rows.len())
        );
        let asked = server.lines().len();
        assert!(asked < 20, "{asked}");
        let slugs = [ichido_core::slug::Slug::sanitise("a").unwrap()];
        assert!(matches!(client.by_slugs(Class::Posts, &slugs).await, Err(AskError::Incomplete)));
        assert!(server.lines().len() < 2 * asked + 20);
    }
}
