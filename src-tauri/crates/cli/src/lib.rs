//! The command line: the same engine as the window, without a window.
//!
//! The contract for people, scripts and agents is the command line itself: its options, the JSON Lines
//! of `--json`, and the exit statuses. Sentences for people stand in `messages` alone.

mod args;
mod failure;
mod faults;
mod find;
mod help;
mod json;
mod language;
mod listener;
mod out;
mod page;
mod report;
mod secrets;
mod tasks;
mod terminal;
mod text;
mod time;
mod told;
mod wording;

use std::ffi::OsString;
use std::process::ExitCode;

use ichido_engine::Engine;
use serde_json::json;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::failure::{Failure, USAGE};
use crate::help::Unread;
use crate::language::Language;
use crate::out::Out;
use crate::text::Texts;

/// Runs the command that the program was started with, and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    run_with(&ichido_wordpress::Options::default())
}

/// Runs it with other bounds of waiting for sites.
#[must_use]
pub fn run_with(http: &ichido_wordpress::Options) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let texts = Texts::of(Language::choose(&args));
    let json = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let out = Out::new(texts, json);
    let cli = match help::read(&args, texts) {
        Ok(cli) => cli,
        Err(Unread::HelpShown) => return ExitCode::SUCCESS,
        Err(Unread::NothingAsked) => return ExitCode::from(USAGE),
        Err(Unread::NotUnderstood(failure)) => return ExitCode::from(tell(&out, &failure)),
    };
    start_log();
    let status = perform(cli, &out, http).unwrap_or_else(|failure| tell(&out, &failure));
    out.clear_progress();
    ExitCode::from(status)
}

/// Returns the whole command with its texts, in Japanese or in English: what manual pages and completions are made of.
#[must_use]
pub fn described(in_japanese: bool) -> clap::Command {
    help::command(Texts::of(if in_japanese { Language::Japanese } else { Language::English }))
}

fn perform(cli: args::Cli, out: &Out, http: &ichido_wordpress::Options) -> Result<u8, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Failure::Start)?;
    if let args::Task::Practice(practice) = &cli.task {
        return runtime.block_on(tasks::practice::run(out, practice));
    }
    let engine =
        Engine::new(ichido_engine::choose_places(cli.data_dir)?, "ichido", env!("CARGO_PKG_VERSION"))
            .with_http(http.clone());
    runtime.block_on(tasks::run(out, &engine, cli.task))
}

/// Tells a failure, and returns its exit status.
fn tell(out: &Out, failure: &Failure) -> u8 {
    let told = failure.told();
    let particulars: Vec<(&str, &str)> = told
        .particulars
        .iter()
        .map(|(name, value)| match *name {
            // Codes of states are told as words.
            "state" | "barrier" => (*name, out.texts.find(&format!("reason.{value}")).unwrap_or(value)),
            _ => (*name, value.as_str()),
        })
        .collect();
    let message = if let Failure::Usage { sentence, .. } = failure {
        sentence.clone()
    } else {
        out.texts.say(&format!("error.{}", told.code), &particulars)
    };
    out.object(&json!({ "event": "error", "code": told.code, "message": message }));
    out.aside(&message);
    told.status
}

/// Logs to stderr what the program itself says, if `ICHIDO_LOG` asks for it. Libraries are left out:
/// what they log of requests is not ours to vouch for.
fn start_log() {
    let Some(filter) = std::env::var("ICHIDO_LOG").ok().filter(|filter| !filter.is_empty()) else { return };
    let ours = tracing_subscriber::filter::filter_fn(|metadata| metadata.target().starts_with("ichido"));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let started = tracing_subscriber::registry()
        .with(tracing_subscriber::EnvFilter::new(filter))
        .with(ours)
        .with(lines)
        .try_init();
    // Whoever embeds the program may log in their own way already.
    drop(started);
}
