//! Sound, films and frames of other sites.

use html5ever::local_name;
use percent_encoding::percent_decode_str;

use super::convert::Converter;
use super::dom::Id;
use crate::block::{Block, Piece, Value};
use crate::embed;
use crate::images::Source;
use crate::markup::{Markup, Tag};

/// Switches of a player in the order in which the editor writes them, with the file's address and picture between them.
const SOUND: [&str; 5] = ["controls", "src", "autoplay", "loop", "preload"];
const FILM: [&str; 8] = ["autoplay", "controls", "loop", "muted", "poster", "preload", "src", "playsinline"];

impl Converter<'_> {
    /// Makes an audio or video block, or answers that an HTML block has to hold the player.
    pub(super) fn player(&mut self, id: Id, caption: Option<Id>, out: &mut Vec<Block>) -> bool {
        let dom = self.dom;
        let is_film = dom.is(id, &local_name!("video"));
        let (name, order): (&'static str, &[&str]) =
            if is_film { ("video", &FILM) } else { ("audio", &SOUND) };
        let Some(file) = self.file_of(id) else { return false };
        let known = [
            "class",
            "width",
            "height",
            "src",
            "controls",
            "autoplay",
            "loop",
            "preload",
            "muted",
            "poster",
            "playsinline",
        ];
        if !self.has_only(id, &known) {
            return false;
        }
        let line = self.line(id);
        let source = self.media(&file, line);
        let Some((file_pieces, media)) = slots(&source) else { return true };
        let poster = dom.attribute(id, "poster").filter(|poster| is_film && !poster.is_empty());
        let poster = poster.map(|poster| self.source(id, poster, "", ""));
        let mut markup = Markup::new();
        let class_name = self.class_name(id);
        let class = class_name.as_ref().map(|own| format!("wp-block-{name} {own}"));
        markup
            .open("figure")
            .attribute("class", class.as_deref().unwrap_or(&format!("wp-block-{name}")))
            .end();
        let mut tag = markup.open(name);
        for attribute in order {
            tag = match *attribute {
                "src" => tag.attribute_of("src", file_pieces.clone()),
                "poster" => match poster.as_ref().and_then(slots) {
                    Some((pieces, _)) => tag.attribute_of("poster", pieces),
                    None => tag,
                },
                "preload" => match dom.attribute(id, "preload") {
                    // The editor leaves out what browsers do by themselves.
                    Some(value @ ("auto" | "none")) => tag.attribute("preload", value),
                    Some("metadata") if !is_film => tag.attribute("preload", "metadata"),
                    Some(_) | None => tag,
                },
                switch => switched(tag, switch, dom.attribute(id, switch).is_some()),
            };
        }
        tag.end();
        markup.close();
        if let Some(caption) = self.caption(caption).filter(|caption| !caption.is_empty()) {
            markup.open("figcaption").attribute("class", "wp-element-caption").end();
            markup.append(caption);
            markup.close();
        }
        let mut block = Block::new(name, markup.finish());
        if let Some(index) = media {
            block = block.with("id", Value::ImageId(index));
        }
        if let Some(class_name) = class_name {
            block = block.with("className", Value::Text(class_name));
        }
        out.push(block);
        true
    }

    /// The one file that a player plays. What it shows where it cannot play is not looked at.
    fn file_of(&self, id: Id) -> Option<String> {
        let dom = self.dom;
        let named = |id| dom.attribute(id, "src").map(str::trim).filter(|src| !src.is_empty());
        let mut files: Vec<&str> = named(id).into_iter().collect();
        for &child in dom.children(id) {
            match dom.name(child) {
                Some(&local_name!("source")) => files.extend(named(child)),
                Some(&local_name!("track")) => return None,
                Some(_) | None => {}
            }
        }
        match files.as_slice() {
            [only] => Some((*only).to_owned()),
            _ => None,
        }
    }

    /// Makes an embed block of the frame of a known service, or answers that an HTML block has to hold it.
    pub(super) fn frame(&mut self, id: Id, caption: Option<Id>, out: &mut Vec<Block>) -> bool {
        let page = self.dom.attribute(id, "src").and_then(|src| page_of(src.trim()));
        let caption = self.caption(caption);
        match page.and_then(|page| embed::captioned(&page, caption)) {
            Some(block) => {
                out.push(block);
                true
            }
            None => false,
        }
    }
}

