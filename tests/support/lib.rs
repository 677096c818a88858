//! What the tests share: sites to run on, practice and real, and a proxy that loses answers.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "what a test needs and does not get ends the test"
)]

mod desk;
mod proxy;
mod real;
mod rest;
mod site;
mod trees;

pub use desk::{Desk, SITE, TestClock, ending, png};
pub use proxy::{FaultProxy, Seen};
pub use real::RealWordPress;
pub use rest::{Reply, Rest, http};
pub use site::{Credentials, Place, Site, StoredMedia, StoredPost, Who, fields};
pub use trees::{Tree, Version};
