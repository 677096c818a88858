//! Every named point, around each kind of request.

use super::*;
use Then::{GoesOn, Person};

/// Makes each crash a test of its own on both manners of the practice site, and those marked with `real` on real
/// WordPress of the oldest and the newest version as well.
macro_rules! crashes {
    (@real) => {};
    (@real real) => {
        #[tokio::test]
        async fn real_old() {
            on_real(ichido_tests::Place::RealOld, crash()).await;
        }

        #[tokio::test]
        async fn real_new() {
            on_real(ichido_tests::Place::RealNew, crash()).await;
        }
    };
    (@sites real) => { 2 };
    ($($name:ident $($real:ident)?: $at:expr, $sending:expr, $then:expr, $again:expr;)*) => {
        /// Every crash, and on how many sites it happens.
        fn all() -> Vec<(Crash, usize)> {
            vec![$(($name::crash(), 2 $(+ crashes!(@sites $real))?)),*]
        }

        $(mod $name {
            #[allow(unused_imports, reason = "not every case needs all that its file uses")]
            use super::*;

            pub(super) fn crash() -> Crash {
                Crash { at: $at, sending: $sending, then: $then, again: $again }
            }

            #[tokio::test]
            async fn practice_old() {
                let (site, desk) = crate::faults::in_step(ichido_practice::Release::V6_1).await;
                survive(&site, &desk, crash()).await;
            }

            #[tokio::test]
            async fn practice_new() {
                let (site, desk) = crate::faults::in_step(ichido_practice::Release::V7_1).await;
                survive(&site, &desk, crash()).await;
            }

            crashes!(@real $($real)?);
        })*
    };
}

async fn on_real(place: ichido_tests::Place, crash: Crash) {
    let site = Site::start(place).await;
    let desk = Desk::at(&site).await;
    survive(&site, &desk, crash).await;
}

/// The answer is lost, so that the effect is looked for in the same run.
const LOST: Fault = Fault::CommitThenDropResponse;
/// The upload is there, but its sizes are not.
const HALF: Fault = Fault::MediaFatalAfterInsert;

