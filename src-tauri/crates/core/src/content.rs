//! The marker in the content, and comparing what was sent with what a site shows.

use crate::digest::Digest;
use crate::id::OpId;

/// Name of the block attribute that carries the operation's id.
pub const MARKER_ATTRIBUTE: &str = "ichido";

/// Version of the rules in [`normalise`]; recorded with each sent digest, since digests of different
/// versions must not be compared.
pub const NORMALISER: u32 = 1;

/// Finds the first marker in raw content: `"ichido":"<op_id>"` inside a block delimiter.
#[must_use]
pub fn marker_of(raw: &str) -> Option<OpId> {
    delimiters(raw).find_map(|delimiter| marker_span(delimiter).map(|span| span.op_id))
}

/// Digests title and content as they are to be recognised on the site: without the marker, and
/// without the differences that WordPress itself makes.
#[must_use]
pub fn sent_digest(title: &str, raw: &str) -> Digest {
    Digest::of(&[normalise_title(title).as_bytes(), normalise(raw).as_bytes()])
}

/// Digests what a reader would see of a post: its title and the words of its text, without markup.
///
/// Coarser than [`sent_digest`]; it serves the note "the same is there already", where nothing of ours
/// was sent that could be compared exactly.
#[must_use]
pub fn visible_digest(title: &str, raw: &str) -> Digest {
    let mut words = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(from) = rest.find('<') {
        words.push_str(&rest[..from]);
        words.push(' ');
        let comment = rest[from..].starts_with("<!--");
        let end = if comment {
            rest[from..].find("-->").map(|at| at + 3)
        } else {
            rest[from..].find('>').map(|at| at + 1)
        };
        rest = end.map_or("", |end| &rest[from + end..]);
    }
    words.push_str(rest);
    for (entity, character) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#91;", "["), ("&nbsp;", " "), ("&amp;", "&")]
    {
        words = words.replace(entity, character);
    }
    let words = words.split_whitespace().collect::<String>();
    Digest::of(&[normalise_title(title).as_bytes(), words.as_bytes()])
}

