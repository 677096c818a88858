//! Ways out of an article's folder, each tried with a picture and a text outside that would be taken. None of what
//! lies outside is ever opened, which the system itself is asked; each way ends in a finding with its code, or in
//! something that is left as it is written.

mod bodies;
mod links;
mod race;
mod references;

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::inotify;

use super::support::{Place, placed};
use crate::image::samples::{png, png_with};
use crate::{FindingCode, Loaded, Options, Severity, discover, load};

/// What stands in the texts outside.
const MARK: &str = "canary-7f3a";
/// What lies outside, by names that are asked for.
const OUTSIDE: [&str; 5] = ["secret.png", "secret.md", "secret.txt", "beside/secret.png", "beside/index.md"];

/// What comes of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// The article cannot be sent, with this finding.
    Refused(FindingCode),
    /// Nothing is read for it: it stays as it is, or becomes nothing.
    Left,
    /// A picture in the folder is taken.
    Inside,
}

use Comes::{Inside, Left, Refused};

/// A folder `all/article` with two pictures in it, and much around it that must not be read.
struct Cage {
    place: Place,
    opened: OwnedFd,
    secret: Vec<u8>,
}

impl Cage {
    fn new() -> Self {
        Self::around(&["", "all/"])
    }

    /// With what must not be read in these folders.
    fn around(outsides: &[&str]) -> Self {
        let secret = png_with(9, 9, &[(b"tEXt", format!("Comment\0{MARK}").as_bytes())]);
        let text = format!("---\ntitle: {MARK}\n---\n{MARK}\n");
        let place = Place::new();
        let opened = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
        for outside in outsides {
            for name in OUTSIDE {
                let bytes = if name.ends_with(".png") { &secret[..] } else { text.as_bytes() };
                let path = place.put(&format!("{outside}{name}"), bytes);
                let flags = inotify::WatchFlags::OPEN | inotify::WatchFlags::ACCESS;
                inotify::add_watch(&opened, &path, flags).unwrap();
            }
        }
        place.put("all/article/a.png", &png(3, 2));
        place.put("all/article/in/b.png", &png(4, 4));
        Self { place, opened, secret }
    }

    fn inside(&self) -> std::path::PathBuf {
        self.place.path().join("all/article")
    }

    /// Reads the article and holds it against what must be so whatever it says.
    fn read(&self, name: &str, text: &[u8], about: &str) -> Loaded {
        self.place.put(&format!("all/article/{name}"), text);
        let loaded = self.read_again(&self.inside(), about);
        std::fs::remove_file(self.inside().join(name)).unwrap();
        loaded
    }

    fn read_again(&self, folder: &Path, about: &str) -> Loaded {
        let found = discover(&[folder.to_owned()]).unwrap();
        assert_eq!(found.articles.len(), 1, "{about}");
        let loaded = load(&found.articles[0], &Options::default());
        self.assert_unopened(about);
        assert!(loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed), "{about}");
        let mut told = format!("{loaded:?}");
        if let Some(article) = &loaded.article {
            for image in &article.images {
                assert_ne!(image.prepare(&Options::default(), false).unwrap().bytes, self.secret, "{about}");
            }
            told += &article.compose(&placed(article.images.len()), None).unwrap();
        }
        assert!(!told.contains(MARK), "{about}: {told}");
        self.assert_unopened(about);
        loaded
    }

    fn assert_unopened(&self, about: &str) {
        let mut buffer = [MaybeUninit::uninit(); 512];
        let mut events = inotify::Reader::new(&self.opened, &mut buffer);
        assert!(events.next().is_err(), "{about} opened what lies outside");
    }
}

/// What came of an article with one reference in it.
#[track_caller]
fn comes(loaded: &Loaded, about: &str) -> Comes {
    let error = loaded.findings.iter().find(|found| found.severity == Severity::Error);
    match (error, &loaded.article) {
        (Some(error), None) => Refused(error.code),
        (None, Some(article)) if article.images.is_empty() => Left,
        (None, Some(_)) => Inside,
        (error, article) => panic!("{about}: {error:?} beside {article:?}"),
    }
}

#[test]
fn the_watch_sees_what_is_opened() {
    let cage = Cage::new();
    assert!(std::fs::read(cage.place.path().join("secret.png")).is_ok());
    let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cage.assert_unopened("")));
    assert!(seen.is_err());
}

#[test]
fn there_are_enough_ways() {
    let cases = [
        references::CASES.iter().map(|(case, _)| format!("reference {case}")).collect::<Vec<_>>(),
        links::CASES.iter().map(|(name, to, reference, _)| format!("link {name} {to} {reference}")).collect(),
        bodies::CASES.iter().map(|(_, body)| format!("body {body}")).collect(),
    ]
    .concat();
    let distinct: std::collections::HashSet<_> = cases.iter().collect();
    assert_eq!(distinct.len(), cases.len(), "no case twice");
    assert!(cases.len() >= 250, "{}", cases.len());
    println!("proof: {} ways out of the folder were tried", cases.len());
}
