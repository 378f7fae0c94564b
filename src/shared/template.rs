//! The blanks of a prompt filled in.

/// Replaces each `{{name}}` once, left to right: what is filled in is never read as a template again, so a
/// task or a design that holds `{{task}}` stays what it is.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template.strip_suffix('\n').unwrap_or(template);
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, tail)) = after.split_once("}}") else { break };
        let value = values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value);
        out.push_str(value);
        rest = tail;
    }
    out.push_str(rest);
    out
}
