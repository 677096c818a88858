//! Tells a run's events as they come.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use ichido_article::{Finding, FindingCode, Severity};
use ichido_core::tally::Ending;
use ichido_engine::{ArticleName, Change, End, Event, Note, Observer, Part, Reason, Step, WaitingFor};

use crate::json;
use crate::out::{Out, column};
use crate::page::SITE_PAUSED;
use crate::report::explain;
use crate::text::{Texts, clean};

/// Hears a run and tells it: lines for people, or JSON Lines.
pub(crate) struct Listener<'a> {
    out: &'a Out,
    last: RefCell<HashMap<PathBuf, Ending>>,
    reasons: RefCell<HashSet<&'static str>>,
    articles: Cell<usize>,
    warnings: Cell<usize>,
    barrier: Cell<bool>,
    /// Whether what is told would be, and is not.
    would: bool,
    /// Whether somebody consented to new tags.
    consented: bool,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(out: &'a Out) -> Self {
        Self {
            out,
            last: RefCell::default(),
            reasons: RefCell::default(),
            articles: Cell::new(0),
            warnings: Cell::new(0),
            barrier: Cell::new(false),
            would: false,
            consented: false,
        }
    }

    /// Tells what would be done.
    pub(crate) fn foreseeing(self, would: bool) -> Self {
        Self { would, ..self }
    }

    /// Knows that somebody consented to new tags, or did not.
    pub(crate) fn consented(self, consented: bool) -> Self {
        Self { consented, ..self }
    }

    /// Tells whether nothing is done.
    pub(crate) const fn is_foreseeing(&self) -> bool {
        self.would
    }

    /// Returns how many warnings were passed over.
    pub(crate) const fn warnings(&self) -> usize {
        self.warnings.get()
    }

    /// Tells whether what shuts creating was told when the run came to it.
    pub(crate) const fn has_told_barrier(&self) -> bool {
        self.barrier.get()
    }

    /// What was consented to is not asked for again.
    fn after_consent<'n>(&self, note: &'n Note) -> Cow<'n, Note> {
        if self.consented
            && let Note::TagUnknown { name } = note
        {
            return Cow::Owned(Note::TagRefused { name: name.clone() });
        }
        Cow::Borrowed(note)
    }

    fn checked(&self, findings: &[Finding]) {
        let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
        self.warnings.set(self.warnings.get() + warnings);
        for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
            self.out.line(&found(self.out.texts, finding));
        }
    }

    fn step(&self, article: &ArticleName, step: Step) {
        let texts = self.out.texts;
        let step = match step {
            Step::Image { number, of } => {
                texts.say("step.image", &[("number", &number.to_string()), ("of", &of.to_string())])
            }
            Step::Draft => texts.get("step.draft").to_owned(),
            Step::Looking => texts.get("step.looking").to_owned(),
            Step::Attaching => texts.get("step.attaching").to_owned(),
        };
        let ended = self.last.borrow().len().to_string();
        let articles = self.articles.get().to_string();
        let particulars = [
            ("ended", ended.as_str()),
            ("articles", &articles),
            ("article", &title(article)),
            ("step", &step),
        ];
        self.out.progress(&texts.say("step.line", &particulars));
    }

    /// Tells how an article ended, again only if that changed.
    fn ended(&self, article: &ArticleName, end: &End) {
        if self.last.borrow_mut().insert(article.path.clone(), end.ending) == Some(end.ending) {
            return;
        }
        self.out.line(&ended(self.out.texts, article, end, self.would));
        // A reason that many articles share is told once; halts are told at the end, one by one.
        if let Some(key) =
            end.reason.and_then(explained).filter(|key| self.reasons.borrow_mut().insert(key.0))
        {
            self.out.line(&format!("    {}", self.out.texts.get(&format!("{}.{}", key.1, key.0))));
        }
    }
}

