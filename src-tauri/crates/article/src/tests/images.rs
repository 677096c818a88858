//! Images of an article: found, named, checked, prepared.

use std::fs;

use super::support::{Place, composed, markdown, telling};
use crate::image::samples::{gif_with, jpeg_with, png, png_with, tiff_with_gps, webp_with};
use crate::{FindingCode, Loaded, Options, PlacedImage, PrepareError, discover, load};

fn with(name: &str, bytes: &[u8], reference: &str) -> Loaded {
    let text = format!("---\ntitle: T\n---\n![alt]({reference} \"title\")\n");
    Place::with(&[("p/index.md", text.as_bytes()), (&format!("p/{name}"), bytes)]).load()
}

#[test]
fn names_on_disk_are_found_whatever_their_form() {
    for (name, reference) in [
        ("写真 1.png", "%E5%86%99%E7%9C%9F%201.png"),
        ("写真 1.png", "<写真 1.png>"),
        ("か\u{3099}.png", "が.png"),
        ("が.png", "か\u{3099}.png"),
        ("img/か\u{3099}/é.png", "img/が/e\u{301}.png"),
        ("a.png", "a.png?x=1#y"),
        ("a b.png", "a%20b.png"),
        ("100%.png", "100%25.png"),
    ] {
        let loaded = with(name, &png(2, 2), reference);
        assert_eq!(telling(&loaded), [], "{name} as {reference}");
    }
    let loaded = with("Photo.PNG", &png(2, 2), "photo.png");
    assert_eq!(telling(&loaded), [(FindingCode::ImageNotFound, Some(4))]);
    assert_eq!(loaded.findings[0].params["similar"], "Photo.PNG");
}

#[test]
fn upload_names_are_plain() {
    let loaded = with("写真 Été_01.PNG", &png(2, 2), "<写真 Été_01.PNG>");
    let image = &loaded.article.as_ref().unwrap().images[0];
    let hash: String = image.digest[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(image.file_name, format!("ete-01-{hash}.png"));
    assert_eq!(image.slug.as_str(), format!("ete-01-{hash}"));
    assert_eq!(
        (image.mime, image.width, image.height, image.bytes),
        ("image/png", 2, 2, png(2, 2).len() as u64)
    );
    assert_eq!((image.alt.as_str(), image.title.as_str()), ("alt", "title"));
    let loaded = with("写真.png", &png(2, 2), "写真.png");
    assert!(loaded.article.unwrap().images[0].file_name.starts_with("image-"));
}

#[test]
fn content_decides_the_type() {
    let loaded = with("a.png", &jpeg_with(5, 5, &[]), "a.png");
    assert_eq!(telling(&loaded), [(FindingCode::ImageWrongExtension, Some(4))]);
    assert!(loaded.article.unwrap().images[0].file_name.ends_with(".jpg"));
    for (name, bytes) in
        [("a.jpeg", jpeg_with(5, 5, &[])), ("a.gif", gif_with(b"")), ("a.webp", webp_with(0, &[]))]
    {
        assert_eq!(telling(&with(name, &bytes, name)), [], "{name}");
    }
}

#[test]
fn what_is_no_usable_image_is_an_error() {
    let whole = png(8, 8);
    for (bytes, code) in [
        (b"".as_slice(), FindingCode::ImageEmpty),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", FindingCode::ImageSvg),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", FindingCode::ImageHeic),
        (b"hello", FindingCode::ImageTypeUnknown),
        (&whole[..whole.len() - 5], FindingCode::ImageDamaged),
        (&whole[..20], FindingCode::ImageDamaged),
    ] {
        let loaded = with("a.png", bytes, "a.png");
        assert_eq!(telling(&loaded), [(code, Some(4))]);
        assert!(loaded.article.is_none());
    }
}