fn switched<'m>(tag: Tag<'m>, name: &str, on: bool) -> Tag<'m> {
    if on { tag.flag(name) } else { tag }
}

/// What stands for an address, and the index of the file where it is one of the article's own.
fn slots(source: &Source) -> Option<(Vec<Piece>, Option<usize>)> {
    match source {
        Source::Local(index) => Some((vec![Piece::ImageUrl(*index)], Some(*index))),
        Source::Remote(url) => Some((vec![Piece::Markup(url.clone())], None)),
        Source::Broken => None,
    }
}

/// The page of what a service shows in a frame.
fn page_of(frame: &str) -> Option<String> {
    let rest = frame
        .strip_prefix("https://")
        .or_else(|| frame.strip_prefix("http://"))
        .or_else(|| frame.strip_prefix("//"))?;
    let (host, path) = rest.split_once('/')?;
    let host = host.strip_prefix("www.").unwrap_or(host).to_ascii_lowercase();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let id = |start: &str| {
        let id = path.strip_prefix(start)?.split(['/', '&', '#']).next()?;
        let is_plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        is_plain.then_some(id)
    };
    let value = |name: &str| {
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    };
    match host.as_str() {
        "youtube.com" | "youtube-nocookie.com" => {
            if path == "embed/videoseries" {
                return Some(format!("https://www.youtube.com/playlist?list={}", value("list")?));
            }
            let start = value("start").map(|start| format!("&t={start}s")).unwrap_or_default();
            Some(format!("https://www.youtube.com/watch?v={}{start}", id("embed/")?))
        }
        "player.vimeo.com" => Some(format!("https://vimeo.com/{}", id("video/")?)),
        "dailymotion.com" => Some(format!("https://www.dailymotion.com/video/{}", id("embed/video/")?)),
        "embed.ted.com" => Some(format!("https://www.ted.com/talks/{}", id("talks/")?)),
        "open.spotify.com" => {
            let (kind, id) = path.strip_prefix("embed/")?.split_once('/')?;
            let are_plain = [kind, id]
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            are_plain.then(|| format!("https://open.spotify.com/{kind}/{id}"))
        }
        "w.soundcloud.com" => {
            let url = value("url")?;
            let url = percent_decode_str(&url).decode_utf8().ok()?;
            url.starts_with("https://soundcloud.com/").then(|| url.into_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::page_of;

    #[test]
    fn frames_lead_to_their_pages() {
        for (frame, page) in [
            ("https://www.youtube.com/embed/abc_-1?rel=0", Some("https://www.youtube.com/watch?v=abc_-1")),
            (
                "//www.youtube-nocookie.com/embed/abc?start=90",
                Some("https://www.youtube.com/watch?v=abc&t=90s"),
            ),
            (
                "https://www.youtube.com/embed/videoseries?list=PL1",
                Some("https://www.youtube.com/playlist?list=PL1"),
            ),
            ("https://player.vimeo.com/video/123?h=1", Some("https://vimeo.com/123")),
            ("https://open.spotify.com/embed/track/xyz?utm=1", Some("https://open.spotify.com/track/xyz")),
            (
                "https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b&color=1",
                Some("https://soundcloud.com/a/b"),
            ),
            ("https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1", None),
            ("https://www.google.com/maps/embed?pb=1", None),
            ("https://evil.example/embed/abc", None),
            ("https://www.youtube.com/embed/", None),
            ("https://www.youtube.com/embed/a\"b", None),
            ("embed/abc", None),
        ] {
            assert_eq!(page_of(frame).as_deref(), page, "{frame}");
        }
    }
}
