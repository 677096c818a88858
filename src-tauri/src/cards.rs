//! Cards and details, from what the engine read to what the window shows.

use ichido_core::operation::Kind;
use ichido_core::outcome::UnknownCause;
use ichido_engine::{
    Card, Change, Field, LookSeen, Note, Part, Peek, SendAgain as EngineSendAgain, StoryMoment, Tone,
};

use crate::desk::SiteKey;
use crate::list::Entry;
use crate::state::shown;
use crate::view::{
    ArticleDetail, AttentionCard, Candidate, Difference, DifferenceField, Finding, LinkKind, Look, LookBy,
    LookFound, LookPart, LookResult, Params, PostStatus, SendAgain, Sent, ShutCode, TimelineEntry,
    TimelineTone,
};

pub(crate) fn card(card: Card, practice: bool, article_id: Option<u32>) -> AttentionCard {
    let operation = &card.operation;
    let key = if practice { SiteKey::Practice } else { SiteKey::Real(card.site.id) };
    let mut params = Params::new();
    for (name, slug) in [("site_slug", &card.site_slug), ("old_slug", &card.old_slug)] {
        if let Some(slug) = slug {
            params.insert(name.to_owned(), slug.clone());
        }
    }
    let shut = |code, opens_at| SendAgain { open: false, opens_at, shut: Some(code) };
    let send_again = card.send_again.map(|again| match again {
        EngineSendAgain::Open => SendAgain { open: true, opens_at: None, shut: None },
        EngineSendAgain::NotLooked => shut(ShutCode::NotLooked, None),
        EngineSendAgain::At(at) => shut(ShutCode::Window, Some(at.0)),
        EngineSendAgain::Candidates => shut(ShutCode::Candidates, None),
    });
    let title = if operation.title.is_empty() { operation.slug.clone() } else { operation.title.clone() };
    let slug = operation.slug.clone();
    let candidates = card.candidates.iter().map(|seen| Candidate {
        id: seen.id.0,
        title: seen.title.clone(),
        slug: if seen.slug.is_empty() && seen.at_slug { slug.clone() } else { seen.slug.clone() },
        status: status(&seen.status),
        author: None,
        modified_at: None,
        dismissed: seen.dismissed,
        differences: Vec::new(),
    });
    let links = links(operation.kind, operation.remote_id.is_some());
    AttentionCard {
        op_id: operation.op_id.to_string(),
        kind: operation.kind,
        article_id,
        site_id: key.to_string(),
        title,
        reason: card.reason,
        left: operation.standing.left,
        since: operation.sent_at.or(operation.last_look_at).unwrap_or(operation.created_at).0,
        params,
        waiting: card.waiting.clone(),
        sent: sent(&card),
        looks: card.look.iter().map(look).collect(),
        next_look_at: operation.next_look_at.map(|at| at.0),
        send_again,
        candidates: candidates.collect(),
        differences: Vec::new(),
        acts: card.acts.iter().map(|act| act.as_str()).collect(),
        links,
        slug,
    }
}

fn links(kind: Kind, has_row: bool) -> Vec<LinkKind> {
    let mut links = Vec::new();
    if has_row {
        links.push(LinkKind::Edit);
    }
    match kind {
        Kind::Image => links.push(LinkKind::Media),
        Kind::Post | Kind::Term | Kind::Fields | Kind::Attach | Kind::PostProcess => {
            links.extend([LinkKind::Drafts, LinkKind::Media]);
        }
    }
    links
}

fn sent(card: &Card) -> Option<Sent> {
    let operation = &card.operation;
    let at = operation.sent_at?;
    let mut params = Params::new();
    let lost = card.lost.as_ref().map(|cause| match cause {
        UnknownCause::TimedOut => "timed_out",
        UnknownCause::ConnectionLost => "connection_lost",
        UnknownCause::Status { status, .. } => {
            params.insert("status".to_owned(), status.to_string());
            "status"
        }
        UnknownCause::Redirect { status } => {
            params.insert("status".to_owned(), status.to_string());
            "redirect"
        }
        UnknownCause::Unreadable { .. } => "unreadable",
        UnknownCause::TooLong => "too_long",
        UnknownCause::Interrupted => "interrupted",
    });
    let file = operation.source_path.as_deref().and_then(std::path::Path::file_name);
    Some(Sent {
        at: at.0,
        slug: operation.slug.clone(),
        file: (operation.kind == Kind::Image)
            .then(|| file.unwrap_or_default().to_string_lossy().into_owned()),
        images_done: card.images.0,
        images_total: card.images.1,
        lost,
        params,
    })
}

