//! The rules of Ichido: what an unknown outcome means and what may follow it.
//!
//! This crate is pure. It reads no clock, opens no file, speaks to no network and draws no random
//! number; times and identifiers are parameters. Two total functions carry the rules, and live runs
//! and recovery both use them: [`decide::decide`] and [`apply::apply`].

pub mod act;
pub mod apply;
pub mod arrival;
pub mod content;
pub mod decide;
pub mod digest;
pub mod evidence;
pub mod id;
pub mod operation;
pub mod outcome;
pub mod permit;
pub mod slug;
pub mod tally;
pub mod time;
pub mod window;
