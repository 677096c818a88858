use ichido_core::act::Act;
use ichido_core::apply::{Event, Standing};
use ichido_core::decide::Decision;
use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, Kind, State};

use super::{Desk, NOW, at, done, new_image, new_site, planned, sending, site, slug_key};
use crate::{Added, Count, Filter, Note, Page, SiteError};

const ALL: Page = Page { offset: 0, limit: 100 };

#[test]
fn a_site_is_known_by_its_home() {
    let desk = Desk::new();
    let runner = desk.runner();
    let (first, added) = runner.add_site(&new_site("one"), NOW).unwrap();
    assert_eq!(added, Added::New);
    let renamed = crate::NewSite { name: "blog".into(), user: "editor".into(), ..new_site("one") };
    let (again, added) = runner.add_site(&renamed, at(5).at).unwrap();
    assert_eq!((again.id, added, again.name.as_str()), (first.id, Added::Updated, "blog"));
    assert_eq!((again.user.as_str(), again.added_at), ("editor", NOW));
    assert_eq!(runner.sites().unwrap(), std::slice::from_ref(&again));
    assert_eq!(runner.site_by_name("blog").unwrap(), Some(again));
    assert_eq!(runner.site_by_name("one").unwrap(), None);
    let clash = crate::NewSite { name: "blog".into(), ..new_site("two") };
    let refused = runner.add_site(&clash, NOW).unwrap_err();
    assert!(matches!(refused, SiteError::NameTaken { home } if home == "https://one.example"));
}

#[test]
fn a_site_in_doubt_is_not_removed_until_the_halt_is_left_or_settled() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = sending(&runner, site, "a");
    assert!(matches!(runner.remove_site(site, NOW), Err(SiteError::InDoubt { count: 1 })));
    let halt = Decision::Halt(HaltReason::OutcomeUnknown);
    runner.apply(op_id, Event::Decided(&halt), Note::at(NOW)).unwrap();
    assert!(matches!(runner.remove_site(site, NOW), Err(SiteError::InDoubt { count: 1 })));
    runner.apply(op_id, Event::Act(Act::Leave), Note::by_person(NOW)).unwrap();
    runner.remove_site(site, NOW).unwrap();
    assert_eq!(runner.sites().unwrap(), []);
    assert!(matches!(runner.remove_site(site, NOW), Err(SiteError::NoSuchSite)));
    runner.operation(op_id).unwrap().unwrap();
}

#[test]
fn adding_a_removed_site_takes_its_records_up_again() {
    let desk = Desk::new();
    let runner = desk.runner();
    let first = site(&runner, "one");
    let op_id = done(&runner, first, "a", 7);
    runner.remove_site(first, NOW).unwrap();
    let other = crate::NewSite { home: "https://other.example".into(), ..new_site("one") };
    runner.add_site(&other, NOW).map(drop).unwrap();
    let back = crate::NewSite { name: "one-again".into(), ..new_site("one") };
    let (site, added) = runner.add_site(&back, at(9).at).unwrap();
    assert_eq!((site.id, added, site.added_at), (first, Added::TakenUp, at(9).at));
    assert_eq!(runner.by_key(first, Kind::Post, "post", &slug_key("a")).unwrap().unwrap().op_id, op_id);
}

#[test]
fn settings_of_a_site_and_of_all_do_not_mix() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    runner.set_setting(None, "window", Some("600")).unwrap();
    runner.set_setting(Some(site), "window", Some("60")).unwrap();
    runner.set_setting(Some(site), "classic", Some("yes")).unwrap();
    runner.set_setting(Some(site), "window", Some("61")).unwrap();
    assert_eq!(runner.setting(None, "window").unwrap().as_deref(), Some("600"));
    assert_eq!(runner.setting(Some(site), "window").unwrap().as_deref(), Some("61"));
    let both = [("classic".to_owned(), "yes".to_owned()), ("window".to_owned(), "61".to_owned())];
    assert_eq!(runner.settings(Some(site)).unwrap(), both);
    runner.set_setting(Some(site), "window", None).unwrap();
    assert_eq!(runner.setting(Some(site), "window").unwrap(), None);
    assert_eq!(runner.setting(None, "window").unwrap().as_deref(), Some("600"));
}

