use serde_json::json;

use super::*;
use crate::scripted::{self, Scripted, client, client_at, list, parameter};

/// One row of a made site: id, slug, and who may see it.
type Made = (u64, &'static str, Seen);

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Edited,
    Read,
    Not,
}

async fn site(rows: Vec<Made>) -> Scripted {
    Scripted::site(move |request| {
        let path = request.split(['?', ' ']).nth(1).unwrap();
        let edit = parameter(request, "context").as_deref() == Some("edit");
        let shown = |seen: Seen| seen == Seen::Edited || (seen == Seen::Read && !edit);
        let body = |(id, slug, _): &Made| {
            let mut row = json!({"id": id, "slug": slug, "status": "draft", "author": 1});
            if edit {
                row["content"] = json!({"raw": format!("content of {id}")});
            }
            row
        };
        if let Some(id) = path.rsplit('/').next().and_then(|id| id.parse::<u64>().ok()) {
            return match rows.iter().find(|row| row.0 == id) {
                None => scripted::json(404, "", r#"{"code":"rest_post_invalid_id"}"#),
                Some(row) if shown(row.2) => scripted::json(200, "", &body(row).to_string()),
                Some(_) => scripted::json(403, "", r#"{"code":"rest_forbidden_context"}"#),
            };
        }
        let asked = |name: &str| {
            parameter(request, name).map(|list| list.split(',').map(str::to_owned).collect::<Vec<_>>())
        };
        let (slugs, ids) = (asked("slug"), asked("include"));
        let found: Vec<_> = rows
            .iter()
            .filter(|row| slugs.as_ref().is_none_or(|slugs| slugs.iter().any(|slug| slug == row.1)))
            .filter(|row| ids.as_ref().is_none_or(|ids| ids.contains(&row.0.to_string())))
            .collect();
        let visible: Vec<_> = found.iter().filter(|row| shown(row.2)).map(|row| body(row)).collect();
        list(found.len(), &json!(visible).to_string())
    })
    .await
}

fn slugs(names: &[&str]) -> Vec<Slug> {
    names.iter().map(|name| Slug::sanitise(name).unwrap()).collect()
}

fn ids(rows: &[Row]) -> Vec<u64> {
    rows.iter().map(|row| row.id.0).collect()
}

#[tokio::test]
async fn exact_slugs_and_their_trashed_forms_are_found_in_one_request() {
    let server = site(vec![
        (1, "a", Seen::Edited),
        (2, "b__trashed", Seen::Edited),
        (3, "a-2", Seen::Edited),
        (4, "猫", Seen::Edited),
    ])
    .await;
    let found =
        client(&server).by_slugs(Class::Posts, &slugs(&["a", "b", "猫", "none"])).await.unwrap().value;
    assert_eq!((ids(&found.rows), found.hidden), (vec![1, 2, 4], vec![]));
    assert_eq!(found.rows[0].content.as_deref(), Some("content of 1"));
    assert_eq!(server.lines().len(), 1);
    let request = &server.seen()[0];
    assert_eq!(
        parameter(request, "slug").unwrap(),
        "a,a__trashed,b,b__trashed,none,none__trashed,猫,猫__trashed"
    );
    assert_eq!(parameter(request, "status").as_deref(), Some("any,trash"));
}

#[tokio::test]
async fn nothing_is_asked_for_no_slugs() {
    let server = site(vec![(1, "a", Seen::Edited)]).await;
    let found = client(&server).by_slugs(Class::Posts, &[Slug::from_site("")]).await.unwrap().value;
    assert_eq!((found, server.lines().len()), (BySlug::default(), 0));
}

#[tokio::test]
async fn a_hidden_row_closes_its_own_slug_only() {
    let server =
        site(vec![(1, "a", Seen::Edited), (2, "b", Seen::Not), (3, "c", Seen::Edited), (4, "d", Seen::Read)])
            .await;
    let found =
        client(&server).by_slugs(Class::Posts, &slugs(&["a", "b", "c", "d", "e"])).await.unwrap().value;
    assert_eq!((ids(&found.rows), found.hidden), (vec![1, 3, 4], slugs(&["b"])));
    // Seen by readers only: without its raw text.
    assert_eq!((found.rows[1].content.is_some(), found.rows[2].content.is_some()), (true, false));
}

#[tokio::test]
async fn of_two_rows_at_a_slug_the_one_that_may_be_edited_keeps_its_text() {
    let server =
        site(vec![(1, "a", Seen::Edited), (2, "a", Seen::Read), (3, "b", Seen::Edited), (4, "b", Seen::Not)])
            .await;
    let found = client(&server).by_slugs(Class::Posts, &slugs(&["a", "b"])).await.unwrap().value;
    assert_eq!((ids(&found.rows), found.hidden), (vec![1, 2, 3], slugs(&["b"])));
    let texts: Vec<_> = found.rows.iter().map(|row| row.content.is_some()).collect();
    assert_eq!(texts, [true, false, true]);
}

#[tokio::test]
async fn bundles_stay_within_a_hundred_slugs_and_the_length_of_an_address() {
    let server = site(vec![]).await;
    let client = client(&server);
    let ascii: Vec<_> = (0..250).map(|n| Slug::sanitise(&format!("s{n}")).unwrap()).collect();
    client.by_slugs(Class::Posts, &ascii).await.unwrap();
    assert_eq!(server.lines().len(), 3);
    let japanese: Vec<_> =
        (0..100).map(|n| Slug::sanitise(&format!("{}{n:03}", "日本語".repeat(7))).unwrap()).collect();
    client.by_slugs(Class::Posts, &japanese).await.unwrap();
    let lines = server.lines();
    assert!(
        lines.iter().all(|line| line.len() < 8000),
        "{:?}",
        lines.iter().map(String::len).collect::<Vec<_>>()
    );
    let asked: usize =
        lines[3..].iter().map(|line| parameter(line, "slug").unwrap().split(',').count()).sum();
    assert_eq!(asked, 200);
    // Long enough to be worth it.
    assert!(lines[3..].len() <= 8, "{}", lines.len());
}

#[tokio::test]
async fn ids_are_there_gone_or_forbidden_in_the_order_asked() {
    let server = site(vec![(1, "a", Seen::Edited), (2, "b", Seen::Read), (3, "c", Seen::Edited)]).await;
    let asked = [3, 9, 2, 1, 3].map(RemoteId);
    let found = client(&server).by_ids(Class::Posts, &asked).await.unwrap().value;
    let shown: Vec<_> = found
        .iter()
        .map(|(id, by_id)| match by_id {
            ById::There(row) => (id.0, row.id.0.to_string()),
            ById::Gone => (id.0, "gone".into()),
            ById::Forbidden => (id.0, "forbidden".into()),
        })
        .collect();
    let expected =
        [(3, "3"), (9, "gone"), (2, "forbidden"), (1, "1")].map(|(id, what)| (id, what.to_owned()));
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn what_a_firewall_says_of_an_id_proves_nothing() {
    for (status, body) in [
        (403, "<html>"),
        (404, "<html>"),
        (404, r#"{"code":"rest_no_route"}"#),
        (403, r#"{"code":"blocked"}"#),
    ] {
        let server = Scripted::site(move |request| {
            if request.contains("include=") { list(0, "[]") } else { scripted::json(status, "", body) }
        })
        .await;
        let result = client(&server).by_ids(Class::Media, &[RemoteId(7)]).await;
        assert!(matches!(result, Err(AskError::Status { .. })), "{status} {body}: {result:?}");
    }
}

#[tokio::test]
async fn a_bundle_whose_answer_is_too_long_is_halved() {
    let server = Scripted::site(|request| {
        let ids = parameter(request, "include").unwrap();
        let rows: Vec<_> = ids
            .split(',')
            .map(|id| json!({"id": id.parse::<u64>().unwrap(), "slug": "s", "status": "draft", "content": {"raw": "x".repeat(3000)}}))
            .collect();
        list(rows.len(), &json!(rows).to_string())
    })
    .await;
    let mut client = client_at(&format!("http://{}/wp-json/", server.host));
    client.options.answer_cap = 7000;
    let ids: Vec<_> = (1..=8).map(RemoteId).collect();
    let found = client.by_ids(Class::Posts, &ids).await.unwrap().value;
    assert!(found.iter().all(|(id, by_id)| matches!(by_id, ById::There(row) if row.id == *id)));
    client.options.answer_cap = 1000;
    let result = client.by_ids(Class::Posts, &ids).await;
    assert!(matches!(result, Err(AskError::Transport(TransportError::TooLong))), "{result:?}");
}

#[tokio::test]
async fn a_search_counts_only_what_holds_the_id() {
    let op_id = OpId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
    let body = json!([
        {"id": 1, "slug": "a", "status": "draft", "content": {"raw": "other"}},
        {"id": 2, "slug": "b", "status": "draft", "content": {"raw": format!("<!-- wp:html {{\"ichido\":\"{op_id}\"}} -->")}},
    ]);
    let server = Scripted::site(move |_| list(2, &body.to_string())).await;
    let found = client(&server).search(Class::Posts, op_id).await.unwrap().value;
    assert_eq!(ids(&found), [2]);
    assert_eq!(parameter(&server.seen()[0], "search"), Some(op_id.to_string()));
}

/// A site with these rows behind a firewall that answers so wherever the text stands.
async fn walled(rows: Vec<u64>, disliked: &'static [&'static str], wall: &'static str) -> Scripted {
    Scripted::site(move |request| {
        let asked = parameter(request, "slug").unwrap_or_default();
        if disliked.iter().any(|text| asked.contains(text)) {
            return wall.to_owned();
        }
        let found: Vec<_> = rows
            .iter()
            .filter(|id| asked.split(',').any(|slug| slug == format!("s{id}")))
            .map(|id| json!({"id": id, "slug": format!("s{id}"), "status": "draft"}))
            .collect();
        list(found.len(), &json!(found).to_string())
    })
    .await
}

const WALLS: [&str; 4] = [
    "HTTP/1.1 403 X\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>",
    "HTTP/1.1 406 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 500 X\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>",
    // It cuts the connection.
    "",
];

#[tokio::test]
async fn a_slug_that_a_firewall_dislikes_keeps_nobody_else_from_being_asked_for() {
    for wall in WALLS {
        let server = walled(vec![3, 60], &["select-from"], wall).await;
        let mut asked: Vec<_> = (0..70).map(|n| format!("s{n}")).collect();
        asked.push("union-select-from".to_owned());
        let asked: Vec<_> = asked.iter().map(|slug| Slug::sanitise(slug).unwrap()).collect();
        let found = client(&server).by_slugs(Class::Posts, &asked).await.unwrap().value;
        assert_eq!((ids(&found.rows), found.hidden), (vec![3, 60], vec![]), "{wall}");
        assert_eq!(found.unasked, slugs(&["union-select-from"]), "{wall}");
        assert!(server.lines().len() <= 25, "{} requests", server.lines().len());
    }
}

#[tokio::test]
async fn one_slug_alone_can_be_the_disliked_one() {
    let server = walled(vec![], &["select-from"], WALLS[0]).await;
    let found = client(&server).by_slugs(Class::Media, &slugs(&["select-from"])).await.unwrap().value;
    assert_eq!((found.unasked, server.lines().len()), (slugs(&["select-from"]), 3));
}

#[tokio::test]
async fn a_site_that_answers_nothing_is_asked_twice_and_not_stormed() {
    let many: Vec<_> = (0..90).map(|n| Slug::sanitise(&format!("s{n}")).unwrap()).collect();
    let server = walled(vec![], &[""], WALLS[0]).await;
    let result = client(&server).by_slugs(Class::Posts, &many).await;
    assert!(matches!(result, Err(AskError::Status { status: 403, .. })), "{result:?}");
    assert_eq!(server.lines().len(), 2);
    // What WordPress says itself is no firewall's.
    let no = "HTTP/1.1 403 X\r\nContent-Length: 34\r\nConnection: close\r\n\r\n{\"code\":\"rest_forbidden_context\"} ";
    let server = walled(vec![], &["s5"], no).await;
    assert!(client(&server).by_slugs(Class::Posts, &many).await.is_err());
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn many_disliked_slugs_cost_a_bounded_number_of_requests() {
    let server = walled(vec![], &["s"], WALLS[0]).await;
    let many: Vec<_> = (0..600).map(|n| Slug::sanitise(&format!("s{n}")).unwrap()).collect();
    let found = client(&server).by_slugs(Class::Posts, &many).await;
    let told = found.map(|found| found.value.unasked.len());
    assert!(told.as_ref().is_ok_and(|unasked| *unasked == 600) || told.is_err(), "{told:?}");
    assert!(server.lines().len() <= 7 + MOST_SOUNDINGS, "{} requests", server.lines().len());
}
