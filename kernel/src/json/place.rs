//! Where in a JSON text a value is.

/// A step from a value to one within it.
#[derive(Debug)]
pub(super) enum Step {
    /// To the member with this name.
    Member(String),
    /// To the item with this index.
    Item(usize),
}

/// These steps as people write them: `criteria[2].name`.
pub(super) fn name<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    let mut name = String::new();
    for step in steps {
        match step {
            Step::Member(key) if name.is_empty() => name.push_str(key),
            Step::Member(key) => name.extend([".", key]),
            Step::Item(index) => name.extend(["[", &index.to_string(), "]"]),
        }
    }
    name
}

/// The line and column, from 1, of the value that these steps lead to. The text was parsed before, so it is JSON.
pub(super) fn position<'s>(text: &str, steps: impl Iterator<Item = &'s Step>) -> (usize, usize) {
    let mut rest = text.trim_start();
    for step in steps {
        rest = inside(rest);
        match step {
            Step::Member(key) => {
                while !rest.is_empty() && !rest.starts_with('}') {
                    let name = &rest[..length(rest)];
                    rest = rest[name.len()..].trim_start().trim_start_matches(':').trim_start();
                    if serde_json::from_str::<String>(name).is_ok_and(|name| name == *key) {
                        break;
                    }
                    rest = next(rest);
                }
            }
            Step::Item(index) => (0..*index).for_each(|_| rest = next(rest)),
        }
    }
    let before = &text[..text.len() - rest.len()];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before.len() - line_start + 1)
}

/// What follows the opening bracket.
fn inside(text: &str) -> &str {
    text.get(1..).unwrap_or_default().trim_start()
}

/// What follows the value at the start, and the comma after it.
fn next(text: &str) -> &str {
    text[length(text)..].trim_start().trim_start_matches(',').trim_start()
}

/// The bytes of the value at the start.
fn length(text: &str) -> usize {
    let (mut depth, mut is_in_string, mut is_escaped) = (0_u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_string => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            _ if is_in_string => continue,
            b'[' | b'{' => depth += 1,
            b']' | b'}' | b',' if depth == 0 => return at,
            b']' | b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 && !is_in_string {
            return at + 1;
        }
    }
    text.len()
}
