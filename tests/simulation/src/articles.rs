//! The folder of articles, and what people do in it.

use std::fs;
use std::path::{Path, PathBuf};

use ichido_core::digest::Digest;
use ichido_core::operation::Kind;
use ichido_journal::Operation;

use crate::dice::Dice;
use crate::ledger::Intent;
use crate::schedule::Edit;

/// One article as it stands in its folder.
#[derive(Clone, Debug)]
struct Article {
    number: usize,
    folder: String,
    slug: Option<String>,
    version: u32,
    images: [u16; 3],
    tag: Option<&'static str>,
    present: bool,
}

/// All articles.
#[derive(Debug)]
pub(crate) struct Articles {
    root: PathBuf,
    articles: Vec<Article>,
    next_image: u16,
}

impl Articles {
    /// Writes the articles: some in Japanese, some with a slug of their own, some images in several of them.
    pub(crate) fn write(root: &Path, seed: u64, count: usize) -> Self {
        let mut dice = Dice::of(&[seed, 2]);
        let mut next_image = 0;
        let mut articles: Vec<Article> = Vec::with_capacity(count);
        for number in 0..count {
            let mut image = || {
                if next_image > 0 && dice.percent(15) {
                    return u16::try_from(dice.below(usize::from(next_image))).unwrap_or(0);
                }
                next_image += 1;
                next_image - 1
            };
            let mut images = [image(), image(), image()];
            if images[0] == images[1] || images[1] == images[2] || images[0] == images[2] {
                images = [next_image, next_image + 1, next_image + 2];
                next_image += 3;
            }
            let folder =
                if number % 3 == 2 { format!("記事-{number:02}") } else { format!("article-{number:02}") };
            articles.push(Article {
                number,
                slug: dice.percent(40).then(|| format!("slug-{number:02}")),
                folder,
                version: 1,
                images,
                tag: dice.percent(15).then(|| dice.pick(&["港", "tea"])),
                present: true,
            });
        }
        let written = Self { root: root.to_owned(), articles, next_image };
        written.articles.iter().for_each(|article| written.lay_down(article));
        written
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The slug that an article asks for.
    pub(crate) fn slug(&self, number: usize) -> String {
        let article = &self.articles[number];
        article.slug.clone().unwrap_or_else(|| article.folder.clone())
    }

    fn lay_down(&self, article: &Article) {
        let folder = self.root.join(&article.folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (place, image) in article.images.iter().enumerate() {
            fs::write(folder.join(file_name(place)), gif(*image)).expect("an image can be written");
        }
        let slug = article.slug.as_ref().map(|slug| format!("slug: {slug}\n")).unwrap_or_default();
        let tags = article.tag.map(|tag| format!("tags: [{tag}]\n")).unwrap_or_default();
        let featured = if article.number.is_multiple_of(4) {
            format!("featured_image: {}\n", file_name(0))
        } else {
            String::new()
        };
        let images: String = (0..3).map(|place| format!("\n![bild]({})\n", file_name(place))).collect();
        let text = format!(
            "---\ntitle: {}\n{slug}{tags}{featured}---\n\nText {} of *{}*, 版{}.\n{images}",
            title(article.number),
            article.version,
            article.number,
            article.version
        );
        fs::write(folder.join("index.md"), text).expect("an article can be written");
    }

    /// What an operation is for.
    pub(crate) fn intent_of(&self, operation: &Operation) -> Option<Intent> {
        if operation.kind == Kind::Post {
            return number_of(&operation.title).map(Intent::Article);
        }
        let digest = operation.source_digest?;
        (0..self.next_image).find(|image| Digest::of_bytes(&gif(*image)) == digest).map(Intent::Image)
    }

    /// Does something to an article. False if it could not be done.
    pub(crate) fn edit(&mut self, number: usize, edit: Edit) -> bool {
        let Some(mut article) = self.articles.get(number).cloned() else { return false };
        if article.present == matches!(edit, Edit::Restore) {
            return false;
        }
        let before = self.root.join(&article.folder);
        match edit {
            Edit::Text => article.version += 1,
            Edit::Image => {
                article.images[number % 3] = self.next_image;
                self.next_image += 1;
            }
            Edit::Folder => {
                article.folder.push_str("-moved");
                fs::rename(&before, self.root.join(&article.folder)).expect("a folder can be renamed");
            }
            Edit::Slug => article.slug = Some(format!("{}-new", self.slug(number))),
            Edit::Remove => {
                fs::remove_dir_all(&before).expect("a folder can be removed");
                article.present = false;
            }
            Edit::Restore => article.present = true,
        }
        if article.present && !matches!(edit, Edit::Folder) {
            self.lay_down(&article);
        }
        self.articles[number] = article;
        true
    }
}

fn file_name(place: usize) -> String {
    format!("bild{place}.gif")
}

/// The title of an article, by which its rows on a site are known.
pub(crate) fn title(number: usize) -> String {
    if number % 3 == 2 {
        format!("港町の記録 {number:02}")
    } else {
        format!("Tea and toast {number:02}")
    }
}

/// The article that a title belongs to.
pub(crate) fn number_of(title: &str) -> Option<usize> {
    let number = title.rsplit(' ').next()?.parse().ok()?;
    (self::title(number) == title).then_some(number)
}

/// A picture of one pixel, whose palette says which one it is.
fn gif(image: u16) -> Vec<u8> {
    let [high, low] = image.to_be_bytes();
    let mut bytes = b"GIF89a\x01\0\x01\0\x80\0\0".to_vec();
    bytes.extend([high, low, 0x49, 0xff, 0xff, 0xff]);
    bytes.extend(b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;");
    bytes
}

/// Which picture it is that a site has stored.
pub(crate) fn image_of(bytes: &[u8]) -> Option<u16> {
    match bytes.get(13..16)? {
        [high, low, 0x49] => Some(u16::from_be_bytes([*high, *low])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_pictures_say_which_they_are() {
        for number in [0, 2, 19] {
            assert_eq!(number_of(&title(number)), Some(number));
        }
        assert_eq!(number_of("Theirs 02"), None);
        for image in [0, 1, 300] {
            assert_eq!(image_of(&gif(image)), Some(image));
        }
    }
}
