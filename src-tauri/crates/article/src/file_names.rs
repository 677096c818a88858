//! What the name of a file says about it.

use std::ffi::OsStr;
use std::path::Path;

/// The extensions of texts that are read; of files of one name the first comes first.
const EXTENSIONS: [&str; 5] = ["md", "markdown", "mdx", "html", "htm"];

/// The extension of a text that can be an article, in lower case.
pub(crate) fn extension(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    EXTENSIONS.into_iter().find(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a text is written in a markup of articles that is not read here.
pub(crate) fn is_other_markup(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".rst", ".adoc", ".org"].iter().any(|end| lower.ends_with(end))
}

pub(crate) fn lead_rank(name: &str) -> Option<(usize, usize)> {
    let path = Path::new(name);
    let stem = path.file_stem()?.to_str()?;
    let stem = ["index", "article"].iter().position(|known| stem.eq_ignore_ascii_case(known))?;
    let of_file = extension(path);
    let extension = EXTENSIONS.iter().position(|known| Some(*known) == of_file)?;
    Some((stem, extension))
}

pub(crate) fn is_lead(stem: &OsStr) -> bool {
    stem.eq_ignore_ascii_case("index") || stem.eq_ignore_ascii_case("article")
}

pub(crate) fn is_readme(stem: &OsStr) -> bool {
    stem.eq_ignore_ascii_case("readme")
}

pub(crate) fn is_ignored(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.starts_with('.')
        || lower.starts_with("~$")
        || lower == "node_modules"
        || lower.starts_with("_index.")
        || [".tmp", ".crdownload", ".part", ".download", ".icloud", ".bak", ".swp", "~"]
            .iter()
            .any(|end| lower.ends_with(end))
}

pub(crate) fn is_conflicted_copy(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.contains("conflicted copy") || lower.contains("sync-conflict") || lower.contains("競合コピー")
}

pub(crate) fn featured_rank(name: &str) -> Option<usize> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_image = ["jpg", "jpeg", "png", "webp", "gif", "avif"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known));
    let rank = ["featured", "cover", "eyecatch", "thumbnail"]
        .iter()
        .position(|known| stem.eq_ignore_ascii_case(known));
    rank.filter(|_| is_image)
}

/// Cuts what tools add to names: a leading date, and the trailing 32 hex digits of Notion.
pub(crate) fn without_date_and_hash(name: &str) -> &str {
    let bytes = name.as_bytes();
    let is_date = bytes.len() > 11
        && bytes[..11].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            10 => matches!(byte, b'-' | b'_' | b' '),
            _ => byte.is_ascii_digit(),
        });
    let rest = if is_date { &name[11..] } else { name };
    let cut = rest.len().checked_sub(33).filter(|&cut| rest.is_char_boundary(cut) && cut > 0);
    let Some((title, hash)) = cut.map(|cut| rest.split_at(cut)) else { return rest };
    let is_hash = hash.starts_with([' ', '-', '_']) && hash[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { title } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_tools_add() {
        for (name, rest) in [
            ("2026-11-30-my-post", "my-post"),
            ("2026-11-30_日記", "日記"),
            ("2026-11-30", "2026-11-30"),
            ("2026-1-30-x", "2026-1-30-x"),
            ("My Page 0123456789abcdef0123456789abcdef", "My Page"),
            ("日本語 0123456789abcdef0123456789ABCDEF", "日本語"),
            ("0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
            ("2026-11-30-a 0123456789abcdef0123456789abcdef", "a"),
            ("ああああああああああああああああああ", "ああああああああああああああああああ"),
        ] {
            assert_eq!(without_date_and_hash(name), rest);
        }
    }
}
