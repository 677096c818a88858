//! Says what a batch would do, and does nothing.

use std::collections::{HashMap, HashSet};

use ichido_article::Article;
use ichido_core::apply::Standing;
use ichido_core::decide::{AfterAdopt, Decision, Local};
use ichido_core::digest::Digest;
use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, Kind, State, WaitReason};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{Barrier, DoneBy, Ending, Pause};
use ichido_journal::{BarrierEntry, Key, Operation};

use crate::errors::RunError;
use crate::event::{End, Event, Note, Reason};
use crate::fields::Fields;
use crate::item::{
    Item, POST_TYPE, clash, image_key, image_title, is_held_by_another, still_refused, tell_filtered,
    visible_digest,
};
use crate::looks::{Depth, Seen, look};
use crate::reconcile::{decide_for, notes_of};
use crate::report::Report;
use crate::session::{Session, links_of};
use crate::terms::{self, Terms};

/// Returns how each article would end if everything that is sent were answered.
///
/// # Errors
/// Fails only if the journal cannot be read.
pub(crate) async fn foresee(
    session: &Session<'_>,
    items: &mut [Item],
    create_tags: bool,
) -> Result<Report, RunError> {
    for item in items.iter_mut() {
        recall(session, item)?;
    }
    let mut report = Report { barrier: standing_barrier(session).await?, ..Report::default() };
    let (mut ends, sendable) = by_looking(session, items, &mut report).await?;
    let articles = sendable.iter().filter_map(|index| items.get(*index)?.article.as_ref());
    let in_the_way = InTheWay::find(session, articles, create_tags).await?;
    let obstacle = in_the_way.terms.as_ref().err().or(in_the_way.fields.as_ref().err());
    if let Some(pause) = obstacle
        && !sendable.is_empty()
    {
        report.pause = Some(*pause);
    }
    if !session.identity.can.edit_posts() && ends.iter().any(|end| end.ending == Ending::Waiting) {
        report.pause = Some(Pause::Refused);
    }
    let mut halted_images = HashSet::new();
    for index in sendable {
        let (Some(item), Some(end)) = (items.get(index), ends.get_mut(index)) else { continue };
        let Some(article) = &item.article else { continue };
        let (ending, reason, notes) = if report.barrier.is_some() {
            (Ending::Waiting, Some(Reason::Wait(WaitReason::ReleaseNeeded)), Vec::new())
        } else {
            in_the_way.of(session, article)
        };
        (end.ending, end.reason) = (ending, reason);
        if reason == Some(Reason::Wait(WaitReason::ImageInDoubt)) {
            let keys = article.images.iter().map(image_key);
            halted_images.extend(keys.filter(|key| in_the_way.in_doubt.get(key) == Some(&true)));
        }
        for note in notes {
            session.tell(&Event::Noted { article: item.name.clone(), note });
        }
        if ending == Ending::Created {
            tell_filtered(session, item);
        }
    }
    report.tally.halted_images = halted_images.len();
    for (item, end) in items.iter().zip(ends) {
        session.tell(&Event::Foreseen { article: item.name.clone(), end: end.clone() });
        report.tally.count_as(end.ending);
        report.articles.push((item.name.clone(), end));
    }
    Ok(report)
}

