//! The settings that people can change, and their bounds.

use std::time::Duration;

use ichido_article::{BareUrls, DescriptionIs, Gates, Marks, Obsidian, Options};
use ichido_core::window;
use thiserror::Error;

/// A setting by its stable key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The settle window in minutes.
    Window,
    /// Whether unknown tags are created without asking.
    CreateTags,
    /// Whether content is sent without block delimiters, for sites with the classic editor.
    Classic,
    /// Whether camera and GPS data are stripped from images.
    StripCamera,
    /// Whether large pictures are made smaller before they are sent, where the site makes its sizes later.
    ShrinkImages,
    /// What the front matter's `description` is for: `excerpt`, `seo` or `ignore`.
    DescriptionIs,
    /// The categories of articles that name none.
    DefaultCategories,
    /// What becomes of an address on a line of its own: `embed`, `line` or `link`.
    BareUrls,
    /// Where the marks of Obsidian hold: `auto`, `on` or `off`.
    Obsidian,
    /// Whether a line end of Markdown is a line break.
    LineBreaks,
    /// Keys of the front matter whose values are custom fields of the site.
    CustomFields,
    /// Words that must not stand in an article.
    ForbiddenWords,
    /// Words that must stand in every article.
    RequiredWords,
    /// Whether the first image stands for an article that names none for that.
    FeatureFirstImage,
    /// Whether images must have a text that stands for them.
    CheckAlt,
    /// Whether links to other articles and headings must lead somewhere.
    CheckLinks,
    /// Whether links to this machine and private networks are told.
    CheckLocalLinks,
    /// The fewest characters of a text; 0 for no bound.
    ShortestText,
    /// The most characters of a title; 0 for no bound.
    TitleLength,
    /// For how many seconds an article in a watched folder must be quiet before it is taken.
    WatchSettle,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 20] = [
        Self::Window,
        Self::CreateTags,
        Self::Classic,
        Self::StripCamera,
        Self::ShrinkImages,
        Self::DescriptionIs,
        Self::DefaultCategories,
        Self::BareUrls,
        Self::Obsidian,
        Self::LineBreaks,
        Self::CustomFields,
        Self::ForbiddenWords,
        Self::RequiredWords,
        Self::FeatureFirstImage,
        Self::CheckAlt,
        Self::CheckLinks,
        Self::CheckLocalLinks,
        Self::ShortestText,
        Self::TitleLength,
        Self::WatchSettle,
    ];

    /// Returns the stable key.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::CreateTags => "create_tags",
            Self::Classic => "classic",
            Self::StripCamera => "strip_camera",
            Self::ShrinkImages => "shrink_images",
            Self::DescriptionIs => "description_is",
            Self::DefaultCategories => "default_categories",
            Self::BareUrls => "bare_urls",
            Self::Obsidian => "obsidian",
            Self::LineBreaks => "line_breaks",
            Self::CustomFields => "custom_fields",
            Self::ForbiddenWords => "forbidden_words",
            Self::RequiredWords => "required_words",
            Self::FeatureFirstImage => "feature_first_image",
            Self::CheckAlt => "check_alt",
            Self::CheckLinks => "check_links",
            Self::CheckLocalLinks => "check_local_links",
            Self::ShortestText => "shortest_text",
            Self::TitleLength => "title_length",
            Self::WatchSettle => "watch_settle",
        }
    }

    /// Finds a setting by its key.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == key)
    }
}

