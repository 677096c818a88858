//! Asks the site about many operations in few requests.

use std::collections::{HashMap, HashSet};

use ichido_core::content;
use ichido_core::digest::Digest;
use ichido_core::evidence::{AskFailure, ById, Evidence, Looked};
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{Kind, State};
use ichido_core::slug::Slug;
use ichido_core::time::Timestamp;
use ichido_journal::{Operation, ReadError};
use ichido_wordpress::{AskError, Class, Row, UploadedFile};
use serde_json::{Value, json};

use crate::evidence::{Aside, Known, concerns, family, found, is_told_by_bytes, slug_of};
use crate::session::Session;

/// What one look showed of one operation.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) evidence: Evidence,
    /// The rows behind the evidence, for recording the one that is adopted.
    pub(crate) rows: HashMap<RemoteId, Row>,
    /// The site's clock when it answered.
    pub(crate) site_time: Option<Timestamp>,
    /// Whether the site could not be asked about this one, and answered about others.
    pub(crate) alone: bool,
}

impl Seen {
    fn failed(failure: AskFailure, alone: bool) -> Self {
        Self { evidence: Evidence::CouldNotAsk(failure), rows: HashMap::new(), site_time: None, alone }
    }

    /// Returns what was seen in brief, for the journal: ids and facts, no content.
    pub(crate) fn summary(&self) -> Value {
        match &self.evidence {
            Evidence::CouldNotAsk(failure) => json!({ "could_not_ask": failure.as_str() }),
            Evidence::Looked(looked) => json!({
                "rows": looked.rows.iter().map(|row| json!({
                    "id": row.id,
                    "slug": self.rows.get(&row.id).map(|row| row.slug.as_str()),
                    "at_slug": row.slug_matches,
                    "in_trash": row.in_trash,
                    "mine": row.mine,
                    "new": row.above_mark,
                    "marker": format!("{:?}", row.marker).to_lowercase(),
                    "same": row.same_content,
                    "complete": row.complete,
                    "accounted": format!("{:?}", row.accounted).to_lowercase(),
                    "title": self.rows.get(&row.id).and_then(|row| row.title.as_deref()).map(shortened),
                    "status": self.rows.get(&row.id).map(|row| row.status.as_str()),
                })).collect::<Vec<_>>(),
                "hidden": looked.hidden,
                "by_id": match &looked.by_id {
                    ById::NotAsked => Value::Null,
                    ById::Gone => json!("gone"),
                    ById::Forbidden => json!("forbidden"),
                    ById::There(row) => json!({
                        "id": row.id,
                        "slug": self.rows.get(&row.id).map(|row| row.slug.as_str()),
                        "in_trash": row.in_trash,
                        "at_slug": row.slug_matches,
                    }),
                },
            }),
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(120).collect()
}

/// How thorough a look must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What a decision about each operation needs: the slug before a send, everything in doubt, the id
    /// of what is done.
    AsNeeded,
    /// Besides, whether anything else turned up at the slugs of what is done.
    WithDuplicates,
}

/// Looks for operations of one kind (posts or images).
///
/// `visible` gives, for operations that were never sent, the digest of what a reader would see.
///
/// # Errors
/// Fails only if the journal does; what the site does not tell is evidence.
pub(crate) async fn look(
    session: &Session<'_>,
    operations: &[&Operation],
    visible: &HashMap<OpId, Digest>,
    depth: Depth,
) -> Result<HashMap<OpId, Seen>, ReadError> {
    let mut seen = HashMap::with_capacity(operations.len());
    for (kind, class) in [(Kind::Post, Class::Posts), (Kind::Image, Class::Media)] {
        let asked: Vec<&Operation> =
            operations.iter().copied().filter(|operation| operation.kind == kind).collect();
        if asked.is_empty() {
            continue;
        }
        match ask(session, class, &asked, depth).await? {
            Ok(answers) => judge(session, kind, &asked, visible, &answers, &mut seen)?,
            Err(error) => {
                tracing::warn!(failure = error.failure().as_str(), "a look-up failed");
                seen.extend(
                    asked.iter().map(|operation| (operation.op_id, Seen::failed(error.failure(), false))),
                );
            }
        }
    }
    Ok(seen)
}

/// Everything that the look-ups of one kind answered.
struct Answers {
    rows: HashMap<RemoteId, Row>,
    hidden_slugs: HashSet<Slug>,
    unasked: HashSet<Slug>,
    hidden_above: bool,
    files: HashMap<RemoteId, UploadedFile>,
    above: HashSet<RemoteId>,
    by_id: HashMap<RemoteId, ichido_wordpress::ById>,
    site_time: Option<Timestamp>,
}

async fn ask(
    session: &Session<'_>,
    class: Class,
    operations: &[&Operation],
    depth: Depth,
) -> Result<Result<Answers, AskError>, ReadError> {
    let mut answers = Answers {
        rows: HashMap::new(),
        hidden_slugs: HashSet::new(),
        unasked: HashSet::new(),
        hidden_above: false,
        files: HashMap::new(),
        above: HashSet::new(),
        by_id: HashMap::new(),
        site_time: None,
    };
    let in_doubt: Vec<&Operation> =
        operations.iter().copied().filter(|operation| needs_list(operation)).collect();
    // The list comes first: a row that appears between two questions is then still found by its slug.
    if let Some(mark) = in_doubt.iter().filter_map(|operation| operation.mark).min() {
        let listing = match session.client.above(class, mark, session.scope()).await {
            Ok(listing) => listing,
            Err(error) => return Ok(Err(error)),
        };
        answers.site_time = listing.site_time;
        answers.hidden_above = listing.value.hidden > 0;
        answers.above.extend(listing.value.rows.iter().map(|row| row.id));
    }
    let slugs = slugs_to_ask(session, operations, depth)?;
    if !slugs.is_empty() {
        // Of what is done only live rows matter: what lies in the trash is found by its id.
        let all_done = operations.iter().all(|operation| operation.standing.state == State::Done);
        let asked = if all_done {
            session.client.by_live_slugs(class, &slugs).await
        } else {
            session.client.by_slugs(class, &slugs).await
        };
        let by_slugs = match asked {
            Ok(by_slugs) => by_slugs,
            Err(error) => return Ok(Err(error)),
        };
        answers.site_time = by_slugs.site_time.or(answers.site_time);
        answers.hidden_slugs.extend(by_slugs.value.hidden);
        answers.unasked.extend(by_slugs.value.unasked);
        answers.rows.extend(by_slugs.value.rows.into_iter().map(|row| (row.id, row)));
    }
    for predecessor in given_up(session, class, operations)? {
        // It may have been executed after all, at any slug: only its marker tells.
        match session.client.search(class, predecessor).await {
            Ok(found) => answers.rows.extend(found.value.into_iter().map(|row| (row.id, row))),
            Err(error) => return Ok(Err(error)),
        }
    }
    let mut ids: Vec<RemoteId> = operations.iter().filter_map(|operation| operation.remote_id).collect();
    // A row that was just shown whole need not be asked for again.
    ids.retain(|id| match answers.rows.get(id) {
        Some(row) if row.content.is_some() => {
            answers.by_id.insert(*id, ichido_wordpress::ById::There(Box::new(row.clone())));
            false
        }
        Some(_) | None => true,
    });
    let kind = operations.first().map_or(Kind::Post, |operation| operation.kind);
    let above: Vec<RemoteId> =
        answers.above.iter().copied().filter(|id| !answers.rows.contains_key(id)).collect();
    let owned = session.runner.by_remote_ids(session.site.id, kind, &above)?;
    ids.extend(above.into_iter().filter(|id| !owned.contains_key(id)));
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        let by_ids = match session.client.by_ids(class, &ids).await {
            Ok(by_ids) => by_ids,
            Err(error) => return Ok(Err(error)),
        };
        answers.site_time = by_ids.site_time.or(answers.site_time);
        for (id, by_id) in by_ids.value {
            if let ichido_wordpress::ById::There(row) = &by_id {
                answers.rows.insert(id, (**row).clone());
            }
            answers.by_id.insert(id, by_id);
        }
    }
    answers.files = read_files(session, operations, &answers.rows).await;
    Ok(Ok(answers))
}

