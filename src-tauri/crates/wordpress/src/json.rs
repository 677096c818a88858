//! JSON of a site, read only where it cannot grow far beyond its text: a small text can be millions of
//! empty lists, each of which takes many times its length.

use serde::de::DeserializeOwned;

use crate::errors::Malformed;

/// The most values and names of one answer. WordPress's longest lists have a tenth of that.
const MOST_PIECES: usize = 100_000;

/// Reads an answer. One that has too many pieces is JSON of another form.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Malformed> {
    if pieces(text) > MOST_PIECES {
        return Err(Malformed { line: 0, column: 0 });
    }
    serde_json::from_slice(text).map_err(Malformed::from)
}

/// Some sites print a byte order mark before everything. It means nothing.
pub(crate) fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// Counts what opens or parts values outside of texts. Says nothing of what is no JSON.
fn pieces(text: &[u8]) -> usize {
    let mut count = 0;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' | b',' | b':' => count += 1,
            b'"' => {
                // To the end of the text, over what is escaped.
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => drop(bytes.next()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn pieces_are_counted_outside_of_texts() {
        for (text, count) in [
            ("1", 0),
            ("[]", 1),
            (r#"{"a":[1,2]}"#, 4),
            (r#"["[[[,,,:::{{{"]"#, 1),
            (r#"["\",,,\\",1]"#, 2),
            (r#"["\\",1]"#, 2),
            ("\"", 0),
            ("\"\\", 0),
            ("", 0),
        ] {
            assert_eq!(pieces(text.as_bytes()), count, "{text}");
        }
    }

    #[test]
    fn what_would_grow_is_refused_and_what_is_long_is_not() {
        let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
        assert!(read::<Value>(list(MOST_PIECES).as_bytes()).is_ok());
        assert_eq!(read::<Value>(list(MOST_PIECES + 1).as_bytes()), Err(Malformed { line: 0, column: 0 }));
        let long = format!("\"{}\"", ",".repeat(MOST_PIECES * 2));
        assert!(read::<Value>(long.as_bytes()).is_ok());
    }
}
