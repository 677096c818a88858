//! What may be set, and how much of anything is read.

/// How articles are read and images prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether GPS and camera data are taken out of what is uploaded.
    pub strip_metadata: bool,
    /// What the front matter's `description` is for.
    pub description_is: DescriptionIs,
    /// The categories of articles that name none.
    pub default_categories: Vec<String>,
    /// Keys of the front matter, each with the custom field of the post that takes its value.
    pub custom_fields: Vec<(String, String)>,
    /// Whether the first image stands for an article that names none for that.
    pub first_image_is_featured: bool,
    /// How marks are read that Markdown tools do not agree on.
    pub marks: Marks,
    /// What a person wants articles to be checked for.
    pub gates: Gates,
    /// How much is read.
    pub limits: Limits,
    /// Whether images are read whose content lies in a cloud only, which fetches them. Else that is found.
    pub fetch: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strip_metadata: true,
            description_is: DescriptionIs::default(),
            default_categories: Vec::new(),
            custom_fields: Vec::new(),
            first_image_is_featured: false,
            marks: Marks::default(),
            gates: Gates::default(),
            limits: Limits::default(),
            fetch: true,
        }
    }
}

/// What the front matter's `description` is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DescriptionIs {
    /// The excerpt, where no other key gives one.
    #[default]
    Excerpt,
    /// A text for search engines: never the excerpt, and said so.
    Seo,
    /// Nothing.
    Ignored,
}

/// How marks are read that Markdown tools do not agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// What becomes of an address on a line of its own.
    pub bare_urls: BareUrls,
    /// Where the marks of Obsidian hold.
    pub obsidian: Obsidian,
    /// Whether a line end of the source is a line break, as Zenn, Qiita and Obsidian have it.
    pub line_breaks: bool,
}

/// What becomes of an address on a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BareUrls {
    /// Known services are embedded; others stay plain lines.
    #[default]
    Embed,
    /// A plain line, of which WordPress or the theme may make what it likes.
    Line,
    /// A link.
    Link,
}

/// Where the marks of Obsidian hold: `[[links]]`, `==highlights==`, `%%comments%%` and `^block-ids`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Obsidian {
    /// In articles below a folder that Obsidian has opened as a vault.
    #[default]
    InVaults,
    /// In every article.
    Always,
    /// Nowhere: they stay as they are written.
    Never,
}

/// What a person wants articles to be checked for. Each check can be switched off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// Words that must not stand in title, excerpt or text.
    pub forbidden: Vec<String>,
    /// Words of which each must stand in title, excerpt or text.
    pub required: Vec<String>,
    /// Whether images must have a text that stands for them.
    pub alt: bool,
    /// Whether links to other articles and to headings must lead somewhere.
    pub links: bool,
    /// Whether links to this machine and private networks are told.
    pub local_links: bool,
    /// The fewest characters of a text; 0 for no bound.
    pub shortest: usize,
    /// The most characters of a title; 0 for no bound.
    pub title_length: usize,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            forbidden: Vec::new(),
            required: Vec::new(),
            alt: true,
            links: true,
            local_links: true,
            shortest: 0,
            title_length: 100,
        }
    }
}

/// Bounds that keep hostile input from filling memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest text file, in bytes.
    pub text_bytes: u64,
    /// Largest image file, in bytes.
    pub image_bytes: u64,
    /// Most pixels of an image.
    pub image_pixels: u64,
    /// Most different images of an article.
    pub images: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text_bytes: 5 << 20, image_bytes: 25 << 20, image_pixels: 100_000_000, images: 200 }
    }
}
