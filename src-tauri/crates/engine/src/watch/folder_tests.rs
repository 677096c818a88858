use super::*;

use std::fs;
use std::sync::mpsc;

use notify::event::{AccessKind, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// A picture of one pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

fn write_article(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join(name)).unwrap();
    fs::write(root.join(name).join("a.gif"), GIF).unwrap();
    let text = format!("---\ntitle: {name}\n---\n\n{text}\n\n![a](a.gif)\n");
    fs::write(root.join(name).join("index.md"), text).unwrap();
}

/// Everything that is opened in a folder, by whomever.
struct Opened {
    told: mpsc::Receiver<PathBuf>,
    root: PathBuf,
    sentinels: u32,
    _watcher: RecommendedWatcher,
}

impl Opened {
    fn listen(root: &Path) -> Self {
        let (tell, told) = mpsc::channel();
        let hear = move |event: notify::Result<notify::Event>| {
            let event = event.unwrap();
            if matches!(event.kind, EventKind::Access(AccessKind::Open(_))) {
                event.paths.into_iter().for_each(|path| tell.send(path).unwrap_or(()));
            }
        };
        let mut watcher = notify::recommended_watcher(hear).unwrap();
        watcher.watch(root, RecursiveMode::Recursive).unwrap();
        Self { told, root: root.to_owned(), sentinels: 0, _watcher: watcher }
    }

    /// The files that were opened since the last time. The system tells in order: what is told before a file that is
    /// opened now is all. Its name is hidden, so that no scan looks at it.
    fn since_then(&mut self) -> Vec<PathBuf> {
        self.sentinels += 1;
        let sentinel = self.root.join(format!(".sentinel-{}", self.sentinels));
        fs::write(&sentinel, "x").unwrap();
        let mut files = Vec::new();
        loop {
            let path = self.told.recv_timeout(Duration::from_secs(30)).unwrap();
            if path == sentinel {
                return files;
            }
            if path.is_file() {
                files.push(path);
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_rescan_opens_no_file_that_did_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for number in 0..20 {
        write_article(&root, &format!("a{number}"), "Text.");
    }
    let settings = Settings::default();
    let mut sight = Sight::new(root.clone(), 0);
    let mut opened = Opened::listen(&root);
    assert!(matches!(sight.scan(&settings, 1), Scanned::Seen { changed: true }));
    let files = opened.since_then();
    assert!(files.len() >= 40, "texts and images are read at first: {}", files.len());
    for now in 2..5 {
        assert!(matches!(sight.scan(&settings, now), Scanned::Seen { changed: false }));
        assert_eq!(opened.since_then(), Vec::<PathBuf>::new());
    }
    write_article(&root, "a7", "Other text.");
    opened.since_then();
    assert!(matches!(sight.scan(&settings, 5), Scanned::Seen { changed: true }));
    let mut files = opened.since_then();
    files.sort();
    files.dedup();
    assert_eq!(files, [root.join("a7/a.gif"), root.join("a7/index.md")]);
    // A new name may be what a broken article lacks; those that are whole lack nothing.
    fs::write(root.join("a3/b.gif"), GIF).unwrap();
    opened.since_then();
    assert!(matches!(sight.scan(&settings, 6), Scanned::Seen { changed: true }));
    assert_eq!(opened.since_then(), Vec::<PathBuf>::new());
}

#[test]
fn what_lies_elsewhere_and_changes_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join(".assets")).unwrap();
    fs::write(root.join(".assets/a.gif"), GIF).unwrap();
    fs::write(root.join("loose.md"), "---\ntitle: T\n---\n\n![a](.assets/a.gif)\n").unwrap();
    let settings = Settings::default();
    let mut sight = Sight::new(root.clone(), 1000);
    sight.scan(&settings, 0);
    sight.scan(&settings, 1000);
    // The image is known since the text was read, and must be quiet as well.
    sight.scan(&settings, 2000);
    sight.scan(&settings, 3000);
    let digests = |sight: &Sight| {
        let all = sight.articles.all(&sight.root, &sight.tree, &sight.settle);
        all.map(|condition| match condition {
            super::super::articles::Condition::Quiet(read) => read.digest,
            super::super::articles::Condition::Settling | super::super::articles::Condition::SetAside => None,
        })
        .collect::<Vec<_>>()
    };
    let first = digests(&sight);
    assert!(first[0].is_some());
    let mut other = GIF.to_vec();
    other.extend(b"more");
    fs::write(root.join(".assets/a.gif"), other).unwrap();
    sight.scan(&settings, 4000);
    assert_eq!(digests(&sight), [None], "an image that was hidden is still being written");
    sight.scan(&settings, 5000);
    assert!(digests(&sight)[0].is_some_and(|digest| Some(digest) != first[0]));
}
