//! Front matter in every dress, and its traps.

use proptest::prelude::*;

use super::support::{read, telling};
use crate::{Article, DescriptionIs, FieldValue, FindingCode, Loaded, Options, Severity, discover, load};

fn article(text: &str) -> Article {
    let loaded = read("index.md", text);
    loaded.article.clone().unwrap_or_else(|| panic!("{text}\n{:#?}", loaded.findings))
}

fn refused(text: &str) -> Vec<(FindingCode, Option<u32>)> {
    let loaded: Loaded = read("index.md", text);
    assert!(loaded.article.is_none(), "{text}");
    telling(&loaded)
}

#[test]
fn every_format_gives_the_same_article() {
    let yaml = "---\ntitle: T\nslug: s-1\nexcerpt: E\ntags: [a, b]\ncategories:\n  - News\n---\nbody\n";
    let toml = "+++\ntitle = \"T\"\nslug = \"s-1\"\nexcerpt = \"E\"\ntags = [\"a\", \"b\"]\ncategories = [\"News\"]\n+++\nbody\n";
    let json = "{\n\"title\": \"T\", \"slug\": \"s-1\", \"excerpt\": \"E\", \"tags\": [\"a\", \"b\"], \"categories\": [\"News\"]\n}\nbody\n";
    let commented =
        "<!--\n---\ntitle: T\nslug: s-1\nexcerpt: E\ntags: a, b\ncategories: News\n---\n-->\nbody\n";
    let bare = "<!-- title: T\nslug: s-1\nexcerpt: E\ntags: '#a、 b'\ncategory: News -->\nbody\n";
    for text in [yaml, toml, json, commented, bare] {
        let article = article(text);
        assert_eq!(
            (article.title.as_str(), article.slug.as_str(), article.excerpt.as_str()),
            ("T", "s-1", "E"),
            "{text}"
        );
        assert_eq!(
            (article.tags.as_slice(), article.categories.as_slice()),
            (["a".to_owned(), "b".to_owned()].as_slice(), ["News".to_owned()].as_slice()),
            "{text}"
        );
        assert_eq!(
            article.compose(&[], None).unwrap(),
            "<!-- wp:paragraph -->\n<p>body</p>\n<!-- /wp:paragraph -->"
        );
    }
}

#[test]
fn scalars_are_read_as_they_are_written() {
    for (written, title) in [
        ("2026-11-30", "2026-11-30"),
        ("no", "no"),
        ("true", "true"),
        ("0123", "0123"),
        ("1.10", "1.10"),
        ("0x1F", "0x1F"),
        ("1e3", "1e3"),
        (".5", ".5"),
        ("'null'", "null"),
        ("\"a: b # c\"", "a: b # c"),
        ("12:30:45", "12:30:45"),
        ("a\tb", "a b"),
        ("日本語：記号", "日本語：記号"),
        ("|\n  two\n  lines", "two lines"),
        (">\n  folded\n  text", "folded text"),
        ("!!str 5", "5"),
    ] {
        assert_eq!(article(&format!("---\ntitle: {written}\n---\nx\n")).title, title, "{written:?}");
    }
    assert_eq!(article("---\ntitle: T\nslug: 0123\n---\nx\n").slug.as_str(), "0123");
    assert_eq!(article("---\ntitle: T\ntags: [2026, 3, no]\n---\nx\n").tags, ["2026", "3", "no"]);
    assert_eq!(article("+++\ntitle = 2026-11-30\nslug = 12\n+++\nx\n").title, "2026-11-30");
    assert_eq!(article("{\"title\": 7, \"slug\": \"s\"}\nx\n").title, "7");
}

#[test]
fn byte_order_marks_line_ends_and_blank_lines_are_no_matter() {
    assert_eq!(article("\u{feff}---\r\ntitle: T\r\n---\r\nx\r\n").title, "T");
    assert_eq!(article("\n\n---\ntitle: T\n---\nx\n").title, "T");
    assert_eq!(article("---  \ntitle: T\n...\nx\n").title, "T");
}

#[test]
fn a_rule_at_the_top_is_no_front_matter() {
    let loaded = read("index.md", "---\n\n# Title\n\ntext\n\n---\n\nmore text\n");
    assert_eq!(loaded.article.unwrap().title, "Title");
    let loaded = read("index.md", "# Title\n\ntext\n\n---\n\ntitle: x\n\n---\n");
    assert_eq!(loaded.article.unwrap().title, "Title");
}

