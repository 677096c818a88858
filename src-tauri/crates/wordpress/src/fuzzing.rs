//! What only reads, for those who try it with anything.

use serde_json::Value;
use url::Url;

use crate::discover::described;
use crate::json::{self, without_bom};
use crate::rows::{self, WireRow};
use crate::{Class, text};

/// Reads an answer as everything that an answer can be.
#[expect(clippy::missing_panics_doc, reason = "a panic is what is looked for")]
pub fn read(body: &[u8]) {
    let body = without_bom(body);
    if let Ok(rows) = json::read::<Vec<WireRow>>(body) {
        for row in rows {
            let row = row.into_row(Class::Media);
            assert!(row.id.0 > 0 && !row.recorded().slug.contains('\0'));
        }
    }
    let Ok(value) = json::read::<Value>(body) else { return };
    for class in [Class::Posts, Class::Media] {
        drop(rows::row(class, &value).map(|row| row.recorded()));
    }
    if let Some(text) = value.as_str() {
        assert!(text::shortened(&text::without_entities(text), 100).chars().count() <= 100);
    }
    let Ok(page) = Url::parse("https://example.com/blog/") else { return };
    if let Some(Ok(found)) = described(value, &page, &page) {
        assert!(
            found.home == "https://example.com/blog" || found.home == "https://example.com",
            "{}",
            found.home
        );
    }
}
