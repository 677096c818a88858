//! The list of articles: what was read from the folders, joined with what the journal knows.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ichido_article::Severity;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::tally::Ending;
use ichido_engine::{Note, Row, RowState, Sheet};

use crate::view::{ArticlePage, ArticleRow, RowStep};

/// The articles of the open folders.
#[derive(Debug, Default)]
pub(crate) struct List {
    entries: Vec<Entry>,
    by_path: HashMap<PathBuf, usize>,
    by_id: HashMap<u32, usize>,
    /// Ids that were given out: an article keeps its own while the program runs.
    known: HashMap<PathBuf, u32>,
    revision: u64,
}

/// One article of the list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) sheet: Sheet,
    pub(crate) row: ArticleRow,
    pub(crate) op_id: Option<OpId>,
    pub(crate) remote_id: Option<RemoteId>,
    pub(crate) notes: Vec<Note>,
    /// What is being done with it in the batch that runs.
    pub(crate) live: Option<Live>,
}

/// An article in a batch that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) step: Option<RowStep>,
    pub(crate) images_done: u32,
}

impl List {
    /// Puts other articles in the place of those that were there.
    pub(crate) fn replace(&mut self, sheets: Vec<Sheet>) {
        let mut notes: HashMap<PathBuf, (Vec<Note>, Option<Live>)> =
            self.entries.drain(..).map(|entry| (entry.sheet.path, (entry.notes, entry.live))).collect();
        self.by_path.clear();
        self.by_id.clear();
        for sheet in sheets {
            let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
            let id = *self.known.entry(sheet.path.clone()).or_insert(next);
            let (notes, live) = notes.remove(&sheet.path).unwrap_or_default();
            self.by_path.insert(sheet.path.clone(), self.entries.len());
            self.by_id.insert(id, self.entries.len());
            let row = unread(id, &sheet);
            self.entries.push(Entry { sheet, row, op_id: None, remote_id: None, notes, live });
        }
        self.revision += 1;
    }

    pub(crate) fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.entries.iter().map(|entry| &entry.sheet)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn by_id(&self, id: u32) -> Option<&Entry> {
        self.entries.get(*self.by_id.get(&id)?)
    }

    pub(crate) fn by_path(&self, path: &Path) -> Option<&Entry> {
        self.entries.get(*self.by_path.get(path)?)
    }

    pub(crate) fn by_id_mut(&mut self, id: u32) -> Option<&mut Entry> {
        self.entries.get_mut(*self.by_id.get(&id)?)
    }

    /// Takes what the journal knows now, in the order of the list. Returns what changed.
    pub(crate) fn take(&mut self, rows: Vec<Row>) -> Vec<ArticleRow> {
        let indices: Vec<usize> = (0..self.entries.len()).collect();
        self.take_some(&indices, rows)
    }

    fn take_some(&mut self, indices: &[usize], rows: Vec<Row>) -> Vec<ArticleRow> {
        let mut changed = Vec::new();
        for (index, row) in indices.iter().zip(rows) {
            let Some(entry) = self.entries.get_mut(*index) else { continue };
            (entry.op_id, entry.remote_id) = (row.op_id, row.remote_id);
            let row = entry.joined(&row);
            if row != entry.row {
                entry.row = row.clone();
                changed.push(row);
            }
        }
        changed
    }

    /// Takes what the journal knows now of one article. Returns it if it changed.
    pub(crate) fn take_one(&mut self, id: u32, row: Row) -> Option<ArticleRow> {
        let index = *self.by_id.get(&id)?;
        self.take_some(&[index], vec![row]).pop()
    }

    /// Says how far an article of the batch that runs is. Returns it if it changed.
    pub(crate) fn step(&mut self, id: u32, live: Live) -> Option<ArticleRow> {
        let entry = self.by_id_mut(id)?;
        entry.live = Some(live);
        let row = shown_live(entry.row.clone(), live);
        (row != entry.row).then(|| {
            entry.row = row.clone();
            row
        })
    }

    /// Unknown tags are no obstacle any more.
    pub(crate) fn forget_unknown_tags(&mut self) {
        for entry in &mut self.entries {
            entry.notes.retain(|note| !matches!(note, Note::TagUnknown { .. }));
        }
    }

