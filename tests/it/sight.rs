//! What the tests of whole batches look at: the wire, and the content that a site holds.

use ichido_core::operation::State;
use ichido_engine::{Event, Note};
use ichido_practice::Kind;
use ichido_tests::{Desk, Site, StoredPost, Who};
use serde_json::Value;

/// Every operation's creating request was on the wire at most once.
#[track_caller]
pub(crate) fn assert_sent_once(site: &Site) {
    for (operation, count) in site.creates_by_operation() {
        assert_eq!(count, 1, "{operation}");
    }
}

/// The requests so far, as method and address.
pub(crate) fn wire(site: &Site) -> Vec<(String, String, Kind)> {
    match site {
        Site::Practice { site, .. } => {
            let seen = site.handle().requests().into_iter();
            seen.map(|seen| (seen.method, format!("{}?{}", seen.path, seen.query), seen.kind)).collect()
        }
        Site::Real { site, .. } => {
            site.proxy().seen().into_iter().map(|seen| (seen.method, seen.target, seen.kind)).collect()
        }
    }
}

/// How many requests of a kind were on the wire, reading ones left out.
pub(crate) fn sent(site: &Site, wanted: Kind) -> usize {
    wire(site).iter().filter(|(method, _, kind)| method == "POST" && *kind == wanted).count()
}

/// The requests so far that could change something.
pub(crate) fn changing(site: &Site) -> Vec<String> {
    let wire =
        wire(site).into_iter().filter(|(method, ..)| !matches!(method.as_str(), "GET" | "HEAD" | "OPTIONS"));
    wire.map(|(method, target, _)| format!("{method} {target}")).collect()
}

/// What was worth saying in the last run.
pub(crate) fn noted(desk: &Desk) -> Vec<Note> {
    let heard = desk.heard.lock().expect("nobody panicked");
    heard
        .iter()
        .filter_map(|event| if let Event::Noted { note, .. } = event { Some(note.clone()) } else { None })
        .collect()
}

/// The post of this slug, of which there must be exactly one.
#[track_caller]
pub(crate) fn the_post<'a>(posts: &'a [StoredPost], slug: &str) -> &'a StoredPost {
    let found: Vec<_> = posts.iter().filter(|post| post.slug == slug).collect();
    let [post] = found.as_slice() else { panic!("{} posts at {slug}: {posts:?}", found.len()) };
    post
}

/// The address of each media file, by id, as the site tells it.
pub(crate) async fn addresses(site: &Site) -> std::collections::BTreeMap<u64, String> {
    let rest = site.rest(Who::Administrator);
    let query = [("per_page", "100"), ("context", "edit"), ("status", "inherit,private")];
    let list = rest.get("wp/v2/media", &query).await;
    assert_eq!(list.status, 200, "{}", list.text());
    let rows = list.json.as_array().cloned().unwrap_or_default();
    rows.iter()
        .map(|row| {
            let id = row["id"].as_u64().expect("an id");
            (id, row["source_url"].as_str().expect("an address").to_owned())
        })
        .collect()
}

/// The values of an attribute in a content, in their order.
pub(crate) fn attributes<'a>(content: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!(" {name}=\"");
    content
        .match_indices(&opening)
        .filter_map(|(at, _)| content[at + opening.len()..].split('"').next())
        .collect()
}

/// Each block is closed by its own delimiter, carries an object as its attributes, and nothing but white space stands
/// between the blocks.
#[track_caller]
pub(crate) fn assert_well_formed(content: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find("<!-- ") {
        let (before, from) = rest.split_at(at);
        assert!(
            !open.is_empty() || before.trim().is_empty(),
            "{before:?} stands outside all blocks:\n{content}"
        );
        let end = from.find("-->").unwrap_or_else(|| panic!("a comment does not end:\n{content}"));
        let inside = from[5..end].trim();
        if let Some(name) = inside.strip_prefix("/wp:") {
            assert_eq!(open.pop(), Some(name.trim()), "blocks are not nested:\n{content}");
        } else if let Some(opening) = inside.strip_prefix("wp:") {
            let (name, attributes) = opening.split_once(' ').unwrap_or((opening, ""));
            let alone = attributes.ends_with('/') || name.ends_with('/');
            let attributes = attributes.trim_end_matches('/').trim();
            if !attributes.is_empty() {
                let read: Result<Value, _> = serde_json::from_str(attributes);
                assert!(read.is_ok_and(|value| value.is_object()), "{attributes:?}:\n{content}");
            }
            if !alone {
                open.push(name.trim());
            }
        }
        rest = &from[end + 3..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest:?}:\n{content}");
    assert!(content.contains("<!-- wp:"), "there are blocks:\n{content}");
}

/// The content carries the marker of the article's operation, once.
#[track_caller]
pub(crate) fn assert_marked_once(desk: &Desk, slug: &str, content: &str) {
    let record = desk.record(slug);
    assert_eq!(record.standing.state, State::Done, "{slug}");
    assert_eq!(content.matches("\"ichido\"").count(), 1, "{content}");
    assert_eq!(ichido_core::content::marker_of(content), Some(record.op_id), "{content}");
}
