//! What a window shows of an article that means harm: nothing that acts.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use html5ever::ns;
use serde_json::{Value, json};

use super::support::{Place, read};
use crate::html::dom::{self, Data, Dom, Id};
use crate::image::samples::{jpeg_with, png};
use crate::preview::harmless;
use crate::{Options, discover, load};

/// Set to write the cleaned texts anew, by which the window is tested in a browser.
const BLESS: &str = "ICHIDO_BLESS";

fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/fixtures/preview"))
}

struct Case {
    kind: String,
    name: String,
    text: String,
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(fixtures().join("hostile.txt")).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("%%% ").and_then(|head| head.trim_end().split_once(' ')) {
            Some((kind, name)) => {
                cases.push(Case { kind: kind.to_owned(), name: name.to_owned(), text: String::new() });
            }
            None => cases.last_mut().unwrap().text.push_str(line),
        }
    }
    for case in &mut cases {
        case.text.pop();
    }
    cases
}

/// Says what in a piece of markup could act.
fn harm(html: &str) -> String {
    let mut found = String::new();
    let dom = dom::fragment(html).unwrap();
    walk(&dom, Dom::root(), &mut found);
    found
}

fn walk(dom: &Dom, id: Id, found: &mut String) {
    const ELEMENTS: &str = " p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code em strong b i u s del ins mark \
        small sub sup kbd samp var abbr cite q time span div section figure figcaption table thead tbody tfoot tr th \
        td caption ruby rt rp a summary details bdi bdo address br hr wbr img ";
    match &dom.node(id).data {
        Data::Root | Data::Text(_) => {}
        Data::Comment(text) => {
            let _ = write!(found, "comment {text}; ");
        }
        Data::Element { name, attributes, .. } => {
            if name.ns != ns!(html) || !ELEMENTS.contains(&format!(" {} ", &*name.local)) {
                let _ = write!(found, "element {}; ", &*name.local);
            }
            for attribute in attributes {
                let value = &*attribute.value;
                let fine = match &*attribute.name.local {
                    "class" => value
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' ')),
                    "alt" | "title" => !value.contains('\0'),
                    "dir" => matches!(value, "ltr" | "rtl" | "auto"),
                    "lang" => value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
                    "src" => {
                        let kinds = ["png", "jpeg", "gif", "webp", "avif"];
                        &*name.local == "img"
                            && kinds
                                .iter()
                                .any(|kind| value.starts_with(&format!("data:image/{kind};base64,")))
                    }
                    "start" | "value" | "width" | "height" | "colspan" | "rowspan" => {
                        value.parse::<i32>().is_ok()
                    }
                    "type" => value.len() == 1,
                    "open" | "reversed" => value.is_empty(),
                    _ => false,
                };
                if !fine || attribute.name.ns != ns!() {
                    let _ = write!(found, "attribute {}={value}; ", &*attribute.name.local);
                }
            }
        }
    }
    for &child in dom.children(id) {
        walk(dom, child, found);
    }
}

/// What the window would be given for a text: as an article where it makes one, and the text itself.
fn shown(case: &Case) -> Vec<String> {
    let picture = "data:image/png;base64,AA==";
    let mut all = vec![harmless(&case.text, &mut |index| (index == 0).then(|| picture.to_owned()))];
    let name = if case.kind == "md" { "index.md" } else { "index.html" };
    let head = if case.kind == "md" { "---\ntitle: T\n---\n\n" } else { "<title>T</title>\n<p>first</p>\n" };
    let article = read(name, format!("{head}{}", case.text)).article;
    all.extend(article.map(|article| article.preview().html));
    all
}

