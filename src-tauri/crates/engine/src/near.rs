//! Names that a person may have meant.

use unicode_normalization::UnicodeNormalization;

/// How many names are worth showing.
const MOST: usize = 3;
/// Longer names are compared by their beginnings.
const LONGEST: usize = 60;

/// Returns the names most like `wanted`, the nearest first; none that are unlike it.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = plain(wanted);
    let mut likely: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let own = plain(name);
            let holds =
                own.len() > 1 && wanted.len() > 1 && (contains(&own, &wanted) || contains(&wanted, &own));
            let distance = distance(&wanted, &own);
            (holds || distance <= allowed(wanted.len())).then_some((distance, name))
        })
        .collect();
    likely.sort_unstable();
    likely.dedup();
    likely.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// The letters of a name, without what people do not see as a difference: case, width, kind of kana.
fn plain(name: &str) -> Vec<char> {
    name.nfkc()
        .flat_map(char::to_lowercase)
        .map(hiragana)
        .filter(|letter| letter.is_alphanumeric())
        .take(LONGEST)
        .collect()
}

fn hiragana(letter: char) -> char {
    match letter {
        'ァ'..='ヶ' => char::from_u32(u32::from(letter) - 0x60).unwrap_or(letter),
        _ => letter,
    }
}

const fn allowed(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

fn contains(whole: &[char], part: &[char]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

fn distance(one: &[char], other: &[char]) -> usize {
    let mut above: Vec<usize> = (0..=one.len()).collect();
    for (row, letter) in other.iter().enumerate() {
        let mut here = vec![row + 1];
        for ((own, pair), left) in one.iter().zip(above.windows(2)).zip(0..) {
            let [diagonal, up] = pair else { continue };
            let before = here.get::<usize>(left).copied().unwrap_or(row + 1);
            here.push((diagonal + usize::from(own != letter)).min(up + 1).min(before + 1));
        }
        above = here;
    }
    above.last().copied().unwrap_or(other.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_may_have_meant_is_named() {
        let names = ["お知らせ", "ニュース", "News", "技術ブログ", "Travel", "Music"];
        for (wanted, found) in [
            ("おしらせ", vec!["お知らせ"]),
            ("お知らせ一覧", vec!["お知らせ"]),
            ("にゅーす", vec!["ニュース"]),
            ("ﾆｭｰｽ", vec!["ニュース"]),
            ("new", vec!["News"]),
            ("Ｎｅｗｓ", vec!["News"]),
            ("技術", vec!["技術ブログ"]),
            ("Tarvel", vec!["Travel"]),
            ("Nowhere", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(near(wanted, names.iter().copied()), found, "{wanted}");
        }
    }
}
