//! The thread on which the engine runs.
//!
//! What the engine does is not made to change threads, so that it has one of its own; everything asked
//! of it meanwhile goes on beside it.

use std::future::Future;
use std::io;

use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{LocalSet, spawn_local};

type Job = Box<dyn FnOnce() + Send>;

/// A way to the thread.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    jobs: mpsc::UnboundedSender<Job>,
}

impl Work {
    /// Starts the thread. It ends with the last handle to it.
    pub(crate) fn start() -> io::Result<Self> {
        let (jobs, mut asked) = mpsc::unbounded_channel::<Job>();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
            LocalSet::new().block_on(&runtime, async {
                while let Some(job) = asked.recv().await {
                    job();
                }
            });
        })?;
        Ok(Self { jobs })
    }

    /// Begins something, and does not wait for it.
    pub(crate) fn begin<F, Fut>(&self, make: F)
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = ()> + 'static,
    {
        let begun = self.jobs.send(Box::new(move || drop(spawn_local(make()))));
        if begun.is_err() {
            tracing::error!("the engine's thread is gone");
        }
    }

    /// Does something, and waits for what comes of it; `None` if the thread is gone.
    pub(crate) async fn wait<T, F, Fut>(&self, make: F) -> Option<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = T> + 'static,
    {
        let (tell, told) = oneshot::channel();
        self.begin(move || {
            let made = make();
            async move {
                // Whoever asked may have given up.
                drop(tell.send(made.await));
            }
        });
        told.await.ok()
    }
}
