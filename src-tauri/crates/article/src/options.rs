//! What may be set, and how much of anything is read.

/// How articles are read and images prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether GPS and camera data are taken out of what is uploaded.
    pub strip_metadata: bool,
    /// How much is read.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { strip_metadata: true, limits: Limits::default() }
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
