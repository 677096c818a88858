//! What the answer to a creating request proves.
//!
//! Total, and closed: an answer that is not on the list of things WordPress proves is
//! [`Outcome::Unknown`]. Decided on codes, never on messages, which are translated.

use ichido_core::id::RemoteId;
use ichido_core::outcome::{Created, NotSent, Outcome, Refusal, RefusalCode, UnknownCause};
use serde_json::Value;

use crate::Class;
use crate::address::id_in_location;
use crate::ids;
use crate::json;
use crate::rows::{self, Row};
use crate::terms::Taxonomy;
use crate::text;

const MOST_PARAMETERS: usize = 20;
const LONGEST_NAME: usize = 64;
/// What WordPress says while it updates itself, before it does anything else.
const MAINTENANCE_PAGE: &str = "Briefly unavailable for scheduled maintenance";
const MAINTENANCE_RETRY_AFTER: &str = "600";

/// What a request was to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A post.
    Post,
    /// A file in the media library.
    Image,
    /// A tag or a category.
    Term(Taxonomy),
    /// A change to the file of this id, which may be repeated.
    Change(RemoteId),
    /// A change to the post of this id, which may be repeated.
    PostChange(RemoteId),
}

/// An answer, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The header `Location`.
    pub location: Option<&'a str>,
    /// The header `X-WP-Upload-Attachment-ID`: the file is there, whatever else went wrong.
    pub upload_id: Option<&'a str>,
    /// The header `Retry-After`.
    pub retry_after: Option<&'a str>,
    /// The body; `None` if it broke off or exceeded its bounds.
    pub body: Option<&'a [u8]>,
}

/// Judges the answer to a creating request. `sent_four_byte` tells whether the request held characters
/// that old databases cannot store.
#[must_use]
pub fn classify(expected: Expected, heard: &Heard<'_>, sent_four_byte: bool) -> Outcome {
    let body = heard.body.and_then(|body| json::read::<Value>(body).ok());
    if expected == Expected::Image
        && let Some(id) = heard.upload_id.and_then(|id| positive(id.trim()))
    {
        return uploaded(id, heard.status, body.as_ref());
    }
    match (heard.status, expected) {
        (201, Expected::Post | Expected::Image | Expected::Term(_))
        | (200, Expected::Change(_) | Expected::PostChange(_)) => made(expected, heard, body.as_ref()),
        (status @ 200..=299, _) => Outcome::Unknown(UnknownCause::Unreadable { status }),
        (status @ 300..=399, _) => Outcome::Unknown(UnknownCause::Redirect { status }),
        (status, _) => said_no(expected, status, heard, body.as_ref(), sent_four_byte),
    }
}

/// Tells whether an answer is that of a site in maintenance, which WordPress gives before anything else.
pub(crate) fn is_maintenance(status: u16, retry_after: Option<&str>, body: Option<&[u8]>) -> bool {
    let Some(body) = body.filter(|_| status == 503) else { return false };
    match json::read::<Value>(body) {
        Ok(json) => {
            retry_after.map(str::trim) == Some(MAINTENANCE_RETRY_AFTER)
                && json.get("code").and_then(Value::as_str) == Some("wp_die")
        }
        Err(_) => String::from_utf8_lossy(body).contains(MAINTENANCE_PAGE),
    }
}

/// Reads the code of an error's body, bounded and without control characters.
pub(crate) fn error_code(body: Option<&Value>) -> Option<String> {
    let code = body?.get("code")?.as_str()?;
    Some(text::shortened(code, LONGEST_NAME)).filter(|code| !code.is_empty())
}

fn made(expected: Expected, heard: &Heard<'_>, body: Option<&Value>) -> Outcome {
    let unreadable = Outcome::Unknown(UnknownCause::Unreadable { status: heard.status });
    let located = heard.location.and_then(|location| id_in_location(location, expected.collection()));
    let Some(body) = body else {
        // Something was printed before the JSON, or it was cut: the head tells the id.
        return match (expected, located) {
            (Expected::Change(_) | Expected::PostChange(_), _) | (_, None) => unreadable,
            (_, Some(id)) => created(RemoteId(id), None, false),
        };
    };
    let Some(id) = body.get("id").and_then(ids::of_row) else { return unreadable };
    let right = expected.is_type_of(body)
        && match expected {
            Expected::Change(changed) | Expected::PostChange(changed) => changed.0 == id,
            Expected::Post | Expected::Image | Expected::Term(_) => {
                located.is_none_or(|located| located == id)
            }
        };
    if !right {
        return unreadable;
    }
    let row = expected.class().and_then(|class| rows::row(class, body));
    created(RemoteId(id), row, false)
}

fn uploaded(id: u64, status: u16, body: Option<&Value>) -> Outcome {
    let row = body
        .filter(|body| status == 201 && Expected::Image.is_type_of(body))
        .and_then(|body| rows::row(Class::Media, body))
        .filter(|row| row.id.0 == id);
    created(RemoteId(id), row, !matches!(status, 200..=299))
}

fn created(id: RemoteId, row: Option<Row>, unfinished: bool) -> Outcome {
    let stored = row.as_ref().and_then(Row::stored);
    let row = row.map(|row| row.recorded());
    let needs_post_process = unfinished || row.as_ref().is_some_and(|row| row.missing_sizes);
    Outcome::Created(Box::new(Created { id, row, needs_post_process, stored }))
}

