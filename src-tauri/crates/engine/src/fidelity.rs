//! Whether a site stored what was sent: what differs, as short as a person can read it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ichido_core::content;
use ichido_core::outcome::Stored;
use ichido_wordpress::{ById, Class, DraftRequest};
use serde::Serialize;
use serde_json::Value;
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};

use crate::event::{Event, Note};
use crate::item::Item;
use crate::session::Session;

/// The most differences that are told of one article.
const MOST: usize = 5;
/// The most characters of each side of a difference.
const LONGEST: usize = 160;
/// How long is spent on finding the shortest difference; after that a longer one will do.
const AT_MOST: Duration = Duration::from_millis(200);

/// A place at which a site stored something else than what was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What was sent; empty where the site added something.
    pub sent: String,
    /// What the site stored; empty where it took something out.
    pub stored: String,
}

impl Change {
    /// Writes it on one line: `[-what was sent-] [+what is stored+]`.
    #[must_use]
    pub fn brief(&self) -> String {
        match (self.sent.as_str(), self.stored.as_str()) {
            ("", stored) => format!("[+{stored}+]"),
            (sent, "") => format!("[-{sent}-]"),
            (sent, stored) => format!("[-{sent}-] [+{stored}+]"),
        }
    }
}

/// Says what the site stored differently from what was sent. A difference is never more than something to be said: by
/// it nothing is halted or sent.
pub(crate) fn tell(session: &Session<'_>, item: &mut Item, sent: &DraftRequest, stored: &Stored) {
    item.compared = true;
    let changes = compare((&sent.title, &sent.content), (&stored.title, &stored.content));
    if !changes.is_empty() {
        let note = Note::StoredOtherwise { changes };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
}

/// Asks for what the site stored of a draft whose answer was lost. It is only to be compared: a failure is no obstacle.
pub(crate) async fn stored(session: &Session<'_>, item: &Item) -> Option<Stored> {
    let id = item.operation.as_ref()?.remote_id?;
    match session.client.by_ids(Class::Posts, &[id]).await {
        Ok(rows) => rows.value.into_iter().find_map(|(_, row)| match row {
            ById::There(row) => row.stored(),
            ById::Gone | ById::Forbidden => None,
        }),
        Err(error) => {
            tracing::warn!(%error, "what the site stored could not be read for a comparison");
            None
        }
    }
}

/// Says of a draft that was found later whether the site stored it as it was sent. What was sent is known by its digest
/// only: where it cannot be made again, nothing more is told than that it differs.
pub(crate) async fn tell_later(session: &Session<'_>, item: &mut Item) {
    let Some(operation) = &item.operation else { return };
    let (sent, normaliser) = (operation.sent_digest, operation.normaliser);
    if item.compared || sent.is_none() || normaliser != Some(content::NORMALISER) {
        return;
    }
    item.compared = true;
    let Some(stored) = stored(session, item).await else { return };
    if sent != Some(content::sent_digest(&stored.title, &stored.content)) {
        let note = Note::StoredOtherwise { changes: Vec::new() };
        session.tell(&Event::Noted { article: item.name.clone(), note });
    }
}

/// Compares what was sent with what a site stored. White space, the marker, and ways of writing that mean the same are
/// no difference.
pub(crate) fn compare(sent: (&str, &str), stored: (&str, &str)) -> Vec<Change> {
    let mut found = differences(sent.0, stored.0);
    found.extend(differences(&content::without_marker(sent.1), &content::without_marker(stored.1)));
    found.truncate(MOST);
    found
}

fn differences(sent: &str, stored: &str) -> Vec<Change> {
    let (sent, stored) = (tokens(sent), tokens(stored));
    let keys = |tokens: &[Token<'_>]| tokens.iter().map(|token| token.key.clone()).collect::<Vec<_>>();
    let (old, new) = (keys(&sent), keys(&stored));
    if old == new {
        return Vec::new();
    }
    // What is told of a pathological text may be longer than it need be.
    let deadline = Instant::now().checked_add(AT_MOST);
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline)
        .into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .take(MOST)
        .map(|op| Change { sent: shown(&sent, op.old_range()), stored: shown(&stored, op.new_range()) })
        .collect()
}

fn shown(tokens: &[Token<'_>], range: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for token in tokens.get(range).unwrap_or_default() {
        if token.spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&token.raw.split_whitespace().collect::<Vec<_>>().join(" "));
        if text.chars().count() > LONGEST {
            break;
        }
    }
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A tag, a comment or a word.
struct Token<'t> {
    raw: &'t str,
    /// Whether white space stands before it.
    spaced: bool,
    /// What two ways of writing the same have in common.
    key: String,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let spaced = trimmed.len() < rest.len();
        rest = trimmed;
        if rest.is_empty() {
            return tokens;
        }
        let (length, key) = if let Some(length) = comment(rest) {
            let inner = &rest[4..length - 3];
            (length, format!("<!--{}", delimiter(inner.trim())))
        } else if let Some(length) = tag(rest) {
            (length, tag_key(&rest[1..length - 1]))
        } else {
            let length = rest
                .char_indices()
                .skip(1)
                .find(|(_, letter)| *letter == '<' || letter.is_whitespace())
                .map_or(rest.len(), |(at, _)| at);
            (length, decoded(&rest[..length]))
        };
        tokens.push(Token { raw: &rest[..length], spaced, key });
        rest = &rest[length..];
    }
}

