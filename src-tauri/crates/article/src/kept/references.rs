//! What in kept markup leads to local files.

use std::ops::Range;

use super::Attributes;
use crate::block::Piece;
use crate::context::Context;
use crate::finding::FindingCode;
use crate::images::{Described, Source, is_remote};
use crate::link;

/// An attribute of a tag: where it stands with the white space before it, and its value as written.
struct Written<'t> {
    name: String,
    value: &'t str,
    whole: Range<usize>,
}

/// Appends markup to pieces, with slots where it leads to local images. Answers the first of them.
pub(super) fn pieces(html: &str, line: u32, context: &mut Context, out: &mut Vec<Piece>) -> Option<usize> {
    let mut copied = 0;
    let mut first = None;
    for (at, name, attributes) in tags(html) {
        let lines = u32::try_from(html[..at].matches('\n').count()).unwrap_or(u32::MAX);
        let line = Some(line.saturating_add(lines));
        let image = if name == "img" { image(&attributes, line, context) } else { None };
        first = first.or(image);
        for attribute in &attributes {
            let Some(new) = rewritten(&name, attribute, image, line, context) else { continue };
            push(out, &html[copied..attribute.whole.start]);
            out.extend(new);
            copied = attribute.whole.end;
        }
    }
    push(out, &html[copied..]);
    first
}

fn push(out: &mut Vec<Piece>, html: &str) {
    if !html.is_empty() {
        out.push(Piece::Markup(html.to_owned()));
    }
}

/// The image of the article that an `img` element shows.
fn image(attributes: &[Written<'_>], line: Option<u32>, context: &mut Context) -> Option<usize> {
    let value = |name: &str| {
        let found = attributes.iter().find(|attribute| attribute.name == name);
        found.map(|found| unescaped(found.value)).unwrap_or_default()
    };
    let (alt, title) = (value("alt"), value("title"));
    let described = Described { alt: &alt, title: &title, caption: "" };
    match context.images.resolve(&value("src"), described, line, &mut context.findings) {
        Source::Local(index) => Some(index),
        Source::Remote(_) | Source::Broken => None,
    }
}

/// What stands in the place of an attribute; nothing where it stays as it is.
fn rewritten(
    element: &str,
    attribute: &Written<'_>,
    image: Option<usize>,
    line: Option<u32>,
    context: &mut Context,
) -> Option<Vec<Piece>> {
    let markup = |text: &str| Piece::Markup(text.to_owned());
    match (element, attribute.name.as_str(), image) {
        ("img", "src", Some(index)) => Some(vec![markup(" src=\""), Piece::ImageUrl(index), markup("\"")]),
        // WordPress makes them itself, from the sizes it has.
        ("img", "srcset" | "sizes", Some(_)) => Some(Vec::new()),
        ("img", "class", Some(index)) => {
            let (before, after) = around_id(attribute.value)?;
            Some(vec![
                markup(&format!(" class=\"{before}")),
                Piece::ImageId(index),
                markup(&format!("{after}\"")),
            ])
        }
        ("a" | "area", "href", _) => {
            let target = unescaped(attribute.value);
            let stays = link::checked(&target, line, context).is_some();
            (!stays).then(Vec::new)
        }
        (_, "src" | "poster" | "data", None) if element != "img" => {
            let reference = unescaped(attribute.value);
            if is_remote(&reference) || reference.trim().is_empty() {
                return None;
            }
            context.findings.add(FindingCode::MediaUnsupported, line, &[("reference", &reference)]);
            Some(Vec::new())
        }
        _ => None,
    }
}

/// What stands before and after the id in a class such as `size-full wp-image-5`.
fn around_id(class: &str) -> Option<(&str, &str)> {
    let start = class.find("wp-image-")? + "wp-image-".len();
    let length = class[start..].bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| (&class[..start], &class[start + length..]))
}

/// The attributes of a block whose first local image is `image`: the id and the address of another site's copy give way
/// to those of this one.
pub(super) fn attributes(
    json: &str,
    image: Option<usize>,
    line: u32,
    context: &mut Context,
) -> Vec<Attributes> {
    let mut out = Vec::new();
    let mut copied = 0;
    for (name, value) in values(json) {
        let written = &json[value.clone()];
        let new = match (name, image) {
            ("id" | "mediaId", Some(index)) if written.bytes().all(|byte| byte.is_ascii_digit()) => {
                vec![Attributes::ImageId(index)]
            }
            ("url" | "mediaUrl" | "src" | "poster", _) if written.starts_with('"') => {
                let Ok(reference) = serde_json::from_str::<String>(written) else { continue };
                if is_remote(&reference) || !context.images.holds(&reference) {
                    continue;
                }
                let described = Described { alt: "", title: "", caption: "" };
                let found = context.images.resolve(&reference, described, Some(line), &mut context.findings);
                let Source::Local(index) = found else { continue };
                let quote = || Attributes::Json("\"".to_owned());
                vec![quote(), Attributes::ImageUrl(index), quote()]
            }
            _ => continue,
        };
        out.push(Attributes::Json(json[copied..value.start].to_owned()));
        out.extend(new);
        copied = value.end;
    }
    if copied < json.len() {
        out.push(Attributes::Json(json[copied..].to_owned()));
    }
    out
}

