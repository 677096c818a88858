//! An article as it will look, for a window: markup that can do nothing.
//!
//! What is sent may hold anything that a person wrote, scripts included: the site decides what it takes. What is
//! shown here is written anew from the parsed tree, from a short list of elements that only stand there. No
//! attribute but those below is taken over, and the only addresses are pictures of the article itself, inside the
//! markup.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use html5ever::{LocalName, local_name};

use crate::article::Article;
use crate::compose::PlacedImage;
use crate::folder::Folder;
use crate::html::dom::{self, Data, Dom, Id};
use crate::image::{self, Kind};
use crate::images::ArticleImage;

/// The scheme under which the pictures of the article stand until they are put in.
const PICTURE: &str = "ichido-picture:";
/// The longest side of a picture in a preview, in pixels.
const LONGEST_SIDE: u32 = 960;
/// Pictures of up to so many bytes are shown as they are.
const SMALL: usize = 200 << 10;
/// The most bytes that are read of one picture.
const MOST_OF_A_PICTURE: u64 = 24 << 20;
/// The most bytes of pictures in one preview, before they are written down.
const MOST_OF_ALL: usize = 8 << 20;
/// The most pictures of one preview.
const MOST_PICTURES: usize = 60;
/// Longer texts are shown up to here; they are sent whole.
const MOST_MARKUP: usize = 2 << 20;

/// What an article will look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Markup that runs nothing, asks for nothing and leads nowhere.
    pub html: String,
    /// How many pictures of the article are not shown: too many, too large, or changed since.
    pub pictures_left_out: usize,
    /// Whether the text goes on beyond what is shown.
    pub cut: bool,
}

impl Article {
    /// Shows what will be sent, with the pictures of the article's folder in it.
    ///
    /// Bounded: about 12 MB of text at most, whatever the article holds.
    #[must_use]
    pub fn preview(&self) -> Preview {
        let places: Vec<PlacedImage> = (0..self.images.len())
            .map(|index| PlacedImage { id: index as u64 + 1, url: format!("{PICTURE}{index}"), size: None })
            .collect();
        let mut content = self.compose_classic(&places).unwrap_or_default();
        let cut = content.len() > MOST_MARKUP;
        if cut {
            let mut end = MOST_MARKUP;
            while !content.is_char_boundary(end) {
                end -= 1;
            }
            content.truncate(end);
        }
        let mut pictures = Pictures::of(&self.images);
        let mut html = String::with_capacity(content.len());
        if let Some(source) = self.featured.and_then(|index| pictures.source(index)) {
            let alt = self.featured.and_then(|index| self.images.get(index)).map_or("", |image| &image.alt);
            html.push_str("<figure class=\"preview-featured\"><img");
            attribute(&mut html, "src", &source);
            attribute(&mut html, "alt", alt);
            html.push_str("></figure>");
        }
        html.push_str(&harmless(&content, &mut |index| pictures.source(index)));
        Preview { html, pictures_left_out: pictures.left_out(), cut }
    }
}

/// The pictures of an article, each read once.
struct Pictures<'a> {
    images: &'a [ArticleImage],
    sources: Vec<Option<Option<String>>>,
    bytes: usize,
    shown: usize,
}

impl<'a> Pictures<'a> {
    fn of(images: &'a [ArticleImage]) -> Self {
        Self { images, sources: vec![None; images.len()], bytes: 0, shown: 0 }
    }

    fn source(&mut self, index: usize) -> Option<String> {
        if let Some(known) = self.sources.get(index)? {
            // The same picture twice counts twice: it is written twice.
            let length = known.as_ref().map_or(0, |source| source.len() / 4 * 3);
            self.bytes += length;
            return known.clone().filter(|_| self.bytes <= MOST_OF_ALL);
        }
        let read = self.images.get(index).filter(|_| self.shown < MOST_PICTURES).and_then(picture);
        let source =
            read.filter(|(_, bytes)| self.bytes + bytes.len() <= MOST_OF_ALL).map(|(mime, bytes)| {
                self.bytes += bytes.len();
                self.shown += 1;
                format!("data:{mime};base64,{}", STANDARD.encode(bytes))
            });
        if let Some(slot) = self.sources.get_mut(index) {
            *slot = Some(source.clone());
        }
        source
    }

