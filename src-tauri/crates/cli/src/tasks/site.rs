//! `site`: adding, listing, removing and checking sites.

use ichido_engine::{Checkup, Engine};
use ichido_journal::{Added, Site};
use serde_json::{Value, json};

use crate::args::SiteTask;
use crate::failure::{Failure, REFUSED};
use crate::find;
use crate::out::{Out, column};
use crate::secrets::{self, Given};
use crate::text::clean;

pub(crate) async fn run(out: &Out, engine: &Engine, task: SiteTask) -> Result<u8, Failure> {
    match task {
        SiteTask::Add { name, url, user } => add(out, engine, &name, &url, &user).await,
        SiteTask::List => list(out, engine),
        SiteTask::Remove { name } => remove(out, engine, &name).await,
        SiteTask::Check { name } => check(out, engine, &name).await,
    }
}

async fn add(out: &Out, engine: &Engine, name: &str, url: &str, user: &str) -> Result<u8, Failure> {
    let (password, given) = secrets::ask(out.texts)?;
    let credentials = secrets::credentials(user, &password)?;
    let (site, added, checkup) = engine.add_site(name, url, credentials).await?;
    let key = match added {
        Added::New => "site.added",
        Added::TakenUp => "site.taken_up",
        Added::Updated => "site.updated",
    };
    out.say(key, &[("name", &site.name), ("home", &site.home)]);
    let mut object = json!({ "event": "site_added", "added": key.trim_start_matches("site.") });
    merge(&mut object, &site_object(&site));
    merge(&mut object, &checkup_object(&checkup));
    let status = findings(out, &checkup);
    let stored = match given {
        Given::ByEnvironment => Ok(false),
        Given::ByPerson => secrets::store(&site, &password).map(|()| true),
    };
    object["password_stored"] = json!(matches!(stored, Ok(true)));
    out.object(&object);
    match stored {
        Ok(true) => out.say("site.password_stored", &[]),
        Ok(false) => out.say("site.password_from_environment", &[]),
        Err(error) => {
            out.say("site.password_not_stored", &[]);
            return Err(error);
        }
    }
    Ok(status)
}

fn list(out: &Out, engine: &Engine) -> Result<u8, Failure> {
    let sites = engine.sites()?;
    for site in &sites {
        let mut object = json!({ "event": "site" });
        merge(&mut object, &site_object(site));
        out.object(&object);
        out.line(&format!("{} {}  {}", column(&clean(&site.name), 16), clean(&site.home), clean(&site.user)));
    }
    if sites.is_empty() {
        out.say("site.none", &[]);
    }
    Ok(0)
}

async fn remove(out: &Out, engine: &Engine, name: &str) -> Result<u8, Failure> {
    let site = engine.remove_site(name).await?;
    let forgotten = secrets::forget(&site);
    out.object(&json!({ "event": "site_removed", "name": site.name, "password_removed": forgotten.is_ok() }));
    out.say("site.removed", &[("name", &site.name)]);
    if forgotten.is_err() {
        out.say("site.password_kept", &[]);
    }
    Ok(0)
}

async fn check(out: &Out, engine: &Engine, name: &str) -> Result<u8, Failure> {
    let site = find::site(&engine.journal()?, Some(name))?;
    let checkup = engine.check_site(name, secrets::of(&site)?).await?;
    let mut object = json!({ "event": "site_checked" });
    merge(&mut object, &site_object(&site));
    merge(&mut object, &checkup_object(&checkup));
    out.object(&object);
    Ok(findings(out, &checkup))
}

/// Tells what works and what does not, with the cure.
fn findings(out: &Out, checkup: &Checkup) -> u8 {
    let (discovered, identity) = (&checkup.discovered, &checkup.identity);
    out.say(
        "site.found",
        &[("title", &discovered.name), ("home", &discovered.home), ("root", &discovered.rest_root)],
    );
    let roles = identity.roles.join(", ");
    out.say("site.user", &[("login", &identity.login), ("name", &identity.name), ("roles", &roles)]);
    let can = &identity.can;
    let lines = [
        (can.edit_posts(), "site.can_draft", "site.cannot_draft"),
        (can.upload_files(), "site.can_upload", "site.cannot_upload"),
        (can.manage_categories(), "site.can_terms", "site.cannot_terms"),
    ];
    for (holds, yes, no) in lines {
        out.line(&format!(
            "{} {}",
            if holds { '+' } else { '!' },
            out.texts.get(if holds { yes } else { no })
        ));
    }
    if checkup.is_sufficient() { 0 } else { REFUSED }
}

fn site_object(site: &Site) -> Value {
    json!({ "name": site.name, "home": site.home, "rest_root": site.rest_root, "user": site.user })
}

fn checkup_object(checkup: &Checkup) -> Value {
    let can = &checkup.identity.can;
    json!({
        "title": checkup.discovered.name,
        "login": checkup.identity.login,
        "roles": checkup.identity.roles,
        "can": {
            "write_drafts": can.edit_posts(),
            "upload_images": can.upload_files(),
            "make_terms": can.manage_categories(),
            "publish": can.publish_posts(),
        },
        "sufficient": checkup.is_sufficient(),
    })
}

fn merge(object: &mut Value, more: &Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
}
