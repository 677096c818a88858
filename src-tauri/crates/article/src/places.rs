//! Where the files lie that an article refers to: beside it, in the folders for files of a site
//! generator, or anywhere in a vault of notes.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::folder::{Folder, ReadError};
use crate::reference::{self, Reference, Refused};
use crate::root::{Named, Root};

/// Folders whose content a site generator serves from the top of the site.
const SERVED: [&str; 5] = ["static", "public", "source", "", "assets"];
/// Files and folders by which the top of a site's sources is known.
const TOPS: [&str; 19] = [
    ".git",
    ".obsidian",
    "package.json",
    "hugo.toml",
    "hugo.yaml",
    "hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "_config.yml",
    "_config.yaml",
    "astro.config.mjs",
    "astro.config.ts",
    "astro.config.js",
    ".eleventy.js",
    "gatsby-config.js",
    "static",
    "public",
    "qiita.config.json",
];
/// Folders in which site generators keep articles, right below the top.
const OF_ARTICLES: [&str; 8] =
    ["content", "_posts", "_drafts", "articles", "posts", "src", "source", "public"];

/// The places of one article.
#[derive(Debug)]
pub(crate) struct Places {
    folder: Folder,
    root: Arc<Root>,
    /// The article's folder, from the root.
    base: Vec<String>,
    /// Where references that begin with `/` lead, as the article says.
    root_url: Option<Vec<String>>,
    /// The tops of sites that the article lies in, the nearest first.
    tops: OnceCell<Vec<Vec<String>>>,
}

/// Why a reference leads to no file.
#[derive(Debug)]
pub(crate) enum Missing {
    Refused(Refused),
    Read(ReadError),
    /// Several files have the name.
    Several(PathBuf, PathBuf),
}

impl Places {
    pub(crate) fn new(folder: Folder, root: Arc<Root>, article: &Path) -> Self {
        let base = article.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        Self { folder, root, base, root_url: None, tops: OnceCell::new() }
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Takes what the article says about references that begin with `/`.
    pub(crate) fn set_root_url(&mut self, written: &str) {
        self.root_url = match reference::parse_in(&self.base, written) {
            Ok(Reference::Local(parts)) => Some(parts),
            Ok(Reference::Remote) | Err(_) => None,
        };
    }

    /// Finds a file by a reference in the text; the path is from the root.
    pub(crate) fn find(&self, written: &str) -> Result<PathBuf, Missing> {
        let written = without_template(written);
        let parts = match reference::parse_in(&self.base, written) {
            Ok(Reference::Local(parts)) => parts,
            Ok(Reference::Remote) => return Err(Missing::Refused(Refused::Absolute)),
            Err(Refused::Absolute) => {
                return self.at_top(written).ok_or(Missing::Refused(Refused::Absolute));
            }
            Err(refused) => return Err(Missing::Refused(refused)),
        };
        match self.folder.locate(&parts) {
            Ok(path) => Ok(path),
            Err(ReadError::NotFound { similar: None }) if self.is_in_vault() => self.named(written),
            Err(error) => Err(Missing::Read(error)),
        }
    }

    /// Finds a file by its name, wherever it lies.
    pub(crate) fn named(&self, written: &str) -> Result<PathBuf, Missing> {
        let parts = match reference::parse(written) {
            Ok(Reference::Local(parts)) => parts,
            Ok(Reference::Remote) => return Err(Missing::Refused(Refused::Absolute)),
            Err(refused) => return Err(Missing::Refused(refused)),
        };
        let beside: PathBuf = self.base.iter().collect();
        match self.root.named(&parts, &beside) {
            Named::One(path) => Ok(path),
            Named::Several(first, second) => Err(Missing::Several(first, second)),
            Named::Nothing => Err(Missing::Read(ReadError::NotFound { similar: None })),
        }
    }

    /// Finds a file by a reference from the top of the site.
    pub(crate) fn at_top(&self, written: &str) -> Option<PathBuf> {
        let parts = reference::from_top(without_template(written))?;
        if let Some(root_url) = &self.root_url {
            return self.folder.locate(&[root_url.as_slice(), &parts].concat()).ok();
        }
        self.tops().iter().find_map(|top| {
            SERVED.iter().find_map(|served| {
                let served = (!served.is_empty()).then(|| (*served).to_owned());
                let path: Vec<String> =
                    top.iter().cloned().chain(served).chain(parts.iter().cloned()).collect();
                self.folder.locate(&path).ok()
            })
        })
    }

    fn tops(&self) -> &[Vec<String>] {
        self.tops.get_or_init(|| {
            (0..=self.base.len())
                .rev()
                .filter(|&depth| {
                    let below = self.base.get(depth).map(String::as_str);
                    depth == 0
                        || below.is_some_and(|below| OF_ARTICLES.contains(&below))
                        || TOPS.iter().any(|name| self.has(depth, name))
                })
                .map(|depth| self.base[..depth].to_vec())
                .collect()
        })
    }

    /// Whether the article lies in a vault of notes.
    pub(crate) fn is_in_vault(&self) -> bool {
        (0..=self.base.len()).any(|depth| self.has(depth, ".obsidian"))
    }

    fn has(&self, depth: usize, name: &str) -> bool {
        let path: PathBuf = self.base[..depth].iter().map(String::as_str).chain([name]).collect();
        self.folder.holds(&path)
    }
}

/// A reference without the address of the site before it, as Jekyll's templates write it.
pub(crate) fn without_template(written: &str) -> &str {
    let trimmed = written.trim();
    let Some((inside, rest)) = trimmed.strip_prefix("{{").and_then(|rest| rest.split_once("}}")) else {
        return trimmed;
    };
    match inside.trim() {
        "site.baseurl" | "site.url" => rest,
        inside => {
            let is_filtered = inside.contains("relative_url") || inside.contains("absolute_url");
            let quoted = inside.split(['"', '\'']).nth(1);
            quoted.filter(|_| is_filtered && rest.is_empty()).unwrap_or(trimmed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_before_a_path_are_taken_off() {
        for (written, path) in [
            ("{{ site.baseurl }}/assets/a.png", "/assets/a.png"),
            ("{{site.url}}/a.png", "/a.png"),
            ("{{ '/assets/a.png' | relative_url }}", "/assets/a.png"),
            ("{{ page.image }}", "{{ page.image }}"),
            ("a.png", "a.png"),
        ] {
            assert_eq!(without_template(written), path);
        }
    }
}
