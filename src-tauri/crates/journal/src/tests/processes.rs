use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ichido_core::id::OpId;
use ichido_core::operation::State;
use ichido_core::tally::Barrier;

use super::{Desk, NOW, at, created, facts, owner, places_in, planned, sending, site};
use crate::{BeginSendError, Health, Journal, LockError, Runner};

const ROLE: &str = "ICHIDO_JOURNAL_TEST_ROLE";
const FOLDER: &str = "ICHIDO_JOURNAL_TEST_FOLDER";

/// What a child process does; each says where it is and then goes no further, but for `busy`.
fn act(role: &str, folder: &Path) {
    let places = places_in(folder);
    let runner = match Journal::open(&places).unwrap().lock(&owner("child"), NOW) {
        Ok(runner) => runner,
        Err(LockError::HeldBy { .. }) => return stay("held"),
        Err(other) => panic!("{other:?}"),
    };
    let site = site(&runner, "one");
    match role {
        "locked" => stay("locked"),
        "planned" => stay(&format!("planned {}", planned(&runner, site, "a").op_id)),
        "sending" => stay(&format!("sending {}", sending(&runner, site, "a"))),
        "settled" => {
            let op_id = sending(&runner, site, "a");
            runner.settle(created(op_id, 7, "a"), &at(1)).unwrap();
            stay(&format!("settled {op_id}"));
        }
        "closed" => {
            let op_id = sending(&runner, site, "a");
            runner.settle(created(op_id, 7, "a"), &at(1)).unwrap();
            runner.close_run(&at(2)).unwrap();
            stay(&format!("closed {op_id}"));
        }
        "busy" => busy(&runner, site),
        "batch" => batch(&runner, site),
        other => panic!("no role {other}"),
    }
}

fn busy(runner: &Runner, site: crate::SiteId) {
    for number in 0_u64.. {
        let op_id = planned(runner, site, &format!("article-{number}")).op_id;
        say(&format!("planned {op_id}"));
        runner.begin_send(op_id, &facts("a"), &at(0)).map(drop).unwrap();
        say(&format!("sending {op_id}"));
        runner.settle(created(op_id, number + 1, "a"), &at(1)).unwrap();
        say(&format!("settled {op_id}"));
    }
}

/// A batch of 100, for `strace -f -c -e trace=fsync,fdatasync`.
fn batch(runner: &Runner, site: crate::SiteId) {
    let articles: Vec<_> =
        (0..100).map(|number| super::new_post(site, &format!("article-{number}"))).collect();
    runner.plan_all(&articles, NOW).unwrap();
    for (id, article) in (1..).zip(&articles) {
        runner.begin_send(article.op_id, &facts(&article.slug), &at(0)).map(drop).unwrap();
        runner.settle(created(article.op_id, id, &article.slug), &at(1)).unwrap();
    }
    runner.close_run(&at(2)).unwrap();
}

fn say(word: &str) {
    println!("\nCHILD {word}");
}

fn stay(word: &str) {
    say(word);
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).unwrap();
}

#[test]
fn child() {
    if let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) {
        act(&role, Path::new(&folder));
    }
}

struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Running {
    fn start(desk: &Desk, role: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::processes::child", "--nocapture"])
            .env(ROLE, role)
            .env(FOLDER, desk.places.data_dir.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn next(&mut self) -> String {
        self.lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| line.strip_prefix("CHILD ").map(str::to_owned))
            .unwrap()
    }

    fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("CHILD ").map(str::to_owned))
            .collect()
    }
}

fn killed_at(desk: &Desk, role: &str) -> OpId {
    let mut child = Running::start(desk, role);
    let word = child.next();
    child.kill();
    OpId::parse(word.split(' ').next_back().unwrap()).unwrap()
}

#[track_caller]
fn is_whole(runner: &Runner) {
    let integrity: String =
        runner.db.lock().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    assert_eq!(runner.health().unwrap(), Health::Sound);
}

