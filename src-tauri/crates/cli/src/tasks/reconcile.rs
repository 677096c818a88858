//! `reconcile`: look-ups only.

use ichido_core::tally::exit_status;
use ichido_engine::{DEFAULT_WAIT, Engine, Report};
use ichido_journal::Site;

use crate::failure::Failure;
use crate::find;
use crate::json;
use crate::listener::Listener;
use crate::out::Out;
use crate::report;
use crate::secrets;

pub(crate) async fn run(out: &Out, engine: &Engine, name: Option<&str>) -> Result<u8, Failure> {
    let sites: Vec<Site> = match name {
        Some(name) => vec![find::site(&engine.journal()?, Some(name))?],
        None => engine.sites()?,
    };
    if sites.is_empty() {
        return Err(Failure::NoSites);
    }
    let mut all = Report::default();
    for site in &sites {
        let listener = Listener::new(out);
        out.say("reconcile.started", &[("site", &site.name)]);
        let report = engine.reconcile(&site.name, secrets::of(site)?, DEFAULT_WAIT, &listener).await?;
        if !out.is_json() {
            report::tell(out, &report, &site.name, &listener, &engine.journal()?)?;
        }
        gather(&mut all, report);
    }
    out.object(&json::summary_of(&all));
    Ok(exit_status(&all.tally, all.barrier, all.pause))
}

fn gather(all: &mut Report, report: Report) {
    report::add(&mut all.tally, &report.tally);
    all.articles.extend(report.articles);
    all.barrier = all.barrier.or(report.barrier);
    all.pause = all.pause.or(report.pause);
}
