//! Which references may be looked for in the article's folder, by their text alone.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// A reference that passed the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reference {
    /// An address on the web, to be left as it is.
    Remote,
    /// The parts of a path below the folder.
    Local(Vec<String>),
}

/// Why a reference is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Absolute, with a drive, a host or a scheme.
    Absolute,
    /// Leads above the folder.
    Outside,
    /// Holds what no file name should.
    Forbidden,
    /// The data themselves.
    Inline,
}

/// Deeper paths are no pictures of an article.
const MAX_PARTS: usize = 16;
const LONGEST: usize = 2048;

/// Whether a reference names something on the web.
pub(crate) fn is_remote(reference: &str) -> bool {
    let scheme_end = reference.find("://").filter(|&end| end <= 5);
    scheme_end.is_some_and(|end| {
        let scheme = &reference[..end];
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    })
}

/// Judges a reference of an article that lies at the top of the folder.
pub(crate) fn parse(reference: &str) -> Result<Reference, Refused> {
    parse_in(&[], reference)
}

/// Judges a reference of an article in the folder `base`; the parts of the answer start from the top.
pub(crate) fn parse_in(base: &[String], reference: &str) -> Result<Reference, Refused> {
    let reference = reference.trim();
    if is_remote(reference) {
        return Ok(Reference::Remote);
    }
    if reference.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) {
        return Err(Refused::Inline);
    }
    if reference.len() > LONGEST {
        return Err(Refused::Forbidden);
    }
    let decoded = decoded(reference)?;
    if decoded.starts_with(['/', '\\', '~']) {
        return Err(Refused::Absolute);
    }
    if decoded.chars().any(char::is_control) {
        return Err(Refused::Forbidden);
    }
    if let Some((scheme, _)) = decoded.split_once(':') {
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        // A drive and a scheme are absolute; any other colon would name a stream of a file.
        return Err(if is_scheme && !scheme.contains('.') { Refused::Absolute } else { Refused::Forbidden });
    }
    cleaned(base, &decoded).map(Reference::Local)
}

/// The parts of a reference from the top of a site, such as `/images/a.png`.
pub(crate) fn from_top(reference: &str) -> Option<Vec<String>> {
    let path = reference.trim().strip_prefix('/').filter(|path| path.len() <= LONGEST)?;
    let decoded = decoded(path).ok()?;
    let is_plain =
        !decoded.starts_with(['/', '\\']) && !decoded.contains(':') && !decoded.chars().any(char::is_control);
    cleaned(&[], &decoded).ok().filter(|_| is_plain)
}

fn decoded(reference: &str) -> Result<Cow<'_, str>, Refused> {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    percent_decode_str(path).decode_utf8().map_err(|_| Refused::Forbidden)
}

fn cleaned(base: &[String], decoded: &str) -> Result<Vec<String>, Refused> {
    let mut parts: Vec<String> = base.to_vec();
    for part in decoded.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(Refused::Outside)?;
            }
            _ if is_forbidden(part) => return Err(Refused::Forbidden),
            _ => parts.push(part.to_owned()),
        }
    }
    if parts.is_empty() || parts == base || parts.len() > base.len() + MAX_PARTS {
        return Err(Refused::Forbidden);
    }
    Ok(parts)
}

