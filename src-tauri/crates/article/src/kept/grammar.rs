//! The delimiters of blocks in a text, read as WordPress reads them.

/// A block as it stands in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Delimited<'t> {
    pub(super) name: &'t str,
    /// The JSON object of the attributes, empty if there is none.
    pub(super) attributes: &'t str,
    /// Whether one delimiter is all of it.
    pub(super) is_void: bool,
    pub(super) parts: Vec<Part<'t>>,
}

/// What stands in a text or in a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Html(&'t str),
    Block(Delimited<'t>),
}

/// What the delimiters of a text come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'t> {
    /// There are none.
    None,
    /// They do not fit each other.
    Unpaired {
        name: &'t str,
        at: usize,
    },
    Blocks(Vec<Part<'t>>),
}

/// Deeper blocks are no articles; walking them would use up the stack.
const MAX_DEPTH: usize = 60;

#[derive(Debug, PartialEq, Eq)]
struct Delimiter<'t> {
    name: &'t str,
    attributes: &'t str,
    closes: bool,
    is_void: bool,
    length: usize,
}

/// Reads the blocks of a text.
pub(super) fn read(text: &str) -> Found<'_> {
    // What is open: the block, and where it was opened.
    let mut open: Vec<(Delimited<'_>, usize)> = Vec::new();
    let mut top: Vec<Part<'_>> = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    let mut any = false;
    while let Some(found) = text[at..].find("<!--") {
        at += found;
        let Some(delimiter) = delimiter(&text[at..]) else {
            at += "<!--".len();
            continue;
        };
        any = true;
        let here = open.last_mut().map_or(&mut top, |(block, _)| &mut block.parts);
        if copied < at {
            here.push(Part::Html(&text[copied..at]));
        }
        let Delimiter { name, attributes, closes, is_void, length } = delimiter;
        if closes {
            let Some((block, _)) = open.pop().filter(|(block, _)| block.name == name) else {
                return Found::Unpaired { name, at };
            };
            open.last_mut().map_or(&mut top, |(block, _)| &mut block.parts).push(Part::Block(block));
        } else {
            let block = Delimited { name, attributes, is_void, parts: Vec::new() };
            if is_void {
                here.push(Part::Block(block));
            } else if open.len() < MAX_DEPTH {
                open.push((block, at));
            } else {
                return Found::Unpaired { name, at };
            }
        }
        at += length;
        copied = at;
    }
    if let Some((block, at)) = open.first() {
        return Found::Unpaired { name: block.name, at: *at };
    }
    if !any {
        return Found::None;
    }
    if copied < text.len() {
        top.push(Part::Html(&text[copied..]));
    }
    Found::Blocks(top)
}

/// Reads the delimiter with which a text begins.
fn delimiter(text: &str) -> Option<Delimiter<'_>> {
    let mut rest = spaced(text.strip_prefix("<!--")?)?;
    let closes = rest.starts_with('/');
    if closes {
        rest = &rest[1..];
    }
    rest = rest.strip_prefix("wp:")?;
    let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
    let name = &rest[..end];
    if !name.split('/').all(|part| part.starts_with(|c: char| c.is_ascii_lowercase()))
        || name.matches('/').count() > 1
    {
        return None;
    }
    rest = spaced(&rest[end..])?;
    let mut attributes = "";
    if rest.starts_with('{') {
        let end = object_end(rest)?;
        attributes = &rest[..end];
        rest = spaced(&rest[end..])?;
    }
    let is_void = rest.starts_with('/');
    if is_void {
        rest = &rest[1..];
    }
    let rest = rest.strip_prefix("-->")?;
    let is_object = attributes.is_empty()
        || serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(attributes).is_ok();
    is_object.then_some(Delimiter {
        name,
        attributes,
        closes,
        is_void: is_void && !closes,
        length: text.len() - rest.len(),
    })
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit() || matches!(character, '-' | '_' | '/')
}

/// What follows white space, of which there must be some.
fn spaced(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    (rest.len() < text.len()).then_some(rest)
}

/// The end of the attributes: the first brace after which the delimiter can end.
fn object_end(text: &str) -> Option<usize> {
    text.match_indices('}').map(|(at, _)| at + 1).find(|&end| {
        spaced(&text[end..]).is_some_and(|rest| rest.starts_with("-->") || rest.starts_with("/-->"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block<'t>(name: &'t str, attributes: &'t str, parts: Vec<Part<'t>>) -> Part<'t> {
        Part::Block(Delimited { name, attributes, is_void: false, parts })
    }

    #[test]
    fn blocks_are_read_with_what_stands_between() {
        assert_eq!(read("<p>x</p><!-- more -->"), Found::None);
        assert_eq!(
            read(
                "<!-- wp:a {\"x\":{\"y\":1}} --><b><!-- wp:my/c --> <!-- /wp:my/c --></b><!-- /wp:a -->\ntail"
            ),
            Found::Blocks(vec![
                block(
                    "a",
                    "{\"x\":{\"y\":1}}",
                    vec![Part::Html("<b>"), block("my/c", "", vec![Part::Html(" ")]), Part::Html("</b>")]
                ),
                Part::Html("\ntail"),
            ])
        );
        assert_eq!(
            read("<!-- wp:spacer {\"height\":\"9px\"} /-->"),
            Found::Blocks(vec![Part::Block(Delimited {
                name: "spacer",
                attributes: "{\"height\":\"9px\"}",
                is_void: true,
                parts: Vec::new()
            })])
        );
    }

    #[test]
    fn what_is_no_delimiter_is_html() {
        for text in [
            "<!--wp:a -->",
            "<!-- wp:A -->",
            "<!-- wp:a-->",
            "<!-- wp:a {x} -->",
            "<!-- wp:a",
            "<!-- wp:1 -->",
        ] {
            assert_eq!(read(text), Found::None, "{text}");
        }
    }

    #[test]
    fn delimiters_that_do_not_fit_are_told() {
        assert_eq!(read("x<!-- wp:a -->y"), Found::Unpaired { name: "a", at: 1 });
        assert_eq!(read("<!-- /wp:a -->"), Found::Unpaired { name: "a", at: 0 });
        assert_eq!(read("<!-- wp:a --><!-- /wp:b -->"), Found::Unpaired { name: "b", at: 13 });
        let deep = "<!-- wp:a -->".repeat(100) + &"<!-- /wp:a -->".repeat(100);
        assert!(matches!(read(&deep), Found::Unpaired { .. }));
    }
}
