//! Makes unreadable what of the password comes back: nothing of an answer that is told, logged or
//! recorded may hold it, whatever a site or something on the way echoes.

use bytes::Bytes;
use reqwest::Request;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::client::Client;
use crate::errors::TransportError;
use crate::transport::{Answer, Bounds, exchange};

/// What is shorter is no application password, and may stand anywhere by chance.
const SHORTEST: usize = 16;

impl Client {
    /// Sends a request as our user, and reads the answer within its bounds.
    pub(crate) async fn exchange(
        &self,
        client: &reqwest::Client,
        request: Request,
        parts: Vec<Bytes>,
        bounds: Bounds,
    ) -> Result<Answer, TransportError> {
        let sent = request.headers().get(AUTHORIZATION).cloned();
        let mut answer = exchange(client, request, parts, bounds).await?;
        let token =
            sent.as_ref().and_then(|sent| sent.as_bytes().strip_prefix(b"Basic ")).unwrap_or_default();
        for secret in [token.trim_ascii_end(), self.credentials.password().as_bytes()] {
            blot(&mut answer, secret);
        }
        Ok(answer)
    }
}

fn blot(answer: &mut Answer, secret: &[u8]) {
    // The padding of an encoded secret may be left out.
    let end = secret.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let Some(secret) = secret.get(..end).filter(|secret| secret.len() >= SHORTEST) else { return };
    for value in answer.headers.values_mut() {
        let mut bytes = value.as_bytes().to_vec();
        if cover(&mut bytes, secret) {
            *value = HeaderValue::from_bytes(&bytes).unwrap_or(HeaderValue::from_static(""));
        }
    }
    if let Ok(body) = &mut answer.body {
        cover(body, secret);
    }
}

/// Covers a secret wherever it stands, and tells whether it stood anywhere.
fn cover(bytes: &mut [u8], secret: &[u8]) -> bool {
    let (mut at, mut covered) = (0, false);
    while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
        match length_of(rest, secret) {
            Some(length) => {
                rest.iter_mut().take(length).for_each(|byte| *byte = b'*');
                covered = true;
                at += length;
            }
            None => at += 1,
        }
    }
    covered
}

/// The length in which a secret stands at the beginning, however it is written there.
fn length_of(bytes: &[u8], secret: &[u8]) -> Option<usize> {
    secret.iter().try_fold(0, |at, wanted| {
        let rest = bytes.get(at..)?;
        // WordPress shows application passwords in groups.
        let gap = usize::from(rest.first() == Some(&b' ') && at > 0 && *wanted != b' ');
        Some(at + gap + spelled(rest.get(gap..)?, *wanted)?)
    })
}

/// The length of the one character at the beginning, if it stands for the wanted one: as it is or in another case,
/// in the alphabet of addresses, behind a backslash as PHP writes JSON, or by its number in an address, in JSON or in
/// HTML.
fn spelled(bytes: &[u8], wanted: u8) -> Option<usize> {
    let is_wanted = |byte: u8| {
        byte.eq_ignore_ascii_case(&wanted) || matches!((wanted, byte), (b'+', b'-' | b' ') | (b'/', b'_'))
    };
    let numbered = |digits: &[u8], radix: u32, around: usize| {
        let number = u8::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()?;
        is_wanted(number).then_some(digits.len() + around)
    };
    let to_semicolon = |rest: &[u8]| rest.iter().take(5).position(|byte| *byte == b';');
    match bytes {
        [first, ..] if is_wanted(*first) => Some(1),
        [b'\\', b'u' | b'U', b'0', b'0', rest @ ..] => numbered(rest.get(..2)?, 16, 4),
        [b'\\', next, ..] if is_wanted(*next) => Some(2),
        [b'%', rest @ ..] => numbered(rest.get(..2)?, 16, 1),
        [b'&', b'#', b'x' | b'X', rest @ ..] => numbered(rest.get(..to_semicolon(rest)?)?, 16, 4),
        [b'&', b'#', rest @ ..] => numbered(rest.get(..to_semicolon(rest)?)?, 10, 3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderMap;

    #[test]
    fn what_comes_back_is_covered_wherever_it_stands() {
        let secret = b"YXV0aG9yOnBhc3N3b3Jk=";
        let mut headers = HeaderMap::new();
        headers.insert("location", HeaderValue::from_static("https://a.example/?x=YXV0aG9yOnBhc3N3b3Jk&y=1"));
        headers.insert("x-other", HeaderValue::from_static("kept"));
        let body = br#"{"a":"YXV0aG9yOnBhc3N3b3Jk=","b":"YXV0aG9yOnBhc3N3b3Jk"}"#.to_vec();
        let mut answer = Answer { status: 400, headers, body: Ok(body) };
        blot(&mut answer, secret);
        assert_eq!(answer.header("location"), Some("https://a.example/?x=********************&y=1"));
        assert_eq!(answer.header("x-other"), Some("kept"));
        let body = String::from_utf8(answer.body.unwrap()).unwrap();
        assert_eq!(body, r#"{"a":"********************=","b":"********************"}"#);
    }

    #[test]
    fn what_is_too_short_to_be_a_secret_stays() {
        let mut answer =
            Answer { status: 200, headers: HeaderMap::new(), body: Ok(b"a word and a word".to_vec()) };
        blot(&mut answer, b"word");
        blot(&mut answer, b"");
        assert_eq!(answer.body.unwrap(), b"a word and a word");
    }

    #[test]
    fn a_secret_is_known_however_it_is_written() {
        let secret = b"aB+/cD0123456789";
        for written in [
            "aB+/cD0123456789",
            "AB+/Cd0123456789",
            "aB-_cD0123456789",
            r"aB+\/cD0123456789",
            r"\u0061B\u002B\u002fcD0123456789",
            "aB%2B%2fcD0123456789",
            "%61%42%2b%2F%63%44%30123456789",
            "aB+/ cD01 2345 6789",
            "aB&#43;&#x2F;cD&#48;123456789",
        ] {
            let mut text = format!("({written}) {written}").into_bytes();
            assert!(cover(&mut text, secret), "{written}");
            let stars = "*".repeat(written.len());
            assert_eq!(String::from_utf8(text).unwrap(), format!("({stars}) {stars}"));
        }
        for other in ["aB+/cD012345678", "aB+/cD01234567 8", "aB%2G", "aB&#;", "\\u00", "%", "&#x2F", ""] {
            let mut text = other.as_bytes().to_vec();
            assert!(!cover(&mut text, secret), "{other}");
            assert_eq!(text, other.as_bytes());
        }
    }
}