/// The most files that are read in one look.
const MOST_FILES: usize = 8;

/// Reads the uploaded files of images whose rows do not tell whether they are what was sent.
async fn read_files(
    session: &Session<'_>,
    operations: &[&Operation],
    rows: &HashMap<RemoteId, Row>,
) -> HashMap<RemoteId, UploadedFile> {
    let mut files = HashMap::new();
    for row in rows.values() {
        let size =
            operations.iter().find_map(|operation| is_told_by_bytes(row, operation, session.identity.id));
        if let (Some(size), Some(media)) = (size, &row.media)
            && files.len() < MOST_FILES
            && let Some(file) = session.client.uploaded_file(media, size).await
        {
            files.insert(row.id, file);
        }
    }
    files
}

/// Returns the operations that were given up on the way to these; images carry no marker to look for.
fn given_up(session: &Session<'_>, class: Class, operations: &[&Operation]) -> Result<Vec<OpId>, ReadError> {
    let mut given_up = Vec::new();
    for operation in
        operations.iter().filter(|operation| operation.replaces.is_some() && class == Class::Posts)
    {
        given_up.extend(session.runner.predecessors(operation.op_id)?);
    }
    Ok(given_up)
}

/// Whether rows that appeared since the send must be listed to judge the operation: its effect is not recorded, or
/// the halted row that is recorded may be another than the one that its request makes.
fn needs_list(operation: &Operation) -> bool {
    let is_halted = matches!(operation.standing.state, State::Halted(_));
    operation.standing.may_have_left && (operation.remote_id.is_none() || (operation.may_arrive && is_halted))
}

