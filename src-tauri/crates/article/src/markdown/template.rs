//! The tags of other tools' templates: made into blocks where they are well defined, else kept and told.

use super::source::Held;
use super::{Node, Reader};
use crate::block::Block;
use crate::elements::paragraph_block;
use crate::embed;
use crate::finding::FindingCode;
use crate::images::Described;
use crate::link;
use crate::markup::Markup;
use crate::phrasing::Phrasing;
use crate::picture::{self, Picture};

/// A tag as Hugo, Jekyll and Hexo write it.
#[derive(Debug, PartialEq, Eq)]
struct Tag {
    name: String,
    /// The words that have no key.
    words: Vec<String>,
    values: Vec<(String, String)>,
}

impl<'a> Reader<'_, '_, '_> {
    /// The blocks of something held that stands alone in its paragraph.
    pub(super) fn held_block(&mut self, node: Node<'a>, held: &Held, out: &mut Vec<Block>) {
        let mut text = Phrasing::new();
        match held {
            Held::Formula(formula) => {
                let mut markup = Markup::new();
                self.math(node, formula, &mut markup);
                out.push(paragraph_block(markup, None));
                return;
            }
            Held::Tag(tag) => {
                if let Some(block) = self.tag(node, &read(tag)) {
                    out.push(block);
                    return;
                }
                self.held(node, held, &mut text);
            }
            Held::Literal(_) => self.held(node, held, &mut text),
            Held::Nothing => return,
        }
        out.push(paragraph_block(text.finish(), None));
    }

    /// Writes something held within a text.
    pub(super) fn held(&mut self, node: Node<'a>, held: &Held, out: &mut Phrasing) {
        match held {
            Held::Formula(formula) => {
                let mut markup = Markup::new();
                self.math(node, formula, &mut markup);
                out.formula(markup);
            }
            Held::Tag(tag) => {
                let line = self.line(node);
                let shown = tag.split_whitespace().collect::<Vec<_>>().join(" ");
                self.context.findings.add(FindingCode::TemplateKept, Some(line), &[("text", &shown)]);
                out.collapsed(tag);
            }
            Held::Literal(text) => out.collapsed(text),
            Held::Nothing => out.gap(),
        }
    }

    /// The block that a tag stands for, where that is well defined.
    fn tag(&mut self, node: Node<'a>, tag: &Tag) -> Option<Block> {
        let line = Some(self.line(node));
        let first = tag.words.first().map(String::as_str);
        let id = tag.value("id").or(first);
        match tag.name.as_str() {
            "figure" => {
                let alt =
                    tag.value("alt").or(tag.value("caption")).or(tag.value("title")).unwrap_or_default();
                let link = tag.value("link").and_then(|link| link::checked(link, line, self.context));
                let link = link.map(str::to_owned);
                let mut caption = Markup::new();
                for (at, text) in
                    ["title", "caption", "attr"].iter().filter_map(|key| tag.value(key)).enumerate()
                {
                    if at > 0 {
                        caption.void("br").end();
                    }
                    caption.text(text);
                }
                self.tagged_picture(line, tag.value("src").or(first)?, alt, link.as_deref(), caption)
            }
            "asset_img" => {
                let is_picture = |word: &&String| super::inline::is_picture(word);
                let at = tag.words.iter().position(|word| is_picture(&word))?;
                let texts: Vec<&str> = tag.words[at + 1..]
                    .iter()
                    .map(String::as_str)
                    .skip_while(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
                    .collect();
                let alt = texts.get(1).or(texts.first()).copied().unwrap_or_default();
                self.tagged_picture(line, &tag.words[at], alt, None, Markup::new())
            }
            "youtube" => embed::block(&format!("https://www.youtube.com/watch?v={}", plain_id(id?)?)),
            "vimeo" => embed::block(&format!("https://vimeo.com/{}", plain_id(id?)?)),
            "tweet" | "x" | "twitter" => {
                let user = plain_id(tag.value("user")?)?;
                embed::block(&format!("https://twitter.com/{user}/status/{}", plain_id(tag.value("id")?)?))
            }
            _ => None,
        }
    }

    fn tagged_picture(
        &mut self,
        line: Option<u32>,
        reference: &str,
        alt: &str,
        link: Option<&str>,
        caption: Markup,
    ) -> Option<Block> {
        let context = &mut *self.context;
        let described = Described { alt, title: "", caption: "" };
        let source = context.images.resolve(reference, described, line, &mut context.findings);
        let picture = Picture { source, title: String::new(), alt: alt.to_owned() };
        picture::block(&picture, link, Some(caption), None)
    }
}

impl Tag {
    fn value(&self, key: &str) -> Option<&str> {
        let found = self.values.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

fn plain_id(id: &str) -> Option<&str> {
    (!id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))
        .then_some(id)
}

/// The file to which a tag in a link leads, such as `{{< ref "other.md" >}}` or `{% post_url 2026-11-30-a %}`.
pub(super) fn linked_file(url: &str) -> Option<String> {
    let tag = url.trim();
    if !(tag.starts_with("{{<") || tag.starts_with("{{%") || tag.starts_with("{%")) {
        return None;
    }
    let tag = read(tag);
    let is_reference =
        matches!(tag.name.as_str(), "ref" | "relref" | "post_url" | "link" | "post_link" | "post_path");
    tag.words.into_iter().next().filter(|_| is_reference)
}

fn read(tag: &str) -> Tag {
    let inside = tag.trim_matches(['{', '}', '%', '<', '>', '-', ' ', '\n', '/']);
    let mut found = Tag { name: String::new(), words: Vec::new(), values: Vec::new() };
    let mut rest = inside.trim();
    while !rest.is_empty() {
        let (key, value) = match rest.find(|c: char| c.is_whitespace() || c == '=' || c == '"') {
            Some(at) if rest[at..].starts_with('=') && at > 0 => (Some(&rest[..at]), &rest[at + 1..]),
            _ => (None, rest),
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let (text, after) = match quote.and_then(|quote| value[1..].split_once(quote)) {
            Some(split) => split,
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        match key {
            _ if found.name.is_empty() => found.name = text.to_owned(),
            Some(key) => found.values.push((key.to_owned(), text.to_owned())),
            None => found.words.push(text.to_owned()),
        }
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_names_words_and_values() {
        let tag = read("{{< figure src=\"a b.png\"\n  title='T' width=300 >}}");
        assert_eq!(tag.name, "figure");
        assert_eq!(tag.value("src"), Some("a b.png"));
        assert_eq!((tag.value("title"), tag.value("width")), (Some("T"), Some("300")));
        assert_eq!(read("{% youtube abc %}").words, ["abc"]);
        assert_eq!(read("{{< x \"unclosed >}}").words, ["\"unclosed"]);
        assert_eq!(read("{{}}").name, "");
    }

    #[test]
    fn references_lead_to_files() {
        assert_eq!(linked_file("{{< ref \"other.md\" >}}").as_deref(), Some("other.md"));
        assert_eq!(linked_file("{% post_url 2026-11-30-a %}").as_deref(), Some("2026-11-30-a"));
        assert_eq!(linked_file("{{ page.url }}"), None);
        assert_eq!(linked_file("https://e.com"), None);
    }
}
