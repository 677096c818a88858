//! A person at a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use ichido_practice::{Fault, Kind};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{Bench, Ran, text, wait_for};

/// Runs a command at a terminal at which a line is typed; what it says there goes with what it writes.
pub(super) fn typed(mut command: Command, line: &str) -> Ran {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut master = File::from(master);
    let child = command.stdin(terminal.try_clone().unwrap()).stderr(Stdio::from(terminal)).spawn().unwrap();
    // The command holds copies of the terminal; it is gone when the child is.
    drop(command);
    // What is typed ahead waits in the terminal until it is read.
    writeln!(master, "{line}").unwrap();
    let said = std::thread::spawn(move || {
        let (mut said, mut some) = (Vec::new(), [0; 1024]);
        // A terminal whose other side is closed answers with an error.
        while let Ok(count @ 1..) = master.read(&mut some) {
            said.extend_from_slice(&some[..count]);
        }
        said
    });
    let mut output = child.wait_with_output().unwrap();
    output.stderr = said.join().unwrap();
    Ran::of(output)
}

#[test]
fn a_person_keeps_what_the_site_has_by_typing_the_slug() {
    let bench = Bench::new();
    let article = bench.plain("edited");
    bench.fault(Kind::CreatePost, Fault::CommitThenDropResponse);
    bench.fault(Kind::CreatePost, Fault::HideFromLookups(1_000));
    bench.run(&["register", text(&article), "--poll", "none"]).ends(3);
    let site = bench.site.handle();
    let id = site.posts()[0].id;
    site.show_hidden();
    site.edit_post(id, |post| post.content = "<p>Someone wrote this in the editor.</p>".to_owned());
    let halted = bench.run(&["reconcile", "--json"]).ends(3).summary();
    assert_eq!(halted["needs_attention"][0]["reason"], "content_differs");

    let keep = ["resolve", "edited", "--keep-site"];
    let refused = typed(bench.command(&keep), "another").ends(2);
    assert!(
        refused.stdout.contains("Title of edited") && refused.stdout.contains("other title or content"),
        "{}",
        refused.stdout
    );
    assert!(refused.stderr.contains("edited"), "{}", refused.stderr);
    bench.run(&["status"]).ends(3);

    typed(bench.command(&keep), "edited").ends(0);
    assert_eq!(bench.run(&["status", "--json"]).ends(0).summary()["verified"], 1);
    assert_eq!((bench.creates(), site.posts().len()), (1, 1));
}

#[test]
fn sending_again_is_shut_at_first_even_to_a_person() {
    let bench = Bench::new();
    let article = bench.plain("gone");
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    bench.run(&["register", text(&article), "--poll", "none"]).ends(3);
    let again = typed(bench.command(&["resolve", "gone", "--send-again", "--json"]), "gone").ends(3);
    assert_eq!(again.code(), "shut_window");
    assert_eq!((bench.creates(), bench.site.handle().posts().len()), (1, 0));
}

#[test]
fn after_an_unclean_stop_a_person_says_that_it_was_checked() {
    let bench = Bench::new();
    let article = bench.plain("cut-off");
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    let mut first = bench.command(&["register", text(&article), "--poll", "none"]);
    let mut first = first.env("ICHIDO_FAILPOINT", "post:before_settle").spawn().unwrap();
    wait_for(first.stderr.take().unwrap(), "failpoint");
    first.kill().unwrap();
    first.wait().unwrap();

    let other = bench.plain("other");
    let shut = bench.run(&["register", text(&article), text(&other), "--poll", "none", "--json"]).ends(3);
    assert!(
        shut.objects()
            .iter()
            .any(|object| object["event"] == "barrier" && object["reason"] == "unclean_stop")
    );
    assert_eq!(shut.summary()["waiting"], 1);

    let script = bench.run(&["release"]).ends(2);
    assert!(
        script.stdout.contains("Title of cut-off") && script.stdout.contains("edit.php"),
        "{}",
        script.stdout
    );
    typed(bench.command(&["release"]), "yes").ends(2);
    typed(bench.command(&["release", "--lang", "ja"]), "確認").ends(0);
    let released = bench.run(&["release", "--json"]).ends(0);
    assert_eq!(released.objects()[0]["reasons"], serde_json::json!([]));

    let after = bench.run(&["register", text(&other), "--json"]).ends(0).summary();
    assert_eq!(after["created"], 1);
    assert_eq!(bench.site.handle().posts().len(), 1);
}

#[test]
fn a_person_sees_the_differences_before_a_post_is_linked() {
    let bench = Bench::new();
    let article = bench.plain("mine");
    let other = bench.site.handle().write_draft(1, "Another title", "elsewhere", "Other text.");
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    bench.run(&["register", text(&article), "--poll", "none"]).ends(3);
    let id = other.to_string();
    let link = ["resolve", "mine", "--link", &id];
    let shown = typed(bench.command(&link), "no").ends(2).stdout;
    for part in ["Another title", "Title of mine", "elsewhere", "Other text."] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let unknown = typed(bench.command(&["resolve", "mine", "--link", "9999", "--json"]), "mine").ends(2);
    assert_eq!(unknown.code(), "link_not_there");
    typed(bench.command(&link), "mine").ends(0);
    assert_eq!(bench.run(&["status", "--json"]).ends(0).summary()["verified"], 1);
    assert_eq!(bench.creates(), 1);
}

#[test]
fn what_does_not_fit_is_said_before_anything_is_to_be_typed() {
    let bench = Bench::new();
    let article = bench.plain("doubt");
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    bench.run(&["register", text(&article), "--poll", "none"]).ends(3);
    let asked = bench.site.handle().requests().len();
    for act in ["--keep-site", "--accept-slug", "--same", "--new", "--update"] {
        let ran = typed(bench.command(&["resolve", "doubt", act, "--json"]), "doubt").ends(2);
        assert_eq!(ran.code(), "not_offered", "{act}");
        assert!(!ran.stderr.contains("type doubt"), "{act}: {}", ran.stderr);
    }
    assert_eq!(bench.site.handle().requests().len(), asked, "the site is not asked either");
}
