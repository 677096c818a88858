//! The whole program, simulated from a seed: the real engine with its journal on a disk and the practice site on
//! loopback, in one thread and at a time of their own, while everything goes wrong that the site, the computer and the
//! people can do wrong. The same seed gives the same trace.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what a simulation needs and does not get ends it"
)]

mod articles;
mod blog;
mod clock;
mod coverage;
mod dice;
mod draw;
mod ledger;
mod life;
mod person;
mod play;
mod sabotage;
mod schedule;
mod shrink;
mod trace;
mod verdict;
mod world;

pub use coverage::Coverage;
pub use life::KillAt;
pub use play::{Outcome, play};
pub use sabotage::Sabotage;
pub use schedule::{Edit, Hand, JournalTrouble, Manners, ROUNDS, Schedule, Trouble, What};
pub use shrink::shrink;
pub use verdict::{Property, Violation};