#[test]
fn limits_hold() {
    let place = Place::with(&[
        ("index.md", b"# T\n\n![](a.png) ![](b.png)\n"),
        ("a.png", &png(20, 20)),
        ("b.png", &png(2, 2)),
    ]);
    let location = &discover(&[place.path().to_owned()]).unwrap().articles[0];
    let mut options = Options::default();
    options.limits.image_pixels = 399;
    assert_eq!(telling(&load(location, &options)), [(FindingCode::ImageTooManyPixels, Some(3))]);
    options = Options::default();
    options.limits.image_bytes = png(2, 2).len() as u64;
    assert_eq!(telling(&load(location, &options)), [(FindingCode::ImageTooLarge, Some(3))]);
    options = Options::default();
    options.limits.images = 1;
    assert_eq!(telling(&load(location, &options)), [(FindingCode::ImagesTooMany, Some(3))]);
}

#[test]
fn the_same_picture_is_one_image() {
    let place = Place::with(&[
        ("index.md", b"# T\n\n![](a.png)\n\n![second](./a.png)\n\n![](copy.png)\n\n![](other.png)\n"),
        ("a.png", &png(3, 3)),
        ("copy.png", &png(3, 3)),
        ("other.png", &png(4, 4)),
    ]);
    let loaded = place.load();
    let article = loaded.article.as_ref().unwrap();
    assert_eq!(article.images.len(), 2);
    assert_eq!(article.images[0].alt, "second");
    let content = composed(&loaded);
    assert_eq!(content.matches("wp-image-7\"").count(), 3);
    assert_eq!(content.matches("wp-image-8\"").count(), 1);
}

#[test]
fn no_local_path_is_ever_composed() {
    let content =
        markdown("![](a.png) and <img src=\"./img/b.jpg\">\n\n<div id=\"x\"><img src='a.png'></div>\n");
    assert!(!content.contains("a.png\"") && !content.contains("b.jpg"), "{content}");
    assert_eq!(content.matches("https://site.example/").count(), 3);
}

#[test]
fn places_must_fit_and_sizes_are_named() {
    let loaded = with("a.png", &png(2, 2), "a.png");
    let article = loaded.article.unwrap();
    assert!(article.compose(&[], None).is_err());
    let place = PlacedImage { id: 3, url: "https://s/a-1024.png".into(), size: Some("large".into()) };
    let content = article.compose(std::slice::from_ref(&place), None).unwrap();
    assert!(content.starts_with("<!-- wp:image {\"id\":3,\"sizeSlug\":\"large\",\"linkDestination\":\"none\"} -->\n<figure class=\"wp-block-image size-large\">"));
    assert!(article.compose(&[place.clone(), place], None).is_err());
}

