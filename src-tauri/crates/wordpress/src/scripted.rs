//! A server for tests that does on its sockets exactly what it is told.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does with one connection.
pub(crate) enum Act {
    /// Closes it without reading.
    CloseAtOnce,
    /// Resets it without reading.
    ResetAtOnce,
    /// Never reads from it and keeps it open.
    NeverRead,
    /// Reads the request, then closes.
    ReadThenClose,
    /// Reads the request, then resets.
    ReadThenReset,
    /// Reads the request, then says nothing and keeps it open.
    ReadThenSilence,
    /// Writes these bytes without reading and closes.
    SayAtOnce(Vec<u8>),
    /// Reads the request, writes these bytes and closes.
    Say(Vec<u8>),
    /// Reads the request, writes these bytes and keeps it open.
    SayThenSilence(Vec<u8>),
    /// Reads the request, writes the head and then bytes without end.
    SayForEver(Vec<u8>),
    /// Reads the request and answers what the handler makes of it.
    Answer(Handler),
}

type Handler = Arc<dyn Fn(&str) -> String + Send + Sync>;

pub(crate) struct Scripted {
    /// `127.0.0.1:port`.
    pub(crate) host: String,
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Scripted {
    /// Does one act a connection, in order; further connections are closed at once.
    pub(crate) async fn acts(acts: impl IntoIterator<Item = Act>) -> Self {
        let mut acts: VecDeque<_> = acts.into_iter().collect();
        Self::start(move || acts.pop_front().unwrap_or(Act::CloseAtOnce)).await
    }

    /// Answers every request by the handler, which gets the whole request and returns the whole answer.
    pub(crate) async fn site(handler: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let handler: Handler = Arc::new(handler);
        Self::start(move || Act::Answer(handler.clone())).await
    }

    async fn start(mut next: impl FnMut() -> Act + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, next(), log.clone()));
            }
        });
        Self { host, seen, task }
    }

    /// Everything that was read so far, one text a request.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// The request lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().iter().map(|request| request.lines().next().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer with JSON in it, as WordPress gives it to a user whom it knows.
pub(crate) fn json(status: u16, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nCache-Control: no-cache\r\nDate: Tue, 01 Dec 2026 00:00:00 GMT\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// A page of a list, with the number of rows that the site counts.
pub(crate) fn list(total: usize, body: &str) -> String {
    json(200, &format!("X-WP-Total: {total}\r\n"), body)
}

async fn serve(mut stream: TcpStream, act: Act, seen: Arc<Mutex<Vec<String>>>) {
    // A client that is gone ends the act; the test looks at the client.
    act_on(&mut stream, act, &seen).await.ok();
}

async fn act_on(stream: &mut TcpStream, act: Act, seen: &Mutex<Vec<String>>) -> io::Result<()> {
    match act {
        Act::CloseAtOnce => {}
        Act::ResetAtOnce => stream.set_zero_linger()?,
        Act::NeverRead => std::future::pending().await,
        Act::ReadThenClose => {
            read(stream, seen).await?;
        }
        Act::ReadThenReset => {
            read(stream, seen).await?;
            stream.set_zero_linger()?;
        }
        Act::ReadThenSilence => {
            read(stream, seen).await?;
            std::future::pending::<()>().await;
        }
        Act::SayAtOnce(bytes) => {
            stream.write_all(&bytes).await?;
            // Reads what there is, so that closing does not reset the connection.
            stream.shutdown().await?;
            while matches!(stream.read(&mut [0; 4096]).await, Ok(1..)) {}
        }
        Act::Say(bytes) => {
            read(stream, seen).await?;
            stream.write_all(&bytes).await?;
        }
        Act::SayThenSilence(bytes) => {
            read(stream, seen).await?;
            stream.write_all(&bytes).await?;
            std::future::pending::<()>().await;
        }
        Act::SayForEver(head) => {
            read(stream, seen).await?;
            stream.write_all(&head).await?;
            while stream.write_all(&[b' '; 4096]).await.is_ok() {}
        }
        Act::Answer(handler) => {
            let request = read(stream, seen).await?;
            stream.write_all(handler(&request).as_bytes()).await?;
        }
    }
    Ok(())
}

/// Reads one request: its head, and as much body as `Content-Length` says.
async fn read(stream: &mut TcpStream, seen: &Mutex<Vec<String>>) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, value)| value.trim().parse().ok())
                .unwrap_or(0);
            if bytes.len() >= head.len() + 4 + length {
                seen.lock().unwrap().push(text.clone());
                return Ok(text);
            }
        }
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..count]);
    }
}

/// A client that asks the server and waits for nothing.
pub(crate) fn client(server: &Scripted) -> crate::Client {
    client_at(&format!("http://{}/wp-json/", server.host))
}

pub(crate) fn client_at(root: &str) -> crate::Client {
    let credentials = crate::Credentials::new("ann", &"abcd efgh".into()).unwrap();
    let options =
        crate::Options { back_off: vec![std::time::Duration::ZERO; 2], ..crate::Options::default() };
    crate::Client::new(root, credentials, options).unwrap()
}

/// The value of a query parameter in a request line, decoded.
pub(crate) fn parameter(request: &str, name: &str) -> Option<String> {
    let target = request.lines().next()?.split(' ').nth(1)?;
    let url = url::Url::parse("http://h").unwrap().join(target).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}
