//! Which files below a path are articles.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file_names::{
    extension, featured_rank, is_conflicted_copy, is_ignored, is_lead, is_other_markup, is_readme, lead_rank,
    without_date_and_hash,
};
use crate::finding::{Finding, FindingCode};
use crate::folder::reason;
use crate::root::Root;
use crate::sources;

/// Where an article lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The folder in which the text file lies, in canonical form.
    pub folder: PathBuf,
    /// The text file: a name in `folder`.
    pub file: PathBuf,
    /// The folder that was named, within which references may lead.
    pub(crate) root: Arc<Root>,
    /// Whether the folder is the article's own, rather than shared with others.
    pub owns_folder: bool,
    /// A picture in the own folder whose name says that it stands for the article.
    pub(crate) featured: Option<String>,
}

impl Location {
    /// The path of the text file: the same for the same article as long as it is not moved.
    #[must_use]
    pub fn key(&self) -> String {
        let path = self.folder.join(&self.file);
        match path.to_str() {
            Some(text) => text.to_owned(),
            // Two names must not fall together because neither is text.
            None => path.as_os_str().as_encoded_bytes().escape_ascii().to_string(),
        }
    }

    /// The path of the text file from the folder in which the article lies, for people.
    #[must_use]
    pub fn shown(&self) -> PathBuf {
        match self.folder.file_name() {
            Some(name) if self.owns_folder => Path::new(name).join(&self.file),
            _ => self.file.clone(),
        }
    }

    /// The name from which the slug is made where the text gives none.
    pub(crate) fn name(&self) -> String {
        let stem = self.file.file_stem().unwrap_or_default();
        let name = match self.folder.file_name() {
            Some(folder) if self.owns_folder && (is_lead(stem) || is_readme(stem)) => folder,
            _ => stem,
        };
        without_date_and_hash(&name.to_string_lossy()).to_owned()
    }

    /// The folder of the article, from the folder that was named.
    pub(crate) fn below_root(&self) -> &Path {
        self.folder.strip_prefix(self.root.path()).unwrap_or(Path::new(""))
    }

    pub(crate) fn is_mdx(&self) -> bool {
        extension(&self.file).is_some_and(|extension| extension == "mdx")
    }

    pub(crate) fn is_html(&self) -> bool {
        extension(&self.file).is_some_and(|extension| extension.starts_with("htm"))
    }
}

/// The articles below the named paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// In the order of the paths, then of the names; no article twice.
    pub articles: Vec<Location>,
    /// What was passed over.
    pub notes: Vec<Finding>,
}

