//! Durations and bounds, all of them settable so that tests need no patience.

use std::time::Duration;

/// How long each part of an exchange may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Name, TCP and TLS together.
    pub connect: Duration,
    /// The longest pause while the request's body is written.
    pub write_idle: Duration,
    /// From the end of the request's body to the head of the answer.
    pub first_byte: Duration,
    /// The longest pause while the answer is read.
    pub read_idle: Duration,
    /// From the end of the request's body to the end of the answer.
    pub whole_answer: Duration,
}

/// How the client behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bounds of creating requests. A short one only makes more unknown outcomes.
    pub creating: Timeouts,
    /// Bounds of reading requests.
    pub reading: Timeouts,
    /// Waits before a reading request is repeated; as many repetitions as there are waits. Creating
    /// requests are never repeated.
    pub back_off: Vec<Duration>,
    /// Whether each of these waits is lengthened by up to a quarter at random.
    pub jitter: bool,
    /// The most bytes of one answer that is read as JSON.
    pub answer_cap: usize,
    /// The most bytes of an error's body.
    pub error_cap: usize,
    /// The most bytes of an address; longer bundles are split.
    pub url_cap: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            creating: Timeouts {
                connect: Duration::from_secs(10),
                write_idle: Duration::from_secs(60),
                first_byte: Duration::from_secs(180),
                read_idle: Duration::from_secs(30),
                whole_answer: Duration::from_secs(300),
            },
            reading: Timeouts {
                connect: Duration::from_secs(10),
                write_idle: Duration::from_secs(10),
                first_byte: Duration::from_secs(60),
                read_idle: Duration::from_secs(30),
                whole_answer: Duration::from_secs(120),
            },
            back_off: [1, 2, 4, 8, 16].map(Duration::from_secs).to_vec(),
            jitter: true,
            answer_cap: 8 * 1024 * 1024,
            error_cap: 64 * 1024,
            url_cap: 7_500,
        }
    }
}