/// Names that some system reads as something else: devices, and names that end in dots or spaces.
fn is_forbidden(part: &str) -> bool {
    if part.ends_with(['.', ' ']) || part.starts_with(' ') {
        return true;
    }
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| {
            let mut digits = rest.chars();
            matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$")
        || numbered("COM")
        || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_paths_are_decoded_and_cleaned() {
        for (reference, parts) in [
            ("a.png", vec!["a.png"]),
            ("./images/a.png", vec!["images", "a.png"]),
            ("images//a.png", vec!["images", "a.png"]),
            ("images\\a.png", vec!["images", "a.png"]),
            ("a%20b.png", vec!["a b.png"]),
            ("%E5%86%99%E7%9C%9F.png", vec!["写真.png"]),
            ("写真 1.png", vec!["写真 1.png"]),
            ("a.png?v=2#x", vec!["a.png"]),
            ("x/../a.png", vec!["a.png"]),
            ("console.png", vec!["console.png"]),
            ("com10.png", vec!["com10.png"]),
            (".hidden.png", vec![".hidden.png"]),
            ("..a.png", vec!["..a.png"]),
        ] {
            let parts = parts.into_iter().map(str::to_owned).collect();
            assert_eq!(parse(reference), Ok(Reference::Local(parts)), "{reference}");
        }
    }

    #[test]
    fn the_web_is_left_alone() {
        for reference in ["https://e.com/a.png", "HTTP://e.com", "http://localhost/a", " https://e.com/x "] {
            assert_eq!(parse(reference), Ok(Reference::Remote), "{reference}");
        }
    }

    #[test]
    fn hostile_references_are_refused() {
        use Refused::{Absolute, Forbidden, Inline, Outside};
        let cases: &[(&str, Refused)] = &[
            ("/etc/passwd", Absolute),
            ("//host/share/a.png", Absolute),
            ("\\\\host\\share\\a.png", Absolute),
            ("\\a.png", Absolute),
            ("%2fetc/passwd", Absolute),
            ("%5c%5chost%5cshare", Absolute),
            ("~/a.png", Absolute),
            ("~root/a.png", Absolute),
            ("C:\\a.png", Absolute),
            ("c:/a.png", Absolute),
            ("C:a.png", Absolute),
            ("c%3a/a.png", Absolute),
            ("file:///etc/passwd", Absolute),
            ("FILE:a.png", Absolute),
            ("file:a.png", Absolute),
            ("ftp://e.com/a.png", Absolute),
            ("javascript:alert(1)", Absolute),
            ("blob:x", Absolute),
            ("smb://h/s", Absolute),
            ("about:blank", Absolute),
            ("chrome://x", Absolute),
            ("view-source:x", Absolute),
            ("a.png:stream", Forbidden),
            ("a.png::$DATA", Forbidden),
            ("x/a.png:zone", Forbidden),
            ("http:/e.com", Absolute),
            ("../a.png", Outside),
            ("..\\a.png", Outside),
            ("x/../../a.png", Outside),
            ("./../a.png", Outside),
            ("%2e%2e/a.png", Outside),
            ("%2E%2E%2Fa.png", Outside),
            ("..%2fa.png", Outside),
            ("..%5ca.png", Outside),
            ("x/..\\../a.png", Outside),
            ("a/b/../../../c.png", Outside),
            ("../../../../../../etc/passwd", Outside),
            ("..", Outside),
            ("x/../..", Outside),
            ("a\0.png", Forbidden),
            ("a%00.png", Forbidden),
            ("a.png%00.jpg", Forbidden),
            ("a\n.png", Forbidden),
            ("a%0a.png", Forbidden),
            ("a%7f.png", Forbidden),
            ("a%ff.png", Forbidden),
            ("%c0%ae%c0%ae/a.png", Forbidden),
            ("", Forbidden),
            (".", Forbidden),
            ("./", Forbidden),
            ("x/..", Forbidden),
            ("?", Forbidden),
            ("#a", Forbidden),
            ("...", Forbidden),
            ("../...", Outside),
            (".../a.png", Forbidden),
            (".. /a.png", Forbidden),
            ("a./b.png", Forbidden),
            ("a.png.", Forbidden),
            ("a.png%20", Forbidden),
            ("%20a.png", Forbidden),
            ("CON", Forbidden),
            ("con.png", Forbidden),
            ("NUL.txt", Forbidden),
            ("x/nul", Forbidden),
            ("aux.tar.gz", Forbidden),
            ("PRN .png", Forbidden),
            ("com1.png", Forbidden),
            ("COM¹.png", Forbidden),
            ("lpt9", Forbidden),
            ("CONIN$", Forbidden),
            ("x/CLOCK$/a.png", Forbidden),
            ("data:image/png;base64,AAAA", Inline),
            ("DATA:image/png,x", Inline),
        ];
        assert!(cases.len() >= 60);
        for (reference, refused) in cases {
            assert_eq!(parse(reference), Err(*refused), "{reference:?}");
        }
        assert_eq!(parse(&"a/".repeat(20)), Err(Forbidden));
        assert_eq!(parse(&"a".repeat(5000)), Err(Forbidden));
    }
}
