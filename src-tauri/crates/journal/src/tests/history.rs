use ichido_core::act::Act;
use ichido_core::apply::Event;
use ichido_core::decide::Decision;
use ichido_core::operation::HaltReason;

use super::{Desk, NOW, sending, site};
use crate::{By, HistoryFilter, Note, Page};

#[test]
fn the_history_is_listed_in_pages_and_by_what_is_wanted() {
    let desk = Desk::new();
    let runner = desk.runner();
    let (one, two) = (site(&runner, "one"), site(&runner, "two"));
    let first = sending(&runner, one, "autumn-walk");
    runner.apply(first, Event::Decided(&Decision::Halt(HaltReason::OutcomeUnknown)), Note::at(NOW)).unwrap();
    sending(&runner, two, "winter-walk");
    runner.apply(first, Event::Act(Act::Leave), Note::by_person(NOW)).unwrap();
    let all = HistoryFilter::default();
    let total = runner.history_len(&all).unwrap();
    let page = |offset, limit| runner.history(&all, Page { offset, limit }).unwrap();
    assert_eq!(page(0, 100).len() as u64, total);
    assert!(page(0, 100).windows(2).all(|pair| pair[0].seq > pair[1].seq), "newest first");
    assert_eq!([page(0, 2), page(2, 1)].concat(), page(0, 3));
    let len = |filter: HistoryFilter| {
        let listed = runner.history(&filter, Page { offset: 0, limit: 100 }).unwrap();
        assert_eq!(listed.len() as u64, runner.history_len(&filter).unwrap());
        listed
    };
    let people = len(HistoryFilter { by: Some(By::Person), ..all.clone() });
    assert_eq!(
        people.iter().map(|entry| entry.code.as_str()).collect::<Vec<_>>(),
        ["leave", "site_added", "site_added"]
    );
    let halts = len(HistoryFilter { codes: vec!["halted"], ..all.clone() });
    assert_eq!(halts.iter().map(|entry| entry.op_id).collect::<Vec<_>>(), [Some(first)]);
    let of_two = len(HistoryFilter { site: Some(two), ..all.clone() });
    assert!(!of_two.is_empty() && of_two.iter().all(|entry| entry.site == Some(two)));
    let named = len(HistoryFilter { text: Some("AUTUMN".to_owned()), ..all.clone() });
    assert!(!named.is_empty() && named.iter().all(|entry| entry.op_id == Some(first)));
    assert!(len(HistoryFilter { text: Some("%".to_owned()), ..all }).is_empty(), "a sign is a sign");
}