#[test]
fn traps_are_findings_with_their_line() {
    use FindingCode as Code;
    let cases: &[(&str, Code, Option<u32>)] = &[
        ("---\ntitle: T\nx\n", Code::FrontMatterUnclosed, Some(1)),
        ("+++\ntitle = \"T\"\nx\n", Code::FrontMatterUnclosed, Some(1)),
        ("---\ntitle: T\ntags: a\ntitle: U\n---\nx\n", Code::FrontMatterDuplicateKey, Some(4)),
        ("{\"title\": \"T\",\n\"title\": \"U\"}\nx\n", Code::FrontMatterDuplicateKey, Some(1)),
        ("---\ntitle: T\ntags:\n\t- a\n---\nx\n", Code::FrontMatterTab, Some(4)),
        ("---\ntitle: Coffee: the best\n---\nx\n", Code::FrontMatterColon, Some(2)),
        ("---\ntags:\n  - a\ntitle: 猫: 犬: 鳥\nslug: s\n---\nx\n", Code::FrontMatterColon, Some(4)),
        ("---\ntitle: [速報] 値上げ\n---\nx\n", Code::FrontMatterQuotes, Some(2)),
        ("---\ntitle: @user さん\n---\nx\n", Code::FrontMatterQuotes, Some(2)),
        ("---\ntitle: *強調* の話\n---\nx\n", Code::FrontMatterQuotes, Some(2)),
        ("---\ntitle: \"引用\" の話\n---\nx\n", Code::FrontMatterQuotes, Some(2)),
        ("---\ntitle: T\ntags: #a #b\n---\nx\n", Code::FrontMatterQuotes, Some(3)),
        ("---\ntitle: \"a\\x07b\"\n---\nx\n", Code::ControlCharacter, Some(2)),
        ("---\ntitle: T\nignore: maybe\n---\nx\n", Code::ValueUnusable, Some(3)),
        ("---\ntitle: \"T\n---\nx\n", Code::FrontMatterSyntax, None),
        ("---\ntitle: [a\n---\nx\n", Code::FrontMatterSyntax, None),
        ("---\nslug: s\ntitle： 全角\n---\nx\n", Code::FrontMatterFullWidth, Some(3)),
        ("---\ntitle：全角\n---\nx\n", Code::FrontMatterFullWidth, Some(2)),
        ("---\ntitle:　全角空白\n---\nx\n", Code::FrontMatterFullWidth, Some(2)),
        ("+++\ntitle = T\n+++\nx\n", Code::FrontMatterSyntax, Some(2)),
        ("{\n\"title\": }\nx\n", Code::FrontMatterSyntax, Some(2)),
        ("---\ntitle: [a, b]\n---\nx\n", Code::ValueUnusable, Some(2)),
        ("---\ntitle: T\ntags: {a: b}\n---\nx\n", Code::ValueUnusable, Some(3)),
        ("---\ntitle: T\nexcerpt: a\nsummary: b\n---\nx\n", Code::KeyConflict, Some(4)),
        ("---\ntitle: T\nslug: '...'\n---\nx\n", Code::SlugEmpty, Some(3)),
    ];
    for (text, code, line) in cases {
        let found = refused(text);
        assert!(
            found.iter().any(|(got, at)| got == code && (line.is_none() || at == line)),
            "{text:?}: {found:?}"
        );
    }
}

#[test]
fn growing_yaml_is_stopped() {
    let mut bomb = "---\na: &a [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (name, before) in ('b'..='j').zip('a'..) {
        bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 10].join(",")));
    }
    bomb.push_str("title: T\n---\nx\n");
    assert_eq!(refused(&bomb)[0].0, FindingCode::FrontMatterTooLarge);
    let deep = format!("---\ntitle: {}{}\n---\nx\n", "[".repeat(200), "]".repeat(200));
    assert_eq!(refused(&deep)[0].0, FindingCode::FrontMatterTooLarge);
    let long = format!("---\ntitle: T\nx: {}\n---\nx\n", "y".repeat(70_000));
    assert_eq!(refused(&long)[0].0, FindingCode::FrontMatterTooLarge);
    let recursive = "---\na: &a [*a]\ntitle: T\n---\nx\n";
    assert_eq!(refused(recursive)[0].0, FindingCode::FrontMatterSyntax);
}