#[test]
fn nothing_that_is_shown_acts() {
    let cases = cases();
    let names: HashSet<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    assert!(names.len() >= 150, "{} cases", names.len());
    let mut told: Vec<Value> = Vec::new();
    for case in &cases {
        let shown = shown(case);
        for html in &shown {
            let mut again = html.clone();
            // What is read and written again, as by a browser, is as harmless.
            for _ in 0..3 {
                assert_eq!(harm(&again), "", "{}: {}\n{again}", case.name, case.text);
                again = harmless(&again, &mut |_| None);
            }
        }
        told.push(json!({ "name": case.name, "kind": case.kind, "source": case.text, "shown": shown }));
    }
    let path = fixtures().join("shown.json");
    let text = format!("{:#}\n", Value::from(told));
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    // What becomes of a text as an article changes with the articles; what is cleaned of it does not by itself.
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_default()).unwrap_or_default();
    let cleaned = |cases: &Value| -> Vec<(String, String)> {
        let all = cases.as_array().into_iter().flatten();
        all.map(|case| (case["source"].to_string(), case["shown"][0].to_string())).collect()
    };
    let told = serde_json::from_str(&text).unwrap();
    assert_eq!(cleaned(&written), cleaned(&told), "{}: run this test with {BLESS}=1", path.display());
}

#[test]
fn the_check_itself_finds_harm() {
    for html in [
        "<script>hit()</script>",
        "<p onclick=hit()>a</p>",
        "<img src=http://leak.invalid/a.png>",
        "<img src='data:image/svg+xml;base64,AA=='>",
        "<a href=x>a</a>",
        "<p style='color:red'>a</p>",
        "<svg></svg>",
        "<iframe></iframe>",
        "<p id=a>a</p>",
    ] {
        assert_ne!(harm(html), "", "{html}");
    }
}

#[test]
fn what_was_written_is_there() {
    let text = "---\ntitle: T\n---\n\n## 見出し\n\nこれは**太字**と[リンク](https://example.com/?a=1&b=2)です。\n\n\
        ![海](a.png)\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n<!--more-->\n\n1. x\n2. y\n";
    let place = Place::with(&[("article/index.md", text.as_bytes()), ("article/a.png", &png(3, 2))]);
    let html = place.load().article.unwrap().preview().html;
    for part in [
        ">見出し</h2>",
        "<strong>太字</strong>",
        "title=\"https://example.com/?a=1&amp;b=2\">リンク</a>",
        "src=\"data:image/png;base64,",
        "alt=\"海\"",
        "<td>1</td>",
        "fn main() {}</code></pre>",
        "<hr class=\"preview-more\">",
        "<li>x</li>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("href"), "a link leads nowhere");
}

#[test]
fn pictures_come_from_the_folder_alone_and_are_bounded() {
    let large = jpeg_with(4, 3, &[]);
    let place =
        Place::with(&[("article/a.png", &png(3, 2)), ("article/b.jpg", &large), ("secret.png", &png(9, 9))]);
    let text = "---\ntitle: T\nimage: b.jpg\n---\n\n![one](a.png)\n\n![remote](https://leak.invalid/a.png)\n\ntext\n";
    place.put("article/index.md", text.as_bytes());
    let article = load(&discover(&[place.path().join("article")]).unwrap().articles[0], &Options::default())
        .article
        .unwrap();
    let preview = article.preview();
    assert_eq!(preview.html.matches("src=\"data:image/").count(), 2, "{}", preview.html);
    assert!(preview.html.contains("alt=\"remote\""), "what is elsewhere is named and not fetched");
    assert!(!preview.html.contains("leak.invalid"));
    assert_eq!((preview.pictures_left_out, preview.cut), (0, false));
    // What went away, or leads out of the folder by now, is not shown.
    std::fs::remove_file(place.path().join("article/a.png")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.png", place.path().join("article/a.png")).unwrap();
    let preview = article.preview();
    assert_eq!(preview.html.matches("src=\"data:image/").count(), 1, "{}", preview.html);
    assert_eq!(preview.pictures_left_out, 1);
}

#[test]
fn a_text_without_end_is_shown_in_part() {
    let text = format!("---\ntitle: T\n---\n\n{}", "とても長い話です。\n\n".repeat(120_000));
    let preview = read("index.md", text).article.unwrap().preview();
    assert!(preview.cut);
    assert!(preview.html.len() < 4 << 20, "{}", preview.html.len());
}
