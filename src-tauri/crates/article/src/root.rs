//! The folder that a person named: references may lead anywhere in it, and nowhere else.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;

/// A folder that was named, or the folder of a file that was.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    /// Every file by its name, made when a name without a path is first looked for.
    by_name: OnceLock<HashMap<String, Vec<PathBuf>>>,
}

impl PartialEq for Root {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Root {}

/// What bears a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// This file, from the root.
    One(PathBuf),
    /// These and perhaps more, none nearer than another.
    Several(PathBuf, PathBuf),
    Nothing,
}

/// Larger folders are not searched whole for a name.
const MOST_FILES: usize = 200_000;
const MAX_DEPTH: usize = 16;

impl Root {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, by_name: OnceLock::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Finds a file by the end of its path: beside the article first, else the one with the shortest path.
    pub(crate) fn named(&self, ending: &[String], beside: &Path) -> Named {
        let Some(name) = ending.last() else { return Named::Nothing };
        let bearers = self.by_name.get_or_init(|| all_files(&self.path)).get(&folded(name));
        let wanted: Vec<String> = ending.iter().map(|part| folded(part)).collect();
        let mut fitting: Vec<&PathBuf> =
            bearers.into_iter().flatten().filter(|path| ends_with(path, &wanted)).collect();
        if let Some(near) = fitting.iter().find(|path| path.parent() == Some(beside)) {
            return Named::One((*near).clone());
        }
        fitting.sort_by_key(|path| (path.components().count(), *path));
        match fitting.as_slice() {
            [] => Named::Nothing,
            [first, second, ..] if first.components().count() == second.components().count() => {
                Named::Several((*first).clone(), (*second).clone())
            }
            [first, ..] => Named::One((*first).clone()),
        }
    }
}

/// A name in the form in which names are compared.
fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

fn ends_with(path: &Path, wanted: &[String]) -> bool {
    let mut parts = path.iter().rev().filter_map(|part| part.to_str());
    wanted.iter().rev().all(|part| parts.next().is_some_and(|own| folded(own) == *part))
}

/// Links are not followed: what they lead to has a name of its own, or lies outside.
fn all_files(root: &Path) -> HashMap<String, Vec<PathBuf>> {
    let mut files: HashMap<String, Vec<PathBuf>> = HashMap::new();
    let mut waiting = vec![(PathBuf::new(), 0)];
    let mut count = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            if name.starts_with('.') || name == "node_modules" {
                continue;
            }
            count += 1;
            if count > MOST_FILES {
                return files;
            }
            let path = folder.join(&name);
            if kind.is_dir() && depth < MAX_DEPTH {
                waiting.push((path, depth + 1));
            } else if kind.is_file() {
                files.entry(folded(&name)).or_default().push(path);
            }
        }
    }
    files
}
