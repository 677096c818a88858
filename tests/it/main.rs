//! The integration tests.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what a test needs and does not get ends the test"
)]

mod contract;
mod crashes;
mod decision_table;
mod faults;
mod floors;
mod process;
mod proxy;
mod scenes;
mod wordpress_client;
