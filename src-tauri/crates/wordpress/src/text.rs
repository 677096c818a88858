//! Text that a site sent, made fit to be kept.

/// Cuts a text to so many characters and drops control characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    text.chars().filter(|character| !character.is_control()).take(most).collect()
}

/// Resolves the entities that WordPress puts into names.
pub(crate) fn without_entities(text: &str) -> String {
    const ENTITIES: [(&str, &str); 6] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_short_and_plain() {
        assert_eq!(shortened("a\u{1b}[31m\r\n猫\u{0}b", 6), "a[31m猫");
    }

    #[test]
    fn entities_are_resolved_once() {
        assert_eq!(without_entities("R&amp;D &amp;lt; &#039;x&#039;"), "R&D &lt; 'x'");
    }
}