fn look(seen: &LookSeen) -> Look {
    let part = |part, count, hidden: bool| LookResult {
        part,
        result: match (count, hidden) {
            (_, true) => LookFound::Hidden,
            (0, false) => LookFound::None,
            (_, false) => LookFound::Found,
        },
        count,
    };
    let mut parts = Vec::new();
    if seen.failure.is_none() {
        if seen.listed {
            parts.push(part(LookPart::AboveMark, seen.above, false));
        }
        match seen.by_id {
            Some(there) => parts.push(part(LookPart::ById, usize::from(there), false)),
            None => parts.push(part(LookPart::Slug, seen.at_slug, seen.hidden)),
        }
    }
    Look { at: seen.at.0, by: LookBy::Program, failure: seen.failure.clone(), parts }
}

fn status(name: &str) -> PostStatus {
    match name {
        "draft" | "auto-draft" => PostStatus::Draft,
        "publish" => PostStatus::Publish,
        "pending" => PostStatus::Pending,
        "private" => PostStatus::Private,
        "future" => PostStatus::Future,
        "trash" => PostStatus::Trash,
        "inherit" => PostStatus::Inherit,
        _ => PostStatus::Other,
    }
}

pub(crate) fn peeked(peek: Peek) -> Candidate {
    let differences = peek.differences.into_iter().map(|difference| Difference {
        field: match difference.field {
            Field::Title => DifferenceField::Title,
            Field::Slug => DifferenceField::Slug,
            Field::Content => DifferenceField::Content,
        },
        here: difference.here,
        site: difference.site,
    });
    Candidate {
        id: peek.id.0,
        title: peek.title,
        slug: peek.slug,
        status: status(&peek.status),
        author: None,
        modified_at: None,
        dismissed: false,
        differences: differences.collect(),
    }
}

pub(crate) fn detail(entry: &Entry, story: Vec<StoryMoment>) -> ArticleDetail {
    let sheet = &entry.sheet;
    let mut findings: Vec<Finding> = sheet.findings.iter().map(finding).collect();
    findings.extend(entry.notes.iter().map(|told| note(told, sheet)));
    let mut links = vec![];
    if entry.remote_id.is_some() {
        links.push(LinkKind::Edit);
    } else if entry.row.halt_reason.is_some() {
        links.extend([LinkKind::Drafts, LinkKind::Media]);
    }
    links.push(LinkKind::Folder);
    ArticleDetail {
        id: entry.row.id,
        op_id: entry.op_id.map(|op_id| op_id.to_string()),
        path: shown(&sheet.path),
        excerpt: (!sheet.excerpt.is_empty()).then(|| sheet.excerpt.clone()),
        tags: sheet.tags.clone(),
        categories: sheet.categories.clone(),
        remote_id: entry.remote_id.map(|id| id.0),
        findings,
        timeline: story.into_iter().map(timeline).collect(),
        links,
    }
}

fn timeline(moment: StoryMoment) -> TimelineEntry {
    let params = moment.params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let tone = match moment.tone {
        Tone::Plain => TimelineTone::Plain,
        Tone::Good => TimelineTone::Ok,
        Tone::Alert => TimelineTone::Alert,
    };
    TimelineEntry { at: moment.at.0, code: moment.code.to_owned(), params, tone }
}

fn finding(found: &ichido_article::Finding) -> Finding {
    Finding {
        severity: found.severity,
        code: found.code.as_str().to_owned(),
        file: found.file.display().to_string(),
        line: found.line,
        params: found.params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
    }
}

/// A sentence for each kind of value that a field takes.
fn field_unusable(wants: &str) -> &'static str {
    match wants {
        "integer" => "field_wants_integer",
        "number" => "field_wants_number",
        "flag" => "field_wants_flag",
        "list" => "field_wants_list",
        "text" => "field_wants_text",
        _ => "field_wants_other",
    }
}

