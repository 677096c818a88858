//! The integration tests.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what a test needs and does not get ends the test"
)]

mod acts;
mod bad_input;
mod batch;
mod batch_images;
mod canary;
mod cli;
mod connect;
mod contract;
mod crashes;
mod decision_table;
mod desktop;
mod disk;
mod double_start;
mod dry_run;
mod editor;
mod faults;
mod fidelity;
mod fields;
mod floors;
mod halts;
mod hostile;
mod life;
mod life_by_hand;
mod linking;
mod process;
mod proxy;
mod scenes;
mod sight;
mod terms;
mod two_runners;
mod watch;
mod wordpress_client;
