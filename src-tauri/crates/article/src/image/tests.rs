//! Types, sizes, damage, and what is taken out before an upload.

use super::samples::{avif_with, gif_with, jpeg_with, png, png_with, tiff_with_gps, webp_with};
use super::{Kind, Problem, Size, exif, inspect, without_metadata};
use proptest::prelude::*;

fn all() -> Vec<(Kind, Vec<u8>, Size)> {
    let exif = [b"Exif\0\0".as_slice(), &tiff_with_gps(6, true)].concat();
    vec![
        (Kind::Png, png(3, 2), Size { width: 3, height: 2 }),
        (Kind::Png, png_with(3, 2, &[(b"eXIf", &tiff_with_gps(6, false))]), Size { width: 3, height: 2 }),
        (Kind::Jpeg, jpeg_with(640, 480, &[(0xE1, &exif)]), Size { width: 640, height: 480 }),
        (Kind::Gif, gif_with(b"\x21\xfe\x04note\0"), Size { width: 3, height: 2 }),
        (
            Kind::WebP,
            webp_with(0x0C, &[(b"EXIF", &tiff_with_gps(3, true)), (b"XMP ", b"<SECRET-x/>")]),
            Size { width: 10, height: 20 },
        ),
        (Kind::Avif, avif_with(b"\0\0\0\0SECRET"), Size { width: 30, height: 20 }),
    ]
}

fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn type_and_size_are_told_by_content() {
    for (kind, bytes, size) in all() {
        assert_eq!(inspect(&bytes), Ok((kind, size)), "{kind:?}");
    }
}

#[test]
fn every_cut_is_seen() {
    for (kind, bytes, _) in all() {
        for end in 0..bytes.len() {
            let cut = inspect(&bytes[..end]);
            // A padding byte at the very end carries nothing.
            if kind != Kind::WebP || end + 1 < bytes.len() {
                assert!(cut.is_err(), "{kind:?} cut at {end} of {}", bytes.len());
            }
        }
    }
}

#[test]
fn what_is_no_image_is_told_apart() {
    assert_eq!(inspect(b""), Err(Problem::Empty));
    assert_eq!(inspect(b"hello"), Err(Problem::Unknown));
    assert_eq!(inspect(b"<?xml version='1.0'?><svg xmlns='x'/>"), Err(Problem::Svg));
    assert_eq!(inspect(b"\n <SVG>"), Err(Problem::Svg));
    assert_eq!(inspect(b"<html><body>svg"), Err(Problem::Unknown));
    assert_eq!(inspect(b"%PDF-1.7"), Err(Problem::Unknown));
    assert_eq!(inspect(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), Err(Problem::Heic));
    assert_eq!(inspect(&png(0, 2)), Err(Problem::Damaged));
}

#[test]
fn camera_data_and_places_are_gone_and_the_picture_stays() {
    for (kind, bytes, size) in all() {
        let cleaned = without_metadata(kind, bytes).unwrap();
        assert!(!holds(&cleaned, b"SECRET") && !holds(&cleaned, b"note"), "{kind:?}");
        assert_eq!(inspect(&cleaned), Ok((kind, size)), "{kind:?}");
        assert_eq!(without_metadata(kind, cleaned.clone()).unwrap(), cleaned, "{kind:?} is clean already");
    }
}

#[test]
fn orientation_stays_where_it_turns_the_picture() {
    for little in [true, false] {
        for value in 0..=9 {
            let tiff = tiff_with_gps(value, little);
            let kept = (2..=8).contains(&value).then_some(value);
            assert_eq!(exif::orientation(&tiff), kept);
            let segment = [b"Exif\0\0".as_slice(), &tiff].concat();
            let cleaned = without_metadata(Kind::Jpeg, jpeg_with(2, 2, &[(0xE1, &segment)])).unwrap();
            let at = cleaned.windows(6).position(|window| window == b"Exif\0\0");
            assert_eq!(at.and_then(|at| exif::orientation(&cleaned[at + 6..])), kept);
        }
    }
    let webp = webp_with(0x08, &[(b"EXIF", &tiff_with_gps(3, true))]);
    let cleaned = without_metadata(Kind::WebP, webp).unwrap();
    let at = cleaned.windows(4).position(|window| window == b"EXIF").unwrap();
    assert_eq!(exif::orientation(&cleaned[at + 8..]), Some(3));
    assert_eq!(cleaned[20] & 0x0C, 0x08, "the header says Exif and no XMP");
}

#[test]
fn colour_profiles_stay_and_other_application_data_go() {
    let segments: &[(u8, &[u8])] = &[
        (0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0"),
        (0xE1, b"http://ns.adobe.com/xap/1.0/\0<SECRET/>"),
        (0xE2, b"ICC_PROFILE\0\x01\x01profile"),
        (0xE2, b"MPF\0SECRET"),
        (0xED, b"Photoshop 3.0\0SECRET"),
        (0xEE, b"Adobe\0d\0\0\0\0\0"),
        (0xFE, b"SECRET camera"),
    ];
    let mut jpeg = jpeg_with(2, 2, segments);
    jpeg.extend_from_slice(b"SECRET film after the end");
    let cleaned = without_metadata(Kind::Jpeg, jpeg).unwrap();
    assert!(!holds(&cleaned, b"SECRET"));
    for kept in [b"JFIF\0".as_slice(), b"ICC_PROFILE\0\x01\x01profile", b"Adobe\0"] {
        assert!(holds(&cleaned, kept));
    }
    assert!(cleaned.ends_with(&[0xFF, 0xD9]));

    let png = png_with(
        2,
        2,
        &[
            (b"iCCP", b"p\0\0profile"),
            (b"tEXt", b"Comment\0SECRET"),
            (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0SECRET"),
            (b"pHYs", &[0; 9]),
        ],
    );
    let cleaned = without_metadata(Kind::Png, png).unwrap();
    assert!(!holds(&cleaned, b"SECRET") && holds(&cleaned, b"iCCP") && holds(&cleaned, b"pHYs"));
}

#[test]
fn clean_files_are_sent_as_they_are() {
    for (kind, bytes) in [
        (Kind::Png, png(4, 4)),
        (Kind::Jpeg, jpeg_with(4, 4, &[])),
        (Kind::Gif, gif_with(b"")),
        (Kind::WebP, webp_with(0, &[])),
    ] {
        assert_eq!(without_metadata(kind, bytes.clone()).unwrap(), bytes, "{kind:?}");
    }
}

#[test]
fn animations_keep_their_loop() {
    let netscape = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
    let xmp = b"\x21\xff\x0bXMP DataXMP\x06SECRET\0";
    let cleaned = without_metadata(Kind::Gif, gif_with(&[netscape.as_slice(), xmp].concat())).unwrap();
    assert!(holds(&cleaned, b"NETSCAPE2.0") && !holds(&cleaned, b"SECRET"));
}

proptest! {
    #[test]
    fn any_bytes_are_walked_without_a_panic(kind in 0_usize..6, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), noise in prop::collection::vec(any::<u8>(), 0..64)) {
        let (kind, mut bytes, _) = all().swap_remove(kind);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = inspect(&bytes).is_ok();
        let _ = without_metadata(kind, bytes).is_ok();
        let _ = inspect(&noise).is_ok();
    }
}
