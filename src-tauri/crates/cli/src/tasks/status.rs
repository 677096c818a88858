//! `status`: what stands where, as the journal has it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ichido_core::apply::Standing;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::tally::{DoneBy, Ending, Tally, exit_status};
use ichido_engine::{ArticleName, End, Engine};
use ichido_journal::{BarrierEntry, Filter, Journal, Operation, Page, ReadError, Site, SiteId};
use serde_json::json;

use crate::failure::Failure;
use crate::find;
use crate::json::{Attention, summary};
use crate::out::{Out, column};
use crate::report::{Cards, add, counted};
use crate::time::{iso, local};
use crate::wording::{ended, title};

/// How many operations are read at once.
const PAGE: u32 = 500;

pub(crate) fn run(out: &Out, engine: &Engine, paths: &[PathBuf]) -> Result<u8, Failure> {
    let journal = engine.journal()?;
    let sites = journal.sites()?;
    let wanted: Vec<PathBuf> = paths.iter().map(|path| canonical(path)).collect();
    let at_work = journal.is_at_work();
    let mut sending = 0;
    let mut tally = Tally::default();
    for site in &sites {
        let of_site = if wanted.is_empty() {
            counts(&journal, site.id, at_work, &mut sending)?
        } else {
            let listed = listed(&journal, site.id, &wanted)?;
            tell_articles(out, site, &listed, paths, at_work);
            sending += listed.iter().filter(|operation| operation.standing.state == State::Sending).count();
            counted_of(&listed, at_work)
        };
        if of_site.total() > 0 {
            out.line(&format!("{}: {}", crate::text::clean(&site.name), counted(out, &of_site, false)));
        }
        add(&mut tally, &of_site);
    }
    if at_work && sending > 0 {
        out.say("status.at_work", &[("count", &sending.to_string())]);
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

/// Counts one article. What is being sent at this moment is in nobody's doubt yet.
fn count(tally: &mut Tally, standing: Standing, at_work: bool) {
    if standing.state == State::Sending && at_work {
        tally.count_as(Ending::Waiting);
    } else {
        tally.count(standing, DoneBy::Earlier);
    }
}

fn counts(journal: &Journal, site: SiteId, at_work: bool, sending: &mut usize) -> Result<Tally, ReadError> {
    let mut tally = Tally::default();
    for row in journal.counts(Some(site))? {
        if row.kind == Kind::Post && row.standing.state != State::Abandoned {
            for _ in 0..row.count {
                *sending += usize::from(row.standing.state == State::Sending);
                count(&mut tally, row.standing, at_work);
            }
        }
    }
    Ok(tally)
}

fn counted_of(listed: &[Operation], at_work: bool) -> Tally {
    let mut tally = Tally::default();
    for operation in listed {
        count(&mut tally, operation.standing, at_work);
    }
    tally
}

/// Returns the records of what was named.
fn listed(journal: &Journal, site: SiteId, wanted: &[PathBuf]) -> Result<Vec<Operation>, ReadError> {
    let filter = Filter { site: Some(site), kind: Some(Kind::Post), ..Filter::default() };
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        let page = journal.list(&filter, Page { offset, limit: PAGE })?;
        if page.is_empty() {
            return Ok(found);
        }
        let stands = |operation: &Operation| operation.standing.state != State::Abandoned;
        found.extend(page.into_iter().filter(|operation| stands(operation) && is_wanted(operation, wanted)));
        offset += u64::from(PAGE);
    }
}

/// Tells where each article of what was named stands on a site, those without a record too.
fn tell_articles(out: &Out, site: &Site, listed: &[Operation], paths: &[PathBuf], at_work: bool) {
    let mut told = HashSet::new();
    for operation in listed {
        let name = find::name_of(operation);
        let state = operation.standing.state;
        out.object(&json!({
            "event": "article",
            "site": site.name,
            "article": name.path.to_string_lossy(),
            "slug": name.slug,
            "title": name.title,
            "op_id": operation.op_id,
            "state": state.as_str(),
            "reason": state.reason(),
            "left": operation.standing.left,
            "id": operation.remote_id,
        }));
        let ending = Ending::of(operation.standing, DoneBy::Earlier);
        let end = End { op_id: None, ending, reason: None, id: operation.remote_id, links: None };
        out.line(&if state == State::Sending && at_work {
            format!(". {} {}", column(out.texts.get("reason.sending"), 16), title(&name))
        } else {
            ended(out.texts, &name, &end, false)
        });
        told.insert(name.path);
    }
    // What cannot be read any more is named by its record alone.
    let found = ichido_article::discover(paths).map(|found| found.articles).unwrap_or_default();
    for path in found.iter().map(|location| PathBuf::from(location.key())) {
        if told.contains(&path) {
            continue;
        }
        let name = ArticleName { path, slug: None, title: None };
        out.object(&json!({
            "event": "article",
            "site": site.name,
            "article": name.path.to_string_lossy(),
            "slug": null,
            "title": null,
            "op_id": null,
            "state": null,
            "reason": null,
            "left": false,
            "id": null,
        }));
        out.line(&format!("  {} {}", column(out.texts.get("status.unregistered"), 16), title(&name)));
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
    let at_work = journal.is_at_work();
    for operation in journal.needs_attention(None)? {
        if operation.standing.state == State::Sending && at_work {
            continue;
        }
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
    out.explain(entry.barrier.as_str());
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
