//! Collections: filters, order and pages, the same for posts and media.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::asked::{Params, not_one_of};
use crate::callers::Caller;
use crate::kses;
use crate::rows::{Hiding, Row, Status, Taxonomy};
use crate::slugs;

/// Whether posts or media are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collection {
    Posts,
    Media,
}

/// A list that is asked for.
#[derive(Debug)]
pub(crate) struct Wanted {
    statuses: Vec<Status>,
    slugs: Vec<String>,
    authors: Vec<u64>,
    not_authors: Vec<u64>,
    include: Vec<u64>,
    exclude: Vec<u64>,
    parents: Option<Vec<u64>>,
    categories: Vec<u64>,
    tags: Vec<u64>,
    search: Vec<String>,
    sticky: Option<bool>,
    after: Option<DateTime<Utc>>,
    before: Option<DateTime<Utc>>,
    modified_after: Option<DateTime<Utc>>,
    modified_before: Option<DateTime<Utc>>,
    order_by: String,
    ascending: bool,
    pub(crate) per_page: usize,
    pub(crate) page: usize,
    offset: Option<usize>,
    pub(crate) edits: bool,
}

const ORDERS: [&str; 10] =
    ["author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title"];

impl Wanted {
    /// Reads what is wanted, refusing what WordPress refuses.
    pub(crate) fn read(
        params: &Params,
        caller: &Caller,
        of: Collection,
        offset_hours: i32,
    ) -> Result<Wanted, Refusal> {
        let edits = params.edits()?;
        let per_page = bounded(params, "per_page", 10, 100)?;
        let page = bounded(params, "page", 1, usize::MAX)?;
        let order = params.choice("order", &["asc", "desc"])?;
        let order_by = params.choice("orderby", &ORDERS)?.unwrap_or_else(|| "date".to_owned());
        let statuses = statuses(params, caller, of)?;
        let moment = |name: &str| -> Result<Option<DateTime<Utc>>, Refusal> {
            let Some(text) = params.text(name)? else { return Ok(None) };
            match moment(&text, offset_hours) {
                Some(at) => Ok(Some(at)),
                None => Err(Refusal::parameter(
                    name,
                    "rest_invalid_date",
                    "Invalid date.".to_owned(),
                    Value::Null,
                )),
            }
        };
        let wanted = Wanted {
            statuses,
            slugs: params
                .list("slug")?
                .unwrap_or_default()
                .iter()
                .map(|slug| slugs::sanitise_query(slug))
                .collect(),
            authors: params.ids("author")?.unwrap_or_default(),
            not_authors: params.ids("author_exclude")?.unwrap_or_default(),
            include: params.ids("include")?.unwrap_or_default(),
            exclude: params.ids("exclude")?.unwrap_or_default(),
            parents: params.ids("parent")?.filter(|_| of == Collection::Media),
            categories: params.ids("categories")?.unwrap_or_default(),
            tags: params.ids("tags")?.unwrap_or_default(),
            search: search_words(&params.text("search")?.unwrap_or_default()),
            sticky: params.flag("sticky")?.filter(|_| of == Collection::Posts),
            after: moment("after")?,
            before: moment("before")?,
            modified_after: moment("modified_after")?,
            modified_before: moment("modified_before")?,
            ascending: order.as_deref() == Some("asc"),
            order_by,
            per_page,
            page,
            offset: params.integer("offset")?.map(|offset| usize::try_from(offset).unwrap_or(usize::MAX)),
            edits,
        };
        if edits && !caller.can("edit_posts") {
            return Err(Refusal::forbidden(caller.known(), "rest_forbidden_context"));
        }
        if wanted.order_by == "relevance" && wanted.search.is_empty() {
            return Err(Refusal::new(400, "rest_no_search_term_defined"));
        }
        if wanted.order_by == "include" && wanted.include.is_empty() {
            return Err(Refusal::new(400, "rest_orderby_include_missing_include"));
        }
        Ok(wanted)
    }

