//! A proxy in front of a real WordPress that loses, delays and spoils answers, and counts what passes.
//!
//! Bytes pass as they are; only what a fault names is changed.

mod kind;
mod queue;
mod spoil;
mod wire;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use ichido_practice::{Fault, Kind, When};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use queue::Queue;
use wire::{Answer, Request};

/// A request that came to the proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The HTTP method.
    pub method: String,
    /// Path and query as they were sent.
    pub target: String,
    /// What it wanted.
    pub kind: Kind,
    /// The operation id in `Idempotency-Key`, without its quotes.
    pub operation: Option<String>,
    /// Whether it was handed on to WordPress.
    pub forwarded: bool,
    /// The status that WordPress answered with, whatever the client was told.
    pub answered: Option<u16>,
    /// The id of the row that it made, where WordPress told it.
    pub created: Option<u64>,
}

#[derive(Default)]
struct State {
    queue: Queue,
    seen: Vec<Seen>,
}

impl State {
    fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
        state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The proxy. It ends when it is dropped; requests that it holds back are then never sent.
pub struct FaultProxy {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    listening: JoinHandle<()>,
}

impl FaultProxy {
    /// Starts a proxy on a free loopback port.
    pub async fn start(site: SocketAddr) -> FaultProxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a loopback port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let listening = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                connections.spawn(serve(client, site, Arc::clone(&shared)));
                while connections.try_join_next().is_some() {}
            }
        });
        FaultProxy { address, state, listening }
    }

    /// The address under which the site is seen.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Host and port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Asks for a fault; each meets one request, in the order asked for.
    pub fn inject(&self, when: When, fault: Fault) {
        State::lock(&self.state).queue.push(when, fault);
    }

    /// The number of faults that have not met their request yet.
    pub fn waiting(&self) -> usize {
        State::lock(&self.state).queue.waiting()
    }

    /// Everything that came, in its order.
    pub fn seen(&self) -> Vec<Seen> {
        State::lock(&self.state).seen.clone()
    }

    /// How often each operation's creating request was on the wire.
    pub fn creating(&self) -> BTreeMap<String, u32> {
        let mut counts = BTreeMap::new();
        for seen in self.seen().iter().filter(|seen| seen.kind.creates()) {
            // One without a key must be seen too: it is counted by its address.
            let key = seen.operation.clone().unwrap_or_else(|| format!("without a key: {}", seen.target));
            *counts.entry(key).or_default() += 1;
        }
        counts
    }

    /// How many requests of a kind came.
    pub fn count(&self, kind: Kind) -> usize {
        self.seen().iter().filter(|seen| seen.kind == kind).count()
    }

    /// Forgets what came.
    pub fn forget(&self) {
        State::lock(&self.state).seen.clear();
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Serves one request and closes, as the web server behind it does.
async fn serve(mut client: TcpStream, site: SocketAddr, state: Arc<Mutex<State>>) {
    let Ok(Some(mut request)) = Request::read_head(&mut client).await else { return };
    let kind = kind::kind_of(&request.method, &request.target);
    let operation = request.header("idempotency-key").map(|key| key.trim_matches('"').to_owned());
    let (met, number) = {
        let mut state = State::lock(&state);
        // Counted at its head: whatever becomes of it, it was on the wire.
        state.seen.push(Seen {
            method: request.method.clone(),
            target: request.target.clone(),
            kind,
            operation,
            forwarded: false,
            answered: None,
            created: None,
        });
        (state.queue.meet(kind), state.seen.len() - 1)
    };
    if !matches!(request.read_body(&mut client).await, Ok(true)) {
        return;
    }
    let pass = Pass { site, state, number, kind, hide: met.hide, request };
    // A client that has gone away is no error here.
    drop(spoil::answer(&mut client, &pass, met.fault).await);
    drop(client.shutdown().await);
}

/// A request on its way to the site.
struct Pass {
    site: SocketAddr,
    state: Arc<Mutex<State>>,
    number: usize,
    kind: Kind,
    hide: Option<u32>,
    request: Request,
}

impl Pass {
    /// Hands the request on and reads the whole answer, even if nobody wants it any more.
    async fn forward(&self) -> std::io::Result<Answer> {
        self.forward_bytes(&self.request.bytes).await
    }

    async fn forward_bytes(&self, bytes: &[u8]) -> std::io::Result<Answer> {
        self.note(|seen| seen.forwarded = true);
        let mut site = TcpStream::connect(self.site).await?;
        site.write_all(bytes).await?;
        let mut read = Vec::new();
        site.read_to_end(&mut read).await?;
        let mut answer =
            Answer::parse(&read).ok_or_else(|| std::io::Error::other("the site's answer is no HTTP"))?;
        let created = answer.created().filter(|_| self.kind.creates() && answer.status != 400);
        self.note(|seen| {
            seen.answered = Some(answer.status);
            seen.created = created;
        });
        let mut state = State::lock(&self.state);
        if let (Some(times), Some(id)) = (self.hide, created) {
            state.queue.hide(id, times);
        }
        if self.kind == Kind::LookUp && kind::is_list(&self.request.target) {
            state.queue.censor(&mut answer);
        }
        Ok(answer)
    }

    /// Sends the request on later, when the client has long gone.
    fn forward_later(&self, after: std::time::Duration) {
        let later = Pass { state: Arc::clone(&self.state), request: self.request.clone(), ..*self };
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            drop(later.forward().await);
        });
    }

    fn note(&self, write: impl FnOnce(&mut Seen)) {
        if let Some(seen) = State::lock(&self.state).seen.get_mut(self.number) {
            write(seen);
        }
    }
}
