//! References by their text.

use FindingCode::{
    ImageAbsolute as ABSOLUTE, ImageInline as INLINE, ImageNotFound as MISSING, ImageOutside as OUTSIDE,
    ImagePathForbidden as FORBIDDEN, ImageUnreadable as UNREADABLE,
};

use super::{Cage, Comes, Inside, Left, Refused, comes};
use crate::FindingCode;

/// From `article/index.html`, the folder that is named.
pub(super) const CASES: &[(&str, Comes)] = &[
    // Up, in every position.
    ("../secret.png", Refused(OUTSIDE)),
    ("../../secret.png", Refused(OUTSIDE)),
    ("../../../../../../../../../../etc/passwd", Refused(OUTSIDE)),
    ("./../secret.png", Refused(OUTSIDE)),
    (".//..//secret.png", Refused(OUTSIDE)),
    ("./.././secret.png", Refused(OUTSIDE)),
    ("in/../../secret.png", Refused(OUTSIDE)),
    ("in/..//../secret.png", Refused(OUTSIDE)),
    ("in/../in/../../secret.png", Refused(OUTSIDE)),
    ("a.png/../../secret.png", Refused(OUTSIDE)),
    ("none/../../secret.png", Refused(OUTSIDE)),
    ("../article/a.png", Refused(OUTSIDE)),
    ("../article/../secret.png", Refused(OUTSIDE)),
    ("..", Refused(OUTSIDE)),
    ("../", Refused(OUTSIDE)),
    ("../.", Refused(OUTSIDE)),
    ("in/../..", Refused(OUTSIDE)),
    ("../..", Refused(OUTSIDE)),
    ("../secret.png?x=1", Refused(OUTSIDE)),
    ("../secret.png#x", Refused(OUTSIDE)),
    ("  ../secret.png", Refused(OUTSIDE)),
    ("\u{a0}../secret.png", Refused(OUTSIDE)),
    ("\u{3000}../secret.png", Refused(OUTSIDE)),
    ("in/..", Refused(FORBIDDEN)),
    ("a.png/..", Refused(FORBIDDEN)),
    (".", Refused(FORBIDDEN)),
    ("./", Refused(FORBIDDEN)),
    ("#", Refused(FORBIDDEN)),
    ("?../secret.png", Refused(FORBIDDEN)),
    ("#../secret.png", Refused(FORBIDDEN)),
    // More or other dots.
    ("...", Refused(FORBIDDEN)),
    (".../secret.png", Refused(FORBIDDEN)),
    ("..../secret.png", Refused(FORBIDDEN)),
    ("....//secret.png", Refused(FORBIDDEN)),
    ("..././secret.png", Refused(FORBIDDEN)),
    (".. /secret.png", Refused(FORBIDDEN)),
    (" .. /secret.png", Refused(FORBIDDEN)),
    (". ./secret.png", Refused(FORBIDDEN)),
    ("..;/secret.png", Refused(MISSING)),
    ("..,/secret.png", Refused(MISSING)),
    ("..secret.png", Refused(MISSING)),
    ("\u{ff0e}\u{ff0e}/secret.png", Refused(MISSING)),
    ("\u{2024}\u{2024}/secret.png", Refused(MISSING)),
    ("\u{2025}/secret.png", Refused(MISSING)),
    ("\u{2026}/secret.png", Refused(MISSING)),
    ("\u{fe52}\u{fe52}/secret.png", Refused(MISSING)),
    ("\u{3002}\u{3002}/secret.png", Refused(MISSING)),
    (".\u{200b}./secret.png", Refused(FORBIDDEN)),
    (".\u{ad}./secret.png", Refused(FORBIDDEN)),
    (".\u{301}./secret.png", Refused(FORBIDDEN)),
    ("\u{202e}../secret.png", Refused(FORBIDDEN)),
    ("\u{feff}../secret.png", Refused(FORBIDDEN)),
    // Other slashes.
    ("..\u{ff0f}secret.png", Refused(MISSING)),
    ("..\u{2215}secret.png", Refused(MISSING)),
    ("..\u{2044}secret.png", Refused(MISSING)),
    ("..\u{29f8}secret.png", Refused(MISSING)),
    ("..\u{ff3c}secret.png", Refused(MISSING)),
    ("..\u{29f5}secret.png", Refused(MISSING)),
    ("..\u{a5}secret.png", Refused(MISSING)),
    ("..\u{20a9}secret.png", Refused(MISSING)),
    ("..|secret.png", Refused(MISSING)),
    ("..\\secret.png", Refused(OUTSIDE)),
    ("..\\..\\secret.png", Refused(OUTSIDE)),
    ("in\\..\\..\\secret.png", Refused(OUTSIDE)),
    ("in/..\\../secret.png", Refused(OUTSIDE)),
    ("in\\../..\\secret.png", Refused(OUTSIDE)),
    (".\\..\\secret.png", Refused(OUTSIDE)),
    ("..\\/secret.png", Refused(OUTSIDE)),
    ("../\\secret.png", Refused(OUTSIDE)),
    // Encoded once.
    ("%2e%2e/secret.png", Refused(OUTSIDE)),
    ("%2E%2e/secret.png", Refused(OUTSIDE)),
    ("%2e./secret.png", Refused(OUTSIDE)),
    (".%2E/secret.png", Refused(OUTSIDE)),
    ("..%2fsecret.png", Refused(OUTSIDE)),
    ("..%2Fsecret.png", Refused(OUTSIDE)),
    ("%2e%2e%2fsecret.png", Refused(OUTSIDE)),
    ("..%5csecret.png", Refused(OUTSIDE)),
    ("..%5C..%5Csecret.png", Refused(OUTSIDE)),
    ("%2e%2e%5csecret.png", Refused(OUTSIDE)),
    ("in%2f..%2f..%2fsecret.png", Refused(OUTSIDE)),
    ("in/%2e%2e/%2e%2e/secret.png", Refused(OUTSIDE)),
    ("%2e/%2e%2e/secret.png", Refused(OUTSIDE)),
    ("%20../secret.png", Refused(FORBIDDEN)),
    ("a.png%3f/../../secret.png", Refused(OUTSIDE)),
    ("a.png%23/../../secret.png", Refused(OUTSIDE)),
    ("%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd", Refused(OUTSIDE)),
    // Encoded twice or by halves: a name like any other.
    ("%252e%252e/secret.png", Refused(MISSING)),
    ("..%252fsecret.png", Refused(MISSING)),
    ("..%255csecret.png", Refused(MISSING)),
    ("%25252e%25252e/secret.png", Refused(MISSING)),
    ("%%32%65%%32%65/secret.png", Refused(MISSING)),
    ("%u002e%u002e/secret.png", Refused(MISSING)),
    ("%uff0e%uff0e/secret.png", Refused(MISSING)),
    ("%2/%2e%2/secret.png", Refused(MISSING)),
    ("\\u002e\\u002e/secret.png", Refused(ABSOLUTE)),
    ("&#46;&#46;/secret.png", Refused(MISSING)),
    ("..&sol;secret.png", Refused(MISSING)),
    // Overlong and broken UTF-8.
    ("%c0%ae%c0%ae/secret.png", Refused(FORBIDDEN)),
    ("..%c0%afsecret.png", Refused(FORBIDDEN)),
    ("..%c1%9csecret.png", Refused(FORBIDDEN)),
    ("%e0%80%ae%e0%80%ae/secret.png", Refused(FORBIDDEN)),
    ("%f0%80%80%ae%f0%80%80%ae/secret.png", Refused(FORBIDDEN)),
    ("%fe%fe/secret.png", Refused(FORBIDDEN)),
    ("%ed%a0%80/secret.png", Refused(FORBIDDEN)),
    ("..%ff/secret.png", Refused(FORBIDDEN)),
    ("%80../secret.png", Refused(FORBIDDEN)),
    ("a.png%e3%81", Refused(FORBIDDEN)),
    // Absolute.
    ("/etc/passwd", Refused(ABSOLUTE)),
    ("/etc/shadow", Refused(ABSOLUTE)),
    ("/secret.png", Refused(ABSOLUTE)),
    ("/./secret.png", Refused(ABSOLUTE)),
    ("/../secret.png", Refused(ABSOLUTE)),
    ("//../secret.png", Refused(ABSOLUTE)),
    ("///etc/passwd", Refused(ABSOLUTE)),
    ("%2fetc%2fpasswd", Refused(ABSOLUTE)),
    ("/%2e%2e/secret.png", Refused(ABSOLUTE)),
    ("/proc/self/environ", Refused(ABSOLUTE)),
    ("/proc/self/root/etc/passwd", Refused(ABSOLUTE)),
    ("/proc/self/cwd/secret.png", Refused(ABSOLUTE)),
    ("/proc/self/fd/0", Refused(ABSOLUTE)),
    ("/dev/stdin", Refused(ABSOLUTE)),
    ("/dev/zero", Refused(ABSOLUTE)),
    ("/dev/fd/3", Refused(ABSOLUTE)),
    ("/dev/tcp/127.0.0.1/80", Refused(ABSOLUTE)),
    ("\\secret.png", Refused(ABSOLUTE)),
    ("\\..\\secret.png", Refused(ABSOLUTE)),
    ("%5csecret.png", Refused(ABSOLUTE)),
    // Home.
    ("~", Refused(ABSOLUTE)),
    ("~/secret.png", Refused(ABSOLUTE)),
    ("~\\secret.png", Refused(ABSOLUTE)),
    ("~root/secret.png", Refused(ABSOLUTE)),
    ("%7e/secret.png", Refused(ABSOLUTE)),
    ("~+/secret.png", Refused(ABSOLUTE)),
    ("$HOME/secret.png", Refused(MISSING)),
    ("${HOME}/secret.png", Refused(MISSING)),
    ("%HOME%/secret.png", Refused(MISSING)),
    ("%USERPROFILE%\\secret.png", Refused(MISSING)),
    ("$(cat secret.txt)", Refused(MISSING)),
    ("`cat secret.txt`", Refused(MISSING)),
    ("|cat secret.txt", Refused(MISSING)),
    ("*.png", Refused(MISSING)),
    ("[a].png", Refused(MISSING)),
    ("{a,b}.png", Refused(MISSING)),
    // Drives, hosts and devices of Windows.
    ("C:\\secret.png", Refused(ABSOLUTE)),
    ("C:/secret.png", Refused(ABSOLUTE)),
    ("c:secret.png", Refused(ABSOLUTE)),
    ("C:", Refused(ABSOLUTE)),
    ("C%3a/secret.png", Refused(ABSOLUTE)),
    ("C|/secret.png", Refused(MISSING)),
    ("/C:/secret.png", Refused(ABSOLUTE)),
    ("\\\\host\\share\\secret.png", Refused(ABSOLUTE)),
    ("//host/share/secret.png", Refused(ABSOLUTE)),
    ("/\\host\\share\\secret.png", Refused(ABSOLUTE)),
    ("\\/host/share/secret.png", Refused(ABSOLUTE)),
    ("%5c%5chost%5cshare%5csecret.png", Refused(ABSOLUTE)),
    ("%2f%2fhost/share/secret.png", Refused(ABSOLUTE)),
    ("\\\\127.0.0.1\\c$\\secret.png", Refused(ABSOLUTE)),
    ("\\\\host@80\\DavWWWRoot\\secret.png", Refused(ABSOLUTE)),
    ("\\\\?\\C:\\secret.png", Refused(ABSOLUTE)),
    ("\\\\?\\UNC\\host\\share\\secret.png", Refused(ABSOLUTE)),
    ("\\\\.\\PhysicalDrive0", Refused(ABSOLUTE)),
    ("\\\\.\\pipe\\secret", Refused(ABSOLUTE)),
    ("//./pipe/secret", Refused(ABSOLUTE)),
    ("\\??\\C:\\secret.png", Refused(ABSOLUTE)),
    ("\\Device\\HarddiskVolume1\\secret.png", Refused(ABSOLUTE)),
    ("CON", Refused(FORBIDDEN)),
    ("con.png", Refused(FORBIDDEN)),
    ("NUL", Refused(FORBIDDEN)),
    ("nul.png", Refused(FORBIDDEN)),
    ("in/NUL.png", Refused(FORBIDDEN)),
    ("AUX.tar.png", Refused(FORBIDDEN)),
    ("AUX/../a.png", Refused(FORBIDDEN)),
    ("PRN .png", Refused(FORBIDDEN)),
    ("COM1.png", Refused(FORBIDDEN)),
    ("com9", Refused(FORBIDDEN)),
    ("COM\u{b9}.png", Refused(FORBIDDEN)),
    ("LPT1.png", Refused(FORBIDDEN)),
    ("lpt\u{b3}.png", Refused(FORBIDDEN)),
    ("CONIN$", Refused(FORBIDDEN)),
    ("CONOUT$.png", Refused(FORBIDDEN)),
    ("CLOCK$", Refused(FORBIDDEN)),
    ("%4eUL.png", Refused(FORBIDDEN)),
    // Streams.
    ("a.png:stream", Refused(FORBIDDEN)),
    ("a.png::$DATA", Refused(FORBIDDEN)),
    ("a.png:Zone.Identifier", Refused(FORBIDDEN)),
    ("in/b.png:stream:$DATA", Refused(FORBIDDEN)),
    (":a.png", Refused(FORBIDDEN)),
    ("a.png%3astream", Refused(FORBIDDEN)),
    (".::$INDEX_ALLOCATION", Refused(FORBIDDEN)),
    ("in:stream", Refused(ABSOLUTE)),
    // What Windows takes off the end.
    ("a.png.", Refused(FORBIDDEN)),
    ("a.png%20", Refused(FORBIDDEN)),
    ("in./b.png", Refused(FORBIDDEN)),
    ("in%20/b.png", Refused(FORBIDDEN)),
    ("%20/secret.png", Refused(FORBIDDEN)),
    // Schemes.
    ("file:///etc/passwd", Refused(ABSOLUTE)),
    ("file://localhost/etc/passwd", Refused(ABSOLUTE)),
    ("file://127.0.0.1/etc/passwd", Refused(ABSOLUTE)),
    ("file:/etc/passwd", Refused(ABSOLUTE)),
    ("file:etc/passwd", Refused(ABSOLUTE)),
    ("file:../secret.png", Refused(ABSOLUTE)),
    ("file:a.png", Refused(ABSOLUTE)),
    ("FiLe:///etc/passwd", Refused(ABSOLUTE)),
    ("file%3a///etc/passwd", Refused(ABSOLUTE)),
    (" file:///etc/passwd", Refused(ABSOLUTE)),
    ("file:\\\\\\C:\\secret.png", Refused(ABSOLUTE)),
    ("file://host/share/secret.png", Refused(ABSOLUTE)),
    ("view-source:file:///etc/passwd", Refused(ABSOLUTE)),
    ("jar:file:///secret.zip!/secret.png", Refused(ABSOLUTE)),
    ("ftp://host/secret.png", Refused(ABSOLUTE)),
    ("smb://host/share/secret.png", Refused(ABSOLUTE)),
    ("gopher://127.0.0.1:6379/_x", Refused(ABSOLUTE)),
    ("php://filter/resource=secret.txt", Refused(ABSOLUTE)),
    ("javascript:alert(1)", Refused(ABSOLUTE)),
    ("blob:http://host/1", Refused(ABSOLUTE)),
    ("about:blank", Refused(ABSOLUTE)),
    ("chrome://settings/", Refused(ABSOLUTE)),
    ("http:/host/secret.png", Refused(ABSOLUTE)),
    ("http:secret.png", Refused(ABSOLUTE)),
    ("http:\\\\host\\secret.png", Refused(ABSOLUTE)),
    ("data:image/png;base64,iVBORw0KGgo=", Refused(INLINE)),
    ("DATA:text/plain,../secret.png", Refused(INLINE)),
    ("https://host.example/../../secret.png", Left),
    ("HTTPS://host.example/secret.png", Left),
    ("http://127.0.0.1:1/secret.png", Left),
    ("http://[::1]/secret.png", Left),
    ("http://169.254.169.254/latest/meta-data/", Left),
    ("http://host.example/%2e%2e/secret.png", Left),
    // Characters that end or turn a name.
    ("a.png%00", Refused(FORBIDDEN)),
    ("a.png%00.jpg", Refused(FORBIDDEN)),
    ("../secret.png%00.png", Refused(FORBIDDEN)),
    ("..%00/secret.png", Refused(FORBIDDEN)),
    ("a%0a.png", Refused(FORBIDDEN)),
    ("a%0d%0a.png", Refused(FORBIDDEN)),
    ("a%09.png", Refused(FORBIDDEN)),
    ("a%1b[2J.png", Refused(FORBIDDEN)),
    ("a%7f.png", Refused(FORBIDDEN)),
    ("a%c2%85.png", Refused(FORBIDDEN)),
    ("..\t/secret.png", Refused(FORBIDDEN)),
    (".\u{85}./secret.png", Refused(FORBIDDEN)),
    // What is there, for comparison.
    ("a.png", Inside),
    ("./in/../a.png", Inside),
    ("in\\b.png", Inside),
    ("%61.png", Inside),
    ("a.png#/../../secret.png", Inside),
    ("a.png?/../../secret.png", Inside),
    ("in", Refused(UNREADABLE)),
    ("a.png/", Inside),
    ("a.png/secret.png", Refused(MISSING)),
];

