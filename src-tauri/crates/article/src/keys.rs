//! The keys of front matter and what they mean.

/// What a key says about an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    Title,
    Slug,
    Excerpt,
    Tags,
    Categories,
    Featured,
    FeaturedAlt,
    FeaturedCaption,
    /// Known from some tool, and not used.
    Unused,
}

/// Names of each meaning; where an article has several, the first of these counts.
const NAMES: &[(Meaning, &[&str])] = &[
    (Meaning::Title, &["title", "タイトル", "題名"]),
    (Meaning::Slug, &["slug", "permalink", "url", "postname", "スラッグ"]),
    (Meaning::Excerpt, &["excerpt", "summary", "description", "lead", "抜粋", "概要"]),
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
            "publish",
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
            "meta",
            "acf",
            "customfields",
            "wpid",
            "postid",
            "wordpressid",
            "id",
            "ignore",
            "ignorepublish",
            "draftignore",
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
            "typorarooturl",
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

/// A key without what spelling it differs in: case, `_`, `-` and spaces.
pub(crate) fn plain(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The meaning of a key and its rank among the names of that meaning.
pub(crate) fn meaning(key: &str) -> Option<(Meaning, usize)> {
    let key = plain(key);
    NAMES
        .iter()
        .find_map(|(meaning, names)| names.iter().position(|name| *name == key).map(|rank| (*meaning, rank)))
}

/// A known key that differs from an unknown one by at most two letters.
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
        .map(|name| (distance(&key, name), *name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn distance(one: &[char], other: &str) -> usize {
    let mut previous: Vec<usize> = (0..=one.len()).collect();
    for (row, letter) in other.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut previous[0], row + 1);
        for (column, &own) in one.iter().enumerate() {
            let replaced = diagonal + usize::from(own != letter);
            diagonal = previous[column + 1];
            previous[column + 1] = replaced.min(diagonal + 1).min(previous[column] + 1);
        }
    }
    previous[one.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_makes_no_difference() {
        for key in ["featured_image", "Featured-Image", "featured image", "FEATUREDIMAGE"] {
            assert_eq!(meaning(key), Some((Meaning::Featured, 0)), "{key}");
        }
        assert_eq!(meaning("タグ"), Some((Meaning::Tags, 4)));
        assert_eq!(meaning("post_name").map(|(meaning, _)| meaning), Some(Meaning::Slug));
        assert_eq!(meaning("pubDate"), Some((Meaning::Unused, 2)));
        assert_eq!(meaning("colour"), None);
    }

    #[test]
    fn near_misses_are_named() {
        assert_eq!(similar("titel"), Some("title"));
        assert_eq!(similar("catgories"), Some("categories"));
        assert_eq!(similar("tgas"), None);
        assert_eq!(similar("tagz"), Some("tags"));
        assert_eq!(similar("ab"), None);
        assert_eq!(similar("completely-different"), None);
    }
}