/// The settings in force for a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a site is given to finish a request whose answer was lost.
    pub window: Duration,
    /// Whether unknown tags are created without asking.
    pub create_tags: bool,
    /// Whether content is sent without block delimiters.
    pub classic: bool,
    /// Whether camera and GPS data are stripped from images.
    pub strip_camera: bool,
    /// Whether large pictures are made smaller before they are sent. The files here are never changed.
    pub shrink_images: bool,
    /// What the front matter's `description` is for.
    pub description_is: DescriptionIs,
    /// The categories of articles that name none.
    pub default_categories: Vec<String>,
    /// How marks are read that Markdown tools do not agree on.
    pub marks: Marks,
    /// Keys of the front matter, each with the custom field of the site that takes its value.
    pub custom_fields: Vec<(String, String)>,
    /// What articles are checked for.
    pub gates: Gates,
    /// How long an article in a watched folder must be quiet before it is taken.
    pub watch_settle: Duration,
    /// Whether the first image stands for an article that names none for that.
    pub feature_first_image: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window: Duration::from_millis(window::DEFAULT_MS),
            create_tags: false,
            classic: false,
            strip_camera: true,
            shrink_images: true,
            description_is: DescriptionIs::default(),
            default_categories: Vec::new(),
            marks: Marks::default(),
            feature_first_image: false,
            custom_fields: Vec::new(),
            gates: Gates::default(),
            watch_settle: Duration::from_secs(5),
        }
    }
}

/// The shortest settle window that can be set: 1 minute.
pub const SHORTEST_WINDOW_MIN: u64 = 1;
/// The longest settle window that can be set: 1 day.
pub const LONGEST_WINDOW_MIN: u64 = 24 * 60;

/// The longest time that can be set for an article to be quiet: 1 hour. The shortest is 1 s.
pub const LONGEST_SETTLE_S: u64 = 3600;

/// The most characters that can be set for a text or a title.
pub const MOST_CHARACTERS: usize = 100_000;

/// A value that a setting cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// Not a whole number of minutes within the bounds.
    #[error("read a whole number of minutes from {SHORTEST_WINDOW_MIN} to {LONGEST_WINDOW_MIN}")]
    Minutes,
    /// Neither on nor off.
    #[error("read on or off")]
    Switch,
    /// None of the words that it can be.
    #[error("read excerpt, seo or ignore")]
    Description,
    /// None of the words that it can be.
    #[error("read embed, line or link")]
    BareUrls,
    /// None of the words that it can be.
    #[error("read auto, on or off")]
    Obsidian,
    /// Not names of fields.
    #[error("read names of fields, or key=field")]
    Fields,
    /// Not a whole number within the bounds.
    #[error("read a whole number from 0 to {MOST_CHARACTERS}")]
    Characters,
    /// Not a whole number of seconds within the bounds.
    #[error("read a whole number of seconds from 1 to {LONGEST_SETTLE_S}")]
    Seconds,
}

impl Settings {
    /// Changes one setting by its text.
    ///
    /// # Errors
    /// Returns what values the setting takes.
    pub fn set(&mut self, key: Key, value: &str) -> Result<(), SettingError> {
        match key {
            Key::Window => {
                let minutes = value.parse::<u64>().map_err(|_| SettingError::Minutes)?;
                if !(SHORTEST_WINDOW_MIN..=LONGEST_WINDOW_MIN).contains(&minutes) {
                    return Err(SettingError::Minutes);
                }
                self.window = Duration::from_secs(minutes * 60);
            }
            Key::CreateTags => self.create_tags = switch(value)?,
            Key::Classic => self.classic = switch(value)?,
            Key::StripCamera => self.strip_camera = switch(value)?,
            Key::ShrinkImages => self.shrink_images = switch(value)?,
            Key::DescriptionIs => {
                self.description_is = match value {
                    "excerpt" => DescriptionIs::Excerpt,
                    "seo" => DescriptionIs::Seo,
                    "ignore" => DescriptionIs::Ignored,
                    _ => return Err(SettingError::Description),
                }
            }
            Key::DefaultCategories => self.default_categories = list(value),
            Key::BareUrls => {
                self.marks.bare_urls = match value {
                    "embed" => BareUrls::Embed,
                    "line" => BareUrls::Line,
                    "link" => BareUrls::Link,
                    _ => return Err(SettingError::BareUrls),
                }
            }
            Key::Obsidian => {
                self.marks.obsidian = match value {
                    "auto" => Obsidian::InVaults,
                    "on" => Obsidian::Always,
                    "off" => Obsidian::Never,
                    _ => return Err(SettingError::Obsidian),
                }
            }
            Key::LineBreaks => self.marks.line_breaks = switch(value)?,
            Key::CustomFields => self.custom_fields = fields(value)?,
            Key::ForbiddenWords => self.gates.forbidden = list(value),
            Key::RequiredWords => self.gates.required = list(value),
            Key::FeatureFirstImage => self.feature_first_image = switch(value)?,
            Key::CheckAlt => self.gates.alt = switch(value)?,
            Key::CheckLinks => self.gates.links = switch(value)?,
            Key::CheckLocalLinks => self.gates.local_links = switch(value)?,
            Key::ShortestText => self.gates.shortest = characters(value)?,
            Key::TitleLength => self.gates.title_length = characters(value)?,
            Key::WatchSettle => {
                let seconds = value.trim().parse::<u64>().map_err(|_| SettingError::Seconds)?;
                if !(1..=LONGEST_SETTLE_S).contains(&seconds) {
                    return Err(SettingError::Seconds);
                }
                self.watch_settle = Duration::from_secs(seconds);
            }
        }
        Ok(())
    }

