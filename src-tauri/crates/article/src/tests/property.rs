//! Any text: no panic, and blocks that can be read back.

use proptest::prelude::*;

use super::reparse;
use super::support::{placed, read, read_in_vault};
use crate::{Editor, FindingCode, Loaded};

/// Pieces of which hostile texts are made.
pub(super) const PIECES: &[&str] = &[
    "# h\n",
    "## ",
    "text ",
    "日本語、",
    "「強調」",
    "**",
    "*",
    "_",
    "~~",
    "`",
    "```\n",
    "```js:a\n",
    "> ",
    "- ",
    "1. ",
    "- [x] ",
    "\n",
    "\n\n",
    "    ",
    "\t",
    "| a | b |\n|---|:-:|\n| c | d |\n",
    "|",
    "---\n",
    "+++\n",
    "![a](a.png)",
    "![](x.png \"t\")",
    "[l](https://e.com)",
    "[x]: /u\n",
    "[^1]",
    "[^1]: n\n",
    "<div>",
    "</div>",
    "<div class=\"a\">",
    "<p>",
    "</p>",
    "<b>",
    "</i>",
    "<br/>",
    "<img src=a.png>",
    "<img src='../x'>",
    "<table><tr><td>",
    "</table>",
    "<!--",
    "-->",
    "<!-- wp:paragraph -->",
    "<!-- /wp:html -->",
    "<!--more-->",
    "<!--nextpage-->",
    "<script>",
    "</script>",
    "<style>",
    "<textarea>",
    "<svg>",
    "<math>",
    "<template>",
    "<a href=\"javascript:x\">",
    "</a>",
    "<ul><li>",
    "</ul>",
    "<pre><code>",
    "</code></pre>",
    "<figure>",
    "<figcaption>",
    "&amp;",
    "&lt;",
    "&#0;",
    "\\",
    "\"",
    "'",
    "<",
    ">",
    "{\"a\":1}",
    "[",
    "]",
    "(",
    ")",
    "title: x\n",
    "https://e.com/a?b&c\n",
    "\u{200b}",
    "𠮷",
    "\u{feff}",
    "\r\n",
    "--",
    "> [!NOTE]- t\n",
    ":::message\n",
    ":::details d\n",
    ":::\n",
    "$",
    "$$\n",
    "a~b ",
    "~",
    "{{< figure src=a.png >}}",
    "{{",
    "}}",
    "{% raw %}",
    "{% endraw %}",
    "{% highlight js %}\n",
    "{% endhighlight %}",
    "{漢字|かんじ}",
    "{#id}",
    "^[note]",
    "@[youtube](abc)",
    "https://youtu.be/abcdefghijk\n",
    "[[a]]",
    "![[a.png|9]]",
    "==",
    "%%",
    " ^id\n",
    "\u{fdd0}",
    "1\u{fdd1}",
    "![](a.png =9x)",
    "<details><summary>s</summary>\n",
    "</details>\n",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,200}",
        1 => "[ -~\n]{0,200}",
    ]
}

fn holds(name: &str, text: &str) -> Result<(), TestCaseError> {
    holds_for(&read(name, text), text)
}

fn holds_for(loaded: &Loaded, text: &str) -> Result<(), TestCaseError> {
    // What stands in the place of something held is nobody's to see.
    let is_clean =
        |shown: &str| text.contains(['\u{fdd0}', '\u{fdd1}']) || !shown.contains(['\u{fdd0}', '\u{fdd1}']);
    let params = loaded.findings.iter().flat_map(|found| found.params.values());
    prop_assert!(params.into_iter().all(|param| is_clean(param)), "{:?}", loaded.findings);
    prop_assert!(
        loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed),
        "{:?}",
        loaded.findings
    );
    if let Some(article) = &loaded.article {
        let plain = article.compose(&placed(article.images.len()), None).unwrap();
        let blocks = reparse::check(&plain);
        prop_assert!(!blocks.is_empty());
        prop_assert!(is_clean(&plain) && is_clean(&article.title), "{plain}");
        let newest = Editor { details: true, footnotes: true };
        reparse::check(&article.compose_for(newest, &placed(article.images.len()), None).unwrap());
        // The text of a script is no reference.
        let has_raw_text = ["<script", "<style", "<textarea"].iter().any(|raw| plain.contains(raw));
        prop_assert!(has_raw_text || !plain.contains("a.png\""), "{plain}");
        let marked =
            reparse::read(&article.compose(&placed(article.images.len()), Some("0190-marker")).unwrap())
                .unwrap();
        let carriers = marked.iter().filter(|block| block.attributes.get("ichido").is_some()).count();
        prop_assert_eq!(carriers, 1);
        prop_assert_eq!(marked.len(), blocks.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn any_markdown(text in text()) {
        holds("index.md", &text)?;
        holds("index.md", &format!("---\ntitle: T\n---\n{text}"))?;
        // In a vault and in MDX more has a meaning.
        holds_for(&read_in_vault(&format!("---\ntitle: T\n---\n{text}")), &text)?;
        holds("index.mdx", &format!("---\ntitle: T\n---\n{text}"))?;
    }

    #[test]
    fn any_html(text in text()) {
        holds("index.html", &text)?;
        holds("index.html", &format!("---\ntitle: T\n---\n{text}"))?;
    }

    #[test]
    fn any_front_matter(matter in "([a-z_]{1,8}[:=]? ?[\\PC]{0,20}\n){0,8}|[ -~\n\t]{0,120}", fence in prop::sample::select(vec!["---", "+++", "{", "<!--"])) {
        holds("index.md", &format!("{fence}\n{matter}\n{fence}\nbody"))?;
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let loaded = read("index.md", &bytes);
        prop_assert!(loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed));
    }
}
