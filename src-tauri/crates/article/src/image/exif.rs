//! The one thing of Exif data that is needed to show a picture: which way is up.

use super::{be16, be32, le16, le32};

const ORIENTATION: u32 = 0x0112;

/// The orientation in a TIFF structure, where it is another than upright.
pub(super) fn orientation(tiff: &[u8]) -> Option<u8> {
    let big = match tiff.get(..4)? {
        [b'M', b'M', 0, 42] => true,
        [b'I', b'I', 42, 0] => false,
        _ => return None,
    };
    let short =
        |at| if big { be16(tiff, at).and_then(|value| u32::try_from(value).ok()) } else { le16(tiff, at) };
    let long = |at| if big { be32(tiff, at) } else { le32(tiff, at) };
    let directory = usize::try_from(long(4)?).ok()?;
    let entries = usize::try_from(short(directory)?).ok()?;
    for entry in 0..entries {
        let at = directory.checked_add(2)?.checked_add(entry * 12)?;
        if short(at)? == ORIENTATION {
            let value = u8::try_from(short(at.checked_add(8)?)?).ok()?;
            return (2..=8).contains(&value).then_some(value);
        }
    }
    None
}

/// A TIFF structure that holds the orientation and nothing else.
pub(super) fn only_orientation(value: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x01".to_vec();
    tiff.extend_from_slice(&[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]);
    tiff.extend_from_slice(&[0, 0, 0, 0]);
    tiff
}
