//! Filling in the blanks of a prompt.

/// Replaces each `{{name}}` once, left to right: filled-in text is never read as a template again, so a task or a design that contains
/// `{{task}}` stays unchanged.
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

/// Text between fences that it can't close.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.lines().map(str::trim_start).filter(|line| line.starts_with("```"));
    let longest = longest.map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(2);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fenced_does_not_get_out() {
        assert_eq!(fenced("a"), "```\na\n```");
        assert_eq!(fenced("a\n````\nb"), "`````\na\n````\nb\n`````");
    }
}
