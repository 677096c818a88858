//! Looking rows up by slug, by id and by the marker in their text.

use std::collections::{BTreeMap, BTreeSet};

use ichido_core::id::{OpId, RemoteId};
use ichido_core::slug::Slug;
use ichido_core::time::Timestamp;
use serde_json::Value;
use tracing::debug;

use crate::Class;
use crate::address::Query;
use crate::client::Client;
use crate::errors::{AskError, Malformed, TransportError};
use crate::lists::{View, Whole, query};
use crate::read::{Answered, Patience};
use crate::rows::{self, LIGHT_FIELDS, Row, WireRow};

/// The most names or ids in one request.
const BUNDLE: usize = 100;

/// What a look-up by slugs found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BySlug {
    /// Every row at one of the slugs or at its trashed form.
    pub rows: Vec<Row>,
    /// The slugs at which the site counts rows that it does not show us.
    pub hidden: Vec<Slug>,
    /// The slugs about which nothing could be learnt although others were answered: something before the site
    /// dislikes their text.
    pub unasked: Vec<Slug>,
}

/// What a look-up by id found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ById {
    /// The row.
    There(Box<Row>),
    /// The site has no such row.
    Gone,
    /// The site has it and does not let us see it.
    Forbidden,
}

impl Client {
    /// Looks up the rows that have one of the slugs or its trashed form, in any status. Slugs like
    /// `name-2` are found only if asked for.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn by_slugs(&self, class: Class, slugs: &[Slug]) -> Result<Answered<BySlug>, AskError> {
        self.by_names(class, slugs, Forms::AndTrashed).await
    }

    /// Looks up the rows that have one of the slugs and do not lie in the trash: half as much to ask as
    /// with [`Client::by_slugs`].
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn by_live_slugs(&self, class: Class, slugs: &[Slug]) -> Result<Answered<BySlug>, AskError> {
        self.by_names(class, slugs, Forms::Live).await
    }

    async fn by_names(
        &self,
        class: Class,
        slugs: &[Slug],
        forms: Forms,
    ) -> Result<Answered<BySlug>, AskError> {
        // An empty slug would be no filter at all.
        let slugs: BTreeSet<_> = slugs.iter().filter(|slug| !slug.as_str().is_empty()).collect();
        let mut bundles: Vec<_> = self
            .bundles(class, slugs.into_iter().collect(), forms)
            .into_iter()
            .map(|bundle| (bundle, Patience::Patient))
            .collect();
        let mut rows = BTreeMap::new();
        let (mut hidden, mut unasked) = (Vec::new(), Vec::new());
        let mut site_time = None;
        let mut doubt = Doubt::default();
        while let Some((bundle, patience)) = bundles.pop() {
            let whole = match self.bundle(class, View::Edit, &bundle, forms, patience).await {
                Ok(whole) if whole.hidden == 0 => whole,
                // Which of them hides something is found by halving.
                Ok(_) | Err(AskError::Transport(TransportError::TooLong)) if bundle.len() > 1 => {
                    bundles.extend(halves(&bundle, patience));
                    continue;
                }
                Ok(editable) => {
                    let mut readable = self.bundle(class, View::Read, &bundle, forms, patience).await?;
                    // A row that both views show is taken with its raw texts.
                    let known: BTreeSet<_> = editable.rows.iter().map(|row| row.id).collect();
                    let total = editable.rows.len() as u64 + editable.hidden;
                    readable.rows.retain(|row| !known.contains(&row.id));
                    readable.rows.extend(editable.rows);
                    if (readable.rows.len() as u64) < total || readable.hidden > 0 {
                        hidden.extend(bundle.iter().map(|slug| (*slug).clone()));
                    }
                    readable
                }
                // So is the slug that a firewall dislikes, as long as the site answers about others.
                Err(error) if may_be_about_one(&error) => {
                    self.sound(class, forms, &mut doubt, error).await?;
                    if bundle.len() > 1 && doubt.spend(2) {
                        bundles.extend(halves(&bundle, Patience::Once));
                    } else if patience == Patience::Patient && doubt.spend(1) {
                        // The site may just have come back.
                        bundles.push((bundle, Patience::Once));
                    } else {
                        unasked.extend(bundle.iter().map(|slug| (*slug).clone()));
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            doubt.answered = true;
            site_time = later(site_time, whole.site_time);
            rows.extend(whole.rows.into_iter().map(|row| (row.id, row)));
        }
        let rows = rows.into_values().collect();
        Ok(Answered { value: BySlug { rows, hidden, unasked }, site_time })
    }

    /// Looks up rows by id. The result names every id once, in the order asked.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn by_ids(
        &self,
        class: Class,
        ids: &[RemoteId],
    ) -> Result<Answered<Vec<(RemoteId, ById)>>, AskError> {
        let mut bundles: Vec<Vec<RemoteId>> = ids.chunks(BUNDLE).map(<[_]>::to_vec).collect();
        let mut found = BTreeMap::new();
        let mut site_time = None;
        while let Some(bundle) = bundles.pop() {
            let list = bundle.iter().map(RemoteId::to_string).collect::<Vec<_>>().join(",");
            let query = query(class, View::Edit, rows::fields(class)).with("include", &list);
            match self.whole_rows(class, &query, Patience::Patient).await {
                Ok(whole) => {
                    site_time = later(site_time, whole.site_time);
                    found.extend(whole.rows.into_iter().map(|row| (row.id, ById::There(Box::new(row)))));
                }
                Err(AskError::Transport(TransportError::TooLong)) if bundle.len() > 1 => {
                    let (one, other) = bundle.split_at(bundle.len() / 2);
                    bundles.extend([one.to_vec(), other.to_vec()]);
                }
                Err(error) => return Err(error),
            }
        }
        let mut named = BTreeSet::new();
        let mut answers = Vec::with_capacity(ids.len());
        for id in ids.iter().copied().filter(|id| named.insert(*id)) {
            let answer = match found.remove(&id) {
                Some(there) => there,
                None => {
                    let single = self.by_id(class, id).await?;
                    site_time = later(site_time, single.site_time);
                    single.value
                }
            };
            answers.push((id, answer));
        }
        Ok(Answered { value: answers, site_time })
    }

    /// Searches the text of all rows for the id of an operation, and returns those that hold it. A find
    /// counts; absence proves nothing, since plugins replace the search. Slow on large sites.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn search(&self, class: Class, op_id: OpId) -> Result<Answered<Vec<Row>>, AskError> {
        let op_id = op_id.to_string();
        let query = query(class, View::Edit, rows::fields(class)).with("search", &op_id);
        let whole = self.whole_rows(class, &query, Patience::Patient).await?;
        let holds = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains(&op_id));
        let rows = whole.rows.into_iter().filter(|row| holds(&row.content) || holds(&row.excerpt)).collect();
        Ok(Answered { value: rows, site_time: whole.site_time })
    }

    /// Asks for one row that a list did not show.
    async fn by_id(&self, class: Class, id: RemoteId) -> Result<Answered<ById>, AskError> {
        let query = Query::default().with("context", "edit").with("_fields", rows::fields(class));
        match self.get::<Value>(&format!("{}/{id}", class.path()), &query).await {
            Ok(got) => {
                let row = rows::row(class, &got.value).filter(|row| row.id == id);
                let row = row.ok_or(AskError::Unreadable(Malformed { line: 0, column: 0 }))?;
                Ok(Answered { value: ById::There(Box::new(row)), site_time: got.site_time })
            }
            Err(AskError::Status { status: 404, code: Some(code) }) if code == "rest_post_invalid_id" => {
                Ok(Answered { value: ById::Gone, site_time: None })
            }
            // Said by WordPress, it proves that the row is there; said by a page of a firewall, nothing.
            Err(AskError::Status { status: 403, code: Some(code) }) if code.starts_with("rest_") => {
                Ok(Answered { value: ById::Forbidden, site_time: None })
            }
            Err(error) => Err(error),
        }
    }

    /// Groups slugs so that each request stays within its bounds.
    fn bundles<'a>(&self, class: Class, slugs: Vec<&'a Slug>, forms: Forms) -> Vec<Vec<&'a Slug>> {
        let bare =
            self.root.endpoint(class.path(), &slug_query(class, View::Edit, &[], forms)).as_str().len();
        // What paging and the guard against caches add.
        let room = self.options.url_cap.saturating_sub(bare + 64);
        let mut bundles: Vec<Vec<&Slug>> = Vec::new();
        let mut used = 0;
        for slug in slugs {
            let length = Query::default().with("", &names(&[slug], forms)).len();
            match bundles.last_mut() {
                Some(bundle) if bundle.len() < BUNDLE && used + length <= room => {
                    bundle.push(slug);
                    used += length;
                }
                _ => {
                    bundles.push(vec![slug]);
                    used = length;
                }
            }
        }
        bundles
    }

    /// Sees to it that a failure is about what was asked and not about the site: something else was answered since
    /// the last one, or a slug is that nothing dislikes.
    async fn sound(
        &self,
        class: Class,
        forms: Forms,
        doubt: &mut Doubt,
        failed: AskError,
    ) -> Result<(), AskError> {
        if !std::mem::take(&mut doubt.answered) {
            let plain = Slug::from_site(PLAIN_SLUG);
            if !doubt.spend(1)
                || self.bundle(class, View::Edit, &[&plain], forms, Patience::Once).await.is_err()
            {
                return Err(failed);
            }
            doubt.answered = true;
        }
        debug!(?failed, "something that was asked for keeps the site from answering");
        Ok(())
    }

    /// Asks for one bundle, and keeps only rows that stand at one of its slugs.
    async fn bundle(
        &self,
        class: Class,
        view: View,
        bundle: &[&Slug],
        forms: Forms,
        patience: Patience,
    ) -> Result<Whole<Row>, AskError> {
        let query = slug_query(class, view, bundle, forms);
        let mut whole = self.whole_rows(class, &query, patience).await?;
        whole.rows.retain(|row| bundle.iter().any(|slug| **slug == row.slug || slug.trashed() == row.slug));
        Ok(whole)
    }

    async fn whole_rows(
        &self,
        class: Class,
        query: &Query,
        patience: Patience,
    ) -> Result<Whole<Row>, AskError> {
        let whole: Whole<WireRow> = self.whole(class.path(), query, patience, WireRow::id).await?;
        let rows = whole.rows.into_iter().map(|row| row.into_row(class)).collect();
        Ok(Whole { rows, hidden: whole.hidden, site_time: whole.site_time })
    }
}