/// Whether the request of an operation that was given up may still be executed.
fn may_turn_up(operation: &Operation) -> bool {
    operation.standing.may_have_left && (operation.remote_id.is_none() || operation.may_arrive)
}

fn slugs_to_ask(
    session: &Session<'_>,
    operations: &[&Operation],
    depth: Depth,
) -> Result<Vec<Slug>, ReadError> {
    let mut slugs: Vec<Slug> = operations
        .iter()
        .filter(|operation| operation.standing.state != State::Done || depth == Depth::WithDuplicates)
        .filter_map(|operation| slug_of(operation))
        .collect();
    for operation in operations {
        let before = given_up_images(session, operation)?;
        for given_up in &before {
            slugs.extend(family(given_up, before.len()));
        }
    }
    slugs.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    slugs.dedup();
    Ok(slugs)
}

/// Returns the images that were given up on the way to this one and may still be uploaded.
fn given_up_images(session: &Session<'_>, operation: &Operation) -> Result<Vec<Operation>, ReadError> {
    let mut given_up = Vec::new();
    if operation.kind == Kind::Image && operation.replaces.is_some() {
        for before in session.runner.predecessors(operation.op_id)? {
            given_up.extend(session.runner.operation(before)?.filter(may_turn_up));
        }
    }
    Ok(given_up)
}

fn judge(
    session: &Session<'_>,
    kind: Kind,
    operations: &[&Operation],
    visible: &HashMap<OpId, Digest>,
    answers: &Answers,
    seen: &mut HashMap<OpId, Seen>,
) -> Result<(), ReadError> {
    let ids: Vec<RemoteId> = answers.rows.keys().copied().collect();
    let carried: HashMap<RemoteId, OpId> = answers
        .rows
        .values()
        .filter_map(|row| Some((row.id, content::marker_of(row.content.as_deref()?)?)))
        .collect();
    let markers: Vec<OpId> = carried.values().copied().collect();
    let known = Known {
        owners: session.runner.by_remote_ids(session.site.id, kind, &ids)?,
        markers: session.runner.known_ops(&markers)?,
        carried,
        files: answers.files.clone(),
    };
    for operation in operations {
        if slug_of(operation).is_some_and(|slug| answers.unasked.contains(&slug)) {
            seen.insert(operation.op_id, Seen::failed(AskFailure::Forbidden, true));
            continue;
        }
        let aside = Aside {
            given_up: given_up_images(session, operation)?,
            predecessors: if operation.replaces.is_some() {
                session.runner.predecessors(operation.op_id)?
            } else {
                Vec::new()
            },
            dismissed: session.runner.dismissed(operation.op_id)?,
            visible: visible.get(&operation.op_id).copied(),
        };
        let compare = |row: &Row| found(row, operation, &aside, &known, session.identity.id);
        let mut rows = Vec::new();
        let mut behind = HashMap::new();
        for row in answers.rows.values() {
            let is_new = needs_list(operation) && answers.above.contains(&row.id);
            if concerns(row, operation, &aside, &known, is_new, session.identity.id) {
                behind.insert(row.id, row.clone());
                rows.push(compare(row));
            }
        }
        rows.sort_unstable_by_key(|row| row.id);
        let slug_hidden = slug_of(operation).is_some_and(|slug| answers.hidden_slugs.contains(&slug));
        let by_id = match operation.remote_id.map(|id| (id, answers.by_id.get(&id))) {
            None | Some((_, None)) => ById::NotAsked,
            Some((_, Some(ichido_wordpress::ById::Gone))) => ById::Gone,
            Some((_, Some(ichido_wordpress::ById::Forbidden))) => ById::Forbidden,
            Some((id, Some(ichido_wordpress::ById::There(row)))) => {
                behind.insert(id, (**row).clone());
                ById::There(compare(row))
            }
        };
        let hidden = slug_hidden || (needs_list(operation) && answers.hidden_above);
        let evidence = Evidence::Looked(Looked { rows, hidden, by_id });
        seen.insert(
            operation.op_id,
            Seen { evidence, rows: behind, site_time: answers.site_time, alone: false },
        );
    }
    Ok(())
}
