//! The protocol as a state machine that is walked through completely.
//!
//! The rules are `ichido-core`'s own: `decide`, `apply`, the acts and the settle window are called, not
//! copied. What is made here is the world around them: a site, a journal with rows that are synced and rows
//! that are not, a program that can die anywhere, requests that get lost or come late, and people.

pub mod check;
mod looking;
pub mod machine;
mod person;
pub mod possible;
pub mod rest;
pub mod setting;
pub mod sight;
pub mod step;
pub mod world;
pub mod worlds;