fn said_no(
    expected: Expected,
    status: u16,
    heard: &Heard<'_>,
    body: Option<&Value>,
    sent_four_byte: bool,
) -> Outcome {
    if is_maintenance(status, heard.retry_after, heard.body) {
        let retry_after_s = heard.retry_after.and_then(|seconds| seconds.trim().parse().ok());
        return Outcome::NotSent(NotSent::Maintenance { retry_after_s });
    }
    if status == 413 && expected == Expected::Image {
        return refused(RefusalCode::PayloadTooLarge, status, None);
    }
    let code = body
        .filter(|_| (400..=599).contains(&status))
        .and_then(|body| body.get("code"))
        .and_then(Value::as_str);
    if let (Expected::Term(_), 400, Some("term_exists")) = (expected, status, code)
        && let Some(id) = body.and_then(|body| ids::of_row(body.get("data")?.get("term_id")?))
    {
        return created(RemoteId(id), None, false);
    }
    match code.and_then(|code| refusal_code(expected, status, code, sent_four_byte)) {
        Some(code) => refused(code, status, body),
        None => Outcome::Unknown(UnknownCause::Status { status, code: error_code(body) }),
    }
}

fn refused(code: RefusalCode, status: u16, body: Option<&Value>) -> Outcome {
    let parameters = body
        .and_then(|body| body.get("data")?.get("params")?.as_object())
        .into_iter()
        .flat_map(|parameters| parameters.keys())
        .take(MOST_PARAMETERS)
        .map(|name| text::shortened(name, LONGEST_NAME))
        .collect();
    Outcome::Refused(Refusal { code, status, parameters })
}

/// Finds a code on the closed list of what WordPress raises before it inserts.
fn refusal_code(expected: Expected, status: u16, code: &str, sent_four_byte: bool) -> Option<RefusalCode> {
    let client_error = (400..=499).contains(&status);
    if let Expected::PostChange(_) = expected {
        // A field of another kind, or one that is not ours to write: it can come after others were written, and is
        // an end all the same, since nothing here makes anything.
        match code {
            "rest_invalid_type" | "rest_invalid_stored_value" => return Some(RefusalCode::InvalidParam),
            "rest_cannot_update" | "rest_cannot_delete" if client_error => {
                return Some(RefusalCode::CannotEditOthers);
            }
            _ => {}
        }
    }
    if let Expected::Change(_) | Expected::PostChange(_) = expected {
        // A change that may be repeated: not ours to edit, or gone. Concerns this row alone.
        match code {
            "rest_cannot_edit" if client_error => return Some(RefusalCode::CannotEditOthers),
            "rest_post_invalid_id" if status == 404 => return Some(RefusalCode::InvalidParam),
            _ => {}
        }
    }
    let code = RefusalCode::parse(code)?;
    let holds = match code {
        RefusalCode::InvalidParam
        | RefusalCode::MissingParam
        | RefusalCode::InvalidJson
        | RefusalCode::EmptyContent
        | RefusalCode::CannotCreate
        | RefusalCode::CannotPublish
        | RefusalCode::CannotEditOthers
        | RefusalCode::CannotAssignTerm
        | RefusalCode::CannotAssignSticky
        | RefusalCode::Forbidden
        | RefusalCode::NotLoggedIn
        | RefusalCode::NoRoute => client_error,
        RefusalCode::UploadHashMismatch
        | RefusalCode::UploadNoContentDisposition
        | RefusalCode::UploadFileTooBig
        | RefusalCode::UploadImageTypeNotSupported
        | RefusalCode::UploadLimitedSpace
        | RefusalCode::UploadUserQuotaExceeded => client_error && expected == Expected::Image,
        // These come as 500 although nothing was made.
        RefusalCode::UploadUnknownError | RefusalCode::UploadSideloadError => expected == Expected::Image,
        RefusalCode::DbInsertError => sent_four_byte,
        // Not a code of WordPress: the web server says it by its status.
        RefusalCode::PayloadTooLarge => false,
    };
    holds.then_some(code)
}

fn positive(text: &str) -> Option<u64> {
    let id = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    id.filter(|id| ids::is_of_row(*id))
}

impl Expected {
    fn collection(self) -> &'static str {
        match self {
            Self::Post | Self::PostChange(_) => Class::Posts.path(),
            Self::Image | Self::Change(_) => Class::Media.path(),
            Self::Term(taxonomy) => taxonomy.path(),
        }
    }

    const fn class(self) -> Option<Class> {
        match self {
            Self::Post | Self::PostChange(_) => Some(Class::Posts),
            Self::Image | Self::Change(_) => Some(Class::Media),
            Self::Term(_) => None,
        }
    }

    fn is_type_of(self, body: &Value) -> bool {
        let (field, value) = match self {
            Self::Post | Self::PostChange(_) => ("type", "post"),
            Self::Image | Self::Change(_) => ("type", "attachment"),
            Self::Term(taxonomy) => ("taxonomy", taxonomy.as_str()),
        };
        body.get(field).and_then(Value::as_str) == Some(value)
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