fn long() -> Vec<(String, Comes)> {
    vec![
        (format!("{}secret.png", "../".repeat(500)), Refused(OUTSIDE)),
        (format!("{}secret.png", "../".repeat(50_000)), Refused(FORBIDDEN)),
        (format!("{}../secret.png", "in/../".repeat(300)), Refused(OUTSIDE)),
        (format!("{}../secret.png", "in/../".repeat(30_000)), Refused(FORBIDDEN)),
        (format!("{}../secret.png", "./".repeat(900)), Refused(OUTSIDE)),
        (format!("{}a.png", "in/".repeat(40)), Refused(FORBIDDEN)),
        (format!("{}.png", "a".repeat(300)), Refused(UNREADABLE)),
        (format!("{}.png", "猫".repeat(200)), Refused(UNREADABLE)),
        ("%2e".repeat(600), Refused(FORBIDDEN)),
        ("a".repeat(1 << 20), Refused(FORBIDDEN)),
    ]
}

/// The same reference in HTML, in Markdown and in front matter.
fn texts(reference: &str) -> [(&'static str, String); 3] {
    let html = reference.replace('&', "&amp;").replace('"', "&quot;");
    let markdown: String = reference
        .chars()
        .flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c]))
        .collect();
    let yaml = serde_json::to_string(reference).unwrap();
    [
        ("index.html", format!("---\ntitle: T\n---\n<p>x <img src=\"{html}\" alt=\"x\"></p>\n")),
        ("index.md", format!("---\ntitle: T\n---\nx ![x](<{markdown}>)\n")),
        ("index.md", format!("---\ntitle: T\ncover: {yaml}\n---\nx\n")),
    ]
}

