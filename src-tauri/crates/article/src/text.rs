//! Bytes to text.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_16BE, UTF_16LE};

/// Why bytes are no text that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotText {
    /// Holds NUL characters.
    Binary,
    /// Text in another encoding, by its name, or `unknown`.
    Encoding(&'static str),
}

/// Reads UTF-8, without a byte order mark and with `\n` at the ends of lines.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.starts_with(b"\xFF\xFE") {
        return Err(NotText::Encoding("UTF-16LE"));
    }
    if bytes.starts_with(b"\xFE\xFF") {
        return Err(NotText::Encoding("UTF-16BE"));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(if bytes.contains(&0) {
            without_letters(bytes)
        } else {
            NotText::Encoding(guessed(bytes))
        });
    };
    if text.contains('\0') {
        return Err(without_letters(bytes));
    }
    if text.contains("\u{1b}$B") || text.contains("\u{1b}$@") {
        return Err(NotText::Encoding("ISO-2022-JP"));
    }
    if text.contains('\r') {
        Ok(Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")))
    } else {
        Ok(Cow::Borrowed(text))
    }
}

/// Bytes with NUL among them: letters of two bytes each, or no text at all.
fn without_letters(bytes: &[u8]) -> NotText {
    const LEAST_ASCII: usize = 2;
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let decodes = |encoding: &'static Encoding| {
        let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
        !had_errors && !text.contains('\0')
    };
    match (zeros(0), zeros(1)) {
        (0, odd) if odd >= LEAST_ASCII && decodes(UTF_16LE) => NotText::Encoding("UTF-16LE"),
        (even, 0) if even >= LEAST_ASCII && decodes(UTF_16BE) => NotText::Encoding("UTF-16BE"),
        _ => NotText::Binary,
    }
}

/// The encoding under which the bytes read most like Japanese.
fn guessed(bytes: &[u8]) -> &'static str {
    const LOOKED_AT: usize = 64 << 10;
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    let kana = |encoding: &'static Encoding| {
        let (text, had_errors) = encoding.decode_without_bom_handling(start);
        // A character may be cut where the sample ends.
        let broken = text.matches('\u{FFFD}').count();
        (!had_errors || broken <= 1)
            .then(|| text.chars().filter(|c| matches!(c, '\u{3041}'..='\u{30FF}')).count())
    };
    match (kana(SHIFT_JIS), kana(EUC_JP)) {
        (Some(sjis), Some(euc)) if sjis.max(euc) > 0 => {
            if sjis > euc {
                "Shift_JIS"
            } else {
                "EUC-JP"
            }
        }
        (Some(sjis), None) if sjis > 0 => "Shift_JIS",
        (None, Some(euc)) if euc > 0 => "EUC-JP",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_are_taken_off() {
        assert_eq!(decode("\u{FEFF}a\r\nb\rc".as_bytes()).unwrap(), "a\nb\nc");
        assert_eq!(decode(b"").unwrap(), "");
    }

    #[test]
    fn other_encodings_are_named() {
        let text = "これは日本語の文章です。カタカナもあります。";
        let (sjis, _, _) = SHIFT_JIS.encode(text);
        let (euc, _, _) = EUC_JP.encode(text);
        let (jis, _, _) = encoding_rs::ISO_2022_JP.encode(text);
        assert_eq!(decode(&sjis), Err(NotText::Encoding("Shift_JIS")));
        assert_eq!(decode(&euc), Err(NotText::Encoding("EUC-JP")));
        assert_eq!(decode(&jis), Err(NotText::Encoding("ISO-2022-JP")));
        assert_eq!(decode(b"\xFF\xFEa\0"), Err(NotText::Encoding("UTF-16LE")));
        assert_eq!(decode(b"caf\xE9"), Err(NotText::Encoding("unknown")));
        assert_eq!(decode(b"a\0b\0\x530"), Err(NotText::Encoding("UTF-16LE")));
        assert_eq!(decode(b"\0a\0b0\x53"), Err(NotText::Encoding("UTF-16BE")));
        assert_eq!(decode(b"a\0b"), Err(NotText::Binary));
        assert_eq!(decode(b"a\0b\0\0\0"), Err(NotText::Binary));
        assert_eq!(decode(b"\x80\0b"), Err(NotText::Binary));
    }
}
