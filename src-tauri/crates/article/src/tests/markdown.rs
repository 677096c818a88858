//! Block markup of Markdown, letter for letter.

use super::reparse;
use super::support::{Place, composed, markdown, placed, read, telling};
use crate::{Editor, FindingCode};

#[track_caller]
fn is(body: &str, expected: &str) {
    let blocks = markdown(body);
    assert_eq!(blocks, expected, "\n--- got:\n{blocks}\n--- wanted:\n{expected}");
    reparse::check(&blocks);
}

#[test]
fn paragraphs_with_inline_elements() {
    is(
        "text **b** *i* [l](https://e.com/?a=1&b=2 \"t\") `c<d` ~~s~~ \"q\" & <\\\nline",
        "<!-- wp:paragraph -->\n<p>text <strong>b</strong> <em>i</em> <a href=\"https://e.com/?a=1&amp;b=2\" title=\"t\">l</a> \
         <code>c&lt;d</code> <s>s</s> \"q\" &amp; &lt;<br>line</p>\n<!-- /wp:paragraph -->",
    );
}

#[test]
fn japanese_emphasis_and_lines() {
    is(
        "これは**「強調」**です。\n次の行です\nABC の\nDEF",
        "<!-- wp:paragraph -->\n<p>これは<strong>「強調」</strong>です。次の行です ABC の DEF</p>\n<!-- /wp:paragraph -->",
    );
    is(
        "**太字**\n続き",
        "<!-- wp:paragraph -->\n<p><strong>太字</strong> 続き</p>\n<!-- /wp:paragraph -->"
            .replace("> 続", ">続")
            .as_str(),
    );
}