    fn left_out(&self) -> usize {
        self.sources.iter().filter(|source| matches!(source, Some(None))).count()
    }
}

fn picture(image: &ArticleImage) -> Option<(&'static str, Vec<u8>)> {
    let folder = Folder::open(&image.folder).ok()?;
    let bytes = folder.read(&image.relative, MOST_OF_A_PICTURE).ok()?;
    let (kind, size) = image::inspect(&bytes).ok()?;
    let large = size.width.max(size.height) > LONGEST_SIDE;
    let smaller = match kind {
        Kind::Jpeg | Kind::Png if bytes.len() > SMALL && large => {
            image::shrunk(kind, &bytes, LONGEST_SIDE, false)
        }
        Kind::Jpeg | Kind::Png | Kind::Gif | Kind::WebP | Kind::Avif => None,
    };
    Some((kind.mime(), smaller.unwrap_or(bytes)))
}

/// Writes markup anew, with nothing in it that acts.
pub(crate) fn harmless(content: &str, picture: &mut dyn FnMut(usize) -> Option<String>) -> String {
    // What is too complex to be parsed is not shown; the check of the article says so.
    let Ok(dom) = dom::fragment(content) else { return String::new() };
    let mut writer = Harmless { dom: &dom, picture, html: String::with_capacity(content.len()) };
    writer.children(Dom::root());
    writer.html
}

/// What becomes of an element.
enum Fate {
    /// It stands there, with the attributes named beside those of all.
    Stands(&'static [&'static str]),
    /// It has no end.
    Void,
    /// Only what stands in it is shown.
    Opened,
    /// It is gone with what stands in it.
    Gone,
}

fn fate(name: &LocalName) -> Fate {
    match &**name {
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "dl" | "dt" | "dd" | "blockquote" | "pre"
        | "code" | "em" | "strong" | "b" | "i" | "u" | "s" | "del" | "ins" | "mark" | "small" | "sub"
        | "sup" | "kbd" | "samp" | "var" | "abbr" | "cite" | "q" | "time" | "span" | "div" | "section"
        | "figure" | "figcaption" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "caption" | "ruby"
        | "rt" | "rp" | "a" | "summary" | "bdi" | "bdo" | "address" => Fate::Stands(&[]),
        "ol" => Fate::Stands(&["start", "reversed", "type"]),
        "li" => Fate::Stands(&["value"]),
        "td" | "th" => Fate::Stands(&["colspan", "rowspan"]),
        "details" => Fate::Stands(&["open"]),
        "br" | "hr" | "wbr" => Fate::Void,
        "script" | "style" | "template" | "noscript" | "iframe" | "frame" | "frameset" | "noframes"
        | "object" | "embed" | "applet" | "param" | "head" | "title" | "meta" | "link" | "base"
        | "textarea" | "select" | "option" | "optgroup" | "datalist" | "input" | "canvas" | "audio"
        | "video" | "source" | "track" | "map" | "area" | "dialog" | "portal" | "fencedframe" | "noembed"
        | "xmp" | "plaintext" | "listing" | "marquee" | "bgsound" | "keygen" => Fate::Gone,
        _ => Fate::Opened,
    }
}

struct Harmless<'a> {
    dom: &'a Dom,
    picture: &'a mut dyn FnMut(usize) -> Option<String>,
    html: String,
}

