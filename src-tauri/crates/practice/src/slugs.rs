//! WordPress's slugs: made from text, cut, and made unique.
//!
//! Written from WordPress's own rules and not shared with the client, which must agree with WordPress and not with itself.

use unicode_normalization::UnicodeNormalization;

/// The longest slug that the database takes, in bytes.
const LONGEST: usize = 200;

/// Reserved for feeds and embeds: suffixed even when nothing else holds them.
const RESERVED: [&str; 6] = ["feed", "rss", "rss2", "rdf", "atom", "embed"];

/// Makes a slug of a text, as for storing.
pub(crate) fn sanitise(text: &str) -> String {
    let composed: String = text.nfc().flat_map(plain).collect();
    let encoded = encode(&strip_tags(&composed), LONGEST);
    dashes(&drop_special(&encoded))
}

/// Makes a slug of a text, as for looking up: no composing, nothing special dropped.
pub(crate) fn sanitise_query(text: &str) -> String {
    dashes(&encode(&strip_tags(text), LONGEST))
}

/// Makes `wanted` different from all that `taken` knows.
pub(crate) fn unique(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let numeric = !wanted.is_empty() && wanted.bytes().all(|byte| byte.is_ascii_digit());
    if !RESERVED.contains(&wanted) && !numeric && !taken(wanted) {
        return wanted.to_owned();
    }
    unique_from(wanted, 2, taken)
}

/// Like [`unique`], for media: digits are no obstacle there.
pub(crate) fn unique_media(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    if !RESERVED.contains(&wanted) && !taken(wanted) {
        return wanted.to_owned();
    }
    unique_from(wanted, 2, taken)
}

/// Like [`unique`], for terms: only other terms matter.
pub(crate) fn unique_term(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    if taken(wanted) { unique_from(wanted, 2, taken) } else { wanted.to_owned() }
}