#[test]
fn aliases_of_keys_are_known() {
    let text = "---\nタイトル: T\nスラッグ: スラッグ\n概要: E\nタグ: [x]\nカテゴリー: お知らせ\nアイキャッチ: a.png\nemoji: 😸\nlayout: post\ndate: 2026-11-30\n---\nx\n";
    let loaded = read("index.md", text);
    let article = loaded.article.as_ref().unwrap();
    assert_eq!(
        (article.title.as_str(), article.slug.as_str(), article.excerpt.as_str()),
        ("T", "スラッグ", "E")
    );
    assert_eq!(
        (article.tags.len(), article.categories[0].as_str(), article.featured),
        (1, "お知らせ", Some(0))
    );
    assert_eq!(telling(&loaded), [(FindingCode::KeysUnused, Some(8))]);
    assert_eq!(loaded.findings[0].params["keys"], "emoji, layout, date");
}

#[test]
fn featured_images_come_in_many_forms() {
    for (matter, index) in [
        ("featured_image: a.png", Some(0)),
        ("cover:\n  image: ./a.png\n  alt: A\n  caption: C", Some(0)),
        ("header:\n  teaser: a.png", Some(0)),
        ("images: [a.png, img/b.jpg]", Some(0)),
        ("featured: true", None),
        ("image: https://e.com/a.png", None),
    ] {
        let article = article(&format!("---\ntitle: T\n{matter}\n---\nx\n"));
        assert_eq!(article.featured, index, "{matter}");
        if matter.starts_with("cover") {
            assert_eq!((article.images[0].alt.as_str(), article.images[0].caption.as_str()), ("A", "C"));
        }
    }
}

#[test]
fn slugs_come_from_addresses_too() {
    for (matter, slug) in [
        ("permalink: /2026/11/my-post/", "my-post"),
        ("url: https://e.com/blog/my-post.html", "my-post"),
        ("permalink: /:categories/:title/", "article"),
        ("slug: Hello World", "hello-world"),
        ("slug: はじめての 記事", "はじめての-記事"),
    ] {
        assert_eq!(article(&format!("---\ntitle: T\n{matter}\n---\nx\n")).slug.as_str(), slug, "{matter}");
    }
    let adjusted = read("index.md", "---\ntitle: T\nslug: Hello World\n---\nx\n");
    assert_eq!(telling(&adjusted), [(FindingCode::SlugAdjusted, Some(3))]);
}

#[test]
fn unknown_keys_are_notes_with_a_guess() {
    let loaded = read("index.md", "---\ntitle: T\ncatgories: News\nzzzzzz: 1\n---\nx\n");
    assert_eq!(telling(&loaded), [(FindingCode::KeyUnknown, Some(3)), (FindingCode::KeyUnknown, Some(4))]);
    assert_eq!(loaded.findings[0].params["similar"], "categories");
    assert!(!loaded.findings[1].params.contains_key("similar"));
    assert!(loaded.article.is_some());
}

#[test]
fn missing_things_are_named() {
    use FindingCode as Code;
    let bare = read("index.md", "# T\n\nx\n");
    assert_eq!(
        super::support::codes(&bare),
        [Code::ExcerptMissing, Code::TagsMissing, Code::CategoriesMissing]
    );
    assert!(bare.article.is_some());
    assert_eq!(refused("text only\n"), [(Code::TitleMissing, None)]);
    assert_eq!(refused("---\ntitle: T\n---\n\n \n"), [(Code::ContentEmpty, None)]);
    assert_eq!(refused("---\ntitle: T\n---\n<!--more-->\n"), [(Code::ContentEmpty, None)]);
    assert_eq!(refused(""), [(Code::TitleMissing, None), (Code::ContentEmpty, None)]);
}

#[test]
fn other_encodings_are_named() {
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode("---\ntitle: 日本語のタイトル\n---\nこんにちは。\n");
    let loaded = read("index.md", &sjis);
    assert_eq!(telling(&loaded), [(FindingCode::TextNotUtf8, None)]);
    assert_eq!(loaded.findings[0].params["encoding"], "Shift_JIS");
    assert_eq!(telling(&read("index.md", b"a\0b")), [(FindingCode::TextBinary, None)]);
}