/// A slug that nobody minds.
const PLAIN_SLUG: &str = "a";
/// The most requests of one look-up that are made to find out which slugs keep the site from answering.
const MOST_SOUNDINGS: usize = 80;

/// What is known while the slugs are sought that keep a site from answering.
#[derive(Default)]
struct Doubt {
    /// Whether the site answered since the last failure.
    answered: bool,
    spent: usize,
}

impl Doubt {
    /// Takes requests out of what is left, if that many are.
    fn spend(&mut self, requests: usize) -> bool {
        let left = self.spent + requests <= MOST_SOUNDINGS;
        self.spent += if left { requests } else { 0 };
        left
    }
}

fn halves<'a>(bundle: &[&'a Slug], patience: Patience) -> [(Vec<&'a Slug>, Patience); 2] {
    let (one, other) = bundle.split_at(bundle.len() / 2);
    [(one.to_vec(), patience), (other.to_vec(), patience)]
}

/// Whether a failure may be due to the text of one of the slugs: a firewall's page, or a connection that it cuts. What
/// WordPress itself says, it says of all.
fn may_be_about_one(error: &AskError) -> bool {
    match error {
        AskError::Status { code, .. } => code.as_ref().is_none_or(|code| !code.starts_with("rest_")),
        AskError::Unreadable(_) | AskError::Transport(TransportError::Lost(_)) => true,
        AskError::Transport(
            TransportError::NotSent { .. } | TransportError::TimedOut | TransportError::TooLong,
        )
        | AskError::AskedToWait { .. }
        | AskError::CacheHit
        | AskError::Redirected { .. }
        | AskError::NotOurUser { .. }
        | AskError::Incomplete
        | AskError::BrokenOff => false,
    }
}

/// In which forms slugs are asked for.
#[derive(Clone, Copy)]
enum Forms {
    AndTrashed,
    Live,
}

fn slug_query(class: Class, view: View, slugs: &[&Slug], forms: Forms) -> Query {
    let fields = match view {
        View::Edit => rows::fields(class),
        View::Read => LIGHT_FIELDS,
    };
    query(class, view, fields).with("slug", &names(slugs, forms))
}

fn names(slugs: &[&Slug], forms: Forms) -> String {
    slugs
        .iter()
        .flat_map(|slug| {
            let trashed = match forms {
                Forms::AndTrashed => Some(slug.trashed().as_str().to_owned()),
                Forms::Live => None,
            };
            [Some(slug.as_str().to_owned()), trashed]
        })
        .flatten()
        .collect::<Vec<_>>()
        .join(",")
}

/// Keeps the later of two moments: several answers together are complete with the last of them.
pub(crate) fn later(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
#[path = "lookups_tests.rs"]
mod tests;
