//! The keys of front matter and what they mean.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// What a key says about an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    Title,
    Slug,
    Excerpt,
    /// The excerpt in some tools, a text for search engines in others.
    Description,
    Tags,
    Categories,
    Featured,
    FeaturedAlt,
    FeaturedCaption,
    /// That the article is not to be published, where it is true.
    Ignore,
    /// That the article is to be published: not, where it is false.
    Publish,
    /// Where references that begin with `/` lead.
    RootUrl,
    /// A map of custom fields, each with its value.
    Fields,
    /// Known from some tool, and not used.
    Unused,
}

/// Names of each meaning; where an article has several, the first of these counts.
const NAMES: &[(Meaning, &[&str])] = &[
    (Meaning::Title, &["title", "タイトル", "題名"]),
    (Meaning::Slug, &["slug", "permalink", "url", "postname", "スラッグ"]),
    (Meaning::Excerpt, &["excerpt", "summary", "lead", "抜粋", "概要"]),
    (Meaning::Description, &["description"]),
    (Meaning::Tags, &["tags", "tag", "keywords", "topics", "タグ"]),
    (Meaning::Categories, &["categories", "category", "section", "カテゴリ", "カテゴリー"]),
    (
        Meaning::Featured,
        &[
            "featuredimage",
            "featureimage",
            "featured",
            "cover",
            "coverimage",
            "image",
            "images",
            "hero",
            "heroimage",
            "thumbnail",
            "thumb",
            "eyecatch",
            "アイキャッチ",
            "サムネイル",
            "banner",
            "ogimage",
            "header",
        ],
    ),
    (Meaning::FeaturedAlt, &["featuredimagealt", "imagealt", "featureimagealt", "coveralt", "coverimagealt"]),
    (Meaning::FeaturedCaption, &["featureimagecap", "featuredimagecaption", "imagecaption", "covercaption"]),
    (Meaning::Ignore, &["ignore", "ignorepublish", "draftignore"]),
    (Meaning::Publish, &["publish"]),
    (Meaning::RootUrl, &["typorarooturl"]),
    (Meaning::Fields, &["customfields", "meta", "acf"]),
    (
        Meaning::Unused,
        &[
            "date",
            "publishdate",
            "pubdate",
            "publishedat",
            "datepublished",
            "公開日",
            "日付",
            "lastmod",
            "updated",
            "updatedat",
            "updateddate",
            "modified",
            "status",
            "draft",
            "published",
            "private",
            "author",
            "authors",
            "著者",
            "posttype",
            "type",
            "format",
            "template",
            "layout",
            "comments",
            "pinned",
            "sticky",
            "wpid",
            "postid",
            "wordpressid",
            "id",
            "emoji",
            "publicationname",
            "organizationurlname",
            "slide",
            "weight",
            "aliases",
            "alias",
            "toc",
            "lang",
            "language",
            "series",
            "profilename",
            "cssclasses",
            "cssclass",
            "typoracopyimagesto",
            "resources",
            "menu",
            "math",
            "katex",
            "mermaid",
            "outputs",
            "expirydate",
            "created",
            "createdat",
        ],
    ),
];

/// A key without what spelling it differs in: case, width, `_`, `-` and spaces.
pub(crate) fn plain(key: &str) -> Cow<'_, str> {
    if key.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(key);
    }
    let same_width = key.nfkc().filter(|c| !matches!(c, '_' | '-' | ' '));
    Cow::Owned(same_width.flat_map(char::to_lowercase).collect())
}

/// The meaning of a key and its rank among the names of that meaning.
pub(crate) fn meaning(key: &str) -> Option<(Meaning, usize)> {
    let key = plain(key);
    NAMES
        .iter()
        .find_map(|(meaning, names)| names.iter().position(|name| *name == key).map(|rank| (*meaning, rank)))
}

/// A known key that differs from an unknown one by at most two slips of the finger.
pub(crate) fn similar(key: &str) -> Option<&'static str> {
    let key: Vec<char> = plain(key).chars().take(40).collect();
    if key.len() < 3 {
        return None;
    }
    let allowed = if key.len() < 5 { 1 } else { 2 };
    NAMES
        .iter()
        .filter(|(meaning, _)| *meaning != Meaning::Unused)
        .flat_map(|(_, names)| names.iter())
        .map(|name| (distance(&key, &name.chars().collect::<Vec<_>>()), *name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Letters put in, left out, replaced, or exchanged with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let (mut before, mut above) = (Vec::new(), (0..=one.len()).collect::<Vec<_>>());
    for (row, letter) in other.iter().enumerate() {
        let mut here = vec![row + 1];
        for (column, own) in one.iter().enumerate() {
            let replaced = above[column] + usize::from(own != letter);
            let mut best = replaced.min(above[column + 1] + 1).min(here[column] + 1);
            let exchanged = row > 0 && column > 0 && one[column - 1] == *letter && other[row - 1] == *own;
            if exchanged {
                best = best.min(before[column - 1] + 1);
            }
            here.push(best);
        }
        before = std::mem::replace(&mut above, here);
    }
    above[one.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_makes_no_difference() {
        for key in [
            "featured_image",
            "Featured-Image",
            "featured image",
            "FEATUREDIMAGE",
            "ｆｅａｔｕｒｅｄ＿ｉｍａｇｅ",
        ] {
            assert_eq!(meaning(key), Some((Meaning::Featured, 0)), "{key}");
        }
        assert_eq!(meaning("タグ"), Some((Meaning::Tags, 4)));
        assert_eq!(meaning("ﾀｸﾞ"), Some((Meaning::Tags, 4)));
        assert_eq!(meaning("タク\u{3099}"), Some((Meaning::Tags, 4)));
        assert_eq!(meaning("post_name").map(|(meaning, _)| meaning), Some(Meaning::Slug));
        assert_eq!(meaning("pubDate"), Some((Meaning::Unused, 2)));
        assert_eq!(meaning("colour"), None);
    }

    #[test]
    fn near_misses_are_named() {
        assert_eq!(similar("titel"), Some("title"));
        assert_eq!(similar("catgories"), Some("categories"));
        assert_eq!(similar("tgas"), Some("tags"));
        assert_eq!(similar("tagz"), Some("tags"));
        assert_eq!(similar("exerpct"), Some("excerpt"));
        assert_eq!(similar("ab"), None);
        assert_eq!(similar("completely-different"), None);
    }
}
