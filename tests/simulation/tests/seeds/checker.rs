//! The properties notice what is wrong on purpose.

use ichido_practice::{Permalinks, Release};
use ichido_simulation::{Manners, Property, Sabotage, Schedule, play};

/// A few articles on one site, and nothing goes wrong.
fn peaceful() -> Schedule {
    let site = Manners { release: Release::V7_1, permalinks: Permalinks::Pretty, editor: false };
    Schedule { seed: 1, articles: 5, sites: vec![site], troubles: Vec::new() }
}

fn noticed(sabotage: Sabotage) -> Vec<Property> {
    let mut properties: Vec<Property> =
        play(&peaceful(), sabotage, false).violations.into_iter().map(|found| found.property).collect();
    properties.sort();
    properties.dedup();
    properties
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
fn a_request_that_is_sent_again() {
    assert!(noticed(Sabotage::SentAgain).contains(&Property::SentTwice));
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
fn an_article_of_which_nothing_is_reported() {
    assert!(noticed(Sabotage::Forgets).contains(&Property::Silent));
}

#[test]
fn an_article_of_which_something_else_is_reported() {
    assert!(noticed(Sabotage::Lies).contains(&Property::Silent));
}