#[test]
fn lists_counts_and_pages_agree() {
    let desk = Desk::new();
    let runner = desk.runner();
    let (one, two) = (site(&runner, "one"), site(&runner, "two"));
    for number in 0..5 {
        done(&runner, one, &format!("done-{number}"), 10 + number);
    }
    planned(&runner, one, "waiting");
    let halted = sending(&runner, two, "記事");
    let halt = Decision::Halt(HaltReason::Candidates);
    runner.apply(halted, Event::Decided(&halt), Note::at(NOW)).unwrap();
    runner.plan(&new_image(one, "picture"), NOW).unwrap();

    let listed = |filter: &Filter, page| -> Vec<String> {
        runner.list(filter, page).unwrap().into_iter().map(|operation| operation.slug).collect()
    };
    let of_one =
        Filter { site: Some(one), kind: Some(Kind::Post), states: vec!["done"], ..Filter::default() };
    assert_eq!(listed(&of_one, Page { offset: 1, limit: 2 }), ["done-3", "done-2"], "newest first");
    assert_eq!(runner.list_len(&of_one).unwrap(), 5);
    let by_reason = Filter { reason: Some("candidates"), left: Some(false), ..Filter::default() };
    assert_eq!(listed(&by_reason, ALL), ["記事"]);
    assert_eq!(listed(&Filter { text: Some("DONE-4".into()), ..Filter::default() }, ALL), ["done-4"]);
    assert_eq!(listed(&Filter { text: Some("articles/記".into()), ..Filter::default() }, ALL), ["記事"]);
    assert_eq!(runner.list_len(&Filter::default()).unwrap(), 8);

    let counts = runner.counts(None).unwrap();
    assert_eq!(counts.iter().map(|count| count.count).sum::<u64>(), 8);
    let standing = Standing { state: State::Done, may_have_left: true, left: false };
    assert!(counts.contains(&Count { site: one, kind: Kind::Post, standing, count: 5 }));
    assert_eq!(runner.counts(Some(two)).unwrap().len(), 1);
    let ids: Vec<_> = runner.last_recorded_ids(one, Kind::Post, 2).unwrap();
    assert_eq!(ids, [RemoteId(14), RemoteId(13)]);

    assert_eq!(runner.needs_attention(None).unwrap()[0].op_id, halted);
    assert_eq!(runner.needs_attention(Some(one)).unwrap(), []);
    runner.apply(halted, Event::Act(Act::Leave), Note::by_person(NOW)).unwrap();
    assert_eq!(runner.needs_attention(None).unwrap(), []);
    assert_eq!(runner.in_doubt(None).unwrap().len(), 1, "left, and still in doubt");
}

#[test]
fn everything_can_be_gone_through_in_steps() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    for number in 0..7 {
        planned(&runner, site, &format!("a-{number}"));
    }
    let mut seen = Vec::new();
    loop {
        let part = runner.operations_after(seen.last().copied(), 3).unwrap();
        if part.is_empty() {
            break;
        }
        seen.extend(part.into_iter().map(|operation| operation.op_id));
    }
    assert_eq!(seen.len(), 7);
    assert!(seen.is_sorted());
    let lines = runner.history_after(0, 100).unwrap();
    assert_eq!(lines.len(), 8, "the site and seven plans");
    assert_eq!(runner.history_after(lines[3].seq, 100).unwrap().len(), 4);
    assert_eq!(runner.latest_history(Page { offset: 0, limit: 1 }).unwrap()[0], lines[7]);
}

#[test]
fn a_window_reads_while_a_runner_writes() {
    let desk = Desk::new();
    let window = desk.open();
    let runner = window.lock(&super::owner("test"), NOW).unwrap();
    let site = site(&runner, "one");
    let op_id = sending(&runner, site, "a");
    assert_eq!(window.operation(op_id).unwrap().unwrap().standing.state, State::Sending);
    let other = desk.open();
    assert_eq!(other.in_doubt(Some(site)).unwrap().len(), 1);
}
