//! Boxes: callouts, containers between colons, what readers fold out, and comments.

use comrak::nodes::{CalloutFold, NodeCallout, NodeValue};

use super::{Node, Reader};
use crate::block::Block;
use crate::elements::{details_block, group_block, paragraph_block};
use crate::finding::FindingCode;
use crate::html::TooComplex;
use crate::markup::Markup;
use crate::phrasing::Phrasing;

/// What a container between colons is.
#[derive(Debug, PartialEq, Eq)]
enum Container<'i> {
    /// A box of a kind, perhaps with a title.
    Box {
        kind: &'i str,
        title: &'i str,
    },
    Details {
        summary: &'i str,
    },
    Unknown,
}

impl<'i> Container<'i> {
    /// Reads what follows the colons, as Zenn, Qiita, Docusaurus and VitePress write it.
    fn named(info: &'i str) -> Self {
        let info = info.trim();
        let end = info.find(|c: char| c.is_whitespace() || c == '[').unwrap_or(info.len());
        let (name, rest) = info.split_at(end);
        let rest = rest.trim();
        let title = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(rest);
        match (name, rest) {
            ("details", _) => Self::Details { summary: title },
            ("message", "") | ("note", "info") => Self::Box { kind: "info", title: "" },
            ("message" | "note", "alert") => Self::Box { kind: "alert", title: "" },
            ("note", "warn") => Self::Box { kind: "warning", title: "" },
            ("message", _) => Self::Box { kind: "info", title },
            ("note" | "info" | "tip" | "important" | "warning" | "caution" | "danger" | "success", _) => {
                Self::Box { kind: name, title }
            }
            _ => Self::Unknown,
        }
    }
}

impl<'a> Reader<'_, '_, '_> {
    /// A quote that begins with `[!KIND]`.
    pub(super) fn callout(
        &mut self,
        node: Node<'a>,
        callout: &NodeCallout,
        out: &mut Vec<Block>,
    ) -> Result<(), TooComplex> {
        if let Some(metadata) = &callout.metadata {
            let line = self.line(node);
            self.context.findings.add(FindingCode::AttributesUnused, Some(line), &[("text", metadata)]);
        }
        let children: Vec<Node<'a>> = node.children().collect();
        let (title, body) = match children.split_first() {
            Some((first, body)) if matches!(first.data().value, NodeValue::CalloutTitle) => {
                (Some(*first), body)
            }
            _ => (None, &children[..]),
        };
        let title = title.and_then(|title| title.first_child());
        let class_name = style(&callout.callout_type);
        let is_open = match callout.fold {
            CalloutFold::None => {
                let mut inner = Vec::new();
                if let Some(title) = title {
                    if self.holds_html(title) {
                        inner.extend(self.made([title])?);
                    } else {
                        inner.push(self.strong_paragraph(title));
                    }
                }
                inner.extend(self.blocks_of(body)?);
                out.extend(group_block(inner, class_name));
                return Ok(());
            }
            CalloutFold::Expanded => true,
            CalloutFold::Collapsed => false,
        };
        let summary = match title {
            Some(title) => self.phrasing(title),
            None => {
                let mut summary = Markup::new();
                summary.text(&callout.default_title());
                summary
            }
        };
        let inner = self.blocks_of(body)?;
        out.push(details_block(summary, inner, is_open, Some(class_name)));
        Ok(())
    }

    /// A container between lines of colons.
    pub(super) fn directive(
        &mut self,
        node: Node<'a>,
        info: &str,
        out: &mut Vec<Block>,
    ) -> Result<(), TooComplex> {
        let line = self.line(node);
        let last = node.data().sourcepos.end.line;
        let end = self.lines.get(last.saturating_sub(1)).copied().unwrap_or_default();
        let end = end.trim_start_matches(['>', ' ', '\t']);
        let is_closed = end.starts_with(":::") && end.trim_matches([':', ' ', '\t']).is_empty();
        let opening = format!(":::{info}");
        let inner = self.blocks(node)?;
        let container = Container::named(info);
        if !is_closed && container != Container::Unknown {
            self.context.findings.add(FindingCode::BoxUnclosed, Some(line), &[("text", &opening)]);
        }
        match container {
            Container::Box { kind, title } => {
                let mut all = Vec::new();
                if !title.is_empty() {
                    let mut text = Markup::new();
                    text.open("strong").end().text(title);
                    text.close();
                    all.push(paragraph_block(text, None));
                }
                all.extend(inner);
                out.extend(group_block(all, style(kind)));
            }
            Container::Details { summary } => {
                let mut text = Markup::new();
                text.text(summary);
                out.push(details_block(text, inner, false, None));
            }
            Container::Unknown => {
                self.context.findings.add(FindingCode::TemplateKept, Some(line), &[("text", &opening)]);
                out.push(plain_paragraph(&opening));
                out.extend(inner);
                if is_closed {
                    out.push(plain_paragraph(":::"));
                }
            }
        }
        Ok(())
    }