impl Harmless<'_> {
    fn children(&mut self, id: Id) {
        // The depth of the tree is bounded where it is built.
        let dom = self.dom;
        for &child in dom.children(id) {
            self.node(child);
        }
    }

    fn node(&mut self, id: Id) {
        let dom = self.dom;
        match &dom.node(id).data {
            Data::Root => self.children(id),
            Data::Text(text) => escape(&mut self.html, text),
            Data::Comment(text) => match text.trim() {
                more if more == "more" || more.starts_with("more ") => {
                    self.html.push_str("<hr class=\"preview-more\">");
                }
                "nextpage" => self.html.push_str("<hr class=\"preview-page\">"),
                _ => {}
            },
            // Drawings and formulas of other languages are not shown.
            Data::Element { .. } => {
                if let Some(name) = dom.name(id) {
                    self.element(id, name);
                }
            }
        }
    }

    fn element(&mut self, id: Id, name: &LocalName) {
        if *name == local_name!("img") {
            return self.image(id);
        }
        match fate(name) {
            Fate::Gone => {}
            Fate::Opened => self.children(id),
            Fate::Void => self.html.push_str(&format!("<{}>", &**name)),
            Fate::Stands(own) => {
                let _ = write!(self.html, "<{}", &**name);
                self.common(id);
                for wanted in own {
                    if let Some(value) = self.dom.attribute(id, wanted).and_then(|value| small(wanted, value))
                    {
                        attribute(&mut self.html, wanted, &value);
                    }
                }
                if *name == local_name!("a")
                    && let Some(to) = self.dom.attribute(id, "href")
                {
                    // A link says where it would lead, and does not.
                    attribute(&mut self.html, "title", &shortened(to, 300));
                }
                self.html.push('>');
                self.children(id);
                let _ = write!(self.html, "</{}>", &**name);
            }
        }
    }

    fn image(&mut self, id: Id) {
        let source = self.dom.attribute(id, "src").unwrap_or_default();
        let index = source.strip_prefix(PICTURE).and_then(|index| index.parse().ok());
        let shown = index.and_then(|index| (self.picture)(index));
        self.html.push_str("<img");
        self.common(id);
        if let Some(shown) = shown {
            attribute(&mut self.html, "src", &shown);
        }
        attribute(&mut self.html, "alt", &shortened(self.dom.attribute(id, "alt").unwrap_or_default(), 500));
        for wanted in ["width", "height"] {
            if let Some(value) = self.dom.attribute(id, wanted).and_then(|value| small(wanted, value)) {
                attribute(&mut self.html, wanted, &value);
            }
        }
        self.html.push('>');
    }

    /// The attributes that any element may have.
    fn common(&mut self, id: Id) {
        if let Some(class) = self.dom.attribute(id, "class") {
            let names = class.split_ascii_whitespace().filter(|name| {
                name.len() <= 60
                    // What the preview draws itself is not for articles to take.
                    && !name.starts_with("preview-")
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            });
            let names: Vec<&str> = names.take(12).collect();
            if !names.is_empty() {
                attribute(&mut self.html, "class", &names.join(" "));
            }
        }
        if let Some(dir @ ("ltr" | "rtl" | "auto")) = self.dom.attribute(id, "dir") {
            attribute(&mut self.html, "dir", dir);
        }
        let is_language = |lang: &&str| {
            lang.len() <= 20 && lang.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if let Some(lang) = self.dom.attribute(id, "lang").filter(is_language) {
            attribute(&mut self.html, "lang", lang);
        }
    }
}

/// Reads a value of few characters: a number, a switch, a kind of list.
fn small(name: &str, value: &str) -> Option<String> {
    match name {
        "reversed" | "open" => Some(String::new()),
        "type" => matches!(value, "1" | "a" | "A" | "i" | "I").then(|| value.to_owned()),
        "colspan" | "rowspan" => Some(value.parse::<u16>().ok()?.clamp(1, 100).to_string()),
        "start" | "value" => Some(value.parse::<i32>().ok()?.to_string()),
        "width" | "height" => value.parse::<u16>().ok().map(|number| number.to_string()),
        _ => None,
    }
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

fn attribute(html: &mut String, name: &str, value: &str) {
    html.push(' ');
    html.push_str(name);
    html.push_str("=\"");
    escape(html, value);
    html.push('"');
}

/// Writes text so that it is text wherever it stands.
fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\0' => {}
            other => html.push(other),
        }
    }
}