    /// Returns a setting as text, as [`Settings::set`] reads it.
    #[must_use]
    pub fn get(&self, key: Key) -> String {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        match key {
            Key::Window => (self.window.as_secs() / 60).to_string(),
            Key::CreateTags => on_off(self.create_tags),
            Key::Classic => on_off(self.classic),
            Key::StripCamera => on_off(self.strip_camera),
            Key::ShrinkImages => on_off(self.shrink_images),
            Key::DescriptionIs => match self.description_is {
                DescriptionIs::Excerpt => "excerpt",
                DescriptionIs::Seo => "seo",
                DescriptionIs::Ignored => "ignore",
            }
            .to_owned(),
            Key::DefaultCategories => self.default_categories.join(", "),
            Key::BareUrls => match self.marks.bare_urls {
                BareUrls::Embed => "embed",
                BareUrls::Line => "line",
                BareUrls::Link => "link",
            }
            .to_owned(),
            Key::Obsidian => match self.marks.obsidian {
                Obsidian::InVaults => "auto",
                Obsidian::Always => "on",
                Obsidian::Never => "off",
            }
            .to_owned(),
            Key::LineBreaks => on_off(self.marks.line_breaks),
            Key::CustomFields => {
                let written = |(key, field): &(String, String)| {
                    if key == field { key.clone() } else { format!("{key}={field}") }
                };
                self.custom_fields.iter().map(written).collect::<Vec<_>>().join(", ")
            }
            Key::ForbiddenWords => self.gates.forbidden.join(", "),
            Key::RequiredWords => self.gates.required.join(", "),
            Key::FeatureFirstImage => on_off(self.feature_first_image),
            Key::CheckAlt => on_off(self.gates.alt),
            Key::CheckLinks => on_off(self.gates.links),
            Key::CheckLocalLinks => on_off(self.gates.local_links),
            Key::ShortestText => self.gates.shortest.to_string(),
            Key::TitleLength => self.gates.title_length.to_string(),
            Key::WatchSettle => self.watch_settle.as_secs().to_string(),
        }
    }

    /// Returns how articles are read under these settings.
    #[must_use]
    pub fn reading(&self) -> Options {
        Options {
            strip_metadata: self.strip_camera,
            description_is: self.description_is,
            default_categories: self.default_categories.clone(),
            marks: self.marks,
            first_image_is_featured: self.feature_first_image,
            custom_fields: self.custom_fields.clone(),
            gates: self.gates.clone(),
            ..Options::default()
        }
    }
}

/// Reads words with commas between; each counts once.
fn list(value: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in value.split([',', '、', '，', '\n']).map(str::trim).filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Reads `key=field` with commas between; a name alone is both.
fn fields(value: &str) -> Result<Vec<(String, String)>, SettingError> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for pair in list(value) {
        let (key, field) = pair.split_once(['=', '＝']).unwrap_or((&pair, &pair));
        let (key, field) = (key.trim().to_owned(), field.trim().to_owned());
        if key.is_empty() || field.is_empty() || fields.iter().any(|(known, _)| *known == key) {
            return Err(SettingError::Fields);
        }
        fields.push((key, field));
    }
    Ok(fields)
}