    fn fits(&self, row: &impl Row) -> bool {
        self.statuses.contains(&row.status())
            && (self.slugs.is_empty() || self.slugs.iter().any(|slug| slug == row.slug()))
            && (self.authors.is_empty() || self.authors.contains(&row.author()))
            && !self.not_authors.contains(&row.author())
            && (self.include.is_empty() || self.include.contains(&row.id()))
            && !self.exclude.contains(&row.id())
            && self.parents.as_ref().is_none_or(|parents| parents.contains(&row.parent()))
            && (self.categories.is_empty() || row.in_terms(Taxonomy::Category, &self.categories))
            && (self.tags.is_empty() || row.in_terms(Taxonomy::Tag, &self.tags))
            && self.sticky.is_none_or(|sticky| sticky == row.sticky())
            && self.after.is_none_or(|at| row.date() > at)
            && self.before.is_none_or(|at| row.date() < at)
            && self.modified_after.is_none_or(|at| row.modified() > at)
            && self.modified_before.is_none_or(|at| row.modified() < at)
            && self.search.iter().all(|word| found(row, word))
    }

    /// Finds the ids that fit, in order; hidden rows are left out and their hiding is used up.
    pub(crate) fn find<R: Row>(&self, rows: &mut BTreeMap<u64, R>) -> Vec<u64> {
        let mut ids = Vec::new();
        for row in rows.values_mut() {
            if self.fits(row) && !stays_hidden(row.hiding()) {
                ids.push(row.id());
            }
        }
        let place = |list: &[u64], id: u64| list.iter().position(|one| *one == id);
        ids.sort_by(|left, right| {
            let (Some(a), Some(b)) = (rows.get(left), rows.get(right)) else { return left.cmp(right) };
            let by_list = match self.order_by.as_str() {
                "include" => return place(&self.include, *left).cmp(&place(&self.include, *right)),
                "include_slugs" => {
                    let at = |slug: &str| self.slugs.iter().position(|one| one == slug);
                    return at(a.slug()).cmp(&at(b.slug())).then(left.cmp(right));
                }
                "author" => a.author().cmp(&b.author()),
                "id" => left.cmp(right),
                "modified" => a.modified().cmp(&b.modified()),
                "parent" => a.parent().cmp(&b.parent()),
                "slug" => a.slug().cmp(b.slug()),
                "title" => a.title().cmp(b.title()),
                _ => a.date().cmp(&b.date()),
            };
            // Rows of the same second come in the order of their ids, whatever the direction.
            if self.ascending { by_list } else { by_list.reverse() }.then(left.cmp(right))
        });
        ids
    }

    /// Cuts the wanted page out of all that was found.
    pub(crate) fn page_of(&self, found: &[u64]) -> Result<Vec<u64>, Refusal> {
        let skipped = self.offset.unwrap_or((self.page - 1).saturating_mul(self.per_page));
        if !found.is_empty() && self.page > found.len().div_ceil(self.per_page) {
            return Err(Refusal::new(400, "rest_post_invalid_page_number"));
        }
        Ok(found.iter().skip(skipped).take(self.per_page).copied().collect())
    }

    /// The answer with its totals, which count what the caller may not see as well.
    pub(crate) fn answer(&self, items: Vec<Value>, total: usize) -> Answer {
        Answer::json(200, &Value::Array(items))
            .with("x-wp-total", total.to_string())
            .with("x-wp-totalpages", total.div_ceil(self.per_page).to_string())
    }
}

fn stays_hidden(hiding: &mut Option<Hiding>) -> bool {
    match hiding {
        None => false,
        Some(Hiding::UntilShown) => true,
        Some(Hiding::Times(times)) => {
            let hidden = *times > 0;
            *hiding = (*times > 1).then_some(Hiding::Times(*times - 1));
            hidden
        }
    }
}