/// Looks for what the articles are, and says how each would end. Returns besides which could be sent.
async fn by_looking(
    session: &Session<'_>,
    items: &[Item],
    report: &mut Report,
) -> Result<(Vec<End>, Vec<usize>), RunError> {
    let visible: HashMap<OpId, Digest> = items
        .iter()
        .filter_map(|item| Some((item.operation.as_ref()?.op_id, visible_digest(item.article.as_ref()?)?)))
        .collect();
    let operations: Vec<&Operation> = items.iter().filter_map(|item| item.operation.as_ref()).collect();
    let seen = look(session, &operations, &visible, Depth::AsNeeded).await?;
    let mut ends = Vec::with_capacity(items.len());
    let mut sendable = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let (Some(operation), Some(article), None) = (&item.operation, &item.article, item.held) else {
            ends.push(item.end(session.site_url));
            continue;
        };
        let decision = decided(operation, &seen, Some(article));
        for note in notes_of(&decision) {
            session.tell(&Event::Noted { article: item.name.clone(), note });
        }
        if matches!(decision, Decision::StayInDoubt(_)) {
            report.tally.could_not_ask += 1;
        }
        let mut end = would_end(session, operation, &decision);
        if end.ending == Ending::Created {
            sendable.push(index);
        } else if end.ending == Ending::Refused {
            end.reason = item.refused.map(Reason::Refusal);
        }
        ends.push(end);
    }
    Ok((ends, sendable))
}

fn decided(operation: &Operation, seen: &HashMap<OpId, Seen>, article: Option<&Article>) -> Decision {
    let changed_since = match (article, operation.source_digest) {
        (Some(article), Some(then)) => then != Digest(article.source_digest),
        (None, _) | (_, None) => false,
    };
    seen.get(&operation.op_id)
        .map_or(Decision::Keep, |seen| decide_for(operation, &seen.evidence, Local { changed_since }))
}

