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
    let places: Vec<usize> = (bytes.windows(secret.len()).enumerate())
        .filter_map(|(at, window)| (window == secret).then_some(at))
        .collect();
    for at in &places {
        bytes.iter_mut().skip(*at).take(secret.len()).for_each(|byte| *byte = b'*');
    }
    !places.is_empty()
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
}
