//! AVIF: boxes. Camera data are blanked where they lie, since offsets point all over the file.

use super::{Part, Parts, Size, Walked, be16, be32};

const MOST_ITEMS: usize = 4096;

pub(super) fn is_avif(bytes: &[u8]) -> bool {
    has_brand(bytes, &[b"avif", b"avis"])
}

/// Whether it is the form in which telephones keep photographs.
pub(super) fn is_heic(bytes: &[u8]) -> bool {
    has_brand(bytes, &[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"])
}

fn has_brand(bytes: &[u8], wanted: &[&[u8; 4]]) -> bool {
    let end = be32(bytes, 0).and_then(|length| usize::try_from(length).ok()).unwrap_or(0).min(bytes.len());
    let Some(brands) = bytes.get(8..end) else { return false };
    brands
        .chunks_exact(4)
        .enumerate()
        .any(|(at, brand)| at != 1 && wanted.iter().any(|known| brand == *known))
}

pub(super) fn walk(bytes: &[u8]) -> Option<Walked> {
    let mut meta = None;
    let mut has_data = false;
    let whole = each_box(bytes, 0..bytes.len(), |kind, content| {
        match kind {
            b"meta" => meta = Some(content),
            b"mdat" | b"moov" => has_data = true,
            _ => {}
        }
        Some(())
    });
    whole?;
    let meta = meta.filter(|_| has_data)?;
    let inside = meta.start.checked_add(4)?..meta.end;
    let mut size = None;
    let mut names = None;
    let mut places = None;
    let mut own_data = None;
    each_box(bytes, inside, |kind, content| {
        match kind {
            b"iprp" => size = largest(bytes, content),
            b"iinf" => names = Some(content),
            b"iloc" => places = Some(content),
            b"idat" => own_data = Some(content),
            _ => {}
        }
        Some(())
    })?;
    let private = names.map_or(Some(Vec::new()), |names| private_items(bytes, names))?;
    let blanks = match places {
        Some(places) if !private.is_empty() => extents(bytes, places, own_data, &private)?,
        _ => Vec::new(),
    };
    Some(Walked { size: size?, parts: blanked(bytes.len(), blanks) })
}

fn blanked(length: usize, mut blanks: Vec<std::ops::Range<usize>>) -> Vec<Part> {
    blanks.sort_by_key(|blank| blank.start);
    let mut parts = Parts::default();
    let mut at = 0;
    for blank in blanks {
        let start = blank.start.max(at);
        if start < blank.end {
            parts.keep(at..start);
            parts.put(vec![0; blank.end - start]);
            at = blank.end;
        }
    }
    parts.keep(at..length);
    parts.0
}

/// Calls for each box in a range with its type and the range of its content.
fn each_box<'b>(
    bytes: &'b [u8],
    range: std::ops::Range<usize>,
    mut call: impl FnMut(&'b [u8], std::ops::Range<usize>) -> Option<()>,
) -> Option<()> {
    let mut at = range.start;
    while at < range.end {
        let kind = bytes.get(at + 4..at + 8)?;
        let (header, length) = match be32(bytes, at)? {
            0 => (8, range.end - at),
            1 => {
                let high = u64::from(be32(bytes, at + 8)?) << 32;
                (16, usize::try_from(high | u64::from(be32(bytes, at + 12)?)).ok()?)
            }
            short => (8, usize::try_from(short).ok()?),
        };
        let end = at.checked_add(length)?;
        if length < header || end > range.end {
            return None;
        }
        call(kind, at + header..end)?;
        at = end;
    }
    Some(())
}

/// The largest extent that the properties name: that of the picture, not of a thumbnail.
fn largest(bytes: &[u8], properties: std::ops::Range<usize>) -> Option<Size> {
    let mut found: Option<Size> = None;
    each_box(bytes, properties, |kind, content| {
        if kind == b"ipco" {
            each_box(bytes, content, |kind, content| {
                if kind == b"ispe" {
                    let size = Size {
                        width: be32(bytes, content.start + 4)?,
                        height: be32(bytes, content.start + 8)?,
                    };
                    let area = |size: &Size| u64::from(size.width) * u64::from(size.height);
                    if found.as_ref().is_none_or(|known| area(known) < area(&size)) {
                        found = Some(size);
                    }
                }
                Some(())
            })?;
        }
        Some(())
    })?;
    found
}

/// The ids of the items that hold Exif or XMP.
fn private_items(bytes: &[u8], names: std::ops::Range<usize>) -> Option<Vec<u32>> {
    let version = *bytes.get(names.start)?;
    let entries = names.start.checked_add(if version == 0 { 6 } else { 8 })?..names.end;
    let mut found = Vec::new();
    each_box(bytes, entries, |kind, content| {
        if kind == b"infe" {
            let (id, type_at) = match *bytes.get(content.start)? {
                2 => (u32::try_from(be16(bytes, content.start + 4)?).ok()?, content.start + 8),
                3 => (be32(bytes, content.start + 4)?, content.start + 10),
                _ => return Some(()),
            };
            if matches!(bytes.get(type_at..type_at + 4)?, b"Exif" | b"mime") && found.len() < MOST_ITEMS {
                found.push(id);
            }
        }
        Some(())
    })?;
    Some(found)
}

/// Where the given items lie in the file.
fn extents(
    bytes: &[u8],
    places: std::ops::Range<usize>,
    own_data: Option<std::ops::Range<usize>>,
    wanted: &[u32],
) -> Option<Vec<std::ops::Range<usize>>> {
    let mut at = places.start;
    let mut number = |size: usize| -> Option<u64> {
        let field = bytes.get(at..at.checked_add(size)?)?;
        at += size;
        (at <= places.end).then(|| field.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    };
    let version = number(1)?;
    number(3)?;
    let sizes = number(2)?;
    let nibble = |shift: u32| usize::try_from(sizes >> shift & 15).ok();
    let (offset_size, length_size, base_size) = (nibble(12)?, nibble(8)?, nibble(4)?);
    let index_size = if version == 0 { 0 } else { nibble(0)? };
    // Extents that take no room could be counted without end.
    let takes_room = offset_size + length_size > 0;
    if !takes_room
        || [offset_size, length_size, base_size, index_size].iter().any(|size| ![0, 4, 8].contains(size))
    {
        return None;
    }
    let id_size = if version < 2 { 2 } else { 4 };
    let mut found = Vec::new();
    for _ in 0..number(id_size)?.min(MOST_ITEMS as u64) {
        let id = number(id_size)?;
        let method = if version == 0 { 0 } else { number(2)? & 15 };
        number(2)?;
        let base = number(base_size)?;
        for _ in 0..number(2)? {
            number(index_size)?;
            let offset = base.checked_add(number(offset_size)?)?;
            let length = number(length_size)?;
            if !wanted.iter().any(|&wanted| u64::from(wanted) == id) {
                continue;
            }
            let origin = match method {
                0 => 0,
                1 => own_data.as_ref()?.start,
                // Made from other items: nothing of its own to blank.
                _ => continue,
            };
            let start = origin.checked_add(usize::try_from(offset).ok()?)?;
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            bytes.get(start..end)?;
            found.push(start..end);
        }
    }
    Some(found)
}
