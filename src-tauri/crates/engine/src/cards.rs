//! What a person must look at: one card an operation, with what was sent and what each look said.

use ichido_core::act::{Act, acts_for};
use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::outcome::UnknownCause;
use ichido_core::time::Timestamp;
use ichido_journal::{Filter, Journal, Operation, Page, ReadError, Site};
use serde::Deserialize;

use crate::engine::{SITE_URL, settings_of};
use crate::errors::RunError;
use crate::event::Links;
use crate::rows::images_done;
use crate::session::links_of;

/// The most halts that a person left and that are still shown.
const MOST_LEFT: u32 = 200;

/// One operation that a person must look at, or chose to leave.
#[derive(Clone, Debug)]
pub struct Card {
    /// The operation.
    pub operation: Operation,
    /// Its site.
    pub site: Site,
    /// Why a person must look.
    pub reason: HaltReason,
    /// The titles of the articles that wait for it, where it is an image.
    pub waiting: Vec<String>,
    /// How many images of it are on the site, and how many it has.
    pub images: (u32, u32),
    /// What became of the answer; `None` after an answer that was read.
    pub lost: Option<UnknownCause>,
    /// What the last look said.
    pub look: Option<LookSeen>,
    /// Rows of the site that may be it.
    pub candidates: Vec<CandidateSeen>,
    /// Whether it can be sent again, where the halt offers that.
    pub send_again: Option<SendAgain>,
    /// The slug that the site has for the recorded row, if the last look saw it.
    pub site_slug: Option<String>,
    /// The slug under which an article that looks the same was sent before.
    pub old_slug: Option<String>,
    /// What a person can do.
    pub acts: Vec<Act>,
}

/// What one look said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookSeen {
    /// When.
    pub at: Timestamp,
    /// Why the site could not be asked.
    pub failure: Option<String>,
    /// Rows that appeared since the send and that no record accounts for.
    pub above: usize,
    /// Rows at the slug.
    pub at_slug: usize,
    /// Whether the site counts rows that it does not show.
    pub hidden: bool,
    /// Whether the recorded row was asked for, and is there.
    pub by_id: Option<bool>,
    /// Whether rows were listed that appeared since a send.
    pub listed: bool,
}

/// One row of the site that may be what is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateSeen {
    /// Its id.
    pub id: RemoteId,
    /// Its title.
    pub title: String,
    /// Its slug, readable form; empty in records of earlier versions.
    pub slug: String,
    /// Its status, as the site names it.
    pub status: String,
    /// Whether it is at the slug asked for.
    pub at_slug: bool,
    /// Whether a person said that it is not it.
    pub dismissed: bool,
    /// Whether title and content are what was sent.
    pub same: bool,
}

/// When *send again* opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendAgain {
    /// Now, if a look made then says "not found".
    Open,
    /// No complete look said "not found" since the send.
    NotLooked,
    /// When the settle window has passed, by this computer's clock.
    At(Timestamp),
    /// When each candidate has been dismissed.
    Candidates,
}

/// The rows of a look, as the journal keeps them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Evidence {
    could_not_ask: Option<String>,
    rows: Vec<EvidenceRow>,
    hidden: bool,
    by_id: Option<serde_json::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct EvidenceRow {
    id: u64,
    at_slug: bool,
    new: bool,
    same: bool,
    accounted: String,
    title: Option<String>,
    slug: Option<String>,
    status: Option<String>,
}

/// Returns the cards of all sites, newest first; those that a person left come last.
///
/// What is being sent at this moment is none of them unless `interrupted` says that nobody is sending.
///
/// # Errors
/// Fails if the journal does.
pub fn cards(journal: &Journal, interrupted: bool, now: Timestamp) -> Result<Vec<Card>, RunError> {
    let mut operations = journal.needs_attention(None)?;
    operations.reverse();
    let left = Filter { left: Some(true), states: vec!["halted"], ..Filter::default() };
    operations.extend(journal.list(&left, Page { offset: 0, limit: MOST_LEFT })?);
    let mut cards = Vec::with_capacity(operations.len());
    for operation in operations {
        let reason = match operation.standing.state {
            State::Halted(reason) => reason,
            State::Sending if interrupted => HaltReason::OutcomeUnknown,
            State::Sending
            | State::Planned
            | State::Waiting(_)
            | State::NeedsWork
            | State::Refused
            | State::Skipped
            | State::Done
            | State::Abandoned => continue,
        };
        if let Some(site) = journal.site(operation.site)?.filter(|_| is_shown(operation.kind)) {
            cards.push(card(journal, operation, site, reason, now)?);
        }
    }
    Ok(cards)
}

/// Returns where on the site a person can see for themselves what became of an operation.
///
/// # Errors
/// Fails if the journal does.
pub fn links(journal: &Journal, operation: &Operation) -> Result<Option<Links>, ReadError> {
    let Some(site) = journal.site(operation.site)? else { return Ok(None) };
    let site_url = journal.setting(Some(site.id), SITE_URL)?.unwrap_or(site.home);
    Ok(links_of(&site_url, operation))
}

/// Returns the slug that the site has for the recorded row of an operation, if the last look saw it.
#[must_use]
pub fn slug_on_site(operation: &Operation) -> Option<String> {
    let slug = operation.evidence.as_ref()?.get("by_id")?.get("slug")?.as_str()?;
    Some(slug.to_owned())
}

