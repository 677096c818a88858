//! What WordPress takes out of texts of users who may not store unfiltered HTML.
//!
//! As far as articles need it: tags and attributes by a list, comments cleaned, ampersands written out. Not a defence
//! against anything; the pages of this site escape all they show.

use crate::blocks;

/// Tags that posts may hold.
const TAGS: &[&str] = &[
    "a", "abbr", "acronym", "address", "area", "article", "aside", "audio", "b", "bdo", "big", "blockquote", "br",
    "button", "caption", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em",
    "fieldset", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "i", "img", "ins", "kbd", "label", "legend", "li", "main", "map", "mark", "menu", "nav", "object", "ol", "p", "pre",
    "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "track", "tt", "u", "ul", "var",
    "video",
];

/// Tags that titles may hold.
const TITLE_TAGS: &[&str] =
    &["a", "abbr", "acronym", "b", "blockquote", "cite", "code", "del", "em", "i", "q", "s", "strike", "strong"];

/// Attributes that posts may hold, on whatever tag.
const ATTRIBUTES: &[&str] = &[
    "abbr", "align", "alt", "axis", "border", "cellpadding", "cellspacing", "char", "charoff", "charset", "cite",
    "class", "color", "colspan", "controls", "coords", "datetime", "dir", "download", "face", "for", "frame", "headers",
    "height", "hidden", "href", "hspace", "id", "ismap", "kind", "lang", "label", "loop", "longdesc", "media", "muted",
    "name", "noshade", "nowrap", "open", "playsinline", "poster", "preload", "rel", "rev", "reversed", "role",
    "rowspan", "rules", "scope", "shape", "size", "span", "src", "srclang", "start", "style", "summary", "target",
    "title", "type", "usemap", "valign", "value", "vspace", "width", "xml:lang", "autoplay", "loading", "disabled",
];

/// Filters a content or an excerpt.
pub(crate) fn content(text: &str) -> String {
    filter(&blocks::reserialise(&without_controls(text)), TAGS)
}

/// Filters a title.
pub(crate) fn title(text: &str) -> String {
    filter(&without_controls(text), TITLE_TAGS)
}

fn without_controls(text: &str) -> String {
    text.chars().filter(|letter| matches!(letter, '\t' | '\n' | '\r') || !letter.is_ascii_control() || *letter == '\u{7f}').collect()
}

fn filter(text: &str, tags: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&ampersands(&rest[..start]));
        rest = &rest[start..];
        if rest.starts_with("<!--") {
            let Some(end) = rest.find("-->") else { return out };
            out.push_str(&comment(&rest[4..end], tags));
            rest = &rest[end + 3..];
            continue;
        }
        match rest.find('>') {
            Some(end) => {
                out.push_str(&tag(&rest[..=end], tags));
                rest = &rest[end + 1..];
            }
            None => {
                out.push_str("&lt;");
                rest = &rest[1..];
            }
        }
    }
    out.push_str(&ampersands(rest).replace('>', "&gt;"));
    out
}

/// Keeps a comment; hyphens that would end it early are taken out.
fn comment(inner: &str, tags: &[&str]) -> String {
    let mut inner = if inner.contains('<') { filter(inner, tags) } else { inner.to_owned() };
    while inner.contains("--") {
        inner = inner.replace("--", "-");
    }
    let inner = inner.trim_end_matches('-');
    if inner.is_empty() { String::new() } else { format!("<!--{inner}-->") }
}

