use serde_json::json;

use super::*;
use crate::scripted::{self, Act, Scripted};

fn index(home: &str) -> String {
    json!({
        "name": "Caf\u{e9} &amp; more", "url": format!("{home}/wp"), "home": format!("{home}/"), "gmt_offset": "9.5", "timezone_string": "Asia/Tokyo",
        "namespaces": ["oembed/1.0", "wp/v2"],
        "authentication": {"application-passwords": {"endpoints": {"authorization": format!("{home}/wp-admin/authorize-application.php")}}}
    })
    .to_string()
}

fn page(headers: &str) -> String {
    format!("HTTP/1.1 200 X\r\n{headers}Connection: close\r\nContent-Length: 0\r\n\r\n")
}

fn not_found() -> String {
    "HTTP/1.1 404 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".into()
}

/// The address that a request was sent to.
fn own(request: &str) -> String {
    let host = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    format!("http://{host}")
}

async fn find(server: &Scripted, path: &str) -> Result<Discovered, DiscoverError> {
    discover(&format!("{}{path}", server.host), &Options::default()).await
}

/// A site that answers the index at this target and names it in the `Link` header if asked to.
async fn site(target: &'static str, link: Option<&'static str>) -> Scripted {
    Scripted::site(move |request| {
        let asked = request.split(' ').nth(1).unwrap();
        if asked.starts_with(target) {
            scripted::json(200, "", &index(&own(request)))
        } else if asked == "/" {
            let link = link
                .map(|link| format!("Link: <{link}>; rel=\"https://api.w.org/\", </x>; rel=shortlink\r\n"));
            page(&link.unwrap_or_default())
        } else {
            not_found()
        }
    })
    .await
}

#[tokio::test]
async fn the_link_of_the_page_is_followed() {
    let server = site("/api/", Some("/api/")).await;
    let found = find(&server, "").await.unwrap();
    assert_eq!(
        found,
        Discovered {
            home: format!("http://{}", server.host),
            site_url: format!("http://{}/wp", server.host),
            rest_root: format!("http://{}/api/", server.host),
            name: "Caf\u{e9} & more".into(),
            timezone: "Asia/Tokyo".into(),
            gmt_offset_s: 34_200,
            namespaces: vec!["oembed/1.0".into(), "wp/v2".into()],
            application_passwords: Some(format!("http://{}/wp-admin/authorize-application.php", server.host)),
        }
    );
    assert_eq!(server.lines().len(), 2);
    assert!(!server.seen().concat().to_ascii_lowercase().contains("authorization"));
}

#[tokio::test]
async fn without_a_link_the_usual_places_are_tried() {
    for (target, root) in [
        ("/wp-json/", "/wp-json/"),
        ("/?rest_route=/&", "/?rest_route=/"),
        ("/index.php/wp-json/", "/index.php/wp-json/"),
        ("/index.php?rest_route=/&", "/index.php?rest_route=/"),
    ] {
        let server = site(target, None).await;
        let found = find(&server, "").await.unwrap();
        assert_eq!(found.rest_root, format!("http://{}{root}", server.host));
    }
}

#[tokio::test]
async fn addresses_copied_from_within_the_site_are_cut_down() {
    for path in [
        "/wp-admin/",
        "/wp-admin/edit.php?x=1#y",
        "/wp-login.php",
        "/index.php",
        "/wp-json/wp/v2/posts",
        "/2026/a-post/",
    ] {
        let server = site("/wp-json/", None).await;
        assert!(find(&server, path).await.is_ok(), "{path}");
    }
}

