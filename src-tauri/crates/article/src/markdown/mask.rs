//! Which lines of a text are code or raw text, in which nothing has a meaning.

/// Follows the lines of a text.
#[derive(Debug, Default)]
pub(super) struct Mask {
    /// The character and the length of the fence that is open.
    fence: Option<(char, usize)>,
    /// The end tag of the raw text that is open.
    raw: Option<&'static str>,
}

impl Mask {
    /// Whether the next line is code or raw text, or begins or ends it.
    pub(super) fn covers(&mut self, line: &str) -> bool {
        if let Some((character, length)) = self.fence {
            let line = without_container(line);
            let run = line.chars().take_while(|&c| c == character).count();
            if run >= length && line[run..].trim().is_empty() {
                self.fence = None;
            }
            return true;
        }
        if let Some(end) = self.raw {
            if line.to_ascii_lowercase().contains(end) {
                self.raw = None;
            }
            return true;
        }
        let text = without_container(line);
        for character in ['`', '~'] {
            let run = text.chars().take_while(|&c| c == character).count();
            if run >= 3 && !(character == '`' && text[run..].contains('`')) {
                self.fence = Some((character, run));
                return true;
            }
        }
        for (start, end) in [("<pre", "</pre>"), ("<script", "</script>"), ("<style", "</style>")] {
            let is_start = text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
                && text[start.len()..].starts_with([' ', '>']);
            if is_start {
                self.raw = Some(end).filter(|end| !text.to_ascii_lowercase().contains(*end));
                return true;
            }
        }
        false
    }
}

/// A line without the marks of quotes and lists before its text.
fn without_container(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let after = if let Some(after) = rest.strip_prefix('>') {
            after
        } else if let Some(after) = rest.strip_prefix(['-', '*', '+']).filter(|after| after.starts_with(' '))
        {
            after
        } else {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            match rest[digits..].strip_prefix(['.', ')']).filter(|after| digits > 0 && after.starts_with(' '))
            {
                Some(after) => after,
                None => return rest,
            }
        };
        rest = after.trim_start();
    }
}

/// The length of a span of code at the start of a text; of its backticks alone where it does not end.
pub(super) fn code_end(text: &str) -> usize {
    let run = text.bytes().take_while(|&byte| byte == b'`').count();
    let mut at = run;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        let length = text[start..].bytes().take_while(|&byte| byte == b'`').count();
        if length == run {
            return start + length;
        }
        at = start + length;
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_raw_text_are_covered() {
        let text = "a\n```js\n{{ x }}\n```\nb\n> ~~~~\n> ~~~\n> ~~~~\n- ```\n  c\n  ```\n<pre>\nd\n</pre>\ne\n`` ` ``\n```f```";
        let mut mask = Mask::default();
        let covered: String = text.lines().map(|line| if mask.covers(line) { 'x' } else { '.' }).collect();
        assert_eq!(covered, ".xxx.xxxxxxxxx...");
    }

    #[test]
    fn spans_of_code_end_with_as_many_backticks() {
        for (text, length) in [("`a` b", 3), ("``a ` b`` c", 9), ("``a", 2), ("`", 1)] {
            assert_eq!(code_end(text), length, "{text}");
        }
    }
}