fn tag(whole: &str, allowed: &[&str]) -> String {
    let inner = whole[1..whole.len() - 1].trim();
    let (closing, inner) = match inner.strip_prefix('/') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, inner),
    };
    let length = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = inner.split_at(length);
    if name.is_empty() {
        return String::new();
    }
    let known = name.to_ascii_lowercase();
    if !allowed.contains(&known.as_str()) {
        return String::new();
    }
    if closing {
        return format!("</{name}>");
    }
    let (alone, rest) = match rest.trim_end().strip_suffix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let mut out = format!("<{name}");
    for (attribute, value) in attributes(rest) {
        let lower = attribute.to_ascii_lowercase();
        let general = lower.starts_with("data-") || lower.starts_with("aria-");
        if !general && !ATTRIBUTES.contains(&lower.as_str()) {
            continue;
        }
        match value {
            None => out.push_str(&format!(" {attribute}")),
            Some(value) => out.push_str(&format!(" {attribute}=\"{}\"", ampersands(&allowed_value(&lower, value)))),
        }
    }
    out.push_str(if alone { " />" } else { ">" });
    out
}

/// Takes schemes that run code off addresses.
fn allowed_value(attribute: &str, value: &str) -> String {
    if !matches!(attribute, "href" | "src" | "cite" | "poster" | "longdesc" | "usemap") {
        return value.replace('<', "&lt;").replace('"', "&quot;");
    }
    let bare: String = value.chars().filter(|letter| !letter.is_whitespace()).collect();
    let scheme = bare.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match (scheme.as_deref(), value.split_once(':')) {
        (Some("javascript" | "vbscript" | "data" | "file"), Some((_, rest))) => rest.to_owned(),
        _ => value.replace('"', "&quot;"),
    }
}

fn attributes(text: &str) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let length = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        let after = after.trim_start();
        let Some(value) = after.strip_prefix('=') else {
            if !name.is_empty() {
                found.push((name, None));
            }
            rest = after;
            continue;
        };
        let value = value.trim_start();
        let (value, after) = match value.chars().next() {
            Some(mark @ ('"' | '\'')) => match value[1..].find(mark) {
                Some(end) => (&value[1..=end], &value[end + 2..]),
                None => (&value[1..], ""),
            },
            Some(_) | None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        if !name.is_empty() {
            found.push((name, Some(value)));
        }
        rest = after.trim_start();
    }
    found
}

/// Writes out ampersands that begin no entity.
fn ampersands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name = rest.split(';').next().unwrap_or_default();
        let entity = name.len() < rest.len()
            && (2..=31).contains(&name.len())
            && (name.bytes().all(|byte| byte.is_ascii_alphanumeric())
                || name.strip_prefix('#').is_some_and(|digits| {
                    digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x') && !digits.is_empty()
                }));
        out.push_str(if entity { "&" } else { "&amp;" });
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_handlers_go_and_their_text_stays() {
        assert_eq!(content("<p onclick=\"x()\">a</p><script>alert(1)</script>"), "<p>a</p>alert(1)");
        assert_eq!(content("<iframe src=\"x\"></iframe><svg><b>c</b></svg>"), "<b>c</b>");
        assert_eq!(content("<a href=\"javascript:alert(1)\">x</a>"), "<a href=\"alert(1)\">x</a>");
    }

    #[test]
    fn markup_is_written_as_wordpress_writes_it() {
        assert_eq!(content("a & b &amp; c<br/>"), "a &amp; b &amp; c<br />");
        assert_eq!(content("<img src='a.png' alt='x'>"), "<img src=\"a.png\" alt=\"x\">");
        assert_eq!(title("R & D <b>x</b>"), "R &amp; D <b>x</b>");
    }

    #[test]
    fn comments_stay_without_double_hyphens() {
        assert_eq!(content("<!--more--><!-- a -- b -->"), "<!--more--><!-- a - b -->");
        let block = "<!-- wp:paragraph {\"ichido\":\"0190\"} -->\n<p>x</p>\n<!-- /wp:paragraph -->";
        assert_eq!(content(block), block);
    }

    #[test]
    fn letters_of_any_alphabet_pass() {
        let text = "<p>日本語、<ruby>漢字<rt>かんじ</rt></ruby>。</p>\n";
        assert_eq!(content(text), text);
    }
}
