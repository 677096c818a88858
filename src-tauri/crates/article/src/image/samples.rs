//! Small images, made here.

use super::png::crc;

/// A PNG of one colour, with the given chunks before its data.
pub(crate) fn png_with(width: u32, height: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = width.to_be_bytes().to_vec();
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[8, 0, 0, 0, 0]);
    let rows: Vec<u8> = (0..height).flat_map(|_| std::iter::repeat_n(0, width as usize + 1)).collect();
    for (kind, content) in [(b"IHDR", header.as_slice())]
        .into_iter()
        .chain(chunks.iter().copied())
        .chain([(b"IDAT", zlib(&rows).as_slice()), (b"IEND", &[])])
    {
        push_chunk(&mut png, kind, content);
    }
    png
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    png_with(width, height, &[])
}

fn push_chunk(out: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    out.extend_from_slice(&(content.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend_from_slice(kind);
    out.extend_from_slice(content);
    let checksum = crc(&out[start..]);
    out.extend_from_slice(&checksum.to_be_bytes());
}

/// Stored blocks: a valid stream without compression.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut pieces = bytes.chunks(60_000).peekable();
    while let Some(piece) = pieces.next() {
        out.push(u8::from(pieces.peek().is_none()));
        let length = piece.len() as u16;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(piece);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend_from_slice(&(b << 16 | a).to_be_bytes());
    out
}

/// The outer form of a JPEG, with the given segments after its start.
pub(crate) fn jpeg_with(width: u16, height: u16, segments: &[(u8, &[u8])]) -> Vec<u8> {
    let mut jpeg = vec![0xFF, 0xD8];
    for (marker, content) in segments {
        push_segment(&mut jpeg, *marker, content);
    }
    let mut frame = vec![8];
    frame.extend_from_slice(&height.to_be_bytes());
    frame.extend_from_slice(&width.to_be_bytes());
    frame.extend_from_slice(&[1, 1, 0x11, 0]);
    push_segment(&mut jpeg, 0xC0, &frame);
    push_segment(&mut jpeg, 0xDA, &[1, 1, 0, 0, 63, 0]);
    jpeg.extend_from_slice(&[0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9]);
    jpeg
}

fn push_segment(out: &mut Vec<u8>, marker: u8, content: &[u8]) {
    out.extend_from_slice(&[0xFF, marker]);
    out.extend_from_slice(&(content.len() as u16 + 2).to_be_bytes());
    out.extend_from_slice(content);
}

pub(crate) fn gif_with(extensions: &[u8]) -> Vec<u8> {
    let mut gif = b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    gif.extend_from_slice(extensions);
    gif.extend_from_slice(b"\x2c\0\0\0\0\x03\0\x02\0\0\x02\x03\x84\x0f\x05\0\x3b");
    gif
}

/// A WebP of the extended form, with the given chunks after its picture.
pub(crate) fn webp_with(flags: u8, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let extended = [flags, 0, 0, 0, 9, 0, 0, 19, 0, 0];
    let picture = [0x2F, 9, 0xC0, 4, 0, 0];
    let mut content = b"WEBP".to_vec();
    for (kind, chunk) in [(b"VP8X", extended.as_slice()), (b"VP8L", picture.as_slice())]
        .into_iter()
        .chain(chunks.iter().copied())
    {
        content.extend_from_slice(kind);
        content.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        content.extend_from_slice(chunk);
        if chunk.len() % 2 == 1 {
            content.push(0);
        }
    }
    let mut webp = b"RIFF".to_vec();
    webp.extend_from_slice(&(content.len() as u32).to_le_bytes());
    webp.extend_from_slice(&content);
    webp
}

fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut out = (content.len() as u32 + 8).to_be_bytes().to_vec();
    out.extend_from_slice(kind);
    out.extend_from_slice(content);
    out
}

/// The outer form of an AVIF whose second item is Exif data.
pub(crate) fn avif_with(exif: &[u8]) -> Vec<u8> {
    let brands = boxed(b"ftyp", b"avif\0\0\0\0mif1avif");
    let item = |id: u8, kind: &[u8; 4]| {
        boxed(b"infe", &[[2, 0, 0, 0, 0, id, 0, 0].as_slice(), kind, b"\0"].concat())
    };
    let names =
        boxed(b"iinf", &[[0, 0, 0, 0, 0, 2].as_slice(), &item(1, b"av01"), &item(2, b"Exif")].concat());
    let extent = boxed(b"ispe", &[0, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 20]);
    let properties = boxed(b"iprp", &boxed(b"ipco", &extent));
    let picture = b"picture!";
    let places = |data_at: u32| {
        let place = |id: u8, at: u32, length: u32| {
            [[0, id, 0, 0, 0, 1].as_slice(), &at.to_be_bytes(), &length.to_be_bytes()].concat()
        };
        let picture_length = picture.len() as u32;
        boxed(
            b"iloc",
            &[
                [0, 0, 0, 0, 0x44, 0, 0, 2].as_slice(),
                &place(1, data_at, picture_length),
                &place(2, data_at + picture_length, exif.len() as u32),
            ]
            .concat(),
        )
    };
    let meta = |data_at| boxed(b"meta", &[[0; 4].as_slice(), &names, &places(data_at), &properties].concat());
    let data_at = (brands.len() + meta(0).len() + 8) as u32;
    [brands, meta(data_at), boxed(b"mdat", &[picture.as_slice(), exif].concat())].concat()
}

/// A TIFF structure with an orientation and a place on earth.
pub(crate) fn tiff_with_gps(orientation: u8, little: bool) -> Vec<u8> {
    let mut tiff =
        if little { b"II\x2a\0\x08\0\0\0\x02\0".to_vec() } else { b"MM\0\x2a\0\0\0\x08\0\x02".to_vec() };
    let entry = |tag: u16, kind: u16, value: [u8; 4]| {
        let order = |number: u16| if little { number.to_le_bytes() } else { number.to_be_bytes() };
        let count = if little { 1_u32.to_le_bytes() } else { 1_u32.to_be_bytes() };
        [order(tag).as_slice(), &order(kind), &count, &value].concat()
    };
    let orientation = if little { [orientation, 0, 0, 0] } else { [0, orientation, 0, 0] };
    tiff.extend(entry(0x0112, 3, orientation));
    tiff.extend(entry(0x8825, 4, [0, 0, 0, 38]));
    tiff.extend_from_slice(b"\0\0\0\0SECRET-PLACE 35.6895N");
    tiff
}
