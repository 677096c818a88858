//! Settings.

use serde::{Deserialize, Serialize};

use super::{BareUrlUse, DescriptionUse, Language, ObsidianUse, Theme};

/// What a person can set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// Whether the open folders are watched, and the program stays in the tray.
    pub(crate) watch: bool,
    /// Whether the program starts with the session, in the tray.
    pub(crate) autostart: bool,
    pub(crate) notify_batches: bool,
    pub(crate) notify_halts: bool,
    pub(crate) settle_window_minutes: u64,
    pub(crate) strip_camera_data: bool,
    pub(crate) shrink_images: bool,
    /// Whether tags that the site does not have are made there.
    pub(crate) create_tags: bool,
    /// Whether the content is sent for the classic editor.
    pub(crate) classic: bool,
    pub(crate) description_is: DescriptionUse,
    /// Names with commas between them.
    pub(crate) default_categories: String,
    /// What an address on a line of its own becomes.
    pub(crate) bare_urls: BareUrlUse,
    /// Where the marks of Obsidian hold.
    pub(crate) obsidian: ObsidianUse,
    pub(crate) line_breaks: bool,
    /// Keys of the front matter, or `key=field`, with commas between them.
    pub(crate) custom_fields: String,
    /// Whether the first image stands for an article that names none.
    pub(crate) feature_first_image: bool,
    /// Words with commas between them.
    pub(crate) forbidden_words: String,
    pub(crate) required_words: String,
    pub(crate) check_alt: bool,
    pub(crate) check_links: bool,
    pub(crate) check_local_links: bool,
    /// The fewest characters of a text; 0 for no bound.
    pub(crate) shortest_text: usize,
    /// The most characters of a title; 0 for no bound.
    pub(crate) title_length: usize,
    /// For how long an article in a watched folder must be quiet before it is taken.
    pub(crate) watch_settle_seconds: u64,
}
