//! Slugs as WordPress stores them, kept in readable form.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// The longest slug WordPress stores, in bytes of its percent-encoded form.
pub const MAX_ENCODED_BYTES: usize = 200;

const TRASHED_SUFFIX: &str = "__trashed";
/// What WordPress leaves of a slug before it appends [`TRASHED_SUFFIX`].
const MAX_BEFORE_TRASHED: usize = MAX_ENCODED_BYTES - TRASHED_SUFFIX.len();
/// Each pass can only simplify, so that a few passes always reach a form that stays.
const MAX_PASSES: usize = 6;

/// A slug in decoded form: what a reader would type, not what the database holds.
///
/// A slug made by [`Slug::sanitise`] is a fixed point of WordPress's own sanitising (6.1 to 7.1):
/// sent as it is, it is stored as [`Slug::encoded`] unless the site makes it unique or a plugin
/// rewrites it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slug(String);

/// Why a text gives no slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SlugError {
    /// Nothing of the text is left after sanitising.
    #[error("make a slug of a text that holds no letter or digit")]
    Empty,
}

impl Slug {
    /// Makes the slug that WordPress would store for a text.
    ///
    /// # Errors
    /// [`SlugError::Empty`] when nothing is left, as of `...`.
    pub fn sanitise(text: &str) -> Result<Self, SlugError> {
        let mut slug = pass(&percent_decode(text));
        for _ in 1..MAX_PASSES {
            let next = pass(&slug);
            if next == slug {
                break;
            }
            slug = next;
        }
        if slug.is_empty() { Err(SlugError::Empty) } else { Ok(Self(slug)) }
    }

    /// Takes a slug as a site's REST answer carries it, percent-encoded or raw.
    #[must_use]
    pub fn from_site(stored: &str) -> Self {
        if !stored.contains('%') {
            return Self(stored.to_owned());
        }
        match String::from_utf8(percent_decode_bytes(stored)) {
            Ok(decoded) => Self(decoded),
            Err(_) => Self(stored.to_owned()),
        }
    }

    /// The readable form, which is also the form to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The lower-case percent-encoded form that WordPress keeps in `post_name`.
    #[must_use]
    pub fn encoded(&self) -> String {
        let mut encoded = String::with_capacity(self.0.len());
        for character in self.0.chars() {
            if is_stored_plainly(character) {
                encoded.push(character);
            } else {
                push_encoded(&mut encoded, character);
            }
        }
        encoded
    }

