//! `status`: what stands where, as the journal has it.

use std::path::{Path, PathBuf};

use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::tally::{DoneBy, Tally, exit_status};
use ichido_engine::Engine;
use ichido_journal::{BarrierEntry, Filter, Journal, Operation, Page, ReadError, Site, SiteId};
use serde_json::json;

use crate::failure::Failure;
use crate::find;
use crate::json::{Attention, summary};
use crate::out::Out;
use crate::report::{Cards, add, counted, explain};
use crate::time::{iso, local};

/// How many operations are read at once.
const PAGE: u32 = 500;

pub(crate) fn run(out: &Out, engine: &Engine, paths: &[PathBuf]) -> Result<u8, Failure> {
    let journal = engine.journal()?;
    let sites = journal.sites()?;
    let wanted: Vec<PathBuf> = paths.iter().map(|path| canonical(path)).collect();
    let mut tally = Tally::default();
    for site in &sites {
        let of_site = counts(&journal, site.id, &wanted)?;
        if of_site.total() > 0 {
            out.line(&format!("{}: {}", crate::text::clean(&site.name), counted(out, &of_site)));
        }
        add(&mut tally, &of_site);
    }
    if sites.is_empty() {
        out.say("site.none", &[]);
    } else if tally.total() == 0 {
        out.say("status.nothing", &[]);
    }
    let barriers = journal.barriers(None)?;
    for entry in &barriers {
        tell_barrier(out, entry);
    }
    let (attention, images) = attention(out, &journal, &sites, &wanted)?;
    if let Some(at) = journal.next_look_at()? {
        out.line("");
        out.say("status.next_look", &[("at", &local(at))]);
    }
    out.object(&summary(&tally, &attention));
    // An image in doubt holds its articles up, though it is none of them.
    add(&mut tally, &images);
    Ok(exit_status(&tally, barriers.first().map(|entry| entry.barrier), None))
}

fn counts(journal: &Journal, site: SiteId, wanted: &[PathBuf]) -> Result<Tally, ReadError> {
    let mut tally = Tally::default();
    if wanted.is_empty() {
        for count in journal.counts(Some(site))? {
            if count.kind == Kind::Post && count.standing.state != State::Abandoned {
                for _ in 0..count.count {
                    tally.count(count.standing, DoneBy::Earlier);
                }
            }
        }
        return Ok(tally);
    }
    let filter = Filter { site: Some(site), kind: Some(Kind::Post), ..Filter::default() };
    let mut offset = 0;
    loop {
        let listed = journal.list(&filter, Page { offset, limit: PAGE })?;
        for operation in listed.iter().filter(|operation| is_wanted(operation, wanted)) {
            if operation.standing.state != State::Abandoned {
                tally.count(operation.standing, DoneBy::Earlier);
            }
        }
        if listed.is_empty() {
            return Ok(tally);
        }
        offset += u64::from(PAGE);
    }
}

/// Tells what needs a person. Returns that, and the counts of the images among it.
fn attention(
    out: &Out,
    journal: &Journal,
    sites: &[Site],
    wanted: &[PathBuf],
) -> Result<(Vec<Attention>, Tally), ReadError> {
    let mut told = Vec::new();
    let mut cards = Cards::default();
    let mut images = Tally::default();
    for operation in journal.needs_attention(None)? {
        let Some(site) = sites.iter().find(|site| site.id == operation.site) else { continue };
        if operation.kind == Kind::Image {
            images.count(operation.standing, DoneBy::Earlier);
        } else if operation.kind != Kind::Post || !is_wanted(&operation, wanted) {
            continue;
        }
        if told.is_empty() {
            out.line("");
            out.say("attention.heading", &[]);
        }
        told.push(one(out, journal, site, &operation, &mut cards, sites.len() > 1)?);
    }
    Ok((told, images))
}

fn one(
    out: &Out,
    journal: &Journal,
    site: &Site,
    operation: &Operation,
    cards: &mut Cards,
    several: bool,
) -> Result<Attention, ReadError> {
    if let Some(entry) = find::entry(journal, site, operation, several)? {
        cards.tell(out, &entry);
    }
    if let Some(since) = operation.sent_at.or(operation.settled_at) {
        out.say("status.since", &[("at", &local(since))]);
    }
    if let Some(at) = operation.next_look_at {
        out.say("status.looks_again", &[("at", &local(at))]);
    }
    let name = find::name_of(operation);
    let links = ichido_engine::links(journal, operation)?;
    let reason = find::halt_of(operation.standing.state).map_or("outcome_unknown", HaltReason::as_str);
    out.object(&json!({
        "event": "needs_attention",
        "site": site.name,
        "kind": operation.kind.as_str(),
        "op_id": operation.op_id,
        "article": name.path.to_string_lossy(),
        "slug": name.slug,
        "reason": reason,
        "since": operation.sent_at.map(iso),
        "next_look": operation.next_look_at.map(iso),
        "links": links,
    }));
    Ok(Attention { article: name.path.to_string_lossy().into_owned(), slug: name.slug, reason, links })
}

/// Tells what shuts creating, and since when.
pub(crate) fn tell_barrier(out: &Out, entry: &BarrierEntry) {
    out.object(&json!({ "event": "barrier", "reason": entry.barrier, "since": iso(entry.since), "detail": entry.detail }));
    out.line("");
    out.say(&format!("barrier.{}", entry.barrier.as_str()), &[]);
    explain(out, entry.barrier.as_str());
    out.say("status.since", &[("at", &local(entry.since))]);
}

fn is_wanted(operation: &Operation, wanted: &[PathBuf]) -> bool {
    let path = operation.source_path.as_deref();
    wanted.is_empty() || path.is_some_and(|path| wanted.iter().any(|wanted| path.starts_with(wanted)))
}

/// An article that is gone from its place is still asked for by that place.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}
