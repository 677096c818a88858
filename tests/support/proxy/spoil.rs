//! What each fault does to a request and to its answer.

use std::io;

use ichido_practice::Fault;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Pass;
use super::wire::Answer;

const HTML: &str = "text/html; charset=UTF-8";
const JSON: &str = "application/json; charset=UTF-8";
const PAGE: &str =
    "<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Error</h1></body></html>\n";
const NOTICE: &[u8] =
    b"<br />\n<b>Notice</b>:  Undefined variable $x in <b>plugin.php</b> on line <b>1</b><br />\n";
/// The one large piece in which an endless body comes.
const ENDLESS: [u8; 16 * 1024] = [b' '; 16 * 1024];

/// Answers the client as the fault wants it; without one, with what the site says.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the faults may grow; one that is new here must not pass for another"
)]
pub(super) async fn answer(client: &mut TcpStream, pass: &Pass, fault: Option<Fault>) -> io::Result<()> {
    let Some(fault) = fault else {
        let answer = pass.forward().await?;
        return send(client, &answer).await;
    };
    match fault {
        Fault::CommitThenDropResponse => pass.forward().await.map(drop),
        Fault::DropBeforeCommit => Ok(()),
        Fault::CommitLater(after) => {
            pass.forward_later(after);
            Ok(())
        }
        Fault::CommitThenStatus(status) => {
            pass.forward().await?;
            send(client, &Answer::made(status, HTML, PAGE)).await
        }
        Fault::StatusBeforeCommit { status, code, html } => {
            send(client, &error(status, code.filter(|_| !html).as_deref())).await
        }
        Fault::CommitThenError { status, code } => {
            pass.forward().await?;
            send(client, &error(status, Some(&code))).await
        }
        Fault::TruncateBody => {
            let mut answer = pass.forward().await?;
            // The web server of the tests ends a body by closing; a length is what makes the cut visible as one.
            answer.set_header("Content-Length", &answer.body.len().to_string());
            answer.body.truncate(answer.body.len() / 2);
            send(client, &answer).await
        }
        Fault::NoticeBeforeJson => send(client, &prefixed(pass.forward().await?, NOTICE)).await,
        Fault::BomBeforeJson => send(client, &prefixed(pass.forward().await?, b"\xef\xbb\xbf")).await,
        Fault::HtmlInsteadOfJson => {
            pass.forward().await?;
            send(client, &Answer::made(200, HTML, PAGE)).await
        }
        Fault::EmptyListInsteadOfObject => {
            pass.forward().await?;
            send(client, &Answer::made(200, JSON, "[]")).await
        }
        Fault::EmptyBody => {
            pass.forward().await?;
            send(client, &Answer::made(200, HTML, "")).await
        }
        Fault::Redirect { status, location } => {
            let mut answer = Answer::made(status, HTML, "");
            answer.set_header("Location", &location);
            send(client, &answer).await
        }
        Fault::RefuseLookups(_) => send(client, &Answer::made(503, HTML, PAGE)).await,
        Fault::MediaFatalAfterInsert => {
            let bytes = pass.request.bytes_with("X-Ichido-Fault: media-fatal-after-insert");
            let answer = pass.forward_bytes(&bytes).await?;
            send(client, &answer).await
        }
        Fault::CommitThenSilence => {
            pass.forward().await?;
            until_closed(client).await
        }
        Fault::SilenceBeforeCommit => until_closed(client).await,
        Fault::EndlessBody => {
            let answer = pass.forward().await?;
            client.write_all(&answer.head).await?;
            loop {
                client.write_all(&ENDLESS).await?;
            }
        }
        Fault::SlowBody(pause) => {
            let answer = pass.forward().await?;
            client.write_all(&answer.head).await?;
            for byte in answer.body {
                client.write_all(&[byte]).await?;
                tokio::time::sleep(pause).await;
            }
            Ok(())
        }
        Fault::DeepJson(depth) => {
            let body = ["[".repeat(depth), "]".repeat(depth)].concat();
            let mut answer = pass.forward().await?;
            answer.replace(answer.status, JSON, body.into_bytes());
            send(client, &answer).await
        }
        Fault::InvalidUtf8 => {
            let mut answer = pass.forward().await?;
            answer.replace(answer.status, JSON, b"{\"id\":\"\xff\xfe\"}".to_vec());
            send(client, &answer).await
        }
        fault => panic!("the proxy does not know how to do {fault:?}"),
    }
}

fn error(status: u16, code: Option<&str>) -> Answer {
    match code {
        Some(code) => {
            let body =
                json!({ "code": code, "message": "Something went wrong.", "data": { "status": status } });
            Answer::made(status, JSON, &body.to_string())
        }
        None => Answer::made(status, HTML, PAGE),
    }
}

fn prefixed(mut answer: Answer, prefix: &[u8]) -> Answer {
    answer.body = [prefix, &answer.body].concat();
    if answer.header("content-length").is_some() {
        answer.set_header("Content-Length", &answer.body.len().to_string());
    }
    answer
}

async fn send(client: &mut TcpStream, answer: &Answer) -> io::Result<()> {
    client.write_all(&answer.head).await?;
    client.write_all(&answer.body).await
}

async fn until_closed(client: &mut TcpStream) -> io::Result<()> {
    let mut rest = [0; 1024];
    while client.read(&mut rest).await? > 0 {}
    Ok(())
}