impl Observer for Listener<'_> {
    fn hear(&self, event: &Event) {
        if self.out.is_json() {
            self.out.object(&json::event(self.out.texts, event));
            return;
        }
        let texts = self.out.texts;
        match event {
            Event::Started { site, articles } => {
                self.articles.set(*articles);
                let key = if self.would { "run.foreseeing" } else { "run.started" };
                self.out.say(key, &[("site", site), ("articles", &articles.to_string())]);
            }
            Event::Checked { findings, .. } => self.checked(findings),
            Event::Step { article, step } => self.step(article, *step),
            Event::Ended { article, end } | Event::Foreseen { article, end } => self.ended(article, end),
            Event::Noted { article, note } => {
                let note = self.after_consent(note);
                self.out.line(&format!("    {}: {}", title(article), noted(texts, &note)));
            }
            Event::Paused { reason, detail } => {
                let detail = detail.as_deref().map(|detail| ("detail", detail));
                self.out.say(&format!("pause.{}", reason.as_str()), detail.as_slice());
                explain(self.out, SITE_PAUSED);
            }
            Event::Barrier { reason } => {
                self.barrier.set(true);
                self.out.say(&format!("barrier.{}", reason.as_str()), &[]);
                explain(self.out, reason.as_str());
            }
            Event::Waiting { for_ms, why } => {
                let key = match why {
                    WaitingFor::NextLook => "wait_for.next_look",
                    WaitingFor::Site => "wait_for.site",
                    WaitingFor::OtherRunner => "wait_for.other_runner",
                };
                self.out.progress(&texts.say(key, &[("seconds", &for_ms.div_ceil(1000).to_string())]));
            }
        }
    }
}

/// Returns the key of a reason that is told with its article: its code and its group.
fn explained(reason: Reason) -> Option<(&'static str, &'static str)> {
    match reason {
        Reason::Halt(_) => None,
        Reason::Wait(reason) => Some((reason.as_str(), "wait")),
        Reason::Refusal(code) => Some((code.as_str(), "refusal")),
    }
}

/// Returns how an article is called.
pub(crate) fn title(article: &ArticleName) -> String {
    let named = article.title.as_deref().or(article.slug.as_deref()).map(clean);
    named.unwrap_or_else(|| {
        // Every second article is called index.md: its folder tells them apart.
        let path = &article.path;
        let folder = path.parent().and_then(std::path::Path::file_name);
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        clean(
            &folder.map_or_else(|| file.to_string(), |folder| format!("{}/{file}", folder.to_string_lossy())),
        )
    })
}

/// Returns the line of an article that ended, or would.
pub(crate) fn ended(texts: Texts, article: &ArticleName, end: &End, would: bool) -> String {
    let word = column(word(texts, end.ending.as_str(), would), 16);
    let slug = article.slug.as_deref().map(|slug| format!("  ({})", clean(slug))).unwrap_or_default();
    let id = end.id.map(|id| format!("  #{id}")).unwrap_or_default();
    format!("{} {word} {}{slug}{id}", sign(end.ending), title(article))
}

/// Returns the word of an ending: what would be made is not said to have been made.
pub(crate) fn word(texts: Texts, ending: &str, would: bool) -> &'static str {
    let would = would.then(|| texts.find(&format!("would.{ending}"))).flatten();
    would.unwrap_or_else(|| texts.get(&format!("ending.{ending}")))
}

/// A sign beside the word, never in its place.
const fn sign(ending: Ending) -> char {
    match ending {
        Ending::Created | Ending::Adopted | Ending::Verified => '+',
        Ending::Skipped | Ending::Left => '-',
        Ending::Unknown => '?',
        Ending::Halted | Ending::Refused | Ending::NeedsWork => '!',
        Ending::Waiting => '.',
    }
}

/// What an article may have and need not.
pub(crate) const MISSING: [FindingCode; 3] =
    [FindingCode::ExcerptMissing, FindingCode::TagsMissing, FindingCode::CategoriesMissing];

/// Returns the lines of an article's findings, the gravest first. Several things that it may have and has not are
/// one line.
pub(crate) fn findings(texts: Texts, findings: &[Finding]) -> Vec<String> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.severity);
    let (missing, others): (Vec<&Finding>, Vec<&Finding>) =
        sorted.iter().partition(|finding| MISSING.contains(&finding.code));
    let [first, _, ..] = missing.as_slice() else {
        return sorted.into_iter().map(|finding| found(texts, finding)).collect();
    };
    let names: Vec<&str> =
        missing.iter().map(|finding| texts.get(&format!("missing.{}", finding.code.as_str()))).collect();
    let names = names.join(texts.get("summary.between"));
    let together = line(texts, first, &texts.say("missing.several", &[("names", &names)]));
    others.into_iter().map(|finding| found(texts, finding)).chain([together]).collect()
}

/// Returns the sentence of a finding, with the cure.
pub(crate) fn sentence(texts: Texts, finding: &Finding) -> String {
    let particulars: Vec<(&str, &str)> =
        finding.params.iter().map(|(name, value)| (*name, value.as_str())).collect();
    texts.say(&format!("finding.{}", finding.code.as_str()), &particulars)
}

