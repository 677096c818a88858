//! What WordPress takes out of texts of users who may not store unfiltered HTML.
//!
//! As far as articles need it: tags and attributes by a list, comments cleaned, ampersands written out. Not a defence
//! against anything; the pages of this site escape all they show.

mod allowed;
mod links;

pub(crate) use links::noopener;

use self::allowed::{ATTRIBUTES, ENTITIES, TAGS, TITLE_ATTRIBUTES, TITLE_TAGS};
use crate::blocks;

/// What a text may hold.
#[derive(Clone, Copy)]
struct Rules {
    tags: &'static [&'static str],
    attributes: &'static [&'static str],
    /// Whether attributes that begin with `data-` or `aria-` may stay.
    general: bool,
}

const POST: Rules = Rules { tags: TAGS, attributes: ATTRIBUTES, general: true };
const TITLE: Rules = Rules { tags: TITLE_TAGS, attributes: TITLE_ATTRIBUTES, general: false };

/// Filters a content or an excerpt.
pub(crate) fn content(text: &str) -> String {
    let spaced = lone_brackets(&without_controls(text));
    filter(&blocks::reserialise_with(&spaced, |string| filter(string, POST)), POST)
}

/// Filters a title.
pub(crate) fn title(text: &str) -> String {
    filter(&lone_brackets(&without_controls(text)), TITLE)
}

/// A text without tags and without spaces at its ends, as fields of one line are stored.
pub(crate) fn text_only(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        kept.push_str(&rest[..start]);
        rest = rest[start..].find('>').map_or("", |end| &rest[start + end + 1..]);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name of one line, as terms are stored: no tags, ampersands and brackets written out.
pub(crate) fn name(text: &str) -> String {
    ampersands(&text_only(text)).replace('<', "&lt;").replace('>', "&gt;")
}

fn without_controls(text: &str) -> String {
    text.chars()
        .filter(|letter| {
            matches!(letter, '\t' | '\n' | '\r') || !letter.is_ascii_control() || *letter == '\u{7f}'
        })
        .collect()
}

/// Writes out what looks like a tag but is followed by another before it ends (`wp_pre_kses_less_than`).
fn lone_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let length = rest[1..].find(['<', '>']).map_or(rest.len(), |end| end + 1);
        let piece = &rest[..length];
        if rest[length..].starts_with('>') {
            out.push_str(piece);
        } else {
            let quoted =
                ampersands(piece).replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&#039;");
            out.push_str(&quoted);
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn filter(text: &str, rules: Rules) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&ampersands(&rest[..start]).replace('>', "&gt;"));
        rest = &rest[start..];
        if rest.starts_with("<!--") {
            let Some(end) = rest.find("-->") else { return out };
            out.push_str(&comment(&rest[4..end], rules));
            rest = &rest[end + 3..];
            continue;
        }
        match rest.find('>') {
            Some(end) => {
                out.push_str(&tag(&rest[..=end], rules));
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
fn comment(inner: &str, rules: Rules) -> String {
    let mut inner = if inner.contains('<') { filter(inner, rules) } else { inner.to_owned() };
    while inner.contains("--") {
        inner = inner.replace("--", "-");
    }
    let inner = inner.trim_end_matches('-');
    if inner.is_empty() { String::new() } else { format!("<!--{inner}-->") }
}

fn tag(whole: &str, rules: Rules) -> String {
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
    if !rules.tags.contains(&known.as_str()) {
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
        let general = rules.general && (lower.starts_with("data-") || lower.starts_with("aria-"));
        if !general && !rules.attributes.contains(&lower.as_str()) {
            continue;
        }
        match value {
            None => out.push_str(&format!(" {attribute}")),
            Some(value) => {
                out.push_str(&format!(" {attribute}=\"{}\"", ampersands(&allowed_value(&lower, value))))
            }
        }
    }
    out.push_str(if alone { " />" } else { ">" });
    out
}

/// Takes schemes that run code off addresses.
fn allowed_value(attribute: &str, value: &str) -> String {
    if attribute == "style" {
        // Declarations that load something go.
        let kept: Vec<&str> = value.split(';').filter(|one| !one.contains(['(', '\\', '<', '&'])).collect();
        return kept.join(";").replace('"', "&quot;");
    }
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
        let numbered = |digits: &str| {
            let hex = digits.strip_prefix(['x', 'X']);
            let value = hex.map_or_else(|| digits.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            value.and_then(char::from_u32).is_some_and(|letter| letter >= ' ' || letter.is_ascii_whitespace())
        };
        let entity = name.len() < rest.len()
            && (ENTITIES.contains(&name) || name.strip_prefix('#').is_some_and(numbered));
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
    fn titles_keep_less_and_styles_load_nothing() {
        assert_eq!(title("<a href=\"x\" target=\"_blank\">x</a><p>y</p>"), "<a href=\"x\">x</a>y");
        assert_eq!(content("<p style=\"color:red;background:url(x)\">x</p>"), "<p style=\"color:red\">x</p>");
        assert_eq!(content("&bogus; &copy; &#8217;"), "&amp;bogus; &copy; &#8217;");
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
