//! HTML, with everything escaped that is not ours.

use crate::options::Language;
use crate::pages::words::words;

/// Makes a text safe between tags and inside quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A title or excerpt as people read it: WordPress stores ampersands written out.
pub(crate) fn spoken(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// A slug as people read it.
pub(crate) fn readable(slug: &str) -> String {
    escaped(&percent_encoding::percent_decode_str(slug).decode_utf8_lossy())
}

/// A whole page around `main`, which must be escaped already.
pub(crate) fn page(language: Language, title: &str, main: &str) -> String {
    let words = words(language);
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} - Ichido {label}</title><link rel=\"stylesheet\" href=\"/practice/style.css\"></head>\n\
         <body><header><p class=\"badge\">{label}</p><nav aria-label=\"Ichido\">\
         <a href=\"/\">{overview}</a> <a href=\"/wp-admin/edit.php?post_status=draft\">{drafts}</a> \
         <a href=\"/wp-admin/edit.php\">{all}</a> <a href=\"/wp-admin/upload.php\">{library}</a></nav></header>\n\
         <main><h1>{title}</h1>{main}</main></body>\n</html>\n",
        code = words.code,
        label = words.label,
        overview = words.overview,
        drafts = words.drafts,
        all = words.all_posts,
        library = words.library,
    )
}

/// The style of all pages.
pub(crate) const STYLE: &str = "\
:root{color-scheme:light dark;--back:#f7f7f4;--card:#fff;--ink:#1d1d1b;--soft:#62625c;--line:#deded6;--mark:#9a4a00;--act:#1d4f91}
@media (prefers-color-scheme:dark){:root{--back:#191917;--card:#232320;--ink:#efeee8;--soft:#b0aea4;--line:#3a3934;--mark:#f0a35e;--act:#8db9f2}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.7 system-ui,'Hiragino Sans','Noto Sans JP','Noto Sans CJK JP',sans-serif}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.75rem 1.5rem;border-bottom:1px solid var(--line);background:var(--card)}
.badge{margin:0;padding:.1rem .7rem;border:1px solid var(--mark);border-radius:1rem;color:var(--mark);font-weight:600}
nav a{margin-right:1rem}
a{color:var(--act)}
main{max-width:62rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem;line-height:1.3;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0 0 .5rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.25rem;margin:1rem 0}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line)}
th,td{text-align:left;padding:.5rem .75rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;color:var(--soft)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--back);border:1px solid var(--line);border-radius:.4rem;padding:.75rem;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.25rem;margin:0}
dt{color:var(--soft)} dd{margin:0;overflow-wrap:anywhere}
.soft{color:var(--soft)} .mark{color:var(--mark);font-weight:600}
img{max-width:9rem;max-height:6rem;display:block}
button{font:inherit;padding:.45rem 1rem;border-radius:.4rem;border:1px solid var(--act);background:transparent;color:var(--act);cursor:pointer}
button:hover{background:var(--act);color:var(--card)}
input{font:inherit;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:.4rem;background:var(--card);color:var(--ink)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.6rem 0}
";
