use std::path::Path;

use ichido_core::act::Act;
use ichido_core::apply::{Blocked, Event, Standing};
use ichido_core::decide::{AdoptedBy, AfterAdopt, Decision, VerifiedNote};
use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::outcome::{Created, NotSent, Outcome, Recorded, Sent};
use ichido_core::tally::Barrier;
use serde_json::json;

use super::{
    Desk, NOW, at, created, done, facts, new_image, new_post, op_id, planned, sending, site, slug_key,
};
use crate::{By, Change, ImageUse, Look, Misuse, NewOperation, Note, Runner, SiteId, WriteError};

const HALT: Decision = Decision::Halt(HaltReason::OutcomeUnknown);

fn halted(runner: &Runner, site: SiteId, slug: &str) -> OpId {
    let op_id = sending(runner, site, slug);
    runner.apply(op_id, Event::Decided(&HALT), Note::at(NOW)).unwrap();
    op_id
}

fn adoption(id: u64, by: AdoptedBy) -> Decision {
    Decision::Adopt { id: RemoteId(id), by, then: AfterAdopt::Done }
}

fn look(ms: i64, complete: bool, negative: bool) -> Look {
    Look {
        at: at(ms),
        complete,
        negative,
        summary: Some(json!({ "at": ms })),
        next_look_at: Some(at(ms + 1000).at),
    }
}

#[test]
fn what_is_planned_reads_back() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let new = NewOperation {
        source_digest: Some(Digest::of_bytes(b"text")),
        ..new_post(site, "日本語の記事")
    };
    let planned = runner.plan(&new, NOW).unwrap();
    assert_eq!(planned.op_id, new.op_id);
    assert_eq!(planned.standing, Standing::PLANNED);
    assert_eq!((planned.slug.as_str(), planned.title.as_str()), (new.slug.as_str(), new.title.as_str()));
    assert_eq!((planned.source_path, planned.source_digest), (new.source_path, new.source_digest));
    assert_eq!(runner.by_key(site, Kind::Post, "post", &new.key).unwrap().unwrap().op_id, new.op_id);
    assert_eq!(runner.by_key(site, Kind::Image, "", &new.key).unwrap(), None);
}

#[test]
fn planning_again_returns_the_first_and_updates_it_until_it_may_have_left() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let first = planned(&runner, site, "a").op_id;
    let again = NewOperation {
        title: "New title".into(),
        source_path: Some("/moved/a".into()),
        ..new_post(site, "a")
    };
    let found = runner.plan(&again, NOW).unwrap();
    assert_eq!((found.op_id, found.title.as_str()), (first, "New title"));
    runner.begin_send(first, &facts("a"), &at(0)).map(drop).unwrap();
    let later = NewOperation { title: "Too late".into(), ..new_post(site, "a") };
    let found = runner.plan(&later, NOW).unwrap();
    assert_eq!((found.op_id, found.title.as_str()), (first, "Title of a"), "as it was sent");
}

#[test]
fn a_batch_with_an_image_that_nobody_planned_records_nothing() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let missing = ImageUse { image: new_image(site, "missing").key, position: 0, featured: false };
    let post = NewOperation { images: vec![missing], ..new_post(site, "b") };
    let refused = runner.plan_all(&[new_post(site, "a"), post], NOW).unwrap_err();
    assert!(matches!(refused, WriteError::Misused(Misuse::ImageNotPlanned { .. })), "{refused:?}");
    assert_eq!(runner.by_key(site, Kind::Post, "post", &slug_key("a")).unwrap(), None);
}

#[test]
fn posts_and_the_images_they_use_find_each_other() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let (shared, own) = (new_image(site, "shared"), new_image(site, "own"));
    let uses =
        |image: &NewOperation, position, featured| ImageUse { image: image.key.clone(), position, featured };
    let first =
        NewOperation { images: vec![uses(&own, 1, false), uses(&shared, 0, true)], ..new_post(site, "a") };
    let second = NewOperation { images: vec![uses(&shared, 0, false)], ..new_post(site, "b") };
    runner.plan_all(&[shared.clone(), own.clone(), first.clone(), second.clone()], NOW).unwrap();
    let of_first: Vec<_> =
        runner.images_of(first.op_id).unwrap().iter().map(|used| (used.image, used.featured)).collect();
    assert_eq!(of_first, [(shared.op_id, true), (own.op_id, false)]);
    let mut posts: Vec<_> = runner.posts_using(shared.op_id).unwrap().iter().map(|used| used.post).collect();
    posts.sort_unstable();
    assert_eq!(posts, [first.op_id, second.op_id]);
    let fewer = NewOperation { images: vec![uses(&own, 0, true)], ..first.clone() };
    runner.plan(&fewer, NOW).unwrap();
    assert_eq!(runner.images_of(first.op_id).unwrap().len(), 1);
}