#[test]
fn a_killed_runner_frees_the_lock_and_is_named_while_it_lives() {
    let desk = Desk::new();
    let mut child = Running::start(&desk, "locked");
    assert_eq!(child.next(), "locked");
    let Err(LockError::HeldBy { owner: Some(held_by) }) = desk.open().lock(&owner("test"), NOW) else {
        panic!("two runners")
    };
    assert_eq!((held_by.pid, held_by.program.as_str()), (child.child.id(), "child"));
    child.kill();
    is_whole(&desk.runner());
}

#[test]
fn of_three_processes_that_start_at_once_one_runs() {
    let desk = Desk::new();
    let mut children: Vec<_> = (0..3).map(|_| Running::start(&desk, "locked")).collect();
    let mut words: Vec<_> = children.iter_mut().map(Running::next).collect();
    words.sort_unstable();
    assert_eq!(words, ["held", "held", "locked"]);
    for child in children {
        child.kill();
    }
}

#[test]
fn killed_before_the_send_leaves_nothing_in_doubt() {
    let desk = Desk::new();
    let op_id = killed_at(&desk, "planned");
    let runner = desk.runner();
    is_whole(&runner);
    assert_eq!(runner.unclean_stop(), None);
    assert_eq!(runner.operation(op_id).unwrap().unwrap().standing.state, State::Planned);
    runner.begin_send(op_id, &facts("a"), &at(5)).map(drop).unwrap();
}

#[test]
fn killed_while_sending_is_found_sending_twice_over() {
    let desk = Desk::new();
    let op_id = killed_at(&desk, "sending");
    for round in 0..2 {
        let runner = desk.runner();
        is_whole(&runner);
        assert_eq!(runner.unclean_stop().is_some(), round == 0);
        let operation = runner.operation(op_id).unwrap().unwrap();
        assert_eq!(operation.standing.state, State::Sending);
        let next = planned(&runner, operation.site, "b").op_id;
        let refused = runner.begin_send(next, &facts("b"), &at(5)).unwrap_err();
        assert!(matches!(refused, BeginSendError::Barrier { barrier: Barrier::UncleanStop }));
    }
}

#[test]
fn killed_after_settling_is_found_done() {
    for role in ["settled", "closed"] {
        let desk = Desk::new();
        let op_id = killed_at(&desk, role);
        let runner = desk.runner();
        is_whole(&runner);
        assert_eq!(runner.unclean_stop().is_some(), role == "settled");
        assert_eq!(runner.barriers(None).unwrap(), []);
        assert_eq!(runner.operation(op_id).unwrap().unwrap().standing.state, State::Done);
    }
}

#[test]
fn killed_anywhere_in_a_busy_run_keeps_every_promise_that_was_given() {
    for lines in [1, 2, 3, 5, 8, 13, 20, 31] {
        let desk = Desk::new();
        let mut child = Running::start(&desk, "busy");
        let mut words: Vec<_> = (0..lines).map(|_| child.next()).collect();
        words.extend(child.kill());
        let runner = desk.runner();
        is_whole(&runner);
        let mut in_doubt = runner.in_doubt(None).unwrap().into_iter();
        for word in words {
            let (promise, op_id) = word.split_once(' ').unwrap();
            // The last line may be cut off by the kill.
            let Some(op_id) = OpId::parse(op_id) else { continue };
            let state = runner.operation(op_id).unwrap().unwrap().standing.state;
            match promise {
                "planned" => {}
                "sending" => assert!(matches!(state, State::Sending | State::Done), "{state:?}"),
                "settled" => assert_eq!(state, State::Done),
                other => panic!("{other}"),
            }
        }
        let stopped_at: Vec<_> =
            runner.unclean_stop().map(|stop| stop.operations.clone()).unwrap_or_default();
        assert_eq!(
            in_doubt.next().map(|operation| (operation.site, operation.op_id)),
            stopped_at.first().copied()
        );
        assert!(in_doubt.next().is_none(), "one at a time");
    }
}