/// Why nothing can be registered from a path.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// There is no such file or folder.
    #[error("find {}", path.display())]
    NotFound {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file is no Markdown or HTML.
    #[error("take {} for an article", path.display())]
    NotAnArticle {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The folder holds no article.
    #[error("find an article in {}", path.display())]
    Empty {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file or folder cannot be read.
    #[error("read {}", path.display())]
    Read {
        /// The path as it was given.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

/// Folders deeper than this below the named one are not searched.
const MAX_DEPTH: usize = 8;

/// Finds the articles below the given paths. No text is read yet.
///
/// # Errors
/// When a path does not exist, cannot be read, or holds no article.
pub fn discover(paths: &[PathBuf]) -> Result<Discovery, DiscoverError> {
    let mut search = Search::default();
    for path in paths {
        let read = |source: io::Error| {
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                DiscoverError::NotFound { path: path.clone() }
            } else {
                DiscoverError::Read { path: path.clone(), source }
            }
        };
        let canonical = fs::canonicalize(path).map_err(read)?;
        if fs::metadata(&canonical).map_err(read)?.is_dir() {
            let mut inside = Inside { search: &mut search, root: Arc::new(Root::new(canonical.clone())) };
            let listed = inside.list(&canonical).map_err(read)?;
            let articles = inside.folder(&canonical, 0, listed);
            if articles.is_empty() {
                return Err(DiscoverError::Empty { path: path.clone() });
            }
            search.add(articles);
        } else {
            let article =
                named_file(&canonical).ok_or_else(|| DiscoverError::NotAnArticle { path: path.clone() })?;
            search.add(vec![article]);
        }
    }
    Ok(search.found)
}

fn named_file(path: &Path) -> Option<Location> {
    extension(path)?;
    let folder = path.parent()?.to_owned();
    let file = PathBuf::from(path.file_name()?);
    let stem = path.file_stem().unwrap_or_default();
    let owns_folder = is_lead(stem) || is_readme(stem);
    let featured = if owns_folder { featured_in(&folder) } else { None };
    let root = Arc::new(Root::new(folder.clone()));
    Some(Location { folder, file, root, owns_folder, featured })
}

fn featured_in(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| featured_rank(name).is_some()).min_by_key(|name| (featured_rank(name), name.clone()))
}

#[derive(Default)]
struct Search {
    found: Discovery,
    seen: HashSet<PathBuf>,
}

/// What a folder holds, by name.
struct Listed {
    subfolders: Vec<PathBuf>,
    texts: Vec<String>,
    /// The picture that may stand for an article.
    featured: Option<String>,
}

/// The search in one of the folders that were named.
struct Inside<'s> {
    search: &'s mut Search,
    root: Arc<Root>,
}

impl Search {
    fn add(&mut self, articles: Vec<Location>) {
        for article in articles {
            if self.seen.insert(article.folder.join(&article.file)) {
                self.found.articles.push(article);
            }
        }
    }

    fn note(&mut self, code: FindingCode, folder: &Path, name: &str) {
        let shown = folder.file_name().map(PathBuf::from).unwrap_or_default().join(name);
        self.found.notes.push(Finding::new(code, shown).with("name", name));
    }
}

impl Inside<'_> {
    fn note(&mut self, code: FindingCode, folder: &Path, name: &str) {
        self.search.note(code, folder, name);
    }

    fn list(&mut self, folder: &Path) -> io::Result<Listed> {
        let mut entries: Vec<DirEntry> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(DirEntry::file_name);
        let only = sources::articles_of(entries.iter().map(DirEntry::file_name));
        let mut listed = Listed { subfolders: Vec::new(), texts: Vec::new(), featured: None };
        let mut best = usize::MAX;
        for entry in entries {
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                // A name that is no text can neither be shown nor journalled.
                Err(name) => {
                    if extension(Path::new(&name)).is_some() {
                        let name = name.as_encoded_bytes().escape_ascii().to_string();
                        self.note(FindingCode::NameNotText, folder, &name);
                    }
                    continue;
                }
            };
            if let Some(only) = &only
                && !only.iter().any(|kept| *kept == name)
            {
                if extension(Path::new(&name)).is_some() && !is_ignored(&name) {
                    self.note(FindingCode::OtherTextIgnored, folder, &name);
                }
                continue;
            }
            if let Some(placed) = name.strip_prefix('.').and_then(|name| name.strip_suffix(".icloud"))
                && extension(Path::new(placed)).is_some()
            {
                self.note(FindingCode::CloudPlaceholder, folder, placed);
            }
            if is_ignored(&name) {
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let linked_to_folder =
                kind.is_symlink() && fs::metadata(entry.path()).is_ok_and(|target| target.is_dir());
            let is_text = extension(Path::new(&name)).is_some();
            if linked_to_folder {
                self.note(FindingCode::LinkedFolderSkipped, folder, &name);
            } else if kind.is_dir() {
                listed.subfolders.push(entry.path());
            } else if !kind.is_file() && !kind.is_symlink() {
            } else if is_text && is_conflicted_copy(&name) {
                self.note(FindingCode::ConflictedCopyIgnored, folder, &name);
            } else if is_text {
                listed.texts.push(name);
            } else if is_other_markup(&name) {
                self.note(FindingCode::OtherTextIgnored, folder, &name);
            } else if let Some(rank) = featured_rank(&name).filter(|rank| *rank < best) {
                (best, listed.featured) = (rank, Some(name));
            }
        }
        Ok(listed)
    }

    fn folder(&mut self, folder: &Path, depth: usize, listed: Listed) -> Vec<Location> {
        let Listed { subfolders, texts, featured } = listed;
        let root = Arc::clone(&self.root);
        let own = |file: &str| Location {
            folder: folder.to_owned(),
            file: PathBuf::from(file),
            root: Arc::clone(&root),
            owns_folder: true,
            featured: featured.clone(),
        };
        let lead = texts.iter().filter_map(|name| lead_rank(name).map(|rank| (rank, name))).min();
        if let Some((_, lead)) = lead {
            for other in texts.iter().filter(|name| *name != lead) {
                self.note(FindingCode::OtherTextIgnored, folder, other);
            }
            return vec![own(lead)];
        }
        let mut inside = Vec::new();
        for subfolder in subfolders {
            inside.extend(self.subfolder(&subfolder, depth + 1));
        }
        let (readmes, others): (Vec<&String>, Vec<&String>) =
            texts.iter().partition(|name| is_readme(Path::new(name).file_stem().unwrap_or_default()));
        let chosen = match (readmes.as_slice(), others.as_slice()) {
            ([readme, ..], []) if inside.is_empty() => Some(*readme),
            (_, [only]) if inside.is_empty() => Some(*only),
            _ => None,
        };
        for readme in readmes.iter().filter(|readme| chosen != Some(**readme)) {
            self.note(FindingCode::OtherTextIgnored, folder, readme);
        }
        if let Some(chosen) = chosen {
            return vec![own(chosen)];
        }
        let loose =
            others.into_iter().map(|name| Location { owns_folder: false, featured: None, ..own(name) });
        let mut articles: Vec<Location> = loose.collect();
        articles.append(&mut inside);
        articles
    }

    fn subfolder(&mut self, folder: &Path, depth: usize) -> Vec<Location> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let parent = folder.parent().unwrap_or(folder).to_owned();
        if depth > MAX_DEPTH {
            self.note(FindingCode::FolderTooDeep, &parent, &name);
            return Vec::new();
        }
        match self.list(folder) {
            Ok(listed) => self.folder(folder, depth, listed),
            Err(error) => {
                self.note(FindingCode::FolderUnreadable, &parent, &name);
                if let Some(note) = self.search.found.notes.last_mut() {
                    note.params.insert("reason", reason(&error).to_owned());
                }
                Vec::new()
            }
        }
    }
}
