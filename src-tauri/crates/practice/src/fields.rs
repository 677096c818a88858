//! `_fields`: only what was asked for.

use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::asked::Params;

/// The fields of media that WordPress only knows whole: a nested wish for them yields nothing.
const WHOLE: [&str; 10] = [
    "description",
    "caption",
    "alt_text",
    "media_type",
    "mime_type",
    "media_details",
    "post",
    "source_url",
    "missing_image_sizes",
    "filename",
];

/// The fields that an answer is cut down to; none means all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Option<Vec<String>>);

impl Fields {
    pub(crate) fn read(params: &Params) -> Result<Fields, Refusal> {
        Ok(Fields(params.list("_fields")?.filter(|list| !list.is_empty())))
    }

    /// Cuts an item down.
    pub(crate) fn cut(&self, item: Value) -> Value {
        self.cut_knowing(item, &[])
    }

    /// Cuts a media item down, with WordPress's trap for nested wishes.
    pub(crate) fn cut_media(&self, item: Value) -> Value {
        self.cut_knowing(item, &WHOLE)
    }

    fn cut_knowing(&self, item: Value, whole: &[&str]) -> Value {
        let (Some(wanted), Value::Object(map)) = (&self.0, &item) else { return item };
        let mut kept = Map::new();
        for path in wanted {
            let parts: Vec<&str> = path.split('.').collect();
            let Some(first) = parts.first() else { continue };
            if parts.len() > 1 && whole.contains(first) && !wanted.iter().any(|other| other == first) {
                continue;
            }
            copy(map, &mut kept, &parts);
        }
        Value::Object(kept)
    }
}

fn copy(from: &Map<String, Value>, into: &mut Map<String, Value>, path: &[&str]) {
    let [first, rest @ ..] = path else { return };
    let Some(value) = from.get(*first) else { return };
    if rest.is_empty() {
        into.insert((*first).to_owned(), value.clone());
        return;
    }
    if let Value::Object(inner) = value {
        let slot = into.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(target) = slot {
            copy(inner, target, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nested_wishes_work_but_for_the_fields_that_media_know_whole() {
        let item =
            json!({ "id": 1, "title": { "raw": "a", "rendered": "b" }, "media_details": { "sizes": {} } });
        let fields = |list: &[&str]| Fields(Some(list.iter().map(|one| (*one).to_owned()).collect()));
        assert_eq!(
            fields(&["id", "title.raw"]).cut(item.clone()),
            json!({ "id": 1, "title": { "raw": "a" } })
        );
        assert_eq!(fields(&["id", "media_details.sizes"]).cut_media(item.clone()), json!({ "id": 1 }));
        assert_eq!(fields(&["media_details"]).cut_media(item), json!({ "media_details": { "sizes": {} } }));
    }
}