fn unique_from(wanted: &str, first: u32, taken: impl Fn(&str) -> bool) -> String {
    let mut number = first;
    loop {
        let suffix = format!("-{number}");
        let candidate = format!("{}{suffix}", truncate(wanted, LONGEST - suffix.len()));
        if !taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// The slug of a post in the trash, before it is made unique.
pub(crate) fn trashed(slug: &str) -> String {
    format!("{}__trashed", truncate(slug, LONGEST - 9))
}

/// Cuts an encoded slug without cutting a letter in two.
fn truncate(slug: &str, most: usize) -> String {
    if slug.len() <= most {
        return slug.to_owned();
    }
    let decoded = percent_encoding::percent_decode_str(slug).decode_utf8_lossy();
    encode(&decoded, most).trim_end_matches('-').to_owned()
}

/// Takes accents off Latin letters, as `remove_accents` does.
fn plain(letter: char) -> Vec<char> {
    let latin = matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    match letter {
        'ß' => vec!['s'],
        'Æ' | 'æ' => vec!['a', 'e'],
        'Œ' | 'œ' => vec!['o', 'e'],
        'Ø' | 'ø' => vec!['o'],
        'Đ' | 'đ' | 'Ð' | 'ð' => vec!['d'],
        'Ł' | 'ł' => vec!['l'],
        'Þ' | 'þ' => vec!['t', 'h'],
        _ if latin => match letter.to_string().nfd().next() {
            Some(base) if base.is_ascii() => vec![base],
            _ => vec![letter],
        },
        _ => vec![letter],
    }
}

fn strip_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let opens = rest[start + 1..]
            .chars()
            .next()
            .is_some_and(|next| next.is_ascii_alphabetic() || next == '/' || next == '!');
        match rest[start..].find('>') {
            Some(end) if opens => {
                kept.push_str(&rest[..start]);
                rest = &rest[start + end + 1..];
            }
            _ => {
                kept.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// Lower-cases and percent-encodes what is not ASCII; octets that are encoded already stay.
fn encode(text: &str, most: usize) -> String {
    let mut out = String::new();
    let lower = text.to_lowercase();
    let mut letters = lower.char_indices();
    while let Some((at, letter)) = letters.next() {
        let piece = if letter == '%' {
            match lower.as_bytes().get(at + 1..at + 3) {
                Some(octet) if octet.iter().all(u8::is_ascii_hexdigit) => {
                    letters.nth(1);
                    lower[at..at + 3].to_owned()
                }
                Some(_) | None => continue,
            }
        } else if letter.is_ascii() {
            letter.to_string()
        } else {
            let mut buffer = [0; 4];
            letter.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02x}")).collect()
        };
        if out.len() + piece.len() > most {
            break;
        }
        out.push_str(&piece);
    }
    out
}

/// Drops or replaces the punctuation that WordPress does not store.
fn drop_special(encoded: &str) -> String {
    const HYPHENS: [&str; 22] = [
        "%c2%a0",
        "%e2%80%93",
        "%e2%80%94",
        "&nbsp;",
        "&#160;",
        "&ndash;",
        "&#8211;",
        "&mdash;",
        "&#8212;",
        "/",
        "%e2%80%80",
        "%e2%80%81",
        "%e2%80%82",
        "%e2%80%83",
        "%e2%80%84",
        "%e2%80%85",
        "%e2%80%86",
        "%e2%80%87",
        "%e2%80%88",
        "%e2%80%89",
        "%e2%80%8a",
        "%e2%80%af",
    ];
    const NOTHING: [&str; 43] = [
        "%c2%ad",
        "%c2%a1",
        "%c2%bf",
        "%c2%ab",
        "%c2%bb",
        "%e2%80%b9",
        "%e2%80%ba",
        "%e2%80%98",
        "%e2%80%99",
        "%e2%80%9c",
        "%e2%80%9d",
        "%e2%80%9a",
        "%e2%80%9b",
        "%e2%80%9e",
        "%e2%80%9f",
        "%e2%80%a2",
        "%c2%a9",
        "%c2%ae",
        "%c2%b0",
        "%e2%80%a6",
        "%e2%84%a2",
        "%c2%b4",
        "%cb%8a",
        "%cc%81",
        "%cd%81",
        "%cc%80",
        "%cc%84",
        "%cc%8c",
        "%e2%80%8b",
        "%e2%80%8c",
        "%e2%80%8d",
        "%e2%80%8e",
        "%e2%80%8f",
        "%e2%80%aa",
        "%e2%80%ab",
        "%e2%80%ac",
        "%e2%80%ad",
        "%e2%80%ae",
        "%ef%bb%bf",
        "%ef%bf%bc",
        "\u{0}",
        "\u{7f}",
        "\u{8}",
    ];
    let mut text = encoded.to_owned();
    for hyphen in HYPHENS {
        text = text.replace(hyphen, "-");
    }
    for gone in NOTHING {
        text = text.replace(gone, "");
    }
    text.replace("%e2%80%a8", "-").replace("%e2%80%a9", "-").replace("%c3%97", "x")
}

/// Keeps letters, digits, `_`, `%` and single hyphens.
fn dashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter == '&'
            && let Some(end) = rest.find(';').filter(|end| *end > 1)
        {
            rest = &rest[end + 1..];
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        match letter {
            'a'..='z' | '0'..='9' | '_' | '%' => out.push(letter),
            '.' | '-' | ' ' | '\t' | '\n' | '\r' if !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_what_wordpress_stores() {
        assert_eq!(sanitise("Hello World_A.b/c"), "hello-world_a-b-c");
        assert_eq!(sanitise("ＡＢＣ"), "%ef%bd%81%ef%bd%82%ef%bd%83");
        assert_eq!(sanitise("か\u{3099}"), "%e3%81%8c");
        assert_eq!(sanitise("Café – 100%!"), "cafe-100");
        assert_eq!(sanitise("..."), "");
        assert_eq!(sanitise("%E6%97%A5"), "%e6%97%a5");
        assert_eq!(sanitise(&"あ".repeat(30)).len(), 198);
        assert_eq!(sanitise(&"a".repeat(300)).len(), 200);
    }

    #[test]
    fn looking_up_does_not_compose() {
        assert_eq!(sanitise_query("か\u{3099}"), "%e3%81%8b%e3%82%99");
        assert_eq!(sanitise_query("日本"), "%e6%97%a5%e6%9c%ac");
    }

    #[test]
    fn reserved_and_numeric_slugs_are_suffixed_even_when_free() {
        assert_eq!(unique("feed", |_| false), "feed-2");
        assert_eq!(unique("20240101", |_| false), "20240101-2");
        assert_eq!(unique("page", |_| false), "page");
        assert_eq!(unique_media("123", |_| false), "123");
        assert_eq!(unique("a", |slug| slug == "a" || slug == "a-2"), "a-3");
    }

    #[test]
    fn a_suffix_does_not_cut_a_letter() {
        let long = sanitise(&"あ".repeat(30));
        let second = unique(&long, |slug| slug == long);
        assert_eq!(second.len(), 22 * 9 + 2);
        let tenth = unique_from(&long, 10, |_| false);
        assert_eq!(tenth.len(), 21 * 9 + 3);
        assert!(trashed(&long).len() <= 200);
    }
}