/// Reads an integer of at least 1 and at most `most`.
pub(crate) fn bounded(params: &Params, name: &str, default: usize, most: usize) -> Result<usize, Refusal> {
    let negative = params
        .value(name)
        .and_then(Value::as_str)
        .is_some_and(|text| text.parse::<i64>().is_ok_and(|n| n < 0));
    let sent = if negative { Some(0) } else { params.integer(name)? };
    let Some(sent) = sent else { return Ok(default) };
    match usize::try_from(sent) {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        Ok(_) | Err(_) => {
            let said = if most == usize::MAX {
                format!("{name} must be greater than or equal to 1")
            } else {
                format!("{name} must be between 1 (inclusive) and {most} (inclusive)")
            };
            Err(Refusal::parameter(name, "rest_out_of_bounds", said, Value::Null))
        }
    }
}

fn statuses(params: &Params, caller: &Caller, of: Collection) -> Result<Vec<Status>, Refusal> {
    let (default, allowed): (Status, &[&str]) = match of {
        Collection::Posts => (
            Status::Publish,
            &["publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit", "any"],
        ),
        Collection::Media => (Status::Inherit, &["inherit", "private", "trash"]),
    };
    let words = params.list("status")?.unwrap_or_default();
    if words.is_empty() {
        return Ok(vec![default]);
    }
    let mut statuses = Vec::new();
    for word in &words {
        if word != default.word()
            && !(caller.can("edit_posts") || word == "private" && caller.can("read_private_posts"))
        {
            let inner = json!({ "status": if caller.known() { 403 } else { 401 } });
            return Err(Refusal::parameter(
                "status",
                "rest_forbidden_status",
                "Status is forbidden.".to_owned(),
                inner,
            ));
        }
        if !allowed.contains(&word.as_str()) {
            return Err(not_one_of("status", allowed));
        }
        if word == "any" {
            statuses.extend([
                Status::Publish,
                Status::Future,
                Status::Draft,
                Status::Pending,
                Status::Private,
            ]);
        } else {
            statuses.extend(Status::from_word(word));
        }
    }
    Ok(statuses)
}

/// Words that searches leave out.
const STOP_WORDS: [&str; 31] = [
    "about", "an", "are", "as", "at", "be", "by", "com", "for", "from", "how", "in", "is", "it", "of", "on",
    "or", "that", "the", "this", "to", "was", "what", "when", "where", "who", "will", "with", "www", "and",
    "a",
];

/// Words of a search, all of which must occur. Tags are dropped first, so a comment alone finds everything.
fn search_words(text: &str) -> Vec<String> {
    let kept = kses::text_only(text).to_lowercase();
    let mut words = Vec::new();
    for (place, part) in kept.split('"').enumerate() {
        if place % 2 == 1 {
            words.extend((!part.is_empty()).then(|| part.to_owned()));
        } else {
            words.extend(part.split([' ', '\t', ',', '+']).filter(|word| counts(word)).map(str::to_owned));
        }
    }
    // Nothing left of it, or too much: it is searched for as it stands.
    if (words.is_empty() || words.len() > 9) && !kept.is_empty() { vec![kept] } else { words }
}

fn counts(word: &str) -> bool {
    let single = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    !word.is_empty() && !single && !STOP_WORDS.contains(&word)
}

fn found(row: &impl Row, word: &str) -> bool {
    let (without, word) = match word.strip_prefix('-') {
        Some(rest) if !rest.is_empty() => (true, rest),
        Some(_) | None => (false, word),
    };
    let there = row.searched().iter().any(|text| text.to_lowercase().contains(word));
    there != without
}

/// Reads an ISO 8601 moment; without a zone it is the site's time.
pub(crate) fn moment(text: &str, offset_hours: i32) -> Option<DateTime<Utc>> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Some(at.with_timezone(&Utc));
    }
    let spelled = text.replace(' ', "T");
    let naive = NaiveDateTime::parse_from_str(&spelled, "%Y-%m-%dT%H:%M:%S").ok()?;
    Some(naive.and_utc() - TimeDelta::hours(offset_hours.into()))
}
