//! A practice WordPress: a small stateful site on loopback that behaves like the real one as far as drafts, media and
//! terms go, with faults that can be switched on.
//!
//! People try the app on it without a WordPress of their own, and tests use it as a double. It must pass the same
//! contract tests as real WordPress. Everything is kept in memory and gone when the site stops.

mod answer;
mod asked;
mod blocks;
mod callers;
mod faults;
mod fields;
mod handle;
mod index;
mod kses;
mod list;
mod log;
mod media;
mod messages;
mod options;
mod pages;
mod posts;
mod route;
mod router;
mod rows;
mod server;
mod site;
mod slugs;
mod terms;
mod users;
mod wire;

#[cfg(test)]
mod tests;

pub use faults::{Fault, When, Which};
pub use handle::{Faults, Handle};
pub use log::{Effect, Request};
pub use options::{Account, Clock, Language, Options, Permalinks, Release, Role};
pub use route::Kind;
pub use rows::{Hiding, Media, Post, Status, Taxonomy, Term, User};
pub use server::{PracticeSite, StartError};