/// Finds the record of an article, or imagines the one that it would get.
fn recall(session: &Session<'_>, item: &mut Item) -> Result<(), RunError> {
    let Some(article) = &item.article else { return Ok(()) };
    let key = Key::post(&article.slug);
    let Some(mut record) = session.runner.by_key(session.site.id, Kind::Post, POST_TYPE, &key)? else {
        item.operation = Some(imagined_post(session, item, article, key)?);
        return Ok(());
    };
    if is_held_by_another(&record, item) {
        session.tell(&Event::Noted { article: item.name.clone(), note: clash(&record) });
        item.held = Some(Ending::NeedsWork);
        return Ok(());
    }
    let digest = Some(Digest(article.source_digest));
    let reopened = match record.standing.state {
        State::NeedsWork => true,
        State::Refused => {
            let refused = still_refused(session, &record)?;
            item.refused = refused;
            refused.is_none() || record.source_digest != digest
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
        record.standing = Standing::PLANNED;
    }
    if !record.standing.may_have_left {
        // A real run would bring the record up to date first.
        article.slug.as_str().clone_into(&mut record.slug);
        record.title.clone_from(&article.title);
        record.source_digest = digest;
        let can_move = matches!(record.standing.state, State::Planned | State::Waiting(_));
        if can_move && !record.declared_new && has_moved(session, item, article, &record.key)? {
            record.standing.state = State::Halted(HaltReason::SlugChanged);
        }
    }
    item.operation = Some(record);
    Ok(())
}

fn has_moved(session: &Session<'_>, item: &Item, article: &Article, key: &Key) -> Result<bool, RunError> {
    let digest = Some(Digest(article.source_digest));
    let path = Some(item.name.path.as_path());
    Ok(session.runner.moved(session.site.id, POST_TYPE, key, path, digest)?.is_some())
}

/// Returns what would shut creating once everything in doubt had been looked for.
async fn standing_barrier(session: &Session<'_>) -> Result<Option<Barrier>, RunError> {
    for entry in session.runner.barriers(Some(session.site.id))? {
        if entry.barrier != Barrier::UncleanStop || !would_be_lifted(session, &entry).await? {
            return Ok(Some(entry.barrier));
        }
    }
    Ok(None)
}

/// An unclean stop settles by itself if all that was being sent is found.
async fn would_be_lifted(session: &Session<'_>, entry: &BarrierEntry) -> Result<bool, RunError> {
    let stopped: Vec<OpId> = entry
        .detail
        .as_ref()
        .and_then(|detail| serde_json::from_value(detail.get("operations")?.clone()).ok())
        .unwrap_or_default();
    let mut operations = Vec::with_capacity(stopped.len());
    for op_id in &stopped {
        operations.extend(session.runner.operation(*op_id)?);
    }
    let asked: Vec<&Operation> = operations.iter().collect();
    let seen = look(session, &asked, &HashMap::new(), Depth::AsNeeded).await?;
    Ok(!stopped.is_empty()
        && operations.len() == stopped.len()
        && operations.iter().all(|operation| {
            let settles = matches!(
                decided(operation, &seen, None),
                Decision::Adopt { then: AfterAdopt::Done, .. } | Decision::Verified(_)
            );
            settles || operation.standing.state == State::Done
        }))
}

/// What would keep articles from being sent that a look allows to be.
struct InTheWay {
    terms: Result<Terms, Pause>,
    fields: Result<Fields, Pause>,
    create_tags: bool,
    /// Images in doubt, by their keys, and whether each needs a person.
    in_doubt: HashMap<Key, bool>,
    /// Images that would have to be uploaded first.
    to_be_uploaded: HashSet<Key>,
    could_not_ask: bool,
}

impl InTheWay {
    async fn find<'a>(
        session: &Session<'_>,
        articles: impl Iterator<Item = &'a Article> + Clone,
        create_tags: bool,
    ) -> Result<Self, RunError> {
        let terms = terms::find(session, articles.clone()).await?;
        let fields = Fields::find(session, articles.clone()).await;
        let mut images = HashMap::new();
        for image in articles.flat_map(|article| &article.images) {
            let key = image_key(image);
            if images.contains_key(&key) {
                continue;
            }
            let recorded = session.runner.by_key(session.site.id, Kind::Image, "", &key)?;
            let operation = recorded.unwrap_or_else(|| {
                let (slug, title) = (image.slug.as_str().to_owned(), image_title(image));
                imagined(session, Kind::Image, key.clone(), slug, title)
            });
            images.insert(key, operation);
        }
        let asked: Vec<&Operation> = images.values().collect();
        let seen = look(session, &asked, &HashMap::new(), Depth::AsNeeded).await?;
        let mut found = Self {
            terms,
            fields,
            create_tags,
            in_doubt: HashMap::new(),
            to_be_uploaded: HashSet::new(),
            could_not_ask: false,
        };
        for (key, operation) in &images {
            let state = operation.standing.state;
            match decided(operation, &seen, None) {
                Decision::Create | Decision::Replace => drop(found.to_be_uploaded.insert(key.clone())),
                Decision::Keep if state == State::Refused => drop(found.to_be_uploaded.insert(key.clone())),
                Decision::Keep if state == State::Done => {}
                Decision::Adopt { then: AfterAdopt::Done, .. } | Decision::Verified(_) => {}
                Decision::Wait(_) => found.could_not_ask = true,
                Decision::Keep => {
                    let halted = matches!(state, State::Halted(reason) if reason != HaltReason::CouldNotAsk);
                    found.in_doubt.insert(key.clone(), halted && !operation.standing.left);
                }
                Decision::Adopt { .. } | Decision::Halt(_) => drop(found.in_doubt.insert(key.clone(), true)),
                Decision::Skip { .. } | Decision::StayInDoubt(_) => {
                    found.in_doubt.insert(key.clone(), false);
                }
            }
        }
        Ok(found)
    }

    fn of(&self, session: &Session<'_>, article: &Article) -> (Ending, Option<Reason>, Vec<Note>) {
        let waiting = |reason| (Ending::Waiting, Some(Reason::Wait(reason)), Vec::new());
        let terms = match &self.terms {
            Ok(terms) => terms,
            Err(pause) => return waiting(pause.wait_reason()),
        };
        let fields = match &self.fields {
            Ok(fields) => fields,
            Err(pause) => return waiting(pause.wait_reason()),
        };
        let mut missing = terms.missing(article, self.create_tags);
        missing.extend(fields.of(article).err().into_iter().flatten());
        if !missing.is_empty() {
            return (Ending::NeedsWork, None, missing);
        }
        for image in &article.images {
            let key = image_key(image);
            if self.in_doubt.contains_key(&key) {
                let note = Note::ImageInDoubt { image: image.path() };
                return (Ending::Waiting, Some(Reason::Wait(WaitReason::ImageInDoubt)), vec![note]);
            }
            if self.to_be_uploaded.contains(&key) && !session.identity.can.upload_files() {
                let code = RefusalCode::CannotCreate;
                let note = Note::ImageRefused { image: image.path(), code };
                return (Ending::Refused, Some(Reason::Refusal(code)), vec![note]);
            }
        }
        if self.could_not_ask && !article.images.is_empty() {
            return waiting(WaitReason::CouldNotAsk);
        }
        let new = terms.new_tags(article).map(|name| Note::TagNew { name: name.clone() });
        (Ending::Created, None, new.collect())
    }
}

