//! Pictures that are larger than sites show them, made smaller before they are sent.
//!
//! The same bytes give the same bytes on every machine: all sums are of whole numbers.

use std::io::Cursor;

use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::metadata::Orientation;
use image::{
    DynamicImage, ExtendedColorType, GrayAlphaImage, GrayImage, ImageBuffer, ImageDecoder, ImageEncoder,
    Limits, RgbImage, RgbaImage,
};

use super::{Kind, Size};

/// The quality of written JPEGs: a step above that of the sizes that WordPress makes of them (82).
const JPEG_QUALITY: u8 = 86;
/// The most memory that a picture may take while it is read, in bytes.
const MOST_MEMORY: u64 = 256 << 20;
/// The longest side that is read, in pixels. The sums below hold up to 65,535.
const LONGEST_SIDE: u32 = 30_000;

/// What is read of a picture beside its pixels.
struct Read {
    picture: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
    exif: Option<Vec<u8>>,
}

/// Makes a picture fit into a square of `most` pixels, upright, in its own format. `None` where that cannot be
/// done without a loss beyond sharpness: animations, formats that are not read here, inks in place of light, and
/// pictures beyond the bounds of memory.
pub(crate) fn shrunk(kind: Kind, bytes: &[u8], most: u32, keep_exif: bool) -> Option<Vec<u8>> {
    let read = match kind {
        Kind::Jpeg => read(JpegDecoder::new(Cursor::new(bytes)).ok()?)?,
        Kind::Png => {
            let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits()).ok()?;
            if decoder.is_apng().ok()? {
                return None;
            }
            read(decoder)?
        }
        Kind::Gif | Kind::WebP | Kind::Avif => return None,
    };
    let Read { picture, orientation, profile, exif } = read;
    let wanted = fitted(Size { width: picture.width(), height: picture.height() }, most)?;
    let mut smaller = averaged(picture, wanted)?;
    smaller.apply_orientation(orientation);
    let exif = exif.filter(|_| keep_exif).map(|mut exif| {
        // What is upright now must not be turned again.
        let _was: Option<Orientation> = Orientation::remove_from_exif_chunk(&mut exif);
        exif
    });
    let mut out = Vec::new();
    match kind {
        Kind::Jpeg => write(JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY), &smaller, profile, exif)?,
        Kind::Png => {
            let encoder =
                PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive);
            write(encoder, &smaller, profile, exif)?;
        }
        Kind::Gif | Kind::WebP | Kind::Avif => return None,
    }
    Some(out)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_MEMORY);
    limits
}

fn read(mut decoder: impl ImageDecoder) -> Option<Read> {
    // Inks need a profile of the printer to become light.
    if matches!(decoder.original_color_type(), ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16) {
        return None;
    }
    decoder.set_limits(limits()).ok()?;
    if decoder.total_bytes() > MOST_MEMORY {
        return None;
    }
    let orientation = decoder.orientation().ok()?;
    let profile = decoder.icc_profile().ok()?;
    let exif = decoder.exif_metadata().ok()?;
    let picture = DynamicImage::from_decoder(decoder).ok()?;
    Some(Read { picture, orientation, profile, exif })
}

fn write(
    mut encoder: impl ImageEncoder,
    picture: &DynamicImage,
    profile: Option<Vec<u8>>,
    exif: Option<Vec<u8>>,
) -> Option<()> {
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile).ok()?;
    }
    if let Some(exif) = exif {
        encoder.set_exif_metadata(exif).ok()?;
    }
    encoder.write_image(picture.as_bytes(), picture.width(), picture.height(), picture.color().into()).ok()
}

/// The size that fits, in the same proportion as WordPress computes it.
fn fitted(size: Size, most: u32) -> Option<Size> {
    let longest = u64::from(size.width.max(size.height));
    let scale = |side: u32| {
        let scaled = (u64::from(side) * u64::from(most) + longest / 2).checked_div(longest)?;
        u32::try_from(scaled.max(1)).ok()
    };
    Some(Size { width: scale(size.width)?, height: scale(size.height)? })
}

