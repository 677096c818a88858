//! Services that WordPress embeds by the address of a page.

use crate::block::{Block, Value};
use crate::markup::Markup;

/// How the editor writes what a service gives.
struct Service {
    /// The hosts, each also with `www.` and `m.` before it.
    hosts: &'static [&'static str],
    slug: &'static str,
    kind: &'static str,
    /// The proportions of a video.
    class_name: Option<&'static str>,
    /// Whether an address on the host is one that can be embedded.
    fits: fn(&str) -> bool,
}

const WIDE: Option<&str> = Some("wp-embed-aspect-16-9 wp-has-aspect-ratio");

const SERVICES: &[Service] = &[
    Service {
        hosts: &["youtube.com"],
        slug: "youtube",
        kind: "video",
        class_name: WIDE,
        fits: |path| ["watch?", "playlist?", "shorts/", "live/"].iter().any(|start| path.starts_with(start)),
    },
    Service {
        hosts: &["youtu.be"],
        slug: "youtube",
        kind: "video",
        class_name: WIDE,
        fits: |path| !path.is_empty() && !path.contains('/'),
    },
    Service { hosts: &["vimeo.com"], slug: "vimeo", kind: "video", class_name: WIDE, fits: has_digits },
    Service {
        hosts: &["twitter.com", "x.com"],
        slug: "twitter",
        kind: "rich",
        class_name: None,
        fits: |path| path.contains("/status/"),
    },
    Service {
        hosts: &["dailymotion.com", "dai.ly"],
        slug: "dailymotion",
        kind: "video",
        class_name: WIDE,
        fits: is_deep,
    },
    Service {
        hosts: &["ted.com"],
        slug: "ted",
        kind: "video",
        class_name: WIDE,
        fits: |path| path.starts_with("talks/"),
    },
    Service { hosts: &["open.spotify.com"], slug: "spotify", kind: "rich", class_name: None, fits: is_deep },
    Service { hosts: &["soundcloud.com"], slug: "soundcloud", kind: "rich", class_name: None, fits: is_deep },
    Service {
        hosts: &["speakerdeck.com"],
        slug: "speaker-deck",
        kind: "rich",
        class_name: None,
        fits: is_deep,
    },
    Service {
        hosts: &["tiktok.com"],
        slug: "tiktok",
        kind: "video",
        class_name: None,
        fits: |path| path.contains("/video/"),
    },
    Service {
        hosts: &["reddit.com"],
        slug: "reddit",
        kind: "rich",
        class_name: None,
        fits: |path| path.contains("/comments/"),
    },
    Service {
        hosts: &["bsky.app"],
        slug: "bluesky",
        kind: "rich",
        class_name: None,
        fits: |path| path.contains("/post/"),
    },
];

fn is_deep(path: &str) -> bool {
    path.trim_end_matches('/').contains('/')
}

fn has_digits(path: &str) -> bool {
    path.split(['/', '?']).next().is_some_and(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()))
}

/// Makes an embed block of the address of something that WordPress knows how to embed.
pub(crate) fn block(url: &str) -> Option<Block> {
    captioned(url, None)
}

/// Makes an embed block with a caption.
pub(crate) fn captioned(url: &str, caption: Option<Markup>) -> Option<Block> {
    let service = service(url)?;
    // The editor knows the posts of X under the service's old name only.
    let url = url.replacen("//x.com/", "//twitter.com/", 1);
    let url = url.replacen("//www.x.com/", "//twitter.com/", 1);
    let mut class = format!(
        "wp-block-embed is-type-{} is-provider-{} wp-block-embed-{}",
        service.kind, service.slug, service.slug
    );
    let mut block = Block::new("embed", Vec::new())
        .with("url", Value::Text(url.clone()))
        .with("type", Value::Text(service.kind.to_owned()))
        .with("providerNameSlug", Value::Text(service.slug.to_owned()))
        .with("responsive", Value::Flag(true));
    if let Some(class_name) = service.class_name {
        class = format!("{class} {class_name}");
        block = block.with("className", Value::Text(class_name.to_owned()));
    }
    let mut markup = Markup::new();
    markup.open("figure").attribute("class", &class).end();
    markup.open("div").attribute("class", "wp-block-embed__wrapper").end();
    markup.verbatim("\n");
    markup.text(&url);
    markup.verbatim("\n");
    markup.close();
    if let Some(caption) = caption.filter(|caption| !caption.is_empty()) {
        markup.open("figcaption").attribute("class", "wp-element-caption").end();
        markup.append(caption);
        markup.close();
    }
    block.pieces = markup.finish();
    Some(block)
}

fn service(url: &str) -> Option<&'static Service> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let (host, path) = rest.split_once('/')?;
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(&host);
    SERVICES.iter().find(|service| service.hosts.contains(&host) && (service.fits)(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_embedded_is() {
        for (url, slug) in [
            ("https://www.youtube.com/watch?v=abcdefghijk", Some("youtube")),
            ("https://youtu.be/abcdefghijk?t=10", Some("youtube")),
            ("https://m.youtube.com/shorts/abcdefghijk", Some("youtube")),
            ("https://www.youtube.com/@someone", None),
            ("https://www.youtube.com/", None),
            ("https://www.youtube.com/premium", None),
            ("https://vimeo.com/123456", Some("vimeo")),
            ("https://vimeo.com/about", None),
            ("https://x.com/a/status/1", Some("twitter")),
            ("https://x.com/a", None),
            ("https://open.spotify.com/track/x", Some("spotify")),
            ("https://speakerdeck.com/a/b", Some("speaker-deck")),
            ("https://speakerdeck.com/a", None),
            ("https://evil.example/youtube.com/watch?v=1", None),
            ("https://youtube.com.evil.example/watch?v=1", None),
            ("ftp://youtube.com/watch?v=1", None),
        ] {
            assert_eq!(service(url).map(|service| service.slug), slug, "{url}");
        }
    }
}
