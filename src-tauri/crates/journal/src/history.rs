//! Reading the history.

use ichido_core::id::OpId;
use rusqlite::params;

use crate::error::ReadError;
use crate::journal::Journal;
use crate::record::{By, HistoryEntry, HistoryFilter, Page};
use crate::row::{self, HISTORY};

/// What a [`HistoryFilter`] lets through.
const HISTORY_LISTED: &str = "(?1 IS NULL OR site_id = ?1) AND (?2 IS NULL OR by_person = ?2) \
    AND (?3 IS NULL OR code IN (SELECT value FROM json_each(?3))) AND (?4 IS NULL OR op_id IN \
    (SELECT op_id FROM operations WHERE instr(lower(title), lower(?4)) > 0 OR instr(lower(slug), lower(?4)) > 0 \
    OR instr(lower(coalesce(source_path, '')), lower(?4)) > 0))";

fn codes_parameter(filter: &HistoryFilter) -> Option<String> {
    (!filter.codes.is_empty()).then(|| row::list_parameter(filter.codes.iter().map(ToString::to_string)))
}

impl Journal {
    /// Returns history in the order it happened, after the given number: for going through all.
    pub fn history_after(&self, seq: i64, limit: u32) -> Result<Vec<HistoryEntry>, ReadError> {
        let sql = format!("SELECT {HISTORY} FROM history WHERE seq > ?1 ORDER BY seq LIMIT ?2");
        row::all(&self.db.lock(), &sql, (seq, limit), row::history_entry)
    }

    /// Returns the history of one operation, in the order it happened.
    pub fn history_of(&self, op_id: OpId) -> Result<Vec<HistoryEntry>, ReadError> {
        let sql = format!("SELECT {HISTORY} FROM history WHERE op_id = ?1 ORDER BY seq");
        row::all(&self.db.lock(), &sql, [op_id.to_string()], row::history_entry)
    }

    /// Returns the latest lines of the history, newest first.
    pub fn latest_history(&self, page: Page) -> Result<Vec<HistoryEntry>, ReadError> {
        let sql = format!("SELECT {HISTORY} FROM history ORDER BY seq DESC LIMIT ?1 OFFSET ?2");
        row::all(&self.db.lock(), &sql, (page.limit, page.offset.cast_signed()), row::history_entry)
    }

    /// Lists the history, newest first.
    pub fn history(&self, filter: &HistoryFilter, page: Page) -> Result<Vec<HistoryEntry>, ReadError> {
        let sql = format!(
            "SELECT {HISTORY} FROM history WHERE {HISTORY_LISTED} ORDER BY seq DESC LIMIT ?5 OFFSET ?6"
        );
        let codes = codes_parameter(filter);
        let by_person = filter.by.map(|by| by == By::Person);
        let parameters = params![
            filter.site.map(|site| site.0),
            by_person,
            codes,
            filter.text,
            page.limit,
            page.offset.cast_signed()
        ];
        row::all(&self.db.lock(), &sql, parameters, row::history_entry)
    }

    /// Counts the lines that a list of the history would hold.
    pub fn history_len(&self, filter: &HistoryFilter) -> Result<u64, ReadError> {
        let sql = format!("SELECT count(*) FROM history WHERE {HISTORY_LISTED}");
        let codes = codes_parameter(filter);
        let by_person = filter.by.map(|by| by == By::Person);
        let parameters = params![filter.site.map(|site| site.0), by_person, codes, filter.text];
        Ok(row::value::<i64>(&self.db.lock(), &sql, parameters)?.unwrap_or(0).cast_unsigned())
    }
}
