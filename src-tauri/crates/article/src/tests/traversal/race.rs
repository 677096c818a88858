//! A file that becomes a link between one look and the next.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Cage, MARK};
use crate::image::samples::png;
use crate::{Options, discover, load};

/// Whatever the moment of the exchange, what is read is the file or nothing.
#[test]
fn a_file_that_is_exchanged_for_a_link_is_read_or_refused() {
    let cage = Cage::new();
    let (inside, secret) = (cage.inside(), cage.place.path().join("secret.png"));
    let text = "---\ntitle: T\n---\n![x](swapped.png) ![x](moved/b.png)\n";
    cage.place.put("all/article/index.md", text.as_bytes());
    cage.place.put("all/article/swapped.png", &png(5, 5));
    cage.place.put("all/article/moved/b.png", &png(6, 6));
    let location = discover(std::slice::from_ref(&inside)).unwrap().articles.remove(0);
    let done = AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                symlink(&secret, inside.join("link")).unwrap();
                fs::rename(inside.join("link"), inside.join("swapped.png")).unwrap();
                fs::rename(inside.join("moved"), inside.join("aside")).unwrap();
                symlink("../../beside", inside.join("moved")).unwrap();
                fs::write(inside.join("file"), png(5, 5)).unwrap();
                fs::rename(inside.join("file"), inside.join("swapped.png")).unwrap();
                fs::remove_file(inside.join("moved")).unwrap();
                fs::rename(inside.join("aside"), inside.join("moved")).unwrap();
            }
        });
        let mut reads = 0;
        for _ in 0..1500 {
            let loaded = load(&location, &Options::default());
            assert!(!format!("{loaded:?}").contains(MARK));
            for image in loaded.article.iter().flat_map(|article| &article.images) {
                if let Ok(prepared) = image.prepare(&Options::default(), false) {
                    assert_ne!(prepared.bytes, cage.secret);
                    reads += 1;
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        reads
    });
    assert!(reads > 0, "it was a file now and then");
    cage.assert_unopened("the race");
}

/// Nobody writes into the pipe: whoever waited for it would wait for ever.
#[test]
fn a_file_that_is_exchanged_for_a_pipe_is_not_waited_for() {
    let cage = Cage::new();
    let inside = cage.inside();
    cage.place.put("all/article/index.md", b"---\ntitle: T\n---\n![x](swapped.png)\n");
    cage.place.put("all/article/swapped.png", &png(5, 5));
    let location = discover(std::slice::from_ref(&inside)).unwrap().articles.remove(0);
    let made = std::process::Command::new("mkfifo").arg(inside.join("pipe")).status();
    assert!(made.unwrap().success());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // Both names stay taken, each by the other's file.
                let (file, pipe) = (inside.join("swapped.png"), inside.join("pipe"));
                let place = rustix::fs::CWD;
                let how = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(place, &file, place, &pipe, how).unwrap();
            }
        });
        let images = |_| {
            let loaded = load(&location, &Options::default());
            loaded.article.map_or(0, |article| article.images.len())
        };
        let reads: usize = (0..3000).map(images).sum();
        done.store(true, Ordering::Relaxed);
        assert!(reads > 0, "it was a file now and then");
    });
}
