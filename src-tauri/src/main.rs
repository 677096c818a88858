//! The desktop application: a window before the engine. It decides nothing.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod batch;
mod cards;
mod checks;
mod closing;
mod commands;
mod desk;
mod error;
mod links;
mod list;
mod looking;
mod notify;
mod passwords;
mod practice;
mod refresh;
mod scan;
mod settings;
mod setup;
mod start;
mod state;
mod taskbar;
mod tray;
mod view;
mod watching;
mod words;
mod work;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> Result<(), tauri::Error> {
    start_log();
    tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(setup::started_again))
        .plugin(tauri_plugin_dialog::init())
        .plugin(setup::autostart())
        .plugin(setup::window_state())
        .invoke_handler(tauri::generate_handler![
            commands::act,
            commands::add_site,
            commands::article,
            commands::articles,
            commands::begin_connect,
            commands::cancel_connect,
            commands::finish_connect,
            commands::attention,
            commands::bootstrap,
            commands::check_link,
            commands::check_site,
            commands::choose_folder,
            commands::diagnosis,
            commands::dry_run,
            commands::export_history,
            commands::finish_first_start,
            commands::history,
            commands::open_link,
            commands::open_paths,
            commands::pause,
            commands::pause_watch,
            commands::preview,
            commands::register,
            commands::release,
            commands::remove_folder,
            commands::remove_site,
            commands::renew_password,
            commands::rescan,
            commands::resume,
            commands::resume_watch,
            commands::save_settings,
            commands::set_aside,
            commands::set_automatic,
            commands::set_switch,
            commands::start_practice,
            commands::take_over,
            commands::use_site,
        ])
        .on_window_event(setup::happened)
        .setup(|app| setup::begin(app.handle()))
        .build(tauri::generate_context!())?
        .run(setup::goes_on);
    Ok(())
}

/// Logs to stderr what the program itself says, if `ICHIDO_LOG` asks for it. Libraries are left out: what they log of
/// requests is not ours to vouch for.
fn start_log() {
    let Some(filter) = std::env::var("ICHIDO_LOG").ok().filter(|filter| !filter.is_empty()) else { return };
    let ours = tracing_subscriber::filter::filter_fn(|metadata| metadata.target().starts_with("ichido"));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let started = tracing_subscriber::registry()
        .with(tracing_subscriber::EnvFilter::new(filter))
        .with(ours)
        .with(lines)
        .try_init();
    drop(started);
}
