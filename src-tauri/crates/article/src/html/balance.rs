//! Which neighbouring blocks belong together because raw HTML opens in one and closes in another.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states,
};
use html5ever::{LocalName, local_name};

/// Raw HTML nested deeper is left as it stands; the search for an opening tag stays short.
const MOST_OPEN: usize = 200;

/// Finds the ranges of siblings that one element of raw HTML spans; ranges never overlap.
///
/// `siblings` gives the raw HTML of each sibling, or nothing for other content. An element that is
/// never closed spans only its own sibling.
pub(crate) fn groups<'a>(siblings: impl Iterator<Item = Option<&'a str>>) -> Vec<RangeInclusive<usize>> {
    let mut open: Vec<(LocalName, usize)> = Vec::new();
    let mut found: Vec<RangeInclusive<usize>> = Vec::new();
    for (at, html) in siblings.enumerate() {
        for (kind, name) in html.map(tags).unwrap_or_default() {
            match kind {
                TagKind::StartTag if open.len() < MOST_OPEN => open.push((name, at)),
                TagKind::StartTag => {}
                TagKind::EndTag => {
                    let Some(depth) = open.iter().rposition(|(opened, _)| *opened == name) else { continue };
                    let start = open[depth].1;
                    open.truncate(depth);
                    if start == at {
                        continue;
                    }
                    while found.last().is_some_and(|range| *range.end() >= start) {
                        // An outer element swallows the ranges of its inner ones.
                        let inner = found.pop();
                        if let Some(inner) = inner
                            && *inner.start() < start
                        {
                            found.push(*inner.start()..=at);
                            break;
                        }
                    }
                    if found.last().is_none_or(|range| *range.end() < start) {
                        found.push(start..=at);
                    }
                }
            }
        }
    }
    found
}

/// The tags that may be left open, or close each other by themselves, say nothing about balance.
fn closes_itself(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
            | "p"
            | "li"
            | "dt"
            | "dd"
            | "tr"
            | "td"
            | "th"
            | "thead"
            | "tbody"
            | "tfoot"
            | "option"
            | "optgroup"
            | "colgroup"
            | "html"
            | "head"
            | "body"
    )
}

fn tags(html: &str) -> Vec<(TagKind, LocalName)> {
    let tokenizer = Tokenizer::new(Tags(RefCell::new(Vec::new())), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    while !queue.is_empty() {
        // Only a script hands back control before the end; there is nothing to run.
        drop(tokenizer.feed(&queue));
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

struct Tags(RefCell<Vec<(TagKind, LocalName)>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(Tag { kind, name, self_closing, .. }) = token
            && !closes_itself(&name)
            && !(self_closing && kind == TagKind::StartTag)
        {
            let raw = match name {
                local_name!("script") => Some(states::RawKind::ScriptData),
                local_name!("style")
                | local_name!("iframe")
                | local_name!("xmp")
                | local_name!("noframes") => Some(states::RawKind::Rawtext),
                local_name!("textarea") | local_name!("title") => Some(states::RawKind::Rcdata),
                _ => None,
            };
            self.0.borrow_mut().push((kind, name));
            if let (TagKind::StartTag, Some(raw)) = (kind, raw) {
                return TokenSinkResult::RawData(raw);
            }
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(siblings: &[Option<&str>]) -> Vec<(usize, usize)> {
        groups(siblings.iter().copied()).into_iter().map(RangeInclusive::into_inner).collect()
    }

    #[test]
    fn an_element_spans_from_its_start_to_its_end() {
        assert_eq!(found(&[None, Some("<div>"), None, Some("</div>"), None]), [(1, 3)]);
        assert_eq!(found(&[Some("<div>x</div>"), None]), []);
        assert_eq!(found(&[Some("<div>"), None]), []);
        assert_eq!(found(&[Some("</div>"), Some("<br>")]), []);
    }

    #[test]
    fn outer_elements_swallow_inner_ones() {
        assert_eq!(found(&[Some("<div>"), Some("<p><b>"), None, Some("</b>"), Some("</div>")]), [(0, 4)]);
        assert_eq!(found(&[Some("<div>"), Some("</div><section>"), None, Some("</section>")]), [(0, 3)]);
        assert_eq!(found(&[Some("<i>"), Some("</i>"), None, Some("<i>"), Some("</i>")]), [(0, 1), (3, 4)]);
    }

    #[test]
    fn tags_in_scripts_and_comments_do_not_count() {
        assert_eq!(found(&[Some("<script>'<div>'</script>"), None, Some("</div>")]), []);
        assert_eq!(found(&[Some("<!-- <div> -->"), None, Some("</div>")]), []);
    }
}
