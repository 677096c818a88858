//! The articles of one batch, with what becomes of each.

use std::collections::HashMap;

use ichido_article::{Article, Finding, FindingCode, Loaded, Severity};
use ichido_core::apply::{Blocked, Event as CoreEvent, Standing};
use ichido_core::content;
use ichido_core::digest::Digest;
use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{DoneBy, Ending, Tally};
use ichido_journal::{ImageUse, Key, NewOperation, Note as JournalNote, Operation, Runner};
use serde_json::json;

use crate::errors::RunError;
use crate::event::{ArticleName, End, Event, Note, Part, Reason};
use crate::session::{Session, links_of, name_of};

/// The only post type that is registered.
pub(crate) const POST_TYPE: &str = "post";

/// One article of a batch.
pub(crate) struct Item {
    pub(crate) name: ArticleName,
    /// The article, where it has no error.
    pub(crate) article: Option<Article>,
    /// Its record, where it has one.
    pub(crate) operation: Option<Operation>,
    pub(crate) done_by: DoneBy,
    /// What keeps it from being sent although its record says nothing of it.
    pub(crate) held: Option<Ending>,
    /// Why it waits, where it has no record that says so.
    pub(crate) waits: Option<WaitReason>,
    /// The site's refusal of one of its images.
    pub(crate) refused: Option<RefusalCode>,
    /// What of it stays only on sites that keep any HTML of this user.
    pub(crate) filtered: Vec<Part>,
    /// Whether what the site stored of it was compared with what was sent.
    pub(crate) compared: bool,
    /// When the last look for it was made, by the monotonic clock, if it was complete and found nothing: a
    /// send rests on that alone.
    pub(crate) cleared_at: Option<u64>,
}

impl Item {
    pub(crate) fn of(loaded: Loaded, name: ArticleName) -> Self {
        let broken = loaded.article.is_none() || has_error(&loaded.findings);
        let filtered = filtered(&loaded.findings);
        Self {
            name,
            article: if broken { None } else { loaded.article },
            operation: None,
            done_by: DoneBy::Earlier,
            held: broken.then_some(Ending::NeedsWork),
            waits: None,
            refused: None,
            filtered,
            compared: false,
            cleared_at: None,
        }
    }

    /// An article as the journal has it, without its text.
    pub(crate) fn recorded(operation: Operation) -> Self {
        Self {
            name: name_of(&operation),
            article: None,
            operation: Some(operation),
            done_by: DoneBy::Adoption,
            held: None,
            waits: None,
            refused: None,
            filtered: Vec::new(),
            compared: false,
            cleared_at: None,
        }
    }

    /// Counts how it ended.
    pub(crate) fn count(&self, tally: &mut Tally) {
        match (self.held, self.standing()) {
            (None, Some(standing)) => tally.count(standing, self.done_by),
            (Some(ending), _) => tally.count_as(ending),
            (None, None) => tally.count_as(Ending::Waiting),
        }
    }

    pub(crate) fn standing(&self) -> Option<Standing> {
        self.operation.as_ref().map(|operation| operation.standing)
    }

    pub(crate) fn is_in(&self, state: State) -> bool {
        self.held.is_none() && self.standing().is_some_and(|standing| standing.state == state)
    }

    /// Whether it may still be sent in this run, if a look allows it.
    pub(crate) fn may_be_sent(&self) -> bool {
        self.held.is_none()
            && self.article.is_some()
            && self.standing().is_some_and(|standing| {
                !standing.may_have_left && matches!(standing.state, State::Planned | State::Waiting(_))
            })
    }

    /// Whether it may be sent now.
    pub(crate) fn is_cleared(&self) -> bool {
        self.cleared_at.is_some() && self.may_be_sent()
    }

    /// Returns how it ended, as things stand.
    pub(crate) fn end(&self, site_url: &str) -> End {
        let Some(operation) = &self.operation else {
            return End {
                op_id: None,
                ending: self.held.unwrap_or(Ending::Waiting),
                reason: self.waits.map(Reason::Wait),
                id: None,
                links: None,
            };
        };
        let ending = self.held.unwrap_or_else(|| Ending::of(operation.standing, self.done_by));
        let reason = match operation.standing.state {
            State::Halted(reason) => Some(Reason::Halt(reason)),
            State::Waiting(reason) => Some(Reason::Wait(reason)),
            State::Planned => Some(Reason::Wait(WaitReason::Stopped)),
            State::Refused => {
                self.refused.or(operation.refusal.as_ref().map(|refusal| refusal.code)).map(Reason::Refusal)
            }
            State::NeedsWork | State::Skipped | State::Sending | State::Done | State::Abandoned => None,
        };
        End {
            op_id: Some(operation.op_id),
            ending,
            reason: if self.held.is_some() { self.waits.map(Reason::Wait) } else { reason },
            id: operation.remote_id,
            links: links_of(site_url, operation),
        }
    }
}

