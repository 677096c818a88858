//! The code and the components of MDX.

use crate::finding::FindingCode;

/// What begins with a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Comment,
    Expression,
    /// The start or the end of a component.
    Component,
}

/// Whether a line begins code. A sentence may begin with the same words.
pub(super) fn is_code(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("import ") {
        return rest.starts_with(['"', '\'', '{', '*']) || rest.contains(" from ");
    }
    line.strip_prefix("export ").is_some_and(|rest| {
        ["default ", "const ", "let ", "var ", "function ", "async ", "class ", "{", "*"]
            .iter()
            .any(|start| rest.starts_with(start))
    })
}

impl Mark {
    pub(super) fn at(text: &str) -> Option<Self> {
        if text.starts_with("{/*") {
            return Some(Self::Comment);
        }
        if text.starts_with('{') {
            return Some(Self::Expression);
        }
        let name = text.strip_prefix("</").or_else(|| text.strip_prefix('<'))?;
        let is_component = name.starts_with(|c: char| c.is_ascii_uppercase()) || name.starts_with('>');
        is_component.then_some(Self::Component)
    }

    /// What is said about the mark.
    pub(super) fn told(self, text: &str) -> Option<FindingCode> {
        match self {
            Self::Comment => Some(FindingCode::CommentRemoved),
            Self::Expression => Some(FindingCode::TemplateKept),
            // The end of a component says nothing new.
            Self::Component if text.starts_with("</") || text == "<>" => None,
            Self::Component => Some(FindingCode::ComponentUnknown),
        }
    }
}

/// The length of the mark at the start of a text, if it ends.
pub(super) fn end(text: &str, mark: Mark) -> Option<usize> {
    if mark == Mark::Comment {
        return text.find("*/}").map(|at| at + 3);
    }
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') if depth > 0 || mark == Mark::Component => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && mark == Mark::Expression {
                    return Some(at + 1);
                }
            }
            (None, '>') if depth == 0 && mark == Mark::Component => return Some(at + 1),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_end_where_their_brackets_do() {
        for (text, length) in [
            ("{/* a } b */} c", Some(13)),
            ("{a + {b}.c} d", Some(11)),
            ("<Box title=\"a > b\" on={() => x}>c", Some(32)),
            ("</Box> d", Some(6)),
            ("<Box", None),
        ] {
            let mark = Mark::at(text).unwrap();
            assert_eq!(end(text, mark), length, "{text}");
        }
        assert_eq!(Mark::at("<div>"), None);
    }

    #[test]
    fn sentences_are_no_code() {
        assert!(is_code("import X from './x'") && is_code("export const a = 1;"));
        assert!(!is_code("import the file") && !is_code("export your data"));
    }
}