fn comment(text: &str) -> Option<usize> {
    text.strip_prefix("<!--")?.find("-->").map(|at| at + 7)
}

/// The length of the tag that a text begins with, `>` in quoted values left aside.
fn tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let begins = inner.strip_prefix('/').unwrap_or(inner);
    if !begins.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let mut quote = None;
    for (at, letter) in inner.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 2),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None | Some(_), _) => {}
        }
    }
    None
}

/// A delimiter of a block with its attributes in one order and one way of writing.
fn delimiter(inner: &str) -> String {
    let bare = inner.strip_suffix('/').map_or(inner, str::trim_end);
    let (name, attributes) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
    let canonical = match serde_json::from_str::<BTreeMap<String, Value>>(attributes) {
        Ok(attributes) if attributes.is_empty() => String::new(),
        Ok(attributes) => serde_json::to_string(&attributes).unwrap_or_default(),
        Err(_) => attributes.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    format!("{name} {canonical}{}", if bare.len() < inner.len() { "/" } else { "" })
}

fn tag_key(inner: &str) -> String {
    let inner = inner.trim_end().trim_end_matches('/');
    let name_end = inner.find(|letter: char| letter.is_whitespace()).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(name_end);
    let mut attributes = BTreeMap::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let (attribute, after) = rest.split_at(end);
        let (value, after) = match after.trim_start().strip_prefix('=') {
            Some(after) => value(after.trim_start()),
            None => ("", after),
        };
        if let Some(value) = plain_value(&attribute.to_ascii_lowercase(), value) {
            attributes.insert(attribute.to_ascii_lowercase(), value);
        }
        // A lone `=` must not stop it.
        rest = if end == 0 && after.len() == rest.len() { "" } else { after.trim_start() };
    }
    format!("<{} {attributes:?}", name.to_ascii_lowercase())
}

fn value(text: &str) -> (&str, &str) {
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => match text[1..].find(quote) {
            Some(end) => (&text[1..=end], &text[end + 2..]),
            None => (&text[1..], ""),
        },
        Some(_) | None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    }
}

