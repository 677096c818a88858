//! Uploaded files: types, names, sizes.

use unicode_normalization::UnicodeNormalization;

use crate::options::Release;

/// The longest side of a picture that is kept as it is, in pixels.
const LARGEST_SIDE: u32 = 2560;

/// The sizes that WordPress makes: name, width, height, whether it is cut to shape.
const SIZES: [(&str, u32, u32, bool); 6] = [
    ("medium", 300, 300, false),
    ("large", 1024, 1024, false),
    ("thumbnail", 150, 150, true),
    ("medium_large", 768, 0, false),
    ("1536x1536", 1536, 1536, false),
    ("2048x2048", 2048, 2048, false),
];

/// A picture's type by its first bytes, and the ending that goes with it.
pub(crate) fn kind(bytes: &[u8], release: Release) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(("image/png", "png")),
        [0xff, 0xd8, 0xff, ..] => Some(("image/jpeg", "jpg")),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(("image/gif", "gif")),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(("image/webp", "webp")),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..]
            if release >= Release::V7_1 =>
        {
            Some(("image/avif", "avif"))
        }
        _ => None,
    }
}

/// Whether an ending is one that belongs to a picture.
fn is_picture_ending(ending: &str) -> bool {
    matches!(ending, "png" | "jpg" | "jpeg" | "jpe" | "gif" | "webp" | "avif")
}

/// Makes a stored name of a sent one; the real type wins over the ending. None if the ending is not allowed at all.
pub(crate) fn stored_name(sent: &str, ending: &str) -> Option<String> {
    let base = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = base
        .nfc()
        .filter(|letter| !"?[]/\\=<>:;,'\"&$#*()|~`!{}%+’«»”“\0".contains(*letter))
        .map(|letter| if letter.is_whitespace() { '-' } else { letter })
        .collect();
    let (stem, given) =
        cleaned.trim_matches(['.', '-', '_']).rsplit_once('.').map(|(a, b)| (a.to_owned(), b.to_owned()))?;
    let given = given.to_ascii_lowercase();
    if stem.is_empty() || !is_picture_ending(&given) {
        return None;
    }
    let same = given == ending || (ending == "jpg" && matches!(given.as_str(), "jpeg" | "jpe"));
    let mut stem = collapse(&stem);
    let like_size = stem.rsplit_once('-').is_some_and(|(_, last)| {
        matches!(last, "scaled" | "rotated")
            || last.split_once('x').is_some_and(|(w, h)| {
                [w, h].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
            })
    });
    if like_size {
        stem.push_str("-1");
    }
    Some(format!("{stem}.{}", if same { given.as_str() } else { ending }))
}

fn collapse(stem: &str) -> String {
    let mut out = String::new();
    for letter in stem.chars() {
        if letter != '-' || !out.ends_with('-') {
            out.push(letter);
        }
    }
    out.trim_matches(['.', '-', '_']).to_owned()
}

/// Whether WordPress would put a smaller copy beside a picture.
pub(crate) fn is_scaled(mime: &str, width: u32, height: u32, release: Release) -> bool {
    let kind = match mime {
        "image/jpeg" | "image/webp" => true,
        "image/png" => release >= Release::V7_1,
        _ => false,
    };
    kind && width.max(height) > LARGEST_SIDE
}

/// Width and height after scaling down to fit, 0 meaning no limit on that side.
pub(crate) fn fitted(width: u32, height: u32, most_wide: u32, most_high: u32) -> (u32, u32) {
    let ratio = |most: u32, side: u32| {
        if most == 0 { f64::INFINITY } else { f64::from(most) / f64::from(side.max(1)) }
    };
    let factor = ratio(most_wide, width).min(ratio(most_high, height)).min(1.0);
    let scale = |side: u32| -> u32 {
        // A side of a picture fits into u32 before and after it is made smaller.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and the side itself"
        )]
        let scaled = (f64::from(side) * factor).round() as u32;
        scaled.max(1)
    };
    (scale(width), scale(height))
}

/// The size of the full picture as readers get it.
pub(crate) fn full(width: u32, height: u32, scaled: bool) -> (u32, u32) {
    if scaled { fitted(width, height, LARGEST_SIDE, LARGEST_SIDE) } else { (width, height) }
}

/// The smaller sizes that belong to a picture: name, width, height.
pub(crate) fn smaller(width: u32, height: u32) -> Vec<(&'static str, u32, u32)> {
    let mut sizes = Vec::new();
    for (name, most_wide, most_high, cut) in SIZES {
        let (wide, high) = if cut {
            (most_wide.min(width), most_high.min(height))
        } else {
            fitted(width, height, most_wide, most_high)
        };
        if wide < width || high < height {
            sizes.push((name, wide, high));
        }
    }
    sizes
}

/// The sizes that a picture lacks whose upload was cut short. WordPress that came to write nothing down names them all.
pub(crate) fn missing(width: u32, height: u32) -> Vec<&'static str> {
    let smaller: Vec<_> = smaller(width, height).into_iter().map(|(name, _, _)| name).collect();
    if smaller.is_empty() { SIZES.iter().map(|(name, ..)| *name).collect() } else { smaller }
}

/// `name.jpg` and `-scaled` give `name-scaled.jpg`.
pub(crate) fn with_suffix(path: &str, suffix: &str) -> String {
    match path.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}{suffix}.{ending}"),
        None => format!("{path}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_the_real_type_wins() {
        assert_eq!(stored_name("wrong.png", "jpg").as_deref(), Some("wrong.jpg"));
        assert_eq!(stored_name("UP.PNG", "png").as_deref(), Some("UP.png"));
        assert_eq!(stored_name("写真 1.png", "png").as_deref(), Some("写真-1.png"));
        assert_eq!(stored_name("a-150x150.png", "png").as_deref(), Some("a-150x150-1.png"));
        assert_eq!(stored_name("../../x.jpeg", "jpg").as_deref(), Some("x.jpeg"));
        assert_eq!(stored_name("x.svg", "png"), None);
        assert_eq!(stored_name("x", "png"), None);
    }

    #[test]
    fn large_pictures_are_scaled_as_the_release_does_it() {
        assert!(is_scaled("image/jpeg", 4000, 100, Release::V6_1));
        assert!(!is_scaled("image/png", 4000, 100, Release::V6_1));
        assert!(is_scaled("image/png", 4000, 100, Release::V7_1));
        assert_eq!(full(4000, 3000, true), (2560, 1920));
        assert_eq!(smaller(400, 200), [("medium", 300, 150), ("thumbnail", 150, 150)]);
    }
}
