//! `practice`: the practice site as a server of its own.

use std::io::Write as _;
use std::path::Path;

use ichido_practice::{Options, PracticeSite};
use serde_json::{Value, json};

use crate::args::Practice;
use crate::failure::Failure;
use crate::language::Language;
use crate::out::Out;
use crate::tasks::register::signalled;

pub(crate) async fn run(out: &Out, practice: &Practice) -> Result<u8, Failure> {
    let language = match out.texts.language() {
        Language::Japanese => ichido_practice::Language::Japanese,
        Language::English => ichido_practice::Language::English,
    };
    let site = PracticeSite::start(Options { port: practice.port, language, ..Options::default() }).await?;
    for arming in &practice.fault {
        site.handle().faults().push(arming.when, arming.fault.clone());
    }
    let Some(account) = site.accounts().first() else { return Ok(0) };
    // The account exists on this site alone, in memory, until the site stops: it is there to be shown.
    let (user, password) = (account.login.as_str(), account.password.as_str());
    let ready = json!({
        "event": "ready",
        "url": site.url(),
        "user": user,
        "password": password,
        "control": format!("{}/", site.url()),
    });
    if let Some(path) = &practice.ready_file {
        write_at_once(path, &ready).map_err(|source| Failure::Write { path: path.clone(), source })?;
    }
    out.object(&ready);
    out.say("practice.ready", &[("url", site.url()), ("user", user), ("password", password)]);
    if !practice.fault.is_empty() {
        out.say("practice.faults", &[("count", &practice.fault.len().to_string())]);
    }
    signalled().await;
    site.stop().await;
    Ok(0)
}

/// Whoever waits for the file sees it whole or not at all.
fn write_at_once(path: &Path, ready: &Value) -> std::io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    writeln!(file, "{ready}")?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&unfinished, path)
}