/// What the site said of an article stands with what its check found.
fn note(told: &Note, sheet: &ichido_engine::Sheet) -> Finding {
    use ichido_article::Severity::{Error, Note as Plain, Warning};
    let file = |path: &std::path::Path| {
        vec![("reference", path.file_name().unwrap_or_default().to_string_lossy().into_owned())]
    };
    let (severity, code, params) = match told {
        Note::SameAlready => (Plain, "same_already", vec![]),
        Note::DiffersFromSite => (Warning, "differs_from_site", vec![]),
        Note::OtherJournal => (Warning, "other_journal", vec![]),
        Note::AdoptedByContent => (Plain, "adopted_by_content", vec![]),
        Note::ChangedSince => (Plain, "changed_since", vec![]),
        Note::EditedOnSite => (Plain, "edited_on_site", vec![]),
        Note::NoLongerOurs => (Warning, "no_longer_ours", vec![]),
        Note::SetAside => (Plain, "set_aside", vec![]),
        Note::AsRecorded => (Plain, "as_recorded", vec![]),
        Note::SlugGivenBySite { slug } => (Plain, "slug_given_by_site", vec![("slug", slug.clone())]),
        Note::SlugTaken { other } => (Error, "slug_clash", slug_taken(sheet, other)),
        Note::CategoryUnknown { name, near } => {
            let code = if near.is_empty() { "category_unknown" } else { "category_near" };
            (Error, code, vec![("name", name.clone()), ("near", near.join(", "))])
        }
        Note::CategoryAmbiguous { name } => (Error, "category_ambiguous", vec![("name", name.clone())]),
        Note::TagUnknown { name } => (Error, "tag_unknown", vec![("name", name.clone())]),
        Note::TagNew { name } => (Plain, "tag_new", vec![("name", name.clone())]),
        Note::TagRefused { name } => (Error, "tag_refused", vec![("name", name.clone())]),
        Note::FieldUnknown { name, near } => {
            let code = if near.is_empty() { "field_unknown" } else { "field_near" };
            (Error, code, vec![("name", name.clone()), ("near", near.join(", "))])
        }
        Note::FieldUnusable { name, wants } => (Error, field_unusable(wants), vec![("name", name.clone())]),
        Note::FieldsLater { names } => (Plain, "fields_later", vec![("name", names.join(", "))]),
        Note::FieldsKept { names } => (Warning, "fields_kept", vec![("name", names.join(", "))]),
        Note::FieldsRefused { names } => (Warning, "fields_refused", vec![("name", names.join(", "))]),
        Note::FieldsDiffer { names } => (Warning, "fields_differ", vec![("name", names.join(", "))]),
        Note::WillBeFiltered { parts } => {
            let what = parts.iter().map(Part::brief).collect::<Vec<_>>().join(", ");
            (Warning, "will_be_filtered", vec![("what", what)])
        }
        Note::StoredOtherwise { changes } => {
            let changes = changes.iter().map(Change::brief).collect::<Vec<_>>().join(", ");
            (Warning, "stored_otherwise", vec![("changes", changes)])
        }
        Note::ImageChanged { image } => (Error, "image_changed", file(image)),
        Note::ImageRefused { image, code } => {
            let mut params = file(image);
            params.push(("code", code.as_str().to_owned()));
            (Error, "image_refused", params)
        }
        Note::ImageInDoubt { image } => (Warning, "image_in_doubt", file(image)),
        Note::NotAttached { image } => (Plain, "image_not_attached", vec![("reference", image.clone())]),
        Note::SizesMissing { image } => (Plain, "image_sizes_missing", vec![("reference", image.clone())]),
        Note::ImageKeptLarge { image } => (Plain, "image_kept_large", file(image)),
        Note::ImageTwice { image } => (Warning, "image_twice", file(image)),
        Note::StatusGivenBySite { status } => {
            (Warning, "status_given_by_site", vec![("status", status.clone())])
        }
    };
    Finding {
        severity,
        code: code.to_owned(),
        file: sheet.location.shown().display().to_string(),
        line: None,
        params: params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

fn slug_taken(sheet: &ichido_engine::Sheet, other: &std::path::Path) -> Vec<(&'static str, String)> {
    let slug = sheet.slug.as_ref().map(|slug| slug.as_str().to_owned()).unwrap_or_default();
    vec![("slug", slug), ("other", shown(other))]
}
