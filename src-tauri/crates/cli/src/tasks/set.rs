//! `set`: settings.

use ichido_engine::{Engine, Key};
use serde_json::json;

use crate::args::Set;
use crate::failure::Failure;
use crate::out::{Out, column};
use crate::text::clean;

pub(crate) async fn run(out: &Out, engine: &Engine, set: &Set) -> Result<u8, Failure> {
    let site = set.site.as_deref();
    let key = match &set.key {
        Some(text) => Some(Key::parse(text).ok_or_else(|| Failure::UnknownSetting { key: text.clone() })?),
        None => None,
    };
    if let (Some(key), Some(value)) = (key, &set.value) {
        let changed = engine.set(site, key, value).await?;
        changed.map_err(|error| Failure::Setting { key: key.as_str().to_owned(), error })?;
    }
    let settings = engine.settings(site)?;
    for shown in Key::ALL.into_iter().filter(|shown| key.is_none_or(|key| key == *shown)) {
        let value = settings.get(shown);
        out.object(&json!({ "event": "setting", "site": site, "key": shown.as_str(), "value": value }));
        let about = out.texts.get(&format!("setting.{}", shown.as_str()));
        // A long value is shown whole: it is what the person set.
        let value = if value.chars().count() > 6 { clean(&value) } else { column(&value, 6) };
        out.line(&format!("{} {value} {about}", column(shown.as_str(), 18)));
    }
    Ok(0)
}
