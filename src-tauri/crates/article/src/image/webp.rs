//! WebP: chunks of a RIFF file.

use super::{Part, Parts, Size, Walked, exif, le16, le24, le32};

const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;

pub(super) fn walk(bytes: &[u8]) -> Option<Walked> {
    let end = usize::try_from(le32(bytes, 4)?).ok()?.checked_add(8)?;
    bytes.get(..end)?;
    let mut parts = Parts::default();
    let mut size = None;
    let mut flags_at = None;
    let mut has_data = false;
    let mut orientation = None;
    let mut removed = end < bytes.len();
    let mut at = 12;
    while at < end {
        let kind = bytes.get(at..at + 4)?;
        let length = usize::try_from(le32(bytes, at + 4)?).ok()?;
        let content_end = (at + 8).checked_add(length)?;
        let content = bytes.get(at + 8..content_end)?;
        // Chunks are padded to even lengths; the padding of the last one is often missing.
        let next = (content_end + (length & 1)).min(end);
        if content_end > end {
            return None;
        }
        match kind {
            b"VP8X" => {
                flags_at = Some(at + 8);
                size = Some(Size { width: le24(content, 4)? + 1, height: le24(content, 7)? + 1 });
                parts.keep(at..next);
            }
            b"EXIF" => {
                removed = true;
                let tiff = content.strip_prefix(b"Exif\0\0").unwrap_or(content);
                orientation = orientation.or(exif::orientation(tiff));
            }
            b"XMP " => removed = true,
            _ => {
                match kind {
                    b"VP8 " => size = size.or(Some(lossy_size(content)?)),
                    b"VP8L" => size = size.or(Some(lossless_size(content)?)),
                    _ => {}
                }
                has_data |= matches!(kind, b"VP8 " | b"VP8L" | b"ANMF");
                parts.keep(at..next);
            }
        }
        at = next;
    }
    let size = size.filter(|_| has_data)?;
    if !removed {
        return Some(Walked { size, parts: vec![Part::Kept(0..bytes.len())] });
    }
    Some(Walked { size, parts: assembled(bytes, parts.0, flags_at, orientation)? })
}

/// Puts the kept chunks together under a header with the new length and flags.
fn assembled(
    bytes: &[u8],
    kept: Vec<Part>,
    flags_at: Option<usize>,
    orientation: Option<u8>,
) -> Option<Vec<Part>> {
    let mut content = Vec::new();
    for part in kept {
        if let Part::Kept(range) = part {
            let from = content.len();
            content.extend_from_slice(bytes.get(range.clone())?);
            if let Some(flags_at) = flags_at.filter(|at| range.contains(at)) {
                let flags = content.get_mut(from + flags_at - range.start)?;
                *flags &= !(HAS_EXIF | HAS_XMP);
                if orientation.is_some() {
                    *flags |= HAS_EXIF;
                }
            }
        }
    }
    if let Some(value) = orientation.filter(|_| flags_at.is_some()) {
        if content.len() % 2 == 1 {
            content.push(0);
        }
        let tiff = exif::only_orientation(value);
        content.extend_from_slice(b"EXIF");
        content.extend_from_slice(&u32::try_from(tiff.len()).ok()?.to_le_bytes());
        content.extend_from_slice(&tiff);
    }
    let mut header = b"RIFF".to_vec();
    header.extend_from_slice(&u32::try_from(content.len() + 4).ok()?.to_le_bytes());
    header.extend_from_slice(b"WEBP");
    Some(vec![Part::New(header), Part::New(content)])
}

fn lossy_size(content: &[u8]) -> Option<Size> {
    if content.get(3..6)? != [0x9D, 0x01, 0x2A] {
        return None;
    }
    Some(Size { width: le16(content, 6)? & 0x3FFF, height: le16(content, 8)? & 0x3FFF })
}

fn lossless_size(content: &[u8]) -> Option<Size> {
    if *content.first()? != 0x2F {
        return None;
    }
    let bits = le32(content, 1)?;
    Some(Size { width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1 })
}