/// The value of an attribute, but for what WordPress writes differently by itself; none where nothing is left.
fn plain_value(attribute: &str, value: &str) -> Option<String> {
    let value = decoded(value);
    match attribute {
        // WordPress up to 6.6 adds it to links that open elsewhere.
        "rel" => {
            let kept: Vec<&str> = value.split_whitespace().filter(|word| *word != "noopener").collect();
            (!kept.is_empty()).then(|| kept.join(" "))
        }
        "style" => {
            let declarations = value.split(';').map(|one| match one.split_once(':') {
                Some((property, value)) => {
                    format!("{}:{}", property.trim().to_ascii_lowercase(), value.trim())
                }
                None => one.trim().to_owned(),
            });
            Some(declarations.filter(|one| !one.is_empty()).collect::<Vec<_>>().join(";"))
        }
        _ => Some(value.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// A text without entities.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(12).find(|(_, letter)| *letter == ';').map(|(end, _)| end);
        match end.and_then(|end| entity(&rest[1..end]).map(|letter| (end, letter))) {
            Some((end, letter)) => {
                out.push(letter);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn briefs(sent: &str, stored: &str) -> Vec<String> {
        compare(("", sent), ("", stored)).iter().map(Change::brief).collect()
    }

    #[test]
    fn ways_of_writing_the_same_are_no_difference() {
        for (sent, stored) in [
            ("<p>a & b > c</p>", "<p>a &amp; b &gt; c</p>\n\n"),
            ("<p>a<br>b</p><hr/>", "<p>a<br />b</p><hr />"),
            ("<img src=\"a.png\" alt=\"x &amp; y\"/>", "<img alt='x & y' src='a.png' />"),
            (
                "<a href=\"x\" target=\"_blank\">l</a>",
                "<a href=\"x\" target=\"_blank\" rel=\"noopener\">l</a>",
            ),
            ("<p style=\"color: red; margin:0\">x</p>", "<p style=\"color:red;margin:0;\">x</p>"),
            (
                "<!-- wp:image {\"id\":7,\"alt\":\"a & b\"} -->",
                "<!-- wp:image {\"alt\":\"a \\u0026 b\",\"id\":7} -->",
            ),
            ("<!-- wp:separator {} /-->", "<!-- wp:separator /-->"),
            (
                "<!-- wp:paragraph {\"ichido\":\"01890a5d-ac96-774b-bcce-b302099a8057\"} -->",
                "<!-- wp:paragraph -->",
            ),
            ("&#128512;&#91;", "😀["),
        ] {
            assert_eq!(briefs(sent, stored), Vec::<String>::new(), "{sent} {stored}");
        }
    }

    #[test]
    fn what_is_taken_out_or_put_in_is_shown_with_little_around_it() {
        let sent = "<p>a</p> <iframe src=\"https://example.com/?a=1>2\"></iframe> <p>b</p>";
        assert_eq!(
            briefs(sent, "<p>a</p>  <p>b</p>"),
            ["[-<iframe src=\"https://example.com/?a=1>2\"></iframe>-]"]
        );
        assert_eq!(briefs("<script>alert(1)</script>", "alert(1)"), ["[-<script>-]", "[-</script>-]"]);
        assert_eq!(
            briefs("<p style=\"position:fixed\">x</p>", "<p>x</p>"),
            ["[-<p style=\"position:fixed\">-] [+<p>+]"]
        );
        assert_eq!(briefs("a b", "a b c"), ["[+c+]"]);
        assert_eq!(
            compare(("T", "x"), ("U", "x")).iter().map(Change::brief).collect::<Vec<_>>(),
            ["[-T-] [+U+]"]
        );
    }

    #[test]
    fn what_is_told_is_short() {
        let sent: String = (0..5000).map(|n| format!("a{n} same{n} ")).collect();
        let stored: String = (0..5000).map(|n| format!("b{n} same{n} ")).collect();
        assert_eq!(briefs(&sent, &stored).len(), MOST);
        let long = "é".repeat(5000);
        let told = briefs(&long, "");
        assert!(told[0].chars().count() < LONGEST + 10, "{told:?}");
    }

    proptest! {
        #[test]
        fn any_text_is_compared(one in any::<String>(), other in "[<>a&;\"'=/! -]{0,60}") {
            prop_assert_eq!(compare((&one, &other), (&one, &other)), vec![]);
            compare(("", &one), ("", &other));
            compare(("", &other), ("", &one));
        }
    }
}