    /// Nothing is being done with any article any more.
    pub(crate) fn rest(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.live = None);
    }

    /// The articles that a batch would take, of those picked or of all.
    pub(crate) fn goes(&self, picked: Option<&[u32]>) -> Vec<u32> {
        let picked: Option<HashSet<u32>> = picked.map(|ids| ids.iter().copied().collect());
        self.entries
            .iter()
            .map(|entry| &entry.row)
            .filter(|row| matches!(row.state, RowState::Ready | RowState::Waiting))
            .filter(|row| picked.as_ref().is_none_or(|picked| picked.contains(&row.id)))
            .map(|row| row.id)
            .collect()
    }

    pub(crate) fn page(&self, offset: usize, limit: usize) -> ArticlePage {
        let rows = self.entries.iter().skip(offset).take(limit).map(|entry| entry.row.clone()).collect();
        ArticlePage { revision: self.revision, total: self.entries.len(), rows }
    }

    /// The number of the next change.
    pub(crate) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }
}

impl Entry {
    fn joined(&self, row: &Row) -> ArticleRow {
        // That it was verified is known of this session alone.
        let verified = row.state == RowState::Done && self.row.ending == Some(Ending::Verified);
        let said = self.notes.iter().filter(|note| note.keeps_back()).count();
        // What the site said is known of this session alone. Where nothing is known to be wrong any more,
        // the article may be tried again.
        let may_be_tried = row.state == RowState::NeedsWork && self.sheet.is_sendable() && said == 0;
        let unread = unread(self.row.id, &self.sheet);
        let joined = ArticleRow {
            state: if may_be_tried { RowState::Ready } else { row.state },
            errors: unread.errors.saturating_add(u32::try_from(said).unwrap_or(u32::MAX)),
            wait_reason: row.wait,
            halt_reason: row.halt,
            refusal: row.refusal.map(|code| code.as_str()),
            set_aside: row.set_aside,
            left: row.left,
            linked: row.linked,
            ending: if verified { Some(Ending::Verified) } else { row.ending },
            images_done: row.images_done,
            changed: row.changed,
            at: row.at.map(|at| at.0),
            ..unread
        };
        self.live.map_or(joined.clone(), |live| shown_live(joined, live))
    }
}

/// An article as its folder alone shows it.
fn unread(id: u32, sheet: &Sheet) -> ArticleRow {
    ArticleRow {
        id,
        title: if sheet.title.is_empty() { name_of(sheet) } else { sheet.title.clone() },
        slug: sheet.slug.as_ref().map(|slug| slug.as_str().to_owned()).unwrap_or_default(),
        state: if sheet.is_sendable() { RowState::Ready } else { RowState::NeedsWork },
        wait_reason: None,
        halt_reason: None,
        refusal: None,
        set_aside: false,
        left: false,
        ending: None,
        linked: false,
        step: None,
        images_done: 0,
        images_total: sheet.images,
        errors: sheet.count(Severity::Error),
        warnings: sheet.count(Severity::Warning),
        changed: false,
        at: None,
    }
}

/// What has no title is called by its place.
fn name_of(sheet: &Sheet) -> String {
    let shown = sheet.location.shown();
    let name =
        if sheet.location.owns_folder { shown.parent().filter(|at| *at != Path::new("")) } else { None };
    name.unwrap_or(&shown).to_string_lossy().into_owned()
}

fn shown_live(row: ArticleRow, live: Live) -> ArticleRow {
    if matches!(row.state, RowState::Halted | RowState::Refused | RowState::Skipped) {
        return row;
    }
    let state = match live.step {
        None | Some(RowStep::Check | RowStep::Images) => RowState::Planned,
        Some(RowStep::Draft | RowStep::Verify) => RowState::Sending,
    };
    let images_done = row.images_done.max(live.images_done);
    ArticleRow { state, step: live.step, images_done, wait_reason: None, ending: None, ..row }
}

#[cfg(test)]
mod tests {
    use ichido_core::operation::HaltReason;

    use super::*;

    /// Articles of these slugs; one whose name begins with `broken` has an error.
    fn sheets(slugs: &[&str]) -> Vec<Sheet> {
        let folder = tempfile::tempdir().unwrap();
        for slug in slugs {
            let picture = if slug.starts_with("broken") { "![](missing.png)" } else { "" };
            let text = format!("---\ntitle: Title of {slug}\nslug: {slug}\n---\n\nText. {picture}\n");
            std::fs::write(folder.path().join(format!("{slug}.md")), text).unwrap();
            std::fs::write(folder.path().join("other.md"), "---\ntitle: o\n---\n\no\n").unwrap();
        }
        let (loaded, _) = ichido_engine::check(&[folder.path().to_owned()], Default::default()).unwrap();
        let named = loaded.iter().filter(|loaded| !loaded.location.file.ends_with("other.md"));
        // The folder is gone by then: what stands below is about the list alone.
        let mut sheets: Vec<Sheet> = named.map(Sheet::of).collect();
        for sheet in &mut sheets {
            sheet.path = PathBuf::from("/articles").join(&sheet.location.file);
        }
        sheets
    }

