//! Code blocks.

use crate::block::{Block, Value, push_text};
use crate::markup::Markup;

/// Makes a code block; the language stands on the outer element, where the editor finds it valid.
pub(crate) fn block(code: &str, language: Option<&str>) -> Block {
    let language = language.map(language_class).filter(|class| !class.is_empty());
    let mut block = Block::new("code", Vec::new());
    let mut markup = Markup::new();
    match language {
        Some(class) => {
            let class = format!("language-{class}");
            markup.open("pre").attribute("class", &format!("wp-block-code {class}")).end();
            block = block.with("className", Value::Text(class));
        }
        None => {
            markup.open("pre").attribute("class", "wp-block-code").end();
        }
    }
    markup.open("code").end();
    markup.verbatim(&escaped(code.strip_suffix('\n').unwrap_or(code)));
    block.pieces = markup.finish();
    block
}

/// The part of an info string that names the language: `js:app.js` and `rust,ignore` name more than that.
fn language_class(info: &str) -> String {
    let word = info
        .trim_start_matches(['{', '.'])
        .split([' ', '\t', ':', ',', '{', '}', '='])
        .next()
        .unwrap_or_default();
    word.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.'))
        .take(40)
        .collect()
}

/// Escapes as the editor does: a bracket could start a shortcode, a lone address an embed.
fn escaped(code: &str) -> String {
    let mut text = String::with_capacity(code.len() + code.len() / 8);
    push_text(&mut text, code);
    if text.contains('[') {
        text = text.replace('[', "&#91;");
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let address = line[indent..].trim_end();
        let after = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
        if after.is_some_and(|after| {
            !after.is_empty()
                && !after.contains(|c: char| c.is_whitespace() || c == '"')
                && !after.contains("&lt;")
                && !after.contains("&gt;")
        }) {
            let slashes = start + indent + address.find("//").unwrap_or(0);
            text.replace_range(slashes..slashes + 2, "&#47;&#47;");
            break;
        }
        start += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_wordpress_would_act_on() {
        assert_eq!(escaped("let a = b[0] < c && d;"), "let a = b&#91;0] &lt; c &amp;&amp; d;");
        assert_eq!(
            escaped("x\n  https://e.com/a?b\nhttps://f.com"),
            "x\n  https:&#47;&#47;e.com/a?b\nhttps://f.com"
        );
        assert_eq!(escaped("see https://e.com"), "see https://e.com");
    }

    #[test]
    fn takes_the_language_from_what_follows_the_fence() {
        for (info, class) in [
            ("rust", "rust"),
            ("js:app.js", "js"),
            ("rust,ignore", "rust"),
            ("c++", "c++"),
            ("{.python}", "python"),
            ("a\"b", "ab"),
        ] {
            assert_eq!(language_class(info), class);
        }
    }
}
