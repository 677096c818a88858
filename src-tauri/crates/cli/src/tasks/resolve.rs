//! `resolve`: what a person does about one article or image.

use std::path::PathBuf;

use ichido_core::act::Act;
use ichido_core::operation::{Kind, State};
use ichido_engine::{ActError, Engine, Field, Peek, Wish, confirmation, is_offered};
use ichido_journal::{Operation, Site};
use serde_json::{Value, json};

use crate::args::Resolve;
use crate::failure::Failure;
use crate::find;
use crate::listener::Listener;
use crate::out::Out;
use crate::report::Cards;
use crate::secrets;
use crate::terminal;
use crate::text::clean;
use crate::time::local;
use crate::told::status_of;
use crate::wording::title;

pub(crate) async fn run(out: &Out, engine: &Engine, resolve: Resolve) -> Result<u8, Failure> {
    let (act, id) = resolve.act();
    let is_a_persons = act.is_a_persons();
    if is_a_persons {
        terminal::needed(Some(act))?;
    }
    let journal = engine.journal()?;
    let (site, operation) =
        find::record(&journal, resolve.site.as_deref(), &resolve.article, resolve.image.as_deref())?;
    refuse_early(act, operation.standing.state)?;
    let mut wish = Wish { article: resolve.article, image: resolve.image, act, id, typed: None };
    if matches!(act, Act::Leave | Act::Unleave) {
        by_record(&journal, &operation, &mut wish)?;
        let now = engine.act_offline(&site.name, &wish).await?;
        told(out, &journal, &site, &now)?;
        return Ok(status_of(now.standing));
    }
    let credentials = secrets::of(&site)?;
    by_record(&journal, &operation, &mut wish)?;
    let listener = Listener::new(out);
    if !is_a_persons {
        let now = engine.act(&site.name, credentials, &wish, &listener).await?;
        told(out, &journal, &site, &now)?;
        return Ok(status_of(now.standing));
    }
    let is_halted = find::halt_of(operation.standing.state).is_some();
    let operation = if is_halted && act != Act::Update {
        // What a person judges by is what the site shows now.
        let look = Wish { act: Act::Look, id: None, ..wish.clone() };
        engine.act(&site.name, credentials.clone(), &look, &listener).await?
    } else {
        operation
    };
    show(out, &journal, &site, &operation)?;
    if is_halted && operation.standing.state == State::Done {
        out.say("resolve.settled", &[]);
        return Ok(0);
    }
    if let Some(id) = id {
        compare(out, &engine.peek(&site.name, credentials.clone(), operation.op_id, id).await?);
    }
    let slug = confirmation(&operation);
    let question = format!("resolve.ask.{}", act.as_str());
    let id_text = id.map(|id| id.to_string()).unwrap_or_default();
    let question = out.texts.say(&question, &[("id", &id_text), ("slug", slug)]);
    wish.typed = Some(terminal::typed(out, &question, &[slug])?);
    let now = engine.act(&site.name, credentials, &wish, &listener).await?;
    told(out, &journal, &site, &now)?;
    Ok(0)
}

/// What cannot be done is said before anything is asked for.
fn refuse_early(act: Act, state: State) -> Result<(), ActError> {
    if !is_offered(act, state) {
        Err(ActError::NotOffered { act, state })
    } else if act == Act::Update {
        Err(ActError::UpdateNotYet)
    } else {
        Ok(())
    }
}

/// Names the record by what the engine surely finds: slugs, and the image's own file.
fn by_record(
    journal: &ichido_journal::Journal,
    operation: &Operation,
    wish: &mut Wish,
) -> Result<(), Failure> {
    match operation.kind {
        Kind::Post => wish.article = PathBuf::from(&operation.slug),
        Kind::Image => {
            wish.image.clone_from(&operation.source_path);
            if let Some(used) = journal.posts_using(operation.op_id)?.first()
                && let Some(post) = journal.operation(used.post)?
            {
                wish.article = PathBuf::from(post.slug);
            }
        }
        Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess => {}
    }
    Ok(())
}

