//! What a request wants, told from its method and address alone.

use ichido_practice::Kind;
use url::Url;

/// Tells what a request wants. Both forms of the REST root are known.
pub(crate) fn kind_of(method: &str, target: &str) -> Kind {
    let Some(route) = rest_route(target) else { return Kind::Page };
    let reads = matches!(method, "GET" | "HEAD" | "OPTIONS");
    let parts: Vec<&str> = route.split('/').filter(|part| !part.is_empty()).collect();
    let ["wp", "v2", collection, rest @ ..] = parts.as_slice() else { return Kind::Discovery };
    match (*collection, rest) {
        ("users", _) => Kind::Identity,
        ("posts" | "media" | "tags" | "categories", _) if reads => Kind::LookUp,
        ("posts" | "media" | "tags" | "categories", _) if method == "DELETE" => Kind::Delete,
        ("posts", []) => Kind::CreatePost,
        ("media", []) => Kind::UploadMedia,
        ("tags" | "categories", []) => Kind::CreateTerm,
        ("posts" | "media" | "tags" | "categories", _) => Kind::Update,
        _ => Kind::Discovery,
    }
}

/// Whether a look-up asks for a list, not for one row by its id.
pub(crate) fn is_list(target: &str) -> bool {
    rest_route(target).is_some_and(|route| route.split('/').filter(|part| !part.is_empty()).count() == 3)
}

fn rest_route(target: &str) -> Option<String> {
    let url = Url::parse("http://site.invalid").ok()?.join(target).ok()?;
    let asked = url.query_pairs().find(|(name, _)| name == "rest_route").map(|(_, route)| route.into_owned());
    asked.or_else(|| {
        let path = url.path().strip_prefix("/index.php").unwrap_or(url.path());
        let route = path.strip_prefix("/wp-json")?;
        (route.is_empty() || route.starts_with('/')).then(|| route.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creating_requests_are_told_from_others_in_both_forms() {
        let seen = |method, target| kind_of(method, target);
        assert_eq!(seen("POST", "/wp-json/wp/v2/posts"), Kind::CreatePost);
        assert_eq!(seen("POST", "/?rest_route=%2Fwp%2Fv2%2Fmedia&slug=a"), Kind::UploadMedia);
        assert_eq!(seen("POST", "/index.php?rest_route=/wp/v2/tags/"), Kind::CreateTerm);
        assert_eq!(seen("POST", "/wp-json/wp/v2/posts/7"), Kind::Update);
        assert_eq!(seen("GET", "/wp-json/wp/v2/posts?slug=a"), Kind::LookUp);
        assert_eq!(seen("GET", "/wp-json/"), Kind::Discovery);
        assert_eq!(seen("GET", "/a-post/"), Kind::Page);
        assert!(is_list("/wp-json/wp/v2/posts?slug=a"));
        assert!(!is_list("/?rest_route=/wp/v2/posts/7"));
    }
}
