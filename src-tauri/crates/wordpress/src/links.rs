//! Addresses of pages in a site's administration, for a person to look with their own eyes.

use ichido_core::id::RemoteId;
use url::Url;

/// Returns the list of drafts, searched for the text if there is any.
///
/// `site_url` is [`Discovered::site_url`](crate::Discovered::site_url); `None` comes back if it is no
/// address of a web site.
#[must_use]
pub fn draft_list(site_url: &str, search: &str) -> Option<String> {
    posts(site_url, "draft", search)
}

/// Returns the list of posts in the trash, searched for the text if there is any.
#[must_use]
pub fn trash(site_url: &str, search: &str) -> Option<String> {
    posts(site_url, "trash", search)
}

/// Returns the media library, searched for the text if there is any.
#[must_use]
pub fn media_library(site_url: &str, search: &str) -> Option<String> {
    let mut url = admin(site_url, "upload.php")?;
    url.query_pairs_mut().append_pair("mode", "list");
    if !search.is_empty() {
        url.query_pairs_mut().append_pair("s", search);
    }
    Some(url.into())
}

/// Returns the page on which a post or a file is edited.
#[must_use]
pub fn edit(site_url: &str, id: RemoteId) -> Option<String> {
    let mut url = admin(site_url, "post.php")?;
    url.query_pairs_mut().append_pair("post", &id.to_string()).append_pair("action", "edit");
    Some(url.into())
}

fn posts(site_url: &str, status: &str, search: &str) -> Option<String> {
    let mut url = admin(site_url, "edit.php")?;
    url.query_pairs_mut().append_pair("post_status", status).append_pair("post_type", "post");
    if !search.is_empty() {
        url.query_pairs_mut().append_pair("s", search);
    }
    Some(url.into())
}

fn admin(site_url: &str, page: &str) -> Option<Url> {
    let mut url = Url::parse(site_url).ok()?;
    if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    url.set_query(None);
    url.set_fragment(None);
    url.path_segments_mut().ok()?.pop_if_empty().push("wp-admin").push(page);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stand_below_the_address_of_wordpress() {
        assert_eq!(
            draft_list("https://example.com/blog/", "猫 & 犬").unwrap(),
            "https://example.com/blog/wp-admin/edit.php?post_status=draft&post_type=post&s=%E7%8C%AB+%26+%E7%8A%AC"
        );
        assert_eq!(
            trash("http://127.0.0.1:8080", "").unwrap(),
            "http://127.0.0.1:8080/wp-admin/edit.php?post_status=trash&post_type=post"
        );
        assert_eq!(
            media_library("https://example.com", "a-1").unwrap(),
            "https://example.com/wp-admin/upload.php?mode=list&s=a-1"
        );
        assert_eq!(
            edit("https://example.com", RemoteId(7)).unwrap(),
            "https://example.com/wp-admin/post.php?post=7&action=edit"
        );
    }

    #[test]
    fn nothing_else_becomes_a_link() {
        for address in
            ["javascript:alert(1)", "file:///etc/passwd", "https://a:b@example.com", "", "example.com"]
        {
            assert_eq!(draft_list(address, "x"), None, "{address}");
        }
    }
}
