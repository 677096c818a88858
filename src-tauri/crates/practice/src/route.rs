//! From an address to what it stands for.

use axum::http::Method;
use percent_encoding::percent_decode_str;

use crate::options::Permalinks;
use crate::rows::Taxonomy;

/// What an address of the REST API stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    Index,
    Me,
    Introspect,
    User(u64),
    Posts,
    Post(u64),
    Library,
    Media(u64),
    PostProcess(u64),
    Terms(Taxonomy),
    Term(Taxonomy, u64),
    PostType,
    Missing,
}

/// What a request wants, as far as faults and counts care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A post is to be created.
    CreatePost,
    /// A file is to be uploaded.
    UploadMedia,
    /// A category or tag is to be created.
    CreateTerm,
    /// Something that exists is to be changed, `post-process` included.
    Update,
    /// Something is to be trashed or deleted.
    Delete,
    /// Posts, media or terms are read: lists and single ones.
    LookUp,
    /// `users/me` and other users are read.
    Identity,
    /// The REST index, types and the like are read.
    Discovery,
    /// Not the REST API: pages and uploaded files.
    Page,
}

impl Kind {
    /// Whether such a request can make a new row.
    pub fn creates(self) -> bool {
        matches!(self, Kind::CreatePost | Kind::UploadMedia | Kind::CreateTerm)
    }

    pub(crate) fn of(method: &Method, route: &Route) -> Kind {
        let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        match route {
            Route::Index | Route::PostType | Route::Missing => Kind::Discovery,
            Route::Me | Route::Introspect | Route::User(_) => Kind::Identity,
            _ if reads => Kind::LookUp,
            _ if *method == Method::DELETE => Kind::Delete,
            Route::Posts => Kind::CreatePost,
            Route::Library => Kind::UploadMedia,
            Route::Terms(_) => Kind::CreateTerm,
            Route::Post(_) | Route::Media(_) | Route::PostProcess(_) | Route::Term(..) => Kind::Update,
        }
    }
}

/// Finds the REST route of an address; `None` means that it is a page.
pub(crate) fn rest_route(path: &str, query: &str, permalinks: Permalinks) -> Option<Route> {
    let asked = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "rest_route");
    if let Some((_, route)) = asked.filter(|_| path == "/" || path == "/index.php") {
        return Some(route_of(&route));
    }
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    let decoded = decoded.strip_prefix("/index.php").unwrap_or(&decoded);
    let rest = decoded.strip_prefix("/wp-json")?;
    let whole = rest.is_empty() || rest.starts_with('/');
    (whole && permalinks == Permalinks::Pretty).then(|| route_of(rest))
}

fn route_of(route: &str) -> Route {
    let parts: Vec<&str> = route.split('/').filter(|part| !part.is_empty()).collect();
    let rest = match parts.as_slice() {
        [] => return Route::Index,
        ["wp", "v2", rest @ ..] => rest,
        _ => return Route::Missing,
    };
    match rest {
        [] => Route::Index,
        ["users", "me"] => Route::Me,
        ["users", "me", "application-passwords", "introspect"] => Route::Introspect,
        ["users", id] => numbered(id, Route::User),
        ["posts"] => Route::Posts,
        ["posts", id] => numbered(id, Route::Post),
        ["media"] => Route::Library,
        ["media", id] => numbered(id, Route::Media),
        ["media", id, "post-process"] => numbered(id, Route::PostProcess),
        ["categories"] => Route::Terms(Taxonomy::Category),
        ["tags"] => Route::Terms(Taxonomy::Tag),
        ["categories", id] => numbered(id, |id| Route::Term(Taxonomy::Category, id)),
        ["tags", id] => numbered(id, |id| Route::Term(Taxonomy::Tag, id)),
        ["types", "post"] => Route::PostType,
        _ => Route::Missing,
    }
}

fn numbered(part: &str, make: impl Fn(u64) -> Route) -> Route {
    part.parse().map_or(Route::Missing, make)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_the_rest_root_are_known() {
        let pretty = rest_route("/wp-json/wp/v2/posts/7", "", Permalinks::Pretty);
        assert_eq!(pretty, Some(Route::Post(7)));
        let plain = rest_route("/", "rest_route=%2Fwp%2Fv2%2Ftags%2F&slug=a", Permalinks::Plain);
        assert_eq!(plain, Some(Route::Terms(Taxonomy::Tag)));
        assert_eq!(rest_route("/wp-json/", "", Permalinks::Plain), None);
        assert_eq!(rest_route("/", "p=3", Permalinks::Pretty), None);
        assert_eq!(rest_route("/wp-jsonx", "", Permalinks::Pretty), None);
    }
}
