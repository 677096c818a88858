//! Articles in throw-away folders.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::image::samples::{jpeg_with, png};
use crate::{FindingCode, Loaded, Options, PlacedImage, discover, load};

/// A folder with files in it.
pub(super) struct Place {
    pub(super) root: TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        Self { root: TempDir::new().unwrap() }
    }

    pub(super) fn with(files: &[(&str, &[u8])]) -> Self {
        let place = Self::new();
        for (path, bytes) in files {
            place.put(path, bytes);
        }
        place
    }

    pub(super) fn put(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(super) fn path(&self) -> &Path {
        self.root.path()
    }

    /// Reads the one article of the folder.
    pub(super) fn load(&self) -> Loaded {
        let found = discover(&[self.path().to_owned()]).unwrap();
        assert_eq!(found.articles.len(), 1);
        load(&found.articles[0], &Options::default())
    }
}

/// Reads one text as `article/index.md` (or `.html`), with two pictures beside it.
pub(super) fn read(name: &str, text: impl AsRef<[u8]>) -> Loaded {
    let place = Place::with(&[
        (&format!("article/{name}"), text.as_ref()),
        ("article/a.png", &png(3, 2)),
        ("article/img/b.jpg", &jpeg_with(4, 3, &[])),
    ]);
    place.load()
}

/// Reads one text as a note in a vault.
pub(super) fn read_in_vault(text: &str) -> Loaded {
    let files: [(&str, &[u8]); 3] =
        [("note.md", text.as_bytes()), (".obsidian/app.json", b"{}"), ("a.png", &png(3, 2))];
    Place::with(&files).load()
}

pub(super) fn codes(loaded: &Loaded) -> Vec<FindingCode> {
    loaded.findings.iter().map(|finding| finding.code).collect()
}

/// The findings that say something about this text, without those on what may be missing.
pub(super) fn telling(loaded: &Loaded) -> Vec<(FindingCode, Option<u32>)> {
    let usual = [
        FindingCode::ExcerptMissing,
        FindingCode::TagsMissing,
        FindingCode::CategoriesMissing,
        FindingCode::AltMissing,
    ];
    loaded
        .findings
        .iter()
        .filter(|found| !usual.contains(&found.code))
        .map(|found| (found.code, found.line))
        .collect()
}

pub(super) fn placed(count: usize) -> Vec<PlacedImage> {
    (0..count)
        .map(|at| PlacedImage {
            id: 7 + at as u64,
            url: format!("https://site.example/u/{at}.png?a=1&b=2"),
            size: None,
        })
        .collect()
}

pub(super) fn composed(loaded: &Loaded) -> String {
    let article = loaded.article.as_ref().unwrap_or_else(|| panic!("{:#?}", loaded.findings));
    article.compose(&placed(article.images.len()), None).unwrap()
}

/// The blocks of a Markdown body.
pub(super) fn markdown(body: &str) -> String {
    composed(&read("index.md", format!("---\ntitle: T\n---\n{body}")))
}

/// The blocks of an HTML body.
pub(super) fn html(body: &str) -> String {
    composed(&read("index.html", format!("---\ntitle: T\n---\n{body}")))
}
