//! Tells what a batch came to.

use std::collections::HashSet;

use ichido_core::act::acts_for;
use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Tally;
use ichido_engine::{ArticleName, End, Links, Reason, Report};
use ichido_journal::{Journal, Operation, ReadError};

use crate::json;
use crate::listener::Listener;
use crate::out::Out;
use crate::text::clean;
use crate::wording::{title, word};

/// Tells a report: counts, then each article that needs a person with its links and acts.
pub(crate) fn tell(
    out: &Out,
    report: &Report,
    site: &str,
    listener: &Listener<'_>,
    journal: &Journal,
) -> Result<(), ReadError> {
    if out.is_json() {
        out.object(&json::summary_of(report));
        return Ok(());
    }
    out.line("");
    let would = listener.is_foreseeing();
    out.line(&counted(out, &report.tally, would));
    let mut cards = Cards::default();
    for (at, (name, end)) in report.needs_attention().enumerate() {
        if at == 0 {
            out.line("");
            out.say("attention.heading", &[]);
        }
        cards.tell(out, &entry(journal, site, name, end)?);
    }
    if let Some(barrier) = report.barrier.filter(|_| !listener.has_told_barrier()) {
        out.line("");
        out.say(&format!("barrier.{}", barrier.as_str()), &[]);
        out.explain(barrier.as_str());
    }
    Ok(())
}

/// Returns the counts that are not zero, in words.
pub(crate) fn counted(out: &Out, tally: &Tally, would: bool) -> String {
    let texts = out.texts;
    let counts: Vec<String> = json::counts(tally)
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| {
            texts.say("summary.count", &[("word", word(texts, name, would)), ("count", &count.to_string())])
        })
        .collect();
    if counts.is_empty() {
        texts.get("summary.nothing").to_owned()
    } else {
        counts.join(texts.get("summary.between"))
    }
}

fn entry(journal: &Journal, site: &str, name: &ArticleName, end: &End) -> Result<Entry, ReadError> {
    let reason = match end.reason {
        Some(Reason::Halt(reason)) => reason,
        Some(Reason::Wait(_) | Reason::Refusal(_)) | None => HaltReason::OutcomeUnknown,
    };
    let operation = end.op_id.map(|op_id| journal.operation(op_id)).transpose()?.flatten();
    Ok(Entry {
        title: title(name),
        slug: name.slug.clone(),
        site: site.to_owned(),
        image: None,
        reason,
        links: end.links.clone(),
        id: end.id.map(|id| id.0),
        site_slug: operation.as_ref().and_then(site_slug),
        needs_site: true,
    })
}

/// Returns the slug that the site has now, where that is what halted.
pub(crate) fn site_slug(operation: &Operation) -> Option<String> {
    let is_renamed = operation.standing.state == State::Halted(HaltReason::Renamed);
    is_renamed.then(|| ichido_engine::slug_on_site(operation)).flatten()
}

/// Adds counts to others.
pub(crate) fn add(to: &mut Tally, from: &Tally) {
    to.created += from.created;
    to.adopted += from.adopted;
    to.verified += from.verified;
    to.skipped += from.skipped;
    to.unknown += from.unknown;
    to.halted += from.halted;
    to.waiting += from.waiting;
    to.refused += from.refused;
    to.needs_work += from.needs_work;
    to.left += from.left;
    to.could_not_ask += from.could_not_ask;
}

/// What needs a person, as a block of lines.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) title: String,
    pub(crate) slug: Option<String>,
    pub(crate) site: String,
    /// The image that is halted, where it is not the article.
    pub(crate) image: Option<String>,
    pub(crate) reason: HaltReason,
    pub(crate) links: Option<Links>,
    pub(crate) id: Option<u64>,
    /// The slug that the site has now, where that is what halted.
    pub(crate) site_slug: Option<String>,
    /// Whether commands must name the site.
    pub(crate) needs_site: bool,
}

/// What needs a person, one after another: what a reason means is told with the first that has it.
#[derive(Debug, Default)]
pub(crate) struct Cards {
    told: HashSet<HaltReason>,
}

impl Cards {
    pub(crate) fn tell(&mut self, out: &Out, entry: &Entry) {
        entry.tell(out, self.told.insert(entry.reason));
    }
}

impl Entry {
    fn tell(&self, out: &Out, is_first: bool) {
        let texts = out.texts;
        let slug = self.slug.as_deref().map(|slug| format!(" ({})", clean(slug))).unwrap_or_default();
        let id = self.id.map(|id| format!(" #{id}")).unwrap_or_default();
        out.line(&format!("* {}{slug}{id}", self.title));
        let reason = self.reason.as_str();
        if is_first {
            out.line(&format!("    {}", texts.get(&format!("halt.{reason}"))));
            out.explain(reason);
        } else {
            out.line(&format!("    {}", texts.get(&format!("reason.{reason}"))));
        }
        if let Some(slug) = &self.site_slug {
            out.say("attention.site_slug", &[("slug", slug)]);
        }
        if let Some(links) = &self.links {
            for (key, link) in [
                ("link.drafts", Some(&links.drafts)),
                ("link.media", Some(&links.media)),
                ("link.edit", links.edit.as_ref()),
            ] {
                if let Some(link) = link {
                    out.line(&format!("    {}", texts.say(key, &[("link", link)])));
                }
            }
        }
        if let Some(slug) = self.slug.as_deref() {
            out.line(&format!(
                "    {}",
                texts
                    .say("attention.acts", &[("command", &self.command(slug)), ("acts", &acts(self.reason))])
            ));
        }
    }

    fn command(&self, slug: &str) -> String {
        let site = if self.needs_site { format!(" --site {}", quoted(&self.site)) } else { String::new() };
        let image =
            self.image.as_deref().map(|image| format!(" --image {}", quoted(image))).unwrap_or_default();
        format!("ichido resolve {}{site}{image}", quoted(slug))
    }
}

/// Returns the acts that a halt offers, as options.
fn acts(reason: HaltReason) -> String {
    use ichido_core::act::Act;
    let options =
        acts_for(reason).iter().filter(|act| !matches!(act, Act::Unleave | Act::Update)).map(|act| {
            let name = act.as_str().replace('_', "-");
            if matches!(act, Act::Link | Act::NoneOfThese) {
                format!("--{name} ID")
            } else {
                format!("--{name}")
            }
        });
    options.collect::<Vec<_>>().join(" | ")
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let word = clean(word);
    let is_plain = |character: char| character.is_alphanumeric() || "-_./%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_copied_into_a_shell() {
        assert_eq!(quoted("秋の京都"), "秋の京都");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; rm"), "'it'\\''s; rm'");
    }

    #[test]
    fn acts_are_offered_as_options_without_those_that_cannot_be_done() {
        assert_eq!(acts(HaltReason::OutcomeUnknown), "--look | --link ID | --send-again | --leave");
        assert_eq!(acts(HaltReason::ContentDiffers), "--keep-site | --look | --leave");
    }
}
