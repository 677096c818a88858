//! Says what a batch would do, and does nothing.

use std::collections::HashMap;

use ichido_article::Article;
use ichido_core::apply::Standing;
use ichido_core::decide::{AfterAdopt, Decision, Local};
use ichido_core::digest::Digest;
use ichido_core::id::OpId;
use ichido_core::operation::{Kind, State};
use ichido_core::tally::{Ending, Tally};
use ichido_journal::{Key, Operation};

use crate::errors::RunError;
use crate::event::{End, Event, Reason};
use crate::item::{Item, POST_TYPE, visible_digest};
use crate::looks::{Depth, look};
use crate::reconcile::decide_for;
use crate::report::Report;
use crate::session::{Session, links_of};
use crate::terms;

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
        let Some(article) = &item.article else { continue };
        let key = Key::post(&article.slug);
        let recorded = session.runner.by_key(session.site.id, Kind::Post, POST_TYPE, &key)?;
        item.operation = Some(match recorded {
            Some(operation) => operation,
            None => imagined(session, item, article, key)?,
        });
    }
    let terms = terms::find(session, items).await?;
    let visible: HashMap<OpId, Digest> = items
        .iter()
        .filter_map(|item| Some((item.operation.as_ref()?.op_id, visible_digest(item.article.as_ref()?)?)))
        .collect();
    let operations: Vec<&Operation> = items.iter().filter_map(|item| item.operation.as_ref()).collect();
    let seen = look(session, &operations, &visible, Depth::AsNeeded).await?;
    let barrier = session.runner.barriers(Some(session.site.id))?.first().map(|entry| entry.barrier);
    let mut report = Report { barrier, ..Report::default() };
    for item in items.iter() {
        let mut end = match (&item.operation, &item.article) {
            (Some(operation), Some(article)) => {
                let changed_since =
                    operation.source_digest.is_some_and(|then| then != Digest(article.source_digest));
                let decision = seen.get(&operation.op_id).map_or(Decision::Keep, |seen| {
                    decide_for(operation, &seen.evidence, Local { changed_since })
                });
                would_end(session, operation, &decision)
            }
            (None, _) | (_, None) => item.end(session.site_url),
        };
        if let (Ending::Created, Some(article), Ok(terms)) = (end.ending, &item.article, &terms) {
            for note in terms.missing(article, create_tags) {
                end.ending = Ending::NeedsWork;
                session.tell(&Event::Noted { article: item.name.clone(), note });
            }
        }
        session.tell(&Event::Foreseen { article: item.name.clone(), end: end.clone() });
        count(&mut report.tally, end.ending);
        report.articles.push((item.name.clone(), end));
    }
    Ok(report)
}

fn count(tally: &mut Tally, ending: Ending) {
    tally.count_as(ending);
}

/// The record that the article would get.
fn imagined(session: &Session<'_>, item: &Item, article: &Article, key: Key) -> Result<Operation, RunError> {
    let digest = Digest(article.source_digest);
    let moved =
        session.runner.moved(session.site.id, POST_TYPE, &key, Some(&item.name.path), Some(digest))?;
    let standing = match moved {
        Some(_) => Standing {
            state: State::Halted(ichido_core::operation::HaltReason::SlugChanged),
            may_have_left: false,
            left: false,
        },
        None => Standing::PLANNED,
    };
    Ok(Operation {
        op_id: session.new_op_id(),
        site: session.site.id,
        kind: Kind::Post,
        post_type: POST_TYPE.to_owned(),
        key,
        standing,
        remote_id: None,
        recorded: None,
        needs_post_process: false,
        slug: article.slug.as_str().to_owned(),
        title: article.title.clone(),
        source_path: Some(item.name.path.clone()),
        source_digest: Some(digest),
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
    })
}

fn would_end(session: &Session<'_>, operation: &Operation, decision: &Decision) -> End {
    let now = Ending::of(operation.standing, ichido_core::tally::DoneBy::Earlier);
    let (ending, reason) = match decision {
        Decision::Create => (Ending::Created, None),
        Decision::Skip { .. } => (Ending::Skipped, None),
        Decision::Adopt { then: AfterAdopt::Done, .. } => (Ending::Adopted, None),
        Decision::Adopt { then: AfterAdopt::Halt(reason), .. } | Decision::Halt(reason) => {
            (Ending::of(halted(*reason), ichido_core::tally::DoneBy::Earlier), Some(Reason::Halt(*reason)))
        }
        Decision::Verified(_) => (Ending::Verified, None),
        Decision::Wait(reason) => (Ending::Waiting, Some(Reason::Wait(*reason))),
        Decision::Replace => (Ending::Created, None),
        Decision::StayInDoubt(_) => (Ending::Unknown, None),
        // A refused or unfinished article is taken up again by a real run.
        Decision::Keep if matches!(operation.standing.state, State::NeedsWork) => (Ending::Created, None),
        Decision::Keep => (now, operation.standing.state.reason().and(halt_reason(operation))),
    };
    End { op_id: None, ending, reason, id: operation.remote_id, links: links_of(session.site_url, operation) }
}

fn halted(reason: ichido_core::operation::HaltReason) -> Standing {
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
