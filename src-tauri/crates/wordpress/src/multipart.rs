//! One multipart request body, without copying the file in it.

use bytes::Bytes;
use uuid::Uuid;

/// A form with text fields and one file at its end.
pub(crate) struct Form {
    boundary: String,
    head: String,
}

impl Form {
    pub(crate) fn new() -> Self {
        // Random, so that no file can hold it.
        Self { boundary: format!("ichido-{}", Uuid::new_v4().simple()), head: String::new() }
    }

    /// Adds a field. The name is ours and needs no escaping.
    pub(crate) fn field(mut self, name: &'static str, value: &str) -> Self {
        self.head.push_str(&format!(
            "--{}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n",
            self.boundary
        ));
        self
    }

    /// Returns the value of `Content-Type` and the parts of the body, the file last.
    pub(crate) fn with_file(mut self, name: &str, mime: &str, bytes: Bytes) -> (String, Vec<Bytes>) {
        self.head.push_str(&format!(
            "--{}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {mime}\r\n\r\n",
            self.boundary
        ));
        let tail = format!("\r\n--{}--\r\n", self.boundary);
        let content_type = format!("multipart/form-data; boundary={}", self.boundary);
        (content_type, vec![Bytes::from(self.head), bytes, Bytes::from(tail)])
    }
}

/// Tells whether a name can stand in a header and comes through WordPress unchanged.
pub(crate) fn is_plain_file_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 200
        && !name.starts_with('.')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Tells whether a text is a MIME type, as it stands in a header.
pub(crate) fn is_mime(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
    };
    text.len() <= 100 && text.split_once('/').is_some_and(|(kind, of)| token(kind) && token(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_follows_the_fields_as_it_is() {
        let (content_type, parts) = Form::new().field("title", "猫\r\n").with_file(
            "a-1.png",
            "image/png",
            Bytes::from_static(b"\x89PNG\0"),
        );
        let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = [
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n猫\r\n\r\n")
                .into_bytes(),
            format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a-1.png\"\r\n"
            )
            .into_bytes(),
            b"Content-Type: image/png\r\n\r\n\x89PNG\0".to_vec(),
            format!("\r\n--{boundary}--\r\n").into_bytes(),
        ]
        .concat();
        assert_eq!(parts.concat(), expected);
    }

    #[test]
    fn names_and_types_cannot_add_headers() {
        assert!(is_plain_file_name("photo-0a1b.jpg"));
        for name in ["", ".htaccess", "a\"b.png", "a\r\nb.png", "a;b.png", "猫.png", "a/b.png", "a b.png"] {
            assert!(!is_plain_file_name(name), "{name}");
        }
        assert!(is_mime("image/svg+xml"));
        for mime in ["", "image", "image/", "image/png\r\nx: y", "image/png; a=b", "a/b/c"] {
            assert!(!is_mime(mime), "{mime}");
        }
    }
}
