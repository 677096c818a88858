//! What the client relies on in WordPress. Each case runs on the practice site, with the manners of the oldest and of
//! the newest release, and on real WordPress of both: so the double cannot lie.

mod answers;
mod lookups;
mod media;
mod people;
mod posts;
mod slugs;
mod terms;

/// Makes each case a test of its own on every site.
macro_rules! on_every_site {
    ($($(#[$meta:meta])* async fn $name:ident($site:ident: &Site) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports, reason = "not every case needs all that its file uses")]
            use super::*;

            async fn case($site: &Site) $body

            #[tokio::test]
            async fn practice_old() {
                case(&Site::start(ichido_tests::Place::PracticeOld).await).await;
            }

            #[tokio::test]
            async fn practice_new() {
                case(&Site::start(ichido_tests::Place::PracticeNew).await).await;
            }

            #[tokio::test]
            async fn real_old() {
                case(&Site::start(ichido_tests::Place::RealOld).await).await;
            }

            #[tokio::test]
            async fn real_new() {
                case(&Site::start(ichido_tests::Place::RealNew).await).await;
            }
        }
    )*};
}
pub(crate) use on_every_site;

use ichido_tests::{Reply, Rest};
use serde_json::{Value, json};

/// Creates a draft and insists that it was created.
async fn draft(rest: &Rest, slug: &str) -> Reply {
    draft_with(rest, json!({ "slug": slug, "title": format!("Title of {slug}"), "content": format!("<p>Content of {slug}</p>") })).await
}

/// Creates a draft of these fields and insists that it was created.
async fn draft_with(rest: &Rest, mut fields: Value) -> Reply {
    fields["status"] = json!("draft");
    let made = rest.post("wp/v2/posts", fields).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made
}

/// Looks a slug up as the client does: everything that may be seen, the trash included.
async fn look_up(rest: &Rest, slugs: &str) -> Reply {
    let found = rest
        .get(
            "wp/v2/posts",
            &[("slug", slugs), ("status", "any,trash"), ("context", "edit"), ("per_page", "100")],
        )
        .await;
    assert_eq!(found.status, 200, "{}", found.text());
    found
}