/// Averages the pixels below each new one, weighted by how much of them it covers, as the server's own library does
/// it. Sixteen bits a channel become eight.
fn averaged(picture: DynamicImage, to: Size) -> Option<DynamicImage> {
    Some(match picture {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageLuma16(_) => {
            let from = picture.into_luma8();
            let pixels = average::<1>(from.as_raw(), size_of(&from), to, false);
            DynamicImage::ImageLuma8(GrayImage::from_raw(to.width, to.height, pixels)?)
        }
        DynamicImage::ImageLumaA8(_) | DynamicImage::ImageLumaA16(_) => {
            let from = picture.into_luma_alpha8();
            let pixels = average::<2>(from.as_raw(), size_of(&from), to, true);
            DynamicImage::ImageLumaA8(GrayAlphaImage::from_raw(to.width, to.height, pixels)?)
        }
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgb16(_) => {
            let from = picture.into_rgb8();
            let pixels = average::<3>(from.as_raw(), size_of(&from), to, false);
            DynamicImage::ImageRgb8(RgbImage::from_raw(to.width, to.height, pixels)?)
        }
        DynamicImage::ImageRgba8(_) | DynamicImage::ImageRgba16(_) => {
            let from = picture.into_rgba8();
            let pixels = average::<4>(from.as_raw(), size_of(&from), to, true);
            DynamicImage::ImageRgba8(RgbaImage::from_raw(to.width, to.height, pixels)?)
        }
        // The formats read here give no other.
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) | _ => return None,
    })
}

fn size_of<P: image::Pixel>(picture: &ImageBuffer<P, Vec<P::Subpixel>>) -> Size {
    Size { width: picture.width(), height: picture.height() }
}

/// Averages `C` channels; with `alpha`, the last one weighs the others, so that what cannot be seen does not shine
/// through. A new pixel covers `from` units of each side, an old one `to` units.
fn average<const C: usize>(pixels: &[u8], from: Size, to: Size, alpha: bool) -> Vec<u8> {
    let (old_width, new_width) = (from.width as usize, to.width as usize);
    let (old_height, new_height) = (from.height as usize, to.height as usize);
    let mut out = Vec::with_capacity(new_width * new_height * C);
    let mut column = vec![0_u64; old_width * C];
    for new_y in 0..new_height {
        column.fill(0);
        for (y, weight) in covered(new_y, old_height, new_height) {
            let row = pixels.get(y * old_width * C..(y + 1) * old_width * C).unwrap_or_default();
            for (sums, pixel) in column.chunks_exact_mut(C).zip(row.chunks_exact(C)) {
                let opacity = pixel.last().copied().map_or(0, u64::from);
                for (index, (sum, value)) in sums.iter_mut().zip(pixel).enumerate() {
                    let value = u64::from(*value);
                    *sum += weight * if alpha && index + 1 < C { value * opacity } else { value };
                }
            }
        }
        let area = (old_width * old_height) as u64;
        for new_x in 0..new_width {
            let mut sums = [0_u64; C];
            for (x, weight) in covered(new_x, old_width, new_width) {
                let column = column.get(x * C..(x + 1) * C).unwrap_or_default();
                for (sum, value) in sums.iter_mut().zip(column) {
                    *sum += weight * value;
                }
            }
            let opacity = sums.last().copied().unwrap_or(0);
            for (index, sum) in sums.into_iter().enumerate() {
                let whole = if alpha && index + 1 < C { opacity } else { area };
                let mean = (sum + whole / 2).checked_div(whole).unwrap_or(0);
                out.push(u8::try_from(mean).unwrap_or(u8::MAX));
            }
        }
    }
    out
}