/// The record that the article would get.
fn imagined_post(
    session: &Session<'_>,
    item: &Item,
    article: &Article,
    key: Key,
) -> Result<Operation, RunError> {
    let moved = has_moved(session, item, article, &key)?;
    let slug = article.slug.as_str().to_owned();
    let mut operation = imagined(session, Kind::Post, key, slug, article.title.clone());
    POST_TYPE.clone_into(&mut operation.post_type);
    operation.source_path = Some(item.name.path.clone());
    operation.source_digest = Some(Digest(article.source_digest));
    if moved {
        operation.standing.state = State::Halted(HaltReason::SlugChanged);
    }
    Ok(operation)
}

fn imagined(session: &Session<'_>, kind: Kind, key: Key, slug: String, title: String) -> Operation {
    Operation {
        op_id: session.new_op_id(),
        site: session.site.id,
        kind,
        post_type: String::new(),
        key,
        standing: Standing::PLANNED,
        may_arrive: false,
        remote_id: None,
        recorded: None,
        needs_post_process: false,
        slug,
        title,
        source_path: None,
        source_digest: None,
        sent_digest: None,
        normaliser: None,
        mark: None,
        expected: None,
        replaces: None,
        unknown: None,
        refusal: None,
        declared_new: false,
        created_at: session.now(),
        sent_at: None,
        settled_at: None,
        first_negative: None,
        last_look_at: None,
        next_look_at: None,
        looks: 0,
        evidence: None,
        findings: None,
    }
}

fn would_end(session: &Session<'_>, operation: &Operation, decision: &Decision) -> End {
    let now = Ending::of(operation.standing, DoneBy::Earlier);
    let (ending, reason) = match decision {
        Decision::Create => (Ending::Created, None),
        Decision::Skip { .. } => (Ending::Skipped, None),
        Decision::Adopt { then: AfterAdopt::Done, .. } => (Ending::Adopted, None),
        Decision::Adopt { then: AfterAdopt::Halt(reason), .. } | Decision::Halt(reason) => {
            (Ending::of(halted(*reason), DoneBy::Earlier), Some(Reason::Halt(*reason)))
        }
        Decision::Verified(_) => (Ending::Verified, None),
        Decision::Wait(reason) => (Ending::Waiting, Some(Reason::Wait(*reason))),
        Decision::Replace => (Ending::Created, None),
        Decision::StayInDoubt(_) => (Ending::Unknown, None),
        Decision::Keep => (now, operation.standing.state.reason().and(halt_reason(operation))),
    };
    End { op_id: None, ending, reason, id: operation.remote_id, links: links_of(session.site_url, operation) }
}

fn halted(reason: HaltReason) -> Standing {
    Standing { state: State::Halted(reason), may_have_left: true, left: false }
}

fn halt_reason(operation: &Operation) -> Option<Reason> {
    match operation.standing.state {
        State::Halted(reason) => Some(Reason::Halt(reason)),
        State::Waiting(reason) => Some(Reason::Wait(reason)),
        State::Planned
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Sending
        | State::Done
        | State::Abandoned => None,
    }
}