#[test]
fn an_event_that_says_nothing_new_writes_nothing() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = done(&runner, site, "a", 7);
    let lines = || runner.history_of(op_id).unwrap().len();
    let before = lines();
    let verified = Decision::Verified(VerifiedNote::default());
    runner.apply(op_id, Event::Decided(&verified), Note::at(NOW)).unwrap();
    runner.apply(op_id, Event::Decided(&Decision::Keep), Note::at(NOW)).unwrap();
    assert_eq!(lines(), before);
    runner.apply(op_id, Event::Decided(&verified), Note::at(NOW).with_findings(json!(["edited"]))).unwrap();
    assert_eq!(lines(), before + 1);
    assert_eq!(runner.operation(op_id).unwrap().unwrap().findings, Some(json!(["edited"])));
}

#[test]
fn findings_go_with_the_state_that_they_explain() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "a").op_id;
    let blocked = Note::at(NOW).with_findings(json!(["no title"]));
    runner.apply(op_id, Event::Blocked(Blocked::NeedsWork), blocked).unwrap();
    assert_eq!(runner.operation(op_id).unwrap().unwrap().findings, Some(json!(["no title"])));
    runner.apply(op_id, Event::Reopened, Note::at(NOW)).unwrap();
    assert_eq!(runner.operation(op_id).unwrap().unwrap().findings, None);
}

#[test]
fn many_changes_happen_all_or_none() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let (good, bad) = (planned(&runner, site, "a").op_id, done(&runner, site, "b", 7));
    let blocked = Event::Blocked(Blocked::NeedsWork);
    let change = |op_id| Change { op_id, event: blocked, note: Note::at(NOW) };
    assert!(matches!(runner.apply_all(vec![change(good), change(bad)]), Err(WriteError::Illegal(_))));
    assert_eq!(runner.operation(good).unwrap().unwrap().standing, Standing::PLANNED);
    let standings = runner.apply_all(vec![change(good)]).unwrap();
    assert_eq!(standings[0].state, State::NeedsWork);
}

#[test]
fn an_adoption_needs_its_row_and_keeps_it() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = halted(&runner, site, "a");
    let adopt = adoption(9, AdoptedBy::Marker);
    let row = Recorded { slug: "a-2".into(), ..Recorded::default() };
    for note in [Note::at(NOW), Note::at(NOW).with_row(RemoteId(8), None)] {
        let refused = runner.apply(op_id, Event::Decided(&adopt), note).unwrap_err();
        assert!(matches!(refused, WriteError::Misused(Misuse::RowNeeded { .. })), "{refused:?}");
    }
    let note = Note::at(NOW).with_row(RemoteId(9), Some(row.clone()));
    assert_eq!(runner.apply(op_id, Event::Decided(&adopt), note).unwrap().state, State::Done);
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!((operation.remote_id, operation.recorded), (Some(RemoteId(9)), Some(row)));
    let owners = runner.by_remote_ids(site, Kind::Post, &[RemoteId(9), RemoteId(10)]).unwrap();
    assert_eq!(owners.into_iter().collect::<Vec<_>>(), [(RemoteId(9), op_id)]);
}

#[test]
fn a_person_cannot_link_a_row_that_another_record_owns() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let owner = done(&runner, site, "a", 7);
    let op_id = halted(&runner, site, "b");
    let link =
        |id| runner.apply(op_id, Event::Act(Act::Link), Note::by_person(NOW).with_row(RemoteId(id), None));
    let refused = link(7).unwrap_err();
    let expected = Misuse::RowTaken { id: RemoteId(7), owner };
    assert!(matches!(refused, WriteError::Misused(misuse) if misuse == expected), "{refused:?}");
    assert_eq!(link(8).unwrap().state, State::Done);
    let last = runner.history_of(op_id).unwrap().pop().unwrap();
    assert_eq!((last.code.as_str(), last.by), ("link", By::Person));
}

#[test]
fn an_answer_that_gives_a_row_twice_shows_a_restored_site() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let old = done(&runner, site, "a", 7);
    let new = sending(&runner, site, "b");
    assert_eq!(runner.settle(created(new, 7, "b"), &at(3)).unwrap().state, State::Done);
    let old = runner.operation(old).unwrap().unwrap();
    assert_eq!((old.standing.state, old.remote_id), (State::Halted(HaltReason::Missing), None));
    assert_eq!(runner.barriers(Some(site)).unwrap()[0].barrier, Barrier::SiteRestored);
}

