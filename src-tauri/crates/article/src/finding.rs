//! What the preflight has to say about an article: codes and parameters, no sentences.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The article cannot be sent as it is.
    Error,
    /// The article can be sent; a person should look.
    Warning,
    /// For information.
    Note,
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for FindingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Severity {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Declares the codes once, with their severity and stable name.
macro_rules! finding_codes {
    ($($(#[$doc:meta])* $variant:ident = $severity:ident $name:literal,)*) => {
        /// What was found. The names are stable: people, scripts and agents rely on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingCode {
            $($(#[$doc])* $variant,)*
        }

        impl FindingCode {
            /// Every code, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The stable name.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much a finding with this code weighs.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

finding_codes! {
    /// The text file cannot be read. Parameter `reason`.
    TextUnreadable = Error "text_unreadable",
    /// The text file is a link that leaves its folder.
    TextOutside = Error "text_outside",
    /// The text file is larger than allowed. Parameters `bytes`, `limit`.
    TextTooLarge = Error "text_too_large",
    /// The text is not UTF-8. Parameter `encoding`: what it looks like, or `unknown`.
    TextNotUtf8 = Error "text_not_utf8",
    /// The file holds NUL characters: it is no text.
    TextBinary = Error "text_binary",
    /// The text is nested or grown beyond what can be read safely. Parameter `what`: `depth` or `nodes`.
    TextTooComplex = Error "text_too_complex",
    /// The reader gave up on the text; the text has to be made simpler.
    TextReaderFailed = Error "text_reader_failed",
    /// The front matter has an opening fence and no closing one. Parameter `fence`.
    FrontMatterUnclosed = Error "front_matter_unclosed",
    /// The front matter cannot be read. Parameters `format`, `detail`.
    FrontMatterSyntax = Error "front_matter_syntax",
    /// A full-width colon, or a full-width space after the colon, stands where YAML needs ASCII.
    FrontMatterFullWidth = Error "front_matter_full_width",
    /// A key stands twice. Parameters `key`, `first_line`.
    FrontMatterDuplicateKey = Error "front_matter_duplicate_key",
    /// The front matter is larger than any real one, or made to grow.
    FrontMatterTooLarge = Error "front_matter_too_large",
    /// Two keys of the same meaning have different values. Parameters `key`, `other`.
    KeyConflict = Error "key_conflict",
    /// The value of a key has a form that cannot be used. Parameter `key`.
    ValueUnusable = Error "value_unusable",
    /// No title in the front matter, no first heading, no HTML title.
    TitleMissing = Error "title_missing",
    /// Nothing of the slug is left as WordPress stores it. Parameter `written`.
    SlugEmpty = Error "slug_empty",
    /// Another article of the batch has the same slug. Parameters `slug`, `other`.
    SlugClash = Error "slug_clash",
    /// The article has no text.
    ContentEmpty = Error "content_empty",
    /// The referenced image does not exist. Parameters `reference`, perhaps `similar`.
    ImageNotFound = Error "image_not_found",
    /// The reference is no relative path. Parameter `reference`.
    ImageAbsolute = Error "image_absolute",
    /// The reference leads out of the article's folder. Parameter `reference`.
    ImageOutside = Error "image_outside",
    /// The reference holds what no file name should. Parameter `reference`.
    ImagePathForbidden = Error "image_path_forbidden",
    /// The image is written into the text as `data:`.
    ImageInline = Error "image_inline",
    /// The image cannot be read. Parameters `reference`, `reason`.
    ImageUnreadable = Error "image_unreadable",
    /// The image's content lies in a cloud only. Parameter `reference`.
    ImageInCloud = Error "image_in_cloud",
    /// The image file holds no byte. Parameter `reference`.
    ImageEmpty = Error "image_empty",
    /// The image file is too large. Parameters `reference`, `bytes`, `limit`.
    ImageTooLarge = Error "image_too_large",
    /// The image has too many pixels. Parameters `reference`, `width`, `height`, `limit`.
    ImageTooManyPixels = Error "image_too_many_pixels",
    /// The article has too many images. Parameter `limit`.
    ImagesTooMany = Error "images_too_many",
    /// The file is no JPEG, PNG, GIF, WebP or AVIF. Parameter `reference`.
    ImageTypeUnknown = Error "image_type_unknown",
    /// The file is an SVG, which WordPress refuses. Parameter `reference`.
    ImageSvg = Error "image_svg",
    /// The file is a HEIC photograph, which few browsers show. Parameter `reference`.
    ImageHeic = Error "image_heic",
    /// The file starts like an image but is cut off or damaged. Parameter `reference`.
    ImageDamaged = Error "image_damaged",
    /// A local file other than an image is referenced where it would be loaded. Parameter `reference`.
    MediaUnsupported = Error "media_unsupported",
    /// A value holds a colon and a space and stands without quotes. Parameters `key`, `value`.
    FrontMatterColon = Error "front_matter_colon",
    /// A value begins with a sign that means something to YAML and stands without quotes. Parameters `key`,
    /// `value`.
    FrontMatterQuotes = Error "front_matter_quotes",
    /// A tab stands where YAML needs spaces.
    FrontMatterTab = Error "front_matter_tab",
    /// A control character stands in a field. Parameters `field`, `character`.
    ControlCharacter = Error "control_character",
    /// The title is longer than any real one. Parameters `length`, `limit`.
    TitleTooLong = Error "title_too_long",
    /// Several files have the name of the image. Parameters `reference`, `first`, `second`.
    ImageAmbiguous = Error "image_ambiguous",
    /// A word stands in the text that must not. Parameter `word`.
    WordForbidden = Error "word_forbidden",
    /// A word that must stand in the text is missing. Parameter `word`.
    WordMissing = Error "word_missing",
    /// No excerpt.
    ExcerptMissing = Warning "excerpt_missing",
    /// No tags.
    TagsMissing = Warning "tags_missing",
    /// No categories.
    CategoriesMissing = Warning "categories_missing",
    /// A link was left out because its target would run code. Parameter `link`.
    LinkRemoved = Warning "link_removed",
    /// A link to a file that lies only here was left out. Parameter `link`.
    LinkToFile = Warning "link_to_file",
    /// What looks like an image is none to Markdown, and would be text. Parameter `text`.
    ImageNotRead = Warning "image_not_read",
    /// A link leads to a path that is relative to the local file. Parameter `link`.
    LinkRelative = Warning "link_relative",
    /// The featured image lies on another site and cannot be used. Parameter `reference`.
    FeaturedRemote = Warning "featured_remote",
    /// The value can be meant in two ways and was read in one. Parameters `key`, `value`.
    ValueAmbiguous = Warning "value_ambiguous",
    /// A character that is not seen, or changes the direction of reading, stands in a field. Parameters `field`, `character`.
    InvisibleCharacter = Warning "invisible_character",
    /// The file of an article lies in the cloud only. Parameter `name`.
    CloudPlaceholder = Warning "cloud_placeholder",
    /// The name of a file is no valid text, and the file was not read. Parameter `name`.
    NameNotText = Warning "name_not_text",
    /// A link leads to an article that is not there. Parameter `link`.
    LinkBroken = Warning "link_broken",
    /// A link leads to a heading that is not there. Parameter `link`.
    AnchorBroken = Warning "anchor_broken",
    /// A link leads to this machine or a private network. Parameter `link`.
    LinkLocal = Warning "link_local",
    /// An image has no text that stands for it. Parameter `reference`.
    AltMissing = Warning "alt_missing",
    /// The text is shorter than set. Parameters `length`, `limit`.
    TextShort = Warning "text_short",
    /// The title is longer than set. Parameters `length`, `limit`.
    TitleLong = Warning "title_long",
    /// The slug was written differently from what WordPress stores. Parameters `written`, `slug`.
    SlugAdjusted = Note "slug_adjusted",
    /// The key is not known. Parameters `key`, perhaps `similar`.
    KeyUnknown = Note "key_unknown",
    /// The name of the image does not fit its content, which decides. Parameters `reference`, `mime`.
    ImageWrongExtension = Note "image_wrong_extension",
    /// A symbolic link to a folder was not followed. Parameter `name`.
    LinkedFolderSkipped = Note "linked_folder_skipped",
    /// A text file beside the article was not read. Parameter `name`.
    OtherTextIgnored = Note "other_text_ignored",
    /// A copy made by a synchronising program was not read. Parameter `name`.
    ConflictedCopyIgnored = Note "conflicted_copy_ignored",
    /// A folder lies too deep and was not searched. Parameter `name`.
    FolderTooDeep = Note "folder_too_deep",
    /// The article says that it is not to be published, and is passed over. Parameter `key`.
    ArticleIgnored = Note "article_ignored",
    /// A description that differs from the excerpt, or that is for search engines, is not sent. Parameter `key`.
    DescriptionUnused = Note "description_unused",
    /// Keys of other tools that mean nothing here. Parameter `keys`.
    KeysUnused = Note "keys_unused",
    /// HTML that WordPress keeps only for users who may write any HTML. Parameter `element`.
    HtmlForUnfiltered = Warning "html_for_unfiltered",
    /// A service that WordPress cannot embed: a link stands in its place. Parameters `service`, `target`.
    EmbedUnknown = Warning "embed_unknown",
    /// Another note or file is embedded, and stays a name. Parameter `reference`.
    NoteEmbedded = Warning "note_embedded",
    /// A link between notes became plain text. Parameter `link`.
    WikilinkUnlinked = Warning "wikilink_unlinked",
    /// A tag of another tool's templates stays in the text. Parameter `text`.
    TemplateKept = Warning "template_kept",
    /// A line of MDX code is left out. Parameter `text`.
    CodeLeftOut = Warning "code_left_out",
    /// A component of MDX: only the text in it is kept. Parameter `text`.
    ComponentUnknown = Warning "component_unknown",
    /// A footnote to which nothing refers is left out. Parameters `name`, `text`.
    FootnoteUnused = Warning "footnote_unused",
    /// A footnote is referred to that is not there. Parameter `name`.
    FootnoteMissing = Warning "footnote_missing",
    /// A box is opened and not closed: it holds all that follows. Parameter `text`.
    BoxUnclosed = Warning "box_unclosed",
    /// A comment that is no part of the text is left out. Parameter `text`.
    CommentRemoved = Note "comment_removed",
    /// Attributes that blocks cannot carry are left out. Parameter `text`.
    AttributesUnused = Note "attributes_unused",
    /// A part of the page beside the article is not sent. Parameter `text`.
    PagePartUnused = Note "page_part_unused",
    /// A script or a style of a page is left out. Parameter `element`.
    CodeElementLeftOut = Warning "code_element_left_out",
    /// A delimiter of block markup has no other half, so that all of them are left out. Parameter `block`.
    BlockUnpaired = Warning "block_unpaired",
    /// A folder cannot be read. Parameters `name`, `reason`.
    FolderUnreadable = Warning "folder_unreadable",
}

/// One thing found in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it weighs; always the severity of its code.
    pub severity: Severity,
    /// What was found.
    pub code: FindingCode,
    /// The file, relative to the article's folder's parent.
    pub file: PathBuf,
    /// The line, counted from 1, where one can be named.
    pub line: Option<u32>,
    /// The particulars, by the names that the code documents.
    pub params: BTreeMap<&'static str, String>,
}

impl Finding {
    /// Makes a finding without line and particulars.
    #[must_use]
    pub fn new(code: FindingCode, file: impl Into<PathBuf>) -> Self {
        Self { severity: code.severity(), code, file: file.into(), line: None, params: BTreeMap::new() }
    }

    /// Names the line.
    #[must_use]
    pub fn at(mut self, line: Option<u32>) -> Self {
        self.line = line;
        self
    }

    /// Adds a particular.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.insert(name, clip(value.to_string()));
        self
    }
}

/// Hostile input must not make reports long.
fn clip(mut value: String) -> String {
    const LONGEST: usize = 300;
    if value.len() > LONGEST {
        let mut end = LONGEST;
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        value.truncate(end);
        value.push('…');
    }
    value
}

/// The findings of one file while it is read.
#[derive(Debug)]
pub(crate) struct Findings {
    file: PathBuf,
    found: Vec<Finding>,
}

/// More findings than this help nobody and would let hostile input grow the report.
const MOST_FINDINGS: usize = 500;

impl Findings {
    pub(crate) fn of(file: PathBuf) -> Self {
        Self { file, found: Vec::new() }
    }

    pub(crate) fn add(&mut self, code: FindingCode, line: Option<u32>, params: &[(&'static str, &str)]) {
        if self.found.len() >= MOST_FINDINGS && code.severity() != Severity::Error {
            return;
        }
        if self.found.len() >= 2 * MOST_FINDINGS {
            return;
        }
        let finding =
            params.iter().fold(Finding::new(code, self.file.clone()).at(line), |finding, (name, value)| {
                finding.with(name, value)
            });
        self.found.push(finding);
    }

    /// Adds a finding with one particular, if there is none of the same yet.
    pub(crate) fn add_once(&mut self, code: FindingCode, line: Option<u32>, param: (&'static str, &str)) {
        let (name, value) = param;
        let is_told =
            |found: &Finding| found.code == code && found.params.get(name).is_some_and(|told| told == value);
        if !self.found.iter().any(is_told) {
            self.add(code, line, &[param]);
        }
    }

    pub(crate) fn has_error(&self) -> bool {
        self.found.iter().any(|finding| finding.severity == Severity::Error)
    }

    pub(crate) fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_snake_case() {
        let mut names: Vec<_> = FindingCode::ALL.iter().map(|code| code.as_str()).collect();
        assert!(
            names
                .iter()
                .all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()))
        );
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FindingCode::ALL.len());
    }

    #[test]
    fn long_particulars_are_clipped_between_characters() {
        let finding = Finding::new(FindingCode::KeyUnknown, "a.md").with("key", "あ".repeat(1000));
        assert!(finding.params["key"].len() < 320);
        assert!(finding.params["key"].ends_with('…'));
    }
}