#[tokio::test]
async fn a_link_to_another_host_is_not_followed() {
    let elsewhere = site("/", None).await;
    let link = format!("Link: <http://{}/wp-json/>; rel=\"https://api.w.org/\"\r\n", elsewhere.host);
    let server = Scripted::site(move |_| page(&link)).await;
    assert!(matches!(find(&server, "").await, Err(DiscoverError::NotWordPress { status: 200 })));
    assert_eq!(elsewhere.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn an_address_that_leads_elsewhere_tells_where() {
    for (location, told) in [
        ("https://www.example.com/", "https://www.example.com/"),
        ("https://www.example.com/wp-login.php?redirect_to=x", "https://www.example.com/"),
        ("https://user:word@example.com/blog", "https://example.com/blog/"),
        ("//example.com/", "http://example.com/"),
    ] {
        let server =
            Scripted::site(move |_| scripted::json(301, &format!("Location: {location}\r\n"), "")).await;
        match find(&server, "").await {
            Err(DiscoverError::Redirected { to }) => assert_eq!(to, told),
            other => panic!("{location}: {other:?}"),
        }
        assert_eq!(server.lines().len(), 1);
    }
}

#[tokio::test]
async fn a_page_that_leads_within_the_site_is_no_obstacle() {
    let server = Scripted::site(|request| {
        if request.contains(" /wp-json/") {
            scripted::json(200, "", &index(&own(request)))
        } else {
            scripted::json(302, "Location: /ja/\r\n", "")
        }
    })
    .await;
    assert!(find(&server, "").await.is_ok());
}

#[tokio::test]
async fn a_rest_interface_that_is_switched_off_is_told_from_no_wordpress() {
    for (status, code) in [(401, "rest_login_required"), (403, "rest_disabled"), (404, "rest_disabled")] {
        let server = Scripted::site(move |request| {
            if request.contains("rest_route") || request.contains("wp-json") {
                scripted::json(status, "", &json!({"code": code}).to_string())
            } else {
                page("")
            }
        })
        .await;
        match find(&server, "").await {
            Err(DiscoverError::RestOff { status: told, code: Some(told_code) }) => {
                assert_eq!((told, told_code.as_str()), (status, code))
            }
            other => panic!("{other:?}"),
        }
    }
    let named = site("/nowhere", Some("/wp-json/")).await;
    assert!(matches!(find(&named, "").await, Err(DiscoverError::RestOff { status: 404, code: None })));
    let other = Scripted::site(|_| page("")).await;
    assert!(matches!(find(&other, "").await, Err(DiscoverError::NotWordPress { status: 200 })));
    let without_v2 = Scripted::site(|_| scripted::json(200, "", r#"{"namespaces":["wp/v3"]}"#)).await;
    assert!(matches!(find(&without_v2, "").await, Err(DiscoverError::NotWordPress { .. })));
}

#[tokio::test]
async fn maintenance_and_silence_have_their_own_errors() {
    // As HTTP has it, the answer to HEAD has no body that could tell.
    let server = Scripted::site(|request| {
        let body = if request.starts_with("HEAD ") { "" } else { r#"{"code":"wp_die"}"# };
        scripted::json(503, "Retry-After: 600\r\n", body)
    })
    .await;
    let asked_to_wait = find(&server, "").await;
    assert!(
        matches!(asked_to_wait, Err(DiscoverError::AskedToWait { after_s: 600, maintenance: true })),
        "{asked_to_wait:?}"
    );
    let server = Scripted::acts([Act::ReadThenClose]).await;
    assert!(matches!(find(&server, "").await, Err(DiscoverError::Unreachable(_))));
}

#[tokio::test]
async fn unusable_addresses_are_refused_before_anything_is_asked() {
    for (address, error) in [
        ("", AddressError::NotAnAddress),
        ("ftp://example.com", AddressError::NotAnAddress),
        ("mailto:ann", AddressError::NotAnAddress),
        ("http://example.com", AddressError::PlainHttp),
        ("https://ann:word@example.com", AddressError::UserInfo),
        ("ann:word@example.com", AddressError::UserInfo),
    ] {
        match discover(address, &Options::default()).await {
            Err(DiscoverError::Address(told)) => assert_eq!(told, error, "{address}"),
            other => panic!("{address}: {other:?}"),
        }
    }
}

#[test]
fn a_scheme_is_added_where_none_was_typed() {
    for (typed, address) in [
        ("example.com", "https://example.com/"),
        (" example.com/blog ", "https://example.com/blog/"),
        ("localhost:8080", "http://localhost:8080/"),
        ("127.0.0.1:1/x", "http://127.0.0.1:1/x/"),
        ("日本.example", "https://xn--wgv71a.example/"),
    ] {
        assert_eq!(page_address(typed).unwrap().as_str(), address);
    }
}

#[test]
fn hostile_facts_of_an_index_stay_bounded() {
    let index: Index = serde_json::from_value(json!({
        "name": "x\u{1b}".repeat(9999), "home": "javascript:alert(1)", "url": "https://a:b@example.com", "gmt_offset": 1e300,
        "namespaces": ["wp/v2"], "authentication": []
    }))
    .unwrap();
    let page = Url::parse("https://example.com/blog/").unwrap();
    let found = index.into_discovered(&page, &page).unwrap();
    assert_eq!(
        (found.home.as_str(), found.site_url.as_str()),
        ("https://example.com/blog", "https://example.com/blog")
    );
    assert_eq!(
        (found.name.len(), found.gmt_offset_s, found.application_passwords),
        (LONGEST_TEXT, 86_400, None)
    );
}

/// What comes of a site that calls itself so and is found at this root, from the page that was named.
fn called(home: &str, root: &str, page: &str) -> Result<String, String> {
    let index: Index = serde_json::from_value(json!({"home": home, "namespaces": ["wp/v2"]})).unwrap();
    let (root, page) = (Url::parse(root).unwrap(), Url::parse(page).unwrap());
    match index.into_discovered(&root, &page) {
        Ok(found) => Ok(found.home),
        Err(DiscoverError::Redirected { to }) => Err(to),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_site_is_known_by_no_name_but_its_own() {
    let (root, page) = ("https://evil.example/wp-json/", "https://evil.example/");
    for home in [
        "https://example.com",
        "https://example.com/wp-json/",
        "http://example.com",
        "https://evil.example.com",
        "https://example",
        "https://www.evil.example",
        "https://evil.example.",
        "https://evil.example:8443",
        "http://evil.example:443",
        "http://127.0.0.1",
        "https://[::1]/",
        "https://evil.example/blog",
        "https://evil.example/wp",
    ] {
        assert_eq!(called(home, root, page), Err(home.trim_end_matches('/').to_owned()), "{home}");
    }
    for (home, known) in [
        ("https://evil.example", "https://evil.example"),
        ("https://EVIL.example:443/#x", "https://evil.example"),
        // It stands behind something that encrypts.
        ("http://evil.example/", "https://evil.example"),
        ("https://user:word@example.com", "https://evil.example"),
        ("https:evil.example", "https://evil.example"),
        ("file:///etc/passwd", "https://evil.example"),
        ("//example.com", "https://evil.example"),
        ("", "https://evil.example"),
    ] {
        assert_eq!(called(home, root, page), Ok(known.to_owned()), "{home}");
    }
    let (root, page) =
        ("https://e.example/%E7%8C%AB/index.php/wp-json/", "https://e.example/%E7%8C%AB/a-post/");
    assert_eq!(called("https://e.example/猫/", root, page), Ok("https://e.example/%E7%8C%AB".to_owned()));
    assert_eq!(called("https://e.example", root, page), Ok("https://e.example".to_owned()));
    assert!(called("https://e.example/犬/", root, page).is_err());
}

#[test]
fn a_password_is_approved_on_the_site_that_gets_it_or_nowhere() {
    let page = Url::parse("https://example.com/").unwrap();
    let offered = |address: &str| {
        let index: Index = serde_json::from_value(json!({
            "namespaces": ["wp/v2"],
            "authentication": {"application-passwords": {"endpoints": {"authorization": address}}}
        }))
        .unwrap();
        index.into_discovered(&page, &page).unwrap().application_passwords
    };
    let own = "https://example.com/wp-admin/authorize-application.php";
    assert_eq!(offered(own), Some(own.to_owned()));
    for address in [
        "http://example.com/wp-admin/authorize-application.php",
        "https://evil.example/wp-admin/authorize-application.php",
        "https://example.com.evil.example/",
        "https://example.com:8443/wp-admin/authorize-application.php",
        "https://example.com@evil.example/",
        "https://ann:word@example.com/wp-admin/authorize-application.php",
        "//evil.example/wp-admin/authorize-application.php",
        "/wp-admin/authorize-application.php",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "",
    ] {
        assert_eq!(offered(address), None, "{address}");
    }
}

#[tokio::test]
async fn names_of_this_computer_stay_on_it() {
    // No name server knows it, and none is asked.
    let server = site("/wp-json/", None).await;
    let port = server.host.rsplit_once(':').unwrap().1;
    let found =
        discover(&format!("http://nowhere.at.all.localhost:{port}"), &Options::default()).await.unwrap();
    assert_eq!(found.home, format!("http://nowhere.at.all.localhost:{port}"));
}
