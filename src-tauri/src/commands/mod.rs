//! What the window can ask of the program. Each command reads what it was given, asks the engine or a journal once,
//! and answers in the types of [`crate::view`].

mod attention;
mod batch;
mod connect;
mod history;
mod list;
mod sites;
mod start;
mod watch;

pub(crate) use attention::*;
pub(crate) use batch::*;
pub(crate) use connect::*;
pub(crate) use history::*;
pub(crate) use list::*;
pub(crate) use sites::*;
pub(crate) use start::*;
pub(crate) use watch::*;

use std::sync::Arc;

use crate::state::App;

/// The program, as commands are handed it.
pub(crate) type Shared<'a> = tauri::State<'a, Arc<App>>;
