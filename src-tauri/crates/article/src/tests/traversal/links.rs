//! Links, pipes and devices.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use FindingCode::{
    ImageNotFound as MISSING, ImageOutside as OUTSIDE, ImageUnreadable as UNREADABLE, TextOutside,
};

use super::{Cage, Comes, Inside, Refused, comes};
use crate::{DiscoverError, FindingCode, Options, discover, load};

/// The name of a link in the article's folder, where it leads (`ROOT` is the folder above all), what the text refers
/// to, and what comes of it.
pub(super) const CASES: &[(&str, &str, &str, Comes)] = &[
    // Files.
    ("out.png", "../../secret.png", "out.png", Refused(OUTSIDE)),
    ("near.png", "../secret.png", "near.png", Refused(OUTSIDE)),
    ("absolute.png", "ROOT/secret.png", "absolute.png", Refused(OUTSIDE)),
    ("dotted.png", "./.././../secret.png", "dotted.png", Refused(OUTSIDE)),
    ("back.png", "in/../../secret.png", "back.png", Refused(OUTSIDE)),
    ("slashes.png", "..//..//secret.png", "slashes.png", Refused(OUTSIDE)),
    ("passwd.png", "/etc/passwd", "passwd.png", Refused(OUTSIDE)),
    ("home-and-back.png", "../article/a.png", "home-and-back.png", Refused(OUTSIDE)),
    ("absolute-inside.png", "ROOT/all/article/a.png", "absolute-inside.png", Refused(OUTSIDE)),
    ("secret.png", "../../secret.png", "./secret.png", Refused(OUTSIDE)),
    ("cover.png", "../../secret.png", "", Refused(OUTSIDE)),
    ("featured.jpg", "ROOT/secret.png", "", Refused(OUTSIDE)),
    ("写真.png", "../../secret.png", "写真.png", Refused(OUTSIDE)),
    ("か\u{3099}.png", "../../secret.png", "が.png", Refused(OUTSIDE)),
    ("with space.png", "../../secret.png", "with%20space.png", Refused(OUTSIDE)),
    ("in/deep.png", "../../../secret.png", "in/deep.png", Refused(OUTSIDE)),
    // Folders.
    ("up", "..", "up/secret.png", Refused(OUTSIDE)),
    ("up-twice", "../..", "up-twice/secret.png", Refused(OUTSIDE)),
    ("up-and-back", "..", "up-and-back/article/a.png", Refused(OUTSIDE)),
    ("root", "/", "root/etc/passwd", Refused(OUTSIDE)),
    ("beside", "../beside", "beside/secret.png", Refused(OUTSIDE)),
    ("far", "ROOT/beside", "far/secret.png", Refused(OUTSIDE)),
    ("slash", "../../beside/", "slash/secret.png", Refused(OUTSIDE)),
    ("in/out", "../..", "in/out/secret.png", Refused(OUTSIDE)),
    ("etc", "/etc", "etc/shadow", Refused(OUTSIDE)),
    ("loop-folder", "loop-folder", "loop-folder/a.png", Refused(UNREADABLE)),
    // Chains.
    ("one.png", "two.png", "one.png", Refused(OUTSIDE)),
    ("two.png", "three.png", "two.png", Refused(OUTSIDE)),
    ("three.png", "../../secret.png", "three.png", Refused(OUTSIDE)),
    ("chain.png", "up-and-back/secret.png", "chain.png", Refused(OUTSIDE)),
    ("loop.png", "loop.png", "loop.png", Refused(UNREADABLE)),
    ("ping.png", "pong.png", "ping.png", Refused(UNREADABLE)),
    ("pong.png", "ping.png", "pong.png", Refused(UNREADABLE)),
    // Nowhere.
    ("gone.png", "nothing.png", "gone.png", Refused(MISSING)),
    ("gone-outside.png", "../nothing.png", "gone-outside.png", Refused(OUTSIDE)),
    ("gone-far.png", "/nothing.png", "gone-far.png", Refused(OUTSIDE)),
    ("encoded.png", "%2e%2e/%2e%2e/secret.png", "encoded.png", Refused(MISSING)),
    ("backslash.png", "..\\..\\secret.png", "backslash.png", Refused(MISSING)),
    ("tilde.png", "~/secret.png", "tilde.png", Refused(MISSING)),
    ("url.png", "file:///etc/passwd", "url.png", Refused(MISSING)),
    // The kernel's own.
    ("environ.png", "/proc/self/environ", "environ.png", Refused(OUTSIDE)),
    ("memory.png", "/proc/self/mem", "memory.png", Refused(OUTSIDE)),
    ("proc-root", "/proc/self/root", "proc-root/etc/passwd", Refused(OUTSIDE)),
    ("proc-cwd", "/proc/self/cwd", "proc-cwd/Cargo.toml", Refused(OUTSIDE)),
    ("descriptor.png", "/proc/self/fd/0", "descriptor.png", Refused(OUTSIDE)),
    ("zero.png", "/dev/zero", "zero.png", Refused(OUTSIDE)),
    ("random.png", "/dev/urandom", "random.png", Refused(OUTSIDE)),
    ("null.png", "/dev/null", "null.png", Refused(OUTSIDE)),
    ("stdin.png", "/dev/stdin", "stdin.png", Refused(OUTSIDE)),
    ("terminal.png", "/dev/tty", "terminal.png", Refused(OUTSIDE)),
    ("kernel.png", "/sys/kernel/notes", "kernel.png", Refused(OUTSIDE)),
    // Within the folder, links may lead.
    ("stays.png", "a.png", "stays.png", Inside),
    ("stays-too.png", "in/../a.png", "stays-too.png", Inside),
    ("folder", "in", "folder/b.png", Inside),
    ("here", ".", "here/here/here/a.png", Inside),
    ("to-folder.png", "in", "to-folder.png", Refused(UNREADABLE)),
    ("to-pipe.png", "pipe.png", "to-pipe.png", Refused(UNREADABLE)),
    ("to-socket.png", "socket.png", "to-socket.png", Refused(UNREADABLE)),
    ("to-long.png", "link-0.png", "to-long.png", Refused(UNREADABLE)),
];

