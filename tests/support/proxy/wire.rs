//! HTTP/1.1 messages as bytes: read whole, never rewritten.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The largest message that is taken, in bytes.
const LARGEST: usize = 128 * 1024 * 1024;

/// A request, with the bytes that it came in.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) bytes: Vec<u8>,
    head: usize,
}

impl Request {
    /// The value of the first header of this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The bytes with one more header.
    pub(crate) fn bytes_with(&self, line: &str) -> Vec<u8> {
        let end = self.head - 2;
        [&self.bytes[..end], line.as_bytes(), b"\r\n\r\n", &self.bytes[self.head..]].concat()
    }

    /// Reads the head of a request; `None` when the connection ends before it.
    pub(crate) async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Request>> {
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(end) = find(&bytes, b"\r\n\r\n") {
                break end + 4;
            }
            if bytes.len() > LARGEST || stream.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
        };
        let mut slots = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut slots);
        parsed.parse(&bytes[..head]).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let (method, target) =
            (parsed.method.unwrap_or_default().to_owned(), parsed.path.unwrap_or_default().to_owned());
        let headers = owned(parsed.headers);
        Ok(Some(Request { method, target, headers, bytes, head }))
    }

    /// Reads the body; `false` when the connection ends before it is whole.
    pub(crate) async fn read_body(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> io::Result<bool> {
        let chunked = self.header("transfer-encoding").is_some();
        let length: usize = self.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        loop {
            let body = &self.bytes[self.head..];
            let whole = if chunked { body.ends_with(b"0\r\n\r\n") } else { body.len() >= length };
            if whole {
                return Ok(true);
            }
            if self.bytes.len() > LARGEST || stream.read_buf(&mut self.bytes).await? == 0 {
                return Ok(false);
            }
        }
    }
}

/// An answer, with its head taken apart.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Takes an answer apart that was read to the end of its connection.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Answer> {
        let head = find(bytes, b"\r\n\r\n")? + 4;
        let mut slots = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Response::new(&mut slots);
        parsed.parse(&bytes[..head]).ok()?;
        Some(Answer {
            status: parsed.code?,
            headers: owned(parsed.headers),
            head: bytes[..head].to_vec(),
            body: bytes[head..].to_vec(),
        })
    }

    /// Makes an answer that no WordPress gave.
    pub(crate) fn made(status: u16, kind: &str, body: &str) -> Answer {
        let mut answer =
            Answer { status, headers: Vec::new(), head: Vec::new(), body: body.as_bytes().to_vec() };
        answer.headers.push(("Content-Type".to_owned(), kind.to_owned()));
        answer.headers.push(("Connection".to_owned(), "close".to_owned()));
        answer.rewrite_head();
        answer
    }

    /// The value of the first header of this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Replaces a header's value, or adds it.
    pub(crate) fn set_header(&mut self, name: &str, value: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self.rewrite_head();
    }

    /// Replaces status and body; the headers of WordPress about the old body's form go.
    pub(crate) fn replace(&mut self, status: u16, kind: &str, body: Vec<u8>) {
        self.status = status;
        self.body = body;
        self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
        self.set_header("Content-Type", kind);
    }

    /// The id of the row that was made, where the answer tells it.
    pub(crate) fn created(&self) -> Option<u64> {
        let whole: Option<serde_json::Value> = serde_json::from_slice(&self.body).ok();
        let id = whole.and_then(|answer| answer.get("id")?.as_u64());
        let attachment = || self.header("x-wp-upload-attachment-id")?.parse().ok();
        let location =
            || self.header("location")?.trim_end_matches('/').rsplit(['/', '=']).next()?.parse().ok();
        id.or_else(attachment).or_else(location)
    }

    fn rewrite_head(&mut self) {
        let mut head = format!("HTTP/1.1 {} Answer\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        self.head = head.into_bytes();
    }
}

fn owned(headers: &[httparse::Header<'_>]) -> Vec<(String, String)> {
    let text = |header: &httparse::Header<'_>| String::from_utf8_lossy(header.value).into_owned();
    headers.iter().map(|header| (header.name.to_owned(), text(header))).collect()
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
