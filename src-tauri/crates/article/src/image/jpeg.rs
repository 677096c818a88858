//! JPEG: segments up to the end of the first image.

use super::{Parts, Size, Walked, be16, exif};

pub(super) fn walk(bytes: &[u8]) -> Option<Walked> {
    let mut parts = Parts::default();
    let mut size = None;
    let mut orientation_put = false;
    parts.keep(0..2);
    let mut at = 2;
    loop {
        // Fill bytes may stand before a marker.
        let start = at;
        if *bytes.get(at)? != 0xFF {
            return None;
        }
        while *bytes.get(at)? == 0xFF {
            at += 1;
        }
        let marker = *bytes.get(at)?;
        at += 1;
        match marker {
            0xD9 => {
                // What follows are further pictures and films, with camera data of their own.
                parts.keep(start..at);
                return size.map(|size| Walked { size, parts: parts.0 });
            }
            0x01 | 0xD0..=0xD8 => parts.keep(start..at),
            0x00 => return None,
            _ => {
                let length = be16(bytes, at)?;
                let end = at.checked_add(length)?;
                let content = bytes.get(at + 2..end)?;
                if is_frame(marker) {
                    let height = u32::try_from(be16(content, 1)?).ok()?;
                    let width = u32::try_from(be16(content, 3)?).ok()?;
                    size.get_or_insert(Size { width, height });
                }
                if marker == 0xDA {
                    size?;
                    let scan_end = scan_end(bytes, end)?;
                    parts.keep(start..scan_end);
                    at = scan_end;
                    continue;
                }
                if keeps(marker, content) {
                    parts.keep(start..end);
                } else if marker == 0xE1
                    && !orientation_put
                    && let Some(value) = content.strip_prefix(b"Exif\0\0").and_then(exif::orientation)
                {
                    orientation_put = true;
                    parts.put(orientation_segment(value)?);
                }
                at = end;
            }
        }
    }
}

/// Whether the camera's data says that the picture is to be turned.
pub(super) fn is_turned(bytes: &[u8]) -> bool {
    let mut at = 2;
    // Application data stands before the picture.
    while let (Some(&[0xFF, marker]), Some(length)) = (bytes.get(at..at + 2), be16(bytes, at + 2)) {
        let content = bytes.get(at + 4..at + 2 + length).unwrap_or_default();
        let turned = content.strip_prefix(b"Exif\0\0").and_then(exif::orientation).is_some();
        if marker == 0xE1 && turned {
            return true;
        }
        if marker == 0xDA {
            return false;
        }
        at += 2 + length;
    }
    false
}

fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
}

/// Whether a segment belongs to the picture: not notes, and of the application data only three.
fn keeps(marker: u8, content: &[u8]) -> bool {
    match marker {
        0xE0 => content.starts_with(b"JFIF\0"),
        0xE2 => content.starts_with(b"ICC_PROFILE\0"),
        0xEE => content.starts_with(b"Adobe"),
        0xE1..=0xEF | 0xFE => false,
        _ => true,
    }
}

/// The place of the next marker after entropy-coded data.
fn scan_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
        match *bytes.get(at + 1)? {
            0x00 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            _ => return Some(at),
        }
    }
}

fn orientation_segment(value: u8) -> Option<Vec<u8>> {
    let tiff = exif::only_orientation(value);
    let length = u16::try_from(2 + 6 + tiff.len()).ok()?;
    let mut segment = vec![0xFF, 0xE1];
    segment.extend_from_slice(&length.to_be_bytes());
    segment.extend_from_slice(b"Exif\0\0");
    segment.extend_from_slice(&tiff);
    Some(segment)
}
