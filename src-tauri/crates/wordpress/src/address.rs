//! Addresses of a site's REST interface. The one place that builds them, for sites with and without
//! readable permalinks.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::{Host, Url};

use crate::errors::AddressError;
use crate::ids;

/// What stands in a value as it is. The comma separates the items of a list and is shorter so.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',');
const PATH: &AsciiSet = &VALUE.remove(b'/');
const ROUTE: &str = "rest_route";

/// The root of a site's REST interface: a folder (`/wp-json/`), or a page that takes the route as a
/// parameter (`/?rest_route=/`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RestRoot {
    base: Url,
    /// Whether the route is a parameter.
    by_parameter: bool,
}

/// Parameters of a request, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(String);

impl Query {
    /// Returns the length as it stands in an address, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a parameter.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.add(name, value);
        self
    }

    /// Adds a parameter.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        if !self.0.is_empty() {
            self.0.push('&');
        }
        self.0.push_str(name);
        self.0.push('=');
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{}", utf8_percent_encode(value, VALUE));
    }
}

impl RestRoot {
    /// Reads the address of a REST root.
    pub(crate) fn parse(address: &str) -> Result<Self, AddressError> {
        let mut base = web_address(address)?;
        base.set_fragment(None);
        let route = base.query_pairs().find(|(name, _)| name == ROUTE).map(|(_, route)| route.into_owned());
        match route {
            Some(route) if route.trim_matches('/').is_empty() => {
                base.set_query(None);
                Ok(Self { base, by_parameter: true })
            }
            Some(_) => Err(AddressError::NotAnAddress),
            None => {
                base.set_query(None);
                let path = format!("{}/", base.path().trim_end_matches('/'));
                base.set_path(&path);
                Ok(Self { base, by_parameter: false })
            }
        }
    }

    /// Builds the address of a route such as `/wp/v2/posts`.
    pub(crate) fn endpoint(&self, route: &str, query: &Query) -> Url {
        let mut url = self.base.clone();
        if self.by_parameter {
            let route = utf8_percent_encode(route, PATH).to_string();
            let and = if query.0.is_empty() { "" } else { "&" };
            url.set_query(Some(&format!("{ROUTE}={route}{and}{}", query.0)));
        } else {
            url.set_path(&format!("{}{}", url.path().trim_end_matches('/'), route));
            url.set_query((!query.0.is_empty()).then_some(query.0.as_str()));
        }
        url
    }

    /// Returns the address itself.
    pub(crate) const fn address(&self) -> &Url {
        &self.base
    }

    /// Tells whether an address is of the same scheme, host and port.
    pub(crate) fn is_of_same_origin(&self, url: &Url) -> bool {
        self.base.origin() == url.origin()
    }
}

