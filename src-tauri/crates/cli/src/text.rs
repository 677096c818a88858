//! The sentences for people, in both languages, by stable keys.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::language::Language;

const JAPANESE: &str = include_str!("messages/ja.json");
const ENGLISH: &str = include_str!("messages/en.json");

type Table = HashMap<String, String>;

/// The sentences of one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    language: Language,
}

impl Texts {
    pub(crate) const fn of(language: Language) -> Self {
        Self { language }
    }

    pub(crate) const fn language(self) -> Language {
        self.language
    }

    /// Returns a text without particulars. A test sees to it that none is missing.
    pub(crate) fn get(self, key: &str) -> &'static str {
        self.find(key).unwrap_or("?")
    }

    pub(crate) fn find(self, key: &str) -> Option<&'static str> {
        table(self.language).get(key).map(String::as_str)
    }

    /// Returns a text with its particulars, which may be hostile and are shown as plain text.
    pub(crate) fn say(self, key: &str, particulars: &[(&str, &str)]) -> String {
        fill(self.get(key), particulars)
    }
}

fn table(language: Language) -> &'static Table {
    static TABLES: [OnceLock<Table>; 2] = [const { OnceLock::new() }; 2];
    let (table, source) = match language {
        Language::Japanese => (&TABLES[0], JAPANESE),
        Language::English => (&TABLES[1], ENGLISH),
    };
    table.get_or_init(|| serde_json::from_str(source).unwrap_or_default())
}

/// Puts particulars in: `{name}` stands for one, `{name?one|many}` for the word that goes with its number, and a part
/// in `[` `]` is left out where one of its particulars is missing.
fn fill(template: &str, particulars: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('[') {
        let (part, after) = after.split_once(']').unwrap_or((after, ""));
        filled.push_str(&put_in(before, particulars).0);
        let (part, complete) = put_in(part, particulars);
        if complete {
            filled.push_str(&part);
        }
        rest = after;
    }
    filled.push_str(&put_in(rest, particulars).0);
    filled
}

fn put_in(template: &str, particulars: &[(&str, &str)]) -> (String, bool) {
    let mut filled = String::with_capacity(template.len());
    let mut complete = true;
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        filled.push_str(before);
        let (name, forms) = name.split_once('?').map_or((name, None), |(name, forms)| (name, Some(forms)));
        match (particulars.iter().find(|(known, _)| *known == name), forms) {
            (Some((_, value)), None) => filled.push_str(&clean(value)),
            (Some((_, value)), Some(forms)) => filled.push_str(form_for(value, forms)),
            (None, _) => complete = false,
        }
        rest = after;
    }
    filled.push_str(rest);
    (filled, complete)
}

/// Chooses between the form for one and that for any other number.
fn form_for<'a>(number: &str, forms: &'a str) -> &'a str {
    let (one, many) = forms.split_once('|').unwrap_or((forms, forms));
    if number == "1" { one } else { many }
}

/// Takes out of a text what could steer a terminal or reorder a line.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .filter_map(|character| match character {
            '\n' | '\t' | '\r' => Some(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
            _ if character.is_control() => Some('\u{fffd}'),
            _ => Some(character),
        })
        .collect()
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
