//! Starting, accepting and stopping.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::handle::Handle;
use crate::options::{Account, Options};
use crate::router::{Shared, router};
use crate::wire::Cut;

/// The most connections that are served at once; more are closed at the door.
const MOST_CONNECTIONS: usize = 256;

/// How long a client may take over the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// Why a practice site could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port on 127.0.0.1 could not be taken.
    #[error("listen on port {port} of this computer")]
    Listen {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// A running practice site. Dropping it stops it and forgets all that it holds.
#[derive(Debug)]
pub struct PracticeSite {
    url: String,
    handle: Handle,
    accounts: Vec<Account>,
    task: JoinHandle<()>,
    door: watch::Sender<bool>,
}

impl PracticeSite {
    /// Starts a site on 127.0.0.1.
    ///
    /// # Errors
    /// [`StartError::Listen`] if the port is taken.
    pub async fn start(options: Options) -> Result<PracticeSite, StartError> {
        let failed = |source| StartError::Listen { port: options.port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let url = format!("http://127.0.0.1:{port}");
        let shared = Arc::new(Shared::new(&options, url.clone(), port));
        let (door, shut) = watch::channel(false);
        let task = tokio::spawn(accept(listener, shut, router(Arc::clone(&shared))));
        Ok(PracticeSite { url, handle: Handle::new(shared), accounts: options.accounts, task, door })
    }

    /// The address, without a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The accounts that the site was started with, passwords included.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// A handle to look behind the scenes and to act as a person on the site.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Refuses new connections from now on; those that are open are served as before.
    pub fn shut_the_door(&self) {
        self.door.send_replace(true);
    }

    /// Stops the site and waits until its port is free.
    pub async fn stop(mut self) {
        self.task.abort();
        // A task that was aborted says so; there is nothing else to learn from it.
        drop((&mut self.task).await);
    }
}

impl Drop for PracticeSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves connections until the task is aborted, which ends them all.
async fn accept(listener: TcpListener, mut shut: watch::Receiver<bool>, router: Router) {
    let mut connections = JoinSet::new();
    let mut door = Some(listener);
    loop {
        tokio::select! {
            () = shuts(&mut shut), if door.is_some() => door = None,
            accepted = next(door.as_ref()) => match accepted {
                Ok((stream, _)) if connections.len() < MOST_CONNECTIONS => {
                    connections.spawn(serve(stream, router.clone()));
                }
                Ok(_) => {}
                // Out of descriptors, most likely: let others end before the next try.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn shuts(shut: &mut watch::Receiver<bool>) {
    // The sender goes only with the site.
    drop(shut.wait_for(|shut| *shut).await);
}

async fn next(door: Option<&TcpListener>) -> std::io::Result<(TcpStream, SocketAddr)> {
    match door {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// The reason for which a connection ends without an answer.
#[derive(Debug, thiserror::Error)]
#[error("answer")]
struct Unanswered;

async fn serve(stream: TcpStream, router: Router) {
    // Without it small answers may wait for the client's acknowledgement; the site works all the same.
    drop(stream.set_nodelay(true));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let inner = TowerToHyperService::new(router.clone());
        async move {
            let response: Response<Body> = match inner.call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            // An error here makes hyper close the connection with nothing written.
            if response.extensions().get::<Cut>().is_some() { Err(Unanswered) } else { Ok(response) }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), service);
    // Clients that leave early and connections that are cut on purpose both end here.
    drop(connection.await);
}