#[test]
fn sending_again_makes_a_successor_and_keeps_the_old_one() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let image = new_image(site, "i");
    let used = ImageUse { image: image.key.clone(), position: 0, featured: false };
    let post = NewOperation { images: vec![used], ..new_post(site, "a") };
    runner.plan_all(&[image.clone(), post.clone()], NOW).unwrap();
    runner.begin_send(post.op_id, &facts("a"), &at(0)).map(drop).unwrap();
    let halt = Decision::Halt(HaltReason::Candidates);
    runner.apply(post.op_id, Event::Decided(&halt), Note::at(NOW)).unwrap();
    runner.dismiss(post.op_id, &[RemoteId(3)], NOW).unwrap();

    let again = Event::Act(Act::SendAgain);
    let refused = runner.apply(post.op_id, again, Note::by_person(NOW)).unwrap_err();
    assert!(matches!(refused, WriteError::Misused(Misuse::SuccessorNeeded { .. })), "{refused:?}");
    let successor = op_id();
    let note = Note::by_person(NOW).with_successor(successor, vec![RemoteId(5)]);
    assert_eq!(runner.apply(post.op_id, again, note).unwrap().state, State::Abandoned);

    let new = runner.by_key(site, Kind::Post, "post", &post.key).unwrap().unwrap();
    assert_eq!((new.op_id, new.replaces, new.standing), (successor, Some(post.op_id), Standing::PLANNED));
    assert_eq!(runner.dismissed(successor).unwrap(), [RemoteId(3), RemoteId(5)].into());
    assert_eq!(runner.images_of(successor).unwrap()[0].image, image.op_id);
    assert_eq!(runner.predecessors(successor).unwrap(), [post.op_id]);
    assert_eq!(runner.known_ops(&[post.op_id, successor, op_id()]).unwrap(), [post.op_id, successor].into());
    runner.begin_send(successor, &facts("a"), &at(9)).map(drop).unwrap();
}

#[test]
fn an_image_that_is_gone_is_replaced_for_posts_that_were_not_sent_with_it() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let image = new_image(site, "i");
    let using = |slug: &str| NewOperation {
        images: vec![ImageUse { image: image.key.clone(), position: 0, featured: true }],
        ..new_post(site, slug)
    };
    let (sent, unsent) = (using("sent"), using("unsent"));
    runner.plan_all(&[image.clone(), sent.clone(), unsent.clone()], NOW).unwrap();
    for (op_id, id) in [(image.op_id, 5), (sent.op_id, 6)] {
        runner.begin_send(op_id, &facts("x"), &at(0)).map(drop).unwrap();
        runner.settle(created(op_id, id, "x"), &at(1)).unwrap();
    }
    let successor = op_id();
    let note = Note::at(NOW).with_successor(successor, Vec::new());
    runner.apply(image.op_id, Event::Decided(&Decision::Replace), note).unwrap();
    assert_eq!(runner.images_of(sent.op_id).unwrap()[0].image, image.op_id);
    assert_eq!(runner.images_of(unsent.op_id).unwrap()[0].image, successor);
    assert_eq!(runner.by_remote_ids(site, Kind::Image, &[RemoteId(5)]).unwrap().len(), 0);
}

#[test]
fn trying_again_what_never_left_keeps_the_operation_and_dismisses_what_was_seen() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "a").op_id;
    runner.apply(op_id, Event::Decided(&Decision::Halt(HaltReason::InTrash)), Note::at(NOW)).unwrap();
    let note = Note::by_person(NOW).with_successor(super::op_id(), vec![RemoteId(4)]);
    let standing = runner.apply(op_id, Event::Act(Act::SendAgain), note).unwrap();
    assert_eq!(standing, Standing::PLANNED);
    assert_eq!(runner.dismissed(op_id).unwrap(), [RemoteId(4)].into());
}

#[test]
fn the_first_complete_negative_look_after_the_send_is_kept() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "a").op_id;
    runner.record_look(op_id, &look(1, true, true)).unwrap();
    let first = || runner.operation(op_id).unwrap().unwrap().first_negative;
    assert_eq!(first(), None, "nothing had been sent");
    runner.begin_send(op_id, &facts("a"), &at(2)).map(drop).unwrap();
    runner.record_looks(&[(op_id, look(3, false, true)), (op_id, look(4, true, false))]).unwrap();
    assert_eq!(first(), None, "neither was a complete negative one");
    runner.record_look(op_id, &look(5, true, true)).unwrap();
    runner.record_look(op_id, &look(6, true, true)).unwrap();
    assert_eq!(first(), Some(at(5)));
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!((operation.looks, operation.last_look_at), (4, Some(at(6).at)));
    assert_eq!(operation.evidence, Some(json!({ "at": 6 })));

    assert_eq!(runner.next_look_at().unwrap(), Some(at(1006).at));
    assert_eq!(runner.due_looks(at(1005).at).unwrap(), []);
    assert_eq!(runner.due_looks(at(1006).at).unwrap()[0].op_id, op_id);
    let note = Note::at(NOW).with_row(RemoteId(7), None);
    runner.apply(op_id, Event::Decided(&adoption(7, AdoptedBy::Marker)), note).unwrap();
    assert_eq!(runner.next_look_at().unwrap(), None, "what is done is not looked for");
    assert!(runner.record_look(super::op_id(), &look(1, true, true)).is_err());
}