fn with_options(text: &str, options: &Options) -> Loaded {
    let place = super::support::Place::with(&[("article/index.md", text.as_bytes())]);
    load(&discover(&[place.path().to_owned()]).unwrap().articles[0], options)
}

#[test]
fn a_description_beside_an_excerpt_is_no_conflict() {
    let both = "---\ntitle: T\ndescription: D\nexcerpt: E\n---\nx\n";
    let alone = "---\ntitle: T\ndescription: D\n---\nx\n";
    let same = "---\ntitle: T\ndescription: E\nexcerpt: E\n---\nx\n";
    let unused = [(FindingCode::DescriptionUnused, Some(3))];
    for (description_is, text, excerpt, found) in [
        (DescriptionIs::Excerpt, both, "E", unused.as_slice()),
        (DescriptionIs::Excerpt, alone, "D", &[]),
        (DescriptionIs::Excerpt, same, "E", &[]),
        (DescriptionIs::Seo, both, "E", &unused),
        (DescriptionIs::Seo, alone, "", &unused),
        (DescriptionIs::Ignored, both, "E", &[(FindingCode::KeysUnused, Some(3))]),
        (DescriptionIs::Ignored, alone, "", &[(FindingCode::KeysUnused, Some(3))]),
    ] {
        let loaded = with_options(text, &Options { description_is, ..Options::default() });
        assert_eq!(loaded.article.as_ref().unwrap().excerpt, excerpt, "{description_is:?} {text}");
        assert_eq!(telling(&loaded), found, "{description_is:?} {text}");
    }
}

#[test]
fn categories_and_custom_fields_come_from_the_settings() {
    let options = Options {
        default_categories: vec!["お知らせ".into()],
        custom_fields: vec![("meta_title".into(), "_seo_title".into()), ("price".into(), "price".into())],
        ..Options::default()
    };
    let loaded = with_options("---\ntitle: T\nMeta-Title: M\n---\nx\n", &options);
    let article = loaded.article.as_ref().unwrap();
    assert_eq!(article.categories, ["お知らせ"]);
    assert_eq!(article.custom_fields, [("_seo_title".to_owned(), FieldValue::Text("M".to_owned()))]);
    assert_eq!(telling(&loaded), []);
    let own = with_options("---\ntitle: T\ncategory: News\n---\nx\n", &options);
    assert_eq!(own.article.unwrap().categories, ["News"]);
}

#[test]
fn what_says_that_it_is_not_to_be_published_is_passed_over() {
    for (matter, ignored) in [
        ("ignore: true", true),
        ("ignorePublish: true", true),
        ("publish: false", true),
        ("draft-ignore: yes", true),
        ("ignore: false", false),
        ("publish: true", false),
        ("published: false", false),
        ("draft: true", false),
    ] {
        let loaded = read("index.md", format!("---\ntitle: T\n{matter}\n---\nx\n"));
        assert_eq!((loaded.is_ignored(), loaded.article.is_none()), (ignored, ignored), "{matter}");
    }
}

#[test]
fn names_of_tags_are_read_as_they_are_meant_or_asked_about() {
    for (written, tags, is_asked) in [
        ("ruby rails", vec!["ruby rails"], true),
        ("\"#ruby #rails\"", vec!["ruby", "rails"], false),
        ("ruby, on rails", vec!["ruby", "on rails"], false),
        ("[on rails]", vec!["on rails"], false),
        ("[\"a, b\", R&D, C++, c#]", vec!["a, b", "R&D", "C++", "c#"], false),
        ("[カ\u{3099}, ガ, ｶﾞ]", vec!["ガ", "ｶﾞ"], false),
        ("犬、猫，鳥", vec!["犬", "猫", "鳥"], false),
        ("", vec![], false),
    ] {
        let loaded = read("index.md", format!("---\ntitle: T\ntags: {written}\n---\nx\n"));
        assert_eq!(loaded.article.as_ref().unwrap().tags, tags, "{written}");
        let asked = telling(&loaded).iter().any(|found| found.0 == FindingCode::ValueAmbiguous);
        assert_eq!(asked, is_asked, "{written}");
    }
}

