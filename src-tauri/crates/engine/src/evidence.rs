//! Compares rows of a site with what the journal holds, so that [`ichido_core::decide`] can judge.

use std::collections::{BTreeMap, HashMap, HashSet};

use ichido_core::content;
use ichido_core::digest::Digest;
use ichido_core::evidence::{Accounted, Found, MarkerSeen};
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{Kind, State};
use ichido_core::slug::Slug;
use ichido_journal::Operation;
use ichido_wordpress::{Row, UploadedFile};
use serde::{Deserialize, Serialize};

use crate::fields::Wanted;

/// What was sent beside title and content; kept with the `sending` row, so that a row that is found
/// later can be told to be complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Expected {
    pub(crate) tags: Vec<u64>,
    pub(crate) categories: Vec<u64>,
    pub(crate) featured_media: u64,
    pub(crate) excerpt: String,
    /// Fields that are written once the draft is there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fields: BTreeMap<String, Wanted>,
    /// For an image: the size of the file that was sent, in bytes.
    pub(crate) file_size: Option<u64>,
    /// For an image: the version of the way in which it was prepared.
    pub(crate) preparation: Option<u32>,
    /// For an image: whether it was made smaller.
    pub(crate) shrunk: bool,
}

impl Expected {
    pub(crate) fn of(operation: &Operation) -> Self {
        operation.expected.clone().and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
    }
}

/// What the journal knows about the rows that one look showed, read once for all operations.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Which operation owns a row.
    pub(crate) owners: HashMap<RemoteId, OpId>,
    /// Which operation's marker a row carries.
    pub(crate) carried: HashMap<RemoteId, OpId>,
    /// Which markers are of operations in this journal.
    pub(crate) markers: HashSet<OpId>,
    /// What is known of uploaded files.
    pub(crate) files: HashMap<RemoteId, UploadedFile>,
}

/// What the comparison needs of one operation beside its record.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    /// The operations that were given up on the way to this one.
    pub(crate) predecessors: Vec<OpId>,
    /// Those of them that are images and may still be executed: they carry no marker.
    pub(crate) given_up: Vec<Operation>,
    /// The rows that a person dismissed for it.
    pub(crate) dismissed: HashSet<RemoteId>,
    /// For an operation that was never sent: the digest of what a reader would see of the article.
    pub(crate) visible: Option<Digest>,
}

/// Tells cheaply whether a row has to be compared with an operation at all.
pub(crate) fn concerns(
    row: &Row,
    operation: &Operation,
    aside: &Aside,
    known: &Known,
    is_new: bool,
    our_user: u64,
) -> bool {
    let ours = known
        .carried
        .get(&row.id)
        .is_some_and(|op_id| *op_id == operation.op_id || aside.predecessors.contains(op_id));
    let new = is_new && row.author == our_user && operation.mark.is_some_and(|mark| row.id > mark);
    ours || new || slug_matches(row, operation) || is_of_given_up(row, operation, aside, our_user)
}

/// Compares one row with one operation.
pub(crate) fn found(row: &Row, operation: &Operation, aside: &Aside, known: &Known, our_user: u64) -> Found {
    Found {
        id: row.id,
        slug_matches: slug_matches(row, operation),
        in_trash: row.in_trash(),
        mine: row.author == our_user,
        above_mark: operation.mark.is_some_and(|mark| row.id > mark),
        marker: marker(row, operation, aside, known, our_user),
        same_content: same_content(row, operation, aside, known),
        complete: is_complete(row, operation),
        accounted: accounted(row, operation, aside, known),
    }
}

/// A done record is compared with the slug that the site gave it, any other with the one asked for.
pub(crate) fn slug_of(operation: &Operation) -> Option<Slug> {
    let recorded = operation.recorded.as_ref().filter(|_| operation.remote_id.is_some());
    let text = match recorded {
        Some(recorded) if !recorded.slug.is_empty() => &recorded.slug,
        _ => &operation.slug,
    };
    (!text.is_empty()).then(|| Slug::from_site(text))
}

fn slug_matches(row: &Row, operation: &Operation) -> bool {
    let Some(slug) = slug_of(operation) else { return false };
    row.slug == slug || (row.in_trash() && row.slug == slug.trashed())
}

fn marker(row: &Row, operation: &Operation, aside: &Aside, known: &Known, our_user: u64) -> MarkerSeen {
    match known.carried.get(&row.id).copied() {
        None if is_of_given_up(row, operation, aside, our_user) => MarkerSeen::Predecessor,
        None => MarkerSeen::None,
        Some(op_id) if op_id == operation.op_id => MarkerSeen::This,
        Some(op_id) if aside.predecessors.contains(&op_id) => MarkerSeen::Predecessor,
        Some(op_id) if known.markers.contains(&op_id) => MarkerSeen::Other,
        Some(_) => MarkerSeen::Unknown,
    }
}

/// How many numbers WordPress is looked for at the end of a slug that was sent more than once.
const MOST_NUMBERED: usize = 3;