crashes! {
    post_before_begin_send: At::Point("post:before_begin_send"), None, GoesOn, ["post:before_begin_send", "before_attach"];
    post_after_begin_send real: At::Point("post:after_begin_send"), Some(Kind::Post), Person, ["post:before_look", "before_close_run"];
    post_sent_not_executed: At::Waiting(Request::CreatePost, Fault::SilenceBeforeCommit), Some(Kind::Post), Person, ["post:before_look", "before_close_run"];
    post_sent_and_executed real: At::Waiting(Request::CreatePost, Fault::CommitThenSilence), Some(Kind::Post), GoesOn, ["post:before_look", "post:before_adopt"];
    post_before_settle real: At::Point("post:before_settle"), Some(Kind::Post), GoesOn, ["post:before_adopt", "post:after_adopt"];
    post_after_settle: At::Point("post:after_settle"), None, GoesOn, ["before_attach", "before_close_run"];
    post_before_look: At::PointAfter("post:before_look", Request::CreatePost, LOST), Some(Kind::Post), GoesOn, ["post:before_look", "post:before_adopt"];
    post_before_adopt: At::PointAfter("post:before_adopt", Request::CreatePost, LOST), Some(Kind::Post), GoesOn, ["post:before_adopt", "post:after_adopt"];
    post_after_adopt: At::PointAfter("post:after_adopt", Request::CreatePost, LOST), None, GoesOn, ["before_attach", "after_close_run"];

    image_before_begin_send: At::Point("image:before_begin_send"), None, GoesOn, ["image:before_begin_send", "before_attach"];
    image_after_begin_send real: At::Point("image:after_begin_send"), Some(Kind::Image), Person, ["image:before_look", "before_close_run"];
    image_sent_not_executed: At::Waiting(Request::UploadMedia, Fault::SilenceBeforeCommit), Some(Kind::Image), Person, ["image:before_look", "before_close_run"];
    image_sent_and_executed real: At::Waiting(Request::UploadMedia, Fault::CommitThenSilence), Some(Kind::Image), GoesOn, ["image:before_look", "image:before_adopt"];
    image_before_settle real: At::Point("image:before_settle"), Some(Kind::Image), GoesOn, ["image:before_adopt", "image:after_adopt"];
    image_after_settle: At::Point("image:after_settle"), None, GoesOn, ["before_attach", "before_close_run"];
    image_before_look: At::PointAfter("image:before_look", Request::UploadMedia, LOST), Some(Kind::Image), GoesOn, ["image:before_look", "image:before_adopt"];
    image_before_adopt: At::PointAfter("image:before_adopt", Request::UploadMedia, LOST), Some(Kind::Image), GoesOn, ["image:before_adopt", "image:after_adopt"];
    image_after_adopt: At::PointAfter("image:after_adopt", Request::UploadMedia, LOST), None, GoesOn, ["before_attach", "after_close_run"];

    term_before_begin_send: At::Point("term:before_begin_send"), None, GoesOn, ["term:before_begin_send", "before_attach"];
    term_after_begin_send: At::Point("term:after_begin_send"), Some(Kind::Term), GoesOn, ["term:after_begin_send", "image:before_begin_send"];
    term_sent_not_executed: At::Waiting(Request::CreateTerm, Fault::SilenceBeforeCommit), Some(Kind::Term), GoesOn, ["term:after_begin_send", "image:after_settle"];
    term_sent_and_executed: At::Waiting(Request::CreateTerm, Fault::CommitThenSilence), Some(Kind::Term), GoesOn, ["image:before_begin_send", "post:after_settle"];
    term_before_settle: At::Point("term:before_settle"), Some(Kind::Term), GoesOn, ["image:before_begin_send", "before_attach"];
    term_after_settle: At::Point("term:after_settle"), None, GoesOn, ["image:before_begin_send", "before_attach"];

    sizes_before_begin_send: At::PointAfter("post_process:before_begin_send", Request::UploadMedia, HALF), None, GoesOn, ["post_process:before_begin_send", "before_attach"];
    sizes_after_begin_send: At::PointAfter("post_process:after_begin_send", Request::UploadMedia, HALF), Some(Kind::PostProcess), GoesOn, ["post_process:after_begin_send", "post_process:before_settle"];
    sizes_before_settle: At::PointAfter("post_process:before_settle", Request::UploadMedia, HALF), Some(Kind::PostProcess), GoesOn, ["before_attach", "before_close_run"];
    sizes_after_settle: At::PointAfter("post_process:after_settle", Request::UploadMedia, HALF), None, GoesOn, ["before_attach", "before_close_run"];

    fields_before_begin_send: At::Point("fields:before_begin_send"), None, GoesOn, ["fields:before_begin_send", "fields:after_begin_send"];
    fields_after_begin_send real: At::Point("fields:after_begin_send"), Some(Kind::Fields), GoesOn, ["fields:after_begin_send", "fields:before_settle"];
    fields_sent_not_executed: At::Waiting(Request::Update, Fault::SilenceBeforeCommit), Some(Kind::Fields), GoesOn, ["fields:after_begin_send", "fields:before_settle"];
    fields_sent_and_executed: At::Waiting(Request::Update, Fault::CommitThenSilence), Some(Kind::Fields), GoesOn, ["before_attach", "attach:before_begin_send"];
    fields_before_settle real: At::Point("fields:before_settle"), Some(Kind::Fields), GoesOn, ["before_attach", "before_close_run"];
    fields_after_settle: At::Point("fields:after_settle"), None, GoesOn, ["fields:before_begin_send", "before_close_run"];

    attach_planned real: At::Point("before_attach"), None, GoesOn, ["attach:before_begin_send", "before_close_run"];
    attach_before_begin_send: At::Point("attach:before_begin_send"), None, GoesOn, ["attach:before_begin_send", "attach:after_begin_send"];
    attach_after_begin_send: At::Point("attach:after_begin_send"), Some(Kind::Attach), GoesOn, ["attach:after_begin_send", "attach:before_settle"];
    attach_sent_not_executed: At::Waiting(Request::Update, Fault::SilenceBeforeCommit), Some(Kind::Attach), GoesOn, ["attach:after_begin_send", "attach:before_settle"];
    attach_sent_and_executed: At::Waiting(Request::Update, Fault::CommitThenSilence), Some(Kind::Attach), GoesOn, ["attach:before_begin_send", "before_close_run"];
    attach_before_settle real: At::Point("attach:before_settle"), Some(Kind::Attach), GoesOn, ["before_attach", "before_close_run"];
    attach_after_settle: At::Point("attach:after_settle"), None, GoesOn, ["attach:before_begin_send", "before_close_run"];

    run_before_close: At::Point("before_close_run"), None, GoesOn, ["before_close_run", "after_close_run"];
    run_after_close: At::Point("after_close_run"), None, GoesOn, ["before_close_run", "after_close_run"];
}

#[test]
fn each_point_that_the_program_has_is_one_where_it_is_killed() {
    let all = all();
    let mut first: Vec<&str> = all
        .iter()
        .filter_map(|(crash, _)| match crash.at {
            At::Point(point) | At::PointAfter(point, ..) => Some(point),
            At::Waiting(..) => None,
        })
        .collect();
    first.sort_unstable();
    let mut points = ichido_engine::failpoints();
    points.sort_unstable();
    assert_eq!(first, points, "each point has its crash");
    // One kill at the point, and one at each of those after it.
    let kills: usize = all.iter().map(|(crash, sites)| sites * (1 + crash.again.len())).sum();
    println!("proof: {} points, {} crashes, {kills} kills on all sites", points.len(), all.len());
    assert!(kills >= 150, "{kills}");
}