/// Returns the record of the article that this one seems to be.
fn sent_before(journal: &Journal, operation: &Operation) -> Result<Option<Operation>, ReadError> {
    journal.moved(
        operation.site,
        &operation.post_type,
        &operation.key,
        operation.source_path.as_deref(),
        operation.source_digest,
    )
}

/// Counts the cards that a person has not left.
///
/// # Errors
/// Fails if the journal does.
pub fn attention(journal: &Journal, interrupted: bool) -> Result<usize, ReadError> {
    let shown = |operation: &&Operation| {
        is_shown(operation.kind) && (interrupted || operation.standing.state != State::Sending)
    };
    Ok(journal.needs_attention(None)?.iter().filter(shown).count())
}

/// What can be repeated safely settles by itself.
const fn is_shown(kind: Kind) -> bool {
    kind.must_not_repeat()
}

fn card(
    journal: &Journal,
    operation: Operation,
    site: Site,
    reason: HaltReason,
    now: Timestamp,
) -> Result<Card, RunError> {
    let evidence: Evidence =
        operation.evidence.clone().and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let look = operation.last_look_at.map(|at| LookSeen {
        at,
        failure: evidence.could_not_ask.clone(),
        above: evidence.rows.iter().filter(|row| row.new && row.accounted == "no").count(),
        at_slug: evidence.rows.iter().filter(|row| row.at_slug).count(),
        hidden: evidence.hidden,
        by_id: evidence.by_id.as_ref().map(serde_json::Value::is_object),
        listed: operation.standing.may_have_left && operation.remote_id.is_none(),
    });
    let dismissed = journal.dismissed(operation.op_id)?;
    let candidates: Vec<CandidateSeen> = match reason {
        HaltReason::Candidates | HaltReason::ExistsNotOurs | HaltReason::Duplicates | HaltReason::InTrash => {
            evidence
                .rows
                .into_iter()
                .filter(|row| row.accounted != "otherrecord")
                .map(|row| CandidateSeen {
                    id: RemoteId(row.id),
                    title: row.title.unwrap_or_default(),
                    slug: row.slug.unwrap_or_default(),
                    status: row.status.unwrap_or_default(),
                    at_slug: row.at_slug,
                    dismissed: dismissed.contains(&RemoteId(row.id)),
                    same: row.same,
                })
                .collect()
        }
        HaltReason::OutcomeUnknown
        | HaltReason::CouldNotAsk
        | HaltReason::ContentDiffers
        | HaltReason::Incomplete
        | HaltReason::Missing
        | HaltReason::Renamed
        | HaltReason::SlugChanged
        | HaltReason::Hidden => Vec::new(),
    };
    let window = settings_of(journal, Some(&site))?.window;
    let send_again =
        Act::SendAgain.is_for(reason).then(|| send_again(&operation, reason, &candidates, window, now));
    let in_halt = matches!(operation.standing.state, State::Halted(_));
    let acts = acts_for(reason).iter().copied().filter(|act| match act {
        Act::Leave => in_halt && !operation.standing.left,
        Act::Unleave => in_halt && operation.standing.left,
        // Comes with publishing.
        Act::Update => false,
        Act::Look => true,
        Act::Link
        | Act::NoneOfThese
        | Act::SendAgain
        | Act::TryAgain
        | Act::KeepSite
        | Act::AcceptSlug
        | Act::Same
        | Act::New => in_halt,
    });
    let acts = acts.collect();
    let images = if operation.kind == Kind::Post { images_done(journal, operation.op_id)? } else { (0, 0) };
    let mut waiting = Vec::new();
    if operation.kind == Kind::Image {
        for used in journal.posts_using(operation.op_id)? {
            let post = journal.operation(used.post)?.filter(|post| post.standing.state != State::Abandoned);
            waiting.extend(post.map(|post| post.title).filter(|title| !waiting.contains(title)));
        }
    }
    let lost = operation.unknown.clone();
    let site_slug = slug_on_site(&operation);
    let old_slug = match reason {
        HaltReason::SlugChanged => sent_before(journal, &operation)?.map(|record| record.slug),
        HaltReason::OutcomeUnknown
        | HaltReason::CouldNotAsk
        | HaltReason::Candidates
        | HaltReason::ContentDiffers
        | HaltReason::Incomplete
        | HaltReason::ExistsNotOurs
        | HaltReason::Duplicates
        | HaltReason::InTrash
        | HaltReason::Missing
        | HaltReason::Renamed
        | HaltReason::Hidden => None,
    };
    Ok(Card {
        site,
        reason,
        waiting,
        images,
        lost,
        look,
        candidates,
        send_again,
        site_slug,
        old_slug,
        acts,
        operation,
    })
}

fn send_again(
    operation: &Operation,
    reason: HaltReason,
    candidates: &[CandidateSeen],
    window: std::time::Duration,
    now: Timestamp,
) -> SendAgain {
    // What became of a row that was only linked does not tell what became of the request.
    let is_known = reason == HaltReason::InTrash || (reason == HaltReason::Missing && !operation.may_arrive);
    if is_known || !operation.standing.may_have_left {
        return SendAgain::Open;
    }
    if candidates.iter().any(|candidate| !candidate.dismissed) {
        return SendAgain::Candidates;
    }
    let Some(first) = &operation.first_negative else { return SendAgain::NotLooked };
    let opens = Timestamp(first.at.0.saturating_add(i64::try_from(window.as_millis()).unwrap_or(i64::MAX)));
    if now >= opens { SendAgain::Open } else { SendAgain::At(opens) }
}