#[test]
fn a_send_after_a_proof_that_nothing_left_starts_looking_anew() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = sending(&runner, site, "a");
    runner.record_look(op_id, &look(1, true, true)).unwrap();
    runner.settle(Sent { op_id, outcome: Outcome::NotSent(NotSent::Connect) }, &at(2)).unwrap();
    assert_eq!(runner.operation(op_id).unwrap().unwrap().first_negative, None);
    runner.begin_send(op_id, &facts("a"), &at(3)).map(drop).unwrap();
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert_eq!((operation.looks, operation.evidence, operation.next_look_at), (0, None, None));
}

#[test]
fn an_article_sent_under_another_slug_is_found_by_path_and_by_digest() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let digest = Digest::of_bytes(b"text");
    let op_id = planned(&runner, site, "old").op_id;
    let path = Path::new("/articles/old");
    let moved = |path: Option<&Path>, digest| {
        runner.moved(site, "post", &slug_key("new"), path, digest).unwrap().map(|found| found.op_id)
    };
    assert_eq!(moved(Some(path), Some(digest)), None, "nothing has left");
    let sent = crate::SendFacts { source_digest: Some(digest), ..facts("old") };
    runner.begin_send(op_id, &sent, &at(0)).map(drop).unwrap();
    assert_eq!(moved(Some(path), None), Some(op_id));
    assert_eq!(moved(Some(Path::new("/elsewhere")), Some(digest)), Some(op_id));
    assert_eq!(moved(Some(Path::new("/elsewhere")), None), None);
    let same_slug = runner.moved(site, "post", &slug_key("old"), Some(path), Some(digest)).unwrap();
    assert_eq!(same_slug, None, "that is its own record");
}

#[test]
fn the_same_article_takes_its_record_to_the_new_slug() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let record = done(&runner, site, "old", 7);
    let halted = planned(&runner, site, "new").op_id;
    let refused = runner.move_record(halted, record, Note::by_person(NOW)).unwrap_err();
    assert!(matches!(refused, WriteError::Illegal(_)), "{refused:?}");
    runner.apply(halted, Event::Blocked(Blocked::SlugChanged), Note::at(NOW)).unwrap();
    runner.move_record(halted, record, Note::by_person(NOW)).unwrap();
    let moved = runner.by_key(site, Kind::Post, "post", &slug_key("new")).unwrap().unwrap();
    assert_eq!((moved.op_id, moved.source_path.as_deref()), (record, Some(Path::new("/articles/new"))));
    assert_eq!(
        (moved.slug.as_str(), moved.recorded.unwrap().slug.as_str()),
        ("old", "old"),
        "as it was sent"
    );
    assert_eq!(runner.by_key(site, Kind::Post, "post", &slug_key("old")).unwrap(), None);
    assert_eq!(runner.operation(halted).unwrap().unwrap().standing.state, State::Abandoned);
}

#[test]
fn a_new_article_is_remembered_as_one() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = planned(&runner, site, "new").op_id;
    runner.apply(op_id, Event::Blocked(Blocked::SlugChanged), Note::at(NOW)).unwrap();
    runner.apply(op_id, Event::Act(Act::New), Note::by_person(NOW)).unwrap();
    let operation = runner.operation(op_id).unwrap().unwrap();
    assert!(operation.declared_new && operation.standing == Standing::PLANNED);
}

#[test]
fn an_image_that_stopped_half_way_is_finished_once() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let image = runner.plan(&new_image(site, "i"), NOW).unwrap().op_id;
    runner.begin_send(image, &facts("i"), &at(0)).map(drop).unwrap();
    let half = Created { id: RemoteId(4), row: None, needs_post_process: true, stored: None };
    runner.settle(Sent { op_id: image, outcome: Outcome::Created(Box::new(half)) }, &at(1)).unwrap();
    assert!(runner.operation(image).unwrap().unwrap().needs_post_process);
    assert_eq!(runner.high_water(site, crate::IdSpace::Media).unwrap(), Some(RemoteId(4)));
    runner.post_processed(image, None, NOW).unwrap();
    assert!(!runner.operation(image).unwrap().unwrap().needs_post_process);
}

#[test]
fn where_an_article_moved_to_is_kept() {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let op_id = done(&runner, site, "a", 7);
    runner.set_source_path(op_id, Path::new("/moved/a")).unwrap();
    assert_eq!(runner.operation(op_id).unwrap().unwrap().source_path.as_deref(), Some(Path::new("/moved/a")));
    assert!(runner.set_source_path(super::op_id(), Path::new("/x")).is_err());
}
