//! Request bodies that tell how far they were written.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::sync::watch;

/// The most that is handed to the connection at once, so that a slow line shows progress.
const CHUNK: usize = 64 * 1024;

/// How far a request was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Not begun.
    Waiting,
    /// So many bytes were handed to the connection.
    Writing(u64),
    /// All of it was handed to the connection.
    Written,
}

/// A body of known length that reports its progress.
pub(crate) struct Metered {
    parts: VecDeque<Bytes>,
    remaining: u64,
    written: u64,
    progress: watch::Sender<Progress>,
}

impl Metered {
    pub(crate) fn new(parts: Vec<Bytes>, progress: watch::Sender<Progress>) -> Self {
        let parts: VecDeque<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let remaining = parts.iter().map(|part| part.len() as u64).sum();
        Self { parts, remaining, written: 0, progress }
    }
}

impl Body for Metered {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(front) = self.parts.front_mut() else { return Poll::Ready(None) };
        let chunk = front.split_to(front.len().min(CHUNK));
        if front.is_empty() {
            self.parts.pop_front();
        }
        self.remaining -= chunk.len() as u64;
        self.written += chunk.len() as u64;
        let now = if self.remaining == 0 { Progress::Written } else { Progress::Writing(self.written) };
        self.progress.send_replace(now);
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.remaining == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining)
    }
}