#[test]
fn no_reference_leads_out() {
    let cage = Cage::new();
    let cases = CASES.iter().map(|(reference, comes)| ((*reference).to_owned(), *comes)).chain(long());
    let mut wrong = Vec::new();
    for (reference, expected) in cases {
        for (at, (name, text)) in texts(&reference).into_iter().enumerate() {
            let about = format!("{} in form {at}", reference.escape_debug().take(80).collect::<String>());
            let found = comes(&cage.read(name, text.as_bytes(), &about), &about);
            // A tab or a space at an end is not always part of what Markdown and YAML say, and front matter is short.
            let is_plain =
                reference.trim() == reference && !reference.contains('\t') && reference.len() < 4096;
            if found != expected && (at == 0 || is_plain) {
                wrong.push(format!("{about}: {found:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Where the folder above it was named, a reference may lead there, and no further.
#[test]
fn none_leads_out_of_the_folder_that_was_named() {
    let cage = Cage::around(&[""]);
    let inside = cage.place.put("all/near.png", &crate::image::samples::png(8, 8));
    let named = inside.parent().unwrap();
    let near = [("near.png", Inside), ("../all/near.png", Refused(OUTSIDE))];
    for (reference, expected) in CASES.iter().chain(&near) {
        let reference = format!("../{reference}");
        for (name, text) in texts(&reference) {
            let path = cage.place.put(&format!("all/article/{name}"), text.as_bytes());
            let about = format!("{reference:?} in a folder below");
            let found = comes(&cage.read_again(named, &about), &about);
            // What leads up from the top leads nowhere; what names a file beside it may be there.
            assert!(*expected != Refused(OUTSIDE) || matches!(found, Refused(_)), "{about}: {found:?}");
            assert!(reference != "../near.png" || found == Inside, "{about}: {found:?}");
            std::fs::remove_file(path).unwrap();
        }
    }
}
