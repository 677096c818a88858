//! Opening links: addresses of the site that they belong to, and folders of articles. Nothing else, and never from
//! the page itself.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use ichido_core::id::{OpId, RemoteId};
use ichido_credentials::PASSWORD_VARIABLE;
use ichido_journal::Site;
use ichido_wordpress::links;
use url::{Host, Url};

use crate::desk::{Place, SiteKey};
use crate::state::App;
use crate::view::{AppError, LinkKind, LinkTarget};

/// Names a program that is called with the address instead of the system's own.
const OPENER_VARIABLE: &str = "ICHIDO_OPENER";

/// Opens what a link leads to.
pub(crate) fn open(app: &App, target: &LinkTarget) -> Result<(), AppError> {
    match target.kind {
        LinkKind::Folder => open_folder(app, target),
        LinkKind::Edit | LinkKind::Drafts | LinkKind::Media => {
            let op_id = op_of(app, target)?;
            let place = app.place_of(op_id)?;
            let journal = place.desk.journal();
            let operation = journal.operation(op_id)?.ok_or_else(refused)?;
            let pages = ichido_engine::links(journal, &operation)?.ok_or_else(refused)?;
            let edit = match target.remote_id {
                Some(id) => links::edit(&site_url(&place)?, RemoteId(id)),
                None => pages.edit,
            };
            let page = match target.kind {
                LinkKind::Drafts => Some(pages.drafts),
                LinkKind::Media => Some(pages.media),
                LinkKind::Edit | LinkKind::Folder | LinkKind::Profile | LinkKind::Releases => edit,
            };
            open_page(&place, &page.ok_or_else(refused)?)
        }
        LinkKind::Profile => {
            let place = app.place_named(target.site_id.as_deref().unwrap_or_default())?;
            let page = format!("{}/wp-admin/profile.php", site_url(&place)?.trim_end_matches('/'));
            open_page(&place, &page)
        }
        LinkKind::Releases => Err(refused()),
    }
}

/// Opens the page of a site that is being connected: encrypted, or of this computer.
pub(crate) fn open_address(page: &str) -> Result<(), AppError> {
    let url = Url::parse(page).map_err(|_| refused())?;
    if !is_of(&url, std::slice::from_ref(&url)) {
        return Err(refused());
    }
    start(OsStr::new(url.as_str()))
}

/// Opens the list of drafts on a site, else on the site in use.
pub(crate) fn drafts(app: &App, key: Option<SiteKey>) -> Result<(), AppError> {
    let place = match key {
        Some(key) => app.place(key)?,
        None => app.current_place().ok_or_else(|| AppError::new("no_site"))?,
    };
    let page = links::draft_list(&site_url(&place)?, "").ok_or_else(refused)?;
    open_page(&place, &page)
}

/// Opens a draft that was made, to be edited.
pub(crate) fn draft(app: &App, op_id: OpId) -> Result<(), AppError> {
    open(
        app,
        &LinkTarget {
            kind: LinkKind::Edit,
            op_id: Some(op_id.to_string()),
            article_id: None,
            site_id: None,
            remote_id: None,
        },
    )
}

fn refused() -> AppError {
    AppError::new("link_refused")
}

fn op_of(app: &App, target: &LinkTarget) -> Result<OpId, AppError> {
    if let Some(op_id) = target.op_id.as_deref().and_then(OpId::parse) {
        return Ok(op_id);
    }
    let inner = app.lock();
    target.article_id.and_then(|id| inner.list.by_id(id)?.op_id).ok_or_else(refused)
}

fn site_url(place: &Place) -> Result<String, AppError> {
    let kept = place.desk.journal().setting(Some(place.site.id), "site_url")?;
    Ok(kept.unwrap_or_else(|| place.site.home.clone()))
}

fn open_page(place: &Place, page: &str) -> Result<(), AppError> {
    let known = [Some(place.site.home.clone()), site_url(place).ok(), Some(place.site.rest_root.clone())];
    let known: Vec<Url> = known.into_iter().flatten().filter_map(|text| Url::parse(&text).ok()).collect();
    let url = Url::parse(page).ok().filter(|url| is_of(url, &known)).ok_or_else(refused)?;
    tracing::info!(host = url.host_str(), path = url.path(), "a page is opened");
    start(OsStr::new(url.as_str()))
}

