//! Articles that would fill the memory.

use std::fs::File;
use std::io::Write as _;

use ichido_tests::png;

use super::{Ran, program, run};

/// What one article may take beyond a small one, in KiB. A text of the largest size that is read becomes a tree of many
/// times its length.
const MORE: u64 = 200 * 1024;
/// The largest text that is read, in bytes.
const LARGEST: usize = 5 << 20;

/// A picture of PNG whose head says this size.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = !bytes[12..29].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    });
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

async fn check(files: &[(&str, &[u8])], sparse: Option<(&str, u64)>) -> Ran {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let article = folder.path().join("articles/first");
    std::fs::create_dir_all(&article).expect("a folder can be made");
    for (name, bytes) in files {
        std::fs::write(article.join(name), bytes).expect("a file can be written");
    }
    if let Some((name, length)) = sparse {
        let mut file = File::options().append(true).create(true).open(article.join(name)).expect("a file");
        file.write_all(b"x").expect("a file can be written");
        file.set_len(length).expect("a file can be long");
    }
    let articles = folder.path().join("articles");
    let articles = articles.to_str().expect("a folder with a plain name");
    run(&folder, program(&folder, &["check", articles, "--json"])).await
}

async fn small() -> u64 {
    let ran = check(&[("index.md", b"---\ntitle: T\n---\n![x](a.png)\n"), ("a.png", &png(1))], None).await;
    assert_eq!(ran.ended.status, Some(0), "{:?}", ran.ended);
    ran.peak_kib
}

/// It is refused with this code, and within the bounds.
#[track_caller]
fn assert_refused(ran: &Ran, code: &str, small: u64, most: u64, about: &str) {
    assert_eq!(ran.ended.status, Some(4), "{about}: {:?}", ran.ended);
    assert!(ran.ended.stdout.contains(&format!("\"{code}\"")), "{about}: {:?}", ran.ended);
    let more = ran.peak_kib.saturating_sub(small);
    assert!(more <= most, "{about}: {more} KiB more than the {small} KiB of a small article");
}

#[tokio::test]
async fn files_without_end_are_not_read() {
    const LITTLE: u64 = 8 * 1024;
    let small = small().await;
    let picture: &[(&str, &[u8])] = &[("index.md", b"---\ntitle: T\n---\n![x](a.png)\n")];
    let ran = check(&[], Some(("index.md", 1 << 30))).await;
    assert_refused(&ran, "text_too_large", small, LITTLE, "a text of 1 GiB");
    let ran = check(picture, Some(("a.png", 1 << 30))).await;
    assert_refused(&ran, "image_too_large", small, LITTLE, "a picture of 1 GiB");
    for (width, height) in [(60_000, 60_000), (u32::MAX, u32::MAX), (i32::MAX as u32, 1), (1, 100_000_001)] {
        let ran = check(&[picture[0], ("a.png", &png_of(width, height))], None).await;
        assert_refused(&ran, "image_too_many_pixels", small, LITTLE, &format!("{width} x {height}"));
    }
}

#[tokio::test]
async fn texts_that_would_become_too_much_are_refused() {
    let small = small().await;
    let filled = |start: &str, piece: &str| {
        let head = format!("---\ntitle: T\n---\n{start}");
        format!("{head}{}", piece.repeat((LARGEST - head.len() - 1) / piece.len()))
    };
    let attributes: String = (0..600_000).map(|at| format!("a{at} ")).collect();
    let wide = format!("{}|\n{}|\n", "|a".repeat(20_000), "|-".repeat(20_000));
    let complex = "text_too_complex";
    let cases = [
        ("index.md", filled("", "*a* "), complex),
        ("index.md", filled("", "a\n\n"), complex),
        ("index.md", filled("", "a\n"), complex),
        ("index.md", filled("", "\"'"), complex),
        ("index.md", filled("", "[[a]]"), complex),
        ("index.md", filled("", "~~a~~ "), complex),
        ("index.md", filled("", "> "), complex),
        ("index.md", filled("", "["), complex),
        ("index.md", filled("", "<b>x</b>\n\n"), complex),
        ("index.md", filled(&wide, "|\n"), complex),
        ("index.md", filled("", "[^1]: x\n"), complex),
        ("index.html", filled("", "<br>"), complex),
        ("index.html", filled("", "<p>a"), complex),
        ("index.html", filled("", "<b><p>"), complex),
        ("index.html", filled("", "<table><tr><td>"), complex),
        ("index.html", filled("", "<svg><g>"), complex),
        ("index.html", filled("<p ", &attributes), complex),
        (
            "index.md",
            format!("---\ntitle: T\na: {}\n---\nx", "[".repeat(2_000_000)),
            "front_matter_too_large",
        ),
        ("index.md", format!("---\ntitle: T\n{}---\nx", "k: v\n".repeat(400_000)), "front_matter_too_large"),
    ];
    let mut worst = 0;
    for (name, text, code) in cases {
        let ran = check(&[(name, text.as_bytes())], None).await;
        let about = format!("{name} {:?}", text.chars().skip(17).take(40).collect::<String>());
        assert_refused(&ran, code, small, MORE, &about);
        worst = worst.max(ran.peak_kib.saturating_sub(small));
    }
    println!("proof: hostile articles: at most {worst} KiB more than the {small} KiB of a small article");
}

#[tokio::test]
async fn aliases_that_double_each_other_are_refused() {
    let small = small().await;
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (one, next) in ('a'..='y').zip('b'..='z') {
        bomb.push_str(&format!("{next}: &{next} [{}]\n", vec![format!("*{one}"); 9].join(",")));
    }
    let ran = check(&[("index.md", format!("---\ntitle: T\n{bomb}---\nx").as_bytes())], None).await;
    assert_eq!(ran.ended.status, Some(4), "{:?}", ran.ended);
    assert!(ran.peak_kib.saturating_sub(small) < 8 * 1024, "{} KiB", ran.peak_kib);
}
