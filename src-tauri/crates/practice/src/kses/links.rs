//! Links that open a new window.

use super::attributes;

/// Gives links that open a new window `rel="noopener"`, as releases before 6.7 do for everybody.
pub(crate) fn noopener(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<a ") {
        let Some(end) = rest[start..].find('>').map(|end| start + end) else { break };
        out.push_str(&rest[..start]);
        let inner = &rest[start + 3..end];
        let pairs = attributes(inner);
        let rel =
            pairs.iter().find(|(name, _)| name.eq_ignore_ascii_case("rel")).and_then(|(_, value)| *value);
        let opens = pairs.iter().any(|(name, _)| name.eq_ignore_ascii_case("target"));
        match rel {
            _ if !opens => out.push_str(&rest[start..end]),
            Some(rel) if rel.split_whitespace().any(|word| word == "noopener") => {
                out.push_str(&rest[start..end])
            }
            Some(rel) => {
                let longer = format!("\"{rel} noopener\"");
                let inner =
                    inner.replace(&format!("\"{rel}\""), &longer).replace(&format!("'{rel}'"), &longer);
                out.push_str(&format!("<a {inner}"));
            }
            None => out.push_str(&format!("<a {} rel=\"noopener\"", inner.trim_end())),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_new_windows_get_noopener() {
        assert_eq!(
            noopener("<a href=\"x\" target=\"_blank\">"),
            "<a href=\"x\" target=\"_blank\" rel=\"noopener\">"
        );
        assert_eq!(
            noopener("<a target=\"_blank\" rel=\"nofollow\">"),
            "<a target=\"_blank\" rel=\"nofollow noopener\">"
        );
        let settled = "<a target=\"_blank\" rel=\"noopener\">x</a><a href=\"y\">y</a>";
        assert_eq!(noopener(settled), settled);
    }
}
