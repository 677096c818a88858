//! PNG: chunks up to the end of the image.

use super::{Parts, Size, Walked, be32, exif};

const SIGNATURE: usize = 8;

pub(super) fn walk(bytes: &[u8]) -> Option<Walked> {
    let mut parts = Parts::default();
    parts.keep(0..SIGNATURE);
    let mut size = None;
    let mut has_data = false;
    let mut at = SIGNATURE;
    loop {
        let length = usize::try_from(be32(bytes, at)?).ok()?;
        let kind = bytes.get(at + 4..at + 8)?;
        let content_end = (at + 8).checked_add(length)?;
        let content = bytes.get(at + 8..content_end)?;
        let end = content_end.checked_add(4)?;
        bytes.get(content_end..end)?;
        match kind {
            b"IHDR" if size.is_none() => {
                size = Some(Size { width: be32(content, 0)?, height: be32(content, 4)? });
                parts.keep(at..end);
            }
            _ if size.is_none() => return None,
            b"IEND" => {
                parts.keep(at..end);
                return size.filter(|_| has_data).map(|size| Walked { size, parts: parts.0 });
            }
            b"eXIf" => {
                if let Some(value) = exif::orientation(content) {
                    parts.put(chunk(b"eXIf", &exif::only_orientation(value))?);
                }
            }
            b"tEXt" | b"zTXt" | b"iTXt" | b"tIME" | b"caBX" => {}
            _ => {
                has_data |= kind == b"IDAT";
                parts.keep(at..end);
            }
        }
        at = end;
    }
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Option<Vec<u8>> {
    let mut chunk = u32::try_from(content.len()).ok()?.to_be_bytes().to_vec();
    chunk.extend_from_slice(kind);
    chunk.extend_from_slice(content);
    let checksum = crc(&chunk[4..]);
    chunk.extend_from_slice(&checksum.to_be_bytes());
    Some(chunk)
}

/// The checksum of PNG chunks.
pub(super) fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}