fn normalise_title(title: &str) -> String {
    title.replace("&amp;", "&").split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Brings raw content into the form that two faithful copies of it share.
///
/// The marker goes, runs of white space become one space, `<br />` becomes `<br>`, `rel="noopener"`
/// (which WordPress up to 6.6 adds) goes, ` />` becomes `/>` (which it writes for users whose HTML it
/// filters), a bare `&` is written `&amp;`, and an empty attribute object
/// of a block goes.
#[must_use]
pub fn normalise(raw: &str) -> String {
    let unmarked = without_marker(raw);
    let mut text = String::with_capacity(unmarked.len());
    let mut pending_space = false;
    let mut rest = unmarked.as_str();
    while let Some(character) = rest.chars().next() {
        if character.is_ascii_whitespace() {
            pending_space = true;
            rest = &rest[character.len_utf8()..];
            continue;
        }
        if pending_space && !text.is_empty() {
            text.push(' ');
        }
        pending_space = false;
        let (written, consumed) = match character {
            '<' => void_tag(rest).unwrap_or(("<", 1)),
            '&' if !starts_an_entity(rest) => ("&amp;", 1),
            _ => (&rest[..character.len_utf8()], character.len_utf8()),
        };
        text.push_str(written);
        rest = &rest[consumed..];
    }
    text.replace(" rel=\"noopener\"", "")
        .replace(" rel=\"noreferrer noopener\"", " rel=\"noreferrer\"")
        .replace(" {} -->", " -->")
        .replace(" />", "/>")
}

fn void_tag(rest: &str) -> Option<(&'static str, usize)> {
    const TAGS: [(&str, &str); 4] =
        [("<br />", "<br>"), ("<br/>", "<br>"), ("<hr />", "<hr>"), ("<hr/>", "<hr>")];
    TAGS.into_iter()
        .find(|(written, _)| rest.starts_with(written))
        .map(|(written, normal)| (normal, written.len()))
}

fn starts_an_entity(rest: &str) -> bool {
    let body = &rest.as_bytes()[1..rest.len().min(12)];
    let Some(end) = body.iter().position(|byte| *byte == b';') else { return false };
    match body {
        [b'#', b'x' | b'X', ..] => end > 2 && body[2..end].iter().all(u8::is_ascii_hexdigit),
        [b'#', ..] => end > 1 && body[1..end].iter().all(u8::is_ascii_digit),
        _ => end > 0 && body[..end].iter().all(u8::is_ascii_alphanumeric),
    }
}

/// Returns the content without any marker, as it would have been written without one.
#[must_use]
pub fn without_marker(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut copied = 0;
    for delimiter in delimiters(raw) {
        if let Some(span) = marker_span(delimiter) {
            let offset = delimiter.as_ptr() as usize - raw.as_ptr() as usize;
            text.push_str(&raw[copied..offset + span.from]);
            copied = offset + span.to;
        }
    }
    text.push_str(&raw[copied..]);
    text
}

/// Yields each opening block delimiter, from `<!-- wp:` to before `-->`.
fn delimiters(raw: &str) -> impl Iterator<Item = &str> {
    raw.match_indices("<!-- wp:").filter_map(|(from, _)| {
        let length = raw[from..].find("-->")?;
        Some(&raw[from..from + length])
    })
}

struct MarkerSpan {
    op_id: OpId,
    from: usize,
    to: usize,
}

/// Finds the marker in one delimiter, with the bytes that disappear when it is taken out: the pair,
/// one comma, and braces that held nothing else.
fn marker_span(delimiter: &str) -> Option<MarkerSpan> {
    let pair = delimiter.find("\"ichido\"")?;
    let bytes = delimiter.as_bytes();
    let skip_space = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    };
    let colon = skip_space(pair + "\"ichido\"".len());
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let quote = skip_space(colon + 1);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let op_id = OpId::parse(delimiter.get(quote + 1..quote + 37)?)?;
    if bytes.get(quote + 37) != Some(&b'"') {
        return None;
    }
    let (mut from, mut to) = (pair, quote + 38);
    let before = delimiter[..from].trim_end();
    let after = skip_space(to);
    match (before.as_bytes().last(), bytes.get(after)) {
        (Some(b'{'), Some(b'}')) => {
            from = before[..before.len() - 1].trim_end().len();
            to = after + 1;
        }
        (_, Some(b',')) => to = after + 1,
        (Some(b','), _) => from = before.len() - 1,
        _ => {}
    }
    Some(MarkerSpan { op_id, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    fn marked(attributes: &str) -> String {
        format!("<!-- wp:paragraph {attributes} -->\n<p>x</p>\n<!-- /wp:paragraph -->")
    }

    #[test]
    fn finds_and_removes_the_marker_wherever_it_stands_among_the_attributes() {
        for (with, without) in [
            (format!(r#"{{"ichido":"{ID}"}}"#), "<!-- wp:paragraph -->"),
            (format!(r#"{{"align":"left","ichido":"{ID}"}}"#), r#"<!-- wp:paragraph {"align":"left"} -->"#),
            (format!(r#"{{"ichido":"{ID}","align":"left"}}"#), r#"<!-- wp:paragraph {"align":"left"} -->"#),
            (format!(r#"{{ "ichido" : "{ID}" }}"#), "<!-- wp:paragraph -->"),
        ] {
            let raw = marked(&with);
            assert_eq!(marker_of(&raw), OpId::parse(ID));
            assert!(without_marker(&raw).starts_with(without), "{}", without_marker(&raw));
        }
    }

    #[test]
    fn text_that_only_looks_like_a_marker_is_none() {
        let raw = format!("<p>\"ichido\":\"{ID}\"</p>");
        assert_eq!(marker_of(&raw), None);
        assert_eq!(without_marker(&raw), raw);
        assert_eq!(marker_of("<!-- wp:paragraph {\"ichido\":\"short\"} -->"), None);
        assert_eq!(marker_of("<!-- wp:paragraph {\"ichido\":"), None);
    }

    #[test]
    fn what_the_site_rewrites_by_itself_does_not_make_a_difference() {
        let sent = "<!-- wp:paragraph -->\n<p>A & B<br>c <a href=\"x\" target=\"_blank\">l</a></p>\n<!-- /wp:paragraph -->";
        let stored = "<!-- wp:paragraph {} -->\r\n<p>A &amp; B<br />c <a href=\"x\" target=\"_blank\" rel=\"noopener\">l</a></p>\n\n<!-- /wp:paragraph -->\n";
        assert_eq!(sent_digest("T & U", sent), sent_digest(" T &amp; U", stored));
    }

    #[test]
    fn what_the_site_filters_for_authors_does_not_make_a_difference() {
        let sent = r#"<figure><img src="a.png" alt=""/></figure>"#;
        assert_eq!(
            sent_digest("t", sent),
            sent_digest("t", r#"<figure><img src="a.png" alt="" /></figure>"#)
        );
    }

    #[test]
    fn a_changed_word_makes_a_difference() {
        assert_ne!(sent_digest("t", "<p>a b</p>"), sent_digest("t", "<p>a c</p>"));
        assert_ne!(sent_digest("t", "<p>ab</p>"), sent_digest("t", "<p>a b</p>"));
        assert_ne!(sent_digest("t", "x"), sent_digest("u", "x"));
    }

    #[test]
    fn a_reader_sees_the_same_whatever_the_markup() {
        let blocks = "<!-- wp:paragraph -->\n<p>A &amp; <b>b</b></p>\n<!-- /wp:paragraph -->";
        assert_eq!(visible_digest("t", blocks), visible_digest("t", "A & <em>b</em>"));
        assert_ne!(visible_digest("t", blocks), visible_digest("t", "A & c"));
        assert_eq!(visible_digest("t", "<p"), visible_digest("t", ""));
    }

    proptest! {
        #[test]
        fn any_text_is_normalised_once_and_for_all(text in any::<String>()) {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }

        #[test]
        fn the_marker_never_changes_the_digest(align in "[a-z]{0,8}", body in "[^<&]{0,40}") {
            let plain = format!("<!-- wp:paragraph {{\"align\":\"{align}\"}} -->\n<p>{body}</p>\n<!-- /wp:paragraph -->");
            let with = plain.replacen('{', &format!("{{\"ichido\":\"{ID}\","), 1);
            prop_assert_eq!(marker_of(&with), OpId::parse(ID));
            prop_assert_eq!(sent_digest("t", &plain), sent_digest("t", &with));
        }
    }
}
