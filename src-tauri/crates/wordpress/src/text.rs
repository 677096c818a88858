//! Text that a site sent, made fit to be kept.

/// Cuts a text to so many characters and drops those that steer a terminal or turn a line around.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    text.chars().filter(|character| !is_steering(*character)).take(most).collect()
}

fn is_steering(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || character.is_control()
}

/// Resolves the entities that WordPress puts into names.
pub(crate) fn without_entities(text: &str) -> String {
    const LONGEST: usize = 10;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').filter(|(entity, _)| entity.len() <= LONGEST);
        match entity.and_then(|(entity, after)| Some((character_of(entity)?, after))) {
            Some((character, after)) => {
                plain.push(character);
                rest = after;
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn character_of(entity: &str) -> Option<char> {
    let number = entity.strip_prefix('#').map(|number| match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    });
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "amp" => Some('&'),
        _ => char::from_u32(number?.ok()?).filter(|character| !character.is_control()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_short_and_plain() {
        assert_eq!(shortened("a\u{1b}[31m\r\n\u{202e}\u{2066}\u{9b}猫\u{0}b", 6), "a[31m猫");
    }

    #[test]
    fn entities_are_resolved_once() {
        assert_eq!(without_entities("R&amp;D &amp;lt; &#039;x&#039;"), "R&D &lt; 'x'");
        assert_eq!(without_entities("&#8217;&#x732b;&#038;&apos;"), "’猫&'");
        for text in ["a & b", "&", "&;", "&#;", "&#0;", "&#xD800;", "&unknown;", "& amp;", "&amp"] {
            assert_eq!(without_entities(text), text);
        }
    }
}
