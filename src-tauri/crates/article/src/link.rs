//! Where links may lead.

use crate::context::Context;
use crate::finding::FindingCode;
use crate::gates;

/// More links to headings than this are not checked.
const MOST_LINKS: usize = 1000;

/// What a link's target is to a site's readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Fine,
    /// Runs code, or opens a file on the reader's own machine.
    Harmful,
    /// A path from the local file; the site has no such place.
    Relative,
}

/// Answers the target to write, or nothing where the link is left out; says so in the findings.
pub(crate) fn checked<'a>(url: &'a str, line: Option<u32>, context: &mut Context) -> Option<&'a str> {
    let trimmed = url.trim();
    if context.gates.local_links && gates::is_local(trimmed) {
        context.findings.add(FindingCode::LinkLocal, line, &[("link", trimmed)]);
    }
    let leads_to_heading = trimmed.starts_with('#') || (is_article(trimmed) && trimmed.contains('#'));
    if leads_to_heading && context.links_to_headings.len() < MOST_LINKS {
        context.links_to_headings.push((trimmed.to_owned(), line));
    }
    match target(trimmed) {
        Target::Fine => Some(trimmed),
        Target::Harmful => {
            context.findings.add(FindingCode::LinkRemoved, line, &[("link", trimmed)]);
            None
        }
        // The file lies here and nowhere on the site.
        Target::Relative if context.images.holds(trimmed) => {
            context.findings.add(FindingCode::LinkToFile, line, &[("link", trimmed)]);
            None
        }
        Target::Relative => {
            let is_broken = context.gates.links && is_article(trimmed);
            let code = if is_broken { FindingCode::LinkBroken } else { FindingCode::LinkRelative };
            context.findings.add(code, line, &[("link", trimmed)]);
            Some(trimmed)
        }
    }
}

/// Whether a target is named like an article.
fn is_article(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let is_path = !path.contains("://") && !path.starts_with("//");
    is_path
        && [".md", ".markdown", ".mdx", ".html", ".htm"]
            .iter()
            .any(|end| path.len() > end.len() && path.to_ascii_lowercase().ends_with(end))
}

fn target(url: &str) -> Target {
    // Browsers skip control characters and white space inside a scheme.
    let plain = || url.chars().filter(|c| !c.is_control() && !c.is_whitespace());
    let scheme: String = plain().take_while(|&c| c != ':').take(32).collect::<String>().to_ascii_lowercase();
    let has_scheme = plain().nth(scheme.chars().count()) == Some(':')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if has_scheme {
        let harmful = matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "file" | "blob")
            || scheme.len() == 1;
        return if harmful { Target::Harmful } else { Target::Fine };
    }
    if url.starts_with('\\') {
        Target::Harmful
    } else if url.is_empty() || url.starts_with(['/', '#', '?']) {
        Target::Fine
    } else {
        Target::Relative
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_told_apart() {
        for url in ["https://e.com/", "mailto:a@e.com", "tel:1", "/about/", "#top", "?p=1", "//e.com/x", ""] {
            assert_eq!(target(url), Target::Fine, "{url}");
        }
        for url in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:x",
            "vbscript:x",
            "data:text/html,x",
            "file:///etc/passwd",
            "C:\\x",
            "c:/x",
            "\\\\server\\share",
            "blob:x",
        ] {
            assert_eq!(target(url), Target::Harmful, "{url}");
        }
        for url in ["other.md", "../x/", "a/b.pdf", "日本.html", "a/b:c"] {
            assert_eq!(target(url), Target::Relative, "{url}");
        }
    }
}
