//! The requests that make something. Each consumes a permit and leaves at most once.

use std::sync::atomic::Ordering;

use bytes::Bytes;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::outcome::{Created, NotSent, Outcome, Sent, UnknownCause};
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};
use tracing::debug;

use crate::address::Query;
use crate::answer::{Expected, Heard, classify};
use crate::client::Client;
use crate::errors::TransportError;
use crate::lookups::ById;
use crate::multipart::{self, Form};
use crate::rows::Row;
use crate::transport::{Answer, Bounds};
use crate::{Class, rows};

/// A draft to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftRequest {
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub title: String,
    /// Its excerpt; empty for none.
    pub excerpt: String,
    /// Its content, with the marker.
    pub content: String,
    /// Ids of its tags.
    pub tags: Vec<u64>,
    /// Ids of its categories; the site adds its default one if there is none.
    pub categories: Vec<u64>,
    /// The id of its featured image.
    pub featured_media: Option<RemoteId>,
}

/// An image to be uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadRequest {
    /// The bytes of the file.
    pub bytes: Bytes,
    /// The name of the file: ASCII letters, digits, `-`, `_` and `.` only.
    pub file_name: String,
    /// The MIME type.
    pub mime: String,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub title: String,
    /// The text for those who cannot see it.
    pub alt_text: String,
    /// Its caption; empty for none.
    pub caption: String,
    /// Whether it is to be hidden from the public until it is attached.
    pub private: bool,
    /// MD5 of `bytes` in lower-case hexadecimal digits, taken when they were prepared.
    pub md5_hex: String,
    /// Whether the site is to make the smaller sizes later, by [`Client::post_process`] (7.1; older
    /// versions ignore it).
    pub defer_sizes: bool,
}

/// An image to be attached to a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attach {
    /// The image.
    pub media: RemoteId,
    /// The draft.
    pub post: RemoteId,
    /// Whether the image was uploaded as private and is to follow the draft's status from now on.
    pub publish: bool,
}

impl Client {
    /// Creates a draft.
    pub async fn create_draft(&self, permit: SendPermit, request: &DraftRequest) -> Sent {
        let mut fields = json!({
            // Said explicitly: only then does WordPress make the slug unique.
            "status": "draft",
            "slug": request.slug.as_str(),
            "title": request.title,
            "content": request.content,
        });
        if !request.excerpt.is_empty() {
            fields["excerpt"] = json!(request.excerpt);
        }
        if !request.tags.is_empty() {
            fields["tags"] = json!(request.tags);
        }
        if !request.categories.is_empty() {
            fields["categories"] = json!(request.categories);
        }
        if let Some(featured) = request.featured_media {
            fields["featured_media"] = json!(featured.0);
        }
        let texts = [&request.title, &request.excerpt, &request.content];
        let letter = Letter {
            route: Class::Posts.path().to_owned(),
            fields: rows::fields(Class::Posts),
            content_type: JSON.to_owned(),
            parts: vec![body(&fields)],
            md5_hex: None,
            four_byte: texts.iter().any(|text| has_four_byte(text)),
            sign: Sign {
                slug: request.slug.as_str().to_owned(),
                title: request.title.clone(),
                marked: request.content.contains(&permit.op_id().to_string()),
            },
        };
        self.send(permit, Kind::Post, Expected::Post, Some(letter)).await
    }

    /// Uploads an image. A file name, MIME type or MD5 that cannot stand in a header is reported as
    /// [`NotSent::NotPrepared`].
    pub async fn upload_image(&self, permit: SendPermit, request: &UploadRequest) -> Sent {
        let md5_hex = HeaderValue::from_str(&request.md5_hex).ok();
        let sound = multipart::is_plain_file_name(&request.file_name) && multipart::is_mime(&request.mime);
        let letter = md5_hex.filter(|_| sound).map(|md5_hex| {
            let mut form = Form::new()
                .field("slug", request.slug.as_str())
                .field("title", &request.title)
                .field("alt_text", &request.alt_text)
                .field("caption", &request.caption);
            if request.private {
                form = form.field("status", "private");
            }
            if request.defer_sizes {
                form = form.field("generate_sub_sizes", "false");
            }
            let (content_type, parts) =
                form.with_file(&request.file_name, &request.mime, request.bytes.clone());
            let texts = [&request.title, &request.alt_text, &request.caption];
            Letter {
                route: Class::Media.path().to_owned(),
                fields: rows::fields(Class::Media),
                content_type,
                parts,
                md5_hex: Some(md5_hex),
                four_byte: texts.iter().any(|text| has_four_byte(text)),
                sign: Sign {
                    slug: request.slug.as_str().to_owned(),
                    title: request.title.clone(),
                    marked: false,
                },
            }
        });
        self.send(permit, Kind::Image, Expected::Image, letter).await
    }

