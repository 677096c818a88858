//! How large a tree a text can become, told before it is parsed: the parsers build first, and what they build takes
//! many times the length of the text.

use crate::html::TooComplex;

/// The most nodes of a tree.
pub(crate) const MAX_NODES: usize = 400_000;
/// The most attributes of an element: each new one is compared with all others.
const MAX_ATTRIBUTES: usize = 2_000;

/// Refuses a Markdown text that could become more nodes than a tree may have.
pub(crate) fn markdown(text: &str) -> Result<(), TooComplex> {
    // What parts a text is a mark or the end of a line.
    let marks = text.bytes().filter(|byte| byte.is_ascii_punctuation() || *byte == b'\n').count();
    if marks > MAX_NODES || marks + cells(text) > MAX_NODES {
        return Err(TooComplex::Nodes);
    }
    Ok(())
}

/// The cells that tables can have beyond those that are written: rows that are too short are filled up.
fn cells(text: &str) -> usize {
    let mut columns = 0;
    let mut cells = 0_usize;
    for line in text.lines() {
        if line.trim().is_empty() {
            columns = 0;
        } else if is_below_heading(line) {
            columns = columns.max(line.split('|').count());
        }
        cells = cells.saturating_add(columns);
    }
    cells
}

/// Whether a line may stand between the heading of a table and its rows, wherever the table stands.
fn is_below_heading(line: &str) -> bool {
    line.contains('-')
        && line.bytes().all(|byte| {
            matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t' | b'\r' | b'>' | b'*' | b'+' | b'.' | b')')
                || byte.is_ascii_digit()
        })
}

/// Refuses HTML with an element of so many attributes that reading them takes for ever.
pub(crate) fn html(text: &str) -> Result<(), TooComplex> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        at += found + 1;
        let is_tag = bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
        if !is_tag {
            continue;
        }
        let (mut count, mut parted, mut has_value) = (0, false, false);
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'>' => break,
                b'"' | b'\'' if has_value => {
                    at += bytes[at..].iter().position(|end| *end == byte).map_or(0, |end| end + 1);
                    (parted, has_value) = (true, false);
                }
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' => parted = true,
                b'=' => (parted, has_value) = (false, true),
                _ => {
                    has_value = false;
                    count += usize::from(std::mem::take(&mut parted));
                    if count > MAX_ATTRIBUTES {
                        return Err(TooComplex::Nodes);
                    }
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_allowed() {
        let code = format!("```json\n{}```\n", "{\"key\": [1, 2, 3]},\n".repeat(20_000));
        assert!(markdown(&code).is_ok());
        assert!(markdown(&"日本語の文章です。".repeat(100_000)).is_ok());
        let table = format!("| a | b |\n| --- | --- |\n{}", "| 1 | 2 |\n".repeat(10_000));
        assert!(markdown(&table).is_ok());
        for html_text in [
            "<img src='data:image/png;base64,////////////' alt=\"a > b\">".repeat(2_000),
            format!("<p title='{}'>x</p>", "word ".repeat(5_000)),
            "<p class = a id = b>x".repeat(1_000),
            format!("<p title = '{}'>x</p>", "word ".repeat(5_000)),
            "<p title='never closed ".to_owned(),
            "a < b ".repeat(5_000),
            "<".repeat(5_000),
        ] {
            assert!(html(&html_text).is_ok(), "{}", html_text.get(..40).unwrap_or(&html_text));
        }
    }

    #[test]
    fn what_would_grow_is_refused() {
        for text in ["*a ", "a\n\n", "\n", "`", "[a](b)", "w.\u{3042}", "\"", "~a~", "| "] {
            assert_eq!(markdown(&text.repeat(MAX_NODES + 1)), Err(TooComplex::Nodes), "{text}");
        }
        let wide = format!("{}|\n{}|\n{}", "|a".repeat(5_000), "|-".repeat(5_000), "|\n".repeat(100));
        let quoted = wide.lines().map(|line| format!("> 1. {line}\n")).collect::<String>();
        for table in [wide, quoted] {
            assert_eq!(markdown(&table), Err(TooComplex::Nodes));
        }
        for separator in [" ", "/", "\n", " \t", "=x ", "='x'", "=\"x\"", "='>' "] {
            let attributes = (0..4_000).map(|at| format!("a{at}{separator}")).collect::<String>();
            for html_text in
                [format!("<p {attributes}>x"), format!("x<b {attributes}"), format!("</p {attributes}>")]
            {
                assert_eq!(html(&html_text), Err(TooComplex::Nodes), "{separator:?}");
            }
        }
    }
}