/// Shows what is recorded and what the site was seen to hold.
fn show(
    out: &Out,
    journal: &ichido_journal::Journal,
    site: &Site,
    operation: &Operation,
) -> Result<(), Failure> {
    match find::entry(journal, site, operation, false)? {
        Some(entry) => Cards::default().tell(out, &entry),
        None => out.line(&format!("* {}", title(&find::name_of(operation)))),
    }
    if let Some(at) = operation.sent_at {
        out.say("resolve.sent_at", &[("at", &local(at))]);
    }
    if let Some(at) = operation.last_look_at {
        out.say("resolve.looked_at", &[("at", &local(at))]);
    }
    let rows =
        operation.evidence.as_ref().and_then(|evidence| evidence.get("rows")).and_then(Value::as_array);
    match rows {
        Some(rows) if rows.is_empty() => out.say("resolve.no_rows", &[]),
        Some(rows) => {
            out.say("resolve.rows", &[("slug", &operation.slug), ("title", &operation.title)]);
            for row in rows {
                out.line(&format!("    {}", shown(out, row)));
            }
        }
        None => {}
    }
    Ok(())
}

/// Shows the row of the site that was named, and how it differs from the article.
fn compare(out: &Out, peek: &Peek) {
    let id = peek.id.to_string();
    out.say(
        "peek.row",
        &[("id", &id), ("title", &peek.title), ("slug", &peek.slug), ("status", &peek.status)],
    );
    if peek.differences.is_empty() {
        out.say("peek.same", &[]);
    }
    for difference in &peek.differences {
        let key = match difference.field {
            Field::Title => "peek.title",
            Field::Slug => "peek.slug",
            Field::Content => "peek.content",
        };
        let here = (!difference.here.is_empty()).then_some(("here", difference.here.as_str()));
        let particulars: Vec<(&str, &str)> =
            here.into_iter().chain([("site", difference.site.as_str())]).collect();
        out.say(key, &particulars);
    }
}

/// Returns the line of a row that a look showed: how it differs from the article.
fn shown(out: &Out, row: &Value) -> String {
    let holds = |name: &str| row.get(name).and_then(Value::as_bool) == Some(true);
    let text = |name: &str| clean(row.get(name).and_then(Value::as_str).unwrap_or_default());
    let facts = [
        (true, if holds("mine") { "row.mine" } else { "row.not_mine" }),
        (true, if holds("at_slug") { "row.at_slug" } else { "row.other_slug" }),
        (true, if holds("same") { "row.same" } else { "row.different" }),
        (holds("in_trash"), "row.in_trash"),
        (!holds("complete"), "row.incomplete"),
        (text("marker") == "this", "row.marker"),
    ];
    let facts: Vec<&str> =
        facts.iter().filter(|(holds, _)| *holds).map(|(_, key)| out.texts.get(key)).collect();
    let id = row.get("id").map(ToString::to_string).unwrap_or_default();
    format!("#{id} {} [{}] {}", text("title"), text("status"), facts.join(out.texts.get("summary.between")))
}

/// Tells how the operation stands now.
fn told(out: &Out, journal: &ichido_journal::Journal, site: &Site, now: &Operation) -> Result<(), Failure> {
    let state = now.standing.state;
    out.object(&json!({
        "event": "resolved",
        "op_id": now.op_id,
        "article": now.source_path.as_ref().map(|path| path.to_string_lossy()),
        "slug": now.slug,
        "state": state.as_str(),
        "reason": state.reason(),
        "left": now.standing.left,
        "id": now.remote_id,
        "links": ichido_engine::links(journal, now)?,
    }));
    if out.is_json() {
        return Ok(());
    }
    let key = if now.standing.left { "state.left".to_owned() } else { format!("state.{}", state.as_str()) };
    let id = now.remote_id.map(|id| id.to_string());
    let mut particulars = vec![("slug", now.slug.as_str())];
    particulars.extend(id.as_deref().map(|id| ("id", id)));
    out.say(&key, &particulars);
    if !now.standing.left
        && let Some(entry) = find::entry(journal, site, now, false)?
    {
        Cards::default().tell(out, &entry);
    }
    Ok(())
}
