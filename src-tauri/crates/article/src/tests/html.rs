//! HTML articles.

use super::reparse;
use super::support::{composed, html, read, telling};
use crate::FindingCode;

#[track_caller]
fn is(body: &str, expected: &str) {
    let blocks = html(body);
    assert_eq!(blocks, expected, "\n--- got:\n{blocks}\n--- wanted:\n{expected}");
    reparse::check(&blocks);
}

#[test]
fn recognised_elements_become_blocks() {
    is(
        "<h2 id=\"s\">H</h2><p class=\"lead\">a\n  b <B>c</B></p><ul><li>x<ol start=\"3\"><li>y</ol></ul><hr>",
        "<!-- wp:heading {\"anchor\":\"s\"} -->\n<h2 id=\"s\" class=\"wp-block-heading\">H</h2>\n<!-- /wp:heading -->\n\n\
         <!-- wp:paragraph {\"className\":\"lead\"} -->\n<p class=\"lead\">a b <b>c</b></p>\n<!-- /wp:paragraph -->\n\n\
         <!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>x<!-- wp:list {\"ordered\":true,\"start\":3} -->\n\
         <ol start=\"3\" class=\"wp-block-list\"><!-- wp:list-item -->\n<li>y</li>\n<!-- /wp:list-item --></ol>\n<!-- /wp:list --></li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->\n\n\
         <!-- wp:separator -->\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n<!-- /wp:separator -->",
    );
}

#[test]
fn quotes_code_and_figures() {
    is(
        "<blockquote><p>Q</p><cite>who</cite></blockquote><pre><code class=\"language-js\">a[0] &lt; b\n</code></pre>",
        "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>Q</p>\n<!-- /wp:paragraph --><cite>who</cite></blockquote>\n<!-- /wp:quote -->\n\n\
         <!-- wp:code {\"className\":\"language-js\"} -->\n<pre class=\"wp-block-code language-js\"><code>a&#91;0] &lt; b</code></pre>\n<!-- /wp:code -->",
    );
    is(
        "<figure><a href=\"https://e.com\"><img src=\"a.png\" alt=\"A\" width=\"3\" loading=\"lazy\"></a><figcaption>cap <em>x</em></figcaption></figure>",
        "<!-- wp:image {\"id\":7,\"sizeSlug\":\"full\",\"linkDestination\":\"custom\"} -->\n<figure class=\"wp-block-image size-full\"><a href=\"https://e.com\">\
         <img src=\"https://site.example/u/0.png?a=1&amp;b=2\" alt=\"A\" class=\"wp-image-7\"/></a><figcaption class=\"wp-element-caption\">cap <em>x</em></figcaption></figure>\n<!-- /wp:image -->",
    );
}

#[test]
fn tables_keep_alignment_caption_and_sections() {
    is(
        "<table><caption>cap</caption><thead><tr><th style=\"text-align: right\">A</th></tr></thead><tbody><tr><td align=\"left\">1</td></tr></tbody><tfoot><tr><td>z</td></tr></tfoot></table>",
        "<!-- wp:table {\"hasFixedLayout\":false} -->\n<figure class=\"wp-block-table\"><table><thead><tr><th class=\"has-text-align-right\" data-align=\"right\">A</th></tr></thead>\
         <tbody><tr><td class=\"has-text-align-left\" data-align=\"left\">1</td></tr></tbody><tfoot><tr><td>z</td></tr></tfoot></table>\
         <figcaption class=\"wp-element-caption\">cap</figcaption></figure>\n<!-- /wp:table -->",
    );
    is(
        "<table><tr><td colspan=\"2\">x</td></tr></table>",
        "<!-- wp:html -->\n<table><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>\n<!-- /wp:html -->",
    );
}

#[test]
fn what_is_not_recognised_is_kept_as_html() {
    is(
        "<p style=\"color:red\">x</p><dl><dt>t<dd>d</dl><iframe src=\"https://e.com/v?a=1&amp;b\"></iframe>",
        "<!-- wp:html -->\n<p style=\"color:red\">x</p>\n<!-- /wp:html -->\n\n<!-- wp:html -->\n<dl><dt>t</dt><dd>d</dd></dl>\n<!-- /wp:html -->\n\n\
         <!-- wp:html -->\n<iframe src=\"https://e.com/v?a=1&amp;b\"></iframe>\n<!-- /wp:html -->",
    );
}

#[test]
fn a_delimiter_cannot_be_smuggled_in() {
    for body in [
        "<script>\"<!-- wp:paragraph -->\"</script><p>x</p>",
        "<div data-x=\"<!-- /wp:html -->\" hidden>x</div>",
        "<div class=k title=1><!-- /wp:html --><!-- wp:x {\"a\":1} --></div>x",
        "<p>&lt;!-- wp:html --&gt;</p>",
        "<textarea><!-- /wp:html --></textarea>",
        "<style><!-- /wp:html --></style>x",
        "<xmp><!-- /wp:html --></xmp>",
        "<!--more --><!-- wp:x -->--><p>x",
        "<svg onload=x><title><!-- /wp:html --></title></svg>",
        "<noscript><!-- /wp:html --></noscript>y",
        "<template><!-- wp:a --><p>t</p></template>z",
        "<!--more --&gt;<!-- /wp:more -->\nx",
        "<pre><!-- wp:b -->x</pre>",
        "<iframe><!-- /wp:html --></iframe>",
    ] {
        let blocks = reparse::check(&html(body));
        for block in &blocks {
            assert!(
                ["html", "paragraph", "more", "preformatted"].contains(&block.name.as_str()),
                "{body}: {block:?}"
            );
        }
    }
}

