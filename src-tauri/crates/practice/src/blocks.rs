//! Block comments: the JSON inside them written again, and the comments left out for readers.

/// Writes the JSON of every block comment again as WordPress does.
pub(crate) fn reserialise(content: &str) -> String {
    reserialise_with(content, str::to_owned)
}

/// Like [`reserialise`], with every string in the JSON changed on the way.
pub(crate) fn reserialise_with(content: &str, change: fn(&str) -> String) -> String {
    let mut out = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(start) = rest.find("<!--") {
        let Some(end) = rest[start..].find("-->").map(|end| start + end) else { break };
        out.push_str(&rest[..start]);
        out.push_str(&comment(&rest[start..end + 3], change));
        rest = &rest[end + 3..];
    }
    out.push_str(rest);
    out
}

/// The content as readers get it: without block comments.
pub(crate) fn rendered(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(start) = rest.find("<!--") {
        let Some(end) = rest[start..].find("-->").map(|end| start + end + 3) else { break };
        let inner = rest[start + 4..end - 3].trim_start();
        out.push_str(&rest[..start]);
        if !inner.starts_with("wp:") && !inner.starts_with("/wp:") {
            out.push_str(&rest[start..end]);
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn comment(whole: &str, change: fn(&str) -> String) -> String {
    let inner = whole.trim_start_matches("<!--").trim_end_matches("-->").trim();
    // Blocks of WordPress's own are written without their namespace.
    if let Some(rest) = inner.strip_prefix("wp:core/") {
        return comment(&format!("<!-- wp:{rest} -->"), change);
    }
    if let Some(name) = inner.strip_prefix("/wp:core/") {
        return format!("<!-- /wp:{name} -->");
    }
    let Some(opening) = inner.strip_prefix("wp:") else { return whole.to_owned() };
    let (alone, opening) = match opening.strip_suffix('/') {
        Some(rest) => (true, rest.trim_end()),
        None => (false, opening),
    };
    let Some((name, json)) = opening.split_once(char::is_whitespace) else { return whole.to_owned() };
    let json = json.trim();
    if serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(json).is_err() {
        return whole.to_owned();
    }
    let written = compact(json, change);
    let attributes = if written == "[]" { String::new() } else { format!("{written} ") };
    let slash = if alone { "/" } else { "" };
    format!("<!-- wp:{name} {attributes}{slash}-->")
}

/// Writes valid JSON without spaces, in its order, with the escapes of `serialize_block_attributes`.
fn compact(json: &str, change: fn(&str) -> String) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(letter) = rest.chars().next() {
        if letter == '"' {
            let length = string_length(rest);
            let text: String = serde_json::from_str(&rest[..length]).unwrap_or_default();
            out.push_str(&written(&change(&text)));
            rest = &rest[length..];
            continue;
        }
        if letter.is_ascii_digit() || letter == '-' {
            let length = rest.find([',', ']', '}', ' ', '\n', '\t', '\r']).unwrap_or(rest.len());
            let number = &rest[..length];
            let whole = number.split_once('.').filter(|(_, part)| part.bytes().all(|digit| digit == b'0'));
            out.push_str(whole.map_or(number, |(whole, _)| whole));
            rest = &rest[length..];
            continue;
        }
        if !letter.is_ascii_whitespace() {
            out.push(letter);
        }
        rest = &rest[letter.len_utf8()..];
    }
    // PHP knows no empty object, and no difference between 1.0 and 1.
    out.replace("{}", "[]")
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn written(text: &str) -> String {
    let plain = serde_json::Value::String(text.to_owned()).to_string();
    let inner = &plain[1..plain.len() - 1];
    let escaped = inner
        .replace("\\\\", "\\u005c")
        .replace("\\\"", "\\u0022")
        .replace("--", "\\u002d\\u002d")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_written_compactly_and_in_their_order() {
        let sent = r#"<!-- wp:image { "id": 7, "alt": "a & <b> -- \"c\"", "x": {}, "y": 1.0, "z": -2.50 } --><p>a</p><!-- /wp:image -->"#;
        let stored = reserialise(sent);
        assert_eq!(
            stored,
            r#"<!-- wp:image {"id":7,"alt":"a \u0026 \u003cb\u003e \u002d\u002d \u0022c\u0022","x":[],"y":1,"z":-2.50} --><p>a</p><!-- /wp:image -->"#
        );
        assert_eq!(reserialise(&stored), stored);
    }

    #[test]
    fn what_is_no_block_stays() {
        for text in ["<!--more-->", "<!-- wp:paragraph -->", "<!-- open", "a -- b", "<!-- wp:x {broken -->"] {
            assert_eq!(reserialise(text), text);
        }
    }

    #[test]
    fn readers_never_see_block_comments() {
        assert_eq!(
            rendered("<!-- wp:paragraph {\"a\":1} --><p>x</p><!-- /wp:paragraph --><!--more-->"),
            "<p>x</p><!--more-->"
        );
    }
}
