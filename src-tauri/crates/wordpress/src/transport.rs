//! The two HTTP clients: one that reads, one that creates.
//!
//! Neither follows redirects, keeps cookies, tells where it comes from or unpacks compressed answers.
//! The creating one opens a fresh connection for each request and never repeats one, so that a failed
//! connection is a proof that nothing was sent, and a request is on the wire at most once.

use std::error::Error;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use ichido_core::outcome::NotSent;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Client, Request, redirect, retry};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};
use url::{Host, Url};

use crate::body::{Metered, Progress};
use crate::errors::{ClientError, TransportError};
use crate::options::{Options, Timeouts};

/// This computer; the port is that of the address.
const LOOPBACK: [SocketAddr; 2] = [
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
    SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0),
];

/// The two HTTP clients of a site.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) reading: Client,
    pub(crate) creating: Client,
}

/// An answer, as far as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// The whole body, or what broke it off.
    pub(crate) body: Result<Vec<u8>, TransportError>,
}

/// Bounds of one exchange.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) timeouts: Timeouts,
    /// The most bytes of a success.
    pub(crate) answer_cap: usize,
    /// The most bytes of anything else.
    pub(crate) error_cap: usize,
}

impl Wire {
    /// Makes the clients for the site at an address.
    pub(crate) fn new(address: &Url, options: &Options) -> Result<Self, ClientError> {
        let tls = trust(is_encrypted(address))?;
        let reading = builder(address, options.reading, tls.clone()).build().map_err(ClientError::SetUp)?;
        let creating = builder(address, options.creating, tls)
            // No idle connection: one that the site has closed meanwhile could swallow a request.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(ClientError::SetUp)?;
        Ok(Self { reading, creating })
    }
}

impl Answer {
    /// Returns a header as text, if it is there and is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Says whom to trust: those whom the operating system trusts. Passed to the client rather than
/// installed for the whole process.
fn trust(encrypted: bool) -> Result<ClientConfig, ClientError> {
    let builder = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .map_err(ClientError::Trust)?;
    let mut config = if encrypted {
        builder.with_platform_verifier().map_err(ClientError::Trust)?.with_no_client_auth()
    } else {
        // Never used, and must not fail on a machine without certificates.
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn is_encrypted(address: &Url) -> bool {
    address.scheme() == "https"
}

fn builder(address: &Url, timeouts: Timeouts, tls: ClientConfig) -> reqwest::ClientBuilder {
    let encrypted = is_encrypted(address);
    let mut headers = HeaderMap::new();
    // Without it WordPress prints PHP notices before the JSON and answers fatal errors in HTML.
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .http1_only()
        .https_only(encrypted)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .user_agent(concat!("Ichido/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .connect_timeout(timeouts.connect);
    #[cfg(any(target_os = "android", target_os = "linux"))]
    let builder = builder.tcp_user_timeout(timeouts.write_idle.max(timeouts.read_idle));
    if encrypted {
        return builder;
    }
    let builder = builder.no_proxy();
    match address.host() {
        // What is not encrypted stays on this computer, whatever a name server says of `a.localhost`.
        Some(Host::Domain(name)) => builder.resolve_to_addrs(name, &LOOPBACK),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => builder,
    }
}

/// Sends a request whose body is the parts, and reads the answer within its bounds.
///
/// The wait for the answer begins when the body's end was handed to the connection; a large upload
/// over a slow line is given up only when it stands still.
pub(crate) async fn exchange(
    client: &Client,
    mut request: Request,
    parts: Vec<Bytes>,
    bounds: Bounds,
) -> Result<Answer, TransportError> {
    let Timeouts { connect, write_idle, first_byte, read_idle, whole_answer } = bounds.timeouts;
    let (sender, mut progress) = watch::channel(Progress::Waiting);
    let begun = Instant::now();
    let (mut deadline, mut end_of_request) = if parts.is_empty() {
        drop(sender);
        (begun + connect + first_byte, begun + connect)
    } else {
        *request.body_mut() = Some(reqwest::Body::wrap(Metered::new(parts, sender)));
        (begun + connect + write_idle, begun + connect + write_idle)
    };

    let mut sending = std::pin::pin!(client.execute(request));
    let mut watching = true;
    let mut response = loop {
        tokio::select! {
            biased;
            answer = &mut sending => break answer.map_err(unanswered)?,
            changed = progress.changed(), if watching => {
                let now = Instant::now();
                match (changed, *progress.borrow_and_update()) {
                    // The connection let go of the body; the last deadline holds.
                    (Err(_), _) => watching = false,
                    (Ok(()), Progress::Waiting | Progress::Writing(_)) => deadline = now + write_idle,
                    (Ok(()), Progress::Written) => {
                        end_of_request = now;
                        deadline = now + first_byte;
                    }
                }
            }
            () = sleep_until(deadline) => return Err(TransportError::TimedOut),
        }
    };

    let status = response.status().as_u16();
    let headers = std::mem::take(response.headers_mut());
    let cap = if response.status().is_success() { bounds.answer_cap } else { bounds.error_cap };
    let body = read_body(&mut response, cap, read_idle, end_of_request + whole_answer).await;
    Ok(Answer { status, headers, body })
}

async fn read_body(
    response: &mut reqwest::Response,
    cap: usize,
    idle: Duration,
    end: Instant,
) -> Result<Vec<u8>, TransportError> {
    let mut body = Vec::new();
    loop {
        let pause_ends = Instant::now() + idle;
        match timeout_at(pause_ends.min(end), response.chunk()).await {
            Ok(Ok(Some(chunk))) if body.len() + chunk.len() > cap => return Err(TransportError::TooLong),
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
            Ok(Ok(None)) => return Ok(body),
            Ok(Err(error)) => return Err(TransportError::Lost(error.without_url())),
            Err(_) if pause_ends < end => return Err(TransportError::TimedOut),
            Err(_) => return Err(TransportError::TooLong),
        }
    }
}

/// Tells a request that was never sent from one that may have been.
///
/// The library reports a connect error only from its connector, which ends before the first byte of a
/// request is written: name, TCP, proxy tunnel and TLS handshake.
fn unanswered(error: reqwest::Error) -> TransportError {
    let source = error.without_url();
    let stage = if source.is_builder() {
        NotSent::NotPrepared
    } else if !source.is_connect() {
        return if source.is_timeout() { TransportError::TimedOut } else { TransportError::Lost(source) };
    } else if source.is_dns() {
        NotSent::Dns
    } else if chain(&source).any(is_of_tls) {
        NotSent::Tls
    } else {
        NotSent::Connect
    };
    TransportError::NotSent { stage, source }
}

fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| {
        let error = *error;
        // An IO error names the source of its inner error, but not the inner error itself.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}

/// A connection that could be opened and then broke within the connector broke in the handshake.
fn is_of_tls(error: &(dyn Error + 'static)) -> bool {
    let broke = error.downcast_ref::<io::Error>().is_some_and(|error| {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, UnexpectedEof};
        matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | InvalidData | UnexpectedEof)
    });
    broke || error.is::<rustls::Error>()
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
