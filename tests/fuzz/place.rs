//! A folder with one article in it, whose text is what is being tried.

use std::fs;
use std::path::{Path, PathBuf};

use ichido_article::{FindingCode, Loaded, Location, Options, PlacedImage, discover, load};

/// The smallest picture that is one: 1 x 1, grey.
const PICTURE: &[u8] = b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x3a\x7e\x9b\x55\x00\x00\x00\x0a\x49\x44\x41\x54\x78\x9c\x63\xa8\x07\x00\x00\x81\x00\x80\xd3\x94\x53\x4a\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

/// The folder, below others that must not be reached.
pub struct Place {
    location: Location,
    text: PathBuf,
    article: PathBuf,
}

impl Place {
    /// Makes it anew, in memory where there is such a place.
    pub fn new(name: &str, text: &str) -> Place {
        let memory = Path::new("/dev/shm");
        let top = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let top = top.join(format!("ichido-fuzz-{name}-{}", std::process::id()));
        let article = top.join("all/article");
        fs::create_dir_all(article.join("in")).expect("a folder");
        for path in ["a.png", "secret.png", "all/a.png", "all/secret.png", "all/article/a.png", "all/article/in/b.png"] {
            fs::write(top.join(path), PICTURE).expect("a file");
        }
        let text = article.join(text);
        fs::write(&text, "# x\n\nx\n").expect("a file");
        let article = fs::canonicalize(article).expect("a folder");
        let location = discover(std::slice::from_ref(&article)).expect("an article").articles.remove(0);
        Place { location, text, article }
    }

    /// Reads the article with this text, and holds what came of it against what must be so of any.
    pub fn read(&self, text: &[u8]) -> Loaded {
        fs::write(&self.text, text).expect("a file");
        let loaded = load(&self.location, &Options::default());
        assert!(loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed));
        if let Some(article) = &loaded.article {
            for image in &article.images {
                assert!(image.path().starts_with(&self.article), "{:?}", image.path());
            }
            let placed: Vec<PlacedImage> = (0..article.images.len())
                .map(|at| PlacedImage { id: 7 + at as u64, url: format!("https://site.example/{at}.png"), size: None })
                .collect();
            let content = article.compose(&placed, Some("01890a5d-ac96-774b-bcce-b302099a8057"));
            balanced(&content.expect("content that can be composed"));
            article.compose_classic(&placed).expect("content that can be composed");
        }
        loaded
    }
}

/// Every block that begins ends, in its order.
fn balanced(content: &str) {
    let mut open = Vec::new();
    for (at, _) in content.match_indices("<!-- ") {
        let rest = &content[at + 5..];
        if let Some(closing) = rest.strip_prefix("/wp:") {
            let (name, after) = closing.split_once(' ').unwrap_or((closing, ""));
            // A comment of an author's that only begins like the end of a block is none to WordPress.
            if after.trim_start().starts_with("-->") {
                assert_eq!(open.pop(), Some(name), "{content}");
            }
        } else if let Some(block) = rest.strip_prefix("wp:") {
            let head = block.split_once("-->").expect("a delimiter that ends").0;
            // WordPress wants a space after the name.
            let Some((name, attributes)) = head.split_once(' ') else { continue };
            let attributes = attributes.trim();
            // What stands there besides attributes makes it a comment of an author's, as above.
            let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_/".contains(&byte));
            if is_name && (attributes.is_empty() || attributes.starts_with('{') && attributes.ends_with('}')) {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?}: {content}");
}