/// The slugs at which an image may stand that was sent more than once: WordPress numbers all but the first to arrive.
pub(crate) fn family(operation: &Operation, given_up: usize) -> impl Iterator<Item = Slug> + '_ {
    let numbered =
        (2..=given_up.min(MOST_NUMBERED) + 2).map(|n| Slug::from_site(&format!("{}-{n}", operation.slug)));
    std::iter::once(Slug::from_site(&operation.slug)).chain(numbered)
}

/// Whether an image's row is the effect of a request that was given up: it stands at the slug that names the bytes of
/// the original, or at one of its numbers, came after that request, is ours, and nothing that is known of its file
/// speaks against it. Images carry no marker that readers would not see.
fn is_of_given_up(row: &Row, operation: &Operation, aside: &Aside, our_user: u64) -> bool {
    if operation.kind != Kind::Image
        || row.author != our_user
        || row.in_trash()
        || operation.remote_id == Some(row.id)
    {
        return false;
    }
    let may_be_this = operation.remote_id.is_none()
        && operation.standing.may_have_left
        && slug_matches(row, operation)
        && operation.mark.is_some_and(|mark| row.id > mark);
    !may_be_this
        && aside.given_up.iter().any(|before| {
            before.mark.is_some_and(|mark| row.id > mark)
                && family(before, aside.given_up.len()).any(|slug| slug == row.slug)
                && same_image(row, before, None)
        })
}

fn same_content(row: &Row, operation: &Operation, aside: &Aside, known: &Known) -> bool {
    match operation.kind {
        Kind::Image => same_image(row, operation, known.files.get(&row.id)),
        Kind::Post => same_post(row, operation, aside),
        Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess => false,
    }
}

fn same_post(row: &Row, operation: &Operation, aside: &Aside) -> bool {
    let (Some(title), Some(raw)) = (row.title.as_deref(), row.content.as_deref()) else { return false };
    if let Some(recorded) = &operation.recorded
        && let Some(content) = recorded.content
    {
        let same_title = recorded.title.is_none_or(|then| then == Digest::of_bytes(title.as_bytes()));
        let same_status = recorded.status.is_empty() || recorded.status == row.status.as_str();
        return same_title && same_status && content == Digest::of_bytes(raw.as_bytes());
    }
    let by_sent = operation.normaliser == Some(content::NORMALISER)
        && operation.sent_digest == Some(content::sent_digest(title, raw));
    by_sent || (operation.sent_digest.is_none() && aside.visible == Some(content::visible_digest(title, raw)))
}

/// An image is the one we sent if nothing that the site tells of its file contradicts that. A site may
/// put a smaller or turned file in the place of the one that was uploaded; then the size says nothing, and the bytes
/// of the uploaded file decide where they could be read.
fn same_image(row: &Row, operation: &Operation, file: Option<&UploadedFile>) -> bool {
    let Some(media) = row.media.as_ref() else { return false };
    let recorded = operation.recorded.as_ref();
    let expected = Expected::of(operation).file_size;
    let replaced = media.original_image.is_some();
    if let (Some(file), Some(sent)) = (file, operation.sent_digest) {
        return *file == UploadedFile::Read(sent);
    }
    let size_fits = match (media.file_size, recorded.and_then(|recorded| recorded.file_size), expected) {
        (Some(now), Some(then), _) => now == then,
        (Some(now), None, Some(sent)) => now == sent || replaced,
        (None, _, _) | (Some(_), None, None) => true,
    };
    let title_fits = recorded.is_some() || row.title.as_deref().is_none_or(|title| title == operation.title);
    size_fits && title_fits
}

/// Whether only the bytes of a row's file can tell that it is the image that was sent: the size of what was put in its
/// place says nothing. Returns the size of what was sent.
pub(crate) fn is_told_by_bytes(row: &Row, operation: &Operation, our_user: u64) -> Option<u64> {
    let media = row.media.as_ref().filter(|_| operation.kind == Kind::Image)?;
    let in_doubt = operation.standing.may_have_left && operation.recorded.is_none();
    let candidate = row.author == our_user
        && !row.in_trash()
        && slug_matches(row, operation)
        && operation.mark.is_some_and(|mark| row.id > mark);
    let replaced = media.original_image.is_some() || media.file_size.is_none();
    Expected::of(operation).file_size.filter(|_| in_doubt && candidate && replaced)
}

fn is_complete(row: &Row, operation: &Operation) -> bool {
    if operation.kind != Kind::Post || operation.standing.state == State::Planned {
        return true;
    }
    let expected = Expected::of(operation);
    let has_all = |wanted: &[u64], there: &[u64]| wanted.iter().all(|id| there.contains(id));
    has_all(&expected.tags, &row.tags)
        && has_all(&expected.categories, &row.categories)
        && (expected.featured_media == 0 || expected.featured_media == row.featured_media)
        && row
            .excerpt
            .as_deref()
            .is_none_or(|excerpt| content::normalise(excerpt) == content::normalise(&expected.excerpt))
}

fn accounted(row: &Row, operation: &Operation, aside: &Aside, known: &Known) -> Accounted {
    if aside.dismissed.contains(&row.id) {
        Accounted::Dismissed
    } else if known.owners.get(&row.id).is_some_and(|owner| *owner != operation.op_id) {
        Accounted::OtherRecord
    } else {
        Accounted::No
    }
}
