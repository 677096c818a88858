//! Everything else in a text that names a file.

use super::{Cage, MARK};

/// The name of the text, and the text after its title.
pub(super) const CASES: &[(&str, &str)] = &[
    ("index.html", "<img srcset=\"../secret.png 1x, ../../secret.png 2x\" src=a.png>"),
    ("index.html", "<img srcset=\"../secret.png 1x\">"),
    ("index.html", "<img src=a.png data-src=../../secret.png>"),
    ("index.html", "<img src=a.png longdesc=../../secret.txt>"),
    ("index.html", "<img src=a.png usemap=../../secret.txt>"),
    ("index.html", "<picture><source srcset=../../secret.png><img src=a.png></picture>"),
    ("index.html", "<video poster=../../secret.png src=../../secret.png></video>"),
    ("index.html", "<video><source src=../../secret.png></video>"),
    ("index.html", "<video><track src=../../secret.txt></video>"),
    ("index.html", "<audio src=../../secret.png></audio>"),
    ("index.html", "<iframe src=../../secret.md></iframe>"),
    ("index.html", "<iframe srcdoc='<img src=../../secret.png>'></iframe>"),
    ("index.html", "<embed src=../../secret.png>"),
    ("index.html", "<object data=../../secret.png></object>"),
    ("index.html", "<object><param name=src value=../../secret.png></object>"),
    ("index.html", "<input type=image src=../../secret.png>"),
    ("index.html", "<body background=../../secret.png>x</body>"),
    ("index.html", "<table background=../../secret.png><tr><td background=../../secret.png>x</table>"),
    ("index.html", "<p style='background:url(../../secret.png)'>x</p>"),
    ("index.html", "<style>@import '../../secret.txt'; p{background:url(../../secret.png)}</style>x"),
    ("index.html", "<link rel=stylesheet href=../../secret.txt>x"),
    ("index.html", "<link rel=icon href=../../secret.png>x"),
    ("index.html", "<script src=../../secret.txt></script>x"),
    ("index.html", "<svg><image href=../../secret.png /></svg>x"),
    ("index.html", "<svg><image xlink:href=../../secret.png /><use href=../../secret.txt#x /></svg>x"),
    ("index.html", "<base href=../../><img src=secret.png>"),
    ("index.html", "<base href=file:///><img src=etc/passwd>"),
    ("index.html", "<meta property=og:image content=../../secret.png><p>x"),
    ("index.html", "<a href=../../secret.md>x</a>"),
    ("index.html", "<a href=../../secret.png><img src=a.png></a>"),
    ("index.html", "<form action=../../secret.txt><button formaction=../../secret.txt>x</button></form>"),
    ("index.html", "<blockquote cite=../../secret.txt>x</blockquote>"),
    ("index.html", "<!--#include file=\"../../secret.txt\"-->x"),
    ("index.html", "<xi:include href=../../secret.txt parse=text />x"),
    ("index.html", "<!DOCTYPE x [<!ENTITY e SYSTEM \"../../secret.txt\">]>&e;x"),
    ("index.html", "<?php include '../../secret.txt'; ?>x"),
    ("index.md", "![x][r]\n\n[r]: ../../secret.png"),
    ("index.md", "![x]\n\n[x]: <../../secret.png> 'title'"),
    ("index.md", "[x](../../secret.md)"),
    ("index.md", "[![x](../../secret.png)](../../secret.md)"),
    ("index.md", "<file:///etc/passwd>"),
    ("index.md", "![[../../secret.png]]"),
    ("index.md", "![[secret.png]]"),
    ("index.md", "![[secret]]"),
    ("index.md", "![[../../secret.md#x]]"),
    ("index.md", "[[../../secret.md]]"),
    ("index.md", "{% include ../../secret.txt %}"),
    ("index.md", "{% include_relative ../../secret.md %}"),
    ("index.md", "{{< readfile \"../../secret.txt\" >}}"),
    ("index.md", "{{< figure src=\"../../secret.png\" >}}"),
    ("index.md", "{{ '/../../secret.png' | relative_url }}\n\n![x]({{ site.baseurl }}/../../secret.png)"),
    ("index.md", "!include ../../secret.md"),
    ("index.md", "<<< @/../../secret.txt"),
    ("index.md", "@import \"../../secret.md\""),
    ("index.md", "import x from '../../secret.md'\n\nx"),
    ("index.md", "```{literalinclude} ../../secret.txt\n```"),
    ("index.md", "```js file=../../secret.txt\n```"),
    ("index.md", ":::include ../../secret.md\n:::"),
    ("index.md", "<img src='../../secret.png'>"),
    ("index.md", "x <img src='../../secret.png'> x"),
    ("index.md", "x[^1]\n\n[^1]: ![x](../../secret.png)"),
    ("index.md", "| ![x](../../secret.png) |\n| --- |\n| ![x](../../secret.png) |"),
];

/// Front matter that names a file.
const FRONT: &[&str] = &[
    "---\ntitle: T\ncover: ../../secret.png\n---\nx\n",
    "---\ntitle: T\ncover:\n  image: ../../secret.png\n---\nx\n",
    "---\ntitle: T\nimages: [../../secret.png, a.png]\n---\nx\n",
    "---\ntitle: T\nfeatured_image: {src: ../../secret.png}\n---\nx\n",
    "---\ntitle: T\nthumbnail: !!binary ../../secret.png\n---\nx\n",
    "---\ntitle: !include ../../secret.txt\n---\nx\n",
    "---\ntitle: T\nx: &a ../../secret.png\ncover: *a\n---\nx\n",
    "---\ntitle: T\nlayout: ../../secret.md\ninclude: ../../secret.txt\n---\nx\n",
    "---\ntitle: T\ntypora-root-url: ../..\n---\n![x](/secret.png)\n",
    "---\ntitle: T\ntypora-root-url: /\n---\n![x](/etc/passwd)\n",
    "---\ntitle: T\ntypora-root-url: in/../..\n---\n![x](/secret.png)\n",
    "+++\ntitle = \"T\"\ncover = \"../../secret.png\"\n+++\nx\n",
    "+++\ntitle = \"T\"\n[cover]\nimage = \"../../secret.png\"\n+++\nx\n",
    "{\"title\": \"T\", \"cover\": \"../../secret.png\"}\n\nx\n",
];

#[test]
fn nothing_that_a_text_names_is_taken_from_outside() {
    let cage = Cage::new();
    for (name, body) in CASES {
        let text = format!("---\ntitle: T\n---\n{body}\n");
        let loaded = cage.read(name, text.as_bytes(), body);
        assert!(!loaded.findings.is_empty(), "{body}");
        for image in loaded.article.iter().flat_map(|article| &article.images) {
            assert!(image.path().starts_with(cage.inside()), "{body}");
        }
    }
    for text in FRONT {
        let loaded = cage.read("index.md", text.as_bytes(), text);
        assert!(!loaded.findings.is_empty(), "{text}");
        assert!(loaded.article.is_none_or(|article| article.images.is_empty()), "{text}");
    }
    // The texts outside hold what would be seen.
    assert!(std::fs::read_to_string(cage.place.path().join("secret.txt")).unwrap().contains(MARK));
}