#[test]
fn characters_that_are_not_seen_are_told() {
    for (title, code) in [
        ("a\u{202e}b", Some(FindingCode::InvisibleCharacter)),
        ("a\u{200b}b", Some(FindingCode::InvisibleCharacter)),
        ("\"\\u0085 a\"", None),
        ("\"a\\u0085b\"", Some(FindingCode::ControlCharacter)),
        ("👨\u{200d}👩\u{200d}👧", None),
    ] {
        let loaded = read("index.md", format!("---\ntitle: {title}\n---\nx\n"));
        assert_eq!(telling(&loaded).first().map(|found| found.0), code, "{title:?}");
    }
}

/// Pieces of which people and tools make front matter, whole and broken.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "---\n",
        "+++\n",
        "title",
        "tags",
        "description",
        "ignore",
        ": ",
        ":",
        "：",
        ":\u{3000}",
        " = ",
        "\n",
        "\n\t",
        "  - ",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "#a",
        " #",
        "&a ",
        "*a",
        "!",
        "@",
        "|\n",
        ">\n",
        "<!--",
        "-->",
        "...\n",
        "true",
        "2026-11-30",
        "\\u0007",
        "\u{202e}",
        "\u{feff}",
        "日本語",
        "カ\u{3099}",
        "a: b: c",
        "null",
        "~",
        "x",
        " ",
        "\r\n",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_front_matter_is_read_or_told(matter in pieces(), fenced in any::<bool>()) {
        let text = if fenced { format!("---\n{matter}\n---\nbody\n") } else { matter };
        let lines = u32::try_from(text.lines().count()).unwrap() + 1;
        for name in ["index.md", "index.html"] {
            let loaded = read(name, &text);
            let codes: Vec<_> = loaded.findings.iter().map(|found| found.code).collect();
            prop_assert!(!codes.contains(&FindingCode::TextReaderFailed), "{text:?}");
            let has_error = loaded.findings.iter().any(|found| found.severity == Severity::Error);
            prop_assert_eq!(loaded.article.is_none(), has_error || loaded.is_ignored(), "{:?}: {:?}", text, codes);
            for found in &loaded.findings {
                prop_assert!(found.line.is_none_or(|line| (1..=lines).contains(&line)), "{text:?}: {found:?}");
            }
        }
    }
}

#[test]
fn custom_fields_stand_in_maps_of_their_own() {
    let one = |name: &str, value: &str| (name.to_owned(), FieldValue::Text(value.to_owned()));
    let read = article(
        "---\ntitle: T\nmeta:\n  rating: 4\n  Sub_title: \" a \"\n  none:\nacf: {shown: yes}\ncustom-fields:\n  sources: [a, b]\n  rating: 4\n---\nx\n",
    );
    let list = FieldValue::List(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!(
        read.custom_fields,
        [one("rating", "4"), one("Sub_title", "a"), one("shown", "yes"), ("sources".to_owned(), list)]
    );
    let toml = article("+++\ntitle = \"T\"\n[meta]\nrating = 4\n+++\nx\n");
    assert_eq!(toml.custom_fields, [one("rating", "4")]);
    let other = article("---\ntitle: T\nmeta: {rating: 5}\n---\nx\n");
    assert_ne!(toml.source_digest, other.source_digest, "what is sent has changed");

    // Another value under another key, a map in a field, and the field that only notes fill.
    for (text, code, line) in [
        ("---\ntitle: T\nmeta: {a: 1}\nacf:\n  a: 2\n---\nx\n", FindingCode::KeyConflict, Some(5)),
        ("---\ntitle: T\nmeta:\n  a: {b: c}\n---\nx\n", FindingCode::ValueUnusable, Some(4)),
        ("---\ntitle: T\nmeta:\n  footnotes: '[]'\n---\nx\n", FindingCode::ValueUnusable, Some(4)),
    ] {
        assert!(refused(text).contains(&(code, line)), "{text}: {:?}", refused(text));
    }
    // Text or a list under the same key is some other tool's.
    for value in ["text", "[a, b]", "- name: x"] {
        let loaded = super::support::read("index.md", format!("---\ntitle: T\nmeta:\n  {value}\n---\nx\n"));
        assert!(telling(&loaded).contains(&(FindingCode::KeysUnused, Some(3))), "{value}");
        assert_eq!(loaded.article.expect(value).custom_fields, []);
    }
}