fn characters(value: &str) -> Result<usize, SettingError> {
    let number = value.trim().parse().map_err(|_| SettingError::Characters)?;
    if number > MOST_CHARACTERS { Err(SettingError::Characters) } else { Ok(number) }
}

fn switch(value: &str) -> Result<bool, SettingError> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "yes" | "true" | "1" => Ok(true),
        "off" | "no" | "false" | "0" => Ok(false),
        _ => Err(SettingError::Switch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_what_it_writes() {
        let mut settings = Settings::default();
        let values = [
            (Key::Window, "25"),
            (Key::CreateTags, "on"),
            (Key::Classic, "on"),
            (Key::StripCamera, "off"),
            (Key::ShrinkImages, "off"),
            (Key::DescriptionIs, "seo"),
            (Key::DefaultCategories, "お知らせ, News"),
            (Key::BareUrls, "line"),
            (Key::Obsidian, "on"),
            (Key::LineBreaks, "on"),
            (Key::CustomFields, "meta_title=_seo_title, price"),
            (Key::ForbiddenWords, "絶対, TODO"),
            (Key::RequiredWords, "広告"),
            (Key::FeatureFirstImage, "on"),
            (Key::CheckAlt, "off"),
            (Key::CheckLinks, "off"),
            (Key::CheckLocalLinks, "off"),
            (Key::ShortestText, "300"),
            (Key::TitleLength, "32"),
            (Key::WatchSettle, "20"),
        ];
        assert_eq!(values.map(|(key, _)| key), Key::ALL);
        for (key, value) in values {
            assert_ne!(settings.get(key), value);
            settings.set(key, value).unwrap();
            assert_eq!(settings.get(key), value);
            assert_eq!(Key::parse(key.as_str()), Some(key));
        }
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        let mut settings = Settings::default();
        settings.set(Key::ForbiddenWords, " 絶対、最高 ，絶対,, ").unwrap();
        assert_eq!(settings.gates.forbidden, ["絶対", "最高"]);
        settings.set(Key::ForbiddenWords, "").unwrap();
        assert!(settings.gates.forbidden.is_empty());
    }

    #[test]
    fn fields_are_named_once_each() {
        let mut settings = Settings::default();
        settings.set(Key::CustomFields, "価格＝price、 rating ").unwrap();
        let names = |(key, field): (&str, &str)| (key.to_owned(), field.to_owned());
        assert_eq!(settings.custom_fields, [("価格", "price"), ("rating", "rating")].map(names));
        assert_eq!(settings.reading().custom_fields, settings.custom_fields);
        for value in ["a=", "=b", "a=b, a=c"] {
            assert_eq!(settings.set(Key::CustomFields, value), Err(SettingError::Fields), "{value}");
        }
        settings.set(Key::CustomFields, "").unwrap();
        assert_eq!(settings.custom_fields, []);
    }

    #[test]
    fn a_value_out_of_bounds_changes_nothing() {
        let mut settings = Settings::default();
        for value in ["0", "-1", "1441", "ten", "99999999999999999999"] {
            assert_eq!(settings.set(Key::Window, value), Err(SettingError::Minutes));
        }
        assert_eq!(settings.set(Key::Classic, "maybe"), Err(SettingError::Switch));
        assert_eq!(settings.set(Key::DescriptionIs, "SEO!"), Err(SettingError::Description));
        assert_eq!(settings.set(Key::BareUrls, "card"), Err(SettingError::BareUrls));
        assert_eq!(settings.set(Key::Obsidian, "yes"), Err(SettingError::Obsidian));
        for value in ["-1", "100001", "many", ""] {
            assert_eq!(settings.set(Key::TitleLength, value), Err(SettingError::Characters));
        }
        for value in ["0", "-1", "3601", "2.5", ""] {
            assert_eq!(settings.set(Key::WatchSettle, value), Err(SettingError::Seconds));
        }
        assert_eq!(settings, Settings::default());
    }
}
