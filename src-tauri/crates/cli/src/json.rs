//! Events as JSON Lines.

use ichido_article::Finding;
use ichido_core::tally::Tally;
use ichido_engine::{ArticleName, End, Event, Links, Report};
use serde_json::{Map, Value, json};

use crate::text::Texts;
use crate::wording::{noted, sentence};

/// Returns an event as one object.
pub(crate) fn event(texts: Texts, event: &Event) -> Value {
    // A path that is not text cannot be written as JSON; the event is still told.
    let mut object = serde_json::to_value(event).unwrap_or_else(|_| json!({ "event": "unprintable" }));
    if let Value::Object(object) = &mut object {
        // An article is one thing in all events: its path, with slug and title beside it.
        if let Some(Value::Object(mut article)) = object.remove("article") {
            for (to, from) in [("article", "path"), ("slug", "slug"), ("title", "title")] {
                object.insert(to.to_owned(), article.remove(from).unwrap_or_default());
            }
        }
        if let Event::Checked { findings, .. } = event {
            let findings = findings.iter().map(|found| finding(texts, found));
            object.insert("findings".to_owned(), findings.collect());
        }
        if let Event::Noted { note, .. } = event {
            object.insert("message".to_owned(), json!(noted(texts, note)));
        }
    }
    object
}

/// Returns a finding as an object.
pub(crate) fn finding(texts: Texts, finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.as_str(),
        "code": finding.code.as_str(),
        "file": finding.file.to_string_lossy(),
        "line": finding.line,
        "params": finding.params,
        "message": sentence(texts, finding),
    })
}

/// One article that needs a person, for the summary.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attention {
    pub(crate) article: String,
    pub(crate) slug: Option<String>,
    pub(crate) reason: &'static str,
    pub(crate) links: Option<Links>,
}

impl Attention {
    /// Returns what an article of a report needs a person for.
    pub(crate) fn of((name, end): &(ArticleName, End)) -> Self {
        Self {
            article: name.path.to_string_lossy().into_owned(),
            slug: name.slug.clone(),
            reason: end.reason.map_or("outcome_unknown", ichido_engine::Reason::as_str),
            links: end.links.clone(),
        }
    }
}

/// Returns the last object of a batch.
pub(crate) fn summary(tally: &Tally, attention: &[Attention]) -> Value {
    let mut object = Map::new();
    object.insert("event".to_owned(), json!("summary"));
    for (name, count) in counts(tally) {
        object.insert(name.to_owned(), json!(count));
    }
    let attention = attention.iter().map(|entry| {
        json!({ "article": entry.article, "slug": entry.slug, "reason": entry.reason, "links": entry.links })
    });
    object.insert("needs_attention".to_owned(), attention.collect());
    Value::Object(object)
}

/// Returns the summary of a report.
pub(crate) fn summary_of(report: &Report) -> Value {
    let attention: Vec<Attention> = report.needs_attention().map(Attention::of).collect();
    summary(&report.tally, &attention)
}

/// Returns the counts by their stable names, in the order of the contract.
pub(crate) fn counts(tally: &Tally) -> [(&'static str, usize); 10] {
    [
        ("created", tally.created),
        ("adopted", tally.adopted),
        ("verified", tally.verified),
        ("skipped", tally.skipped),
        ("unknown", tally.unknown),
        ("halted", tally.halted),
        ("waiting", tally.waiting),
        ("refused", tally.refused),
        ("needs_work", tally.needs_work),
        ("left", tally.left),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ichido_article::FindingCode;
    use ichido_core::operation::HaltReason;
    use ichido_core::tally::Ending;
    use ichido_engine::{Note, Reason, Step};

    use crate::language::Language;

    fn name() -> ArticleName {
        ArticleName { path: "/a/秋.md".into(), slug: Some("aki".to_owned()), title: None }
    }

    #[test]
    fn the_summary_has_the_form_of_the_contract() {
        let links = Links { drafts: "d".to_owned(), media: "m".to_owned(), edit: None };
        let halted = End {
            op_id: None,
            ending: Ending::Unknown,
            reason: Some(Reason::Halt(HaltReason::OutcomeUnknown)),
            id: None,
            links: Some(links),
        };
        let report = Report {
            articles: vec![(name(), halted)],
            tally: Tally { created: 2, unknown: 1, ..Tally::default() },
            barrier: None,
            pause: None,
        };
        assert_eq!(
            summary_of(&report),
            json!({ "event": "summary", "created": 2, "adopted": 0, "verified": 0, "skipped": 0, "unknown": 1,
                "halted": 0, "waiting": 0, "refused": 0, "needs_work": 0, "left": 0, "needs_attention": [
                    { "article": "/a/秋.md", "slug": "aki", "reason": "outcome_unknown",
                      "links": { "drafts": "d", "media": "m" } }] })
        );
    }

    #[test]
    fn findings_go_with_their_event() {
        let finding = Finding::new(FindingCode::KeyUnknown, "a.md").at(Some(3)).with("key", "x");
        let english = Texts::of(Language::English);
        let object = event(english, &Event::Checked { article: name(), findings: vec![finding] });
        assert_eq!(object["event"], "checked");
        assert_eq!(
            object["findings"][0],
            json!({ "severity": "note", "code": "key_unknown", "file": "a.md", "line": 3, "params": { "key": "x" },
                "message": "\"x\" is not used." })
        );
    }

    #[test]
    fn an_article_has_one_form_in_all_events() {
        let end = End { op_id: None, ending: Ending::Created, reason: None, id: None, links: None };
        let note = Note::SlugGivenBySite { slug: "aki-2".to_owned() };
        for told in [
            Event::Checked { article: name(), findings: Vec::new() },
            Event::Step { article: name(), step: Step::Draft },
            Event::Ended { article: name(), end: end.clone() },
            Event::Foreseen { article: name(), end },
            Event::Noted { article: name(), note },
        ] {
            let object = event(Texts::of(Language::English), &told);
            assert_eq!(object["article"], "/a/秋.md", "{object}");
            assert_eq!((object["slug"].as_str(), object["title"].is_null()), (Some("aki"), true), "{object}");
            assert_eq!(object["message"].is_string(), object["event"] == "noted", "{object}");
        }
    }
}
