use super::*;
use proptest::prelude::*;

fn slug(text: &str) -> String {
    Slug::sanitise(text).map(|slug| slug.as_str().to_owned()).unwrap_or_default()
}

#[test]
fn follows_the_server_on_punctuation_and_case() {
    for (text, expected) in [
        ("Hello World", "hello-world"),
        ("a.b/c", "a-b-c"),
        ("__x__", "__x__"),
        ("--a--b--", "a-b"),
        ("a\tb\nc", "abc"),
        ("a – b — c", "a-b-c"),
        ("‘quoted’ “x”", "quoted-x"),
        ("3×4", "3x4"),
        ("AT&amp;T", "att"),
        ("AT&T", "att"),
        ("a&nbsp;b", "a-b"),
        ("foo&bar;baz", "foobaz"),
        ("100%", "100"),
        ("%zz", "zz"),
        ("<b>bold</b> x", "bold-x"),
        ("a < b > c", "a-b-c"),
        ("a<b", "a"),
        ("1 <2> 3", "1-3"),
        ("<!-- c -->x", "x"),
        ("<a title='>'>link</a>", "link"),
        ("x\u{200b}y", "xy"),
        ("x\u{2003}y", "x-y"),
        ("a\u{2011}b", "a-b"),
        ("#tag @home", "tag-home"),
        ("C++ & C#", "c-c"),
        ("a;b:c,d", "abcd"),
        ("x…y", "xy"),
        ("a\\b", "ab"),
        ("  lead ", "lead"),
        ("2026-11-30", "2026-11-30"),
        ("_", "_"),
    ] {
        assert_eq!(slug(text), expected, "{text:?}");
    }
}

#[test]
fn follows_the_server_on_accents_and_scripts() {
    for (text, expected) in [
        ("Ünïcödé Straße", "unicode-strase"),
        ("e\u{301}", "e"),
        ("Œuvre №5", "oeuvre-№5"),
        ("İstanbul", "istanbul"),
        ("ΑΣ", "ας".replace('ς', "σ").as_str()),
        ("€5 £6", "e5-6"),
        ("Ə ǝ", "e-e"),
        ("が", "が"),
        ("か\u{3099}", "が"),
        ("ＡＢＣ　テスト", "ａｂｃ　テスト"),
        ("日本語、テスト。！", "日本語、テスト。！"),
        ("🎉party🎉", "🎉party🎉"),
        ("ﾊﾝｶｸ", "ﾊﾝｶｸ"),
        ("ⅣA", "ⅳa"),
        ("Tiếng Việt", "tieng-viet"),
        ("Ḃ", "ḃ"),
    ] {
        assert_eq!(slug(text), expected, "{text:?}");
    }
}

#[test]
fn nothing_left_is_an_error() {
    for text in ["", "...", "-", "|", "^=+", "   ", "<b>", "%", "‘’"] {
        assert_eq!(Slug::sanitise(text), Err(SlugError::Empty), "{text:?}");
    }
}

#[test]
fn cuts_at_two_hundred_encoded_bytes_between_characters() {
    assert_eq!(slug(&"あ".repeat(40)), "あ".repeat(22));
    assert_eq!(slug(&format!("ab{}", "あ".repeat(40))), format!("ab{}", "あ".repeat(22)));
    assert_eq!(slug(&format!("abc{}", "あ".repeat(40))), format!("abc{}", "あ".repeat(21)));
    assert_eq!(slug(&"a".repeat(300)).len(), 200);
    assert_eq!(slug(&"𠮷".repeat(40)), "𠮷".repeat(16));
}

#[test]
fn octets_are_read_as_what_they_encode() {
    assert_eq!(slug("%E6%97%A5%e6%9c%ac"), "日本");
    assert_eq!(slug("%ff%feabc"), "abc");
    assert_eq!(slug("100%25off"), "100off");
    assert_eq!(slug("%2541"), "41");
}

#[test]
fn encodes_as_the_database_holds_it_and_reads_it_back() {
    let slug = Slug::sanitise("日本語 Title").unwrap();
    assert_eq!(slug.encoded(), "%e6%97%a5%e6%9c%ac%e8%aa%9e-title");
    assert_eq!(Slug::from_site(&slug.encoded()), slug);
    assert_eq!(Slug::from_site("日本語-title"), slug);
    assert_eq!(Slug::from_site("%E6%97%A5%E6%9C%AC%E8%AA%9E-title"), slug);
    assert_eq!(Slug::from_site("%ff").as_str(), "%ff");
}

#[test]
fn trashed_slugs_are_cut_like_the_server_does() {
    let trashed = |text: &str| Slug::sanitise(text).unwrap().trashed().as_str().to_owned();
    assert_eq!(trashed("foo"), "foo__trashed");
    assert_eq!(trashed("foo__trashed"), "foo__trashed");
    assert_eq!(trashed(&"a".repeat(200)), format!("{}__trashed", "a".repeat(191)));
    assert_eq!(trashed(&"あ".repeat(22)), format!("{}__trashed", "あ".repeat(21)));
    let hyphen_at_the_cut = format!("{}-{}", "a".repeat(190), "b".repeat(9));
    assert_eq!(trashed(&hyphen_at_the_cut), format!("{}__trashed", "a".repeat(190)));
}

#[test]
fn is_one_string_in_json() {
    let slug = Slug::sanitise("はじめて").unwrap();
    assert_eq!(serde_json::to_string(&slug).unwrap(), "\"はじめて\"");
    assert_eq!(serde_json::from_str::<Slug>("\"はじめて\"").unwrap(), slug);
}

proptest! {
    #[test]
    fn sanitising_twice_changes_nothing(text in "\\PC{0,80}|[ -~]{0,260}|[ぁ-んA-Zａ-ｚÀ-ž%&;<>./ -]{0,60}") {
        if let Ok(first) = Slug::sanitise(&text) {
            prop_assert_eq!(Slug::sanitise(first.as_str()), Ok(first.clone()));
            prop_assert_eq!(Slug::sanitise(&first.encoded()), Ok(first.clone()));
            prop_assert_eq!(Slug::from_site(&first.encoded()), first.clone());
            prop_assert!(first.encoded().len() <= MAX_ENCODED_BYTES);
            prop_assert!(first.trashed().encoded().len() <= MAX_ENCODED_BYTES);
        }
    }
}
