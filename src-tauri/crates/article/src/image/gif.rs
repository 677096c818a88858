//! GIF: blocks up to the trailer.

use super::{Parts, Size, Walked, le16};

pub(super) fn walk(bytes: &[u8]) -> Option<Walked> {
    let size = Size { width: le16(bytes, 6)?, height: le16(bytes, 8)? };
    let mut at = 13 + color_table(*bytes.get(10)?);
    let mut parts = Parts::default();
    bytes.get(..at)?;
    parts.keep(0..at);
    let mut has_image = false;
    loop {
        let start = at;
        match *bytes.get(at)? {
            0x3B => {
                parts.keep(start..at + 1);
                return has_image.then_some(Walked { size, parts: parts.0 });
            }
            0x2C => {
                at += 10 + color_table(*bytes.get(at + 9)?);
                at = sub_blocks_end(bytes, at + 1)?;
                has_image = true;
                parts.keep(start..at);
            }
            0x21 => {
                let label = *bytes.get(at + 1)?;
                at = sub_blocks_end(bytes, at + 2)?;
                let is_note = label == 0xFE;
                let is_metadata = label == 0xFF && bytes.get(start + 3..start + 14) == Some(b"XMP DataXMP");
                if !is_note && !is_metadata {
                    parts.keep(start..at);
                }
            }
            _ => return None,
        }
    }
}

fn color_table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

fn sub_blocks_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}