    /// The slug that the post has while it lies in the trash.
    #[must_use]
    pub fn trashed(&self) -> Self {
        if self.0.ends_with(TRASHED_SUFFIX) {
            return self.clone();
        }
        let encoded_length: usize = self.0.chars().map(encoded_len).sum();
        let mut kept = if encoded_length > MAX_BEFORE_TRASHED {
            cut(&self.0, MAX_BEFORE_TRASHED).trim_end_matches('-').to_owned()
        } else {
            self.0.trim_end_matches('-').to_owned()
        };
        kept.push_str(TRASHED_SUFFIX);
        Self(kept)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for Slug {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// One run of the server's steps, in the server's order: accents, tags, case, length, punctuation.
fn pass(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.nfc() {
        push_without_accent(&mut plain, character);
    }
    let mut lower = String::with_capacity(plain.len());
    for character in strip_tags(&plain).chars().filter(|&character| character != '%' && character != '\0') {
        // Character by character: the context rule for a final sigma depends on the PHP version.
        lower.extend(character.to_lowercase());
    }
    let cut = cut(&lower, MAX_ENCODED_BYTES);
    let replaced = replace_named_entities(&replace_characters(cut));
    tidy(&drop_entities(&replaced))
}

fn is_stored_plainly(character: char) -> bool {
    matches!(character, 'a'..='z' | '0'..='9' | '_' | '-')
}

/// Bytes that the character takes in the stored form while it is counted against the limit.
fn encoded_len(character: char) -> usize {
    if character.is_ascii() { 1 } else { character.len_utf8() * 3 }
}

fn cut(text: &str, limit: usize) -> &str {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += encoded_len(character);
        if used > limit {
            return &text[..at];
        }
    }
    text
}

fn push_encoded(out: &mut String, character: char) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut buffer = [0; 4];
    for &byte in character.encode_utf8(&mut buffer).as_bytes() {
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
}

fn percent_decode_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let octet = match bytes[at..] {
            [b'%', high, low, ..] => hex(high).zip(hex(low)),
            _ => None,
        };
        if let Some((high, low)) = octet {
            decoded.push(high << 4 | low);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    decoded
}

/// Decodes octets; those that make no character are dropped.
fn percent_decode(text: &str) -> String {
    let decoded = percent_decode_bytes(text);
    decoded.utf8_chunks().map(|chunk| chunk.valid()).collect()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Latin letters lose their marks as in the server's table; other scripts keep theirs (が stays が).
fn push_without_accent(out: &mut String, character: char) {
    if character.is_ascii() {
        out.push(character);
        return;
    }
    match character {
        'ª' | 'ɑ' => out.push('a'),
        'º' | 'ø' => out.push('o'),
        'Æ' => out.push_str("AE"),
        'æ' => out.push_str("ae"),
        'Ð' | 'Đ' => out.push('D'),
        'ð' | 'đ' => out.push('d'),
        'Þ' => out.push_str("TH"),
        'þ' => out.push_str("th"),
        'ß' | 'ſ' => out.push('s'),
        'Ø' => out.push('O'),
        'Ħ' => out.push('H'),
        'ħ' => out.push('h'),
        'ı' => out.push('i'),
        'Ĳ' => out.push_str("IJ"),
        'ĳ' => out.push_str("ij"),
        'ĸ' => out.push('k'),
        'Ŀ' | 'Ł' => out.push('L'),
        'ŀ' | 'ł' => out.push('l'),
        'ŉ' | 'ŋ' => out.push('n'),
        'Ŋ' => out.push('N'),
        'Œ' => out.push_str("OE"),
        'œ' => out.push_str("oe"),
        'Ŧ' => out.push('T'),
        'ŧ' => out.push('t'),
        'Ə' | '€' => out.push('E'),
        'ǝ' => out.push('e'),
        '£' => {}
        '\u{00C0}'..='\u{017E}'
        | '\u{01A0}'..='\u{01A1}'
        | '\u{01AF}'..='\u{01B0}'
        | '\u{01CD}'..='\u{01DC}'
        | '\u{0218}'..='\u{021B}'
        | '\u{1EA0}'..='\u{1EF9}' => {
            let base = std::iter::once(character).nfd().next().unwrap_or(character);
            out.push(if base.is_ascii() { base } else { character });
        }
        _ => out.push(character),
    }
}

/// Drops tags as PHP's `strip_tags` does: an unclosed one takes the rest, `<` before a space is text.
fn strip_tags(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut depth = 0_usize;
    let mut quote = None;
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('<', None) if characters.peek().is_some_and(|next| next.is_ascii_whitespace()) && depth == 0 => {
                kept.push(character);
            }
            ('<', None) => depth += 1,
            ('>', None) if depth > 0 => depth -= 1,
            ('"' | '\'', None) if depth > 0 => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
    }
    kept
}

fn replace_characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{A0}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2011}'
            | '\u{2013}'
            | '\u{2014}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '/' => out.push('-'),
            '\u{A1}'
            | '\u{A9}'
            | '\u{AB}'
            | '\u{AD}'
            | '\u{AE}'
            | '\u{B0}'
            | '\u{B4}'
            | '\u{BB}'
            | '\u{BF}'
            | '\u{2CA}'
            | '\u{300}'
            | '\u{301}'
            | '\u{304}'
            | '\u{30C}'
            | '\u{341}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2018}'..='\u{201F}'
            | '\u{2022}'
            | '\u{2026}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2039}'
            | '\u{203A}'
            | '\u{2122}'
            | '\u{FEFF}'
            | '\u{FFFC}' => {}
            '\u{D7}' => out.push('x'),
            _ => out.push(character),
        }
    }
    out
}

fn replace_named_entities(text: &str) -> String {
    const AS_HYPHEN: [&str; 7] = ["&nbsp;", "&#8209;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;"];
    if !text.contains('&') {
        return text.to_owned();
    }
    AS_HYPHEN.iter().fold(text.to_owned(), |text, entity| text.replace(entity, "-"))
}

/// Drops `&…;` with at least one character between, none of them a line break.
fn drop_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        let after = &rest[start + 1..];
        let first = after.chars().next().map_or(0, char::len_utf8);
        let line_end = after.find('\n').unwrap_or(after.len());
        let end = after.get(first..line_end).and_then(|inside| inside.find(';'));
        out.push_str(&rest[..start]);
        // Without an end the ampersand itself falls to the last step.
        rest = end.map_or(after, |end| &after[first + end + 1..]);
    }
    out.push_str(rest);
    out
}

fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '.' | ' ' | '-' => {
                if !out.is_empty() && !out.ends_with('-') {
                    out.push('-');
                }
            }
            'a'..='z' | '0'..='9' | '_' => out.push(character),
            _ if character.is_ascii() => {}
            _ => out.push(character),
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

#[cfg(test)]
#[path = "slug_tests.rs"]
mod tests;