/// Reads an address to which credentials may be sent: `https`, or `http` on this computer.
pub(crate) fn web_address(address: &str) -> Result<Url, AddressError> {
    let url = Url::parse(address.trim()).map_err(|_| AddressError::NotAnAddress)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::UserInfo);
    }
    match url.scheme() {
        "https" if url.host().is_some() => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(AddressError::PlainHttp),
        _ => Err(AddressError::NotAnAddress),
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Reads the id at the end of a `Location` that points into a collection such as `/wp/v2/posts`. Only
/// the integer is ever used; the address itself is never asked.
pub(crate) fn id_in_location(location: &str, collection: &str) -> Option<u64> {
    let path = match location.split_once("rest_route=") {
        Some((_, route)) => route.split('&').next().unwrap_or(route),
        None => location.split(['?', '#']).next().unwrap_or(location),
    };
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let (before, id) = path.trim_end_matches('/').rsplit_once('/')?;
    if !before.ends_with(collection) || id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    id.parse().ok().filter(|id| ids::is_of_row(*id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(root: &str, route: &str, query: &Query) -> String {
        RestRoot::parse(root).unwrap().endpoint(route, query).into()
    }

    #[test]
    fn both_forms_of_root_carry_route_and_parameters() {
        let query = Query::default().with("slug", "猫,a b").with("status", "any,trash");
        let encoded = "slug=%E7%8C%AB,a%20b&status=any,trash";
        for root in [
            "https://example.com/blog/wp-json/",
            "https://example.com/blog/wp-json",
            "https://example.com/blog/wp-json/?x=1#y",
        ] {
            assert_eq!(
                endpoint(root, "/wp/v2/posts", &query),
                format!("https://example.com/blog/wp-json/wp/v2/posts?{encoded}")
            );
        }
        for root in ["https://example.com/?rest_route=/", "https://example.com/?rest_route=%2F"] {
            assert_eq!(
                endpoint(root, "/wp/v2/posts", &query),
                format!("https://example.com/?rest_route=/wp/v2/posts&{encoded}")
            );
        }
        assert_eq!(
            endpoint("http://127.0.0.1:81/index.php?rest_route=/", "/", &Query::default()),
            "http://127.0.0.1:81/index.php?rest_route=/"
        );
    }

    #[test]
    fn a_value_cannot_break_out_of_its_parameter() {
        let query = Query::default().with("slug", "a&status=publish#%00\r\n");
        assert_eq!(
            endpoint("https://example.com/wp-json/", "/wp/v2/posts", &query),
            "https://example.com/wp-json/wp/v2/posts?slug=a%26status%3Dpublish%23%2500%0D%0A"
        );
    }

    #[test]
    fn credentials_go_to_encrypted_addresses_or_to_this_computer_only() {
        for (address, error) in [
            ("http://example.com/wp-json/", AddressError::PlainHttp),
            ("http://127.0.0.1.example.com/", AddressError::PlainHttp),
            ("http://localhost.example.com/", AddressError::PlainHttp),
            ("https://user@example.com/", AddressError::UserInfo),
            ("https://:word@example.com/", AddressError::UserInfo),
            ("ftp://example.com/", AddressError::NotAnAddress),
            ("file:///etc/passwd", AddressError::NotAnAddress),
            ("javascript:alert(1)", AddressError::NotAnAddress),
            ("example.com", AddressError::NotAnAddress),
            ("https://", AddressError::NotAnAddress),
            ("https://example.com/?rest_route=/wp/v2", AddressError::NotAnAddress),
        ] {
            assert_eq!(RestRoot::parse(address).unwrap_err(), error, "{address}");
        }
        for address in
            ["http://127.0.0.1:8080/", "http://[::1]/wp-json/", "http://localhost/", "http://a.localhost:1/"]
        {
            assert_eq!(RestRoot::parse(address).unwrap().address().scheme(), "http", "{address}");
        }
    }

    #[test]
    fn a_location_gives_its_integer_and_nothing_else() {
        for location in [
            "https://example.com/wp-json/wp/v2/posts/42",
            "https://evil.example/wp-json/wp/v2/posts/42/",
            "https://example.com/index.php?rest_route=/wp/v2/posts/42",
            "https://example.com/?rest_route=%2Fwp%2Fv2%2Fposts%2F42&_locale=user",
            "/wp-json/wp/v2/posts/42?x=/wp/v2/posts/7",
        ] {
            assert_eq!(id_in_location(location, "/wp/v2/posts"), Some(42), "{location}");
        }
        for location in [
            "",
            "https://example.com/wp-json/wp/v2/posts/",
            "https://example.com/wp-json/wp/v2/posts/0",
            "https://example.com/wp-json/wp/v2/posts/-1",
            "https://example.com/wp-json/wp/v2/posts/4x",
            "https://example.com/wp-json/wp/v2/media/42",
            "https://example.com/wp-json/wp/v2/posts/42/revisions/43",
            "https://example.com/wp-json/wp/v2/posts/9223372036854775808",
            "https://example.com/wp-json/wp/v2/posts/99999999999999999999",
            "https://example.com/%ff/wp/v2/posts/42",
        ] {
            assert_eq!(id_in_location(location, "/wp/v2/posts"), None, "{location}");
        }
    }
}
