//! The journal: what was intended, what may have left, what is proved.
//!
//! A [`Journal`] only reads. Everything that changes it goes through a [`Runner`], which exists while
//! the runner lock is held; a [`SendPermit`](ichido_core::permit::SendPermit) comes from
//! [`Runner::begin_send`] alone, after the `sending` row is durable. SQL stands in this crate only.
//!
//! All calls block for as long as the disk takes; asynchronous callers wrap them. Both types can be
//! shared between threads.

mod barrier;
mod connection;
mod error;
mod health;
mod history;
mod journal;
mod key;
mod lock;
mod look;
mod open;
mod owner;
mod places;
mod plan;
mod record;
mod row;
mod run;
mod runner;
mod schema;
mod send;
mod sidecar;
mod site;
mod site_list;
mod transition;

pub use barrier::BarrierEntry;
pub use error::{BeginSendError, LockError, Misuse, OpenError, ReadError, SiteError, WriteError};
pub use health::{Health, LostCause};
pub use journal::Journal;
pub use key::Key;
pub use lock::{SiteLock, WatchLock};
pub use owner::Owner;
pub use places::Places;
pub use record::{
    By, Change, Count, Filter, HistoryEntry, HistoryFilter, ImageUse, Look, NewOperation, Note, Operation,
    Page, PostImage, Recordable, SendFacts, Successor,
};
pub use run::UncleanStop;
pub use runner::Runner;
pub use site::{Added, IdSpace, NewSite, Site, SiteId};

#[cfg(test)]
mod tests;