/// Encrypted, or of this computer; on the site that it belongs to; without a name or password in it.
fn is_of(url: &Url, known: &[Url]) -> bool {
    let loopback = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    let scheme = url.scheme() == "https" || (url.scheme() == "http" && loopback);
    let same =
        |site: &Url| site.host() == url.host() && site.port() == url.port() && site.scheme() == url.scheme();
    scheme && url.username().is_empty() && url.password().is_none() && known.iter().any(same)
}

fn open_folder(app: &App, target: &LinkTarget) -> Result<(), AppError> {
    let folder = {
        let inner = app.lock();
        let entry = target.article_id.and_then(|id| inner.list.by_id(id)).ok_or_else(refused)?;
        entry.sheet.location.folder.clone()
    };
    start(folder.as_os_str())
}

/// Starts the system's program for it, without the password that the environment may hold.
fn start(what: &OsStr) -> Result<(), AppError> {
    let named = std::env::var_os(OPENER_VARIABLE).filter(|program| !program.is_empty());
    let commands = match named {
        Some(program) => {
            let mut command = Command::new(program);
            command.arg(what);
            vec![command]
        }
        None => ::open::commands(what),
    };
    for mut command in commands {
        command
            .env_remove(PASSWORD_VARIABLE)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { continue };
        // Nobody asks how it ended; it is only not to stay behind.
        let waiting = std::thread::Builder::new().name("opener".to_owned()).spawn(move || drop(child.wait()));
        drop(waiting);
        return Ok(());
    }
    Err(AppError::new("internal"))
}

/// Reads the number of a post, or finds it in an address of the site.
pub(crate) fn post_id(site: &Site, site_url: Option<&str>, address: &str) -> Result<RemoteId, AppError> {
    let unclear = || AppError::new("address_not_understood");
    let address = address.trim().trim_start_matches('#');
    if let Ok(id) = address.parse::<u64>() {
        return if id > 0 { Ok(RemoteId(id)) } else { Err(unclear()) };
    }
    let url = Url::parse(address).map_err(|_| unclear())?;
    let known: Vec<Url> = [Some(site.home.as_str()), site_url]
        .into_iter()
        .flatten()
        .filter_map(|text| Url::parse(text).ok())
        .collect();
    if !known.iter().any(|site| site.host() == url.host() && site.port() == url.port()) {
        return Err(AppError::new("other_site"));
    }
    let id = url
        .query_pairs()
        .find(|(name, _)| matches!(&**name, "post" | "p" | "item" | "preview_id" | "page_id"))
        .and_then(|(_, value)| value.parse::<u64>().ok())
        .filter(|id| *id > 0);
    id.map(RemoteId).ok_or_else(unclear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::practice::unstarted;

    fn site(home: &str) -> Site {
        Site { home: home.to_owned(), ..unstarted() }
    }

    #[test]
    fn only_pages_of_the_site_are_opened() {
        let known =
            [Url::parse("https://blog.example/sub").unwrap(), Url::parse("http://127.0.0.1:81").unwrap()];
        let opens = |text: &str| is_of(&Url::parse(text).unwrap(), &known);
        assert!(opens("https://blog.example/wp-admin/edit.php?s=%E7%8C%AB"));
        assert!(opens("http://127.0.0.1:81/wp-admin/"));
        for other in [
            "https://evil.example/",
            "https://blog.example.evil.example/",
            "https://blog.example:8443/",
            "http://blog.example/",
            "http://127.0.0.1:82/",
            "https://user:password@blog.example/",
            "file:///etc/passwd",
            "javascript:alert(1)",
        ] {
            assert!(!opens(other), "{other}");
        }
    }

    #[test]
    fn a_post_is_named_by_its_number_or_an_address_of_its_site() {
        let site = site("https://blog.example");
        let id = |text: &str| post_id(&site, None, text).map(|id| id.0).map_err(|error| error.code);
        assert_eq!(id(" 12 "), Ok(12));
        assert_eq!(id("#12"), Ok(12));
        assert_eq!(id("https://blog.example/wp-admin/post.php?post=12&action=edit"), Ok(12));
        assert_eq!(id("https://blog.example/?p=12"), Ok(12));
        assert_eq!(id("https://other.example/?p=12"), Err("other_site"));
        for text in ["", "0", "twelve", "https://blog.example/title/"] {
            assert_eq!(id(text), Err("address_not_understood"), "{text}");
        }
    }
}
