//! The site's own editor looks at what was registered: every block is valid, none is a classic one, and saving it again
//! changes no text.

pub(crate) mod browser;

use std::path::Path;

use ichido_core::content::without_marker;
use ichido_tests::{Desk, Place, Site, Who};
use serde_json::json;

use browser::Browser;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples");

#[tokio::test]
async fn the_editor_takes_what_was_registered_and_saves_it_unchanged() {
    let site = Site::start(Place::RealNew).await;
    let desk = Desk::at_as(&site, Who::Editor).await;
    let report = desk.register_paths(&[Path::new(SAMPLES).to_owned()]).await.expect("it runs");
    let posts = site.posts().await;
    assert_eq!(posts.len(), report.tally.created as usize, "{report:?}");
    let real = site.real().expect("a real site");
    let browser = Browser::signed_in(real, Who::Editor).await;
    for post in &posts {
        browser.edit(real, post.id).await;
        assert_eq!(browser.problems(&post.content).await, json!([]), "{}: {}", post.slug, post.content);
        browser.save().await;
    }
    for (before, after) in posts.iter().zip(site.posts().await) {
        assert_eq!(after.content, without_marker(&before.content), "{}", before.slug);
        assert_eq!((after.title.as_str(), after.status.as_str()), (before.title.as_str(), "draft"));
    }
    browser.close().await;
}
