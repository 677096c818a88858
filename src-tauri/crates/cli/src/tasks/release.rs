//! `release`: "checked, go on".

use ichido_core::id::OpId;
use ichido_engine::Engine;
use ichido_journal::{BarrierEntry, Journal};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::find;
use crate::out::Out;
use crate::report::Cards;
use crate::tasks::status::tell_barrier;
use crate::terminal;
use crate::time::local;

/// The words that say it, whatever the language.
const WORDS: [&str; 2] = ["checked", "確認"];

pub(crate) async fn run(out: &Out, engine: &Engine) -> Result<u8, Failure> {
    let journal = engine.journal()?;
    let barriers = journal.barriers(None)?;
    if barriers.is_empty() {
        out.object(&json!({ "event": "released", "reasons": [] }));
        out.say("release.nothing", &[]);
        return Ok(0);
    }
    // What stands is shown to scripts too, but only a person takes it away.
    let mut cards = Cards::default();
    for entry in &barriers {
        show(out, &journal, entry, &mut cards)?;
    }
    terminal::needed(None)?;
    terminal::typed(out, out.texts.get("release.ask"), &WORDS)?;
    let mut released = Vec::new();
    for entry in &barriers {
        if !released.contains(&entry.barrier) {
            engine.release(entry.barrier).await?;
            released.push(entry.barrier);
        }
    }
    out.object(&json!({ "event": "released", "reasons": released }));
    out.say("release.done", &[]);
    Ok(0)
}

fn show(out: &Out, journal: &Journal, entry: &BarrierEntry, cards: &mut Cards) -> Result<(), Failure> {
    tell_barrier(out, entry);
    let detail = entry.detail.as_ref();
    let owner = detail.and_then(|detail| detail.get("owner"));
    if let Some(owner) = owner {
        let text = |name: &str| owner.get(name).and_then(Value::as_str).unwrap_or_default();
        let pid = owner.get("pid").map(ToString::to_string).unwrap_or_default();
        let particulars = [
            ("program", text("program")),
            ("pid", pid.as_str()),
            ("user", text("user")),
            ("host", text("host")),
        ];
        out.say("release.owner", &particulars);
    }
    let operations = detail.and_then(|detail| detail.get("operations")).and_then(Value::as_array);
    for op_id in operations.into_iter().flatten().filter_map(Value::as_str).filter_map(OpId::parse) {
        let Some(operation) = journal.operation(op_id)? else { continue };
        let Some(site) = journal.site(operation.site)? else { continue };
        match find::entry(journal, &site, &operation, false)? {
            Some(entry) => cards.tell(out, &entry),
            None => {
                let name = crate::wording::title(&find::name_of(&operation));
                out.say("release.settled", &[("article", &name)]);
            }
        }
        if let Some(at) = operation.sent_at {
            out.say("resolve.sent_at", &[("at", &local(at))]);
        }
    }
    Ok(())
}
