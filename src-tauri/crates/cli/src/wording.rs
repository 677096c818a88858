//! The sentences about articles: what they are called, how they ended, what was found and noted.

use ichido_article::{Finding, FindingCode};
use ichido_core::tally::Ending;
use ichido_engine::{ArticleName, Change, End, Note, Part};

use crate::out::column;
use crate::text::{Texts, clean};

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
    use std::path::PathBuf;

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
