//! Image files by their bytes: type, size, and the parts that hold camera data.
//!
//! Each format is read as a chain of parts. The same walk proves that a file is whole and tells
//! which parts are sent.

mod avif;
mod exif;
mod gif;
mod jpeg;
mod png;
mod shrink;
mod webp;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

/// The image types that are uploaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Jpeg,
    Png,
    Gif,
    WebP,
    Avif,
}

impl Kind {
    pub(crate) fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Avif => "image/avif",
        }
    }

    /// The usual extensions, the one to be used first.
    pub(crate) fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Jpeg => &["jpg", "jpeg", "jpe", "jfif"],
            Self::Png => &["png", "apng"],
            Self::Gif => &["gif"],
            Self::WebP => &["webp"],
            Self::Avif => &["avif"],
        }
    }
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

pub(crate) use shrink::shrunk;

/// Why a file is no usable image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    Empty,
    Svg,
    Heic,
    Unknown,
    Damaged,
}

/// A piece of the file to be sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Bytes of the original.
    Kept(std::ops::Range<usize>),
    /// Bytes that take the place of what was left out.
    New(Vec<u8>),
}

/// A walked file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Walked {
    pub(crate) size: Size,
    pub(crate) parts: Vec<Part>,
}

/// Tells type and size, and that the file is whole.
pub(crate) fn inspect(bytes: &[u8]) -> Result<(Kind, Size), Problem> {
    let kind = sniff(bytes)?;
    let walked = walk(kind, bytes)?;
    if walked.size.width == 0 || walked.size.height == 0 {
        Err(Problem::Damaged)
    } else {
        Ok((kind, walked.size))
    }
}

/// The file without GPS and camera data; orientation and colour profile stay.
pub(crate) fn without_metadata(kind: Kind, bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    let walked = walk(kind, &bytes)?;
    if walked.parts == [Part::Kept(0..bytes.len())] {
        return Ok(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    for part in walked.parts {
        match part {
            Part::Kept(range) => out.extend_from_slice(bytes.get(range).ok_or(Problem::Damaged)?),
            Part::New(new) => out.extend_from_slice(&new),
        }
    }
    Ok(out)
}

/// Whether a site takes the picture as it stands, as far as its orientation goes: formats whose orientation is not
/// read here count as turned.
pub(crate) fn is_upright(kind: Kind, bytes: &[u8]) -> bool {
    match kind {
        Kind::Jpeg => !jpeg::is_turned(bytes),
        Kind::Png | Kind::Gif => true,
        Kind::WebP | Kind::Avif => false,
    }
}

fn sniff(bytes: &[u8]) -> Result<Kind, Problem> {
    match bytes {
        [] => Err(Problem::Empty),
        [0xFF, 0xD8, 0xFF, ..] => Ok(Kind::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Ok(Kind::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Ok(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(Kind::WebP),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] if avif::is_avif(bytes) => Ok(Kind::Avif),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] if avif::is_heic(bytes) => Err(Problem::Heic),
        _ if looks_like_svg(bytes) => Err(Problem::Svg),
        _ => Err(Problem::Unknown),
    }
}

fn looks_like_svg(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    text.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with('<') && text.contains("<svg")
}

fn walk(kind: Kind, bytes: &[u8]) -> Result<Walked, Problem> {
    let walked = match kind {
        Kind::Jpeg => jpeg::walk(bytes),
        Kind::Png => png::walk(bytes),
        Kind::Gif => gif::walk(bytes),
        Kind::WebP => webp::walk(bytes),
        Kind::Avif => avif::walk(bytes),
    };
    walked.ok_or(Problem::Damaged)
}

/// Gathers parts, joining neighbours.
#[derive(Debug, Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn keep(&mut self, range: std::ops::Range<usize>) {
        match self.0.last_mut() {
            Some(Part::Kept(last)) if last.end == range.start => last.end = range.end,
            _ if range.is_empty() => {}
            _ => self.0.push(Part::Kept(range)),
        }
    }

    fn put(&mut self, new: Vec<u8>) {
        self.0.push(Part::New(new));
    }
}

fn be16(bytes: &[u8], at: usize) -> Option<usize> {
    let pair = bytes.get(at..at.checked_add(2)?)?;
    Some(usize::from(pair[0]) << 8 | usize::from(pair[1]))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at.checked_add(4)?)
        .map(|four| four.iter().fold(0, |value, &byte| value << 8 | u32::from(byte)))
}

fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(2)?).map(|two| u32::from(two[0]) | u32::from(two[1]) << 8)
}

fn le24(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at.checked_add(3)?)
        .map(|three| u32::from(three[0]) | u32::from(three[1]) << 8 | u32::from(three[2]) << 16)
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at.checked_add(4)?)
        .map(|four| four.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
}
