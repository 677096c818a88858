//! From a whole answer to what really goes over the wire, faults included.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;

use crate::answer::Answer;
use crate::faults::Fault;

/// Marks a response instead of which the connection is to be closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut;

/// What goes over the wire.
#[derive(Debug)]
pub(crate) enum Delivery {
    /// The answer as it is.
    Whole(Answer),
    /// Nothing; the connection is closed.
    Cut,
    /// Nothing; the connection stays open.
    Silence,
    /// The first half of the body, then the connection is closed.
    Half(Answer),
    /// A body without an end.
    Endless(Answer),
    /// One byte at a time.
    Slow(Answer, Duration),
}

impl Delivery {
    /// The status that the client gets to see, if any.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Delivery::Cut | Delivery::Silence => None,
            Delivery::Whole(answer)
            | Delivery::Half(answer)
            | Delivery::Endless(answer)
            | Delivery::Slow(answer, _) => Some(answer.status),
        }
    }

    /// Turns it into a response; silence never ends.
    pub(crate) async fn respond(self) -> Response<Body> {
        match self {
            Delivery::Whole(answer) => {
                let body = Body::from(answer.body.clone());
                response(&answer, body)
            }
            Delivery::Cut => cut(),
            Delivery::Silence => std::future::pending().await,
            Delivery::Half(answer) => half(&answer),
            Delivery::Endless(answer) => {
                let forever = stream::repeat(Ok::<Bytes, Infallible>(Bytes::from_static(&[b' '; 16 * 1024])));
                response(&answer, Body::from_stream(forever))
            }
            Delivery::Slow(answer, pause) => {
                let bytes = stream::iter(answer.body.clone()).then(move |byte| async move {
                    tokio::time::sleep(pause).await;
                    Ok::<Bytes, Infallible>(Bytes::from(vec![byte]))
                });
                response(&answer, Body::from_stream(bytes))
            }
        }
    }
}

fn cut() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(Cut);
    response
}

fn half(answer: &Answer) -> Response<Body> {
    let first = Bytes::copy_from_slice(&answer.body[..answer.body.len() / 2]);
    let broken = stream::iter([Some(Ok(first)), None]).then(|part| async move {
        match part {
            Some(part) => part,
            None => {
                // Lets the first half leave before the connection is closed.
                tokio::task::yield_now().await;
                Err(std::io::Error::from(std::io::ErrorKind::ConnectionAborted))
            }
        }
    });
    let mut response = response(answer, Body::from_stream(broken));
    let length = HeaderValue::from(answer.body.len());
    response.headers_mut().insert(axum::http::header::CONTENT_LENGTH, length);
    response
}

fn response(answer: &Answer, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in &answer.headers {
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// An error page as web servers make them.
fn error_page(status: u16) -> Answer {
    Answer::html(
        status,
        format!("<html><head><title>{status}</title></head><body><h1>{status}</h1><hr>nginx</body></html>"),
    )
}

/// What comes over the wire where the request has had its effect and `answer` would be right.
pub(crate) fn spoiled(fault: Option<&Fault>, answer: Answer) -> Delivery {
    let Some(fault) = fault else { return Delivery::Whole(answer) };
    match fault {
        Fault::CommitThenDropResponse => Delivery::Cut,
        Fault::CommitThenSilence => Delivery::Silence,
        Fault::CommitThenStatus(status) => Delivery::Whole(error_page(*status)),
        Fault::CommitThenError { status, code } => Delivery::Whole(coded(*status, code)),
        Fault::TruncateBody => Delivery::Half(answer),
        Fault::NoticeBeforeJson => Delivery::Whole(before(answer, b"<br />\n<b>Warning</b>:  Undefined property: stdClass::$id in <b>/wp-includes/post.php</b> on line <b>1</b><br />\n")),
        Fault::BomBeforeJson => Delivery::Whole(before(answer, b"\xef\xbb\xbf")),
        Fault::HtmlInsteadOfJson => Delivery::Whole(Answer::html(200, "<!doctype html><title>OK</title><p>OK</p>")),
        Fault::EmptyListInsteadOfObject => Delivery::Whole(Answer::json(200, &serde_json::json!([]))),
        Fault::EmptyBody => Delivery::Whole(Answer::html(200, "")),
        Fault::EndlessBody => Delivery::Endless(answer),
        Fault::SlowBody(pause) => Delivery::Slow(answer, *pause),
        Fault::DeepJson(depth) => Delivery::Whole(with_body(answer, vec![b'['; *depth])),
        Fault::InvalidUtf8 => Delivery::Whole(with_body(answer, b"{\"id\":\"\xff\xfe\"}".to_vec())),
        Fault::MediaFatalAfterInsert
        | Fault::HideFromLookups(_)
        | Fault::DropBeforeCommit
        | Fault::CommitLater(_)
        | Fault::StatusBeforeCommit { .. }
        | Fault::Redirect { .. }
        | Fault::RefuseLookups(_)
        | Fault::SilenceBeforeCommit => Delivery::Whole(answer),
    }
}

/// What comes over the wire where the request has no effect, or not yet. None where it has.
pub(crate) fn prevented(fault: &Fault) -> Option<Delivery> {
    match fault {
        Fault::DropBeforeCommit | Fault::CommitLater(_) => Some(Delivery::Cut),
        Fault::SilenceBeforeCommit => Some(Delivery::Silence),
        Fault::StatusBeforeCommit { status, code: Some(code), html: false } => {
            Some(Delivery::Whole(coded(*status, code)))
        }
        Fault::StatusBeforeCommit { status, .. } => Some(Delivery::Whole(error_page(*status))),
        Fault::Redirect { status, location } => {
            Some(Delivery::Whole(error_page(*status).with("location", location.clone())))
        }
        Fault::RefuseLookups(_) => Some(Delivery::Whole(error_page(503))),
        Fault::CommitThenDropResponse
        | Fault::CommitThenStatus(_)
        | Fault::CommitThenError { .. }
        | Fault::TruncateBody
        | Fault::NoticeBeforeJson
        | Fault::BomBeforeJson
        | Fault::HtmlInsteadOfJson
        | Fault::EmptyListInsteadOfObject
        | Fault::EmptyBody
        | Fault::HideFromLookups(_)
        | Fault::MediaFatalAfterInsert
        | Fault::CommitThenSilence
        | Fault::EndlessBody
        | Fault::SlowBody(_)
        | Fault::DeepJson(_)
        | Fault::InvalidUtf8 => None,
    }
}

fn coded(status: u16, code: &str) -> Answer {
    Answer::json(status, &serde_json::json!({ "code": code, "message": code, "data": { "status": status } }))
}

fn before(mut answer: Answer, prefix: &[u8]) -> Answer {
    answer.body.splice(..0, prefix.iter().copied());
    answer
}

fn with_body(mut answer: Answer, body: Vec<u8>) -> Answer {
    answer.body = body;
    answer
}
