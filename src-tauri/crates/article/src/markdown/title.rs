//! The heading that is the title, and the names of headings.

use comrak::nodes::NodeValue;

use super::source::Source;
use super::{Node, Reader};
use crate::finding::FindingCode;

/// Takes the first main heading out where there is no title, or one that repeats the title.
pub(super) fn take(root: Node<'_>, title: Option<&str>, source: &Source<'_>) -> Option<String> {
    let is_main_heading =
        |node: &Node<'_>| matches!(&node.data().value, NodeValue::Heading(heading) if heading.level == 1);
    match title {
        None => {
            let heading = root.children().find(is_main_heading)?;
            let text = plain(heading, source);
            if text.is_empty() {
                return None;
            }
            heading.detach();
            Some(text)
        }
        Some(title) => {
            if let Some(first) = root.first_child().filter(is_main_heading)
                && plain(first, source) == title
            {
                first.detach();
            }
            None
        }
    }
}

/// The text of a heading without a name at its end.
fn plain(heading: Node<'_>, source: &Source<'_>) -> String {
    let text = source.restored(&heading.collect_text());
    let text = text.trim();
    split_anchor(text).map_or(text, |(text, _)| text).to_owned()
}

/// Splits `text {#name}`.
fn split_anchor(text: &str) -> Option<(&str, &str)> {
    let (before, attributes) = text.trim_end().strip_suffix('}')?.rsplit_once("{#")?;
    (!attributes.is_empty() && !attributes.contains(['{', '}', '"', '<', '>']))
        .then(|| (before.trim_end(), attributes))
}

impl<'a> Reader<'_, '_, '_> {
    /// The name at the end of a heading, taken out of its text.
    pub(super) fn take_anchor(&mut self, heading: Node<'a>) -> Option<String> {
        let last = heading.last_child()?;
        let mut data = last.data_mut();
        let NodeValue::Text(text) = &mut data.value else { return None };
        let (before, attributes) = split_anchor(text)?;
        let mut words = attributes.split_whitespace();
        let anchor = words.next()?.to_owned();
        let others: Vec<&str> = words.collect();
        if !others.is_empty() {
            let line = self.line(heading);
            let others = others.join(" ");
            self.context.findings.add(FindingCode::AttributesUnused, Some(line), &[("text", &others)]);
        }
        let before = before.to_owned();
        *text = before.into();
        Some(anchor)
    }
}
