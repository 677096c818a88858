//! Collections: filters, order and pages, the same for posts and media.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::asked::{Params, not_one_of};
use crate::callers::Caller;
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
    pub(crate) fn read(params: &Params, caller: &Caller, of: Collection, offset_hours: i32) -> Result<Wanted, Refusal> {
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
                None => Err(Refusal::parameter(name, "rest_invalid_date", "Invalid date.".to_owned(), Value::Null)),
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
            let both = by_list.then(left.cmp(right));
            if self.ascending { both } else { both.reverse() }
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
    let Some(sent) = params.integer(name)? else { return Ok(default) };
    match usize::try_from(sent) {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => {
            let said = format!("{name} must be between 1 (inclusive) and {most} (inclusive)");
            Err(Refusal::parameter(name, "rest_out_of_bounds", said, Value::Null))
        }
    }
}

fn statuses(params: &Params, caller: &Caller, of: Collection) -> Result<Vec<Status>, Refusal> {
    let (default, allowed): (Status, &[&str]) = match of {
        Collection::Posts => {
            (Status::Publish, &["publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit", "any"])
        }
        Collection::Media => (Status::Inherit, &["inherit", "private", "trash"]),
    };
    let words = params.list("status")?.unwrap_or_default();
    if words.is_empty() {
        return Ok(vec![default]);
    }
    let mut statuses = Vec::new();
    for word in &words {
        if word != default.word() && !(caller.can("edit_posts") || word == "private" && caller.can("read_private_posts")) {
            let inner = json!({ "status": if caller.known() { 403 } else { 401 } });
            return Err(Refusal::parameter("status", "rest_forbidden_status", "Status is forbidden.".to_owned(), inner));
        }
        if !allowed.contains(&word.as_str()) {
            return Err(not_one_of("status", allowed));
        }
        if word == "any" {
            statuses.extend([Status::Publish, Status::Future, Status::Draft, Status::Pending, Status::Private]);
        } else {
            statuses.extend(Status::from_word(word));
        }
    }
    Ok(statuses)
}

/// Words of a search, all of which must occur. Tags are dropped first, so a comment alone finds everything.
fn search_words(text: &str) -> Vec<String> {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        kept.push_str(&rest[..start]);
        rest = rest[start..].find('>').map_or("", |end| &rest[start + end + 1..]);
    }
    kept.push_str(rest);
    kept.split_whitespace().map(str::to_lowercase).collect()
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
