//! Which numbers can be ids of a site.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Ids from here on are never given out; below 2^53, so that nothing on the way rounds them.
pub(crate) const UNUSED_FROM: u64 = 9_000_000_000_000_000;

/// Tells whether a row can have this id. Another one would be changed by whatever counts or keeps it.
pub(crate) const fn is_of_row(id: u64) -> bool {
    0 < id && id < UNUSED_FROM
}

/// Reads the id of a row.
pub(crate) fn of_row(json: &Value) -> Option<u64> {
    json.as_u64().filter(|id| is_of_row(*id))
}

/// Reads the id of a row.
pub(crate) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let id = u64::deserialize(from)?;
    if is_of_row(id) { Ok(id) } else { Err(D::Error::custom("no id of a row")) }
}

/// Reads the id of a user, who is nobody with 0.
pub(crate) fn read_or_zero<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let id = u64::deserialize(from)?;
    if id == 0 || is_of_row(id) { Ok(id) } else { Err(D::Error::custom("no id of a user")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_are_whole_positive_and_can_be_kept() {
        for id in [json!(1), json!(UNUSED_FROM - 1)] {
            assert_eq!(of_row(&id), id.as_u64());
            assert_eq!(read(&id).unwrap(), id.as_u64().unwrap());
        }
        for id in [
            json!(0),
            json!(-1),
            json!(1.0),
            json!(1e300),
            json!(UNUSED_FROM),
            json!(1_u64 << 63),
            json!(u64::MAX),
            json!("1"),
            json!(null),
            json!([1]),
        ] {
            assert_eq!(of_row(&id), None, "{id}");
            assert!(read(&id).is_err(), "{id}");
            assert_eq!(read_or_zero(&id).ok(), (id == 0).then_some(0), "{id}");
        }
    }
}