#[test]
fn headings() {
    is(
        "## H\n\n### Three *x*\n\n# One",
        "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">H</h2>\n<!-- /wp:heading -->\n\n\
         <!-- wp:heading {\"level\":3} -->\n<h3 class=\"wp-block-heading\">Three <em>x</em></h3>\n<!-- /wp:heading -->\n\n\
         <!-- wp:heading {\"level\":1} -->\n<h1 class=\"wp-block-heading\">One</h1>\n<!-- /wp:heading -->",
    );
}

#[test]
fn lists() {
    is(
        "- A\n  - nested\n- B",
        "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>A<!-- wp:list -->\n<ul class=\"wp-block-list\">\
         <!-- wp:list-item -->\n<li>nested</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></li>\n<!-- /wp:list-item -->\n\n\
         <!-- wp:list-item -->\n<li>B</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    );
    is(
        "5. a\n\n   second\n6. b",
        "<!-- wp:list {\"ordered\":true,\"start\":5} -->\n<ol start=\"5\" class=\"wp-block-list\"><!-- wp:list-item -->\n\
         <li>a<br><br>second</li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>b</li>\n<!-- /wp:list-item --></ol>\n<!-- /wp:list -->",
    );
    is(
        "- [ ] to do\n- [x] done",
        "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>☐ to do</li>\n<!-- /wp:list-item -->\n\n\
         <!-- wp:list-item -->\n<li>☑ done</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    );
}

#[test]
fn a_list_that_holds_more_than_text_is_one_html_block() {
    is(
        "- a\n\n      code",
        "<!-- wp:html -->\n<ul>\n<li><p>a</p>\n<pre class=\"wp-block-code\"><code>code</code></pre></li>\n</ul>\n<!-- /wp:html -->",
    );
}

#[test]
fn lists_with_raw_html_stay_lists() {
    is(
        "- a <b>x</b>\n- <b>b</b>",
        "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a <b>x</b></li>\n<!-- /wp:list-item -->\n\n\
         <!-- wp:list-item -->\n<li><b>b</b></li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    );
}

#[test]
fn quotes() {
    is(
        "> Q\n>\n> - x",
        "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>Q</p>\n<!-- /wp:paragraph -->\n\n\
         <!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>x</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></blockquote>\n<!-- /wp:quote -->",
    );
}

#[test]
fn code() {
    is(
        "```rust\nlet a = b[0];\n\n// <x>\n```\n\n    plain",
        "<!-- wp:code {\"className\":\"language-rust\"} -->\n<pre class=\"wp-block-code language-rust\"><code>let a = b&#91;0];\n\n// &lt;x&gt;</code></pre>\n<!-- /wp:code -->\n\n\
         <!-- wp:code -->\n<pre class=\"wp-block-code\"><code>plain</code></pre>\n<!-- /wp:code -->",
    );
}

#[test]
fn a_delimiter_in_code_stays_text() {
    is(
        "`<!-- wp:x -->`\n\n```\n<!-- /wp:code -->\n```",
        "<!-- wp:paragraph -->\n<p><code>&lt;!-- wp:x --&gt;</code></p>\n<!-- /wp:paragraph -->\n\n\
         <!-- wp:code -->\n<pre class=\"wp-block-code\"><code>&lt;!-- /wp:code --&gt;</code></pre>\n<!-- /wp:code -->",
    );
}

#[test]
fn tables() {
    is(
        "| A | B | C |\n|:-:|---|--:|\n| 1 | **2** | a\\|b |",
        "<!-- wp:table {\"hasFixedLayout\":false} -->\n<figure class=\"wp-block-table\"><table><thead><tr>\
         <th class=\"has-text-align-center\" data-align=\"center\">A</th><th>B</th><th class=\"has-text-align-right\" data-align=\"right\">C</th></tr></thead>\
         <tbody><tr><td class=\"has-text-align-center\" data-align=\"center\">1</td><td><strong>2</strong></td>\
         <td class=\"has-text-align-right\" data-align=\"right\">a|b</td></tr></tbody></table></figure>\n<!-- /wp:table -->",
    );
    let with_html = markdown("| A |\n|:-:|\n| x<br>y |");
    assert!(
        with_html.contains("<td class=\"has-text-align-center\" data-align=\"center\">x<br>y</td>"),
        "{with_html}"
    );
}

#[test]
fn images() {
    let first = "https://site.example/u/0.png?a=1&amp;b=2";
    is(
        "![Alt \"x\"](a.png \"Title\")",
        &format!(
            "<!-- wp:image {{\"id\":7,\"sizeSlug\":\"full\",\"linkDestination\":\"none\"}} -->\n<figure class=\"wp-block-image size-full\">\
             <img src=\"{first}\" alt=\"Alt &quot;x&quot;\" class=\"wp-image-7\"/><figcaption class=\"wp-element-caption\">Title</figcaption></figure>\n<!-- /wp:image -->"
        ),
    );
    is(
        "[![](a.png)](https://e.com/)",
        &format!(
            "<!-- wp:image {{\"id\":7,\"sizeSlug\":\"full\",\"linkDestination\":\"custom\"}} -->\n<figure class=\"wp-block-image size-full\">\
             <a href=\"https://e.com/\"><img src=\"{first}\" alt=\"\" class=\"wp-image-7\"/></a></figure>\n<!-- /wp:image -->"
        ),
    );
    is(
        "before ![i](a.png) after",
        &format!(
            "<!-- wp:paragraph -->\n<p>before <img src=\"{first}\" alt=\"i\" class=\"wp-image-7\"> after</p>\n<!-- /wp:paragraph -->"
        ),
    );
    is(
        "![r](https://e.com/r.png)",
        "<!-- wp:image -->\n<figure class=\"wp-block-image\"><img src=\"https://e.com/r.png\" alt=\"r\"/></figure>\n<!-- /wp:image -->",
    );
}

#[test]
fn pictures_alone_on_their_lines_are_blocks() {
    let blocks = markdown("above\n![](a.png)\nbelow ![](a.png)\n\n![](a.png) ![](img/b.jpg)");
    let names: Vec<_> = reparse::check(&blocks).into_iter().map(|block| block.name).collect();
    assert_eq!(names, ["paragraph", "image", "paragraph", "gallery"]);
}

#[test]
fn breaks_and_rules() {
    is(
        "a\n\n<!--more-->\n\nb\n\n<!-- more 続きを読む -->\n\n<!--nextpage-->\n\n---",
        "<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n\
         <!-- wp:paragraph -->\n<p>b</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:more {\"customText\":\"続きを読む\"} -->\n<!--more 続きを読む-->\n<!-- /wp:more -->\n\n\
         <!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->\n\n\
         <!-- wp:separator -->\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n<!-- /wp:separator -->",
    );
}

#[test]
fn raw_html_is_closed_and_kept() {
    is(
        "<div class=\"box\">\nx <b>y\n</div>",
        "<!-- wp:html -->\n<div class=\"box\">\nx <b>y\n</b></div>\n<!-- /wp:html -->",
    );
    is(
        "a <span class=\"x\">b <i>c",
        "<!-- wp:paragraph -->\n<p>a <span class=\"x\">b <i>c</i></span></p>\n<!-- /wp:paragraph -->",
    );
    is("a <!-- note --> b", "<!-- wp:paragraph -->\n<p>a b</p>\n<!-- /wp:paragraph -->");
    is(
        "x</p></div><p>y",
        "<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>y</p>\n<!-- /wp:paragraph -->",
    );
}

#[test]
fn an_element_around_markdown_is_one_block() {
    is(
        "<section class=\"x\">\n\nmore **text**\n\n</section>\n\nafter",
        "<!-- wp:html -->\n<section class=\"x\">\n<p>more <strong>text</strong></p>\n</section>\n<!-- /wp:html -->\n\n\
         <!-- wp:paragraph -->\n<p>after</p>\n<!-- /wp:paragraph -->",
    );
}

#[test]
fn raw_images_are_found_too() {
    is(
        "<img src=\"a.png\" width=\"200\" alt=\"x\">",
        "<!-- wp:image {\"id\":7,\"sizeSlug\":\"full\",\"linkDestination\":\"none\"} -->\n<figure class=\"wp-block-image size-full\">\
         <img src=\"https://site.example/u/0.png?a=1&amp;b=2\" alt=\"x\" class=\"wp-image-7\"/></figure>\n<!-- /wp:image -->",
    );
    is(
        "<div align=\"center\"><img src=\"a.png\" width=\"9\" srcset=\"a.png 2x\" class=\"k\"></div>",
        "<!-- wp:html -->\n<div align=\"center\"><img src=\"https://site.example/u/0.png?a=1&amp;b=2\" class=\"k wp-image-7\" alt=\"\" width=\"9\"></div>\n<!-- /wp:html -->",
    );
}

#[test]
fn footnotes_are_a_list_or_a_block_with_a_field() {
    let loaded =
        read("index.md", "---\ntitle: T\n---\na[^1] b[^x]\n\n[^x]: second **x**\n[^1]: first & ![](a.png)");
    let article = loaded.article.as_ref().unwrap();
    let images = placed(1);
    let notes = article.footnotes(&images).unwrap();
    assert_eq!(
        notes.iter().map(|note| note.content.as_str()).collect::<Vec<_>>(),
        [
            "first &amp; <img src=\"https://site.example/u/0.png?a=1&amp;b=2\" alt=\"\" class=\"wp-image-7\">",
            "second <strong>x</strong>"
        ]
    );
    let native = article.compose_for(Editor { details: true, footnotes: true }, &images, None).unwrap();
    assert!(native.ends_with("\n\n<!-- wp:footnotes /-->"), "{native}");
    let listed = article.compose(&images, None).unwrap();
    for (content, is_native) in [(&native, true), (&listed, false)] {
        for note in &notes {
            assert_eq!(content.contains(&format!("data-fn=\"{}\"", note.id)), is_native, "{content}");
            assert!(content.contains(&format!("id=\"{}-link\"", note.id)), "{content}");
            assert_eq!(content.contains(&note.content), !is_native, "{content}");
        }
    }
    assert!(article.footnotes(&[]).is_err());
    // The ids stay the same however often the article is read, and differ between articles.
    assert_eq!(
        read("index.md", "---\ntitle: U\n---\na[^1]\n\n[^1]: x").article.unwrap().footnotes(&[]).unwrap()[0]
            .id,
        notes[0].id
    );
    let place = Place::with(&[("other/index.md", b"---\ntitle: T\n---\na[^1]\n\n[^1]: x")]);
    assert_ne!(place.load().article.unwrap().footnotes(&[]).unwrap()[0].id, notes[0].id);
}

#[test]
fn notes_that_the_editor_cannot_hold_are_a_list_everywhere() {
    for body in [
        "twice[^1] twice[^1]\n\n[^1]: x",
        "beside<br>html[^1]\n\n[^1]: x",
        "code[^1]\n\n[^1]: x\n\n        y",
    ] {
        let loaded = read("index.md", format!("---\ntitle: T\n---\n{body}"));
        let article = loaded.article.unwrap();
        assert!(article.footnotes(&[]).unwrap().is_empty(), "{body}");
        let content = article.compose_for(Editor { details: true, footnotes: true }, &[], None).unwrap();
        assert!(!content.contains("wp:footnotes") && !content.contains("data-fn"), "{content}");
        assert!(content.contains("↩"), "{content}");
    }
}

#[test]
fn notes_that_nothing_refers_to_are_told_with_all_that_stands_in_them() {
    let body = "a[^1]\n\n[^1]: used\n\n[^c]: first\n\n    ```rust\n    fn main() {}\n    ```\n\n    and `more`\n\n[^c]: second\n\n[^1]: third\n";
    let loaded = read("index.md", format!("---\ntitle: T\n---\n{body}"));
    let unused = loaded.findings.iter().filter(|found| found.code == FindingCode::FootnoteUnused);
    let told: Vec<(&str, &str)> = unused
        .map(|found| {
            let of =
                |name| found.params.iter().find(|(known, _)| **known == name).map(|(_, text)| text.as_str());
            (of("name").unwrap(), of("text").unwrap())
        })
        .collect();
    assert_eq!(told, [("c", "first fn main() {} and more"), ("c", "second"), ("1", "third")]);
    assert!(composed(&loaded).contains("used"));
}

#[test]
fn harmful_links_lose_their_target() {
    let loaded = read("index.md", "---\ntitle: T\n---\n[a](javascript:x) [b](file:///etc) [c](other.md)\n");
    assert_eq!(
        composed(&loaded),
        "<!-- wp:paragraph -->\n<p>a b <a href=\"other.md\">c</a></p>\n<!-- /wp:paragraph -->"
    );
    assert_eq!(
        telling(&loaded),
        [
            (FindingCode::LinkRemoved, Some(4)),
            (FindingCode::LinkRemoved, Some(4)),
            (FindingCode::LinkBroken, Some(4))
        ]
    );
}

#[test]
fn a_picture_that_markdown_does_not_read_is_told() {
    let text = "---\ntitle: T\n---\n![写真](写 真.png) and ![図](./a b.png =250x)\n\n`![code](is code.png)` and ![\n";
    let loaded = read("index.md", text);
    assert_eq!(
        telling(&loaded),
        [
            (FindingCode::AttributesUnused, Some(4)),
            (FindingCode::ImageNotRead, Some(4)),
            (FindingCode::ImageNotRead, Some(4))
        ]
    );
    assert_eq!(loaded.findings[1].params["text"], "![写真](写 真.png)");
    let read_well = read("index.md", "---\ntitle: T\n---\n![](<a.png>) and ![](a.png)\n");
    assert_eq!(telling(&read_well), []);
}

#[test]
fn links_to_files_that_lie_here_are_left_out() {
    let loaded = read("index.md", "---\ntitle: T\n---\n[x](a.png) [![](img/b.jpg)](a.png)\n");
    assert_eq!(telling(&loaded), [(FindingCode::LinkToFile, Some(4)), (FindingCode::LinkToFile, Some(4))]);
    assert!(!composed(&loaded).contains("a.png\""));
}

#[test]
fn the_first_main_heading_is_the_title() {
    let loaded = read("index.md", "# My *Title*\n\ntext\n");
    assert_eq!(loaded.article.as_ref().unwrap().title, "My Title");
    assert_eq!(composed(&loaded), "<!-- wp:paragraph -->\n<p>text</p>\n<!-- /wp:paragraph -->");
    let repeated = read("index.md", "---\ntitle: Same\n---\n# Same\n\n# Other\n");
    assert_eq!(reparse::check(&composed(&repeated)).len(), 1);
}

#[test]
fn a_marker_stands_in_the_first_block() {
    let loaded = read("index.md", "---\ntitle: T\n---\n## H\n\ntext\n");
    let content = loaded.article.unwrap().compose(&[], Some("0190-x")).unwrap();
    assert!(content.starts_with("<!-- wp:heading {\"ichido\":\"0190-x\"} -->\n<h2"));
    assert_eq!(content.matches("0190-x").count(), 1);
}

#[test]
fn texts_of_nothing_but_beginnings_are_read_in_time() {
    for (piece, name) in [
        ("{{< ", "index.md"),
        ("{{% x", "index.md"),
        ("{% raw %} ", "index.md"),
        ("{% highlight x %}\n", "index.md"),
        ("{{</*", "index.md"),
        ("{{x}}", "index.md"),
        ("![](a =1x", "index.md"),
        ("` `` ", "index.md"),
        ("$$\n", "index.md"),
        ("$$ x\ny\n", "index.md"),
        ("{漢|", "index.md"),
        ("[^a", "index.md"),
        ("<A b={{", "index.mdx"),
        ("{/* ", "index.mdx"),
        ("import x from\n\n", "index.mdx"),
        (":::message\n", "index.md"),
        ("> [!NOTE]\n", "index.md"),
        ("a[^1] ", "index.md"),
    ] {
        let text = format!("---\ntitle: T\n---\n{}\n\n[^1]: x\n", piece.repeat(100_000 / piece.len()));
        let started = std::time::Instant::now();
        let loaded = read(name, text);
        assert!(loaded.findings.iter().all(|found| found.code != FindingCode::TextReaderFailed), "{piece}");
        // Twenty times what they take in a build that is not optimised; growth with the square is far above.
        assert!(started.elapsed().as_secs() < 20, "{piece}: {:?}", started.elapsed());
    }
}

#[test]
fn times_in_japanese_are_not_struck_out() {
    let loaded = read("index.md", "# 9:00~10:00 と 13:00~15:00\n\n1~2、**3~4**、~~消す~~\n");
    assert_eq!(loaded.article.as_ref().unwrap().title, "9:00~10:00 と 13:00~15:00");
    let text = "<p>1~2、<strong>3~4</strong>、<s>消す</s></p>";
    assert_eq!(composed(&loaded), format!("<!-- wp:paragraph -->\n{text}\n<!-- /wp:paragraph -->"));
}
