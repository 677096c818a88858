//! How marks of other tools begin and end.

use super::mdx;

/// A mark that does not end within so many bytes is none.
const LONGEST_MARK: usize = 3000;
/// What stands between a tag and the one that ends it, and where that ends.
pub(super) fn paired<'t>(text: &'t str, start: usize, closing: &str) -> Option<(&'t str, usize)> {
    if closing.is_empty() {
        return None;
    }
    let mut from = start;
    // A closing tag is short; what comes before it may be long.
    for _ in 0..100 {
        let name = from + text[from..].find(closing)?;
        let before = text[..name].trim_end_matches([' ', '-', '<', '%']);
        let after = text[name + closing.len()..].trim_start_matches([' ', '-', '>', '%']);
        if before.len() >= start && before.ends_with('{') && after.starts_with('}') {
            let end = text.len() - after.trim_start_matches('}').len();
            return Some((text[start..].get(..before.trim_end_matches('{').len() - start)?, end));
        }
        from = name + closing.len();
    }
    None
}

/// As much of a text as a mark can be long.
pub(super) fn bounded(text: &str) -> &str {
    let mut end = LONGEST_MARK.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What begins in a line of text.
pub(super) enum Found<'s> {
    /// A span of code of this length.
    Code(usize),
    /// A picture up to its size, and the size.
    Size {
        picture: &'s str,
        size: &'s str,
    },
    /// A tilde that is not beside another. In Japanese they stand between times and numbers, and strike nothing out.
    Tilde,
    /// Two tildes or more.
    Tildes(usize),
    /// A tag that ends with this.
    Tag(&'static str),
    Mdx(mdx::Mark),
}

/// A picture with a size before its closing parenthesis, as Zenn writes it.
pub(super) fn sized(text: &str) -> Option<Found<'_>> {
    let target = text.find("](")?;
    let end = target + text[target..].find(')')?;
    let (image, size) = text[..end].rsplit_once(" =")?;
    let (width, height) = size.split_once('x')?;
    let is_number = |text: &str| text.trim_end_matches('%').bytes().all(|byte| byte.is_ascii_digit());
    let is_size = image.len() > target && is_number(width) && is_number(height) && size.len() > 1;
    is_size.then(|| Found::Size { picture: image, size: &text[image.len()..end] })
}

/// An embedded picture with a text and a size.
pub(super) fn embedded(text: &str) -> Option<Found<'_>> {
    let inside = &text[..text.find("]]")?];
    let (picture, size) = inside.rsplit_once('|')?;
    let is_size = !size.is_empty() && size.chars().all(|c| c.is_ascii_digit() || c == 'x');
    (is_size && picture.contains('|')).then(|| Found::Size { picture, size: &inside[picture.len()..] })
}

/// Whether what follows two brackets is a value of a template.
pub(super) fn is_value(text: &str) -> bool {
    text.trim_start_matches(['-', ' '])
        .starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\'' | '.' | '_' | '$'))
}

pub(super) fn is_marker(before: &str) -> bool {
    let marker = before.trim();
    matches!(marker, "-" | "*" | "+")
        || marker.strip_suffix(['.', ')']).is_some_and(|number| {
            !number.is_empty() && number.len() < 10 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// `js linenos` names a language and more.
pub(super) fn highlight_info(info: &str) -> String {
    info.split_whitespace().next().unwrap_or_default().trim_matches('"').to_owned()
}

/// Hexo writes `title lang:js url link-text`.
pub(super) fn codeblock_info(info: &str) -> String {
    let language = info.split_whitespace().find_map(|word| word.strip_prefix("lang:")).unwrap_or_default();
    let title: Vec<&str> = info.split_whitespace().take_while(|word| !word.contains(':')).collect();
    if title.is_empty() { language.to_owned() } else { format!("{language}:{}", title.join(" ")) }
}

pub(super) fn longest_run(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
