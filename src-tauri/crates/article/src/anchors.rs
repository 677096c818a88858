//! Links to headings, in the article itself and in its neighbours.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;

use crate::block::{Block, Piece, Value, push_attribute_value};
use crate::context::Context;
use crate::finding::FindingCode;
use crate::{gates, text};

/// More links into other texts than this are not followed: each is a file to be read.
const MOST_NEIGHBOURS: usize = 100;
/// Larger neighbours are not searched for a heading.
const LARGEST_NEIGHBOUR: u64 = 1 << 20;

/// Tells of links to headings that are not there.
pub(crate) fn check<'b>(blocks: impl Iterator<Item = &'b Block>, context: &mut Context) {
    let links = std::mem::take(&mut context.links_to_headings);
    if links.is_empty() || !context.gates.links {
        return;
    }
    let mut own = HashSet::new();
    blocks.for_each(|block| gather(block, &mut own));
    let mut left = MOST_NEIGHBOURS;
    for (link, line) in links {
        let Some((path, anchor)) = link.split_once('#') else { continue };
        let is_there = if path.is_empty() {
            is_top(anchor) || own.contains(&folded(anchor))
        } else if left == 0 {
            continue;
        } else {
            left -= 1;
            neighbour_has(path, anchor, context).unwrap_or(true)
        };
        if !is_there {
            context.findings.add(FindingCode::AnchorBroken, line, &[("link", &link)]);
        }
    }
}

/// Gives headings the names by which links in the same text call them.
pub(crate) fn name_headings(blocks: &mut [Block], context: &Context) {
    let mut wanted: HashMap<String, String> = HashMap::new();
    for anchor in context.links_to_headings.iter().filter_map(|(link, _)| link.strip_prefix('#')) {
        let name = percent_decode_str(anchor).decode_utf8_lossy().into_owned();
        if !is_top(&name) && !name.contains(char::is_whitespace) {
            wanted.entry(folded(&name)).or_insert(name);
        }
    }
    blocks.iter_mut().for_each(|block| name_heading(block, &mut wanted));
}

fn name_heading(block: &mut Block, wanted: &mut HashMap<String, String>) {
    if wanted.is_empty() {
        return;
    }
    if block.name == "heading" {
        let is_named = block.attributes.iter().any(|(name, _)| *name == "anchor");
        let name = if is_named { None } else { wanted.remove(&folded(&gates::seen(&block.html()))) };
        if let Some(name) = name
            && let Some(Piece::Markup(markup)) = block.pieces.first_mut()
            && let Some(end) = markup.find(' ')
        {
            let mut id = " id=\"".to_owned();
            push_attribute_value(&mut id, &name);
            id.push('"');
            markup.insert_str(end, &id);
            let at = block.attributes.iter().position(|(name, _)| *name == "className");
            block.attributes.insert(at.unwrap_or(block.attributes.len()), ("anchor", Value::Text(name)));
        }
        return;
    }
    for piece in &mut block.pieces {
        match piece {
            Piece::Block(inner) => name_heading(inner, wanted),
            Piece::Plain(_)
            | Piece::Markup(_)
            | Piece::NoteMark(_)
            | Piece::ImageUrl(_)
            | Piece::ImageId(_)
            | Piece::ImageSize(_) => {}
        }
    }
}

fn is_top(anchor: &str) -> bool {
    anchor.is_empty() || anchor.eq_ignore_ascii_case("top")
}

/// Whether another text has the heading; nothing where it cannot be told.
fn neighbour_has(path: &str, anchor: &str, context: &Context) -> Option<bool> {
    let places = context.images.places();
    let bytes = places.folder().read(&places.find(path).ok()?, LARGEST_NEIGHBOUR).ok()?;
    let text = text::decode(&bytes).ok()?;
    let wanted = folded(anchor);
    let of_markdown = text.lines().filter_map(|line| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len()).then_some(heading)
    });
    let is_named = |attribute: &str| text.contains(&format!("{attribute}=\"{anchor}\""));
    Some(
        is_top(anchor)
            || is_named("id")
            || is_named("name")
            || of_markdown.into_iter().any(|heading| folded(heading) == wanted),
    )
}

fn gather(block: &Block, found: &mut HashSet<String>) {
    let mut markup = String::new();
    for piece in &block.pieces {
        match piece {
            Piece::Markup(part) => {
                for after in part.split(" id=\"").skip(1) {
                    found.insert(folded(after.split('"').next().unwrap_or_default()));
                }
                markup.push_str(part);
            }
            Piece::Block(inner) | Piece::Plain(inner) => gather(inner, found),
            Piece::NoteMark(_) | Piece::ImageUrl(_) | Piece::ImageId(_) | Piece::ImageSize(_) => {}
        }
    }
    if block.name == "heading" {
        found.insert(folded(&gates::seen(&markup)));
    }
}

/// The letters and digits of a heading or anchor: tools differ in what they make of the rest.
fn folded(text: &str) -> String {
    let text = text.split("{#").next().unwrap_or(text);
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    decoded.nfc().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
