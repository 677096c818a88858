//! Lists: all pages of a look-up, and high-water lists of everything of a kind above an id, whatever
//! its slug or content.

use std::collections::BTreeMap;

use ichido_core::id::RemoteId;
use ichido_core::time::Timestamp;
use reqwest::Method;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::Class;
use crate::address::Query;
use crate::client::Client;
use crate::errors::{AskError, TransportError};
use crate::read::{Answered, Got, Patience};
use crate::rows::{LIGHT_FIELDS, Light, WireRow};

/// The most rows that WordPress puts on a page.
pub(crate) const PER_PAGE: u64 = 100;
/// The most pages of one list that are read, whatever the site counts: a wrong count must not keep us asking
/// for ever.
const MOST_PAGES: u64 = 1_000;
/// The most rows of one list that are kept, and the most bytes that they come in: a site may put more on a page than
/// was asked for.
const MOST_ROWS: usize = 100_000;
const LARGEST: usize = 24 * 1024 * 1024;
/// How many times as long as a single answer a list may take, with all its pages.
const LONGEST: u32 = 15;
/// How often a list is read anew because it changed while its pages were read.
const READINGS: usize = 3;

/// Whose rows a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the user of this id.
    Mine(u64),
    /// Everybody's, which needs the right to edit others' posts.
    All,
}

/// The newest row of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its id; `None` if there is no row that we may see.
    pub id: Option<RemoteId>,
}

/// All rows above a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The rows, highest id first.
    pub rows: Vec<Light>,
    /// How many rows the site counts and does not show us that may be above the mark.
    pub hidden: u64,
}

/// How much of a row we ask to see.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Raw texts; only of rows that we may edit.
    Edit,
    /// What readers see; of all rows that we may read.
    Read,
}

/// A list that was read to its end.
pub(crate) struct Whole<T> {
    pub(crate) rows: Vec<T>,
    /// How many rows the site counts beyond those.
    pub(crate) hidden: u64,
    pub(crate) site_time: Option<Timestamp>,
}

/// What is left of the bounds of a list.
struct Room {
    rows: usize,
    bytes: usize,
}

impl Room {
    const fn new() -> Self {
        Self { rows: MOST_ROWS, bytes: LARGEST }
    }

    /// Takes a page in.
    fn take<T>(&mut self, page: &Got<Vec<T>>) -> Result<(), AskError> {
        self.rows = self.rows.checked_sub(page.value.len()).ok_or(AskError::Incomplete)?;
        self.bytes = self.bytes.checked_sub(page.length).ok_or(AskError::Incomplete)?;
        Ok(())
    }
}

impl View {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Read => "view",
        }
    }
}

/// The statuses of all rows of a kind, in the trash too.
pub(crate) const fn statuses(class: Class) -> &'static str {
    match class {
        Class::Posts => "any,trash",
        Class::Media => "inherit,private,trash",
    }
}

/// Parameters of a list of rows in any status.
pub(crate) fn query(class: Class, view: View, fields: &str) -> Query {
    Query::default().with("context", view.as_str()).with("status", statuses(class)).with("_fields", fields)
}

