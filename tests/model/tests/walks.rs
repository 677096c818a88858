//! Walks through every world of the default run, and catches every mistake that is made on purpose.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test ends where it fails, and shows its figures"
)]

use ichido_model::check::walk;
use ichido_model::setting::Flaw;
use ichido_model::worlds::{Extent, broken_by, flawed, world};

/// Shows the figures, and asserts that every property holds and every goal was reached.
fn holds(name: &str) {
    let walk = walk(world(name, Extent::Default).expect("a world of that name"), &[]);
    println!("proof: {name}: {walk}");
    assert!(walk.holds(), "{name}: {walk}");
    assert!(walk.states > 10_000, "{name}: only {} states", walk.states);
}

/// Asserts that a mistake is caught, by the property that it breaks.
fn is_caught(flaw: Flaw) {
    let property = broken_by(flaw);
    let walk = walk(flawed(flaw), &[property]);
    println!("proof: {flaw:?} is caught: {walk}");
    assert!(walk.broken.iter().any(|(broken, _)| *broken == property), "{flaw:?} was not caught: {walk}");
}

macro_rules! worlds {
    ($($name:ident = $world:literal),* $(,)?) => {
        mod worlds {
            $(#[test] fn $name() { super::holds($world); })*

            #[test]
            fn every_world_is_walked_through() {
                let walked = [$($world),*];
                let all = ichido_model::worlds::worlds(ichido_model::worlds::Extent::Default);
                assert_eq!(all.map(|(name, _)| name), walked);
            }
        }
    };
}

worlds! {
    a_post_alone = "a post alone",
    one_post_and_two_images = "one post and two images",
    the_folder_is_renamed = "the folder is renamed",
    the_journal_is_lost = "the journal is lost",
    beyond_the_settle_window = "beyond the settle window",
    a_careless_person = "a careless person",
}

macro_rules! flaws {
    ($($name:ident = $flaw:ident),* $(,)?) => {
        mod flaws {
            use ichido_model::setting::Flaw;

            $(#[test] fn $name() { super::is_caught(Flaw::$flaw); })*

            #[test]
            fn every_flaw_has_its_test() {
                assert_eq!(Flaw::ALL, [$(Flaw::$flaw),*]);
            }
        }
    };
}

flaws! {
    a_time_out_that_counts_as_a_failure = RetryOnTimeOut,
    a_journal_written_after_the_send = JournalAfterSend,
    sending_that_is_not_synced = SendingNotSynced,
    a_journal_that_is_made_anew = JournalMadeAnew,
    a_request_that_the_http_layer_sends_again = HttpSendsAgain,
    send_again_without_the_window = NoSettleWindow,
    a_look_at_published_posts_only = PublishedOnly,
    a_start_that_plans_everything_again = SweepAtStart,
    an_article_known_by_its_folder_alone = FolderIsIdentity,
    a_slug_with_a_number_that_counts_as_ours = SlugFamily,
    a_failed_look_that_counts_as_empty = FailedLookIsEmpty,
    a_row_that_is_adopted_by_its_title = AdoptByTitle,
    a_draft_that_does_not_wait_for_its_images = ImagesNotAwaited,
    send_again_without_a_look = NoLookBeforeSendAgain,
}
