//! Names that are safe as file names, agent names and directory names on every platform.

/// Lower-case ASCII letters, digits and single hyphens, at most `max` characters; empty when nothing is left.
pub fn slug(text: &str, max: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(max);
    out.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn keeps_only_what_is_safe() {
        let cases = [
            ("glm-4.6", "glm-4-6"),
            ("  User Auth: JWT & OAuth 2.0! ", "user-auth-jwt-oauth-2-0"),
            ("../../etc/passwd", "etc-passwd"),
            ("日本語", ""),
            ("---", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(slug(text, 60), expected, "{text}");
        }
        assert_eq!(slug("ab cd", 3), "ab");
    }
}