fn filtered(findings: &[Finding]) -> Vec<Part> {
    findings
        .iter()
        .filter(|finding| finding.code == FindingCode::HtmlForUnfiltered)
        .filter_map(|finding| {
            let element = finding.params.get("element")?;
            Some(Part { line: finding.line, what: format!("<{element}>") })
        })
        .collect()
}

/// Says what the site will not keep of articles that are about to be sent, where the user may not store any HTML.
pub(crate) fn tell_filtered(session: &Session<'_>, item: &Item) {
    if !item.filtered.is_empty() && !session.identity.can.unfiltered_html() {
        let note = Note::WillBeFiltered { parts: item.filtered.clone() };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
}

pub(crate) fn has_error(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// Reads the record of an item anew.
pub(crate) fn refresh(session: &Session<'_>, item: &mut Item) -> Result<(), RunError> {
    if let Some(operation) = &item.operation {
        item.operation = current(session, operation.op_id)?;
    }
    Ok(())
}

/// Returns the operation, or the one that took its place.
fn current(session: &Session<'_>, op_id: OpId) -> Result<Option<Operation>, RunError> {
    let Some(operation) = session.runner.operation(op_id)? else { return Ok(None) };
    if operation.standing.state != State::Abandoned {
        return Ok(Some(operation));
    }
    let standing_in =
        session.runner.by_key(operation.site, operation.kind, &operation.post_type, &operation.key)?;
    Ok(Some(standing_in.unwrap_or(operation)))
}

/// Says how an item ended.
pub(crate) fn tell_end(session: &Session<'_>, item: &Item) {
    session.tell(&Event::Ended { article: item.name.clone(), end: item.end(session.site_url) });
}

/// Moves an item's record by what keeps it from being sent, and says so.
pub(crate) fn block(session: &Session<'_>, item: &mut Item, blocked: Blocked) -> Result<(), RunError> {
    if let Some(operation) = &item.operation {
        session.runner.apply(operation.op_id, CoreEvent::Blocked(blocked), JournalNote::at(session.now()))?;
        refresh(session, item)?;
    }
    tell_end(session, item);
    Ok(())
}

/// Finds or makes the record of every article, and its images' records, in one transaction.
///
/// # Errors
/// Fails only if the journal does.
pub(crate) fn plan(session: &Session<'_>, items: &mut [Item]) -> Result<(), RunError> {
    let keys: Vec<Key> =
        items.iter().filter_map(|item| Some(Key::post(&item.article.as_ref()?.slug))).collect();
    let existing = session.runner.by_keys(session.site.id, Kind::Post, POST_TYPE, &keys)?;
    let mut new = Vec::new();
    let mut planned = Vec::new();
    let mut moved = HashMap::new();
    for (index, item) in items.iter_mut().enumerate() {
        let Some(article) = &item.article else { continue };
        let key = Key::post(&article.slug);
        let record = existing.get(&key);
        if let Some(record) = record.filter(|record| is_held_by_another(record, item)) {
            session.tell(&Event::Noted { article: item.name.clone(), note: clash(record) });
            item.held = Some(Ending::NeedsWork);
            continue;
        }
        // Asked of everything that has not left, not of new records only: a run may have been cut off
        // between recording an article and asking this.
        if record.is_none_or(|record| !record.standing.may_have_left && !record.declared_new) {
            let digest = Digest(article.source_digest);
            let path = Some(item.name.path.as_path());
            if let Some(record) =
                session.runner.moved(session.site.id, POST_TYPE, &key, path, Some(digest))?
            {
                moved.insert(index, (record.op_id, record.slug));
            }
        }
        for image in &article.images {
            new.push(NewOperation {
                op_id: session.new_op_id(),
                site: session.site.id,
                kind: Kind::Image,
                post_type: String::new(),
                key: image_key(image),
                slug: image.slug.as_str().to_owned(),
                title: image_title(image),
                source_path: Some(image.path()),
                source_digest: Some(Digest(image.digest)),
                images: Vec::new(),
            });
        }
        planned.push((index, new.len(), existing.get(&key).and_then(|record| record.source_digest)));
        new.push(NewOperation {
            op_id: session.new_op_id(),
            site: session.site.id,
            kind: Kind::Post,
            post_type: POST_TYPE.to_owned(),
            key,
            slug: article.slug.as_str().to_owned(),
            title: article.title.clone(),
            source_path: Some(item.name.path.clone()),
            source_digest: Some(Digest(article.source_digest)),
            images: image_uses(article),
        });
    }
    withdraw(session, items)?;
    let operations = session.runner.plan_all(&new, session.now())?;
    for (index, at, digest_before) in planned {
        let Some(item) = items.get_mut(index) else { continue };
        item.operation = operations.get(at).cloned();
        if let Some((op_id, slug)) = moved.get(&index) {
            stop_as_moved(session, item, *op_id, slug)?;
        }
        reopen(session, item, digest_before)?;
    }
    Ok(())
}

/// A record whose article still stands at another place is that article's.
pub(crate) fn is_held_by_another(record: &Operation, item: &Item) -> bool {
    record.source_path.as_ref().is_some_and(|path| *path != item.name.path && path.exists())
}

pub(crate) fn clash(record: &Operation) -> Note {
    Note::SlugTaken { other: record.source_path.clone().unwrap_or_default() }
}

/// An article that was put back to the slug under which it was sent before asks for nothing any more.
fn withdraw(session: &Session<'_>, items: &[Item]) -> Result<(), RunError> {
    for halted in session.runner.needs_attention(Some(session.site.id))? {
        let moved = State::Halted(HaltReason::SlugChanged);
        if halted.kind != Kind::Post || halted.standing.state != moved || halted.standing.may_have_left {
            continue;
        }
        let put_back = items.iter().any(|item| {
            let slug = item.article.as_ref().map(|article| Key::post(&article.slug));
            halted.source_path.as_deref() == Some(item.name.path.as_path())
                && slug.is_some_and(|slug| slug != halted.key)
        });
        if put_back {
            session.runner.apply(halted.op_id, CoreEvent::Withdrawn, JournalNote::at(session.now()))?;
        }
    }
    Ok(())
}

fn stop_as_moved(session: &Session<'_>, item: &mut Item, of: OpId, slug: &str) -> Result<(), RunError> {
    let Some(operation) = &item.operation else { return Ok(()) };
    if operation.declared_new || !matches!(operation.standing.state, State::Planned | State::Waiting(_)) {
        return Ok(());
    }
    let note = JournalNote::at(session.now()).with_detail(json!({ "record": of, "slug": slug }));
    session.runner.apply(operation.op_id, CoreEvent::Blocked(Blocked::SlugChanged), note)?;
    refresh(session, item)
}

/// Takes up again what waited for the article, the settings or the site to change.
fn reopen(session: &Session<'_>, item: &mut Item, digest_before: Option<Digest>) -> Result<(), RunError> {
    let (Some(operation), Some(article)) = (&item.operation, &item.article) else { return Ok(()) };
    if operation.source_path.as_deref() != Some(item.name.path.as_path()) {
        session.runner.set_source_path(operation.op_id, &item.name.path)?;
    }
    let reopened = match operation.standing.state {
        State::NeedsWork => true,
        State::Refused => {
            let refused = still_refused(session, operation)?;
            item.refused = refused;
            refused.is_none() || digest_before != Some(Digest(article.source_digest))
        }
        State::Planned
        | State::Waiting(_)
        | State::Skipped
        | State::Sending
        | State::Halted(_)
        | State::Done
        | State::Abandoned => false,
    };
    if reopened {
        session.runner.apply(operation.op_id, CoreEvent::Reopened, JournalNote::at(session.now()))?;
    }
    refresh(session, item)
}

/// Says what keeps a refused article refused; nothing does where the user had no right to upload and has
/// it by now.
pub(crate) fn still_refused(
    session: &Session<'_>,
    operation: &Operation,
) -> Result<Option<RefusalCode>, RunError> {
    let refused = refusal_of(session.runner, operation)?;
    Ok(refused.or_else(|| (!session.identity.can.upload_files()).then_some(RefusalCode::CannotCreate)))
}

/// Returns the site's refusal of an article or of one of its images.
pub(crate) fn refusal_of(runner: &Runner, operation: &Operation) -> Result<Option<RefusalCode>, RunError> {
    if let Some(refusal) = &operation.refusal {
        return Ok(Some(refusal.code));
    }
    for used in runner.images_of(operation.op_id)? {
        let Some(image) = runner.operation(used.image)? else { continue };
        if let (State::Refused, Some(refusal)) = (image.standing.state, &image.refusal) {
            return Ok(Some(refusal.code));
        }
    }
    Ok(None)
}

/// Part of every image's key since the first version. How an image is prepared does not make it another one: that is
/// kept with what was sent.
const IMAGE_KEYS: u32 = 1;

/// Identifies an image by its original bytes.
pub(crate) fn image_key(image: &ichido_article::ArticleImage) -> Key {
    Key::image(Digest(image.digest), IMAGE_KEYS)
}

fn image_uses(article: &Article) -> Vec<ImageUse> {
    (0_u32..)
        .zip(&article.images)
        .map(|(position, image)| ImageUse {
            image: image_key(image),
            position,
            featured: article.featured == usize::try_from(position).ok(),
        })
        .collect()
}

pub(crate) fn image_title(image: &ichido_article::ArticleImage) -> String {
    if image.title.is_empty() { image.slug.as_str().to_owned() } else { image.title.clone() }
}

/// Returns the digest of what a reader would see of an article, to compare with what is there already.
pub(crate) fn visible_digest(article: &Article) -> Option<Digest> {
    let nowhere = ichido_article::PlacedImage { id: 0, url: "about:blank".to_owned(), size: None };
    let placed = vec![nowhere; article.images.len()];
    let raw = article.compose(&placed, None).ok()?;
    Some(content::visible_digest(&article.title, &raw))
}
