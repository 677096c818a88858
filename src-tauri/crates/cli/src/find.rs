//! Finds what a person named, in the journal.

use std::path::Path;

use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::slug::Slug;
use ichido_engine::{ActError, ArticleName};
use ichido_journal::{Filter, Health, Journal, Key, Operation, Page, ReadError, Site};

use crate::failure::Failure;
use crate::report::{Entry, site_slug};
use crate::wording;

const POST_TYPE: &str = "post";

/// Returns the site of a name, or the only one.
pub(crate) fn site(journal: &Journal, name: Option<&str>) -> Result<Site, Failure> {
    if let Some(name) = name {
        let Some(found) = journal.site_by_name(name)? else {
            let none = ichido_engine::RunError::NoSuchSite { name: name.to_owned() };
            return Err(lost_sites(journal)?.unwrap_or_else(|| none.into()));
        };
        return Ok(found);
    }
    let mut sites = journal.sites()?;
    match (sites.pop(), sites.is_empty()) {
        (Some(site), true) => Ok(site),
        (Some(last), false) => {
            let names = sites.into_iter().map(|site| site.name).chain([last.name]).collect();
            Err(Failure::WhichSite { names })
        }
        (None, _) => Err(lost_sites(journal)?.unwrap_or(Failure::NoSites)),
    }
}

/// Tells where a site may have gone: the list of sites is lost with the journal.
fn lost_sites(journal: &Journal) -> Result<Option<Failure>, Failure> {
    Ok(matches!(journal.health()?, Health::Lost(_)).then_some(Failure::SitesLost))
}

/// Returns the record that an article or an image of it has, with its site.
pub(crate) fn record(
    journal: &Journal,
    site: Option<&str>,
    article: &Path,
    image: Option<&Path>,
) -> Result<(Site, Operation), Failure> {
    let sites = match site {
        Some(name) => vec![self::site(journal, Some(name))?],
        None => journal.sites()?,
    };
    let mut found = Vec::new();
    for site in sites {
        if let Some(post) = post(journal, &site, article)? {
            found.push((site, post));
        }
    }
    let none = |path: &Path| ActError::NoSuchArticle { article: path.to_path_buf() };
    let (site, post) = match (found.pop(), found.is_empty()) {
        (Some(only), true) => only,
        (None, _) => return Err(none(article).into()),
        (Some(last), false) => {
            let sites = found.into_iter().chain([last]).map(|(site, _)| site.name).collect();
            return Err(ActError::Ambiguous { sites }.into());
        }
    };
    let Some(image) = image else { return Ok((site, post)) };
    for used in journal.images_of(post.op_id)? {
        let Some(operation) = journal.operation(used.image)? else { continue };
        let path = operation.source_path.as_deref();
        if path == Some(image) || path.and_then(Path::file_name) == image.file_name() {
            return Ok((site, operation));
        }
    }
    Err(none(image).into())
}

fn post(journal: &Journal, site: &Site, article: &Path) -> Result<Option<Operation>, ReadError> {
    let by_slug = |slug: &Slug| journal.by_key(site.id, Kind::Post, POST_TYPE, &Key::post(slug));
    if let Some(slug) = article.to_str().and_then(|text| Slug::sanitise(text).ok())
        && let Some(post) = by_slug(&slug)?
    {
        return Ok(Some(post));
    }
    let path = article.canonicalize().or_else(|_| std::path::absolute(article));
    let path = path.unwrap_or_else(|_| article.to_path_buf());
    let location = ichido_article::discover(std::slice::from_ref(&path)).ok();
    let keys: Vec<String> = match &location {
        Some(found) => found.articles.iter().map(ichido_article::Location::key).collect(),
        None => vec![path.to_string_lossy().into_owned()],
    };
    let [key] = keys.as_slice() else { return Ok(None) };
    let filter =
        Filter { site: Some(site.id), kind: Some(Kind::Post), text: Some(key.clone()), ..Filter::default() };
    let page = Page { offset: 0, limit: 100 };
    let listed = journal.list(&filter, page)?;
    // A folder that was moved away is found by its own path, as well as by that of its text.
    let named = listed.into_iter().find(|operation| {
        let at = operation.source_path.as_deref();
        operation.standing.state != State::Abandoned
            && at.is_some_and(|at| {
                at == Path::new(key) || (location.is_none() && at.parent() == Some(Path::new(key)))
            })
    });
    Ok(named)
}

/// Names the article of an operation.
pub(crate) fn name_of(operation: &Operation) -> ArticleName {
    ArticleName {
        path: operation.source_path.clone().unwrap_or_default(),
        slug: (!operation.slug.is_empty()).then(|| operation.slug.clone()),
        title: (!operation.title.is_empty()).then(|| operation.title.clone()),
    }
}

/// Returns why an operation needs a person.
pub(crate) const fn halt_of(state: State) -> Option<HaltReason> {
    match state {
        State::Halted(reason) => Some(reason),
        State::Sending => Some(HaltReason::OutcomeUnknown),
        State::Planned
        | State::Waiting(_)
        | State::NeedsWork
        | State::Refused
        | State::Skipped
        | State::Done
        | State::Abandoned => None,
    }
}

/// Returns the block of lines for an operation that needs a person.
pub(crate) fn entry(
    journal: &Journal,
    site: &Site,
    operation: &Operation,
    needs_site: bool,
) -> Result<Option<Entry>, ReadError> {
    let Some(reason) = halt_of(operation.standing.state) else { return Ok(None) };
    let mut title = wording::title(&name_of(operation));
    let mut slug = (!operation.slug.is_empty()).then(|| operation.slug.clone());
    let mut image = None;
    if operation.kind == Kind::Image {
        // An image is resolved through one of its articles.
        image = operation.source_path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let posts = posts_of(journal, operation.op_id)?;
        slug = posts.first().map(|post| post.slug.clone());
        let titles: Vec<&str> = posts.iter().map(|post| post.title.as_str()).collect();
        title = format!("{title}: {}", crate::text::clean(&titles.join(", ")));
    }
    Ok(Some(Entry {
        title,
        slug,
        site: site.name.clone(),
        image,
        reason,
        links: ichido_engine::links(journal, operation)?,
        id: operation.remote_id.map(|id| id.0),
        site_slug: site_slug(operation),
        needs_site,
    }))
}

fn posts_of(journal: &Journal, image: OpId) -> Result<Vec<Operation>, ReadError> {
    let mut posts = Vec::new();
    for used in journal.posts_using(image)? {
        posts.extend(journal.operation(used.post)?.filter(|post| post.standing.state != State::Abandoned));
    }
    Ok(posts)
}
