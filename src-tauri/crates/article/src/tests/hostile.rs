//! Paths that try to leave the folder, and files that are none.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use super::support::{Place, telling};
use crate::image::samples::png;
use crate::{FindingCode, Options, discover, load};

fn with_image(reference: &str) -> String {
    format!("---\ntitle: T\n---\n![x]({reference})\n")
}

fn place() -> Place {
    Place::with(&[
        ("secret.png", &png(9, 9)),
        ("article/a.png", &png(3, 2)),
        ("article/in/b.png", &png(4, 4)),
    ])
}

fn loaded(place: &Place, reference: &str) -> Vec<(FindingCode, Option<u32>)> {
    place.put("article/index.md", with_image(reference).as_bytes());
    let found = discover(&[place.path().join("article")]).unwrap();
    let loaded = load(&found.articles[0], &Options::default());
    assert_eq!(loaded.article.is_some(), telling(&loaded).is_empty(), "{reference}");
    telling(&loaded)
}

#[test]
fn links_that_leave_are_refused_and_links_that_stay_are_followed() {
    let place = place();
    let inside = place.path().join("article");
    symlink("../secret.png", inside.join("out.png")).unwrap();
    symlink(place.path().join("secret.png"), inside.join("absolute.png")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("/", inside.join("root")).unwrap();
    symlink("a.png", inside.join("stays.png")).unwrap();
    symlink("in", inside.join("folder")).unwrap();
    symlink("loop.png", inside.join("loop.png")).unwrap();
    symlink("gone.png", inside.join("dangling.png")).unwrap();
    for reference in [
        "out.png",
        "absolute.png",
        "up/secret.png",
        "up/article/a.png",
        "root/etc/hostname",
        "folder/../../secret.png",
    ] {
        assert_eq!(loaded(&place, reference), [(FindingCode::ImageOutside, Some(4))], "{reference}");
    }
    for reference in ["stays.png", "folder/b.png", "in/../a.png", "./in/b.png"] {
        assert_eq!(loaded(&place, reference), [], "{reference}");
    }
    for reference in ["loop.png", "dangling.png"] {
        let code = loaded(&place, reference)[0].0;
        assert!(
            matches!(code, FindingCode::ImageUnreadable | FindingCode::ImageNotFound),
            "{reference}: {code:?}"
        );
    }
}

#[test]
fn folders_pipes_and_sockets_are_no_images() {
    let place = place();
    let _listener = UnixListener::bind(place.path().join("article/socket.png")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place.path().join("article/pipe.png")).status();
    assert!(made.unwrap().success());
    for reference in ["in", "socket.png", "pipe.png"] {
        assert_eq!(loaded(&place, reference), [(FindingCode::ImageUnreadable, Some(4))], "{reference}");
    }
}

#[test]
fn every_kind_of_bad_reference_has_its_code() {
    use FindingCode as Code;
    let place = place();
    for (reference, code) in [
        ("/etc/passwd", Code::ImageAbsolute),
        ("file:///etc/passwd", Code::ImageAbsolute),
        ("<C:\\\\x.png>", Code::ImageAbsolute),
        ("//host/share/x.png", Code::ImageAbsolute),
        ("../secret.png", Code::ImageOutside),
        ("%2e%2e/secret.png", Code::ImageOutside),
        ("NUL.png", Code::ImagePathForbidden),
        ("a.png%00", Code::ImagePathForbidden),
        ("data:image/png;base64,AAAA", Code::ImageInline),
        ("missing.png", Code::ImageNotFound),
        ("a.png/x", Code::ImageNotFound),
    ] {
        assert_eq!(loaded(&place, reference), [(code, Some(4))], "{reference}");
    }
}

#[test]
fn a_text_that_is_a_link_out_of_its_folder_is_not_read() {
    let place = Place::with(&[("secret.md", b"---\ntitle: S\n---\nsecret\n"), ("article/x.txt", b"")]);
    symlink("../secret.md", place.path().join("article/index.md")).unwrap();
    let found = discover(&[place.path().join("article")]).unwrap();
    let loaded = load(&found.articles[0], &Options::default());
    assert_eq!(telling(&loaded), [(FindingCode::TextOutside, None)]);
    assert!(loaded.article.is_none());
}

#[test]
fn linked_folders_are_not_searched() {
    let place = Place::with(&[("all/a/index.md", b"# T\n\nx\n")]);
    symlink("..", place.path().join("all/up")).unwrap();
    let found = discover(&[place.path().join("all")]).unwrap();
    assert_eq!(found.articles.len(), 1);
    assert_eq!(found.notes[0].code, FindingCode::LinkedFolderSkipped);
}

#[test]
fn nesting_without_end_is_refused() {
    for body in [
        ">".repeat(3000) + " x",
        "<div>".repeat(3000) + "x",
        "*a ".repeat(4000) + &"b*".repeat(4000),
        "<b><i>".repeat(2000),
        "[".repeat(20_000),
        "![".repeat(5000) + &"](a)".repeat(5000),
        "- ".repeat(3000),
        "<table><tr><td>".repeat(1000),
        "<svg><g>".repeat(1000),
    ] {
        let place = Place::with(&[("index.md", format!("---\ntitle: T\n---\n{body}\n").as_bytes())]);
        let found = telling(&place.load());
        assert!(found.iter().all(|(code, _)| *code != FindingCode::TextReaderFailed), "{found:?}");
    }
}