    /// Attaches an image to a draft. May be repeated. A refusal for this image alone (it is no longer
    /// ours to edit, or gone) carries [`RefusalCode::CannotEditOthers`](ichido_core::outcome::RefusalCode::CannotEditOthers)
    /// or [`RefusalCode::InvalidParam`](ichido_core::outcome::RefusalCode::InvalidParam).
    pub async fn attach(&self, permit: SendPermit, request: Attach) -> Sent {
        let mut fields = json!({ "post": request.post.0 });
        if request.publish {
            // It becomes `inherit`: readable by those who may read the post.
            fields["status"] = json!("publish");
        }
        let letter = Letter::change(format!("{}/{}", Class::Media.path(), request.media), &fields);
        self.send(permit, Kind::Attach, Expected::Change(request.media), Some(letter)).await
    }

    /// Makes the missing sizes of an image. May be repeated. Refusals as of [`Client::attach`].
    pub async fn post_process(&self, permit: SendPermit, media: RemoteId) -> Sent {
        let fields = json!({ "action": "create-image-subsizes" });
        let letter = Letter::change(format!("{}/{media}/post-process", Class::Media.path()), &fields);
        self.send(permit, Kind::PostProcess, Expected::Change(media), Some(letter)).await
    }

    /// Sends one creating request, once, and judges its answer. `None` for a request that cannot be
    /// written, and a permit of another kind, end before a connection is opened.
    pub(crate) async fn send(
        &self,
        permit: SendPermit,
        kind: Kind,
        expected: Expected,
        letter: Option<Letter>,
    ) -> Sent {
        let op_id = permit.op_id();
        let outcome = match letter.filter(|_| permit.kind() == kind) {
            Some(letter) => self.post(op_id, expected, letter).await,
            None => Outcome::NotSent(NotSent::NotPrepared),
        };
        Sent { op_id, outcome }
    }

    async fn post(&self, op_id: OpId, expected: Expected, letter: Letter) -> Outcome {
        let query = Query::default().with("_fields", letter.fields);
        let url = self.root.endpoint(&letter.route, &query);
        let mut request = self
            .wire
            .creating
            .post(url)
            .basic_auth(self.credentials.user(), Some(self.credentials.password()))
            .header(CONTENT_TYPE, letter.content_type)
            // A string of structured headers, hence the quotes.
            .header("Idempotency-Key", format!("\"{op_id}\""));
        if let Some(md5_hex) = letter.md5_hex {
            request = request.header("Content-MD5", md5_hex);
        }
        let Ok(request) = request.build() else { return Outcome::NotSent(NotSent::NotPrepared) };
        let bounds = Bounds {
            timeouts: self.options.creating,
            answer_cap: self.options.answer_cap,
            error_cap: self.options.error_cap,
        };
        match self.exchange(&self.wire.creating, request, letter.parts, bounds).await {
            Ok(answer) => match judge(expected, &answer, letter.four_byte) {
                // Only the head told an id, and not in the header that WordPress keeps for it.
                Outcome::Created(created) if created.row.is_none() && answer.header(UPLOAD_ID).is_none() => {
                    self.believe(op_id, expected, &letter.sign, answer.status, *created).await
                }
                outcome @ (Outcome::NotSent(_)
                | Outcome::Created(_)
                | Outcome::Refused(_)
                | Outcome::Unknown(_)) => outcome,
            },
            Err(TransportError::NotSent { stage, source }) => {
                debug!(%op_id, ?stage, error = ?source, "nothing was sent");
                Outcome::NotSent(stage)
            }
            Err(error) => {
                debug!(%op_id, ?error, "no answer");
                Outcome::Unknown(cause(&error))
            }
        }
    }
}

/// The header by which WordPress tells the id of a file that is there, whatever else goes wrong.
const UPLOAD_ID: &str = "x-wp-upload-attachment-id";

