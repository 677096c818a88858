//! The properties notice what is wrong on purpose.

use std::time::Duration;

use ichido_practice::{Fault, Kind, Permalinks, Release, When};
use ichido_simulation::{Manners, Property, Sabotage, Schedule, Trouble, What, play};

/// A few articles on one site, and nothing goes wrong.
fn peaceful() -> Schedule {
    let site = Manners { release: Release::V7_1, permalinks: Permalinks::Pretty, editor: false };
    Schedule { seed: 1, articles: 5, sites: vec![site], troubles: Vec::new() }
}

/// The same with one fault, which the first draft but two meets.
fn troubled(seed: u64, fault: Fault) -> Schedule {
    let what = What::Fault(When::after(Kind::CreatePost, 2), fault);
    Schedule { seed, troubles: vec![Trouble { round: 0, site: 0, what }], ..peaceful() }
}

fn noticed_in(schedule: &Schedule, sabotage: Sabotage) -> Vec<Property> {
    let violations = play(schedule, sabotage, false).violations;
    let mut properties: Vec<Property> = violations.into_iter().map(|found| found.property).collect();
    properties.sort();
    properties.dedup();
    properties
}

fn noticed(sabotage: Sabotage) -> Vec<Property> {
    noticed_in(&peaceful(), sabotage)
}

#[test]
fn where_nothing_is_wrong_nothing_is_found() {
    assert_eq!(noticed(Sabotage::None), []);
}

#[test]
fn a_site_that_makes_two_of_one_request() {
    let found = noticed(Sabotage::SecondPost);
    assert!(found.contains(&Property::FromNowhere) && found.contains(&Property::Duplicate), "{found:?}");
}

#[test]
fn a_draft_that_goes_away_without_a_word() {
    assert!(noticed(Sabotage::SilentRemoval).contains(&Property::Lost));
}

#[test]
fn a_request_that_is_sent_again_when_its_answer_is_lost() {
    let lost = troubled(1, Fault::CommitThenDropResponse);
    assert_eq!(noticed_in(&lost, Sabotage::None), []);
    assert!(noticed_in(&lost, Sabotage::SentAgain).contains(&Property::SentTwice));
}

#[test]
fn a_draft_that_is_made_anew_when_its_answer_is_lost() {
    let lost = troubled(1, Fault::CommitThenDropResponse);
    assert!(noticed_in(&lost, Sabotage::MadeAnew).contains(&Property::Duplicate));
}

/// In some of the seeds the next run comes before the site has carried the request out.
#[test]
fn rows_of_what_is_in_doubt_that_the_journal_lost() {
    let late = |seed| troubled(seed, Fault::CommitLater(Duration::from_secs(590)));
    for seed in 1..=12 {
        assert_eq!(noticed_in(&late(seed), Sabotage::None), [], "seed {seed}");
    }
    let caught = |seed: &u64| noticed_in(&late(*seed), Sabotage::LostRows).contains(&Property::Duplicate);
    assert!((1..=12).any(|seed| caught(&seed)));
}

/// In some of the seeds a person has it sent again as soon as that is allowed.
#[test]
fn what_is_in_doubt_and_is_sent_again_too_early() {
    let late = |seed| troubled(seed, Fault::CommitLater(Duration::from_secs(590)));
    let caught = |seed: &u64| noticed_in(&late(*seed), Sabotage::HastyWindow).contains(&Property::Duplicate);
    assert!((1..=30).any(|seed| caught(&seed)));
}

#[test]
fn a_strangers_post_that_is_written_over() {
    assert_eq!(noticed(Sabotage::Overwrites), [Property::Overwritten]);
}

#[test]
fn a_draft_with_an_image_that_is_nowhere() {
    assert!(noticed(Sabotage::LocalImage).contains(&Property::BrokenImage));
}

#[test]
fn an_article_that_is_skipped_without_a_word() {
    assert!(noticed(Sabotage::Skips).contains(&Property::Silent));
}

#[test]
fn an_article_of_which_nothing_is_reported() {
    assert!(noticed(Sabotage::Forgets).contains(&Property::Silent));
}

#[test]
fn an_article_of_which_something_else_is_reported() {
    assert!(noticed(Sabotage::Lies).contains(&Property::Silent));
}
