//! What the journal keeps of an operation, and what is told to it.

use std::path::PathBuf;

use ichido_core::apply::{Event, Standing};
use ichido_core::digest::Digest;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::outcome::{Recorded, Refusal, UnknownCause};
use ichido_core::time::{Moment, Timestamp};
use serde_json::Value;

use crate::key::Key;
use crate::site::SiteId;

/// One operation as the journal holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its id, for ever.
    pub op_id: OpId,
    /// The site.
    pub site: SiteId,
    /// What it does.
    pub kind: Kind,
    /// For a post: its type; else empty.
    pub post_type: String,
    /// What makes it the same effect as another.
    pub key: Key,
    /// Where it stands.
    pub standing: Standing,
    /// Whether its request may still be executed: it left, and nothing proved what became of it.
    pub may_arrive: bool,
    /// The row of the site that it made or that was linked.
    pub remote_id: Option<RemoteId>,
    /// That row, as the site showed it when it was made or found.
    pub recorded: Option<Recorded>,
    /// Whether sizes of an uploaded image are missing.
    pub needs_post_process: bool,
    /// The slug that was, or will be, asked for; empty for kinds without one.
    pub slug: String,
    /// Its title, for people.
    pub title: String,
    /// The article or image file.
    pub source_path: Option<PathBuf>,
    /// Digest of the local text and images.
    pub source_digest: Option<Digest>,
    /// Digest of what went over the wire.
    pub sent_digest: Option<Digest>,
    /// The version of the rules behind `sent_digest`.
    pub normaliser: Option<u32>,
    /// The high-water mark read before the send.
    pub mark: Option<RemoteId>,
    /// What was sent beside title and content, for the comparison of a found row.
    pub expected: Option<Value>,
    /// The abandoned operation whose place this one took.
    pub replaces: Option<OpId>,
    /// Why nothing is known about its request.
    pub unknown: Option<UnknownCause>,
    /// What the site refused.
    pub refusal: Option<Refusal>,
    /// Whether a person said that it is a new article, although it looks like one sent before.
    pub declared_new: bool,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When its request was allowed, last.
    pub sent_at: Option<Timestamp>,
    /// When it was settled, last.
    pub settled_at: Option<Timestamp>,
    /// The first complete negative look-up after its request.
    pub first_negative: Option<Moment>,
    /// When it was looked for, last.
    pub last_look_at: Option<Timestamp>,
    /// When it is to be looked for again.
    pub next_look_at: Option<Timestamp>,
    /// How often it was looked for since its request.
    pub looks: u32,
    /// What the last look-up showed, in brief.
    pub evidence: Option<Value>,
    /// What preflight or the comparison found, in brief.
    pub findings: Option<Value>,
}

/// An operation to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct NewOperation {
    /// Its id, made by the caller (UUIDv7); not used if the effect is recorded already.
    pub op_id: OpId,
    /// The site.
    pub site: SiteId,
    /// What it does.
    pub kind: Kind,
    /// For a post: `post`; else empty.
    pub post_type: String,
    /// What makes it the same effect as another.
    pub key: Key,
    /// The slug to be asked for; empty for kinds without one.
    pub slug: String,
    /// Its title, for people.
    pub title: String,
    /// The article or image file.
    pub source_path: Option<PathBuf>,
    /// Digest of the local text and images.
    pub source_digest: Option<Digest>,
    /// For a post: the images that it uses, recorded before or earlier in the same call.
    pub images: Vec<ImageUse>,
}

/// An image that a post uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageUse {
    /// The key of the image's operation on the same site.
    pub image: Key,
    /// Its place in the article, from 0.
    pub position: u32,
    /// Whether it is the featured image.
    pub featured: bool,
}

/// The use of an image by a post, as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostImage {
    /// The post's operation.
    pub post: OpId,
    /// The image's operation.
    pub image: OpId,
    /// Its place in the article, from 0.
    pub position: u32,
    /// Whether it is the featured image.
    pub featured: bool,
}

/// What is about to go over the wire; stored in the transaction that makes `sending` durable.
#[derive(Clone, Debug, PartialEq)]
pub struct SendFacts {
    /// The slug asked for; empty for kinds without one.
    pub slug: String,
    /// The title.
    pub title: String,
    /// The article or image file.
    pub source_path: Option<PathBuf>,
    /// Digest of the local text and images.
    pub source_digest: Option<Digest>,
    /// Digest of what goes over the wire.
    pub sent_digest: Option<Digest>,
    /// The version of the rules behind `sent_digest`.
    pub normaliser: Option<u32>,
    /// The highest known id of the same kind on the site.
    pub mark: Option<RemoteId>,
    /// What goes with title and content (terms, featured image, digest of the excerpt).
    pub expected: Option<Value>,
}