/// By what a row that an answer only points to is recognised as what was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sign {
    slug: String,
    title: String,
    /// Whether its text carries the id of the operation.
    marked: bool,
}

impl Sign {
    fn is_on(&self, row: &Row, op_id: OpId, user: u64) -> bool {
        if user != 0 && row.author != 0 && row.author != user {
            return false;
        }
        if self.marked {
            return row.content.as_deref().is_some_and(|text| text.contains(&op_id.to_string()));
        }
        let given = row.slug.as_str().strip_prefix(&self.slug);
        let same_slug = given.is_some_and(|rest| {
            rest.is_empty()
                || rest.strip_prefix('-').is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
        });
        same_slug && row.title.as_deref().is_some_and(|title| title.trim() == self.title.trim())
    }
}

/// One creating request, ready to be sent.
pub(crate) struct Letter {
    /// By what its effect is recognised.
    pub(crate) sign: Sign,
    pub(crate) route: String,
    /// Fields of the answer that are wanted.
    pub(crate) fields: &'static str,
    pub(crate) content_type: String,
    pub(crate) parts: Vec<Bytes>,
    pub(crate) md5_hex: Option<HeaderValue>,
    /// Whether it holds characters that old databases cannot store.
    pub(crate) four_byte: bool,
}

impl Client {
    /// Reads the row that an answer only points to, and believes that it is what was sent if it looks like it.
    async fn believe(
        &self,
        op_id: OpId,
        expected: Expected,
        sign: &Sign,
        status: u16,
        mut created: Created,
    ) -> Outcome {
        let class = match expected {
            Expected::Post => Class::Posts,
            Expected::Image => Class::Media,
            // They may be repeated.
            Expected::Term(_) | Expected::Change(_) | Expected::PostChange(_) => {
                return Outcome::Created(Box::new(created));
            }
        };
        let user = self.user.load(Ordering::Relaxed);
        let rows = self.by_ids(class, &[created.id]).await.map(|answered| answered.value);
        let row = rows.ok().and_then(|rows| rows.into_iter().next()).and_then(|(_, row)| match row {
            ById::There(row) if sign.is_on(&row, op_id, user) => Some(row),
            ById::There(_) | ById::Gone | ById::Forbidden => None,
        });
        let Some(row) = row else { return Outcome::Unknown(UnknownCause::Unreadable { status }) };
        let recorded = row.recorded();
        created.needs_post_process |= recorded.missing_sizes;
        created.row = Some(recorded);
        created.stored = row.stored();
        Outcome::Created(Box::new(created))
    }
}

impl Letter {
    /// A change to a file, which may be repeated.
    pub(crate) fn change(route: String, fields: &Value) -> Self {
        Self {
            route,
            fields: rows::fields(Class::Media),
            content_type: JSON.to_owned(),
            parts: vec![body(fields)],
            md5_hex: None,
            four_byte: false,
            sign: Sign::default(),
        }
    }
}

pub(crate) const JSON: &str = "application/json";

pub(crate) fn body(fields: &Value) -> Bytes {
    Bytes::from(fields.to_string())
}

/// Tells whether a text holds a character that databases with three-byte UTF-8 cannot store.
pub(crate) fn has_four_byte(text: &str) -> bool {
    text.chars().any(|character| character > '\u{ffff}')
}

fn judge(expected: Expected, answer: &Answer, four_byte: bool) -> Outcome {
    let heard = Heard {
        status: answer.status,
        location: answer.header("location"),
        upload_id: answer.header(UPLOAD_ID),
        retry_after: answer.header("retry-after"),
        body: answer.body.as_deref().ok(),
    };
    match (classify(expected, &heard, four_byte), &answer.body) {
        // The body is missing for a reason that says more.
        (Outcome::Unknown(UnknownCause::Unreadable { .. }), Err(error)) => Outcome::Unknown(cause(error)),
        (outcome, _) => outcome,
    }
}

fn cause(error: &TransportError) -> UnknownCause {
    match error {
        TransportError::TimedOut => UnknownCause::TimedOut,
        TransportError::TooLong => UnknownCause::TooLong,
        TransportError::Lost(_) | TransportError::NotSent { .. } => UnknownCause::ConnectionLost,
    }
}

#[cfg(test)]
#[path = "create_tests.rs"]
mod tests;