#[cfg(unix)]
#[test]
fn preparing_cleans_and_proves() {
    let original = png_with(2, 2, &[(b"eXIf", &tiff_with_gps(1, true))]);
    let place = Place::with(&[("index.md", b"# T\n\n![](a.png)\n"), ("a.png", &original)]);
    let loaded = place.load();
    let image = &loaded.article.as_ref().unwrap().images[0];
    let prepared = image.prepare(&Options::default(), false).unwrap();
    assert_eq!(prepared.bytes, png(2, 2));
    assert_eq!(prepared.md5_hex.len(), 32);
    assert!(prepared.md5_hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
    let kept = image.prepare(&Options { strip_metadata: false, ..Options::default() }, false).unwrap();
    assert_eq!((kept.bytes, kept.sha256), (original, image.digest));

    fs::write(image.path(), png(2, 3)).unwrap();
    assert!(matches!(image.prepare(&Options::default(), false), Err(PrepareError::Changed)));
    fs::remove_file(image.path()).unwrap();
    assert!(matches!(image.prepare(&Options::default(), false), Err(PrepareError::Gone)));
    std::os::unix::fs::symlink("/etc/hostname", image.path()).unwrap();
    assert!(matches!(image.prepare(&Options::default(), false), Err(PrepareError::Outside)));
}

#[test]
fn md5_is_that_of_the_bytes() {
    let place = Place::with(&[("index.md", b"# T\n\n![](a.gif)\n"), ("a.gif", &gif_with(b""))]);
    let loaded = place.load();
    let prepared = loaded.article.unwrap().images[0].prepare(&Options::default(), false).unwrap();
    use md5::Digest;
    let expected: String = md5::Md5::digest(gif_with(b"")).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(prepared.md5_hex, expected);
}

#[test]
fn what_is_prepared_says_whether_the_site_has_to_change_it() {
    let picture = |width: u32, height: u32| {
        let mut bytes = Vec::new();
        let rgb = ::image::DynamicImage::new_rgb8(width, height);
        rgb.write_to(&mut std::io::Cursor::new(&mut bytes), ::image::ImageFormat::Png).unwrap();
        bytes
    };
    let (small, large) = (picture(2560, 3), picture(2561, 3));
    let turned = jpeg_with(2, 2, &[(0xE1, &[b"Exif\0\0".as_slice(), &tiff_with_gps(6, true)].concat())]);
    for (name, bytes, shrink, shrunk, stands, kept_large) in [
        ("a.png", &small, true, false, true, false),
        ("a.png", &large, true, true, true, false),
        ("a.png", &large, false, false, false, false),
        ("a.jpg", &turned, true, false, false, false),
    ] {
        let place = Place::with(&[("index.md", format!("# T\n\n![]({name})\n").as_bytes()), (name, bytes)]);
        let loaded = place.load();
        let image = &loaded.article.as_ref().unwrap().images[0];
        let prepared = image.prepare(&Options::default(), shrink).unwrap();
        let told = (prepared.shrunk, prepared.stands_as_it_is, prepared.kept_large);
        assert_eq!(told, (shrunk, stands, kept_large), "{name} {} bytes", bytes.len());
        assert_eq!(image.prepare(&Options::default(), shrink).unwrap(), prepared, "the same each time");
        assert_eq!(prepared.bytes == *bytes, !shrunk && name == "a.png");
    }
}

/// A file with a hole in the place of its content looks as one does that lies in a cloud.
#[cfg(target_os = "linux")]
#[test]
fn what_lies_in_a_cloud_only_is_fetched_only_where_that_is_wanted() {
    let place = Place::new();
    place.put("index.md", b"---\ntitle: T\n---\nText.\n\n![a](a.png)\n");
    fs::File::create(place.path().join("a.png")).unwrap().set_len(5000).unwrap();
    let found = discover(&[place.path().to_owned()]).unwrap();
    let codes = |fetch| {
        let loaded = load(&found.articles[0], &Options { fetch, ..Options::default() });
        assert!(loaded.files.iter().any(|file| file.ends_with("a.png")), "{:?}", loaded.files);
        loaded.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert!(codes(false).contains(&FindingCode::ImageInCloud));
    assert!(codes(true).contains(&FindingCode::ImageTypeUnknown), "it was read");
}

#[test]
fn the_first_image_stands_for_an_article_where_that_is_set() {
    let options = Options { first_image_is_featured: true, ..Options::default() };
    for (front, featured) in
        [("", Some(0)), ("image: b.png\n", Some(0)), ("image: https://e.com/x.png\n", Some(0))]
    {
        let text = format!("---\ntitle: T\n{front}---\n![a](a.png)\n\n![b](b.png)\n");
        let place =
            Place::with(&[("index.md", text.as_bytes()), ("a.png", &png(2, 2)), ("b.png", &png(3, 3))]);
        let location = &discover(&[place.path().to_owned()]).unwrap().articles[0];
        let article = load(location, &options).article.unwrap();
        assert_eq!(article.featured, featured, "{front}");
        let name = if front.contains("b.png") { "b.png" } else { "a.png" };
        assert_eq!(article.images[0].reference, name);
        let unset = load(location, &Options::default()).article.unwrap();
        assert_eq!(unset.featured.is_some(), front.contains("b.png"), "{front}");
    }
    let none = Place::with(&[("index.md", b"# T\n\ntext\n")]);
    let location = &discover(&[none.path().to_owned()]).unwrap().articles[0];
    assert_eq!(load(location, &options).article.unwrap().featured, None);
}