/// A look-up that was made for an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// When, with the site's clock.
    pub at: Moment,
    /// Whether every part of it was answered completely.
    pub complete: bool,
    /// Whether it said "not found".
    pub negative: bool,
    /// What it showed, in brief; without content and secrets.
    pub summary: Option<Value>,
    /// When to look again.
    pub next_look_at: Option<Timestamp>,
}

/// Who caused a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The program by itself.
    #[default]
    Program,
    /// A person's explicit act.
    Person,
}

/// What goes with an event into the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: By,
    /// For an adoption or a link: the row as the site showed it.
    pub row: Option<Recordable>,
    /// Replaces what preflight or the comparison found.
    pub findings: Option<Value>,
    /// Goes into the history only; without content and secrets.
    pub detail: Option<Value>,
    /// Takes the place of the operation where the event abandons it.
    pub successor: Option<Successor>,
}

impl Note {
    /// A note of the program that says nothing but when.
    #[must_use]
    pub const fn at(at: Timestamp) -> Self {
        Self { at, by: By::Program, row: None, findings: None, detail: None, successor: None }
    }

    /// A note of a person's act.
    #[must_use]
    pub fn by_person(at: Timestamp) -> Self {
        Self { by: By::Person, ..Self::at(at) }
    }

    /// Adds the row of the site that is adopted or linked.
    #[must_use]
    pub fn with_row(self, id: RemoteId, recorded: Option<Recorded>) -> Self {
        Self { row: Some(Recordable { id, recorded }), ..self }
    }

    /// Adds findings.
    #[must_use]
    pub fn with_findings(self, findings: Value) -> Self {
        Self { findings: Some(findings), ..self }
    }

    /// Adds a detail for the history.
    #[must_use]
    pub fn with_detail(self, detail: Value) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// Adds the operation that takes the place of an abandoned one.
    #[must_use]
    pub fn with_successor(self, op_id: OpId, dismiss: Vec<RemoteId>) -> Self {
        Self { successor: Some(Successor { op_id, dismiss }), ..self }
    }
}

/// A row of the site that is to be recorded for an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Recordable {
    /// Its id.
    pub id: RemoteId,
    /// What the site showed of it; what was recorded before stays if this is absent.
    pub recorded: Option<Recorded>,
}

/// The operation that takes the place of an abandoned one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// Its id, made by the caller (UUIDv7).
    pub op_id: OpId,
    /// Rows that the person saw and that are not to hold it up.
    pub dismiss: Vec<RemoteId>,
}

/// One event of one operation, for many at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<'a> {
    /// The operation.
    pub op_id: OpId,
    /// What happened to it.
    pub event: Event<'a>,
    /// What goes with it.
    pub note: Note,
}

/// One line of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// Its number; grows with time.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// The operation; absent where it concerns a site or everything.
    pub op_id: Option<OpId>,
    /// The site; absent where it concerns everything.
    pub site: Option<SiteId>,
    /// Who.
    pub by: By,
    /// A stable code, such as `begin_send`.
    pub code: String,
    /// Parameters.
    pub detail: Option<Value>,
}

/// Chooses operations for a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this site only.
    pub site: Option<SiteId>,
    /// Of this kind only.
    pub kind: Option<Kind>,
    /// In these states only (stable names, without reason); all if empty.
    pub states: Vec<&'static str>,
    /// With this reason only.
    pub reason: Option<&'static str>,
    /// Left by a person, or not.
    pub left: Option<bool>,
    /// Whose title, slug or path holds this text.
    pub text: Option<String>,
}

/// A part of a list, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over.
    pub offset: u64,
    /// How many are returned at most.
    pub limit: u32,
}

/// What of the history is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Of this site only.
    pub site: Option<SiteId>,
    /// What people did, or what the program did.
    pub by: Option<By>,
    /// With these codes only; all if empty.
    pub codes: Vec<&'static str>,
    /// Of operations whose title, slug or path holds this text.
    pub text: Option<String>,
}

/// How many operations share site, kind and standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The site.
    pub site: SiteId,
    /// What they do.
    pub kind: Kind,
    /// Where they stand.
    pub standing: Standing,
    /// How many.
    pub count: u64,
}