/// The old places below a new one, each with how many units of it are covered.
fn covered(new: usize, old_count: usize, new_count: usize) -> impl Iterator<Item = (usize, u64)> {
    let (start, end) = (new * old_count, (new + 1) * old_count);
    (start / new_count..end.div_ceil(new_count)).map(move |old| {
        let covered = ((old + 1) * new_count).min(end) - (old * new_count).max(start);
        (old, covered as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jpeg(picture: &DynamicImage) -> Vec<u8> {
        let mut out = Vec::new();
        JpegEncoder::new_with_quality(&mut out, 90).encode_image(picture).unwrap();
        out
    }

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut out = Vec::new();
        picture.write_to(&mut Cursor::new(&mut out), image::ImageFormat::Png).unwrap();
        out
    }

    /// Red on the left half, blue on the right.
    fn halves(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| {
            image::Rgb(if x < width / 2 { [255, 0, 0] } else { [0, 0, 255] })
        }))
    }

    #[test]
    fn a_mean_is_exact_whatever_the_proportion() {
        let size = |width, height| Size { width, height };
        assert_eq!(average::<1>(&[0, 100, 200, 100], size(2, 2), size(1, 1), false), [100]);
        // Three pixels on two: each new one covers one and a half.
        assert_eq!(average::<1>(&[0, 90, 240], size(3, 1), size(2, 1), false), [30, 190]);
        assert_eq!(average::<1>(&[7; 35], size(7, 5), size(3, 2), false), [7; 6]);
        // What cannot be seen has no colour to give.
        let pixels = [255, 0, 0, 0, 0, 200, 0, 100];
        assert_eq!(average::<4>(&pixels, size(2, 1), size(1, 1), true), [0, 200, 0, 50]);
    }

    #[test]
    fn a_large_picture_fits_and_comes_out_the_same_each_time() {
        for bytes in [jpeg(&halves(300, 100)), png(&halves(300, 100))] {
            let kind = super::super::sniff(&bytes).unwrap();
            let one = shrunk(kind, &bytes, 60, false).unwrap();
            let other = shrunk(kind, &bytes, 60, false).unwrap();
            assert_eq!(one, other);
            assert_eq!(super::super::inspect(&one).unwrap(), (kind, Size { width: 60, height: 20 }));
            let seen = image::load_from_memory(&one).unwrap().into_rgb8();
            let (left, right) = (seen.get_pixel(10, 10).0, seen.get_pixel(50, 10).0);
            assert!(left[0] > 230 && left[2] < 30 && right[0] < 30 && right[2] > 230, "{left:?} {right:?}");
        }
    }

    #[test]
    fn a_picture_that_lies_on_its_side_is_turned_and_says_so_no_more() {
        let mut encoded = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut encoded, 90);
        // "Turn by a quarter to the right."
        let exif = super::super::exif::only_orientation(6);
        encoder.set_exif_metadata(exif).unwrap();
        let picture = halves(300, 100);
        encoder.write_image(picture.as_bytes(), 300, 100, picture.color().into()).unwrap();
        for keep in [false, true] {
            let upright = shrunk(Kind::Jpeg, &encoded, 60, keep).unwrap();
            let mut decoder = JpegDecoder::new(Cursor::new(&upright)).unwrap();
            assert_eq!(decoder.dimensions(), (20, 60));
            assert_eq!(decoder.exif_metadata().unwrap().is_some(), keep);
            assert_eq!(decoder.orientation().unwrap(), Orientation::NoTransforms);
            let seen = image::load_from_memory(&upright).unwrap().into_rgb8();
            assert!(seen.get_pixel(10, 10).0[0] > 200, "what was left is on top");
        }
    }

    #[test]
    fn a_colour_profile_stays() {
        let mut encoded = Vec::new();
        let mut encoder = PngEncoder::new(&mut encoded);
        encoder.set_icc_profile(vec![7; 200]).unwrap();
        let picture = halves(100, 100);
        encoder.write_image(picture.as_bytes(), 100, 100, picture.color().into()).unwrap();
        let smaller = shrunk(Kind::Png, &encoded, 50, false).unwrap();
        let mut decoder = PngDecoder::new(Cursor::new(&smaller)).unwrap();
        assert_eq!(decoder.icc_profile().unwrap(), Some(vec![7; 200]));
    }

    #[test]
    fn what_cannot_be_read_whole_is_not_made_smaller() {
        let mut broken = jpeg(&halves(300, 100));
        broken.truncate(40);
        assert!(shrunk(Kind::Jpeg, &broken, 60, false).is_none());
        assert!(shrunk(Kind::Gif, b"GIF89a", 60, false).is_none());
    }
}
