//! What a person wants articles to be checked for, beyond what the site needs.

use std::net::{IpAddr, Ipv6Addr};

use crate::article::Article;
use crate::compose::PlacedImage;
use crate::finding::{FindingCode, Findings};
use crate::meta::{At, Meta};
use crate::options::Options;

/// The site stores longer titles; nobody means them.
const LONGEST_TITLE: usize = 1000;

/// Checks the length and the characters of a title.
pub(crate) fn title(title: &At<String>, options: &Options, findings: &mut Findings) {
    characters("title", title, findings);
    let length = title.value.chars().count();
    let told = |code, limit: usize, findings: &mut Findings| {
        findings.add(code, title.line, &[("length", &length.to_string()), ("limit", &limit.to_string())]);
    };
    let limit = options.gates.title_length;
    if length > LONGEST_TITLE {
        told(FindingCode::TitleTooLong, LONGEST_TITLE, findings);
    } else if limit > 0 && length > limit {
        told(FindingCode::TitleLong, limit, findings);
    }
}

/// Checks the characters of the slug and of the names of terms.
pub(crate) fn names(meta: &Meta, findings: &mut Findings) {
    if let Some(slug) = &meta.slug {
        characters("slug", slug, findings);
    }
    for (field, names) in [("tags", &meta.tags), ("categories", &meta.categories)] {
        for name in names {
            characters(field, &At { value: name.clone(), line: None }, findings);
        }
    }
}

fn characters(field: &str, text: &At<String>, findings: &mut Findings) {
    let odd = text.value.chars().find_map(|character| Some((character, code_of(character)?)));
    if let Some((character, code)) = odd {
        let shown = format!("U+{:04X}", u32::from(character));
        findings.add(code, text.line, &[("field", field), ("character", &shown)]);
    }
}

fn code_of(character: char) -> Option<FindingCode> {
    match character {
        // Joiners are part of emoji and of some scripts.
        '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}' => Some(FindingCode::InvisibleCharacter),
        '\u{feff}' | '\u{ad}' => Some(FindingCode::InvisibleCharacter),
        _ => character.is_control().then_some(FindingCode::ControlCharacter),
    }
}

/// Looks for words that must not be there, and for those that must.
pub(crate) fn words(
    title: Option<&str>,
    excerpt: Option<&str>,
    (body, body_line): (&str, u32),
    options: &Options,
    findings: &mut Findings,
) {
    let gates = &options.gates;
    if gates.forbidden.is_empty() && gates.required.is_empty() {
        return;
    }
    let outside = [title, excerpt].into_iter().flatten().map(|text| (None, text));
    let lines: Vec<(Option<u32>, String)> = outside
        .chain((body_line..).map(Some).zip(body.lines()))
        .map(|(number, line)| (number, line.to_lowercase()))
        .collect();
    for word in &gates.forbidden {
        let wanted = word.to_lowercase();
        for (number, _) in lines.iter().filter(|(_, line)| line.contains(&wanted)) {
            findings.add(FindingCode::WordForbidden, *number, &[("word", word)]);
        }
    }
    for word in &gates.required {
        let wanted = word.to_lowercase();
        if !lines.iter().any(|(_, line)| line.contains(&wanted)) {
            findings.add(FindingCode::WordMissing, None, &[("word", word)]);
        }
    }
}

/// Checks the length of the text that readers see, in characters without white space.
pub(crate) fn length(article: &Article, options: &Options, findings: &mut Findings) {
    let limit = options.gates.shortest;
    if limit == 0 {
        return;
    }
    let nowhere = PlacedImage { id: 0, url: String::new(), size: None };
    let Ok(markup) = article.compose_classic(&vec![nowhere; article.images.len()]) else { return };
    let length = seen(&markup).chars().filter(|character| !character.is_whitespace()).count();
    if length < limit {
        let params = [("length", length.to_string()), ("limit", limit.to_string())];
        let params: Vec<_> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
        findings.add(FindingCode::TextShort, None, &params);
    }
}

/// The text between the tags of markup that was written from a tree.
pub(crate) fn seen(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut in_tag = false;
    for character in markup.chars() {
        match character {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if !in_tag => text.push(character),
            _ => {}
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Whether an address leads to this machine or into a private network.
pub(crate) fn is_local(url: &str) -> bool {
    let url = url.trim();
    let after_scheme = match url.split_once("://") {
        Some((scheme, rest))
            if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") =>
        {
            rest
        }
        Some(_) => return false,
        None => match url.strip_prefix("//") {
            Some(rest) => rest,
            None => return false,
        },
    };
    let authority = after_scheme.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        Ok(IpAddr::V6(address)) => is_local_v6(address),
        Err(_) => {
            host == "localhost"
                || [".localhost", ".local", ".test", ".internal", ".lan", ".home.arpa"]
                    .iter()
                    .any(|end| host.ends_with(end))
        }
    }
}

fn is_local_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback() || address.is_private())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_private_networks_are_known() {
        for url in [
            "http://localhost/x",
            "https://LOCALHOST:8080",
            "//localhost/",
            "http://blog.localhost/",
            "http://127.0.0.1/",
            "http://127.8.9.1:80/a",
            "http://10.0.0.5/",
            "http://172.16.0.1/",
            "http://192.168.1.1/wp-admin",
            "http://169.254.1.1/",
            "http://0.0.0.0:3000",
            "http://[::1]:8080/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://[::ffff:192.168.0.1]/",
            "http://nas.local/",
            "http://site.test/",
            "http://user:pw@localhost/",
            "http://localhost./",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "https://example.com/",
            "https://localhost.example.com/",
            "http://172.32.0.1/",
            "http://8.8.8.8/",
            "https://example.com/?u=http://localhost/",
            "http://localhost@example.com/",
            "mailto:a@localhost",
            "/localhost",
            "localhost",
            "http://[2001:db8::1]/",
            "https://mylocal/",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }

    #[test]
    fn what_is_seen_is_the_text_between_tags() {
        assert_eq!(seen("<p>a &lt;b&gt; <em>c</em> &amp;lt;</p>"), "a <b> c &lt;");
    }
}