    /// What readers fold out, written as elements on lines of their own around Markdown.
    pub(super) fn details(&mut self, nodes: &[Node<'a>]) -> Result<Option<Block>, TooComplex> {
        let [first, body @ .., last] = nodes else { return Ok(None) };
        let (NodeValue::HtmlBlock(start), NodeValue::HtmlBlock(end)) =
            (&first.data().value.clone(), &last.data().value.clone())
        else {
            return Ok(None);
        };
        if end.literal.trim() != "</details>" {
            return Ok(None);
        }
        let Some((is_open, summary)) = opening(&start.literal) else { return Ok(None) };
        let mut text = Markup::new();
        text.text(summary);
        let inner = self.blocks_of(body)?;
        Ok(Some(details_block(text, inner, is_open, None)))
    }

    /// Tells of a comment that is no part of the text.
    pub(super) fn comment(&mut self, node: Node<'a>, text: &str) {
        let line = self.line(node);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.context.findings.add(FindingCode::CommentRemoved, Some(line), &[("text", &text)]);
    }

    fn strong_paragraph(&mut self, paragraph: Node<'a>) -> Block {
        let inner = self.phrasing(paragraph);
        let mut text = Markup::new();
        text.open("strong").end().append(inner);
        text.close();
        paragraph_block(text, None)
    }

    fn phrasing(&mut self, paragraph: Node<'a>) -> Markup {
        let mut text = Phrasing::new();
        self.inlines(paragraph.children(), &mut text);
        text.finish()
    }
}

pub(super) fn plain_paragraph(text: &str) -> Block {
    let mut markup = Markup::new();
    markup.text(text);
    paragraph_block(markup, None)
}

/// The class by which themes know a kind of box.
fn style(kind: &str) -> String {
    let kind: String =
        kind.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(40).collect();
    format!("is-style-{}", if kind.is_empty() { "note" } else { &kind })
}

/// Whether the part is open, and the text of its summary, where the start holds nothing else.
fn opening(html: &str) -> Option<(bool, &str)> {
    let rest = html.trim().strip_prefix("<details")?;
    let (attributes, rest) = rest.split_once('>')?;
    let is_open = match attributes.trim() {
        "" => false,
        "open" | "open=\"\"" | "open=\"open\"" => true,
        _ => return None,
    };
    let rest = rest.trim();
    if rest.is_empty() {
        return Some((is_open, ""));
    }
    let summary = rest.strip_prefix("<summary>")?.strip_suffix("</summary>")?.trim();
    (!summary.contains(['<', '&'])).then_some((is_open, summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_told_by_their_names() {
        let a_box = |kind, title| Container::Box { kind, title };
        for (info, container) in [
            ("message", a_box("info", "")),
            ("message alert", a_box("alert", "")),
            ("note", a_box("note", "")),
            ("note info", a_box("info", "")),
            ("note warn", a_box("warning", "")),
            ("note alert", a_box("alert", "")),
            ("note[見出し]", a_box("note", "見出し")),
            ("tip Title here", a_box("tip", "Title here")),
            ("details 開く", Container::Details { summary: "開く" }),
            ("details", Container::Details { summary: "" }),
            ("column", Container::Unknown),
            ("", Container::Unknown),
            ("messages", Container::Unknown),
        ] {
            assert_eq!(Container::named(info), container, "{info}");
        }
    }

    #[test]
    fn the_start_of_details_holds_nothing_else() {
        assert_eq!(opening("<details>\n<summary>T</summary>\n"), Some((false, "T")));
        assert_eq!(opening("<details open><summary> T </summary>"), Some((true, "T")));
        assert_eq!(opening("<details>"), Some((false, "")));
        assert_eq!(opening("<details class=\"x\"><summary>T</summary>"), None);
        assert_eq!(opening("<details><summary>T</summary>\ntext"), None);
        assert_eq!(opening("<details><summary><b>T</b></summary>"), None);
    }
}
