//! The checks that a person sets.

use super::support::{Place, telling};
use crate::image::samples::png;
use crate::{FindingCode, Gates, Options, discover, load};

fn found(gates: Gates, files: &[(&str, &str)]) -> Vec<(FindingCode, Option<u32>)> {
    let place = Place::with(&[("a.png", &png(1, 1))]);
    for (path, text) in files {
        place.put(path, text.as_bytes());
    }
    let found = discover(&[place.path().to_owned()]).unwrap();
    let location = found.articles.iter().find(|location| location.file.ends_with(files[0].0)).unwrap();
    telling(&load(location, &Options { gates, ..Options::default() }))
}

fn off() -> Gates {
    Gates { alt: false, links: false, local_links: false, title_length: 0, ..Gates::default() }
}

#[test]
fn words_are_found_on_their_lines_and_missed_where_they_must_be() {
    let gates =
        Gates { forbidden: vec!["絶対".into(), "todo".into()], required: vec!["広告".into()], ..off() };
    let text = "---\ntitle: 絶対に痩せる\n---\nこれは\nTODO: 書く\n\n絶対です\n";
    assert_eq!(
        found(gates.clone(), &[("a.md", text), ("b.md", "# T\n\nx\n")]),
        [
            (FindingCode::WordForbidden, None),
            (FindingCode::WordForbidden, Some(7)),
            (FindingCode::WordForbidden, Some(5)),
            (FindingCode::WordMissing, None),
        ]
    );
    let fine = "---\ntitle: T\nexcerpt: 広告を含みます\n---\nx\n";
    assert_eq!(found(gates, &[("a.md", fine), ("b.md", "# T\n\nx\n")]), []);
}

#[test]
fn links_must_lead_somewhere() {
    let text = "---\ntitle: T\n---\n[a](gone.md)\n[b](b.md#節-2)\n[c](b.md#none)\n[d](#はじめに)\n[e](#none)\n[f](#top)\n\n## はじめに\n\nx\n";
    let other = "# T\n\n## 節 2\n\nx\n";
    assert_eq!(
        found(Gates { links: true, ..off() }, &[("a.md", text), ("b.md", other)]),
        [
            (FindingCode::LinkBroken, Some(4)),
            (FindingCode::LinkToFile, Some(5)),
            (FindingCode::LinkToFile, Some(6)),
            (FindingCode::AnchorBroken, Some(6)),
            (FindingCode::AnchorBroken, Some(8)),
        ]
    );
    let codes: Vec<_> =
        found(off(), &[("a.md", text), ("b.md", other)]).into_iter().map(|found| found.0).collect();
    assert_eq!(codes, [FindingCode::LinkRelative, FindingCode::LinkToFile, FindingCode::LinkToFile]);
}

#[test]
fn local_addresses_are_told_for_links_and_pictures() {
    let text = "---\ntitle: T\n---\n[a](http://localhost:3000/x)\n\n![x](http://192.168.0.2/a.png)\n";
    let both = [(FindingCode::LinkLocal, Some(4)), (FindingCode::LinkLocal, Some(6))];
    assert_eq!(found(Gates { local_links: true, ..off() }, &[("a.md", text), ("b.md", "# T\n\nx\n")]), both);
    assert_eq!(found(off(), &[("a.md", text), ("b.md", "# T\n\nx\n")]), []);
}

#[test]
fn texts_and_titles_have_their_lengths() {
    let text = "---\ntitle: あいうえおか\n---\n**本 文**です\n";
    let gates = Gates { shortest: 5, title_length: 5, ..off() };
    assert_eq!(
        found(gates.clone(), &[("a.md", text), ("b.md", "# T\n\nx\n")]),
        [(FindingCode::TitleLong, Some(2)), (FindingCode::TextShort, None)]
    );
    assert_eq!(
        found(Gates { shortest: 4, title_length: 6, ..gates }, &[("a.md", text), ("b.md", "# T\n\nx\n")]),
        []
    );
    let endless = format!("---\ntitle: {}\n---\nx\n", "あ".repeat(1001));
    assert_eq!(
        found(off(), &[("a.md", &endless), ("b.md", "# T\n\nx\n")]),
        [(FindingCode::TitleTooLong, Some(2))]
    );
}

#[test]
fn a_picture_without_words_is_told_once_where_it_is_first_met() {
    let place = Place::with(&[
        ("index.md", b"---\ntitle: T\n---\nx\n\n![](a.png)\n\n![](a.png)\n"),
        ("a.png", &png(1, 1)),
    ]);
    let missing = |place: &Place| {
        let loaded = place.load();
        loaded
            .findings
            .into_iter()
            .filter(|found| found.code == FindingCode::AltMissing)
            .map(|found| found.line)
            .collect::<Vec<_>>()
    };
    assert_eq!(missing(&place), [Some(6)]);
    place.put("index.md", b"---\ntitle: T\n---\n![](a.png)\n\n![said here](a.png)\n");
    assert_eq!(missing(&place), []);
}