#[test]
fn no_link_leads_out_and_no_pipe_is_waited_for() {
    let cage = Cage::new();
    let inside = cage.inside();
    let root = cage.place.path().to_str().unwrap();
    let _listener = UnixListener::bind(inside.join("socket.png")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(inside.join("pipe.png")).status();
    assert!(made.unwrap().success());
    // More links than a system follows.
    for step in 0..60 {
        symlink(format!("link-{}.png", step + 1), inside.join(format!("link-{step}.png"))).unwrap();
    }
    std::fs::hard_link(inside.join("a.png"), inside.join("link-60.png")).unwrap();
    let own = |name: &str| name.starts_with("cover") || name.starts_with("featured");
    for (name, to, ..) in CASES.iter().filter(|(name, ..)| !own(name)) {
        symlink(to.replace("ROOT", root), inside.join(name)).unwrap();
    }
    let mut wrong = Vec::new();
    for (name, to, reference, expected) in CASES {
        let picture = if reference.is_empty() { "x".to_owned() } else { format!("![x](<{reference}>)") };
        if own(name) {
            symlink(to.replace("ROOT", root), inside.join(name)).unwrap();
        }
        let about = format!("{name} -> {to} as {reference}");
        let text = format!("---\ntitle: T\n---\n{picture}\n");
        let found = comes(&cage.read("index.md", text.as_bytes(), &about), &about);
        if found != *expected {
            wrong.push(format!("{about}: {found:?} instead of {expected:?}"));
        }
        if own(name) {
            std::fs::remove_file(inside.join(name)).unwrap();
        }
    }
    for (reference, expected) in
        [("pipe.png", Refused(UNREADABLE)), ("socket.png", Refused(UNREADABLE)), ("link-60.png", Inside)]
    {
        let text = format!("---\ntitle: T\n---\n![x]({reference})\n");
        let found = comes(&cage.read("index.md", text.as_bytes(), reference), reference);
        if found != expected {
            wrong.push(format!("{reference}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A hard link is a file of the folder like any other: nothing tells it from the one that it shares its content with.
#[test]
fn a_hard_link_is_a_file_of_the_folder() {
    let cage = Cage::new();
    let outside = cage.place.put("unwatched.png", &crate::image::samples::png(7, 7));
    std::fs::hard_link(outside, cage.inside().join("hard.png")).unwrap();
    let text = "---\ntitle: T\n---\n![x](hard.png)\n";
    assert_eq!(comes(&cage.read("index.md", text.as_bytes(), "a hard link"), "a hard link"), Inside);
}

#[test]
fn a_text_that_is_a_link_out_of_its_folder_is_not_read() {
    for to in
        ["../../secret.md", "../secret.md", "/etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin"]
    {
        let cage = Cage::new();
        symlink(to, cage.inside().join("index.md")).unwrap();
        let loaded = cage.read_again(&cage.inside(), to);
        assert_eq!(comes(&loaded, to), Refused(TextOutside), "{to}");
    }
}

#[test]
fn a_text_that_is_no_file_is_none() {
    let cage = Cage::new();
    let made = std::process::Command::new("mkfifo").arg(cage.inside().join("index.md")).status();
    assert!(made.unwrap().success());
    assert!(matches!(discover(&[cage.inside()]), Err(DiscoverError::Empty { .. })));
    std::fs::remove_file(cage.inside().join("index.md")).unwrap();
    // It became one after it was found.
    let path = cage.place.put("all/article/index.md", b"# T\n\nx\n");
    let found = discover(&[cage.inside()]).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let loaded = load(&found.articles[0], &Options::default());
    assert_eq!(comes(&loaded, "a pipe"), Refused(FindingCode::TextUnreadable));
}

#[test]
fn linked_folders_are_not_searched_for_articles() {
    let cage = Cage::new();
    cage.place.put("all/article/index.md", b"# T\n\nx\n");
    for (name, to) in [("up", ".."), ("far", "../../beside"), ("here", "."), ("root", "/")] {
        symlink(to, cage.inside().join(name)).unwrap();
    }
    cage.read_again(&cage.inside(), "linked folders");
}