impl Client {
    /// Finds the newest row of a kind: the mark to be recorded before a send.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn newest_id(&self, class: Class, scope: Scope) -> Result<Answered<Newest>, AskError> {
        let first = self.newest_page(class, scope, View::Edit, 1, 1).await?;
        let first = match (first.value.is_empty(), first.total) {
            (true, Some(1..)) => self.newest_page(class, scope, View::Read, 1, PER_PAGE).await?,
            _ => first,
        };
        let id = first.value.into_iter().map(|row| row.id).max();
        Ok(Answered { value: Newest { id }, site_time: first.site_time })
    }

    /// Lists every row of a kind whose id is above the mark, in any status.
    ///
    /// # Errors
    /// Returns why the site could not be asked completely.
    pub async fn above(
        &self,
        class: Class,
        mark: RemoteId,
        scope: Scope,
    ) -> Result<Answered<Listing>, AskError> {
        self.in_time(async {
            for _ in 0..READINGS {
                if let Some(listing) = self.read_above(class, mark, scope).await? {
                    return Ok(listing);
                }
            }
            Err(AskError::Incomplete)
        })
        .await
    }

    /// Gives a list up that takes for ever, although each of its pages comes in time.
    async fn in_time<T>(&self, list: impl Future<Output = Result<T, AskError>>) -> Result<T, AskError> {
        let longest = self.options.reading.whole_answer.saturating_mul(LONGEST);
        timeout(longest, list).await.unwrap_or(Err(AskError::Transport(TransportError::TimedOut)))
    }

    /// Reads a high-water list; `None` if it changed between its pages.
    async fn read_above(
        &self,
        class: Class,
        mark: RemoteId,
        scope: Scope,
    ) -> Result<Option<Answered<Listing>>, AskError> {
        let mut found = BTreeMap::new();
        let mut room = Room::new();
        let mut hidden = 0;
        let mut counted = None;
        for page in 1..=MOST_PAGES {
            let shown = match self.newest_page(class, scope, View::Edit, page, PER_PAGE).await {
                Err(error) if page > 1 && is_beyond_end(&error) => return Ok(None),
                shown => shown?,
            };
            room.take(&shown)?;
            let total = shown.total.ok_or(AskError::Incomplete)?;
            if *counted.get_or_insert(total) != total {
                return Ok(None);
            }
            let expected = total.saturating_sub((page - 1) * PER_PAGE).min(PER_PAGE);
            let mut site_time = shown.site_time;
            let newest_first = shown.value.is_sorted_by(|one, next| one.id > next.id);
            let mut rows: BTreeMap<_, _> = shown.value.into_iter().map(|row| (row.id, row)).collect();
            if (rows.len() as u64) < expected {
                let readable = self.newest_page(class, scope, View::Read, page, PER_PAGE).await?;
                room.take(&readable)?;
                if readable.total != counted {
                    return Ok(None);
                }
                site_time = readable.site_time;
                rows.extend(readable.value.into_iter().map(|row| (row.id, row)));
            }
            hidden += expected.saturating_sub(rows.len() as u64);
            // A site that sorts by its own rule is read to the end.
            let reached = newest_first && rows.first_key_value().is_some_and(|(id, _)| *id <= mark);
            found.extend(rows);
            if reached || page * PER_PAGE >= total {
                let rows = found.into_values().rev().filter(|row| row.id > mark).collect();
                return Ok(Some(Answered { value: Listing { rows, hidden }, site_time }));
            }
        }
        Err(AskError::Incomplete)
    }

    async fn newest_page(
        &self,
        class: Class,
        scope: Scope,
        view: View,
        page: u64,
        per_page: u64,
    ) -> Result<Got<Vec<Light>>, AskError> {
        let mut query = query(class, view, LIGHT_FIELDS).with("orderby", "id").with("order", "desc");
        if let Scope::Mine(author) = scope {
            query.add("author", &author.to_string());
        }
        let got: Got<Vec<WireRow>> =
            self.page(class.path(), &query, page, per_page, Patience::Patient).await?;
        let value = got.value.into_iter().map(WireRow::into_light).collect();
        Ok(Got { value, total: got.total, site_time: got.site_time, length: got.length })
    }

    /// Reads all pages of a list. `id_of` tells rows apart that two pages show.
    pub(crate) async fn whole<T: DeserializeOwned>(
        &self,
        route: &str,
        query: &Query,
        patience: Patience,
        id_of: impl Fn(&T) -> u64,
    ) -> Result<Whole<T>, AskError> {
        self.in_time(self.read_whole(route, query, patience, id_of)).await
    }

    async fn read_whole<T: DeserializeOwned>(
        &self,
        route: &str,
        query: &Query,
        patience: Patience,
        id_of: impl Fn(&T) -> u64,
    ) -> Result<Whole<T>, AskError> {
        'readings: for _ in 0..READINGS {
            let mut rows = BTreeMap::new();
            let mut room = Room::new();
            let mut counted = None;
            for page in 1.. {
                let got: Got<Vec<T>> = match self.page(route, query, page, PER_PAGE, patience).await {
                    Err(error) if page > 1 && is_beyond_end(&error) => continue 'readings,
                    got => got?,
                };
                room.take(&got)?;
                let total = got.total.filter(|total| *total <= MOST_PAGES * PER_PAGE);
                let total = total.ok_or(AskError::Incomplete)?;
                if *counted.get_or_insert(total) != total {
                    continue 'readings;
                }
                rows.extend(got.value.into_iter().map(|row| (id_of(&row), row)));
                if page * PER_PAGE >= total {
                    let hidden = total.saturating_sub(rows.len() as u64);
                    return Ok(Whole {
                        rows: rows.into_values().collect(),
                        hidden,
                        site_time: got.site_time,
                    });
                }
            }
        }
        Err(AskError::Incomplete)
    }

    pub(crate) async fn page<T: DeserializeOwned>(
        &self,
        route: &str,
        query: &Query,
        page: u64,
        per_page: u64,
        patience: Patience,
    ) -> Result<Got<Vec<T>>, AskError> {
        let query = query.clone().with("per_page", &per_page.to_string()).with("page", &page.to_string());
        self.ask(Method::GET, route, &query, patience).await
    }
}

/// Pages beyond the end are an error of WordPress; the list became shorter while it was read.
fn is_beyond_end(error: &AskError) -> bool {
    matches!(error, AskError::Status { status: 400, code: Some(code) } if code == "rest_post_invalid_page_number")
}

#[cfg(test)]
#[path = "lists_tests.rs"]
mod tests;
