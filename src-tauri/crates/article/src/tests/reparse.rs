//! A reader of block markup that shares nothing with the writer.

use serde_json::Value;

/// A block as a reader sees it.
#[derive(Debug, PartialEq)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) attributes: Value,
    pub(super) inner: Vec<Read>,
    pub(super) html: String,
}

/// Reads top-level blocks; anything but white space between them is an error.
pub(super) fn read(text: &str) -> Result<Vec<Read>, String> {
    let (blocks, html, rest) = inside(text, None)?;
    if !html.trim().is_empty() {
        return Err(format!("text outside of blocks: {html:?}"));
    }
    if rest.is_empty() { Ok(blocks) } else { Err(format!("left over: {rest:?}")) }
}

fn inside<'t>(text: &'t str, name: Option<&str>) -> Result<(Vec<Read>, String, &'t str), String> {
    let mut blocks = Vec::new();
    let mut html = String::new();
    let mut rest = text;
    loop {
        let Some(at) = next_delimiter(rest) else {
            html.push_str(rest);
            return match name {
                None => Ok((blocks, html, "")),
                Some(name) => Err(format!("{name} is not closed")),
            };
        };
        html.push_str(&rest[..at]);
        let end = at + rest[at..].find("-->").ok_or("a delimiter is not closed")? + 3;
        let delimiter = rest[at + 4..end - 3].trim();
        rest = &rest[end..];
        if let Some(closed) = delimiter.strip_prefix("/wp:") {
            return if Some(closed.trim()) == name {
                Ok((blocks, html, rest))
            } else {
                Err(format!("{closed} closes {name:?}"))
            };
        }
        let delimiter = delimiter.strip_prefix("wp:").ok_or("no delimiter")?;
        let (delimiter, is_whole) =
            delimiter.strip_suffix('/').map_or((delimiter, false), |delimiter| (delimiter.trim_end(), true));
        let (opened, json) = delimiter.split_once(' ').unwrap_or((delimiter, "{}"));
        let attributes = serde_json::from_str(json).map_err(|error| format!("{json}: {error}"))?;
        if is_whole {
            blocks.push(Read { name: opened.to_owned(), attributes, inner: Vec::new(), html: String::new() });
            continue;
        }
        let (inner, own, after) = inside(rest, Some(opened))?;
        rest = after;
        blocks.push(Read { name: opened.to_owned(), attributes, inner, html: own });
    }
}

fn next_delimiter(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("<!--") {
        let after = text[from + at + 4..].trim_start();
        if after.starts_with("wp:") || after.starts_with("/wp:") {
            return Some(from + at);
        }
        from += at + 4;
    }
    None
}

/// Checks that every tag is closed, in the order of opening.
pub(super) fn balanced(html: &str) -> Result<(), String> {
    const VOID: [&str; 14] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ];
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.find("-->").ok_or("comment")? + 3..];
            continue;
        }
        let end = rest.find('>').ok_or_else(|| format!("tag not ended: {rest:?}"))?;
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        let name: String =
            tag.trim_start_matches('/').chars().take_while(|c| !c.is_whitespace() && *c != '/').collect();
        if tag.starts_with('/') {
            let opened = open.pop();
            if opened.as_deref() != Some(&name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
        } else if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name.clone());
            // Inside a drawing such elements hold markup like any other.
            let is_drawn = open.iter().any(|open| matches!(open.as_str(), "svg" | "math"));
            if !is_drawn
                && matches!(
                    name.as_str(),
                    "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext"
                )
            {
                let close = format!("</{name}>");
                rest = &rest[rest.find(&close).ok_or("raw text not ended")?..];
            }
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("open: {open:?}")) }
}

/// Reads back what was written, and checks the markup of every block.
pub(super) fn check(text: &str) -> Vec<Read> {
    fn each(block: &Read, text: &str) {
        balanced(&block.html).unwrap_or_else(|error| panic!("{error} in {block:?}\nof {text}"));
        block.inner.iter().for_each(|inner| each(inner, text));
    }
    let blocks = read(text).unwrap_or_else(|error| panic!("{error}\nin {text}"));
    blocks.iter().for_each(|block| each(block, text));
    blocks
}