/// The names in a JSON object with where their values stand; names with escapes are left out.
fn values(json: &str) -> Vec<(&str, Range<usize>)> {
    let bytes = json.as_bytes();
    let mut found = Vec::new();
    let (mut depth, mut at, mut name) = (0_usize, 0, None);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at);
                if depth == 1 {
                    match name.take() {
                        None => name = json.get(at + 1..end.saturating_sub(1)),
                        Some(name) => found.push((name, at..end)),
                    }
                }
                at = end;
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                if depth == 2 {
                    name = None;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => name = None,
            b'0'..=b'9' if depth == 1 => {
                let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let is_whole = bytes.get(end).is_some_and(|byte| matches!(byte, b',' | b'}' | b' '));
                if let Some(name) = name.take().filter(|_| is_whole) {
                    found.push((name, at..end));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The start tags of markup: where they begin, their names in lower case, their attributes.
fn tags(html: &str) -> Vec<(usize, String, Vec<Written<'_>>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = html[at..].find('<').map(|start| at + start) {
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(html.len(), |end| start + end + 3);
            continue;
        }
        let length =
            rest[1..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
        if length == 0 || !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            at = start + 1;
            continue;
        }
        let name = rest[1..=length].to_ascii_lowercase();
        let (attributes, end) = attributes_of(html, start + 1 + length);
        at = end;
        if matches!(name.as_str(), "script" | "style" | "textarea" | "title" | "xmp") {
            let close = format!("</{name}");
            let lower = html[at..].to_ascii_lowercase();
            at += lower.find(&close).unwrap_or(lower.len());
        }
        found.push((start, name, attributes));
    }
    found
}

fn attributes_of(html: &str, from: usize) -> (Vec<Written<'_>>, usize) {
    let bytes = html.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    loop {
        let start = at;
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/').count();
        match bytes.get(at) {
            None => return (found, at),
            Some(b'>') => return (found, at + 1),
            Some(_) => {}
        }
        let name_at = at;
        at += 1;
        at += bytes[at..]
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'='))
            .count();
        let name = html[name_at..at].to_ascii_lowercase();
        let blank = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let equals = blank(at);
        let mut value = "";
        if bytes.get(equals) == Some(&b'=') {
            at = blank(equals + 1);
            let (from, to, end) = match bytes.get(at) {
                Some(quote @ (b'"' | b'\'')) => {
                    let length = bytes[at + 1..].iter().take_while(|byte| *byte != quote).count();
                    (at + 1, at + 1 + length, (at + 2 + length).min(bytes.len()))
                }
                _ => {
                    let length = bytes[at..]
                        .iter()
                        .take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'>')
                        .count();
                    (at, at + length, at + length)
                }
            };
            value = html.get(from..to).unwrap_or_default();
            at = end;
        }
        found.push(Written { name, value, whole: start..at });
    }
}

/// A value without the escapes that stand in addresses.
fn unescaped(value: &str) -> String {
    let mut plain = value.to_owned();
    for (escaped, character) in
        [("&quot;", "\""), ("&#039;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    {
        if plain.contains('&') {
            plain = plain.replace(escaped, character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_however_they_are_written() {
        let html = "a < b <!-- <img src=no> --><IMG SRC=x.png alt='a > b'\n class=\"c\" hidden/><script>\"<img src=no>\"</script><p>";
        let found: Vec<_> = tags(html)
            .into_iter()
            .map(|(_, name, attributes)| {
                (name, attributes.iter().map(|one| (one.name.clone(), one.value)).collect::<Vec<_>>())
            })
            .collect();
        let img = [("src", "x.png"), ("alt", "a > b"), ("class", "c"), ("hidden", "")];
        let img = img.map(|(name, value)| (name.to_owned(), value)).to_vec();
        assert_eq!(
            found,
            [("img".to_owned(), img), ("script".to_owned(), Vec::new()), ("p".to_owned(), Vec::new())]
        );
    }

    #[test]
    fn values_are_those_of_the_outer_object() {
        let json = r#"{"id":12,"a":{"id":3},"url":"x\"y", "n":1.5,"id2":[4,"url"],"last":7}"#;
        let found: Vec<_> = values(json).into_iter().map(|(name, value)| (name, &json[value])).collect();
        assert_eq!(found, [("id", "12"), ("url", r#""x\"y""#), ("last", "7")]);
    }
}