#[test]
fn a_whole_page_is_read_by_its_article() {
    let page = "<!DOCTYPE html><html><head><title>Page | Site</title><meta name=\"description\" content=\"About\">\
        <meta name=\"keywords\" content=\"x, y\"><meta property=\"og:image\" content=\"a.png\"><style>p{}</style></head>\n\
        <body><nav><a href=\"/\">home</a></nav><article class=\"post\"><h1>Real <i>title</i></h1><div class=\"content\"><p>text</p></div></article><footer>f</footer></body></html>";
    let loaded = read("index.html", page);
    let article = loaded.article.as_ref().unwrap();
    assert_eq!((article.title.as_str(), article.excerpt.as_str()), ("Real title", "About"));
    assert_eq!(article.tags, ["x", "y"]);
    assert_eq!(article.featured, Some(0));
    assert_eq!(composed(&loaded), "<!-- wp:paragraph -->\n<p>text</p>\n<!-- /wp:paragraph -->");
    let beside = FindingCode::PagePartUnused;
    assert_eq!(telling(&loaded), [(beside, Some(2)), (beside, Some(2))]);

    let untitled =
        read("index.html", "<html><head><title> Only\n here </title></head><body><p>x</p></body></html>");
    assert_eq!(untitled.article.unwrap().title, "Only here");
}

#[test]
fn local_films_are_named_and_remote_ones_stay() {
    let loaded = read(
        "index.html",
        "---\ntitle: T\n---\n<p>x</p>\n<video src=\"v.mp4\" poster=\"https://e.com/p.png\"></video>\n<svg><image href=\"x.png\"/></svg>\n",
    );
    assert_eq!(
        telling(&loaded),
        [
            (FindingCode::MediaUnsupported, Some(5)),
            (FindingCode::HtmlForUnfiltered, Some(6)),
            (FindingCode::ImageNotFound, Some(6))
        ]
    );
    let remote = html("<video src=\"https://e.com/v.mp4\" controls></video>");
    assert_eq!(
        remote,
        "<!-- wp:video -->\n<figure class=\"wp-block-video\"><video controls src=\"https://e.com/v.mp4\"></video></figure>\n<!-- /wp:video -->"
    );
}

#[test]
fn lines_are_those_of_the_file() {
    let loaded = read("index.html", "<!--\ntitle: T\n-->\n<p>x</p>\n<p>\n<img src=\"none.png\"></p>\n");
    assert_eq!(telling(&loaded), [(FindingCode::ImageNotFound, Some(6))]);
}

#[test]
fn kept_blocks_lead_to_the_pictures_of_the_site() {
    let cover = "<!-- wp:cover {\"url\":\"./a.png\",\"id\":55,\"dimRatio\":50} -->\n<div class=\"wp-block-cover\">\
        <img class=\"wp-block-cover__image-background wp-image-55\" alt=\"A\" src='a.png' srcset=\"a.png 2x\"/>\
        <a href=\"javascript:x\" class=\"k\">x</a></div>\n<!-- /wp:cover -->";
    let kept = html(cover);
    assert_eq!(
        kept,
        "<!-- wp:cover {\"url\":\"https://site.example/u/0.png?a=1\\u0026b=2\",\"id\":7,\"dimRatio\":50} -->\n\
         <div class=\"wp-block-cover\"><img class=\"wp-block-cover__image-background wp-image-7\" alt=\"A\" \
         src=\"https://site.example/u/0.png?a=1&amp;b=2\"/><a class=\"k\">x</a></div>\n<!-- /wp:cover -->"
    );
}

#[test]
fn a_kept_block_can_carry_the_marker() {
    for (block, marked) in [
        ("<!-- wp:spacer /-->", "<!-- wp:spacer {\"ichido\":\"m\"} /-->"),
        (
            "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n<!-- wp:a {} --><p>x</p><!-- /wp:a -->",
            "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n<!-- wp:a {\"ichido\":\"m\"} --><p>x</p><!-- /wp:a -->",
        ),
        (
            "<!-- wp:a {\"b\":{}} -->x<!-- /wp:a -->",
            "<!-- wp:a {\"b\":{},\"ichido\":\"m\"} -->x<!-- /wp:a -->",
        ),
    ] {
        let loaded = read("index.html", format!("---\ntitle: T\n---\n{block}\n"));
        let article = loaded.article.unwrap();
        assert_eq!(article.compose(&[], Some("m")).unwrap(), marked);
        assert_eq!(article.compose(&[], None).unwrap(), block);
    }
}

#[test]
fn the_main_heading_of_kept_blocks_is_the_title() {
    let body = "<!-- wp:heading {\"level\":1} -->\n<h1 class=\"wp-block-heading\">A &amp; <em>b</em></h1>\n<!-- /wp:heading -->\n\n\
        <!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n";
    let loaded = read("index.html", body);
    assert_eq!(loaded.article.as_ref().unwrap().title, "A & b");
    assert_eq!(composed(&loaded), "<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->");
}
