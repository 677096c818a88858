//! The commands, one file each.

mod check;
mod explain;
mod export;
mod history;
pub(crate) mod practice;
mod reconcile;
mod register;
mod release;
mod resolve;
mod set;
mod site;
mod status;
mod watch;

use ichido_engine::Engine;

use crate::args::Task;
use crate::failure::Failure;
use crate::out::Out;

/// Runs a command, and returns its exit status.
pub(crate) async fn run(out: &Out, engine: &Engine, task: Task) -> Result<u8, Failure> {
    match task {
        Task::Site { task } => site::run(out, engine, task).await,
        Task::Check(check) => check::run(out, engine, &check),
        Task::Register(register) => register::run(out, engine, register).await,
        Task::Status { paths } => status::run(out, engine, &paths),
        Task::Reconcile { site } => reconcile::run(out, engine, site.as_deref()).await,
        Task::Resolve(resolve) => resolve::run(out, engine, resolve).await,
        Task::Release => release::run(out, engine).await,
        Task::Explain { about } => explain::run(out, engine, about.as_deref()),
        Task::Set(set) => set::run(out, engine, &set).await,
        Task::History { article } => history::run(out, engine, article.as_deref()),
        Task::Export { csv } => export::run(out, engine, csv),
        Task::Watch(watch) => watch::run(out, engine, watch).await,
        Task::Practice(practice) => practice::run(out, &practice).await,
    }
}