    fn halted() -> Row {
        Row {
            state: RowState::Halted,
            wait: None,
            halt: Some(HaltReason::OutcomeUnknown),
            refusal: None,
            set_aside: false,
            left: false,
            ending: None,
            linked: false,
            images_done: 0,
            changed: false,
            at: None,
            op_id: None,
            remote_id: None,
        }
    }

    #[test]
    fn an_article_keeps_its_id_while_others_come_and_go() {
        let mut list = List::default();
        list.replace(sheets(&["a", "b", "c"]));
        let id = list.by_path(Path::new("/articles/c.md")).unwrap().row.id;
        list.replace(sheets(&["c"]));
        assert_eq!(list.by_path(Path::new("/articles/c.md")).unwrap().row.id, id);
        list.replace(sheets(&["a", "b", "c", "d"]));
        assert_eq!(list.by_id(id).unwrap().row.slug, "c");
        let ids: HashSet<u32> = list.page(0, 10).rows.iter().map(|row| row.id).collect();
        assert_eq!((ids.len(), list.page(1, 2).rows.len(), list.page(9, 2).rows.len()), (4, 2, 0));
    }

    #[test]
    fn a_batch_takes_what_is_ready_of_what_was_picked() {
        let mut list = List::default();
        list.replace(sheets(&["a", "b", "broken"]));
        let ids: Vec<u32> = list.page(0, 10).rows.iter().map(|row| row.id).collect();
        assert_eq!(list.goes(None), ids[..2]);
        let broken = &list.page(2, 1).rows[0];
        assert_eq!(broken.state, RowState::NeedsWork);
        assert_eq!((broken.title.as_str(), broken.slug.as_str()), ("Title of broken", "broken"));
        assert_eq!(list.goes(Some(&ids[1..])), ids[1..2]);
        assert!(list.take_one(ids[0], halted()).is_some());
        assert_eq!(list.goes(None), ids[1..2]);
    }

    fn needs_work() -> Row {
        Row { state: RowState::NeedsWork, halt: None, ..halted() }
    }

    #[test]
    fn what_the_site_said_keeps_an_article_back_for_this_session_alone() {
        let mut list = List::default();
        list.replace(sheets(&["a"]));
        let id = list.page(0, 1).rows[0].id;
        let tag = Note::TagUnknown { name: "tea".to_owned() };
        list.by_id_mut(id).unwrap().notes.extend([Note::SameAlready, tag]);
        let row = list.take_one(id, needs_work()).unwrap();
        assert_eq!((row.state, row.errors), (RowState::NeedsWork, 1), "a mere note keeps nothing back");
        assert!(list.goes(None).is_empty());
        // Consent makes unknown tags no obstacle.
        list.forget_unknown_tags();
        let row = list.take_one(id, needs_work()).unwrap();
        assert_eq!((row.state, row.errors), (RowState::Ready, 0));
        assert_eq!(list.goes(None), [id]);
        // After a restart nothing is known of what the site said: it may be tried again.
        let mut restarted = List::default();
        restarted.replace(sheets(&["a", "broken"]));
        let ids: Vec<u32> = restarted.page(0, 2).rows.iter().map(|row| row.id).collect();
        restarted.take(vec![needs_work(), needs_work()]);
        let states: Vec<RowState> = restarted.page(0, 2).rows.iter().map(|row| row.state).collect();
        assert_eq!(states, [RowState::Ready, RowState::NeedsWork], "its own errors keep the other back");
        assert_eq!(restarted.goes(None), ids[..1]);
    }

    #[test]
    fn every_change_is_told_once_and_counts_up() {
        let mut list = List::default();
        list.replace(sheets(&["a"]));
        let (id, before) = (list.page(0, 1).rows[0].id, list.page(0, 1).revision);
        let draft = Live { step: Some(RowStep::Draft), images_done: 0 };
        assert_eq!(list.step(id, draft).unwrap().state, RowState::Sending);
        assert!(list.step(id, draft).is_none(), "nothing changed");
        // A halt is shown although the batch still speaks of the article.
        assert_eq!(list.take_one(id, halted()).unwrap().state, RowState::Halted);
        assert!(list.take(vec![halted()]).is_empty());
        assert!(list.next_revision() > before);
    }
}