/// Returns the line of a finding: file, line, weight, sentence.
pub(crate) fn found(texts: Texts, finding: &Finding) -> String {
    line(texts, finding, &sentence(texts, finding))
}

fn line(texts: Texts, finding: &Finding, sentence: &str) -> String {
    let weight = texts.get(&format!("severity.{}", finding.severity.as_str()));
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line}: {weight}: {sentence}", clean(&finding.file.to_string_lossy()))
}

/// Returns the sentence of a note.
pub(crate) fn noted(texts: Texts, note: &Note) -> String {
    let (code, particulars) = note_parts(note);
    let code_text;
    let mut filled: Vec<(&str, &str)> =
        particulars.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if let Note::ImageRefused { code, .. } = note {
        code_text = texts.get(&format!("refusal.{}", code.as_str())).to_owned();
        filled.push(("why", &code_text));
    }
    if let Note::FieldUnusable { wants, .. } = note {
        filled.push(("wants", texts.get(&format!("field.{wants}"))));
    }
    texts.say(&format!("note.{code}"), &filled)
}

/// Several in one line; none at all is more than can be told.
fn joined(parts: impl Iterator<Item = String>) -> String {
    let joined = parts.collect::<Vec<_>>().join(", ");
    if joined.is_empty() { "…".to_owned() } else { joined }
}

