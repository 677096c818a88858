//! The program is killed with a part of a request on the wire (fault 3).

use ichido_practice::Release;
use ichido_tests::Desk;

use crate::disk::every::complete;
use crate::disk::power::{on_recorded_disk, write};
use crate::faults::{assert_sent_once, in_step};
use crate::process::{Program, sending_in_whole_journal};

async fn killed_in_the_middle_of(request: &str, sending: &str, release: Release) {
    let (site, _) = in_step(release).await;
    let desk = Desk::in_memory(&site).await;
    let slugs = write(&desk, "midway", 7);
    let register = on_recorded_disk(Program::register(&desk, &site), &desk);
    let ended = register.with("ICHIDO_DISK_HALF", format!("POST /wp-json/wp/v2/{request}")).run().await;
    assert_eq!(ended.status, None, "it was killed: {ended:?}");
    assert_eq!(sending_in_whole_journal(&desk), [sending], "its record is durable");
    // What began and never came whole has no effect, and nobody takes it for more than it is.
    complete(&site, &desk, &slugs, request).await;
    if sending != "term" && sending != "attach" {
        assert_sent_once(&site);
    }
}

macro_rules! midway {
    ($($name:ident: $request:expr, $sending:expr;)*) => {$(
        mod $name {
            use super::*;

            #[tokio::test]
            async fn practice_old() {
                killed_in_the_middle_of($request, $sending, Release::V6_1).await;
            }

            #[tokio::test]
            async fn practice_new() {
                killed_in_the_middle_of($request, $sending, Release::V7_1).await;
            }
        }
    )*};
}

midway! {
    fault_3_in_the_middle_of_a_tag: "tags", "term";
    fault_3_in_the_middle_of_an_image: "media?", "image";
    fault_3_in_the_middle_of_a_draft: "posts", "post";
    fault_3_in_the_middle_of_attaching: "media/", "attach";
}
