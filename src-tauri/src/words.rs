//! What the program itself says outside its window: in the tray and in notifications.

use crate::view::Language;

/// Declares the words, each in both languages.
macro_rules! words {
    ($($word:ident: $ja:literal, $en:literal;)*) => {
        /// One of the program's own words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word { $($word,)* }

        impl Word {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$word,)*];

            /// Returns the word in a language; places in it are named in braces.
            pub(crate) const fn of(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$word, Language::Ja) => $ja, (Self::$word, Language::En) => $en,)*
                }
            }
        }
    };
}

words! {
    Watching: "見守り中", "Watching";
    WatchingSince: "見守り中（{time} に確認）", "Watching (checked at {time})";
    Working: "登録中：{ended} / {all}件", "Registering: {ended} of {all}";
    Paused: "一時停止中", "Paused";
    PausedUntil: "一時停止中（{time} まで）", "Paused until {time}";
    Offline: "接続待ち（つながると自動で続けます）", "Waiting for the connection (goes on by itself)";
    NeedsYou: "確認が必要です", "Needs you";
    NoFolder: "見守るフォルダがありません", "No folder to watch";
    Open: "Ichido を開く", "Open Ichido";
    Needs: "要確認（{count}）", "Needs attention ({count})";
    Watch: "フォルダを見守る", "Watch the folders";
    Pause: "一時停止", "Pause";
    HalfAnHour: "30分間", "For 30 minutes";
    AnHour: "1時間", "For 1 hour";
    UntilResumed: "再開するまで", "Until I resume";
    Resume: "再開", "Resume";
    Drafts: "WordPress の下書き", "Drafts on WordPress";
    Recent: "最近の下書き", "Recent drafts";
    Settings: "設定…", "Settings…";
    Quit: "Ichido を終了", "Quit Ichido";
    BatchMade: "下書きを{count}件作りました", "{count} drafts made";
    BatchMadeOne: "下書きを1件作りました", "1 draft made";
    BatchNone: "登録が終わりました", "Registering has ended";
    BatchNeeds: "{names}は確認が必要です。", "{names}: your check is needed.";
    BatchRefused: "サイトに断られた記事：{count}件", "Refused by the site: {count}";
    BatchWaiting: "まだ送っていない記事：{count}件（自動で続けます）", "Not sent yet: {count} (goes on by itself)";
    AndMore: "{names} ほか{count}件", "{names} and {count} more";
    Between: "、", ", ";
    Quoted: "「{name}」", "“{name}”";
    HaltTitle: "確認が必要です：{name}", "Needs your check: {name}";
    HaltBody: "二重投稿を防ぐため、自動では再送しません。", "Not sent again by itself, so that nothing is posted twice.";
    Review: "確認する", "Review";
    OpenDrafts: "下書きを見る", "See the drafts";
    ToTray: "見守りを続けています", "Still watching";
    ToTrayBody: "Ichido はトレイに入りました。終了するには、トレイのメニューから「Ichido を終了」を選んでください。",
        "Ichido is in the tray now. To end it, choose “Quit Ichido” from its menu there.";
    NoTray: "最小化して見守りを続けています", "Minimised, and still watching";
    NoTrayBody: "この画面にはトレイがないため、ウィンドウを最小化しました。終了するには、見守りをオフにして閉じてください。",
        "This desktop has no tray, so that the window was minimised. To end Ichido, switch watching off and close it.";
}

/// Puts particulars into a word.
pub(crate) fn fill(text: &str, particulars: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            rest = after;
            break;
        };
        filled.extend(particulars.iter().find(|(known, _)| *known == name).map(|(_, value)| *value));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// A title as it may stand outside the window: one line, not too long, without what steers a terminal or a text.
pub(crate) fn plain(title: &str) -> String {
    const LONGEST: usize = 60;
    let harmless = |character: &char| {
        !character.is_control()
            && !matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut plain: String = title.chars().filter(harmless).take(LONGEST).collect();
    if title.chars().filter(harmless).count() > LONGEST {
        plain.push('…');
    }
    plain
}

/// Several names in one line: three, and how many more.
pub(crate) fn names(language: Language, titles: &[String]) -> String {
    const MOST: usize = 3;
    let quoted = |title: &String| fill(Word::Quoted.of(language), &[("name", &plain(title))]);
    let shown: Vec<String> = titles.iter().take(MOST).map(quoted).collect();
    let shown = shown.join(Word::Between.of(language));
    match titles.len().saturating_sub(MOST) {
        0 => shown,
        more => fill(Word::AndMore.of(language), &[("names", &shown), ("count", &more.to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_places() {
        let places = |text: &str| {
            let mut places: Vec<String> =
                text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect();
            places.sort();
            places
        };
        for word in Word::ALL {
            assert_eq!(places(word.of(Language::Ja)), places(word.of(Language::En)), "{word:?}");
        }
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "x")]), "{b} and x");
        assert_eq!(fill("no place", &[("a", "x")]), "no place");
        assert_eq!(fill("cut {off", &[]), "cut off");
    }

    #[test]
    fn hostile_titles_stay_one_short_line() {
        let title = format!("a\u{202e}b\nc\u{1b}[2J{}", "x".repeat(500));
        let plain = plain(&title);
        assert!(
            plain.starts_with("abc[2J") && plain.ends_with('…') && plain.chars().count() == 61,
            "{plain}"
        );
    }

    #[test]
    fn many_names_are_counted() {
        let titles: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).into();
        assert_eq!(names(Language::Ja, &titles), "「a」、「b」、「c」 ほか2件");
        assert_eq!(names(Language::En, &titles[..2]), "“a”, “b”");
    }
}