type Particulars = Vec<(&'static str, String)>;

fn note_parts(note: &Note) -> (&'static str, Particulars) {
    let path = |name, path: &std::path::Path| vec![(name, path.to_string_lossy().into_owned())];
    match note {
        Note::SameAlready => ("same_already", Vec::new()),
        Note::DiffersFromSite => ("differs_from_site", Vec::new()),
        Note::OtherJournal => ("other_journal", Vec::new()),
        Note::AdoptedByContent => ("adopted_by_content", Vec::new()),
        Note::ChangedSince => ("changed_since", Vec::new()),
        Note::EditedOnSite => ("edited_on_site", Vec::new()),
        Note::NoLongerOurs => ("no_longer_ours", Vec::new()),
        Note::SetAside => ("set_aside", Vec::new()),
        Note::AsRecorded => ("as_recorded", Vec::new()),
        Note::SlugGivenBySite { slug } => ("slug_given_by_site", vec![("slug", slug.clone())]),
        Note::SlugTaken { other } => ("slug_taken", path("other", other)),
        Note::CategoryUnknown { name, near } => {
            let near = (!near.is_empty()).then(|| ("near", near.join(", ")));
            ("category_unknown", std::iter::once(("name", name.clone())).chain(near).collect())
        }
        Note::CategoryAmbiguous { name } => ("category_ambiguous", vec![("name", name.clone())]),
        Note::TagUnknown { name } => ("tag_unknown", vec![("name", name.clone())]),
        Note::TagNew { name } => ("tag_new", vec![("name", name.clone())]),
        Note::TagRefused { name } => ("tag_refused", vec![("name", name.clone())]),
        Note::FieldUnknown { name, near } => {
            let near = (!near.is_empty()).then(|| ("near", near.join(", ")));
            ("field_unknown", std::iter::once(("name", name.clone())).chain(near).collect())
        }
        Note::FieldUnusable { name, .. } => ("field_unusable", vec![("name", name.clone())]),
        Note::FieldsLater { names } => ("fields_later", vec![("names", names.join(", "))]),
        Note::FieldsKept { names } => ("fields_kept", vec![("names", names.join(", "))]),
        Note::FieldsRefused { names } => ("fields_refused", vec![("names", names.join(", "))]),
        Note::FieldsDiffer { names } => ("fields_differ", vec![("names", names.join(", "))]),
        Note::WillBeFiltered { parts } => {
            ("will_be_filtered", vec![("what", joined(parts.iter().map(Part::brief)))])
        }
        Note::StoredOtherwise { changes } => {
            ("stored_otherwise", vec![("changes", joined(changes.iter().map(Change::brief)))])
        }
        Note::ImageChanged { image } => ("image_changed", path("image", image)),
        Note::ImageRefused { image, .. } => ("image_refused", path("image", image)),
        Note::ImageInDoubt { image } => ("image_in_doubt", path("image", image)),
        Note::NotAttached { image } => ("not_attached", vec![("image", image.clone())]),
        Note::SizesMissing { image } => ("sizes_missing", vec![("image", image.clone())]),
        Note::ImageKeptLarge { image } => ("image_kept_large", path("image", image)),
        Note::ImageTwice { image } => ("image_twice", path("image", image)),
        Note::StatusGivenBySite { status } => ("status_given_by_site", vec![("status", status.clone())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use ichido_core::outcome::RefusalCode;

    #[test]
    fn every_note_has_its_sentence_with_all_its_particulars() {
        let (text, image) = ("zz".to_owned(), PathBuf::from("zz"));
        let notes = [
            Note::SameAlready,
            Note::DiffersFromSite,
            Note::OtherJournal,
            Note::AdoptedByContent,
            Note::ChangedSince,
            Note::EditedOnSite,
            Note::NoLongerOurs,
            Note::SetAside,
            Note::AsRecorded,
            Note::SlugGivenBySite { slug: text.clone() },
            Note::SlugTaken { other: image.clone() },
            Note::CategoryUnknown { name: text.clone(), near: vec![text.clone()] },
            Note::CategoryAmbiguous { name: text.clone() },
            Note::TagUnknown { name: text.clone() },
            Note::TagNew { name: text.clone() },
            Note::TagRefused { name: text.clone() },
            Note::FieldUnknown { name: text.clone(), near: vec![text.clone()] },
            Note::FieldUnusable { name: text.clone(), wants: "integer" },
            Note::FieldsLater { names: vec![text.clone()] },
            Note::FieldsKept { names: vec![text.clone()] },
            Note::FieldsRefused { names: vec![text.clone()] },
            Note::FieldsDiffer { names: vec![text.clone()] },
            Note::WillBeFiltered { parts: vec![Part { line: Some(3), what: text.clone() }] },
            Note::StoredOtherwise { changes: vec![Change { sent: text.clone(), stored: String::new() }] },
            Note::ImageChanged { image: image.clone() },
            Note::ImageRefused { image: image.clone(), code: RefusalCode::UploadFileTooBig },
            Note::ImageInDoubt { image: image.clone() },
            Note::NotAttached { image: text.clone() },
            Note::SizesMissing { image: text.clone() },
            Note::ImageKeptLarge { image: image.clone() },
            Note::ImageTwice { image },
            Note::StatusGivenBySite { status: text },
        ];
        for language in [Language::Japanese, Language::English] {
            for note in &notes {
                let sentence = noted(Texts::of(language), note);
                assert!(!sentence.starts_with("note.") && !sentence.contains('{'), "{note:?}: {sentence}");
                assert_eq!(sentence.contains("zz"), !note_parts(note).1.is_empty(), "{note:?}: {sentence}");
            }
        }
    }

    #[test]
    fn what_would_be_made_is_not_said_to_have_been_made() {
        let article = ArticleName { path: "a.md".into(), slug: None, title: Some("Tea".to_owned()) };
        let end = |ending| End { op_id: None, ending, reason: None, id: None, links: None };
        let english = Texts::of(Language::English);
        assert_eq!(ended(english, &article, &end(Ending::Created), true), "+ would be created Tea");
        assert_eq!(ended(english, &article, &end(Ending::Created), false), "+ created          Tea");
        assert_eq!(ended(english, &article, &end(Ending::NeedsWork), true), "! needs work       Tea");
    }

    #[test]
    fn several_things_that_are_not_there_are_told_in_one_line() {
        let one = [Finding::new(FindingCode::TagsMissing, "a.md")];
        let english = Texts::of(Language::English);
        assert_eq!(findings(english, &one), [found(english, &one[0])]);
        let mut all: Vec<Finding> = MISSING.map(|code| Finding::new(code, "a.md")).into();
        all.insert(1, Finding::new(FindingCode::TitleMissing, "a.md"));
        for (language, names) in
            [(Language::English, "excerpt, tags, categories"), (Language::Japanese, "抜粋、タグ、カテゴリー")]
        {
            let lines = findings(Texts::of(language), &all);
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(lines[1].contains(names), "{lines:?}");
        }
    }

    #[test]
    fn hostile_titles_cannot_steer_the_terminal() {
        let article =
            ArticleName { path: "a.md".into(), slug: None, title: Some("x\u{1b}[2J\n\u{202e}y".to_owned()) };
        let end = End { op_id: None, ending: Ending::Created, reason: None, id: None, links: None };
        let line = ended(Texts::of(Language::English), &article, &end, false);
        assert!(!line.contains(['\u{1b}', '\n', '\u{202e}']), "{line:?}");
    }
}
