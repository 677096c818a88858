//! The files of images, read where nothing else tells whether one is what was sent.

use ichido_core::digest::Digest;
use reqwest::header::{ACCEPT, HeaderValue};
use tracing::debug;
use url::Url;

use crate::client::Client;
use crate::errors::TransportError;
use crate::rows::MediaFacts;
use crate::transport::Bounds;

/// What is known of the file that was uploaded for an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadedFile {
    /// It was read: its digest.
    Read(Digest),
    /// It is longer than was asked for.
    Longer,
}

impl Client {
    /// Reads the file that was uploaded for an image, up to `most` bytes. `None` if it lies on another site than the
    /// one that is asked, or could not be read.
    ///
    /// It is asked for as any reader would: without the password.
    pub async fn uploaded_file(&self, media: &MediaFacts, most: u64) -> Option<UploadedFile> {
        let url = self.address_of(media)?;
        let mut request = self.wire.reading.get(url).build().ok()?;
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("*/*"));
        let bounds = Bounds {
            timeouts: self.options.reading,
            answer_cap: usize::try_from(most).ok()?,
            error_cap: self.options.error_cap,
        };
        match self.exchange(&self.wire.reading, request, Vec::new(), bounds).await {
            Ok(answer) if answer.status == 200 => match answer.body {
                Ok(body) => Some(UploadedFile::Read(Digest::of_bytes(&body))),
                // Given up for its length alone: what takes too long ends as an error of time.
                Err(TransportError::TooLong) => Some(UploadedFile::Longer),
                Err(error) => {
                    debug!(?error, "the file of an image broke off");
                    None
                }
            },
            Ok(answer) => {
                debug!(status = answer.status, "the file of an image was not given out");
                None
            }
            Err(error) => {
                debug!(?error, "the file of an image could not be read");
                None
            }
        }
    }

    /// The address of the file that was uploaded, on the site itself.
    fn address_of(&self, media: &MediaFacts) -> Option<Url> {
        let mut url = Url::parse(&media.source_url).ok()?;
        if !self.root.is_of_same_origin(&url) || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        if let Some(name) = &media.original_image {
            // A name, not a way to somewhere else.
            if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']) {
                return None;
            }
            url.path_segments_mut().ok()?.pop().push(name);
        }
        url.set_fragment(None);
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::{Scripted, client};

    fn media(source_url: &str, original: Option<&str>) -> MediaFacts {
        MediaFacts {
            source_url: source_url.to_owned(),
            original_image: original.map(str::to_owned),
            ..MediaFacts::default()
        }
    }

    async fn giver() -> Scripted {
        Scripted::site(|_| "HTTP/1.1 200 X\r\nContent-Length: 5\r\nConnection: close\r\n\r\nbytes".to_owned())
            .await
    }

    #[tokio::test]
    async fn the_uploaded_file_is_read_beside_the_smaller_one_and_without_the_password() {
        let server = giver().await;
        let client = client(&server);
        let url = format!("http://{}/up/2026/a-scaled.jpg", server.host);
        let digest = client.uploaded_file(&media(&url, Some("a b.jpg")), 5).await;
        assert_eq!(digest, Some(UploadedFile::Read(Digest::of_bytes(b"bytes"))));
        let request = &server.seen()[0];
        assert!(request.starts_with("GET /up/2026/a%20b.jpg "), "{request}");
        assert!(!request.to_ascii_lowercase().contains("authorization"), "{request}");
        assert_eq!(client.uploaded_file(&media(&url, None), 4).await, Some(UploadedFile::Longer));
    }

    #[tokio::test]
    async fn nothing_is_asked_for_elsewhere() {
        let (server, other) = (giver().await, giver().await);
        let client = client(&server);
        let own = format!("http://{}/a.jpg", server.host);
        for (url, original) in [
            (format!("http://{}/a.jpg", other.host), None),
            (format!("https://{}/a.jpg", server.host), None),
            (format!("http://ann:word@{}/a.jpg", server.host), None),
            ("file:///etc/passwd".to_owned(), None),
            ("/a.jpg".to_owned(), None),
            (String::new(), None),
            (own.clone(), Some("../../wp-config.php")),
            (own.clone(), Some("..")),
            (own.clone(), Some("a\\b")),
            (own, Some("")),
        ] {
            assert_eq!(client.uploaded_file(&media(&url, original), 100).await, None, "{url} {original:?}");
        }
        assert_eq!((server.lines().len(), other.lines().len()), (0, 0));
    }
}
